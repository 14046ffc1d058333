package client

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// An Error says why a call or a read gave nothing.
type Error struct {
	// Fault is what is wrong, in the words of the server where it has any; see
	// [tool.KindOf]. Its Hint is for the model (OTC additional_prompt_content).
	Fault *tool.Error
	// Status is that of HTTP, 0 where nothing was answered.
	Status int
	// Local says that nothing was sent.
	Local bool
	// Missing is what the call has to bring of its caller before it can run (OTC
	// missing_requirements), nil for nothing.
	Missing *Missing
	// Challenge is the WWW-Authenticate header of a 401, and where it names them,
	// Metadata the address of the protected resource (RFC 9728).
	Challenge, Metadata string
	// Attempts counts how often the call was sent.
	Attempts int

	// said is what the server says of repeating the call.
	said repeat
}

// Missing is what a caller lacks.
type Missing struct {
	UserID  bool
	Secrets []string
	// Authorizations are by the id of their provider: the address that a person
	// has to visit, "" for none.
	Authorizations map[string]string
}

// repeat is what is known of sending the same call again.
type repeat uint8

const (
	unsaid repeat = iota
	worthwhile
	pointless
	// unsent calls have not reached the server.
	unsent
)

func (e *Error) Error() string {
	text := e.Fault.Error()
	if e.Status != 0 {
		text += " (status " + strconv.Itoa(e.Status) + ")"
	}
	return "client: " + text
}

// Unwrap returns Fault.
func (e *Error) Unwrap() error { return e.Fault }

func local(kind tool.Kind, message string, err error) *Error {
	return &Error{Local: true, Fault: &tool.Error{Kind: kind, Message: message, Err: err}}
}

// repeatable reports whether the call may be sent again: see [Server.Invoke].
func (e *Error) repeatable(t *Tool) bool {
	switch e.said {
	case worthwhile, unsent:
		return true
	case pointless:
		return false
	}
	temporary := e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == 0 && !e.Local
	return temporary && t.readOnly()
}

// settled is the error in the end: what may have happened and may not be repeated
// has an unknown outcome, whatever the server calls it.
func (e *Error) settled(t *Tool) *Error {
	lost := e.Status >= http.StatusInternalServerError || e.Status == 0 && !e.Local
	if e.said == unsaid && lost && !t.readOnly() {
		e.Fault.Kind, e.Fault.Message, e.Fault.Retryable = tool.KindUnknownOutcome, "", false
	}
	return e
}

// mostWait bounds what a server may make a caller wait between two attempts.
const mostWait = 30 * time.Second

// wait is how long to wait before the next attempt: what the server says, else
// longer each time.
func (e *Error) wait(attempt int) time.Duration {
	if e.Fault.RetryAfter > 0 {
		return min(e.Fault.RetryAfter, mostWait)
	}
	return 200 * time.Millisecond << (attempt - 1)
}

// statusKinds are what the status of HTTP alone says.
var statusKinds = map[int]tool.Kind{
	http.StatusUnauthorized: tool.KindUnauthorized, http.StatusForbidden: tool.KindForbidden,
	http.StatusNotFound: tool.KindUnknownTool, http.StatusGone: tool.KindUnknownTool,
	http.StatusConflict: tool.KindUnknownOutcome, http.StatusUnprocessableEntity: tool.KindInvalidInput,
	http.StatusTooManyRequests: tool.KindRateLimited, http.StatusInternalServerError: tool.KindInternal, http.StatusBadGateway: tool.KindBadBackend,
	http.StatusServiceUnavailable: tool.KindUnavailable, http.StatusGatewayTimeout: tool.KindTimeout,
}

func kindOfStatus(status int) tool.Kind {
	if kind, ok := statusKinds[status]; ok {
		return kind
	}
	if status >= 500 {
		return tool.KindUnavailable
	}
	return tool.KindBadRequest
}

// codeKinds are the closed list of codes of our problem documents.
var codeKinds = map[string]tool.Kind{
	"internal": tool.KindInternal, "malformed_request": tool.KindBadRequest, "unauthorized": tool.KindUnauthorized, "forbidden": tool.KindForbidden,
	"unknown_tool": tool.KindUnknownTool, "unknown_version": tool.KindUnknownVersion, "invalid_parameters": tool.KindInvalidInput,
	"no_result": tool.KindNoResult, "backend_rejected": tool.KindRejected, "rate_limited": tool.KindRateLimited,
	"backend_unavailable": tool.KindUnavailable, "backend_timeout": tool.KindTimeout, "backend_invalid_response": tool.KindBadBackend,
	"outcome_unknown": tool.KindUnknownOutcome,
}

// A problem is an error document of A2T as far as it is known (RFC 9457).
type problem struct {
	Code, Title, Detail, Reason, Hint string
	Retryable                         *bool
	RetryAfter                        int64    `json:"retry_after_ms"`
	Effects                           []string `json:"effects_done"`
	Errors                            []struct {
		Parameter, ID, Code, Detail string
		Allowed                     []string
	}
}

// refusal is the error of an answer that is not a result.
func refusal(a *answer) *Error {
	e := &Error{Status: a.status, Fault: &tool.Error{Kind: kindOfStatus(a.status)}}
	e.Fault.RetryAfter = retryAfter(a.header)
	if a.status == http.StatusUnauthorized {
		e.Challenge = a.header.Get("WWW-Authenticate")
		e.Metadata = challengeParameter(e.Challenge, "resource_metadata")
	}
	return e
}

// problemOf is the error of an answer of A2T.
func problemOf(a *answer) *Error {
	e := refusal(a)
	var p problem
	if json.Unmarshal(a.body, &p) != nil {
		e.Fault.Message = "The server answered with status " + strconv.Itoa(a.status) + "."
		return e
	}
	if kind, ok := codeKinds[p.Code]; ok {
		e.Fault.Kind = kind
	} else if e.Fault.Kind == tool.KindInvalidInput && p.Errors == nil {
		e.Fault.Kind = tool.KindRejected
	}
	f := e.Fault
	f.Code, f.Message, f.Hint, f.EffectsDone = p.Reason, p.Detail, p.Hint, p.Effects
	if f.Code == "" {
		f.Code = p.Code
	}
	if f.Message == "" {
		f.Message = p.Title
	}
	if p.RetryAfter > 0 {
		f.RetryAfter = time.Duration(p.RetryAfter) * time.Millisecond
	}
	for _, i := range p.Errors {
		f.Issues = append(f.Issues, tool.Issue{Param: i.Parameter, ID: i.ID, Code: i.Code, Detail: i.Detail, Allowed: i.Allowed})
	}
	if p.Retryable != nil {
		f.Retryable = *p.Retryable
		if e.said = pointless; f.Retryable {
			e.said = worthwhile
		}
	}
	return e
}

// retryAfter reads the header in seconds; a date is what a proxy says, whose
// clock need not be ours, so it counts for nothing.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > 1<<20 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// challengeParameter finds a quoted parameter of a challenge (RFC 9110 11.2).
func challengeParameter(challenge, name string) string {
	_, rest, found := strings.Cut(challenge, name+`="`)
	if !found {
		return ""
	}
	v, _, _ := strings.Cut(rest, `"`)
	return v
}
