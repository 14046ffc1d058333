package serve

import (
	"math"
	"strconv"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A wireClass is a code of the wire, its HTTP status and its title. The codes
// are the closed list of the A2T problem document; a word that a manifest
// chose travels beside it as "reason".
type wireClass struct {
	code   string
	status int
	title  string
	// http marks faults of the HTTP request itself: every protocol answers
	// them with this status.
	http bool
}

var kindClasses = [...]wireClass{
	tool.KindInternal:       {"internal", 500, "Internal error", false},
	tool.KindBadRequest:     {"malformed_request", 400, "Malformed request", false},
	tool.KindUnauthorized:   {"unauthorized", 401, "Credentials are missing or wrong", false},
	tool.KindForbidden:      {"forbidden", 403, "Not allowed", false},
	tool.KindUnknownTool:    {"unknown_tool", 404, "Unknown tool", false},
	tool.KindUnknownVersion: {"unknown_version", 404, "Unknown version", false},
	tool.KindInvalidInput:   {"invalid_parameters", 422, "Invalid parameters", false},
	tool.KindNoResult:       {"no_result", 422, "No result", false},
	tool.KindRejected:       {"backend_rejected", 422, "The values were rejected", false},
	tool.KindRateLimited:    {"rate_limited", 429, "Too many calls", false},
	tool.KindUnavailable:    {"backend_unavailable", 503, "The backend is unavailable", false},
	tool.KindTimeout:        {"backend_timeout", 504, "The backend did not answer in time", false},
	tool.KindBadBackend:     {"backend_invalid_response", 502, "The backend's answer is not usable", false},
	// A2T 5.3 lets executors retry any 5xx, so this must not be one.
	tool.KindUnknownOutcome: {"outcome_unknown", 409, "The outcome is unknown", false},
}

// requestClasses refine BadRequest by Error.Code.
var requestClasses = map[string]wireClass{
	keyReused:                {"malformed_request", 409, "The key belongs to another call", true},
	"name_mismatch":          {"name_mismatch", 400, "The name is not the name of the tool", false},
	"duplicate_parameter":    {"duplicate_parameter", 400, "A parameter is given twice", false},
	"invalid_cursor":         {"invalid_cursor", 400, "The page cursor is not valid", false},
	"invalid_page_limit":     {"invalid_page_limit", 400, "The page limit is not valid", false},
	"unknown_path":           {"malformed_request", 404, "Nothing is at this path", true},
	"method_not_allowed":     {"method_not_allowed", 405, "Method not allowed", true},
	"not_acceptable":         {"not_acceptable", 406, "Not acceptable", true},
	"payload_too_large":      {"payload_too_large", 413, "The request is too large", true},
	"unsupported_media_type": {"unsupported_media_type", 415, "Unsupported media type", true},
}

// endedClass refines UnknownTool: the code is that of the closed list, and the
// status tells that there was such a tool.
var endedClass = wireClass{"unknown_tool", 410, "The tool has ended", true}

func classOf(e *tool.Error) wireClass {
	if e.Kind == tool.KindUnknownTool && e.Code == toolEnded {
		return endedClass
	}
	if int(e.Kind) >= len(kindClasses) {
		return kindClasses[tool.KindInternal]
	}
	if e.Kind == tool.KindBadRequest {
		if c, ok := requestClasses[e.Code]; ok {
			return c
		}
	}
	return kindClasses[e.Kind]
}

// problemClass is the class of an error over A2T. A failure that would pass with
// time, were it not for the manifest, which says retry: never, is a 4xx there:
// executors retry every 5xx, whatever the document says (A2T 5.3).
func problemClass(e *tool.Error) wireClass {
	if !e.Retryable && (e.Kind == tool.KindUnavailable || e.Kind == tool.KindTimeout) {
		return kindClasses[tool.KindNoResult]
	}
	return classOf(e)
}

// unknownPath is the error of a request that no route takes.
func unknownPath() *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Code: "unknown_path", Message: "There is nothing at this path. GET / names the doors of this server."}
}

// A subject is the tool that a problem is about; nil where there is none.
type subject struct {
	tool    *servedTool
	version int
}

// appendProblem appends the RFC 9457 document of e (A2T itself defines none).
func appendProblem(b []byte, e *tool.Error, about *subject, callID string) []byte {
	c := problemClass(e)
	b = append(b, `{"type":"/problems/`...)
	b = append(b, c.code...)
	b = append(b, `","title":`...)
	b = value.AppendText(b, c.title)
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(c.status), 10)
	b = append(b, `,"code":"`...)
	b = append(b, c.code...)
	b = append(b, `","retryable":`...)
	b = strconv.AppendBool(b, e.Retryable)
	if detail := problemDetail(e, about); detail != "" {
		b = append(b, `,"detail":`...)
		b = value.AppendText(b, detail)
	}
	if e.Kind == tool.KindInternal && callID != "" {
		b = append(b, `,"instance":"urn:uuid:`...)
		b = append(b, callID...)
		b = append(b, '"')
	}
	if e.Code != "" && e.Code != c.code {
		b = append(b, `,"reason":`...)
		b = value.AppendText(b, e.Code)
	}
	if e.Hint != "" {
		b = append(b, `,"hint":`...)
		b = value.AppendText(b, e.Hint)
	}
	if ms := retryMillis(e); ms > 0 {
		b = append(b, `,"retry_after_ms":`...)
		b = strconv.AppendInt(b, ms, 10)
	}
	if len(e.EffectsDone) > 0 {
		b = append(b, `,"effects_done":`...)
		b = appendTexts(b, e.EffectsDone)
	}
	if about != nil {
		b = append(b, `,"toolId":`...)
		b = value.AppendText(b, about.tool.ID)
		b = append(b, `,"version":`...)
		b = strconv.AppendInt(b, int64(about.version), 10)
	}
	if len(e.Issues) > 0 {
		b = appendIssues(append(b, `,"errors":`...), e.Issues)
	}
	return append(b, '}')
}

func problemDetail(e *tool.Error, about *subject) string {
	if e.Kind != tool.KindInvalidInput || e.Message != "" || about == nil {
		return e.Sentence()
	}
	n, noun := len(e.Issues), " input parameters are not valid for "
	if n == 1 {
		noun = " input parameter is not valid for "
	}
	return strconv.Itoa(n) + noun + about.tool.Name + " version " + strconv.Itoa(about.version) + "."
}

func appendIssues(b []byte, issues []tool.Issue) []byte {
	b = append(b, '[')
	for i := range issues {
		if i > 0 {
			b = append(b, ',')
		}
		issue := &issues[i]
		b = append(b, `{"parameter":`...)
		b = value.AppendText(b, issue.Param)
		if issue.ID != "" {
			b = append(b, `,"id":`...)
			b = value.AppendText(b, issue.ID)
		}
		b = append(b, `,"code":`...)
		b = value.AppendText(b, issue.Code)
		b = append(b, `,"detail":`...)
		b = value.AppendText(b, issue.Detail)
		if issue.Allowed != nil {
			b = append(b, `,"allowed":`...)
			b = appendTexts(b, issue.Allowed)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// retryMillis rounds up: a caller that comes back too early is refused again.
func retryMillis(e *tool.Error) int64 {
	if e.RetryAfter <= 0 {
		return 0
	}
	return int64((e.RetryAfter + time.Millisecond - 1) / time.Millisecond)
}

// retrySeconds is the Retry-After header of e, "" for none. 429 and 503 always
// have one, so that executors do not come back at once.
func retrySeconds(e *tool.Error) string {
	if e.RetryAfter > 0 {
		return strconv.FormatInt(int64(math.Ceil(e.RetryAfter.Seconds())), 10)
	}
	if e.Kind == tool.KindRateLimited || e.Kind == tool.KindUnavailable && e.Retryable {
		return "1"
	}
	return ""
}

func appendTexts(b []byte, texts []string) []byte {
	b = append(b, '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = value.AppendText(b, text)
	}
	return append(b, ']')
}

// Problem returns an error as the document that A2T answers with (RFC 9457), in
// compact JSON.
func Problem(e *tool.Error) []byte { return appendProblem(nil, e, nil, "") }
