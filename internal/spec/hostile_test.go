package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const head = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"

// answering is a document with one operation "get" that answers with X, and
// the given schemas.
func answering(schemas string) string {
	return head + "paths: {/x: {get: {operationId: get, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/X'}}}}}}}}\n" +
		"components: {schemas: {" + schemas + "}}\n"
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("NEXT", fmt.Sprint(i+1), "THIS", fmt.Sprint(i)).Replace(format))
	}
	return b.String()
}

// Every hostile document is answered with a finding, or read, in seconds; the
// deadline is far above what is needed, so that a busy machine does not fail.
func TestHostileDocuments(t *testing.T) {
	bomb := "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		n := fmt.Sprint(i)
		bomb += "b" + n + ": &a" + fmt.Sprint(i+1) + " [" + strings.Repeat("*a"+n+", ", 9) + "*a" + n + "]\n"
	}
	width := 20
	many := func(name string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d: {type: object, properties: {a: {$ref: '#/components/schemas/%s%d'}, b: {anyOf: [{$ref: '#/components/schemas/%s%d'}, {$ref: '#/components/schemas/%s%d'}]}}}, ",
				name, i, name, (i*7+1)%n, name, (i*3+2)%n, name, (i+5)%n)
		}
		return b.String()
	}
	refs := func(name string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{$ref: '#/components/schemas/%s%d'}, ", name, i)
		}
		return b.String()
	}
	tests := []struct{ name, file, text, rule string }{
		{"alias bomb", "a.yaml", head + "paths: {}\n" + bomb, "yaml-aliases"},
		{"alias of itself", "a.yaml", "openapi: 3.0.3\npaths: &p {/x: *p}\n", "yaml-aliases"},
		{"deep JSON", "a.json", `{"openapi":"3.0.3","paths":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + "}", "document-too-deep"},
		{"deep JSON without end", "a.json", strings.Repeat(`[`, 5_000_000), "document-too-deep"},
		{"deep YAML flow", "a.yaml", "openapi: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "document-too-deep"},
		{"very deep YAML flow", "a.yaml", "openapi: " + strings.Repeat("[", 500_000), "document-too-deep"},
		{"deep YAML aliases", "a.yaml", "a0: &a0 [1]\n" + repeat(1000, "bTHIS: &aNEXT [*aTHIS]\n"), "document-too-deep"},
		{"deep items", "a.yaml", answering("X: " + strings.Repeat("{type: array, items: ", 150) + "{type: string}" + strings.Repeat("}", 150)), "-"},
		{"wide enum", "a.yaml", answering("X: {type: string, enum: [" + repeat(100_000, "vTHIS, ") + "]}"), "-"},
		{"wide object", "a.yaml", answering("X: {type: object, properties: {" + repeat(50_000, "pTHIS: {type: string}, ") + "}}"), "-"},
		{"wide union", "a.yaml", answering("X: {oneOf: [" + repeat(20_000, "{type: object, properties: {a: {type: object, properties: {bTHIS: {type: string}}}}}, ") + "]}"), "-"},
		{"chain of references", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(10_000, "YTHIS: {$ref: '#/components/schemas/YNEXT'}, ")), "reference-cycle"},
		{"chain of components", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(15_000, "YTHIS: {type: array, items: {$ref: '#/components/schemas/YNEXT'}}, ")), "dangling-reference"},
		{"chain of allOf", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(15_000, "YTHIS: {properties: {pTHIS: {type: string}}, allOf: [{$ref: '#/components/schemas/YNEXT'}]}, ") + "Y15000: {type: object}"), "-"},
		{"chain of allOf, one field", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(15_000, "YTHIS: {properties: {p: {type: string, maxLength: THIS}}, allOf: [{$ref: '#/components/schemas/YNEXT'}]}, ") + "Y15000: {type: object}"), "schema-too-complex"},
		{"too many components", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(25_000, "YTHIS: {type: array, items: {$ref: '#/components/schemas/YNEXT'}}, ")), "slice-too-large"},
		{"union of a knot", "a.yaml", answering(many("Y", 200) + "X: {oneOf: [" + refs("Y", 200) + "]}"), "-"},
		{"unions of unions", "a.yaml", answering(many("Y", 300) + "X: {type: object, properties: {" + func() string {
			var b strings.Builder
			for i := range 300 {
				fmt.Fprintf(&b, "p%d: {anyOf: [%s]}, ", i, refs("Y", i%width+2))
			}
			return b.String()
		}() + "}}"), "-"},
		{"powers of allOf", "a.yaml", answering("X: {$ref: '#/components/schemas/Y0'}, " + repeat(60, "YTHIS: {allOf: [{$ref: '#/components/schemas/YNEXT'}, {$ref: '#/components/schemas/YNEXT'}, {properties: {a: {$ref: '#/components/schemas/YNEXT'}}}]}, ") + "Y60: {type: object, properties: {z: {type: string}}}"), "-"},
		{"self", "a.yaml", answering("X: {$ref: '#/components/schemas/X'}"), "reference-cycle"},
		{"allOf of itself", "a.yaml", answering("X: {allOf: [{$ref: '#/components/schemas/X'}, {properties: {a: {type: string}}}]}"), "reference-cycle"},
		{"pointer through itself", "a.yaml", answering("X: {$ref: '#/components/schemas/X/a/b/c'}"), "dangling-reference"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if golden.Race && len(tt.text) > 200<<10 {
				t.Skip("a wide document: the gate runs it without the race detector")
			}
			start := time.Now()
			fsys := fstest.MapFS{tt.file: {Data: []byte(tt.text)}}
			_, findings := spec.Load(fsys, []spec.Source{{API: "a", File: tt.file, Wants: []spec.Want{{ID: "get"}}}})
			took := time.Since(start)
			t.Logf("%d KB in %v, %d findings", len(tt.text)/1024, took, len(findings))
			if took > 2*time.Minute {
				t.Errorf("took %v", took)
			}
			checkRule(t, findings, tt.rule)
		})
	}
}

// checkRule demands a finding of the rule; "-" demands no error, "" nothing.
func checkRule(t *testing.T, findings diag.List, rule string) {
	t.Helper()
	found := false
	for i, f := range findings {
		if i < 5 {
			t.Logf("%v: %v[%s]: %.300s", f.Span, f.Severity, f.Rule.String(), f.Message)
		}
		found = found || f.Rule.String() == rule
	}
	if rule == "-" && findings.HasErrors() || rule != "-" && rule != "" && !found {
		t.Errorf("want %q", rule)
	}
}
