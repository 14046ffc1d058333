package spec_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// strictFS fails the test when a path is asked for that is not in it: nothing
// outside the named files may be read.
type strictFS struct {
	fstest.MapFS
	t *testing.T
}

func (s strictFS) Open(name string) (fs.File, error) {
	if _, ok := s.MapFS[name]; !ok {
		s.t.Errorf("opened %q", name)
	}
	return s.MapFS.Open(name)
}

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func TestSeveralFiles(t *testing.T) {
	fsys := strictFS{files(
		"api/openapi.yaml", paths("  /a/{id}:\n    $ref: paths/a.yaml\n  /b:\n    get: {$ref: 'paths/b.yaml#/read'}\n"),
		"api/paths/a.yaml", "parameters: [{$ref: '../shared/params.yaml#/Id'}]\nget:\n  operationId: a\n  responses: {'200': {$ref: ../shared/answer.yaml}}\n",
		"api/paths/b.yaml", "read:\n  operationId: b\n  responses: {'200': {$ref: '../shared/answer.yaml'}}\n",
		"api/shared/params.yaml", "Id: {name: id, in: path, required: true, schema: {type: integer}}\n",
		"api/shared/answer.yaml", "description: d\ncontent: {application/json: {schema: {$ref: 'models/Thing.yml'}}}\n",
		"api/shared/models/Thing.yml", "type: object\nproperties: {next: {$ref: Thing.yml}, other: {$ref: '../../../common/other.json#/definitions/Other'}}\n",
		"common/other.json", `{"definitions":{"Other":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
	), t}
	wants := []spec.Want{{ID: "a"}, {ID: "b"}}
	set, findings := spec.Load(fsys, []spec.Source{{API: "x", File: "api/openapi.yaml", Wants: wants}})
	checkFindings(t, findings, "")
	a, b := set.Operation("x", wants[0]), set.Operation("x", wants[1])
	if a == nil || b == nil {
		t.Fatal("not loaded")
	}
	if len(a.Params) != 1 || a.Params[0].Type.String() != "int" || a.Params[0].Span.File != "api/shared/params.yaml" {
		t.Errorf("%+v", a.Params)
	}
	thing := a.Responses[0].Media[0].Schema
	if thing != b.Responses[0].Media[0].Schema || thing.Name != "Thing" || thing.Field("next").Type != thing || thing.Field("other").Type.Name != "Other" {
		t.Errorf("%v", show(thing, 2))
	}
	if a.Span.File != "api/paths/a.yaml" && a.Span.File != "api/openapi.yaml" {
		t.Errorf("span %v", a.Span)
	}

	moved := fstest.MapFS{}
	for name, f := range fsys.MapFS {
		moved["v1/"+name] = f
	}
	again, _ := spec.Load(moved, []spec.Source{{API: "x", File: "v1/api/openapi.yaml", Wants: wants}})
	if again.Operation("x", wants[1]).Digest != b.Digest {
		t.Error("the digest depends on the folder")
	}
}

func TestFilesThatAreNotRead(t *testing.T) {
	tests := []struct{ name, ref, want string }{
		{"network", "http://h.example/x.yaml", "remote-reference"},
		{"network, upper case", "HTTPS://h.example/x.yaml", "remote-reference"},
		{"data", "data:application/json,{}", "remote-reference"},
		{"parent", "../../../x.yaml", "reference-outside"},
		{"parent in the middle", "a/../../../x.yaml", "reference-outside"},
		{"encoded parent", "..%2f..%2f..%2fx.yaml", "reference-outside"},
		{"absolute", "/etc/passwd", "reference-outside"},
		{"Windows", `..\..\x.yaml`, "reference-outside"},
		{"zero byte", "x%00.yaml", "reference-outside"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := strictFS{files("api/a.yaml", answering("X: {properties: {a: {$ref: '"+tt.ref+"'}}}")), t}
			set, findings := spec.Load(fsys, []spec.Source{{API: "a", File: "api/a.yaml", Wants: []spec.Want{{ID: "get"}}}})
			if len(findings) != 1 || findings[0].Rule.String() != tt.want || findings.HasErrors() {
				t.Errorf("%v", findings)
			}
			if got := show(set.Operation("a", spec.Want{ID: "get"}).Responses[0].Media[0].Schema, 1); got != "X{a: dyn(no schema)}" {
				t.Error(got)
			}
		})
	}
}

func TestBrokenFileElsewhere(t *testing.T) {
	fsys := files("a.yaml", answering("X: {properties: {a: {$ref: 'b.json#/X'}}}"), "b.json", "{\n  \"X\": [1,\n}")
	_, findings := spec.Load(fsys, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
	checkFindings(t, findings, "b.json:3:1 document-syntax invalid JSON: unexpected character")
}

func TestSwagger(t *testing.T) {
	set, findings := spec.Load(files("a.json", smallSwagger), []spec.Source{{API: "a", File: "a.json", Wants: []spec.Want{{ID: "a"}}}})
	checkFindings(t, findings, "")
	op := set.Operation("a", spec.Want{ID: "a"})
	if op == nil || op.Server.BaseURL() != "https://h.example/v1" {
		t.Fatalf("%+v", op)
	}
	var params []string
	for _, p := range op.Params {
		params = append(params, strings.Join([]string{string(p.In), p.Name, p.Style, show(p.Type, 1)}, " "))
	}
	if diff := cmp.Diff([]string{"path b pipeDelimited list(string)", `query p form string["a"]`}, params); diff != "" {
		t.Error(diff)
	}
	if op.Body == nil || op.Body.Media[0].Type != "multipart/form-data" || show(op.Body.Media[0].Schema, 1) != "ABody{f: string binary}" {
		t.Errorf("%+v", op.Body)
	}
	if got := show(op.Responses[0].Media[0].Schema, 1); got != "X{n?: string, x: X}" || op.Responses[0].Media[0].Type != "application/json" {
		t.Error(got)
	}
}

func TestSwaggerDetails(t *testing.T) {
	text := `
swagger: '2.0'
host: h.example
schemes: [http]
securityDefinitions: {b: {type: basic}, k: {type: apiKey, in: query, name: key}}
security: [{b: []}, {k: []}]
produces: [application/json, application/xml]
paths:
  /form:
    post:
      operationId: form
      parameters:
        - {name: a, in: formData, type: string, required: true, description: The a., maxLength: 3}
        - {name: list, in: formData, type: array, items: {type: integer}, collectionFormat: multi}
        - {name: csv, in: query, type: array, items: {type: string}}
        - {name: multi, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ssv, in: query, type: array, items: {type: string}, collectionFormat: ssv}
      responses: {'200': {$ref: '#/responses/OK'}, '400': {description: d, schema: {type: file}}}
  /body:
    put:
      operationId: body
      consumes: [application/json]
      parameters: [{$ref: '#/parameters/Body'}]
      responses: {'204': {description: d}}
  /broken:
    put:
      operationId: broken
      parameters: [{in: formData, type: string}, {in: body}, {name: x, in: query, type: file}, 3]
      responses: {'204': []}
parameters: {Body: {name: body, in: body, required: true, schema: {type: object, required: [n], properties: {n: {type: integer, x-nullable: true}}}}}
responses: {OK: {description: d, schema: {type: array, items: {type: string}}}}
`
	wants := []spec.Want{{ID: "form"}, {ID: "body"}, {ID: "broken"}}
	set, findings := spec.Load(files("a.yaml", text), []spec.Source{{API: "a", File: "a.yaml", Wants: wants}})
	if findings.HasErrors() || len(findings) == 0 {
		t.Error(findings)
	}
	form := set.Operation("a", wants[0])
	if got := show(form.Body.Media[0].Schema, 1); got != "FormBody{a!: string maxlen=3, list: list(int)}" || !form.Body.Required || form.Body.Media[0].Type != "application/x-www-form-urlencoded" {
		t.Errorf("%s %+v", got, form.Body)
	}
	if diff := cmp.Diff([]operation.Encoding{{Name: "list", Style: "form", Explode: true}}, form.Body.Media[0].Encoding); diff != "" {
		t.Error(diff)
	}
	var styles []string
	for _, p := range form.Params {
		style := p.Name + " " + p.Style
		if p.Explode {
			style += " explode"
		}
		styles = append(styles, style)
	}
	if diff := cmp.Diff([]string{"csv form", "multi form explode", "ssv spaceDelimited"}, styles); diff != "" {
		t.Error(diff)
	}
	if r := form.Responses; len(r) != 2 || len(r[0].Media) != 2 || show(r[0].Media[1].Schema, 1) != "list(string)" || show(r[1].Media[0].Schema, 1) != "string binary" {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([][]string{{"b"}, {"k"}}, form.Security); diff != "" {
		t.Error(diff)
	}
	schemes := set.APIs["a"].Schemes
	if *schemes["b"] != (operation.Scheme{Name: "b", Type: "http", HTTP: "basic"}) || *schemes["k"] != (operation.Scheme{Name: "k", Type: "apiKey", In: "query", Param: "key"}) {
		t.Errorf("%v", schemes)
	}
	body := set.Operation("a", wants[1])
	if got := show(body.Body.Media[0].Schema, 1); got != "BodyBody{n!?: int}" || form.Server.BaseURL() != "http://h.example" {
		t.Error(got, form.Server.BaseURL())
	}
}

func TestPathsAndServers(t *testing.T) {
	tests := []struct{ path, server, parts, query, base string }{
		{"/a/{x},{y}", "https://h.example/", "/a/ {x} , {y}", "", "https://h.example"},
		{"/a/{x}...{y}.json", "https://h.example/v1", "/a/ {x} ... {y} .json", "", "https://h.example/v1"},
		{"/a/{x*}", "/v1", "/a/ {x}", "", ""},
		{"/a/{.x*}/{;y}", "", "/a/ {x} / {y}", "", ""},
		{"/a/{+x}", "//h.example", "/a/ {x}", "", ""},
		{"/a?beta=true", "{scheme}://h.example", "/a", "beta=true", ""},
		{"/a#one", "https://{host}/v1", "/a", "", ""},
		{"/{x}?b#c", "ftp://h.example", "/ {x}", "b", ""},
		{"/", "https://user:secret@h.example/a?b#c", "/", "", "https://h.example/a"},
		{"/<x>", "", "/<x>", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			text := head + "servers: [{url: '" + tt.server + "'}]\npaths:\n  '" + tt.path + "': {get: {operationId: get, parameters: [{name: x, in: path, schema: {type: string}}, {name: y, in: path, schema: {type: string}}], " + ok200 + "}}\n"
			set, findings := spec.Load(files("a.yaml", text), []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{Method: "GET", Path: tt.path}}}})
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			op := set.APIs["a"].Operations[0]
			var parts []string
			for _, p := range op.Parts {
				if p.Param != "" {
					parts = append(parts, "{"+p.Param+"}")
				} else {
					parts = append(parts, p.Literal)
				}
			}
			if got := strings.Join(parts, " "); got != tt.parts || op.Query != tt.query || op.Server.BaseURL() != tt.base || op.Path != tt.path {
				t.Errorf("%q %q %q", got, op.Query, op.Server.BaseURL())
			}
		})
	}
}

// The published document that kin-openapi refuses as a whole gives the
// operations that its broken schema does not touch.
func TestBrokenSchemaElsewhereInPublishedDocument(t *testing.T) {
	fsys := corpus(t)
	set, findings := spec.Load(fsys, []spec.Source{{API: "nws", File: "openapi/nws-1.9.0.yaml", Wants: []spec.Want{{ID: "gridpoint_forecast"}, {ID: "alerts_active"}}}})
	if findings.HasErrors() || len(set.APIs["nws"].Operations) != 2 {
		t.Error(findings)
	}
}
