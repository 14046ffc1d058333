package tool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// Kind classifies a failed call. Each protocol maps kinds to its own status
// codes; nothing else decides what a caller sees.
type Kind uint8

const (
	// KindInternal is a fault of the server itself.
	KindInternal Kind = iota
	// KindBadRequest says that the request is malformed before any input is looked at.
	KindBadRequest
	// KindUnauthorized says that there are no or wrong credentials.
	KindUnauthorized
	// KindForbidden says that the caller may not do that.
	KindForbidden
	// KindUnknownTool says that there is no such tool.
	KindUnknownTool
	// KindUnknownVersion says that the tool has no such version.
	KindUnknownVersion
	// KindInvalidInput says that inputs are missing, unknown or out of bounds; see Issues.
	KindInvalidInput
	// KindNoResult says that the call was right and found nothing.
	KindNoResult
	// KindRejected says that the backend or an expect of the manifest refused the values.
	KindRejected
	// KindRateLimited says that there are too many calls; RetryAfter may say when to come back.
	KindRateLimited
	// KindUnavailable says that the backend cannot be reached or is down for a while.
	KindUnavailable
	// KindTimeout says that the deadline passed before anything was changed.
	KindTimeout
	// KindBadBackend says that the backend broke its contract (garbage, a missing field).
	KindBadBackend
	// KindUnknownOutcome says that an effect may or may not have happened. It must never
	// become a status that clients retry (A2T 5.3: 5xx is retried).
	KindUnknownOutcome
)

var kindWords = [...]string{
	KindInternal: "internal", KindBadRequest: "bad_request", KindUnauthorized: "unauthorized", KindForbidden: "forbidden",
	KindUnknownTool: "unknown_tool", KindUnknownVersion: "unknown_version", KindInvalidInput: "invalid_input",
	KindNoResult: "no_result", KindRejected: "rejected", KindRateLimited: "rate_limited", KindUnavailable: "unavailable",
	KindTimeout: "timeout", KindBadBackend: "bad_backend", KindUnknownOutcome: "unknown_outcome",
}

// String returns the word of the kind in logs: "no_result".
func (k Kind) String() string {
	if int(k) >= len(kindWords) {
		return kindWords[KindInternal]
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
	// OutcomeUnknown says that a request of Step was sent whose effect may have
	// happened, although sending those very bytes again is safe. Whether the call as
	// a whole may be repeated depends on the tool.
	OutcomeUnknown bool
	// Authorization, unless nil, is where a person has to agree before the call can
	// be made; the code is consent_required then.
	Authorization *Authorization
	Err           error
}

// An Authorization is where the person behind a call allows a tool to act for them
// at a service. The URL is for that person alone: it stays out of logs.
type Authorization struct {
	// ID is unique and says nothing.
	ID string
	// Provider is the name of the api.
	Provider string
	URL      string
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
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// sentences stand in for an Error without message.
var sentences = [...]string{
	KindInternal:       "The server failed. It is not the fault of the inputs.",
	KindBadRequest:     "The request is malformed.",
	KindUnauthorized:   "The credentials are missing or wrong.",
	KindForbidden:      "The caller may not do this.",
	KindUnknownTool:    "",
	KindUnknownVersion: "",
	KindInvalidInput:   "Some input parameters are invalid",
	KindNoResult:       "Nothing was found for these inputs.",
	KindRejected:       "The backend refused these inputs.",
	KindRateLimited:    "There are too many calls at the moment. Try again later.",
	KindUnavailable:    "The backend is not available at the moment. Try again later.",
	KindTimeout:        "The backend did not answer in time. Try again later.",
	KindBadBackend:     "The backend gave an answer that this tool cannot use.",
	KindUnknownOutcome: "It is not known whether the call took effect. Check before you repeat it.",
}

// Sentence returns the message for the model. That of an internal error is
// always ours: its text was not written for callers.
func (e *Error) Sentence() string {
	if int(e.Kind) >= len(sentences) {
		return sentences[KindInternal]
	}
	if e.Message == "" || e.Kind == KindInternal {
		return sentences[e.Kind]
	}
	if e.Authorization != nil {
		return e.Message + " Give them this address, and call again when they have agreed: " + e.Authorization.URL
	}
	return e.Message
}

// Explain says in sentences what a model or a person should know of the error:
// the message, what is wrong with which input, the hint, when to try again.
func (e *Error) Explain() string {
	var b strings.Builder
	say := func(texts ...string) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, text := range texts {
			b.WriteString(text)
		}
	}
	wait := e.Retryable && e.RetryAfter > 0
	sentence := e.Sentence()
	if wait {
		sentence = strings.TrimSuffix(sentence, " Try again later.")
	}
	say(sentence)
	if len(e.Issues) > 0 && e.Message == "" {
		b.WriteByte(':')
	}
	for i := range e.Issues {
		issue := &e.Issues[i]
		say(issue.Param, ": ", issue.Detail)
		if len(issue.Allowed) > 0 {
			say("Allowed: ", strings.Join(issue.Allowed, ", "), ".")
		}
	}
	if e.Hint != "" {
		say(e.Hint)
	}
	if len(e.EffectsDone) > 0 {
		say("Done already: ", strings.Join(e.EffectsDone, ", "), ".")
	}
	if wait {
		say("Try again in ", strconv.FormatInt(int64(math.Ceil(e.RetryAfter.Seconds())), 10), " s.")
	}
	return b.String()
}

// AsError returns an error as the one error of the run time, as a copy that may
// be changed. One that no chain has named gets the kind that follows from its
// cause: a [value.PathError], a deadline, a cancellation; else it is Internal.
func AsError(err error) *Error {
	e := &Error{Kind: KindInternal, Err: err}
	var given *Error
	if !errors.As(err, &given) {
		classify(e, err)
		return e
	}
	*e = *given
	if e.Kind == KindInternal && e.Err != nil {
		classify(e, e.Err) // AfterEffects wraps errors that have no kind yet
	}
	return e
}

// classify sets the kind of an error that no chain has named.
func classify(e *Error, err error) {
	var path *value.PathError
	switch {
	case errors.As(err, &path):
		e.Kind, e.Step = kindOfPath(path), path.Step
		if e.Kind == KindRejected && e.Message == "" && path.Err != nil {
			// Nobody was asked, so the sentence of the kind would be wrong. The causes
			// are texts of package value without anything of a caller but numbers.
			e.Message = "These inputs give no result: " + path.Err.Error() + "."
		}
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Retryable = KindTimeout, true
	case errors.Is(err, context.Canceled):
		// The caller hung up, or the server ends.
		e.Kind, e.Code, e.Message, e.Retryable = KindUnavailable, "canceled", "The call was canceled.", true
	}
}

// kindOfPath maps what an expression could not get. A value that a function
// refused came from the backend if it belongs to a step; if it belongs to none
// it was computed from the inputs, and the caller can change those.
func kindOfPath(path *value.PathError) Kind {
	switch {
	case path.Why == value.NoElement:
		return KindNoResult
	case path.Why == value.BadValue && path.Step == "":
		return KindRejected
	}
	return KindBadBackend
}

// AfterEffects notes in err that the effects of steps have happened, so that
// nobody repeats the call by accident.
func AfterEffects(err error, steps ...string) error {
	e := AsError(err)
	e.EffectsDone = slices.Concat(steps, e.EffectsDone)
	return e
}

// BeforeEffects notes in err that nothing has been changed yet, so that a failure
// of the backend before the first effect of a tool is not taken for an unknown
// outcome.
func BeforeEffects(err error) error { return AfterEffects(err) }

// A PanicError is a panic of a chain or step. Its text is for the log.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *PanicError) Error() string { return fmt.Sprint("panic: ", p.Value) }

// Guard runs f and turns a panic into a [*PanicError], since a panic in a
// goroutine would end the process.
func Guard(ctx context.Context, f func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return f(ctx)
}
