package serve

import (
	"errors"
	"time"
)

// Kind classifies a failed call. Each protocol maps kinds to its own status
// codes; nothing else decides what a caller sees.
type Kind uint8

const (
	// Internal: a fault of the server itself.
	Internal Kind = iota
	// BadRequest: the request is malformed before any input is looked at.
	BadRequest
	// Unauthorized: no or wrong credentials.
	Unauthorized
	// Forbidden: the caller may not do that.
	Forbidden
	// UnknownTool and UnknownVersion: there is no such tool or version.
	UnknownTool
	UnknownVersion
	// InvalidInput: inputs are missing, unknown or out of bounds; see Issues.
	InvalidInput
	// NoResult: the call was right and found nothing.
	NoResult
	// Rejected: the backend or an expect of the manifest refused the values.
	Rejected
	// RateLimited: too many calls; RetryAfter may say when to come back.
	RateLimited
	// Unavailable: the backend cannot be reached or is down for a while.
	Unavailable
	// Timeout: the deadline passed before anything was changed.
	Timeout
	// BadBackend: the backend broke its contract (garbage, a missing field).
	BadBackend
	// UnknownOutcome: an effect may or may not have happened. It must never
	// become a status that clients retry (A2T 5.3: 5xx is retried).
	UnknownOutcome
)

var kindWords = [...]string{
	Internal: "internal", BadRequest: "bad_request", Unauthorized: "unauthorized", Forbidden: "forbidden",
	UnknownTool: "unknown_tool", UnknownVersion: "unknown_version", InvalidInput: "invalid_input",
	NoResult: "no_result", Rejected: "rejected", RateLimited: "rate_limited", Unavailable: "unavailable",
	Timeout: "timeout", BadBackend: "bad_backend", UnknownOutcome: "unknown_outcome",
}

// String returns the word of the kind in logs: "no_result".
func (k Kind) String() string {
	if int(k) >= len(kindWords) {
		return kindWords[Internal]
	}
	return kindWords[k]
}

// An Error is the one error of the run time. Message and Hint are for the
// model; Developer and Err stay in the log.
type Error struct {
	Kind Kind
	// Code is the word of the manifest or, empty, the default of the kind.
	Code    string
	Message string
	// Hint tells the model what to do about it.
	Hint string
	// Developer is for the vendor's engineers; OTC sends it as
	// developer_message, which clients do not show.
	Developer  string
	Retryable  bool
	RetryAfter time.Duration
	// Issues lists what is wrong with which input.
	Issues []Issue
	// Step is the id of the step that failed.
	Step string
	// EffectsDone lists the steps whose effects have happened.
	EffectsDone []string
	Err         error
}

// An Issue is one invalid input.
type Issue struct {
	Param, ID string
	// Code is missing, unknown, type, range, length or not_allowed.
	Code   string
	Detail string
	// Allowed lists the legal values of an enum.
	Allowed []string
	// Nearest is the legal value that the caller probably meant, if one is
	// near. It is offered, never taken.
	Nearest string
}

func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = e.Code
	}
	if text == "" {
		text = e.Kind.String()
	}
	if e.Step != "" {
		text = "step " + e.Step + ": " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err: Internal where err holds no *Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
