package ir_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

const oneTool = `{sculpt: 1, package: shop, toolkit: Shop, namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11,
env: {KEY: {description: It., default: ''}},
apis: {shop: {openapi: shop.yaml, headers: {X-App: 'a <${env.KEY}>'}, auth: {key: 'env:KEY'}}},
constants: {kinds: {b: 2, a: 1.5}, words: [x, y]},
tools: {order: {version: 1, description: Order., inputs: {thing: {description: It., max_length: 9, mcp_header: Thing}},
  localization: {pt: {description: Pede., when_to_use: Sempre.}, de: {description: '<Bestellt>', when_to_use: Immer.}},
  steps: {
    one: {call: shop.price, with: {thing: '${input.thing}'}, cache: 90s, errors: {404: {missing: true}, 5xx Busy: {code: busy, message: M, retry_after: 2s}}},
    two: {call: shop.order, with: {thing: '${input.thing}'}, when: one.hasValue(), body: {note: null, lines: ['${input.thing}']}}},
  outputs: {kind: {value: '${one.?kind.orValue("x")}', description: K., values: {z: {name: LAST, text: L.}, x: {name: FIRST, text: F.}}}}}}}
`

const shopDocument = `{openapi: 3.0.3, info: {title: Shop, version: 1.0.0}, servers: [{url: 'https://shop.example'}],
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}, security: [{key: []}],
paths: {
  /price: {get: {operationId: price, parameters: [{name: thing, in: query, required: true, schema: {type: string}}, {name: lang, in: header, schema: {type: string}}],
    responses: {'200': {description: It., content: {application/json: {schema: {type: object, properties: {kind: {type: string}}}}}}}}},
  /order: {post: {operationId: order, parameters: [{name: thing, in: query, required: true, schema: {type: string}}], requestBody: {content: {application/json: {schema: {}}}},
    responses: {'204': {description: Done.}}}}}}
`

// program resolves the tool; what is wrong with it fails the test.
func program(t *testing.T) *ir.Program {
	t.Helper()
	m, findings := manifest.Parse("tools/shop/sculpt.yaml", []byte(oneTool))
	set, more := spec.Load(fstest.MapFS{"shop.yaml": {Data: []byte(shopDocument)}}, resolve.Sources(m))
	p, rest := resolve.Program(m, set, nil)
	for _, f := range slices.Concat(findings, more, rest) {
		t.Errorf("%s: %s", f.Rule, f.Message)
	}
	return p
}

// TestJSONOfAStep holds each form that a member of the JSON can have: nested
// tags, values with a JSON of their own, lists that are objects, what is left
// out and what never is.
func TestJSONOfAStep(t *testing.T) {
	raw := program(t).JSON()
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	text := compact.String()
	for _, want := range []string{
		`{"format":1,"package":"shop","toolkit":"Shop","env":[{"name":"KEY","description":"It.","default":""}],`,
		`"headers":[{"name":"X-App","value":"a <${env.KEY}>"}],"credentials":[{"scheme":"key","type":"apiKey","source":"env:KEY"}]}`,
		`"value":{"b":2,"a":1.5}},{"name":"words","type":"list(string)","value":["x","y"]}`,
		`"notes":{"localization":{"de":{"description":"<Bestellt>","when_to_use":"Immer."},"pt":{"description":"Pede.","when_to_use":"Sempre."}},"mcp_headers":{"thing":"Thing"},"deadline":"30s"}`,
		`"released":[],"at":"sculpt.yaml:5:9"`,
		`"regions":[[{"steps":["one","two"]}]]`,
		`{"id":"one","api":"shop","method":"GET","path":"/price","operation_id":"price","credentials":["key"],"effect":"read","parameters":[` +
			`{"name":"thing","in":"query","required":true,"type":"string","origin":"input","value":{"text":"${input.thing}","type":"string","at":"sculpt.yaml:8:44"}},` +
			`{"name":"lang","in":"header","type":"string","origin":"left out","reason":"optional, not bound"}],` +
			`"accept":"application/json","answer":"PriceResponse","reads":["","kind"],"errors":[{"status":"404","missing":true},` +
			`{"status":"5xx Busy","code":"busy","message":{"text":"M","type":"string","at":"sculpt.yaml:8:137"},"retry_after":"2s"}],"cache":"1m30s","at":"sculpt.yaml:8:17"}`,
		`"body":{"kind":"object","members":[{"name":"note","value":{"kind":"null"}},{"name":"lines","value":{"items":[{"kind":"value","value":{"text":"${input.thing}",`,
		`"reads":[],"after":["one"],`,
		`"lets":[]`, `"enum":{"x":"FIRST","z":"LAST"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nis missing in\n%s", want, text)
		}
	}
	if !bytes.HasSuffix(raw, []byte("\n}\n")) || !bytes.HasPrefix(raw, []byte("{\n\t\"format\"")) {
		t.Error("the text is not indented with tabs")
	}
}

// TestExprs names the expressions of a step by their texts: who orders steps and
// follows their values sees no others.
func TestExprs(t *testing.T) {
	e := func(text string) *ir.Expr { return &ir.Expr{Text: text} }
	failure := func(name string) ir.Failure {
		return ir.Failure{Message: e(name + " message"), Hint: e(name + " hint"), Developer: e(name + " developer")}
	}
	s := ir.Step{
		When: e("when"), Each: &ir.Each{Over: e("over")}, Bindings: []*ir.Binding{{Value: e("binding")}, {}},
		Body:   &ir.Body{Members: []ir.BodyMember{{Value: &ir.Body{Items: []*ir.Body{{Expr: e("item")}, {IsNull: true}}}}}},
		Expect: []*ir.Expect{{Check: e("check"), Failure: failure("expect")}}, Errors: []*ir.ErrorCase{{Failure: failure("error")}, {Missing: true}},
	}
	texts := func(list []*ir.Expr) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Text)
		}
		return strings.Join(out, ", ")
	}
	want := "when, over, binding, item, check, expect message, expect developer, expect hint, error message, error developer, error hint"
	if got := texts(s.Exprs()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := texts(s.Sent()); got != "binding, item" {
		t.Errorf("sent are %s", got)
	}
	p := ir.Plan{
		Steps: []*ir.Step{{When: e("first")}, {After: ir.StepIDs{&s}}}, Regions: ir.Regions{{{Steps: []*ir.Step{&s}}}},
		Lets: []*ir.Let{{Expr: e("let")}}, Outputs: []*ir.Output{{Expr: e("output")}},
	}
	if got := texts(p.Exprs()); got != "first, let, output" {
		t.Errorf("a plan has %s", got)
	}
}

// TestMayBeMissing holds what expressions have to guard.
func TestMayBeMissing(t *testing.T) {
	missing := []*ir.ErrorCase{{Missing: true}}
	for name, c := range map[string]struct {
		step ir.Step
		want bool
	}{
		"plain":                {ir.Step{}, false},
		"condition":            {ir.Step{When: &ir.Expr{}, Each: &ir.Each{}}, true},
		"empty answer":         {ir.Step{MayBeEmpty: true}, true},
		"missing case":         {ir.Step{Errors: missing}, true},
		"error case":           {ir.Step{Errors: []*ir.ErrorCase{{}}}, false},
		"missing in each call": {ir.Step{Errors: missing, Each: &ir.Each{}}, false},
	} {
		if got := c.step.MayBeMissing(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestLiteralOfAnotherType shows constants that are reported for holding two
// types: they are asked for their literal all the same.
func TestLiteralOfAnotherType(t *testing.T) {
	list, words := []any{"x"}, types.MapOf(types.StringType, types.IntType)
	for _, k := range []ir.Constant{
		{Value: list, Type: types.IntType}, {Value: ir.Map{Keys: []string{"a"}, Values: list}, Type: types.IntType},
		{Value: ir.Map{Keys: []string{"b", "a"}, Values: []any{int64(2), list}}, Type: words},
	} {
		if k.Literal() != nil {
			t.Errorf("%v of type %s has the literal %v", k.Value, k.Type, k.Literal())
		}
	}
}
