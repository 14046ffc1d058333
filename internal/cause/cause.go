// Package cause has the words by which the log names why a call failed at an api.
// They are closed: operators count and filter by them, and docs/production.md lists
// them all.
package cause

import "fmt"

// A Word names a cause in the log.
type Word string

// The causes. Those before Timeout say that there was no connection, or none any more.
const (
	// Refused: nobody listens at the address.
	Refused Word = "refused"
	// NoSuchHost: the name of the server does not exist.
	NoSuchHost Word = "no_such_host"
	// Resolver: the name could not be looked up.
	Resolver Word = "resolver"
	// Unreachable: no connection, for a reason without a word of its own.
	Unreachable Word = "unreachable"
	// TLS: the handshake failed, or the certificate is not trusted.
	TLS Word = "tls"
	// Reset: the connection ended before the answer did.
	Reset Word = "reset"
	// Timeout: the time of the call was up.
	Timeout Word = "timeout"
	// Status: the answer has the status of a failure.
	Status Word = "status"
	// Redirect: the answer is a redirect that is not followed.
	Redirect Word = "redirect"
	// BadAnswer: the answer is not what the document says.
	BadAnswer Word = "bad_answer"
	// TooLarge: the answer is longer than the limit.
	TooLarge Word = "too_large"
	// Busy: the limits of this server left no place; nothing was sent.
	Busy Word = "busy"
	// Canceled: the caller hung up, or the server ends.
	Canceled Word = "canceled"
	// TokenStore: the vendor's store for the tokens of users failed.
	TokenStore Word = "token_store"
	// NotRecorded: a transport of recorded answers has none for this request.
	NotRecorded Word = "not_recorded"
	// DryRun: the transport only shows requests.
	DryRun Word = "dry_run"
)

// Words are all of them.
var Words = []Word{
	Refused, NoSuchHost, Resolver, Unreachable, TLS, Reset, Timeout, Status, Redirect, BadAnswer, TooLarge, Busy, Canceled, TokenStore, NotRecorded, DryRun,
}

// An Error is the cause of an error for the log. Its text is the text of the wrapped error.
type Error struct {
	Word Word
	// Status is the status of the last answer, 0 if there was none.
	Status int
	// Attempts is how often the call was tried.
	Attempts int
	// Host is where the request went, with its port.
	Host string
	Err  error
}

// Error implements error.
func (e *Error) Error() string {
	switch {
	case e.Err == nil && e.Status != 0:
		return fmt.Sprintf("%s %d", e.Word, e.Status)
	case e.Err == nil:
		return string(e.Word)
	}
	return e.Err.Error()
}

// Unwrap returns the error that this is the cause of.
func (e *Error) Unwrap() error { return e.Err }
