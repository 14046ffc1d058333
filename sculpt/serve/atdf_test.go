package serve_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func TestATDF(t *testing.T) {
	h, _ := newServer(t)
	const error404 = `status="error" | errors.#=1 | errors.0.code="tool_not_found" | errors.0.type="urn:sculpt:error:tool_not_found"`
	cases := []wireCase{
		{"list", "GET /atdf/tools", "", 200, `tools.#=3 | tools.0.schema_version="2.0.0" | tools.0.tool_id="lookup_weather_by_city" | Cache-Control: no-cache`},
		{"basic list", "GET /atdf/tools?schema_version=1.0.0", "", 200, `tools.#=3 | tools.2.schema_version="1.0.0"`},
		{"basic by word", "GET /atdf/tools?schema_version=basic", "", 200, `tools.0.schema_version="1.0.0"`},
		{"tool", "GET /atdf/tools/report_storm", "", 200, `tool_id="report_storm" | schema_version="2.0.0"`},
		{"basic tool", "GET /atdf/tools/report_storm?schema_version=1", "", 200, `schema_version="1.0.0"`},
		{"tool by UUID", "GET /atdf/tools/" + reportID, "", 200, `tool_id="report_storm"`},
		{"escaped", "GET /atdf/tools/report%5Fstorm", "", 200, `tool_id="report_storm"`},

		{"unknown tool", "GET /atdf/tools/nothing", "", 404, error404 + ` | errors.0.tool_name="nothing" | errors.0.detail="There is no tool \"nothing\"."`},
		{"hostile tool", "GET /atdf/tools/%22%3Cscript%3E%0A", "", 404, error404},
		{"long tool", "GET /atdf/tools/" + strings.Repeat("x", 5000), "", 404, error404},
		{"invalid UTF-8", "GET /atdf/tools/%ff%fe", "", 404, error404},
		{"other version", "GET /atdf/tools?schema_version=3.0.0", "", 400, `errors.0.code="malformed_request" | errors.0.tool_name="*"`},
		{"other version of a tool", "GET /atdf/tools/report_storm?schema_version=3", "", 400, `errors.0.tool_name="report_storm"`},
		{"a call", "POST /atdf/tools/report_storm", "{}", 405, `errors.0.code="method_not_allowed" | Allow: GET, HEAD, OPTIONS`},
		{"put", "PUT /atdf/tools", "", 405, `errors.0.code="method_not_allowed"`},
		{"slash", "GET /atdf/tools/", "", 404, `errors.0.code="malformed_request" | errors.0.tool_name="*" | errors.0.title="Nothing is at this path"`},
		{"deeper", "GET /atdf/tools/report_storm/versions", "", 404, `errors.0.code="malformed_request"`},
		{"search", "POST /atdf/search", "{}", 404, `errors.0.code="malformed_request"`},
		{"health by post", "POST /atdf/health", "{}", 405, ``},
	}
	runCases(t, h, cases)
	rec := (&wireCase{request: "GET /atdf/health"}).send(h)
	if got := rec.Body.String(); rec.Code != 200 || !strings.HasPrefix(got, `{"status":"healthy","uptime_seconds":`) || !strings.Contains(got, `"version":"`) {
		t.Errorf("health: %d %s", rec.Code, got)
	}
	rec = (&wireCase{request: "GET /atdf/tools", status: 406}).send(h, "Accept: text/html")
	if rec.Code != http.StatusNotAcceptable || !strings.Contains(rec.Body.String(), `"code":"not_acceptable"`) {
		t.Errorf("text/html: %d %s", rec.Code, rec.Body)
	}
	first := (&wireCase{request: "GET /atdf/tools"}).send(h)
	if rec := (&wireCase{request: "GET /atdf/tools"}).send(h, "If-None-Match: "+first.Header().Get("Etag")); rec.Code != http.StatusNotModified {
		t.Errorf("If-None-Match: %d", rec.Code)
	}
}

// TestATDFClosed keeps descriptors behind the credentials of a closed server.
func TestATDFClosed(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthenticator(serve.BearerTokens(map[string]tool.Principal{"k": {ID: "me"}})), serve.WithProtocols(serve.ProtocolATDF))
	h = golden.Judged(t, h)
	for _, c := range []struct {
		path, key string
		status    int
	}{
		{"/atdf/health", "", 200}, {"/atdf/tools", "", 401}, {"/atdf/tools/report_storm", "", 401}, {"/atdf/tools", "other", 401}, {"/atdf/tools", "k", 200},
		{"/a2t/tools", "k", 404},
	} {
		header := []string{}
		if c.key != "" {
			header = append(header, "Authorization: Bearer "+c.key)
		}
		rec := (&wireCase{request: "GET " + c.path}).send(h, header...)
		if rec.Code != c.status || (c.status == 401) != (rec.Header().Get("WWW-Authenticate") != "") {
			t.Errorf("%s with %q: %d %s", c.path, c.key, rec.Code, rec.Body)
		}
	}
}

// TestWriteATDF: what a vendor's own route answers for a call.
func TestWriteATDF(t *testing.T) {
	var cases []wireCase
	handlers := map[string]http.Handler{}
	for name, c := range map[string]struct {
		e      *tool.Error
		status int
		want   string
	}{
		"inputs": {&tool.Error{Kind: tool.KindInvalidInput, Issues: []tool.Issue{
			{Param: "day", Code: "not_allowed", Detail: `"SUNDY" is not one of the allowed values. Did you mean "SUNDAY"?`, Allowed: []string{"FRIDAY", "SUNDAY"}, Nearest: "SUNDAY"},
			{Param: "city", Code: "missing", Detail: "This parameter is required."},
		}}, 422, `errors.#=2 | errors.0.parameter_name="day" | errors.0.suggested_value="SUNDAY" | errors.0.detail="\"SUNDY\" is not one of FRIDAY, SUNDAY." | ` +
			`errors.0.context.allowed.#=2 | errors.1.parameter_name="city" | errors.1.detail="This parameter is required." | errors.1.code="invalid_parameters"`},
		"quoted": {&tool.Error{Kind: tool.KindInvalidInput, Issues: []tool.Issue{
			{Param: "day", Code: "not_allowed", Detail: `"a is not one of the allowed values." is not one of the allowed values.`, Allowed: []string{"ONE"}},
		}}, 422, `errors.0.suggested_value="ONE" | errors.0.detail="\"a is not one of the allowed values.\" is not one of ONE."`},
		"no result": {&tool.Error{Kind: tool.KindNoResult, Message: "No such city."}, 422, `errors.#=1 | errors.0.code="no_result" | errors.0.detail="No such city."`},
		"busy":      {&tool.Error{Kind: tool.KindUnavailable, RetryAfter: 3 * time.Second}, 503, `errors.0.code="backend_unavailable" | Retry-After: 3`},
		"internal":  {&tool.Error{Kind: tool.KindInternal, Message: "the password is x", Err: errors.New("y")}, 500, `errors.0.detail="The server failed. It is not the fault of the inputs."`},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { serve.WriteATDF(w, "a_tool", c.e) })
		cases = append(cases, wireCase{name, "POST /own", "{}", c.status, c.want + ` | status="error" | errors.0.tool_name="a_tool"`})
		handlers[name] = h
		if os.Getenv("SCULPT_SHARED") == "" {
			continue
		}
		var doc map[string]any
		rec := httptest.NewRecorder()
		serve.WriteATDF(rec, "a_tool", c.e)
		if err := json.Unmarshal(rec.Body.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		golden.JudgeATDF(t, doc)
	}
	slices.SortFunc(cases, func(a, b wireCase) int { return strings.Compare(a.name, b.name) })
	for _, c := range cases {
		runCases(t, handlers[c.name], []wireCase{c})
	}
}
