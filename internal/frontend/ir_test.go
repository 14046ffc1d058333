package frontend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

func irSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile("../../docs/ir.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	if err := c.AddResource("ir", bytes.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("ir")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// richManifest has what plans can have.
const richManifest = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env:
  SHOP_KEY: {description: The key.}
apis:
  shop:
    openapi: openapi/shop.yaml
    headers: {X-App: 'a "${env.SHOP_KEY}"'}
    auth: {key: env:SHOP_KEY, user: caller}
    timeout: 90s
    retry: {attempts: 2}
constants:
  kinds: {b: 2, a: 1.5}
tools:
  find_price:
    version: 1
    description: Find <prices> & order.
    timeout: 1m30s
    author: The shop
    localization: {de: {description: Findet Preise., when_to_use: Immer.}}
    prerequisites: {conditions: [The shop is open.]}
    feedback: {completion: [A bell.]}
    effects: {destructive: true, creates: [order], modifies: ["price <list>"], deletes: [basket], cost: low, duration: 1-90s}
    inputs:
      thing: {description: The thing., max_length: 40, mcp_header: Thing}
      size: {description: The size., values: {BIG: {text: Big., send: xl}, SMALL: Small.}}
    steps:
      one:
        call: shop.price
        with: {thing: '${input.thing}'}
        cache: 10m
        errors: {404: {missing: true}, 5xx: {code: closed, message: The shop is closed., retry: same, retry_after: 3s}}
      many:
        call: shop.price
        with: {thing: '${item}'}
        for_each: '["a", "b"]'
        max: 3
      listed: {call: shop.price, with: {thing: a}, collect: {items: '[listed.cents]', until: listed.cents > 9, next: string(listed.cents), parameter: thing, max: 5, partial: true}}
      waited: {call: shop.price, with: {thing: b}, poll: {until: waited.cents > 0, max: 20s}}
      order:
        call: shop.order
        when: one.?cents.orValue(0) > 0
        body: {size: '${input.size}', note: null, lines: [{thing: '${input.thing}'}]}
        expect:
          - {check: 'result_ok', code: refused, message: 'No "${input.thing}".', hint: Ask., developer_message: Stock.}
    let:
      result_ok: '${one.?cents.orValue(0) > 1}'
    outputs:
      cents: {value: '${one.?cents.orValue(0)}', description: The price.}
      all: {value: '${many.map(m, m.cents)}', description: Prices., max_items: 2}
`

const richDocument = `openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: https://shop.example}]
security: [{key: []}]
paths:
  /price:
    get:
      operationId: price
      parameters:
        - {name: thing, in: query, required: true, schema: {type: string}}
        - {name: lang, in: header, schema: {type: string}}
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object, required: [cents], properties: {cents: {type: integer}}}}}}
  /order:
    post:
      operationId: order
      security: [{user: []}]
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [size], properties: {size: {type: string}, note: {type: string, nullable: true},
          lines: {type: array, items: {type: object, properties: {thing: {type: string}}}}}}}}
      responses: {'204': {description: Done.}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    user: {type: http, scheme: bearer}
`

// TestIR holds the typed program against its published schema, and the schema
// against what it should not allow.
func TestIR(t *testing.T) {
	schema := irSchema(t)
	load := func(manifest, document string) []byte {
		p, findings := frontend.Load(shop("tools/shop/sculpt.yaml", manifest, "tools/shop/openapi/shop.yaml", document), "tools/shop")
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		return p.Program.JSON()
	}
	valid := func(raw []byte) error {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		return schema.Validate(v)
	}
	plain, rich := load(manifestText, shopDocument), load(richManifest, richDocument)
	for _, raw := range [][]byte{plain, rich} {
		if err := valid(raw); err != nil {
			t.Errorf("%#v: %s", err, raw)
		}
	}
	if !bytes.Equal(rich, load(richManifest, richDocument)) {
		t.Error("the same program gives other bytes")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, rich); err != nil {
		t.Fatal(err)
	}
	text := compact.String()
	if want := `"notes":{"deadline":"30s"}`; !strings.Contains(strings.Join(strings.Fields(string(plain)), ""), want) {
		t.Errorf("%s is missing in %s", want, plain)
	}
	for _, want := range []string{
		`"source":"env:SHOP_KEY"`, `"source":"caller"`, `"value":{"b":2,"a":1.5}`, `{"name":"size","send":{"BIG":"xl"}}`, `"value":"a \"${env.SHOP_KEY}\""`,
		`"deadline":"1m30s"`, `"cache":"10m0s"`, `"status":"404","missing":true`, `"status":"5xx","code":"closed"`, `"retry_after":"3s"`, `"for_each":{"over":`,
		`"by":"next","parameter":"thing","max":5,"partial":true}`, `"every":"2s","max":"20s"}`,
		`"kind":"null"`, `"kind":"list"`, `{"name":"lang","in":"header","type":"string","origin":"left out","reason":"optional, not bound"}`,
		`"effect":"unsafe"`, `"max_items":2`,
		`"notes":{"author":"The shop","localization":{"de":{"description":"Findet Preise.","when_to_use":"Immer."}},"prerequisites":{"conditions":["The shop is open."]},` +
			`"feedback":{"completion":["A bell."]},"creates":["order"],"modifies":["price <list>"],"deletes":["basket"],"cost":"low","duration":"1-90s","mcp_headers":{"thing":"Thing"},"deadline":"1m30s"}`, `"at":"sculpt.yaml:`, `Find <prices> & order.`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	if strings.Contains(text, "tools/shop") {
		t.Error("the folder shows")
	}
	for _, c := range [][2]string{
		{`"format":1`, `"format":2`}, {`"effect":"read"`, `"effect":"none"`}, {`"origin":"left out"`, `"origin":"unknown"`}, {`"source":"caller"`, `"source":"s3cret"`},
		{`"kind":"null"`, `"kind":"nil"`}, {`"package":"shop",`, ``}, {`"reads":[`, `"read":[`}, {`"at":"sculpt.yaml:`, `"at":"tools/shop/sculpt.yaml:`},
		{`"cache":"10m0s"`, `"cache":600`}, {`"status":"5xx"`, `"status":"600"`}, {`"plan":{`, `"plan":{"more":1,`},
		{`"cost":"low"`, `"cost":"cheap"`}, {`"duration":"1-90s"`, `"duration":"90s"`}, {`"creates":["order"]`, `"creates":"order"`}, {`,"deadline":"1m30s"}`, `}`},
		{`{"thing":"Thing"}`, `{}`}, {`{"thing":"Thing"}`, `{"thing":1}`},
	} {
		changed := strings.Replace(text, c[0], c[1], 1)
		if changed == text || valid([]byte(changed)) == nil {
			t.Errorf("%s in place of %s is allowed", c[1], c[0])
		}
	}
}
