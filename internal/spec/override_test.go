package spec_test

import (
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// A stated schema is about the representation that the document has: JSON before
// a table, and JSON where neither is documented, since documents call it all sorts
// of text.
func TestAStatedSchemaKeepsTheMediaType(t *testing.T) {
	for content, want := range map[string]string{
		"text/csv: {schema: {type: string}}":                    "text/csv",
		"text/csv: {}, application/json: {}":                    "application/json",
		"text/csv; charset=utf-8: {schema: {type: string}}":     "text/csv; charset=utf-8",
		"text/plain: {schema: {type: string}}":                  "application/json",
		"application/csv: {}, application/problem+json: {}":     "application/problem+json",
		"image/png: {}, application/csv: {}, text/markdown: {}": "application/csv",
	} {
		fsys := fstest.MapFS{"api.yaml": {Data: []byte(`openapi: 3.1.0
info: {title: Tables, version: '1'}
paths: {/rows: {get: {operationId: rows, responses: {'200': {description: Rows., content: {` + content + `}}}}}}
`)}}
		stated := &spec.Override{Schema: `{"type":"array","items":{"type":"object","properties":{"day":{"type":"string"}}}}`}
		set, findings := spec.Load(fsys, []spec.Source{{API: "a", File: "api.yaml", Wants: []spec.Want{{Method: "GET", Path: "/rows", Answer: stated}}}})
		if len(findings) > 0 || len(set.APIs["a"].Operations) != 1 {
			t.Fatalf("%s: %v", content, findings)
		}
		if got := set.APIs["a"].Operations[0].Responses[0].Media[0].Type; got != want {
			t.Errorf("%s: the answer is %s, want %s", content, got, want)
		}
	}
}
