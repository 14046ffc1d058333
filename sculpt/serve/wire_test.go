package serve_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

var quiet = slog.New(slog.DiscardHandler)

// newServer returns the weather tools behind every protocol.
func newServer(t testing.TB, options ...serve.Option) (http.Handler, *weather) {
	t.Helper()
	w := newWeather(t)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, append([]serve.Option{serve.WithLogger(quiet)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return golden.Judged(t, h), w
}

// A wireCase is one request and what must come back. Header lines are
// "Name: value"; facts are "path=JSON value", "path?" for absent, or
// "Header: value".
type wireCase struct {
	name, request, body string
	status              int
	facts               string
}

func (c *wireCase) send(h http.Handler, header ...string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(c.request, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(c.body))
	if c.body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

func (c *wireCase) check(t *testing.T, rec *httptest.ResponseRecorder) {
	t.Helper()
	if rec.Code != c.status {
		t.Fatalf("%s: status %d, want %d: %s", c.request, rec.Code, c.status, rec.Body)
	}
	var doc any
	_ = json.Unmarshal(rec.Body.Bytes(), &doc)
	for fact := range strings.SplitSeq(c.facts, " | ") {
		if fact == "" {
			continue
		}
		if name, value, ok := strings.Cut(fact, ": "); ok && !strings.Contains(name, "=") {
			if got := rec.Header().Get(name); got != value {
				t.Errorf("%s: header %s is %q, want %q", c.request, name, got, value)
			}
			continue
		}
		if path, ok := strings.CutSuffix(fact, "?"); ok && !strings.Contains(path, "=") {
			if got, found := look(doc, path); found {
				t.Errorf("%s: %s is %v, want none", c.request, path, got)
			}
			continue
		}
		path, want, _ := strings.Cut(fact, "=")
		got, _ := look(doc, path)
		if text, _ := json.Marshal(got); string(text) != want {
			t.Errorf("%s: %s is %s, want %s\n%s", c.request, path, text, want, rec.Body)
		}
	}
}

// look follows a path such as "errors.0.code"; "#" is the length of a list.
func look(doc any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch at := doc.(type) {
		case map[string]any:
			v, ok := at[step]
			if !ok {
				return nil, false
			}
			doc = v
		case []any:
			i, err := strconv.Atoi(step)
			switch {
			case step == "#":
				doc = len(at)
			case err != nil || i >= len(at):
				return nil, false
			default:
				doc = at[i]
			}
		default:
			return nil, false
		}
	}
	return doc, true
}

func runCases(t *testing.T, h http.Handler, cases []wireCase, header ...string) {
	t.Helper()
	for i := range cases {
		recordingOf(t).run(t, h, &cases[i], header)
	}
}

func invocation(pairs ...any) string {
	params := []string{}
	for i := 0; i < len(pairs); i += 2 {
		value, _ := json.Marshal(pairs[i+1])
		params = append(params, fmt.Sprintf(`{"name":%q,"value":%s}`, pairs[i], value))
	}
	return `{"input_parameters":[` + strings.Join(params, ",") + `]}`
}

const (
	lookupPath = "/tools/" + lookupID
	reportPath = "/tools/" + reportID
)

// TestA2TRoutes runs over A2T and N-ACT alike: one implementation.
func TestA2TRoutes(t *testing.T) {
	h, _ := newServer(t)
	for _, prefix := range []string{"/a2t", "/nact"} {
		cases := []wireCase{
			{"list", "GET /tools", "", 200, `items.#=3 | items.0.name="lookup_weather_by_city" | items.0.version=2 | paging.next=null | paging.pageLimit=50 | Cache-Control: no-cache | Content-Type: application/json`},
			{"list by tag", "GET /tools?tag=weather&tag=read_only", "", 200, `items.#=1 | paging.next=null`},
			{"list by unknown tag", "GET /tools?tag=none", "", 200, `items=[] | paging.next=null`},
			{"version of a list", "GET /tools?version=1", "", 400, `code="malformed_request" | detail="A version is part of the path: /tools/{toolID}/versions/{versionNum}."`},
			{"version of a tool", "GET " + lookupPath + "?version=1", "", 400, `code="malformed_request"`},
			{"version of a call", "POST " + lookupPath + ":invoke?version=1", `{"input_parameters":[]}`, 400, `code="malformed_request"`},
			{"nonsense", "POST " + lookupPath + ":invoke", `nonsense`, 400, `code="malformed_request" | detail="The request is malformed: the body is not JSON: want null, got 'o' (byte 1)."`},
			{"unknown query", "GET /tools?colour=red", "", 200, `items.#=3`},
			{"limit 1", "GET /tools?pageLimit=1", "", 200, `items.#=1 | paging.pageLimit=1`},
			{"limit too large", "GET /tools?pageLimit=99999999999999999999999", "", 200, `paging.pageLimit=200`},
			{"limit 0", "GET /tools?pageLimit=0", "", 400, `code="invalid_page_limit" | retryable=false`},
			{"limit -1", "GET /tools?pageLimit=-1", "", 400, `code="invalid_page_limit"`},
			{"limit 1.5", "GET /tools?pageLimit=1.5", "", 400, `code="invalid_page_limit"`},
			{"limit empty", "GET /tools?pageLimit=", "", 400, `code="invalid_page_limit"`},
			{"limit twice", "GET /tools?pageLimit=1&pageLimit=2", "", 400, `code="invalid_page_limit"`},
			{"empty cursor", "GET /tools?pageCursor=", "", 200, `items.#=3`},
			{"garbage cursor", "GET /tools?pageCursor=!!!", "", 400, `code="invalid_cursor"`},
			{"bad query", "GET /tools?tag=%zz", "", 400, `code="malformed_request"`},
			{"head", "HEAD /tools", "", 200, `Content-Type: application/json`},
			{"options", "OPTIONS /tools", "", 204, `Allow: GET, HEAD, OPTIONS`},
			{"post list", "POST /tools", "{}", 405, `code="method_not_allowed" | Allow: GET, HEAD, OPTIONS`},
			{"trailing slash", "GET /tools/", "", 404, `code="malformed_request" | reason="unknown_path"`},
			{"prefix alone", "GET ", "", 404, `code="malformed_request" | reason="unknown_path"`},
			{"other path", "GET /toolsets", "", 404, `code="malformed_request" | reason="unknown_path"`},
			{"tool", "GET " + lookupPath, "", 200, `version=2 | currentVersion=2`},
			{"tool slash", "GET " + lookupPath + "/", "", 404, `code="malformed_request" | reason="unknown_path"`},
			{"unknown tool", "GET /tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a12", "", 404, `code="unknown_tool" | detail?`},
			{"no uuid", "GET /tools/weather", "", 404, `code="unknown_tool"`},
			{"versions", "GET " + lookupPath + "/versions", "", 200, `items.#=2 | items.0.version=2 | items.1.version=1 | items.1.currentVersion=2`},
			{"versions of unknown", "GET /tools/x/versions", "", 404, `code="unknown_tool"`},
			{"versions slash", "GET " + lookupPath + "/versions/", "", 404, ``},
			{"version 1", "GET " + lookupPath + "/versions/1", "", 200, `version=1 | currentVersion=2`},
			{"version 3", "GET " + lookupPath + "/versions/3", "", 404, `code="unknown_version"`},
			{"version 0", "GET " + lookupPath + "/versions/0", "", 404, `code="unknown_version"`},
			{"version 01", "GET " + lookupPath + "/versions/01", "", 404, `code="unknown_version"`},
			{"version x", "GET " + lookupPath + "/versions/x", "", 404, `code="unknown_version"`},
			{"deeper", "GET " + lookupPath + "/versions/1/2", "", 404, ``},
			{"invoke by get", "GET " + lookupPath + ":invoke", "", 405, `Allow: POST, OPTIONS`},
			{"options invoke", "OPTIONS " + lookupPath + ":invoke", "", 204, `Allow: POST, OPTIONS`},
			{"post tool", "POST " + lookupPath, "{}", 405, ``},
			{"other verb", "POST " + lookupPath + ":run", "{}", 404, ``},
			{"upper verb", "POST " + lookupPath + ":INVOKE", "{}", 404, ``},
			{"two colons", "POST /tools/a:b:invoke", "{}", 404, `code="unknown_tool"`},
			{"no id", "POST /tools/:invoke", "{}", 404, ``},
			{"no version", "POST " + lookupPath + "/versions/:invoke", "{}", 404, ``},
			{"put", "PUT " + lookupPath + ":invoke", "{}", 405, ``},
		}
		for i := range cases {
			cases[i].request = strings.Replace(cases[i].request, " ", " "+prefix, 1)
			cases[i].name = prefix + " " + cases[i].name
		}
		runCases(t, h, cases)
	}
}

func TestA2TInvoke(t *testing.T) {
	h, _ := newServer(t)
	omaha := invocation("city", "Omaha, Nebraska", "day", "TOMORROW")
	current, first := "POST /a2t"+lookupPath+":invoke", "POST /a2t"+lookupPath+"/versions/1:invoke"
	city := func(name string) string { return invocation("city", name) }
	runCases(t, h, []wireCase{
		{"current", current, omaha, 200, `output_parameters.#=3 | output_parameters.2.name="periods" | Cache-Control: no-store`},
		{"escaped colon", "POST /a2t" + lookupPath + "%3Ainvoke", omaha, 200, `output_parameters.#=3`},
		{"version 1", first, omaha, 200, `output_parameters.#=2 | output_parameters.1.value="Sunny"`},
		{"version 1 refuses what 2 added", first, invocation("city", "x", "hours_ahead", 3), 422, `code="invalid_parameters" | version=1 | errors.0.code="unknown" | errors.0.parameter="hours_ahead"`},
		{"version 2 takes it", current, invocation("city", "x", "hours_ahead", 3), 200, `output_parameters.2.value.0.name="+3"`},
		{"version 9", "POST /a2t" + lookupPath + "/versions/9:invoke", omaha, 404, `code="unknown_version"`},
		{"nact", "POST /nact" + lookupPath + ":invoke", omaha, 200, `output_parameters.#=3`},
		{"absent outputs are null", current, city("Empty"), 200, `output_parameters.0.value=80 | output_parameters.1.value=null | output_parameters.2.value=null`},
		{"right name", current, `{"name":"lookup_weather_by_city",` + omaha[1:], 200, ``},
		{"wrong name", current, `{"name":"lookup",` + omaha[1:], 400, `code="name_mismatch" | toolId="` + lookupID + `"`},
		{"null name", current, `{"name":null,` + omaha[1:], 400, `code="malformed_request"`},
		{"parameter twice", current, invocation("city", "a", "city", "b"), 400, `code="duplicate_parameter"`},
		{"missing", current, invocation(), 422, `errors.0.code="missing" | errors.0.id="city" | detail="1 input parameter is not valid for lookup_weather_by_city version 2."`},
		{"null is missing", current, invocation("city", nil), 422, `errors.0.code="missing"`},
		{"null is absent", current, invocation("city", "x", "day", nil), 200, ``},
		{"unknown", current, invocation("city", "x", "town", 1), 422, `errors.0.code="unknown"`},
		{"nearly known", current, invocation("citty", "x"), 422, `errors.0.detail="There is no such parameter. Did you mean \"city\"?" | errors.1.code="missing"`},
		{"wrong type", current, invocation("city", 5), 422, `errors.0.code="type"`},
		{"no coercion", current, invocation("city", "x", "hours_ahead", "3"), 422, `errors.0.code="type"`},
		{"fraction", current, `{"input_parameters":[{"name":"city","value":"x"},{"name":"hours_ahead","value":1.0}]}`, 422, `errors.0.code="type"`},
		{"exponent", current, `{"input_parameters":[{"name":"city","value":"x"},{"name":"hours_ahead","value":1e2}]}`, 422, `errors.0.code="type"`},
		{"range", current, invocation("city", "x", "hours_ahead", 157), 422, `errors.0.code="range" | errors.0.detail="Must be from 0 to 156."`},
		{"beyond int64", current, `{"input_parameters":[{"name":"city","value":"x"},{"name":"hours_ahead","value":9223372036854775808}]}`, 422, `errors.0.code="range"`},
		{"length in code points", current, city(strings.Repeat("é", 80)), 200, ``},
		{"too long", current, city(strings.Repeat("é", 81)), 422, `errors.0.code="length"`},
		{"not allowed", current, invocation("city", "x", "day", "tomorow"), 422, `errors.0.code="not_allowed" | errors.0.allowed=["TODAY","TOMORROW"] | errors.0.detail="\"tomorow\" is not one of the allowed values. Did you mean \"TOMORROW\"?"`},
		{"list", current, invocation("city", []int{1}), 422, `errors.0.code="type"`},
		{"no result", current, city("Nowhere"), 422, `code="no_result" | reason="no_such_place" | retryable=false | hint="Check the spelling of the city and add the state." | detail="No city named Nowhere was found."`},
		{"no element", current, city("Pick"), 422, `code="no_result" | retryable=false | reason?`},
		{"wrong kind", current, city("Kinds"), 502, `code="backend_invalid_response" | retryable=false`},
		{"refused value", current, city("Math"), 422, `code="backend_rejected"`},
		{"down", current, city("Downtown"), 503, `code="backend_unavailable" | retryable=true | retry_after_ms=7000 | Retry-After: 7`},
		{"garbage", current, city("Garbage"), 502, `code="backend_invalid_response"`},
		{"rate limited", current, city("Limited"), 429, `code="rate_limited" | retry_after_ms=1500 | Retry-After: 2`},
		{"deadline", current, city("Slow"), 504, `code="backend_timeout" | retryable=true`},
		{"panic", current, city("Panic"), 500, `code="internal" | retryable=false | detail="The server failed. It is not the fault of the inputs."`},
		{"internal error", current, city("Plain"), 500, `code="internal"`},
	})
}

func TestEffectsAreNeverRetried(t *testing.T) {
	h, w := newServer(t)
	path := "POST /a2t" + reportPath + ":invoke"
	place := func(name string) string { return invocation("place", name) }
	runCases(t, h, []wireCase{
		{"success", path, place("Omaha"), 200, `output_parameters.0.value="R-1" | output_parameters.1={"name":"note","value":null}`},
		{"refused", path, place("Sunnyville"), 422, `code="backend_rejected"`},
		{"cut answer", path, place("Brokenville"), 409, `code="outcome_unknown" | retryable=false`},
		{"odd answer", path, place("Oddville"), 409, `code="outcome_unknown"`},
		{"missing afterwards", path, place("Lateville"), 409, `code="outcome_unknown" | retryable=false | reason="backend_invalid_response"`},
		{"panic", path, place("Panicville"), 409, `code="outcome_unknown" | retryable=false`},
	})
	if got := w.backend.reports.Load(); got != 5 {
		t.Errorf("the backend saw %d reports, want 5", got)
	}
}

func TestRequestRules(t *testing.T) {
	h, _ := newServer(t)
	body := invocation("city", "x")
	for _, c := range []struct {
		name, path, header string
		status             int
	}{
		{"no type", "/a2t" + lookupPath + ":invoke", "Content-Type: ", 415},
		{"text", "/a2t" + lookupPath + ":invoke", "Content-Type: text/plain", 415},
		{"latin1", "/a2t" + lookupPath + ":invoke", "Content-Type: application/json; charset=iso-8859-1", 415},
		{"utf-8", "/a2t" + lookupPath + ":invoke", "Content-Type: application/json; charset=UTF-8", 200},
		{"encoded", "/a2t" + lookupPath + ":invoke", "Content-Encoding: gzip", 415},
		{"accept text", "/a2t" + lookupPath + ":invoke", "Accept: text/html", 406},
		{"accept q0", "/a2t" + lookupPath + ":invoke", "Accept: application/json;q=0, */*", 406},
		{"accept any", "/a2t" + lookupPath + ":invoke", "Accept: text/html, */*;q=0.1", 200},
		{"accept range", "/a2t" + lookupPath + ":invoke", "Accept: application/*", 200},
		{"otc text", "/otc/tools/call", "Content-Type: text/plain", 415},
		{"otc accept", "/otc/tools/call", "Accept: text/html", 406},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wireCase{request: "POST " + c.path, body: body, status: c.status}
			w.check(t, w.send(h, c.header))
		})
	}
	big := wireCase{name: "too large", request: "POST /a2t" + lookupPath + ":invoke", body: invocation("city", strings.Repeat("x", 256<<10)), status: 413,
		facts: `code="payload_too_large"`}
	big.check(t, big.send(h))
	fits := wireCase{request: big.request, body: body + strings.Repeat(" ", 256<<10-len(body)), status: 200}
	fits.check(t, fits.send(h))
}

func TestETag(t *testing.T) {
	h, _ := newServer(t)
	for _, path := range []string{"/a2t/tools", "/a2t/tools?pageLimit=2", "/a2t" + lookupPath, "/a2t" + lookupPath + "/versions/1", "/otc/tools"} {
		c := wireCase{request: "GET " + path, status: 200}
		rec := c.send(h)
		c.check(t, rec)
		etag := rec.Header().Get("ETag")
		if len(etag) != 66 || etag[0] != '"' {
			t.Fatalf("%s: ETag %q", path, etag)
		}
		for header, status := range map[string]int{
			etag: 304, "W/" + etag: 304, `"x", ` + etag: 304, "*": 304, `"x"`: 200, etag[:10]: 200,
		} {
			c := wireCase{request: "GET " + path, status: status, facts: "ETag: " + etag}
			rec := c.send(h, "If-None-Match: "+header)
			c.check(t, rec)
			if status == 304 && rec.Body.Len() > 0 {
				t.Errorf("%s: 304 with a body", path)
			}
		}
	}
}

func TestPages(t *testing.T) {
	h, _ := newServer(t)
	get := func(path string, status int) map[string]any {
		t.Helper()
		c := wireCase{request: "GET " + path, status: status}
		rec := c.send(h)
		c.check(t, rec)
		var doc map[string]any
		if err := json.Unmarshal(rec.Body.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	var names []string
	path := "/a2t/tools?pageLimit=1"
	for range 3 {
		doc := get(path, 200)
		name, _ := look(doc, "items.0.name")
		names = append(names, name.(string))
		next, _ := look(doc, "paging.next")
		if next == nil {
			break
		}
		cursor := next.(string)
		path = "/a2t/tools?pageLimit=1&pageCursor=" + cursor
		// A cursor belongs to its list, and to no other.
		for _, other := range []string{"/a2t/tools?tag=weather&pageCursor=" + cursor, "/a2t" + lookupPath + "/versions?pageCursor=" + cursor,
			"/a2t/tools?pageCursor=" + cursor + "&pageCursor=" + cursor, "/a2t/tools?pageCursor=" + cursor + "A", "/a2t/tools?pageCursor=" + cursor[1:]} {
			get(other, 400)
		}
		for i := range cursor {
			for _, c := range []byte{'A', 'x', '_', '0'} {
				if cursor[i] != c && i < 16 {
					get("/a2t/tools?pageCursor="+cursor[:i]+string(c)+cursor[i+1:], 400)
				}
			}
		}
		get("/nact/tools?pageCursor="+cursor, 200)
	}
	if got := strings.Join(names, " "); got != "lookup_weather_by_city read_mailbox report_storm" {
		t.Errorf("pages give %s", got)
	}
	versions := get("/a2t"+lookupPath+"/versions?pageLimit=1", 200)
	next, _ := look(versions, "paging.next")
	older := get("/a2t"+lookupPath+"/versions?pageLimit=1&pageCursor="+next.(string), 200)
	if n, _ := look(older, "items.0.version"); n != 1.0 {
		t.Errorf("second page of versions begins with %v", n)
	}
}

func TestHealth(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthenticator(serve.StaticKeys("X-API-Key", map[string]tool.Principal{"k": {ID: "me"}})))
	runCases(t, h, []wireCase{
		{"healthz", "GET /healthz", "", 200, ``},
		{"readyz", "GET /readyz", "", 200, ``},
		{"otc health", "GET /otc/health", "", 200, ``},
		{"post", "POST /healthz", "", 405, ``},
		{"nothing", "GET /nothing", "", 404, `code="malformed_request" | reason="unknown_path"`},
		{"doors", "GET /", "", 401, `code="unauthorized"`},
	})
}
