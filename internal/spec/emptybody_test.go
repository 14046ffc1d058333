package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Of GET and HEAD the bodies go that can hold nothing, and no others: a service
// may want a body of a search.
func TestEmptyBodiesGo(t *testing.T) {
	for _, c := range []struct {
		schema string
		kept   bool
	}{
		{"{type: object, additionalProperties: false}", false}, {"{type: object, properties: {}, additionalProperties: false}", false},
		{"{type: object, properties: {q: {type: string}}}", true}, {"{type: object, additionalProperties: {type: string}}", true},
		{"{type: object}", true}, {"{type: string}", true}, {"{type: array, items: {type: string}}", true},
	} {
		for method, drops := range map[string]bool{"get": true, "head": true, "post": false, "delete": false, "put": false} {
			text := paths("  /x: {" + method + ": {operationId: get, requestBody: {content: {application/json: {schema: " + c.schema + "}}}, " + ok200 + "}}\n")
			set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
			op := set.Operation("a", spec.Want{ID: "get"})
			if op == nil {
				t.Fatal(text, findings)
			}
			if kept := op.Body != nil; kept != (c.kept || !drops) {
				t.Errorf("%s %s: a body: %t", strings.ToUpper(method), c.schema, kept)
			}
		}
	}
}
