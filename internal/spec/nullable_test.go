package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// nullableForms are the ways to write "a text or null", by the version that has them.
var nullableForms = []struct{ version, schema string }{
	{"2.0", "{type: string, x-nullable: true}"},
	{"2.0", "{type: string, x-nullable: true, enum: [a, null]}"},
	{"2.0", "{type: string, enum: [a, null]}"},
	{"2.0", "{x-nullable: true, allOf: [{$ref: '#/definitions/Text'}]}"},
	{"2.0", "{allOf: [{$ref: '#/definitions/Maybe'}]}"},
	{"2.0", "{anyOf: [{$ref: '#/definitions/Text'}, {x-nullable: true}]}"},
	{"3.0.3", "{type: string, nullable: true}"},
	{"3.0.3", "{anyOf: [{type: string}, {nullable: true}]}"},
	{"3.0.3", "{oneOf: [{nullable: true, description: No value.}, {$ref: '#/components/schemas/Text'}]}"},
	{"3.0.3", "{anyOf: [{$ref: '#/components/schemas/Text'}, {$ref: '#/components/schemas/Null'}]}"},
	{"3.0.3", "{allOf: [{$ref: '#/components/schemas/Maybe'}]}"},
	{"3.0.3", "{nullable: true, allOf: [{$ref: '#/components/schemas/Text'}]}"},
	{"3.0.3", "{type: string, enum: [a, null]}"},
	{"3.0.3", "{nullable: true, type: string, enum: [a, null]}"},
	{"3.0.3", "{anyOf: [{type: string, enum: [a]}, {type: string, nullable: true, enum: [null]}]}"},
	{"3.1.0", "{type: [string, 'null']}"},
	{"3.1.0", "{oneOf: [{type: string}, {type: 'null'}]}"},
	{"3.1.0", "{anyOf: [{type: 'null'}, {$ref: '#/components/schemas/Text'}]}"},
	{"3.1.0", "{oneOf: [{const: null}, {type: string}]}"},
	{"3.1.0", "{anyOf: [{enum: [null]}, {enum: [a]}]}"},
	{"3.1.0", "{enum: [a, null]}"},
	{"3.1.0", "{anyOf: [{type: string}, {nullable: true}]}"},
	{"3.1.0", "{allOf: [{oneOf: [{type: string}, {type: 'null'}]}]}"},
}

// Every way to say that a text may be null gives a text that may be null, in an
// answer, a body and a parameter, as a whole, as a member, in a list and in a map.
func TestNullableForms(t *testing.T) {
	for _, tt := range nullableForms {
		t.Run(tt.version+" "+tt.schema, func(t *testing.T) {
			whole := "{type: object, properties: {m: " + tt.schema + ", l: {type: array, items: " + tt.schema + "}, e: {type: object, additionalProperties: " + tt.schema + "}}}"
			set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(nullableDocument(tt.version, tt.schema, whole))}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "op"}}}})
			if len(findings) > 0 {
				t.Error(findings)
			}
			op := set.Operation("a", spec.Want{ID: "op"})
			answer, body, root := op.Responses[0].Media[0], op.Body.Media[0], op.Responses[1].Media[0]
			text := "string"
			if strings.Contains(tt.schema, "enum: [a") {
				text = `string["a"]`
			}
			want := fmt.Sprintf("{m?: %s, l: list(%[1]s?), e: map(%[1]s?)}", text)
			for _, got := range []string{show(answer.Schema, 1), show(body.Schema, 1)} {
				if _, got, _ := strings.Cut(got, "{"); "{"+got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
			if got := show(root.Schema, 1); got != text || !root.Nullable {
				t.Errorf("the whole answer is %s, nullable %v", got, root.Nullable)
			}
			for _, p := range op.Params {
				if got := show(p.Type, 1); got != text {
					t.Errorf("parameter %s is %s", p.Name, got)
				}
			}
		})
	}
}

func nullableDocument(version, schema, whole string) string {
	if version == "2.0" {
		return "swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: a.example\n" +
			"definitions: {Text: {type: string}, Maybe: {type: string, x-nullable: true}}\n" +
			"paths: {/x: {post: {operationId: op, parameters: [{in: body, name: body, schema: " + whole + "}], " +
			"responses: {'200': {description: D., schema: " + whole + "}, '201': {description: D., schema: " + schema + "}}}}}\n"
	}
	media := func(schema string) string { return "content: {application/json: {schema: " + schema + "}}" }
	return "openapi: " + version + "\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://a.example'}]\n" +
		"components: {schemas: {Text: {type: string}, Maybe: {type: string, nullable: true}, Null: {nullable: true}}}\n" +
		"paths: {/x: {post: {operationId: op, parameters: [{in: query, name: q, schema: " + schema + "}, {in: query, name: j, " + media(schema) + "}], " +
		"requestBody: {" + media(whole) + "}, responses: {'200': {description: D., " + media(whole) + "}, '201': {description: D., " + media(schema) + "}}}}}\n"
}
