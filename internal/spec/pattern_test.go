package spec_test

import (
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Members that have a pattern instead of a name are the extra members of an object
// that has no others; what their schemas refer to is kept.
func TestPatternProperties(t *testing.T) {
	const rest = "\ncomponents: {schemas: {Count: {type: object, properties: {n: {type: integer}}}}}\n"
	for schema, want := range map[string]string{
		"{type: object, properties: {a: {type: string}}, patternProperties: {'^x-': {$ref: '#/components/schemas/Count'}}, additionalProperties: false}": "GetResponse{a: string, *: Count{n: int}}",
		"{type: object, patternProperties: {'^[a-z]+$': {type: [integer, 'null']}}, additionalProperties: false}":                                        "map(int?)",
		"{type: object, properties: {a: {type: string}}, patternProperties: {'^x': {type: integer}, '^y': {type: string}}, additionalProperties: false}": "GetResponse{a: string, *: dyn(no schema)}",
		"{type: object, properties: {a: {type: string}}, patternProperties: {'^x': {type: integer}}}":                                                    "GetResponse{a: string}",
		"{type: object, patternProperties: {'^x': {type: integer}}, additionalProperties: {type: string}}":                                               "map(string)",
	} {
		text := "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: https://a.example}]\npaths:\n  /x: {get: {operationId: get, responses: {'200': {description: It., content: {application/json: {schema: " + schema + "}}}}}}" + rest
		set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
		op := set.Operation("a", spec.Want{ID: "get"})
		if op == nil {
			t.Fatal(text, findings)
		}
		if got := show(op.Responses[0].Media[0].Schema, 2); got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}
