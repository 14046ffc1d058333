package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

func TestInvoke(t *testing.T) {
	set := newWeather(t).toolset()
	ctx := context.Background()
	got, err := serve.Invoke(ctx, set, "lookup_weather_by_city", 1, tool.Args{"city": "Omaha", "day": nil})
	if err != nil || len(got) != 2 || string(got[0].JSON) != "80" || got[1].Name != "short_forecast" {
		t.Errorf("version 1 gives %v, %v", got, err)
	}
	got, err = serve.Invoke(ctx, set, "lookup_weather_by_city", 0, tool.Args{"city": "Empty"})
	if err != nil || len(got) != 3 || got[2].JSON != nil {
		t.Errorf("the current version gives %v, %v", got, err)
	}
	for _, c := range []struct {
		tool    string
		version int
		args    tool.Args
		kind    tool.Kind
	}{
		{"nothing", 0, nil, tool.KindUnknownTool},
		{"report_storm", 7, nil, tool.KindUnknownVersion},
		{"report_storm", 1, nil, tool.KindInvalidInput},
		{"report_storm", 1, tool.Args{"place": "Omaha", "severity": 3}, tool.KindInvalidInput}, // an int is not an int64
		{"report_storm", 1, tool.Args{"place": "Panicville"}, tool.KindUnknownOutcome},
		{"report_storm", 1, tool.Args{"place": "Lateville"}, tool.KindUnknownOutcome},
		{"lookup_weather_by_city", 0, tool.Args{"city": "Panic"}, tool.KindInternal},
		{"lookup_weather_by_city", 0, tool.Args{"city": "Slow"}, tool.KindTimeout},
		{"lookup_weather_by_city", 0, tool.Args{"city": "Kinds"}, tool.KindBadBackend},
		{"lookup_weather_by_city", 0, tool.Args{"city": "Math"}, tool.KindRejected},
		{"lookup_weather_by_city", 0, tool.Args{"city": "Pick"}, tool.KindNoResult},
		{"read_mailbox", 0, nil, tool.KindForbidden},
	} {
		_, err := serve.Invoke(ctx, set, c.tool, c.version, c.args)
		if tool.KindOf(err) != c.kind || err == nil {
			t.Errorf("%s@%d %v: %v, want %v", c.tool, c.version, c.args, err, c.kind)
		}
	}
	_, err = serve.Invoke(ctx, set, "lookup_weather_by_city", 1, tool.Args{"city": "Pick"})
	var path *value.PathError
	if !errors.As(err, &path) || path.Tool != "lookup_weather_by_city" || path.Version != 1 || path.At != "sculpt.yaml:40:7" {
		t.Errorf("the path error is %+v", path)
	}
}

// TestDefaults: each version has its own defaults, and inputs that only the
// current version has get theirs, because the current chain runs.
func TestDefaults(t *testing.T) {
	set := newWeather(t).toolset()
	paid := &set.Tools[0]
	var seen tool.Args
	paid.Call = func(_ context.Context, args tool.Args) (tool.Result, error) { seen = args; return nil, nil }
	first, second := paid.Versions[0].Inputs, paid.Versions[1].Inputs
	paid.Versions[0].Inputs = []tool.Param{first[0], first[1]}
	paid.Versions[0].Inputs[1].Default = "TODAY"
	paid.Versions[1].Inputs = []tool.Param{second[0], second[1], second[2]}
	paid.Versions[1].Inputs[1].Default = "TOMORROW"
	paid.Versions[1].Inputs[2].Default = int64(24)
	for version, day := range map[int]string{1: "TODAY", 2: "TOMORROW"} {
		given := tool.Args{"city": "x"}
		if _, err := serve.Invoke(context.Background(), set, paid.Name, version, given); err != nil {
			t.Fatal(err)
		}
		if seen.Text("day") != day || seen.Int("hours_ahead") != 24 || len(given) != 1 {
			t.Errorf("version %d runs with %v", version, seen)
		}
	}
}

// TestConcurrencyCaps: what is too much is refused at once, by the limits of the
// server and by those of an api.
func TestConcurrencyCaps(t *testing.T) {
	for busyText, limits := range map[string]serve.Limits{
		"The server is busy. Try again in a moment.":                   {Concurrent: 3, PerAPI: 3, PerPrincipal: 2},
		"The service behind this tool is busy. Try again in a moment.": {PerAPI: 3, PerPrincipal: 2, Waiting: -1},
	} {
		w := newWeather(t)
		w.backend.hold = make(chan struct{})
		h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet), serve.WithAuthenticator(keys()), serve.WithLimits(limits))
		if err != nil {
			t.Fatal(err)
		}
		call := wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: 200}
		results := make(chan *httptest.ResponseRecorder, 3)
		for n, key := range []string{"secret-1", "secret-1", "secret-2"} {
			go func() { results <- call.send(h, "X-API-Key: "+key) }()
			for w.backend.reports.Load() != int64(n+1) {
				time.Sleep(time.Millisecond)
			}
			if n == 1 {
				limited := wireCase{request: call.request, body: call.body, status: 429, facts: `code="rate_limited" | retryable=true | Retry-After: 1`}
				limited.check(t, limited.send(h, "X-API-Key: secret-1"))
			}
		}
		busy := wireCase{request: call.request, body: call.body, status: 503, facts: `code="backend_unavailable" | retryable=true | Retry-After: 1`}
		busy.check(t, busy.send(h, "X-API-Key: secret-2"))
		otc := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`), status: 400, facts: `message="` + busyText + `"`}
		if limits.Waiting < 0 {
			otc.status = 200 // the tool has begun
			otc.facts = `result.error.message="` + busyText + `"`
		}
		otc.check(t, otc.send(h, "X-API-Key: secret-2"))
		close(w.backend.hold)
		for range 3 {
			call.check(t, <-results)
		}
		call.check(t, call.send(h, "X-API-Key: secret-1"))
	}
}

// TestLog: one record per call, with the place of a failed expression and
// without any value; the wire has neither.
func TestLog(t *testing.T) {
	var lines bytes.Buffer
	w := newWeather(t)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(slog.New(slog.NewJSONHandler(&lines, nil))))
	if err != nil {
		t.Fatal(err)
	}
	const canary = "canary-4711"
	record := func(c wireCase, header ...string) map[string]any {
		t.Helper()
		lines.Reset()
		rec := c.send(h, header...)
		c.check(t, rec)
		for _, leak := range []string{"sculpt.yaml", "results", "secret detail"} {
			if strings.Contains(rec.Body.String(), leak) {
				t.Errorf("the answer leaks %s: %s", leak, rec.Body)
			}
		}
		if n := strings.Count(lines.String(), "\n"); n != 1 {
			t.Fatalf("%d records: %s", n, lines.String())
		}
		if strings.Contains(lines.String(), canary) {
			t.Errorf("the record has a value: %s", lines.String())
		}
		var doc map[string]any
		if err := json.Unmarshal(lines.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	path := "POST /a2t" + lookupPath + "/versions/1:invoke"
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	doc := record(wireCase{request: path, body: invocation("city", canary), status: 200}, "Traceparent: "+parent)
	if doc["tool"] != "lookup_weather_by_city@1" || doc["outcome"] != "ok" || doc["protocol"] != "a2t" || doc["call_id"] == "" || doc["traceparent"] != parent {
		t.Errorf("record %v", doc)
	}
	doc = record(wireCase{request: path, body: invocation("city", "Pick"), status: 422})
	if doc["outcome"] != "no_result" || doc["step"] != "places" || doc["path"] != "results" || doc["at"] != "sculpt.yaml:40:7" {
		t.Errorf("record %v", doc)
	}
	doc = record(wireCase{request: path, body: invocation("city", "Panic"), status: 500})
	if doc["level"] != "ERROR" || !strings.Contains(doc["stack"].(string), "lookup") {
		t.Errorf("record %v", doc)
	}
	doc = record(wireCase{request: path, body: invocation(canary, 1, "city", "x", "day", canary), status: 422})
	if doc["outcome"] != "invalid_input" {
		t.Errorf("record %v", doc)
	}
	record(wireCase{request: path, body: `{"` + canary + `"`, status: 400})
	record(wireCase{request: "POST /a2t/tools/" + canary + ":invoke", body: "{}", status: 404})
	record(wireCase{request: callPath, body: otcCall("Weather."+canary, `{}`), status: 400})
}

// TestCallerHangsUp: a read ends with its caller, an effect does not.
func TestCallerHangsUp(t *testing.T) {
	for name, c := range map[string]struct {
		tool int
		body string
		ends bool
	}{
		"read":   {0, invocation("city", "x"), true},
		"effect": {2, invocation("place", "Omaha"), false},
	} {
		t.Run(name, func(t *testing.T) {
			set := newWeather(t).toolset()
			ended := make(chan bool, 1)
			ctx, hangUp := context.WithCancel(context.Background())
			set.Tools[c.tool].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
				hangUp()
				select {
				case <-ctx.Done():
					ended <- true
					return nil, ctx.Err()
				case <-time.After(30 * time.Millisecond):
					ended <- false
					return nil, nil
				}
			}
			h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequestWithContext(ctx, "POST", "/a2t/tools/"+set.Tools[c.tool].ID+":invoke", strings.NewReader(c.body))
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(httptest.NewRecorder(), r)
			if got := <-ended; got != c.ends {
				t.Errorf("the call ended with its caller: %v", got)
			}
		})
	}
}

func TestInvocationReachesTheChain(t *testing.T) {
	set := newWeather(t).toolset()
	var inv tool.Invocation
	set.Tools[2].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
		inv = *tool.InvocationOf(ctx)
		if _, ok := ctx.Deadline(); !ok {
			t.Error("no deadline")
		}
		return tool.Result{{Name: "report_id", JSON: []byte(`"R"`)}}, nil
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	call := wireCase{request: callPath, status: http.StatusOK,
		body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`, `"call_id":"c7"`, `"trace_id":"t9"`)}
	call.check(t, call.send(golden.Judged(t, h)))
	if since := time.Since(inv.Time); since < 0 || since > time.Minute || inv.Time.Location() != time.UTC {
		t.Error("the call came in at", inv.Time)
	}
	inv.Time = time.Time{}
	want := tool.Invocation{CallID: "c7", IdempotencyKey: "c7", TraceID: "t9", Tool: "report_storm", Version: 1, Protocol: "otc"}
	if inv != want {
		t.Errorf("invocation %+v", inv)
	}
}
