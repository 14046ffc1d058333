package frontend_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

const pairsManifest = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {KEY: {description: The key.}}
apis: {shop: {openapi: shop.yaml, auth: {key: 'env:KEY'}}}
tools:
  find:
    version: 1
    description: Find a thing.
    inputs:
      word: {description: The word., max_length: 40}
      count: {type: int, min: 1, max: 9, description: How many.}
      kind: {description: The kind., values: {NEW: {text: New., send: new}, USED: {text: Used., send: used}}}
    steps:
      found: {call: shop.find, with: {word: '${input.word}', count: '${input.count}', kind: '${input.kind}', tags: [a, b]}}
      order: {call: shop.order, body: {word: '${input.word}', count: '${input.count}'}}
    outputs:
      name: {value: '${found.name}', description: The name.}
      size: {value: '${found.size}', description: The size.}
      state: {value: '${found.state}', description: The state., values: {open: {name: OPEN, text: Open.}, shut: {name: SHUT, text: Shut.}}}
      number: {value: '${order.number}', description: The number.}
`

const pairsDocument = `openapi: 3.0.3
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example/v1}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    other: {type: apiKey, in: header, name: X-Other}
  schemas: {Unused: {type: object, properties: {a: {type: string}}}}
paths:
  /things/{word}:
    get:
      operationId: find
      summary: Find.
      security: [{key: []}]
      parameters:
      - {name: word, in: path, required: true, schema: {type: string, maxLength: 50}}
      - {name: count, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 9}}
      - {name: kind, in: query, schema: {type: string, enum: [new, used]}}
      - {name: tags, in: query, style: form, explode: true, schema: {type: array, items: {type: string}}}
      - {name: page, in: query, schema: {type: integer}}
      responses:
        '200': {description: Found., content: {application/json: {schema: {type: object, required: [name, size, state], properties: {name: {type: string}, size: {type: integer}, state: {type: string, enum: [open, shut]}, extra: {type: string}}}}}}
        '404': {description: None.}
  /orders:
    post:
      operationId: order
      security: [{key: []}]
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [word], properties: {word: {type: string, maxLength: 50}, count: {type: integer, maximum: 9}}}}}
      responses:
        '201': {description: Done., content: {application/json: {schema: {type: object, required: [number], properties: {number: {type: integer}}}}}}
  /other:
    get: {operationId: other, responses: {'200': {description: Other.}}}
`

// upstreamPairs are changes of a document, and whether callers of the tool that
// uses it would see one. The words are a part of what is said.
var upstreamPairs = []struct{ name, old, new, says string }{
	{"another server", "shop.example/v1", "shop.example/v2", "server"},
	{"another host", "https://shop.example", "https://mall.example", "server"},
	{"no server", "servers: [{url: https://shop.example/v1}]", "servers: []", "no server"},
	{"a server of the operation", "      summary: Find.\n", "      servers: [{url: https://find.example}]\n", "server"},
	{"another path", "/things/{word}:", "/items/{word}:", "/items/{word}"},
	{"another method", "    post:\n      operationId: order", "    put:\n      operationId: order", "PUT"},
	{"no operation", "operationId: find", "operationId: search", `"find" is not an operation`},
	{"a required parameter", "{name: page, in: query,", "{name: page, in: query, required: true,", "page"},
	{"a new required parameter", "      - {name: page,", "      - {name: lang, in: query, required: true, schema: {type: string}}\n      - {name: page,", "lang"},
	{"a parameter of another name", "name: count, in: query", "name: limit, in: query", "count"},
	{"a parameter in another place", "{name: kind, in: query", "{name: kind, in: header", "kind"},
	{"a parameter less", "      - {name: kind, in: query, schema: {type: string, enum: [new, used]}}\n", "", "kind"},
	{"a parameter of another type", "required: true, schema: {type: integer, minimum: 1, maximum: 9}}", "required: true, schema: {type: boolean}}", "count"},
	{"a longest length below that of the input", "schema: {type: string, maxLength: 50}}\n      - {name: count", "schema: {type: string, maxLength: 30}}\n      - {name: count", "40"},
	{"a maximum below that of the input", "minimum: 1, maximum: 9}}\n      - {name: kind", "minimum: 1, maximum: 5}}\n      - {name: kind", "9"},
	{"a minimum above that of the input", "schema: {type: integer, minimum: 1, maximum: 9}}", "schema: {type: integer, minimum: 2, maximum: 9}}", "1"},
	{"an enum value less", "enum: [new, used]", "enum: [new]", "used"},
	{"an enum value that is written otherwise", "enum: [new, used]", "enum: [NEW, USED]", "new"},
	{"another style", "style: form, explode: true", "style: form, explode: false", "tags"},
	{"another separator", "style: form, explode: true", "style: pipeDelimited, explode: false", "tags"},
	{"another credential", "security: [{key: []}]\n      parameters", "security: [{other: []}]\n      parameters", "other"},
	{"no credential", "security: [{key: []}]\n      parameters", "security: []\n      parameters", "auth"},
	{"a key of another name", "in: header, name: X-Key", "in: header, name: X-Token", "X-Token"},
	{"a key in another place", "in: header, name: X-Key", "in: query, name: key", "query"},
	{"a scheme of another name", "    key: {type: apiKey", "    keys: {type: apiKey", "key"},
	{"a member less", "properties: {name: {type: string}, size", "properties: {title: {type: string}, size", "name"},
	{"a member of another type", "size: {type: integer}", "size: {type: string}", "size"},
	{"a member that may be missing", "required: [name, size, state]", "required: [size, state]", "name"},
	{"a member that may be null", "name: {type: string}, size", "name: {type: string, nullable: true}, size", "name"},
	{"a number with a fraction", "size: {type: integer}", "size: {type: number}", "size"},
	{"an enum value more", "enum: [open, shut]", "enum: [open, shut, gone]", "gone"},
	{"a body in another media type", "content: {application/json: {schema: {type: object, required: [word]", "content: {application/x-www-form-urlencoded: {schema: {type: object, required: [word]", "x-www-form-urlencoded"},
	{"a required member of the body", "required: [word], properties", "required: [word, place], properties", "place"},
	{"a member of the body less", ", count: {type: integer, maximum: 9}}", "}", "count"},
	{"a member of the body of another type", "count: {type: integer, maximum: 9}", "count: {type: string}", "count"},
	{"a member of the body that is bounded", "count: {type: integer, maximum: 9}", "count: {type: integer, maximum: 5}", "9"},
	{"an answer in another form", "'201': {description: Done., content: {application/json:", "'201': {description: Done., content: {text/plain:", "number"},
	{"no answer", "'201': {description: Done., content: {application/json: {schema: {type: object, required: [number], properties: {number: {type: integer}}}}}}", "'204': {description: Done.}", "nothing to read"},
	{"a list for an object", "schema: {type: object, required: [number], properties: {number: {type: integer}}}", "schema: {type: array, items: {type: object}}", "number"},
	{"an operation that is deprecated", "      summary: Find.\n", "      deprecated: true\n", "deprecated"},

	{"nothing", "", "", ""},
	{"another summary", "summary: Find.", "summary: Find it.", ""},
	{"another description", "description: Found.", "description: Found it.", ""},
	{"a new operation", "  /other:\n", "  /new:\n    get: {operationId: new, responses: {'200': {description: New.}}}\n  /other:\n", ""},
	{"another operation less", "  /other:\n    get: {operationId: other, responses: {'200': {description: Other.}}}\n", "", ""},
	{"a new optional parameter", "      - {name: page,", "      - {name: lang, in: query, schema: {type: string}}\n      - {name: page,", ""},
	{"a parameter that nobody binds", "      - {name: page, in: query, schema: {type: integer}}\n", "", ""},
	{"a new member", "extra: {type: string}", "extra: {type: string}, more: {type: string}", ""},
	{"a member that nobody reads", ", extra: {type: string}", "", ""},
	{"an enum value that nobody sends", "enum: [new, used]", "enum: [new, used, old]", ""},
	{"wider bounds", "maxLength: 50}}\n      - {name: count", "maxLength: 90}}\n      - {name: count", ""},
	{"an optional member of the body", "count: {type: integer, maximum: 9}}", "count: {type: integer, maximum: 9}, note: {type: string}}", ""},
	{"another error", "'404': {description: None.}", "'404': {description: None.}\n        '410': {description: Gone.}", ""},
	{"another schema", "schemas: {Unused: {type: object, properties: {a: {type: string}}}}", "schemas: {}", ""},
	{"a tag", "      summary: Find.\n", "      summary: Find.\n      tags: [things]\n", ""},
	{"a second server", "servers: [{url: https://shop.example/v1}]", "servers: [{url: https://shop.example/v1}, {url: https://two.example}]", ""},
	{"another title", "title: Shop", "title: The shop", ""},
	{"an alternative credential", "security: [{key: []}]\n      parameters", "security: [{key: []}, {other: []}]\n      parameters", ""},
	{"an example", "maxLength: 50}}\n      - {name: count", "maxLength: 50}, example: x}\n      - {name: count", ""},
}

// Documents of tomorrow have their verdict: what changes a call or an answer is
// said with its name, what does not is silent or a note.
func TestUpstreamPairs(t *testing.T) {
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(pairsManifest)}, "shop.yaml": {Data: []byte(pairsDocument)}}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(told(findings))
	}
	breaks, quiet := 0, 0
	var all strings.Builder
	for _, c := range upstreamPairs {
		tomorrow := strings.Replace(pairsDocument, c.old, c.new, 1)
		if c.old != "" && tomorrow == pairsDocument {
			t.Fatalf("%s: the document has no %q", c.name, c.old)
		}
		got := frontend.Upstream(p, map[string]frontend.Replacement{"shop": {Files: fstest.MapFS{"tomorrow.yaml": {Data: []byte(tomorrow)}}, Name: "tomorrow.yaml"}})
		fmt.Fprintf(&all, "%s:\n", c.name)
		var errors diag.List
		for _, f := range got {
			fmt.Fprintf(&all, "  %s %s\n", f.Severity, told(diag.List{f}))
			if f.Severity == diag.Error {
				errors = append(errors, f)
			}
		}
		if c.says == "" {
			if quiet++; len(errors) > 0 {
				t.Errorf("%s: %s", c.name, told(errors))
			}
			continue
		}
		if breaks++; len(errors) == 0 || !strings.Contains(told(errors), c.says) {
			t.Errorf("%s: %s, want %q", c.name, told(got), c.says)
		}
	}
	golden.Text(t, "testdata/upstream.txt", all.String())
	if breaks < 40 || quiet < 15 {
		t.Errorf("%d pairs break, %d do not", breaks, quiet)
	}
}

// A note that nothing changes for a tool and an error that something does are
// never about the same tool.
func TestUpstreamNotes(t *testing.T) {
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(pairsManifest)}, "shop.yaml": {Data: []byte(pairsDocument)}}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(told(findings))
	}
	for old, want := range map[string]string{
		"size: {type: integer}": "size: {type: string}", // find breaks
		"extra: {type: string}": "extra: {type: integer}",
	} {
		tomorrow := strings.Replace(pairsDocument, old, want, 1)
		got := frontend.Upstream(p, map[string]frontend.Replacement{"shop": {Files: fstest.MapFS{"tomorrow.yaml": {Data: []byte(tomorrow)}}, Name: "tomorrow.yaml"}})
		if len(got) == 0 || strings.Contains(told(got), "in nothing that the step") == got.HasErrors() {
			t.Errorf("%s: %s", want, told(got))
		}
	}
}

// What documents have wrong today as well is nobody's news, and neither is a
// warning that the manifest ignores.
func TestUpstreamOldFaults(t *testing.T) {
	flawed := strings.Replace(pairsDocument, "extra: {type: string}", "extra: {type: array}, odd: {$ref: '#/components/schemas/Gone'}", 1)
	ignoring := pairsManifest + "ignore: [{rule: input-exceeds-target, reason: The service cuts the word.}]\n"
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(ignoring)}, "shop.yaml": {Data: []byte(flawed)}}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() || len(findings) == 0 {
		t.Fatal(told(findings))
	}
	for _, tomorrow := range []string{flawed, strings.Replace(flawed, "maxLength: 50}}\n      - {name: count", "maxLength: 30}}\n      - {name: count", 1)} {
		got := frontend.Upstream(p, map[string]frontend.Replacement{"shop": {Files: fstest.MapFS{"tomorrow.yaml": {Data: []byte(tomorrow)}}, Name: "tomorrow.yaml"}})
		if got.HasErrors() {
			t.Error(told(got))
		}
	}
}
