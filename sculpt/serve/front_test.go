package serve_test

import (
	"bytes"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// described is a set with an OpenAPI document as the exporter writes it: an
// operation for each tool, and the parts that it refers to.
func described(set tool.Toolset, paths, schemas string) tool.Toolset {
	docs := documentsOf(&set)
	docs["openapi/openapi.json"] = &fstest.MapFile{Data: []byte(`{"openapi":"3.1.0","info":{"title":"T","description":"D","version":"v` + set.Name + `"},"servers":[{"url":"/"}],
"security":[{}],"tags":[],"paths":{"/a2t/tools":{"get":{"responses":{"200":{"$ref": "#/components/responses/Page"}}}}` + paths + `},
"components":{"securitySchemes":{"bearer":{"type":"http","scheme":"bearer"}},"responses":{"Page":{"description":"A page."}},"schemas":{` + schemas + `}}}`)}
	set.Docs = docs
	return set
}

// Whoever knows the address alone finds the doors, and each of them answers.
func TestDoors(t *testing.T) {
	h, _ := newServer(t)
	rec := (&wireCase{request: "GET /"}).send(h)
	runCases(t, h, []wireCase{{"doors", "GET /", "", 200, `name="weather" | doors.#=5 | doors.0={"at":"/a2t/tools","protocol":"a2t","specification":"draft-rosenberg-aiproto-a2t-00"} | doors.3.at="/mcp" | openapi? | Cache-Control: no-cache`},
		{"none", "GET /openapi.json", "", 404, `reason="unknown_path"`},
		{"post", "POST /", "{}", 405, `Allow: GET, HEAD, OPTIONS`}})
	for _, at := range []string{"/a2t/tools", "/nact/tools", "/otc/tools", "/atdf/tools"} {
		if !strings.Contains(rec.Body.String(), `"at":"`+at+`"`) {
			t.Errorf("no door at %s: %s", at, rec.Body)
		}
		runCases(t, h, []wireCase{{at, "GET " + at, "", 200, ""}})
	}
	some, _ := newServer(t, serve.WithProtocols(serve.ProtocolMCP, serve.ProtocolA2T), serve.WithPrefix(serve.ProtocolA2T, ""))
	runCases(t, some, []wireCase{{"moved", "GET /", "", 200, `doors.#=2 | doors.0.at="/tools" | doors.1.at="/mcp"`}})
}

// GET /openapi.json describes what is served and nothing else: all sets, without
// the tools that are filtered out, where A2T is mounted.
func TestOpenAPI(t *testing.T) {
	storm, weather := "/a2t/tools/"+reportID+":invoke", "/a2t/tools/"+lookupID+":invoke"
	one := described(newWeather(t).toolset(),
		`,"`+storm+`":{"post":{"x":{"$ref":"#/components/schemas/Storm"}}},"`+weather+`":{"post":{"x":{"$ref":"#/components/schemas/Weather"}}}`,
		`"Storm":{"$ref":"#/components/schemas/Place"},"Weather":{"type":"string"},"Place":{"type":"object"},"Nobody":{}`)
	other := described(tool.Toolset{Handshake: tool.Handshake, Name: "Other"}, "", `"Mine":{}`)
	serving := func(sets []tool.Toolset, options ...serve.Option) *httptest.ResponseRecorder {
		h, err := serve.NewHandler(sets, append(options, serve.WithUnreleased())...)
		if err != nil {
			t.Fatal(err)
		}
		runCases(t, h, []wireCase{{"doors", "GET /", "", 200, `openapi="/openapi.json"`}})
		return (&wireCase{request: "GET /openapi.json"}).send(h)
	}
	all := serving([]tool.Toolset{one, other})
	check := wireCase{name: "all", status: 200, facts: `openapi="3.1.0" | info.version="v` + one.Name + `-vOther" | components.securitySchemes.bearer.type="http" | components.responses.Page.description="A page." | components.schemas={"Place":{"type":"object"},"Storm":{"$ref":"#/components/schemas/Place"},"Weather":{"type":"string"}}`}
	check.check(t, all)
	for _, at := range []string{storm, weather, "/a2t/tools"} {
		if !bytes.Contains(all.Body.Bytes(), []byte(`"`+at+`":`)) {
			t.Errorf("no path %s: %s", at, all.Body)
		}
	}
	few := serving([]tool.Toolset{one}, serve.WithEffects(func(e tool.Effects) bool { return e.ReadOnly }), serve.WithPrefix(serve.ProtocolA2T, ""))
	check = wireCase{name: "few", status: 200, facts: `components.schemas={"Weather":{"type":"string"}} | info.title="T"`}
	check.check(t, few)
	if text := few.Body.String(); strings.Contains(text, reportID) || !strings.Contains(text, `"/tools/`+lookupID) || strings.Contains(text, "/a2t/") {
		t.Errorf("paths of a subset at the root: %s", text)
	}
	clash := described(tool.Toolset{Handshake: tool.Handshake, Name: "Clash"}, `,"/a2t/x":{"y":{"$ref":"#/components/schemas/Weather"}}`, `"Weather":{"type":"integer"}`)
	if rec := serving([]tool.Toolset{one, clash}); rec.Code != 500 {
		t.Errorf("two parts of one name: %d %s", rec.Code, rec.Body)
	}
}

// Every answer ends with a line feed, and is as long as its header says.
func TestLineFeeds(t *testing.T) {
	h, _ := newServer(t)
	for _, c := range []wireCase{
		{request: "GET /"}, {request: "GET /a2t/tools"}, {request: "GET /a2t" + lookupPath}, {request: "GET /nowhere"}, {request: "GET /otc/tools"}, {request: "GET /otc/health"},
		{request: "GET /atdf/tools"}, {request: "GET /atdf/health"}, {request: "GET /atdf/tools/none"}, {request: "POST /a2t" + lookupPath + ":invoke", body: `{"input_parameters":[]}`},
		{request: "POST /otc/tools/call", body: `{}`}, {request: "POST /mcp", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`}, {request: "POST /mcp", body: `x`}, {request: "GET /healthz"},
	} {
		rec := c.send(h)
		body := rec.Body.String()
		if !strings.HasSuffix(body, "\n") || strings.HasSuffix(body, "\n\n") {
			t.Errorf("%s ends with %q", c.request, body[max(0, len(body)-5):])
		}
		if n := rec.Header().Get("Content-Length"); n != "" && n != strconv.Itoa(len(body)) {
			t.Errorf("%s: Content-Length %s of %d", c.request, n, len(body))
		}
	}
}
