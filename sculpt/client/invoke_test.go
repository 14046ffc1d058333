package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A stub answers every request in one way and counts them.
type stub struct {
	status int
	header string
	body   string
	fail   error
	sent   []*http.Request
	bodies []string
}

func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	s.sent, s.bodies = append(s.sent, r), append(s.bodies, string(body))
	if s.fail != nil {
		return nil, s.fail
	}
	h := http.Header{"Content-Type": {"application/json"}}
	if name, value, ok := strings.Cut(s.header, ": "); ok {
		h.Set(name, value)
	}
	return &http.Response{StatusCode: s.status, Header: h, Body: io.NopCloser(strings.NewReader(s.body)), Request: r}, nil
}

func (s *stub) server(t *testing.T, p Protocol, options ...Option) *Server {
	t.Helper()
	server, err := New(p, "https://tools.example/root", append(options, WithHTTPClient(&http.Client{Transport: s}))...)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// aTool has one input, which the server says to be read-only or says nothing of.
func aTool(readOnly bool) *Tool {
	t := &Tool{ID: "Kit.Look", Name: "look", Version: 2, Inputs: []Input{{Param: tool.Param{ID: "a", Name: "a", Type: tool.TypeString}}}, Document: []byte(`{}`)}
	if readOnly {
		t.Effects = &tool.Effects{ReadOnly: true}
	}
	return t
}

// TestStatuses: what each answer of a server becomes, and how often the call is
// sent: of a tool that is said to be read-only, and of one that may do anything
// (A2T 5.3, OTC 1.0). The waits are as long as the server says.
func TestStatuses(t *testing.T) {
	failed := func(members string) string {
		return `{"result":{"call_id":"c","success":false,"error":{"message":"It failed."` + members + `}}}`
	}
	dial := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	for _, c := range []struct {
		name            string
		protocol        Protocol
		stub            stub
		kind            tool.Kind
		reading, effect int
		waited          time.Duration
	}{
		{"a problem that passes", ProtocolA2T, stub{status: 503, body: `{"code":"backend_unavailable","retryable":true,"retry_after_ms":1500}`}, tool.KindUnavailable, 3, 3, 3 * time.Second},
		{"a problem that stays", ProtocolA2T, stub{status: 503, body: `{"code":"backend_unavailable","retryable":false}`}, tool.KindUnavailable, 1, 1, 0},
		{"503 that says no more", ProtocolNACT, stub{status: 503, header: "Retry-After: 2", body: `<html>`}, tool.KindUnavailable, 3, 1, 4 * time.Second},
		{"500", ProtocolA2T, stub{status: 500, body: `{}`}, tool.KindInternal, 3, 1, 600 * time.Millisecond},
		{"502", ProtocolA2T, stub{status: 502, body: `bad gateway`}, tool.KindBadBackend, 3, 1, 600 * time.Millisecond},
		{"504", ProtocolA2T, stub{status: 504, body: `{}`}, tool.KindTimeout, 3, 1, 600 * time.Millisecond},
		{"507", ProtocolA2T, stub{status: 507, body: `{}`}, tool.KindUnavailable, 3, 1, 600 * time.Millisecond},
		{"429", ProtocolA2T, stub{status: 429, header: "Retry-After: 90", body: `{}`}, tool.KindRateLimited, 3, 1, 60 * time.Second},
		{"429 of ours", ProtocolA2T, stub{status: 429, body: `{"code":"rate_limited","retryable":true}`}, tool.KindRateLimited, 3, 3, 600 * time.Millisecond},
		{"an unknown outcome", ProtocolA2T, stub{status: 409, body: `{"code":"outcome_unknown","retryable":false}`}, tool.KindUnknownOutcome, 1, 1, 0},
		{"409", ProtocolA2T, stub{status: 409, body: `{}`}, tool.KindUnknownOutcome, 1, 1, 0},
		{"400", ProtocolA2T, stub{status: 400, body: `{"code":"malformed_request"}`}, tool.KindBadRequest, 1, 1, 0},
		{"401", ProtocolA2T, stub{status: 401, body: ``}, tool.KindUnauthorized, 1, 1, 0},
		{"403", ProtocolA2T, stub{status: 403, body: `{}`}, tool.KindForbidden, 1, 1, 0},
		{"404", ProtocolA2T, stub{status: 404, body: `{"code":"unknown_version"}`}, tool.KindUnknownVersion, 1, 1, 0},
		{"410", ProtocolA2T, stub{status: 410, body: `{"code":"unknown_tool"}`}, tool.KindUnknownTool, 1, 1, 0},
		{"422 of values", ProtocolA2T, stub{status: 422, body: `{"errors":[{"parameter":"a","code":"length"}]}`}, tool.KindInvalidInput, 1, 1, 0},
		{"422 of the backend", ProtocolA2T, stub{status: 422, body: `{"detail":"No such city."}`}, tool.KindRejected, 1, 1, 0},
		{"422 of ours", ProtocolA2T, stub{status: 422, body: `{"code":"no_result"}`}, tool.KindNoResult, 1, 1, 0},
		{"a redirect of a call", ProtocolA2T, stub{status: 307, header: "Location: https://tools.example/other", body: `{}`}, tool.KindBadRequest, 1, 1, 0},
		{"200 without outputs", ProtocolA2T, stub{status: 200, body: `{}`}, tool.KindBadBackend, 1, 1, 0},
		{"200 that is no JSON", ProtocolA2T, stub{status: 200, body: `{"output_parameters":[`}, tool.KindBadBackend, 1, 1, 0},
		{"200 of a proxy", ProtocolA2T, stub{status: 200, header: "Content-Type: text/html", body: `<html>`}, tool.KindBadBackend, 1, 1, 0},
		{"nobody there", ProtocolA2T, stub{fail: dial}, tool.KindUnavailable, 3, 3, 600 * time.Millisecond},
		{"cut off", ProtocolA2T, stub{fail: io.ErrUnexpectedEOF}, tool.KindUnavailable, 3, 1, 600 * time.Millisecond},

		{"it may be tried again", ProtocolOTC, stub{status: 200, body: failed(`,"can_retry":true,"retry_after_ms":700`)}, tool.KindUnavailable, 3, 3, 1400 * time.Millisecond},
		{"it may be tried again, at any time", ProtocolOXP, stub{status: 200, body: failed(`,"can_retry":true`)}, tool.KindUnavailable, 3, 3, 600 * time.Millisecond},
		{"it may be tried with other inputs", ProtocolOTC, stub{status: 200, body: failed(`,"can_retry":true,"additional_prompt_content":"Add the state."`)}, tool.KindRejected, 1, 1, 0},
		{"it may not be tried again", ProtocolOTC, stub{status: 200, body: failed(`,"can_retry":false`)}, tool.KindRejected, 1, 1, 0},
		{"it does not say why", ProtocolOTC, stub{status: 200, body: `{"result":{"success":false}}`}, tool.KindRejected, 1, 1, 0},
		{"it does not say whether", ProtocolOTC, stub{status: 200, body: `{"result":{}}`}, tool.KindBadBackend, 1, 1, 0},
		{"OTC 400", ProtocolOTC, stub{status: 400, body: `{"message":"No such tool."}`}, tool.KindBadRequest, 1, 1, 0},
		{"OTC 401", ProtocolOTC, stub{status: 401, body: `{"message":"Who?"}`}, tool.KindUnauthorized, 1, 1, 0},
		{"OTC 422", ProtocolOTC, stub{status: 422, body: `{"message":"Wrong.","parameter_errors":{"a":"Too long."}}`}, tool.KindInvalidInput, 1, 1, 0},
		{"OTC 503", ProtocolOTC, stub{status: 503, body: ``}, tool.KindUnavailable, 3, 1, 600 * time.Millisecond},
		{"what is missing", ProtocolOTC, stub{status: 400, body: `{"message":"More.","missing_requirements":{"user_id":true,"secrets":[{"id":"s"}],"authorization":[{"id":"hub","url":"https://hub.example/go"}]}}`}, tool.KindForbidden, 1, 1, 0},
	} {
		for _, readOnly := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%t", c.name, readOnly), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, start := c.stub, time.Now()
					_, err := s.server(t, c.protocol).Invoke(t.Context(), aTool(readOnly), Call{Arguments: map[string]any{"a": "x"}})
					want, kind := c.effect, c.kind
					if readOnly {
						want = c.reading
					} else if c.effect < c.reading && c.stub.status != http.StatusTooManyRequests {
						kind = tool.KindUnknownOutcome // it may have happened
					}
					e, ok := errors.AsType[*Error](err)
					if !ok || e.Fault.Kind != kind || len(s.sent) != want || e.Attempts != want || e.Local {
						t.Fatalf("%v of kind %v, sent %d times; want kind %v and %d times", err, tool.KindOf(err), len(s.sent), kind, want)
					}
					if waited := time.Since(start); want > 1 && waited != c.waited || want == 1 && waited != 0 {
						t.Errorf("waited %v, want %v", waited, c.waited)
					}
					for _, body := range s.bodies[1:] {
						if body != s.bodies[0] || s.sent[0].Header.Get("Idempotency-Key") != s.sent[len(s.sent)-1].Header.Get("Idempotency-Key") {
							t.Error("the call is another one the second time")
						}
					}
					if m := e.Missing; (m != nil) != (c.name == "what is missing") || m != nil && (!m.UserID || m.Secrets[0] != "s" || m.Authorizations["hub"] != "https://hub.example/go") {
						t.Errorf("missing: %+v", m)
					}
				})
			})
		}
	}
}

// TestDeadline: nothing waits beyond the deadline of the caller, and nothing is
// repeated after it.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stub{status: 503, header: "Retry-After: 5", body: `{"code":"backend_unavailable","retryable":true}`}
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		start := time.Now()
		_, err := s.server(t, ProtocolA2T).Invoke(ctx, aTool(true), Call{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Attempts != 2 || time.Since(start) != 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if _, err := s.server(t, ProtocolA2T, WithAttempts(1)).Invoke(ctx, aTool(true), Call{}); len(s.sent) != 3 || err == nil {
			t.Errorf("sent %d times: %v", len(s.sent), err)
		}
	})
}

// TestTimeout: a call that is given up has an unknown outcome unless the tool only
// reads; one that was never sent has none.
func TestTimeout(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			hang := roundTripper(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})
			server, err := New(ProtocolA2T, "https://tools.example", WithHTTPClient(&http.Client{Transport: hang}))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			want := map[bool]tool.Kind{true: tool.KindTimeout, false: tool.KindUnknownOutcome}[readOnly]
			if _, err := server.Invoke(ctx, aTool(readOnly), Call{}); tool.KindOf(err) != want {
				t.Errorf("read-only %t: %v, want %v", readOnly, err, want)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestRequests: what goes over the wire.
func TestRequests(t *testing.T) {
	call := Call{Arguments: map[string]any{"a": "<é>"}, Key: "k-1", Traceparent: "00-1", Caller: Caller{UserID: "u", Secrets: map[string]string{"s": "1"}, Tokens: map[string]string{"hub": "t"}}}
	for p, want := range map[Protocol]string{
		ProtocolA2T: `POST /root/tools/Kit.Look/versions/2:invoke k-1 {"name":"look","input_parameters":[{"name":"a","value":"\u003cé\u003e"}]}`,
		ProtocolOTC: `POST /root/tools/call  {"$schema":"otc://1.0","request":{"call_id":"k-1","tool_id":"Kit.Look@2","input":{"a":"\u003cé\u003e"},"context":{"authorization":[{"id":"hub","token":"t"}],"secrets":[{"id":"s","value":"1"}],"user_id":"u"}}}`,
	} {
		s := &stub{status: 200, body: `{"output_parameters":[{"name":"o","value":null},{"name":"p","value":{"q":1}}],"success":true,"value":{"o":null,"p":{"q":1}}}`}
		r, err := s.server(t, p, WithBearer("secret")).Invoke(t.Context(), aTool(false), call)
		if err != nil || string(r.Document()) != `{"o":null,"p":{"q":1}}` || r.JSON("o") != nil || string(r.JSON("p")) != `{"q":1}` {
			t.Errorf("%s: %+v %v", p, r, err)
		}
		q := s.sent[0]
		if got := q.Method + " " + q.URL.Path + " " + q.Header.Get("Idempotency-Key") + " " + s.bodies[0]; got != want {
			t.Errorf("%s\n%s\n%s", p, got, want)
		}
		if q.Header.Get("Authorization") != "Bearer secret" || q.Header.Get("Content-Type") != "application/json" || q.Header.Get("Traceparent") != "00-1" {
			t.Errorf("%s: %v", p, q.Header)
		}
	}
}

// TestHostileServers: what a server does to a reader ends, and goes nowhere else.
func TestHostileServers(t *testing.T) {
	page := `{"items":[],"paging":{"pageLimit":1,"next":"again"}}`
	for name, s := range map[string]*stub{
		"a circle of pages":   {status: 200, body: page},
		"too much":            {status: 200, body: `{"items":[` + strings.Repeat(" ", 1<<20) + `]}`},
		"another host":        {status: 302, header: "Location: https://evil.example/tools", body: ""},
		"plain text":          {status: 302, header: "Location: http://tools.example/tools", body: ""},
		"another type":        {status: 200, body: `{"items":{"a":1}}`},
		"a list in a list":    {status: 200, body: strings.Repeat("[", 100_000)},
		"304 that was no ask": {status: 304, body: ""},
	} {
		tools, err := s.server(t, ProtocolA2T, WithLimit(1<<20), WithBearer("secret")).Tools(t.Context())
		if _, ok := errors.AsType[*Error](err); !ok || tools != nil {
			t.Errorf("%s: %v %v", name, tools, err)
		}
		for _, q := range s.sent {
			if q.URL.Host != "tools.example" || q.URL.Scheme != "https" {
				t.Errorf("%s: asked %s", name, q.URL)
			}
		}
	}
}

// TestBrokenTools: one bad description does not hide the others, and cannot be
// called.
func TestBrokenTools(t *testing.T) {
	s := &stub{status: 200, body: `{"items":[{"toolId":"1","name":"bad","version":0},{"toolId":"2","name":"good","version":1,"tags":["x"]},7]}`}
	server := s.server(t, ProtocolA2T)
	tools, err := server.Tools(t.Context())
	if err != nil || len(tools) != 3 || tools[0].Name != "bad" || tools[0].Broken == nil || tools[1].Broken != nil || tools[2].Broken == nil {
		t.Fatalf("%v %v", tools, err)
	}
	if _, err := server.Invoke(t.Context(), tools[0], Call{}); tool.KindOf(err) != tool.KindBadBackend || len(s.sent) != 1 {
		t.Errorf("%v", err)
	}
	if tools, err := server.Tools(t.Context(), "x"); err != nil || len(tools) != 1 || tools[0].Name != "good" {
		t.Errorf("%v %v", tools, err)
	}
}

// TestFresh: a tool that is read again is asked for with its ETag (A2T 5.2).
func TestFresh(t *testing.T) {
	s := &stub{status: 200, header: `ETag: "e1"`, body: `{"toolId":"1","name":"n","version":3}`}
	server := s.server(t, ProtocolA2T)
	first, err := server.Tool(t.Context(), "1")
	if err != nil || first.Version != 3 {
		t.Fatal(first, err)
	}
	s.status, s.body = 304, ""
	again, err := server.Tool(t.Context(), "1")
	if err != nil || again.Version != 3 || s.sent[1].Header.Get("If-None-Match") != `"e1"` || s.sent[0].Header.Get("If-None-Match") != "" {
		t.Errorf("%v %v", again, err)
	}
	s.status, s.body = 200, `{"toolId":"2","name":"n","version":3}`
	if _, err := server.Tool(t.Context(), "1"); tool.KindOf(err) != tool.KindBadBackend {
		t.Errorf("the signature of another tool: %v", err)
	}
}

// TestNew refuses what is not the address of a server.
func TestNew(t *testing.T) {
	for _, address := range []string{"", "tools.example", "ftp://tools.example", "https://u:p@tools.example", "https://tools.example?x=1", "https://tools.example#f", "https://"} {
		if _, err := New(ProtocolA2T, address); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
	if _, err := New("soap", "https://tools.example"); err == nil {
		t.Error("soap is a protocol")
	}
	if _, err := New(ProtocolMCP, "https://tools.example/mcp?pins=look@2"); err != nil {
		t.Error(err)
	}
}

// TestNumbers: an argument is what it is as JSON, whatever Go type holds it.
func TestNumbers(t *testing.T) {
	counting := &Tool{Name: "n", Inputs: []Input{{Param: tool.Param{ID: "n", Name: "n", Type: tool.TypeInt, Min: 0, Max: 9}}}}
	for _, v := range []any{3, int32(3), uint8(3), int64(3), 3.0, json.Number("3"), json.RawMessage("3"), json.RawMessage(" 3 ")} {
		if err := counting.Validate(map[string]any{"n": v}); err != nil {
			t.Errorf("%T: %v", v, err)
		}
	}
	for _, v := range []any{3.5, "3", json.Number("3.0"), json.RawMessage("1e0"), true, []int{3}, map[string]int{}, struct{}{}, 30, make(chan int), math.NaN()} {
		if err := counting.Validate(map[string]any{"n": v}); err == nil {
			t.Errorf("%T %v is valid", v, v)
		}
	}
}

// TestFreshIsBounded: what is kept for its ETag is bounded in bytes, and still right.
func TestFreshIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := &stub{status: 200, header: `ETag: "e1"`}
	server := s.server(t, ProtocolA2T)
	for i := range 3 * mostKeptBytes >> 20 {
		s.body = fmt.Sprintf(`{"toolId":"%d","name":"n","version":1,"description":%q}`, i, long)
		if _, err := server.Tool(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	size := 0
	for _, k := range server.fresh {
		size += len(k.body)
	}
	if size > mostKeptBytes || size < mostKeptBytes/2 {
		t.Errorf("%d bytes are kept", size)
	}
}
