package upstream

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A wireError hides the text of a transport error, which may hold addresses
// and credentials; errors.Is and errors.As still find the cause.
type wireError struct {
	text string
	err  error
}

func (f *wireError) Error() string { return f.text }
func (f *wireError) Unwrap() error { return f.err }

// safe reports whether the call may be sent again when nobody knows how it
// went.
func (c *Call) safe() bool { return c.effect != EffectUnsafe }

// transient is the error of a fault that passes. A call that may have changed
// something has an unknown outcome then, unless the request never left.
func (c *Call) transient(kind tool.Kind, never bool, err error) attemptEnd {
	if !c.safe() && !never {
		return c.unknown(err)
	}
	e := &tool.Error{Kind: kind, Step: c.step, Retryable: true, Err: err, OutcomeUnknown: c.effect != EffectRead && !never}
	return attemptEnd{err: e, again: true, after: noRetryAfter}
}

func (c *Call) unknown(err error) attemptEnd {
	return attemptEnd{err: &tool.Error{
		Kind: tool.KindUnknownOutcome, Step: c.step, Err: err,
		Hint: "Do not repeat the call. Find out first whether it took effect.",
	}}
}

// unusable is the error of an answer that breaks the contract.
func (c *Call) unusable(err error) attemptEnd {
	c.why = cause.BadAnswer
	if errors.Is(err, errTooLarge) {
		c.why = cause.TooLarge
	}
	if !c.safe() && c.status >= 200 && c.status < 300 {
		return c.unknown(err)
	}
	e := &tool.Error{Kind: tool.KindBadBackend, Step: c.step, Err: err}
	if errors.Is(err, errTooLarge) {
		e.Code = "upstream_too_large"
	}
	e.OutcomeUnknown = c.effect != EffectRead && c.status/100 == 2
	return attemptEnd{err: e}
}

// interrupted is the error of a call whose context has ended.
func (c *Call) interrupted(outer context.Context, sent bool) error {
	err := outer.Err()
	if err == nil {
		err = context.DeadlineExceeded
	}
	c.why = wordOf(err)
	if sent && !c.safe() {
		return c.unknown(err).err
	}
	return &tool.Error{Kind: tool.KindTimeout, Step: c.step, Retryable: true, Err: err, OutcomeUnknown: sent && c.effect != EffectRead}
}

// transportFault classifies what RoundTrip or a body gave.
func (c *Call) transportFault(outer context.Context, err error) attemptEnd {
	c.why = wordOf(err)
	if errors.Is(err, ErrNotRecorded) {
		return attemptEnd{err: &tool.Error{Kind: tool.KindBadBackend, Step: c.step, Message: "No answer is recorded for this request.", Err: err}}
	}
	if errors.Is(err, ErrDryRun) {
		return attemptEnd{err: &tool.Error{Kind: tool.KindInternal, Step: c.step, Err: ErrDryRun}}
	}
	never := neverSent(err)
	if c.over(outer) {
		return attemptEnd{err: c.interrupted(outer, !never)}
	}
	var timeout net.Error
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, errTooLarge):
		return c.unusable(errTooLarge)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return c.unusable(&wireError{"the answer is not gzip", err})
	case isHandshake(err):
		return attemptEnd{err: &tool.Error{Kind: tool.KindBadBackend, Step: c.step, Code: "upstream_tls", Err: &wireError{"no trusted connection", err}}}
	case never:
		return c.transient(tool.KindUnavailable, true, &wireError{"cannot connect", err})
	case errors.As(err, &timeout) && timeout.Timeout():
		return c.transient(tool.KindTimeout, false, &wireError{"no answer in time", err})
	}
	return c.transient(tool.KindUnavailable, false, &wireError{"the connection broke", err})
}

// neverSent reports whether the request cannot have reached the upstream.
func neverSent(err error) bool {
	if traced := (*tracedError)(nil); errors.As(err, &traced) {
		return !traced.taken
	}
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial"
}

// isHandshake reports whether TLS could not be agreed on. The same errors may
// come after the handshake, when the request has been sent.
func isHandshake(err error) bool {
	traced := (*tracedError)(nil)
	if errors.As(err, &traced) && traced.taken {
		return false
	}
	var (
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	return errors.As(err, &verify) || errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid) ||
		traced != nil && (errors.As(err, &record) || errors.As(err, &alert))
}

// scanFault classifies what a decoder met.
func (c *Call) scanFault(outer context.Context, err *scan.Error) attemptEnd {
	switch err.Why {
	case scan.Read:
		return c.transportFault(outer, err.Err)
	case scan.TooLarge:
		return c.unusable(errTooLarge)
	}
	why := value.BadValue
	if err.Why == scan.WrongKind {
		why = value.WrongKind
	}
	at := &value.PathError{Step: c.step, Path: err.Path, Why: why, Text: err.Reason(), Err: err}
	c.why = cause.BadAnswer
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return c.transient(tool.KindUnavailable, false, at)
	}
	return c.unusable(at)
}

// refused turns an answer that is not a success into the ending of its attempt.
func (c *Call) refused(outer context.Context, resp *http.Response) attemptEnd {
	o := c.statusEnding(resp)
	c.why = cause.Status
	if resp.StatusCode >= 300 && resp.StatusCode <= 399 {
		c.why = cause.Redirect
	}
	found := c.caseOf(resp.StatusCode, c.problemOf(outer, resp), false)
	if found == nil {
		return o
	}
	switch found.Retry {
	case RetryNever:
		o.again = false
	case RetrySame:
		o.again = c.safe()
	}
	var said error
	if found.Fail != nil {
		said = found.Fail()
	}
	if isMissing(said) && inDoubt(o.err) {
		return o
	}
	if found.Retry == RetryDefault {
		said = stillUnknown(o.err, said)
	}
	if found.Retry != RetryNever {
		said = stillInDoubt(o.err, said)
	}
	o.err, c.missing = said, said == nil
	return o
}

// isMissing reports whether an error case means that there is no answer.
func isMissing(said error) bool { return said == nil || errors.Is(said, ErrSkip) }

// inDoubt reports whether the effect of the failed request may have happened.
// That is never "no answer": the chain would go on as if nothing had been done.
func inDoubt(err error) bool {
	e, ok := errors.AsType[*tool.Error](err)
	return ok && (e.Kind == tool.KindUnknownOutcome || e.OutcomeUnknown)
}

// stillInDoubt keeps the words of said and the doubt of err.
func stillInDoubt(err, said error) error {
	doubt, _ := errors.AsType[*tool.Error](err)
	e, ok := errors.AsType[*tool.Error](said)
	if !ok || doubt == nil || !doubt.OutcomeUnknown {
		return said
	}
	worded := *e
	worded.OutcomeUnknown = true
	return &worded
}

// remember notes the first attempt whose effect may have happened. An error of a
// later one cannot take that back.
func (c *Call) remember(o attemptEnd) attemptEnd {
	if c.doubt == nil {
		if inDoubt(o.err) {
			c.doubt = o.err
		}
		return o
	}
	o.err = stillInDoubt(c.doubt, o.err)
	return o
}

// stillUnknown keeps the words of an error case, but not that the call may be
// repeated, where the status leaves open whether it took effect.
func stillUnknown(status, said error) error {
	var e *tool.Error
	if tool.KindOf(status) != tool.KindUnknownOutcome || !errors.As(said, &e) {
		return said
	}
	worded := *e
	worded.Kind, worded.Retryable, worded.RetryAfter = tool.KindUnknownOutcome, false, 0
	return &worded
}

// statusEnding is the ending for a status without a case of the manifest.
func (c *Call) statusEnding(resp *http.Response) attemptEnd {
	status, after := resp.StatusCode, retryAfter(resp.Header, time.Now())
	e := &tool.Error{Step: c.step, Err: &StatusError{Status: status}}
	o := attemptEnd{err: e, after: after}
	switch {
	case status == http.StatusTooManyRequests:
		e.Kind, e.Retryable, o.again = tool.KindRateLimited, true, c.safe()
	case status == http.StatusRequestTimeout:
		e.Kind, e.Retryable, o.again = tool.KindUnavailable, true, c.safe()
	case status == http.StatusServiceUnavailable && after >= 0 && !c.safe():
		// Who says when to come back has not begun.
		e.Kind, e.Retryable = tool.KindUnavailable, true
	case status >= 500 && !c.safe():
		return c.unknown(e.Err)
	case status >= 500:
		e.Kind, e.Retryable = tool.KindUnavailable, true
		e.OutcomeUnknown = c.effect != EffectRead && (status != http.StatusServiceUnavailable || after < 0)
		o.again = status == 500 || status >= 502 && status <= 504
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		c.credentialFault(e, status)
	case status == http.StatusNotFound || status == http.StatusGone:
		e.Kind = tool.KindNoResult
	case status >= 400:
		e.Kind = tool.KindRejected
	default:
		e.Kind, e.Err = tool.KindBadBackend, errStatus
		if status >= 300 {
			e.Err = errRedirect
		}
		if c.effect != EffectRead {
			// What was asked for may have been done here, or there. An executor
			// would repeat what is answered as a fault of the backend.
			return c.unknown(e.Err)
		}
	}
	if e.Retryable && after > 0 {
		e.RetryAfter = after
	}
	return o
}

func (c *Call) credentialFault(e *tool.Error, status int) {
	switch {
	case !c.forCaller():
		e.Kind, e.Code = tool.KindBadBackend, "upstream_auth"
		e.Message = "The service behind this tool did not accept the credentials of this server."
	case status == http.StatusUnauthorized:
		e.Kind, e.Message = tool.KindUnauthorized, "The service behind this tool did not accept the caller's credentials."
	default:
		e.Kind, e.Message = tool.KindForbidden, "The service behind this tool does not allow the caller to do this."
	}
}

// A StatusError is the cause in an [tool.Error] that comes from the status of an
// answer.
type StatusError struct {
	// Status is the HTTP status code.
	Status int
}

func (e *StatusError) Error() string {
	if text := http.StatusText(e.Status); text != "" {
		return "the upstream answered " + text
	}
	return "the upstream answered with an unknown status"
}
