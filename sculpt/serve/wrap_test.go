package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestWrapped: what Run, Stdio and InvokeHandler take from a handler they take
// through middleware too, and requests pass the middleware.
func TestWrapped(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	for i := range set.Tools {
		set.Tools[i].Deadline = 60 * time.Second
		set.Tools[i].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
			until, _ := ctx.Deadline()
			return tool.Result{{Name: "report_id", JSON: fmt.Appendf(nil, "%q", time.Until(until).Round(time.Minute))}}, nil
		}
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet), serve.WithLimits(serve.Limits{Concurrent: 3}))
	if err != nil {
		t.Fatal(err)
	}
	var passed []string
	traced := serve.Wrap(h, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			passed = append(passed, r.URL.Path)
			next.ServeHTTP(w, r)
		})
	})
	twice := serve.Wrap(traced, func(next http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/", next)
		mux.HandleFunc("GET /own", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		return mux
	})
	addr, stop := start(t, twice, serve.RunOptions{DrainDelay: -1, Limits: serve.Limits{Concurrent: 5}})
	resp, err := http.Post("http://"+addr+"/a2t"+reportPath+":invoke", "application/json", strings.NewReader(invocation("place", "Omaha")))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 200 || !strings.Contains(string(text), `"1m0s"`) || len(passed) != 1 {
		t.Errorf("%d %s, passed %q", resp.StatusCode, text, passed)
	}
	if resp, err = http.Get("http://" + addr + "/own"); err != nil || resp.StatusCode != http.StatusTeapot {
		t.Errorf("a route of the middleware: %v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	result, err := serve.InvokeHandler(context.Background(), twice, "report_storm", tool.Args{"place": "Omaha"})
	if err != nil || string(result[0].JSON) != `"1m0s"` {
		t.Errorf("%s, %v", result, err)
	}
	var out bytes.Buffer
	if err := serve.Stdio(context.Background(), twice, nil, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), &out); err != nil || !strings.Contains(out.String(), `"id":1`) {
		t.Errorf("%s, %v", &out, err)
	}
}

// TestSlowToolInMiddleware: an answer that takes longer than the default time for
// writing arrives, because Run sees the deadline of the tool through middleware.
func TestSlowToolInMiddleware(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	for i := range set.Tools {
		set.Tools[i].Deadline = time.Minute
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	var until time.Time
	wrapped := serve.Wrap(h, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	})
	server := serve.Wrap(wrapped, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			until = time.Now().Add(r.Context().Value(http.ServerContextKey).(*http.Server).WriteTimeout)
			next.ServeHTTP(w, r)
		})
	})
	addr, _ := start(t, server, serve.RunOptions{DrainDelay: -1})
	resp, err := http.Get("http://" + addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if left := time.Until(until); left < 50*time.Second {
		t.Errorf("an answer may take %v", left)
	}
}

// TestInterceptors see each call that runs, at every door, with its caller; they may
// change what comes of it, and what they refuse had no effect.
func TestInterceptors(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	note := func(name string) serve.Option {
		return serve.WithInterceptor(func(next serve.CallFunc) serve.CallFunc {
			return func(ctx context.Context, call *serve.Call) (tool.Result, error) {
				mu.Lock()
				seen = append(seen, fmt.Sprintf("%s %s@%d %v %s %s", name, call.Tool.Name, call.Version, call.Args["place"], tool.CallerOf(ctx).ID, tool.InvocationOf(ctx).Protocol))
				mu.Unlock()
				switch call.Args["place"] {
				case "nowhere":
					return nil, &tool.Error{Kind: tool.KindForbidden, Code: "not_there", Message: "Not there."}
				case "broken":
					return nil, errors.New("a secret of the vendor")
				case "panic":
					panic("a secret of the vendor")
				}
				return next(ctx, call)
			}
		})
	}
	auth := serve.StaticKeys("X-API-Key", map[string]tool.Principal{"a": {ID: "ann"}})
	h, w := newServer(t, note("outer"), note("inner"), serve.WithAuthenticator(auth))
	report := func(place string) wireCase {
		return wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", place)}
	}
	for _, c := range []struct {
		place  string
		status int
		facts  string
		seen   []string
	}{
		{"Omaha", 200, `output_parameters.0.value="R-1"`, []string{"outer report_storm@1 Omaha ann a2t", "inner report_storm@1 Omaha ann a2t"}},
		{"nowhere", 403, `reason="not_there"`, []string{"outer report_storm@1 nowhere ann a2t"}},
		{"broken", 409, `code="outcome_unknown"`, []string{"outer report_storm@1 broken ann a2t"}},
		{"panic", 409, `code="outcome_unknown"`, []string{"outer report_storm@1 panic ann a2t"}},
	} {
		seen = nil
		call := report(c.place)
		call.status, call.facts = c.status, c.facts
		rec := call.send(h, "X-API-Key: a")
		if call.check(t, rec); !slices.Equal(seen, c.seen) || strings.Contains(rec.Body.String(), "secret") {
			t.Errorf("%s: %q, %s", c.place, seen, rec.Body)
		}
	}
	seen = nil
	invalid := report("")
	invalid.body, invalid.status = invocation("plaice", "Omaha"), 422
	invalid.check(t, invalid.send(h, "X-API-Key: a"))
	unknown := report("Omaha")
	unknown.status = 401
	unknown.check(t, unknown.send(h))
	named := report("Omaha")
	named.status = 200
	named.check(t, named.send(h, "X-API-Key: a", "Idempotency-Key: k"))
	named.check(t, named.send(h, "X-API-Key: a", "Idempotency-Key: k"))
	if len(seen) != 2 || w.backend.reports.Load() != 2 {
		t.Errorf("%q, %d reports", seen, w.backend.reports.Load())
	}
	seen = nil
	ctx := tool.WithPrincipal(context.Background(), &tool.Principal{ID: "cli"})
	if _, err := serve.InvokeHandler(ctx, h, "report_storm", tool.Args{"place": "Omaha"}); err != nil {
		t.Error(err)
	}
	line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_storm","arguments":{"place":"Omaha"}}}`
	if err := serve.Stdio(ctx, h, nil, strings.NewReader(line), io.Discard); err != nil {
		t.Error(err)
	}
	otc := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`), status: 200}
	otc.check(t, otc.send(h, "X-API-Key: a"))
	mcp := wireCase{request: "POST /mcp", body: line, status: 200}
	mcp.check(t, mcp.send(h, "X-API-Key: a"))
	want := []string{"outer report_storm@1 Omaha cli cli", "outer report_storm@1 Omaha cli mcp", "outer report_storm@1 Omaha ann otc", "outer report_storm@1 Omaha ann mcp"}
	if got := slices.DeleteFunc(seen, func(s string) bool { return strings.HasPrefix(s, "inner") }); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if _, err := serve.NewHandler(nil, serve.WithInterceptor(nil)); err == nil {
		t.Error("no interceptor is one")
	}
}

// TestBase: below a path of another server every door is where GET says it is.
func TestBase(t *testing.T) {
	w := newWeather(t)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet), serve.WithBase("/tools"), serve.WithRootA2T(),
		serve.WithPrefix(serve.ProtocolNACT, "/old"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/tools", h)
	mux.Handle("/tools/", h)
	for _, c := range []wireCase{
		{request: "GET /tools/", status: 200, facts: `doors.0.at="/tools/a2t/tools" | doors.1.at="/tools/old/tools" | openapi?`},
		{request: "GET /tools/healthz", status: 200}, {request: "GET /healthz", status: 404}, {request: "GET /a2t/tools", status: 404},
		{request: "GET /tools/nact/tools", status: 404},
		{request: "GET /tools/a2t/tools", status: 200}, {request: "GET /tools/tools", status: 200}, {request: "GET /tools/old/tools", status: 200},
		{request: "POST /tools/a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: 200, facts: `output_parameters.0.value="R-1"`},
		{request: "POST /tools/otc/tools/call", body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`), status: 200},
		{request: "POST /tools/mcp", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 200},
	} {
		rec := c.send(mux)
		if c.status == http.StatusNotFound && rec.Code == http.StatusNotFound || c.request == "GET /tools/healthz" && rec.Code == http.StatusOK {
			continue
		}
		c.check(t, rec)
	}
	for _, bad := range []string{"tools", "/tools/", "/to ols", "//tools", "/tools?x"} {
		if _, err := serve.NewHandler(nil, serve.WithBase(bad)); err == nil || !strings.Contains(err.Error(), "WithBase") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/toolsets", http.NoBody))
	if rec.Code != http.StatusNotFound {
		t.Errorf("a path that begins alike: %d", rec.Code)
	}
}
