package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const callPath = "POST /otc/tools/call"

func otcCall(toolID, input string, more ...string) string {
	return `{"request":{"tool_id":"` + toolID + `","input":` + input + strings.Join(append([]string{""}, more...), ",") + `}}`
}

func TestOTC(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthorizationURL("mail", "https://mail.example/authorize"))
	const lookup = "Weather.LookupWeatherByCity"
	city := func(name string) string { return otcCall(lookup, `{"city":"`+name+`"}`) }
	withSchema := func(schema string) string { return `{"$schema":"` + schema + `",` + city("x")[1:] }
	runCases(t, h, []wireCase{
		{"health", "GET /otc/health", "", 200, ``},
		{"list", "GET /otc/tools", "", 200, `$schema="otc://1.0" | tools.#=3 | items.#=3 | tools.0.id="Weather.LookupWeatherByCity@2.0.0" | Content-Type: application/json`},
		{"list otc", "GET /otc/tools?$schema=otc://1.0", "", 200, `tools.#=3 | items? | tools.0.input_schema.parameters.type="object" | tools.0.input_schema.type?`},
		{"list oxp", "GET /otc/tools?$schema=urn:oxp:1.0", "", 200, `$schema="urn:oxp:1.0" | items.#=3 | tools? | items.0.input_schema.type="object" | items.0.input_schema.parameters?`},
		{"list oxp by body", "GET /otc/tools", `{"$schema":"urn:oxp:1.0"}`, 200, `$schema="urn:oxp:1.0" | tools?`},
		{"list oxp by url", "GET /otc/tools?$schema=https://openexecprotocol.org/spec/http/1.0/openapi.json", "", 200, `$schema="https://openexecprotocol.org/spec/http/1.0/openapi.json" | tools?`},
		{"body is ignored", "GET /otc/tools", `{}`, 200, `tools.#=3`},
		{"garbage body is ignored", "GET /otc/tools", `{{{`, 200, `tools.#=3`},
		{"unknown schema", "GET /otc/tools?$schema=otc://2.0", "", 400, `message="The $schema is not supported."`},
		{"all versions", "GET /otc/tools?versions=all", "", 200, `tools.#=4 | items.#=4 | tools.0.id="Weather.LookupWeatherByCity@2.0.0" | tools.1.id="Weather.LookupWeatherByCity@1.0.0" | tools.1.output_schema.properties.periods?`},
		{"all versions, OXP", "GET /otc/tools?versions=all&$schema=urn:oxp:1.0", "", 200, `items.#=4 | tools? | items.1.version="1.0.0"`},
		{"all versions by url", "GET /otc/tools?versions=all&$schema=https://opentoolcalling.org/1.0/", "", 200, `tools.#=4 | items?`},
		{"latest versions", "GET /otc/tools?versions=latest", "", 200, `tools.#=3`},
		{"some versions", "GET /otc/tools?versions=2", "", 400, `message="versions is all or latest." | $schema="otc://1.0"`},
		{"all versions of nothing", "GET /otc/tools?versions=all&$schema=otc://9", "", 400, `message="The $schema is not supported."`},
		{"list by post", "POST /otc/tools", "{}", 405, `Allow: GET, HEAD, OPTIONS`},
		{"options", "OPTIONS /otc/tools/call", "", 204, `Allow: POST, OPTIONS`},
		{"nothing here", "GET /otc/tools/", "", 404, ``},
		{"call by get", "GET /otc/tools/call", "", 405, `Allow: POST, OPTIONS`},

		{"latest", callPath, city("x"), 200, `result.success=true | result.value.temperature_f=80 | result.value.periods.0.name="Today" | result.error? | $schema="otc://1.0"`},
		{"alias", "POST /otc/call", city("x"), 200, `result.success=true`},
		{"at 1", callPath, otcCall(lookup+"@1", `{"city":"x"}`), 200, `result.value.temperature_f=80 | result.value.periods?`},
		{"at 1.0.0", callPath, otcCall(lookup+"@1.0.0", `{"city":"x"}`), 200, `result.value.periods?`},
		{"at 2", callPath, otcCall(lookup+"@2", `{"city":"x"}`), 200, `result.value.periods.#=1`},
		{"at 1.0", callPath, otcCall(lookup+"@1.0", `{"city":"x"}`), 400, ``},
		{"at 1.0.1", callPath, otcCall(lookup+"@1.0.1", `{"city":"x"}`), 400, ``},
		{"at 01", callPath, otcCall(lookup+"@01", `{"city":"x"}`), 400, ``},
		{"at 9", callPath, otcCall(lookup+"@9", `{"city":"x"}`), 400, `message="Tool 'Weather.LookupWeatherByCity' has no version 9.0.0" | developer_message="available: 1.0.0, 2.0.0" | $schema="otc://1.0"`},
		{"unknown tool", callPath, otcCall("Weather.Nothing", `{}`), 400, `message="There is no tool 'Weather.Nothing'"`},
		{"snake name", callPath, otcCall("lookup_weather_by_city", `{}`), 400, ``},
		{"oxp", callPath, withSchema("urn:oxp:1.0"), 200, `$schema="urn:oxp:1.0"`},
		{"by url", callPath, withSchema("https://github.com/OpenExecProtocol/Specification/blob/main/spec/http/1.0/openapi.json"), 200, ``},
		{"other schema", callPath, withSchema("urn:oxp:2.0"), 400, `message="The $schema is not supported."`},
		{"http schema", callPath, withSchema("http://openexecprotocol.org/1.0"), 400, ``},

		{"no input", callPath, `{"request":{"tool_id":"` + lookup + `"}}`, 422, `parameter_errors.city="This parameter is required."`},
		{"null members", callPath, otcCall(lookup, `{"city":"x"}`, `"call_id":null`, `"trace_id":null`, `"context":null`), 200, ``},
		{"not allowed", callPath, otcCall(lookup, `{"city":"x","day":"YESTERDAY"}`), 422, `message="Some input parameters are invalid" | parameter_errors={"day":"\"YESTERDAY\" is not one of the allowed values. Allowed: TODAY, TOMORROW."}`},
		{"near", callPath, otcCall(lookup, `{"city":"x","day":"TODAI"}`), 422, `parameter_errors.day="\"TODAI\" is not one of the allowed values. Did you mean \"TODAY\"? Allowed: TODAY, TOMORROW."`},
		{"unknown input", callPath, otcCall(lookup, `{"city":"x","town":"y"}`), 422, `parameter_errors.town="There is no such parameter."`},
		{"member twice", callPath, otcCall(lookup, `{"city":"x","city":"y"}`), 400, ``},
		{"unknown member", callPath, otcCall(lookup, `{"city":"x"}`, `"inputs":{}`), 400, ``},
		{"no tool", callPath, `{"request":{}}`, 400, ``},
		{"no request", callPath, `{}`, 400, ``},
		{"unwrapped", callPath, `{"tool_id":"` + lookup + `"}`, 400, ``},
		{"long call id", callPath, otcCall(lookup, `{"city":"x"}`, `"call_id":"`+strings.Repeat("x", 256)+`"`), 400, ``},

		{"no result", callPath, city("Nowhere"), 200, `result.success=false | result.value? | result.error.message="No city named Nowhere was found." | result.error.can_retry=true | result.error.additional_prompt_content="Check the spelling of the city and add the state." | result.error.developer_message="geocoder returned 0 results"`},
		{"no element", callPath, city("Pick"), 200, `result.success=false | result.error.can_retry=false`},
		{"down", callPath, city("Downtown"), 200, `result.success=false | result.error.can_retry=true | result.error.retry_after_ms=7000`},
		{"slow", callPath, city("Slow"), 200, `result.success=false | result.error.can_retry=true`},
		{"garbage", callPath, city("Garbage"), 200, `result.success=false | result.error.can_retry=false`},
		{"panic", callPath, city("Panic"), 200, `result.success=false | result.error.can_retry=false | result.error.message="The server failed. It is not the fault of the inputs."`},
		{"unknown outcome", callPath, otcCall("Weather.ReportStorm", `{"place":"Brokenville"}`), 200, `result.success=false | result.error.can_retry=false`},
		{"optional output", callPath, otcCall("Weather.ReportStorm", `{"place":"Omaha"}`), 200, `result.value.note? | result.success=true`},

		{"needs all", callPath, otcCall("Weather.ReadMailbox", `{}`), 400, `missing_requirements.user_id=true | missing_requirements.authorization=[{"id":"mail","url":"https://mail.example/authorize"}] | missing_requirements.secrets=[{"id":"PIN"}]`},
		{"needs one", callPath, otcCall("Weather.ReadMailbox", `{}`, `"context":{"user_id":"u","secrets":[{"id":"PIN","value":"1"}]}`), 400, `missing_requirements.user_id? | missing_requirements.secrets? | missing_requirements.authorization.#=1`},
		{"secret twice", callPath, otcCall("Weather.ReadMailbox", `{}`, `"context":{"secrets":[{"id":"PIN","value":"1"},{"id":"PIN","value":"2"}]}`), 400, ``},
	})
	full := wireCase{request: callPath, status: 200, facts: `result.value.owner="u/t0k"`,
		body: otcCall("Weather.ReadMailbox", `{}`, `"context":{"user_id":"u","extra":1,"secrets":[{"id":"PIN","value":"1"}],"authorization":[{"id":"mail","token":"t0k"}]}`)}
	full.check(t, full.send(h, "Authorization: Bearer mine"))
	a2t := wireCase{request: "POST /a2t/tools/" + mailboxID + ":invoke", body: `{"input_parameters":[]}`, status: 403, facts: `code="forbidden" | reason="missing_requirements"`}
	a2t.check(t, a2t.send(h))
}

// TestOTCShapes serves clients that name no $schema in the shape of choice.
func TestOTCShapes(t *testing.T) {
	const bad = `{"request":{"tool_id":"Weather.LookupWeatherByCity","input":{}}}`
	for _, c := range []struct {
		shape serve.OTCShape
		cases []wireCase
	}{
		{serve.OTCShapeDual, []wireCase{
			{"list", "GET /otc/tools", "", 200, `$schema="otc://1.0" | tools.#=3 | items.#=3`},
			{"refused", callPath, bad, 422, `$schema="otc://1.0"`},
		}},
		{serve.OTCShape10, []wireCase{
			{"list", "GET /otc/tools", "", 200, `$schema="otc://1.0" | tools.#=3 | items? | tools.0.input_schema.type?`},
			{"all", "GET /otc/tools?versions=all", "", 200, `tools.#=4 | items?`},
			{"asked for the other", "GET /otc/tools?$schema=urn:oxp:1.0", "", 200, `$schema="urn:oxp:1.0" | items.#=3 | tools?`},
			{"refused", callPath, bad, 422, `$schema="otc://1.0"`},
		}},
		{serve.OTCShapeOXP10, []wireCase{
			{"list", "GET /otc/tools", "", 200, `$schema="urn:oxp:1.0" | items.#=3 | tools? | items.0.input_schema.parameters?`},
			{"asked for the other", "GET /otc/tools?$schema=otc://1.0", "", 200, `$schema="otc://1.0" | tools.#=3 | items?`},
			{"refused", callPath, bad, 422, `$schema="urn:oxp:1.0"`},
			{"refused in the other", callPath, `{"$schema":"otc://1.0",` + bad[1:], 422, `$schema="otc://1.0"`},
			{"unknown tool", callPath, otcCall("Weather.Nothing", `{}`), 400, `$schema="urn:oxp:1.0"`},
			{"malformed", callPath, `{`, 400, `$schema="urn:oxp:1.0"`},
			{"nothing here", "GET /otc/nothing", "", 404, ``},
		}},
	} {
		h, _ := newServer(t, serve.WithOTCShape(c.shape))
		runCases(t, h, c.cases)
	}
	if _, err := serve.NewHandler(nil, serve.WithOTCShape(7)); err == nil {
		t.Error("there is no shape 7")
	}
}

func TestCallerTokenReachesOnlyItsAPI(t *testing.T) {
	h, w := newServer(t)
	call := wireCase{request: callPath, status: 200,
		body: otcCall("Weather.ReadMailbox", `{}`, `"context":{"user_id":"u","secrets":[{"id":"PIN","value":"1"}],"authorization":[{"id":"mail","token":"t0k"}]}`)}
	call.check(t, call.send(h, "Authorization: Bearer mine"))
	lookup := wireCase{request: callPath, body: otcCall("Weather.LookupWeatherByCity", `{"city":"x"}`), status: 200}
	lookup.check(t, lookup.send(h, "Authorization: Bearer mine"))
	if got := w.backend.seen["/forecast"]; got != "Bearer mine" {
		t.Errorf("the api with auth: caller saw %q", got)
	}
	if got := w.backend.seen["/search"]; got != "" {
		t.Errorf("another api saw %q", got)
	}
}

func TestCallID(t *testing.T) {
	h, w := newServer(t)
	report := func(place, id string) string {
		return otcCall("Weather.ReportStorm", `{"place":"`+place+`"}`, `"call_id":"`+id+`"`)
	}
	first := wireCase{request: callPath, body: report("Omaha", "c1"), status: 200, facts: `result.call_id="c1" | result.value.report_id="R-1"`}
	first.check(t, first.send(h))
	again := wireCase{request: callPath, body: strings.Replace(first.body, `"request"`, ` "$schema":"urn:oxp:1.0","request"`, 1), status: 200, facts: first.facts}
	again.check(t, again.send(h))
	other := wireCase{request: callPath, body: report("Lincoln", "c1"), status: 409, facts: `code="idempotency_key_reused"`}
	other.check(t, other.send(h))
	header := wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: 200, facts: `output_parameters.0.value="R-2"`}
	header.check(t, header.send(h, "Idempotency-Key: k1"))
	header.check(t, header.send(h, "Idempotency-Key: k1"))
	reused := wireCase{request: header.request, body: invocation("place", "Lincoln"), status: 409, facts: `code="malformed_request" | reason="idempotency_key_reused"`}
	reused.check(t, reused.send(h, "Idempotency-Key: k1"))
	// The result of one anonymous caller is not for another.
	stranger := wireCase{request: callPath, body: first.body, status: 409, facts: `code="idempotency_key_reused"`}
	stranger.check(t, stranger.send(h, "Authorization: Bearer other"))
	none := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`), status: 200}
	rec := none.send(h)
	none.check(t, rec)
	var doc struct{ Result struct{ CallID string } }
	_ = json.Unmarshal(bytes.ReplaceAll(rec.Body.Bytes(), []byte("call_id"), []byte("CallID")), &doc)
	if len(doc.Result.CallID) != 36 || doc.Result.CallID[14] != '4' {
		t.Errorf("generated call id %q is no UUIDv4", doc.Result.CallID)
	}
	if got := w.backend.reports.Load(); got != 3 {
		t.Errorf("the backend saw %d reports, want 3", got)
	}
}

// TestConcurrentDuplicates sends one call many times at once, as a client does
// whose first attempt timed out.
func TestConcurrentDuplicates(t *testing.T) {
	w := newWeather(t)
	w.backend.hold = make(chan struct{})
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	call := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`, `"call_id":"same"`), status: 200,
		facts: `result.value.report_id="R-1" | result.call_id="same"`}
	var wg sync.WaitGroup
	recs := make([]*httptest.ResponseRecorder, 8)
	for i := range recs {
		wg.Go(func() { recs[i] = call.send(h) })
	}
	time.Sleep(20 * time.Millisecond)
	close(w.backend.hold)
	wg.Wait()
	for _, rec := range recs {
		call.check(t, rec)
	}
	if got := w.backend.reports.Load(); got != 1 {
		t.Errorf("the backend saw %d reports, want 1", got)
	}
}

func TestGolden(t *testing.T) {
	dir := golden.Shared(t, "protocols", "golden")
	w := newWeather(t)
	set := w.toolset()
	set.Tools = set.Tools[:1]
	set.Docs = documentsOf(&set)
	inner, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	h := golden.Judged(t, inner)
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	a2tCall, otcRequest := string(read("a2t/invoke-request.json")), string(read("otc/call-request.json"))
	swap := func(old, new string) string { return strings.Replace(otcRequest, old, new, 1) }
	for _, c := range []struct {
		golden string
		wireCase
	}{
		{"a2t/list.json", wireCase{request: "GET /a2t/tools", status: 200}},
		{"a2t/versions.json", wireCase{request: "GET /a2t" + lookupPath + "/versions", status: 200}},
		{"a2t/signature-v1.json", wireCase{request: "GET /a2t" + lookupPath + "/versions/1", status: 200}},
		{"a2t/signature-v2.json", wireCase{request: "GET /a2t" + lookupPath, status: 200}},
		{"a2t/invoke-response-v1.json", wireCase{request: "POST /a2t" + lookupPath + "/versions/1:invoke", body: a2tCall, status: 200}},
		{"a2t/invoke-response-v2.json", wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: a2tCall, status: 200}},
		{"a2t/problem-404.json", wireCase{request: "GET /a2t/tools/unknown", status: 404}},
		{"a2t/problem-422.json", wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: strings.Replace(a2tCall, "TOMORROW", "YESTERDAY", 1), status: 422}},
		{"otc/list-dual.json", wireCase{request: "GET /otc/tools", status: 200}},
		{"otc/list-otc-1.0.json", wireCase{request: "GET /otc/tools?$schema=otc://1.0", status: 200}},
		{"otc/list-oxp-1.0.json", wireCase{request: "GET /otc/tools?$schema=urn:oxp:1.0", status: 200}},
		{"otc/call-response.json", wireCase{request: callPath, body: otcRequest, status: 200}},
		{"otc/call-tool-error.json", wireCase{request: callPath, body: swap("Omaha, Nebraska", "Nowhere"), status: 200}},
		{"otc/validation-error.json", wireCase{request: callPath, body: swap("TOMORROW", "YESTERDAY"), status: 422}},
		{"otc/server-error-unknown-version.json", wireCase{request: callPath, body: swap("@2", "@9.0.0"), status: 400}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			rec := c.send(h)
			c.check(t, rec)
			want := bytes.ReplaceAll(read(c.golden), []byte("Omahaa"), []byte("Nowhere"))
			// OTC says what is wrong in the words of the other protocols.
			want = bytes.ReplaceAll(want, []byte("must be one of TODAY, TOMORROW"), []byte(`\"YESTERDAY\" is not one of the allowed values. Allowed: TODAY, TOMORROW.`))
			if diff := cmp.Diff(foreseeable(t, want), foreseeable(t, rec.Body.Bytes())); diff != "" {
				t.Errorf("golden (-) and served (+) differ:\n%s", diff)
			}
		})
	}
}

// foreseeable decodes a document and takes out what no test can foresee, and
// the word of the manifest, which the golden tool error does not have.
func foreseeable(t *testing.T, raw []byte) any {
	t.Helper()
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if result, ok := look(doc, "result"); ok {
		delete(result.(map[string]any), "duration")
		if fault, ok := look(result, "error"); ok {
			delete(fault.(map[string]any), "code")
		}
	}
	return doc
}
