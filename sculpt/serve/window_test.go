package serve_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestNobodyEmptiesTheWindow: however many keys one caller uses, a payment of
// another that is repeated is not made again.
func TestNobodyEmptiesTheWindow(t *testing.T) {
	w := newWeather(t)
	auth := serve.StaticKeys("X-API-Key", map[string]tool.Principal{"a": {ID: "ann"}, "b": {ID: "bob"}})
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet), serve.WithAuthenticator(auth),
		serve.WithLimits(serve.Limits{Replay: 8192, ReplayPerPrincipal: 2048}))
	if err != nil {
		t.Fatal(err)
	}
	call := wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: 200, facts: `output_parameters.0.value="R-1"`}
	call.check(t, call.send(h, "X-API-Key: a", "Idempotency-Key: pay"))
	refused := int64(0)
	for i := range 8800 {
		rec := call.send(h, "X-API-Key: b", fmt.Sprint("Idempotency-Key: ", i))
		if rec.Code == 429 {
			full := wireCase{status: 429, facts: `reason="replay_window_full" | retryable=true`}
			if full.check(t, rec); rec.Header().Get("Retry-After") == "" {
				t.Fatal("nobody says when to come back")
			}
			refused++
		}
	}
	if made := w.backend.reports.Load(); made != 1+8800-refused || refused == 0 {
		t.Errorf("%d reports were made, %d calls refused", made, refused)
	}
	call.check(t, call.send(h, "X-API-Key: a", "Idempotency-Key: pay"))
	own := wireCase{request: call.request, body: call.body, status: 200, facts: `output_parameters.0.value="R-2"`}
	own.check(t, own.send(h, "X-API-Key: b", "Idempotency-Key: 0"))
}

// TestFullWindowAtEveryDoor: the same words say that there is no room, and nothing
// is sent.
func TestFullWindowAtEveryDoor(t *testing.T) {
	h, w := newServer(t, serve.WithLimits(serve.Limits{Replay: 1, ReplayPerPrincipal: 1}))
	first := wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: 200}
	first.check(t, first.send(h, "Idempotency-Key: first"))
	mcp := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_storm","arguments":{"place":"Omaha"}}}`
	for _, c := range []wireCase{
		{request: first.request, body: first.body, status: 429, facts: `reason="replay_window_full" | retryable=true | code="rate_limited"`},
		{request: "POST /nact" + reportPath + ":invoke", body: first.body, status: 429, facts: `reason="replay_window_full" | retryable=true`},
		{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`, `"call_id":"second"`), status: 400, facts: `code="replay_window_full"`},
		{request: "POST /mcp", body: mcp, status: 200, facts: `result.isError=true`},
	} {
		rec := c.send(h, "Idempotency-Key: second")
		c.check(t, rec)
		if text := rec.Body.String(); !strings.Contains(text, "Nothing was done") || rec.Header().Get("Retry-After") == "" && c.request != "POST /mcp" ||
			!strings.Contains(text, "retry_after_ms") && c.request != "POST /mcp" {
			t.Errorf("%s: %s %v", c.request, text, rec.Header())
		}
	}
	if n := w.backend.reports.Load(); n != 1 {
		t.Errorf("%d reports", n)
	}
}

// TestKeyOfAnMCPCall: a call is named by a header or in _meta, not by both.
func TestKeyOfAnMCPCall(t *testing.T) {
	h, w := newServer(t)
	for i, c := range []struct {
		meta, header string
		reports      int64
		facts        string
	}{
		{`"a"`, "", 1, `result.structuredContent.report_id="R-1"`},
		{`"a"`, "", 1, `result.structuredContent.report_id="R-1"`},
		{`"a"`, "a", 1, `result.structuredContent.report_id="R-1"`},
		{`""`, "a", 1, `result.structuredContent.report_id="R-1"`},
		{`"b"`, "a", 1, `error.code=-32020`},
		{`7`, "", 1, `error.code=-32602`},
		{`"` + strings.Repeat("k", 256) + `"`, "", 1, `error.code=-32602`},
		{`"b"`, "", 2, `result.structuredContent.report_id="R-2"`},
	} {
		call := wireCase{request: "POST /mcp", status: 200, facts: c.facts,
			body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_storm","arguments":{"place":"Omaha"},"_meta":{"io.github.sculpt-tools/idempotencyKey":` + c.meta + `}}}`}
		var headers []string
		if c.header != "" {
			headers = []string{"Idempotency-Key: " + c.header}
		}
		rec := call.send(h, headers...)
		if strings.HasPrefix(c.facts, "error") {
			call.status = rec.Code
		}
		if call.check(t, rec); w.backend.reports.Load() != c.reports {
			t.Errorf("%d: %d reports, want %d", i, w.backend.reports.Load(), c.reports)
		}
	}
}

// TestEndUsersBehindOneKey use the same words for their calls. Where they are not
// named, the first one's effect is locked, and its answer is for the same
// credentials only.
func TestEndUsersBehindOneKey(t *testing.T) {
	auth := serve.StaticKeys("X-API-Key", map[string]tool.Principal{"a": {ID: "app"}})
	h, w := newServer(t, serve.WithAuthenticator(auth))
	const made, refused = `result.value.report_id="R-%d"`, `code="idempotency_key_reused"`
	for _, c := range []struct {
		context string
		report  int // 0: refused
	}{
		{`{"user_id":"ann"}`, 1}, {`{"user_id":"bob"}`, 2}, {`{}`, 3},
		{`{"authorization":[{"id":"bank","token":"1"}]}`, 0}, {`{"secrets":[{"id":"pin","value":"1"}]}`, 0},
		// A user whose token was renewed is the same user.
		{`{"user_id":"ann","authorization":[{"id":"bank","token":"3"}]}`, 1},
	} {
		call := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`, `"call_id":"c1"`, `"context":`+c.context), status: 409, facts: refused}
		if c.report > 0 {
			call.status, call.facts = 200, fmt.Sprintf(made, c.report)
		}
		for range 2 {
			call.check(t, call.send(h, "X-API-Key: a"))
		}
	}
	if n := w.backend.reports.Load(); n != 3 {
		t.Errorf("%d reports", n)
	}
}

// TestUUIDTellsEndUsersApart: a backend that takes the UUID for its own
// idempotency key must not take the call of one user for that of another.
func TestUUIDTellsEndUsersApart(t *testing.T) {
	seen := map[string]tool.Principal{}
	for _, p := range []tool.Principal{{ID: "app"}, {ID: "app", UserID: "ann"}, {ID: "app", UserID: "bob"}, {ID: "appann"}} {
		ctx := tool.WithPrincipal(context.Background(), &p)
		id := tool.UUID(tool.WithInvocation(ctx, &tool.Invocation{IdempotencyKey: "k", Tool: "pay"}), "order")
		if other, taken := seen[id]; taken {
			t.Errorf("%v and %v have the same", other, p)
		}
		seen[id] = p
	}
}

// TestInvokeOnce: a key counts in process too.
func TestInvokeOnce(t *testing.T) {
	var made atomic.Int64
	set := newWeather(t).toolset()
	set.Window = new(tool.Window)
	for i := range set.Tools {
		set.Tools[i].Call = func(context.Context, tool.Args) (tool.Result, error) {
			return tool.Result{{Name: "report_id", JSON: fmt.Appendf(nil, `"R-%d"`, made.Add(1))}}, nil
		}
	}
	as := func(id, key string) context.Context {
		return tool.WithInvocation(tool.WithPrincipal(context.Background(), &tool.Principal{ID: id}), &tool.Invocation{IdempotencyKey: key})
	}
	for i, c := range []struct {
		ctx      context.Context
		place    string
		severity int64
		want     string
	}{
		{as("ann", "k"), "Omaha", 1, `"R-1"`}, {as("ann", "k"), "Omaha", 1, `"R-1"`}, {as("ann", "k"), "Lincoln", 1, "idempotency_key_reused"},
		{as("ann", "k"), "Omaha", 2, "idempotency_key_reused"}, // another number is another call
		{as("bob", "k"), "Omaha", 1, `"R-2"`}, {as("ann", "k2"), "Omaha", 1, `"R-3"`}, {as("ann", ""), "Omaha", 1, `"R-4"`}, {as("ann", ""), "Omaha", 1, `"R-5"`},
	} {
		result, err := serve.Invoke(c.ctx, set, "report_storm", 0, tool.Args{"place": c.place, "severity": c.severity})
		got := ""
		if e := (*tool.Error)(nil); errors.As(err, &e) {
			got = e.Code
		} else {
			got = string(result[0].JSON)
		}
		if got != c.want {
			t.Errorf("%d: got %s, want %s", i, got, c.want)
		}
	}
}
