package serve

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A protocol parts what one wire protocol does from the plumbing that all
// share: routing below a prefix, the shape of requests, answers and errors.
// Authentication, limits, media types, the call itself and its log are not
// its business.
type protocol interface {
	// word is the name of the protocol in logs.
	word() Protocol
	// route finds the endpoint of an escaped path below the prefix, nil for
	// none, and puts path values into x.
	route(x *exchange, path string) *endpoint
	// fail answers with an error in the protocol's own shape.
	fail(x *exchange, e *tool.Error)
}

// An endpoint is one route: what GET (and HEAD) and POST do. A nil function
// means that the method is not allowed.
type endpoint struct {
	get, post func(x *exchange)
	// allow is the Allow header.
	allow []string
	// open endpoints need no credentials, not even on a closed server.
	open bool
}

var (
	allowGet  = []string{"GET, HEAD, OPTIONS"}
	allowPost = []string{"POST, OPTIONS"}
)

// An exchange is one request on its way through.
type exchange struct {
	s         *Handler
	p         protocol
	w         http.ResponseWriter
	r         *http.Request
	principal *tool.Principal
	start     time.Time
	// id and version are path values (A2T).
	id, version string
	// schema is the $schema to echo (OTC).
	schema string
	// body is the request body of a POST; it is reused after the exchange.
	body []byte
	// length is the value of Content-Length.
	length [1]string
	// call says that a tool is to be called; wrote that the answer has begun.
	call, wrote bool
}

// serve takes the request through the steps that all protocols share. The
// order matters: what a caller learns about tools comes after authentication.
func (x *exchange) serve(path string) {
	e := x.p.route(x, path)
	if e == nil {
		x.fail(unknownPath())
		return
	}
	run := e.get
	switch x.r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodPost:
		run = e.post
		x.call = run != nil
	case http.MethodOptions:
		x.w.Header()["Allow"] = e.allow
		x.w.WriteHeader(http.StatusNoContent)
		return
	default:
		run = nil
	}
	if run == nil {
		x.w.Header()["Allow"] = e.allow
		x.fail(&tool.Error{Kind: tool.KindBadRequest, Code: "method_not_allowed", Message: "This path answers " + e.allow[0] + "."})
		return
	}
	if !e.open && (x.call || !x.s.publicDiscovery) {
		p, err := x.s.principal(x.r)
		if err != nil {
			x.fail(err)
			return
		}
		x.principal = p
	}
	if !e.open && !acceptsJSON(x.r.Header["Accept"]) {
		x.fail(&tool.Error{Kind: tool.KindBadRequest, Code: "not_acceptable", Message: "Answers are application/json."})
		return
	}
	if !x.call {
		run(x)
		return
	}
	buffer := bodies.Get().(*[]byte)
	defer bodies.Put(buffer)
	if err := x.readBody(buffer); err != nil {
		x.fail(err)
		return
	}
	run(x)
}

// fail answers with e and, where a call was wanted, writes its log record.
func (x *exchange) fail(e *tool.Error) {
	x.failHeaders(e)
	if x.call {
		x.s.logRefusal(x.r.Context(), x.p.word(), x.principal, x.start, e)
	}
	x.p.fail(x, e)
}

// failHeaders sets what an error says in headers, in every protocol.
func (x *exchange) failHeaders(e *tool.Error) {
	if e.Kind == tool.KindUnauthorized {
		x.w.Header().Set("WWW-Authenticate", x.s.challenge())
	}
	if seconds := retrySeconds(e); seconds != "" {
		x.w.Header().Set("Retry-After", seconds)
	}
}

// bodies holds request and answer buffers; those of requests are kept up to
// keptBody.
var bodies = sync.Pool{New: func() any { b := make([]byte, 0, freeBody); return &b }}

const keptBody = 64 << 10

// readBody reads the body into the buffer, within the limit.
func (x *exchange) readBody(buffer *[]byte) *tool.Error {
	if !sendsJSON(x.r.Header) {
		return &tool.Error{Kind: tool.KindBadRequest, Code: "unsupported_media_type",
			Message: "The body must be application/json in UTF-8, without content encoding."}
	}
	limit := x.s.limits.Body
	if x.r.ContentLength > limit {
		return tooLarge(limit)
	}
	owner := x.principal.ID
	if owner == "" {
		owner = anonymous(addressOf(x.r.RemoteAddr))
	}
	reader := bodyReader{room: &x.s.bodies, owner: owner, limit: int(limit), most: x.s.limits.Bodies}
	b, fault := reader.read(x.r.Body, (*buffer)[:0:min(cap(*buffer), freeBody)])
	if cap(b) <= keptBody {
		*buffer = b
	}
	x.body = b
	return fault
}

func tooLarge(limit int64) *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Code: "payload_too_large",
		Message: "The body is longer than " + strconv.FormatInt(limit, 10) + " bytes."}
}
