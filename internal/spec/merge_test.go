package spec_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// gotten is the operation "get" of a document.
func gotten(t *testing.T, text string) *operation.Operation {
	t.Helper()
	set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
	op := set.Operation("a", spec.Want{ID: "get"})
	if op == nil {
		t.Fatal(text, findings)
	}
	return op
}

// A parameter of the operation stands where the one of the path was that it
// replaces, once; others follow in their order.
func TestParametersOfPathAndOperation(t *testing.T) {
	const at = "\n      - {name: "
	for _, c := range []struct{ path, own, want string }{
		{at + "a, in: query, schema: {type: string}}" + at + "b, in: query, schema: {type: string}}", at + "a, in: query, schema: {type: integer}}", "[a query int b query string]"},
		{at + "a, in: query, schema: {type: string}}", at + "a, in: header, schema: {type: integer}}", "[a query string a header int]"},
		{at + "a, in: query, schema: {type: string}}", at + "c, in: query, schema: {type: boolean}}" + at + "a, in: query, schema: {type: integer}}", "[a query int c query bool]"},
		{at + "a, in: query, schema: {type: string}}", "\n      - {$ref: '#/components/parameters/A'}", "[a query double]"},
		{"\n      - {$ref: '#/components/parameters/A'}", at + "a, in: query, schema: {type: string}}", "[a query string]"},
		{"\n      - {$ref: '#/components/parameters/A'}", "", "[a query double]"},
	} {
		text := head + "paths:\n  /x:\n"
		if c.path != "" {
			text += "    parameters:" + c.path + "\n"
		}
		text += "    get:\n      operationId: get\n"
		if c.own != "" {
			text += "      parameters:" + c.own + "\n"
		}
		text += "      " + ok200 + "\ncomponents: {parameters: {A: {name: a, in: query, schema: {type: number}}}}\n"
		var got []string
		for _, p := range gotten(t, text).Params {
			got = append(got, p.Name+" "+string(p.In)+" "+p.Type.String())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s\n%v, want %s", text, got, c.want)
		}
	}
}

// All parts of an allOf that say something have to allow null, one of an anyOf
// or oneOf; parts that only describe do not count.
func TestNullableParts(t *testing.T) {
	const text, null = "{type: string}", "{type: string, nullable: true}"
	for schema, want := range map[string]bool{
		text: false, null: true, "{description: d}": false,
		"{allOf: [" + null + "]}": true, "{allOf: [" + text + "]}": false, "{allOf: [" + null + ", " + text + "]}": false, "{allOf: [" + null + ", " + null + "]}": true,
		"{allOf: [{description: d}, " + null + "]}": true, "{allOf: [" + null + ", {description: d}]}": true, "{allOf: [{description: d}, " + text + "]}": false,
		"{anyOf: [" + text + ", " + null + "]}": true, "{oneOf: [" + null + ", " + text + "]}": true, "{oneOf: [" + text + ", {type: integer}]}": false,
		"{nullable: true, allOf: [" + text + "]}": true, "{type: string, allOf: [" + null + "]}": false,
		"{allOf: [" + null + "], anyOf: [" + text + "]}": false, "{allOf: [" + null + "], anyOf: [" + text + ", " + null + "]}": true,
		"{type: string, enum: [a, null]}": true, "{allOf: [{anyOf: [" + null + "]}]}": true,
	} {
		u := gotten(t, answering("X: {type: object, properties: {a: "+schema+"}}")).Responses[0].Media[0].Schema
		if got := u.Fields[0].Nullable; got != want {
			t.Errorf("%s: nullable %t", schema, got)
		}
	}
}
