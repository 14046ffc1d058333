package spec_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

const smallSwagger = `{"swagger":"2.0","host":"h.example","basePath":"/v1","schemes":["https"],"consumes":["application/x-www-form-urlencoded"],
"paths":{"/a/{b}":{"post":{"operationId":"a","parameters":[{"name":"b","in":"path","required":true,"type":"array","items":{"type":"string"},"collectionFormat":"pipes"},
{"name":"f","in":"formData","type":"file"},{"$ref":"#/parameters/p"}],"responses":{"200":{"description":"","schema":{"$ref":"#/definitions/X"}}}}}},
"parameters":{"p":{"name":"p","in":"query","type":"string","enum":["a"]}},
"definitions":{"X":{"type":"object","properties":{"n":{"type":"string","x-nullable":true},"x":{"$ref":"#/definitions/X"}}}}}`

// FuzzLoad feeds broken documents: whatever comes, there is no panic, and what
// was wanted is either there or explained.
func FuzzLoad(f *testing.F) {
	library, err := os.ReadFile("../../testdata/openapi/library.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(library, false)
	f.Add([]byte(smallSwagger), true)
	for _, tt := range typingTests {
		f.Add([]byte(answering("X: "+tt.schema)), false)
	}
	for _, tt := range brokenTests {
		f.Add([]byte(tt.text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		file := "a.yaml"
		if isJSON {
			file = "a.json"
		}
		fsys := fstest.MapFS{file: {Data: data}}
		all, findings := spec.Index(fsys, file)
		if len(all) > 20 {
			all = all[:20]
		}
		set, more := spec.Load(fsys, []spec.Source{{API: "lib", File: file, Wants: wantAll(all)}})
		if findings.HasErrors() {
			return
		}
		shapeOf(set)
		if len(set.APIs["lib"].Operations) < len(all) && !more.HasErrors() {
			t.Errorf("%d of %d operations and no error", len(set.APIs["lib"].Operations), len(all))
		}
	})
}

// FuzzOverlay feeds broken overlays over small documents: whatever comes, there
// is no panic, no document grows without end, and an operation that is gone is
// explained.
func FuzzOverlay(f *testing.F) {
	const document = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"https://h.example"}],"paths":{
"/a":{"get":{"operationId":"a","parameters":[{"name":"p","in":"query","schema":{"type":"string"}}],"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}}}}},
"/b":{"post":{"operationId":"b","responses":{"204":{"description":""}}}}},"components":{"schemas":{"X":{"type":"object","properties":{"n":{"type":"integer"}}}}}}`
	for _, actions := range []string{
		"- {target: $.info, update: {title: U, new: {deep: [1]}}}",
		"- {target: '$.paths[\"/b\"]', remove: true}",
		"- {target: '$..[?@.name || @.parameters]', update: {seen: 1}}",
		"- {target: $.components.schemas, copy: $.components}\n- {target: $.components.schemas.schemas, copy: $.components}",
		"- {target: '$..*', update: {a: {b: {}}}}\n- {target: '$..*', update: {a: {b: {}}}}",
		"- {target: \"$..parameters[?@.name=='p']\", update: {schema: {$ref: '#/components/schemas/X'}}}",
	} {
		f.Add([]byte(document), []byte("overlay: 1.1.0\ninfo: {title: Mend, version: '1'}\nactions:\n"+actions))
	}
	f.Fuzz(func(t *testing.T, data, overlay []byte) {
		fsys := fstest.MapFS{"a.json": {Data: data}}
		all, findings := spec.Index(fsys, "a.json")
		if findings.HasErrors() {
			return
		}
		if len(all) > 20 {
			all = all[:20]
		}
		set, more := spec.Load(fsys, []spec.Source{{API: "lib", File: "a.json", Wants: wantAll(all), Overlays: []spec.Overlay{{File: "m.yaml", Data: overlay}}}})
		if api := set.APIs["lib"]; api != nil {
			shapeOf(set)
			if len(api.Operations) == len(all) {
				return
			}
		}
		if !more.HasErrors() {
			t.Errorf("of %d operations some are gone, and no error", len(all))
		}
	})
}
