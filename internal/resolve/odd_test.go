package resolve_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const oddManifest = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {KEY: {description: The key.}}
apis: {shop: {openapi: shop.yaml}}
constants: {rate: 1.5, big: 7, texts: [a, b]}
flows:
  twice: {inputs: {id: {type: int}}, steps: {x: {call: shop.one, with: {id: '${input.id}'}}}, results: {id: '${x.id}'}}
tools:
  try:
    version: 1
    description: Tries it.
    inputs: {name: {description: N., max_length: 9}, count: {description: C., type: int, min: 1, max: 9}}
`

const oddDocument = `openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: 'https://shop.example'}]
components:
  securitySchemes: {odd: {type: apiKey, in: body, name: a}, blank: {type: apiKey, in: header}, cookie: {type: apiKey, in: cookie, name: c}}
  schemas:
    One: {type: object, required: [id, rows, map], properties: {id: {type: integer}, next: {type: string}, rows: {type: array, items: {type: string}}, map: {type: object, additionalProperties: {type: integer}}, hidden: {type: string, enum: ["a\u200b", b]}}}
  responses: {One: {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/One'}}}}}
paths:
  /one/{id}:
    get: {operationId: one, parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 5, maximum: 3}}, {name: word, in: query, schema: {type: string, pattern: '(?=a)'}}], responses: {'200': {$ref: '#/components/responses/One'}}}
  /fixed?kind=a&mode=b%20c&=x&&%zz=1:
    get: {operationId: fixed, parameters: [{name: kind, in: query, required: true, schema: {type: string}}, {name: mode, in: query, required: true, schema: {type: string}}, {name: open, in: query, required: true, schema: {type: string}}], responses: {'200': {$ref: '#/components/responses/One'}}}
  /pages:
    get: {operationId: pages, parameters: [{name: page, in: query, schema: {type: string}}], responses: {'200': {$ref: '#/components/responses/One'}}}
  /any: {post: {operationId: any, requestBody: {content: {'*/*': {}}}, responses: {'200': {$ref: '#/components/responses/One'}}}}
  /texts: {post: {operationId: texts, requestBody: {content: {'text/*': {schema: {type: string}}}}, responses: {'200': {$ref: '#/components/responses/One'}}}}
  /images: {post: {operationId: images, requestBody: {content: {'image/*': {schema: {type: string, format: binary}}}}, responses: {'200': {$ref: '#/components/responses/One'}}}}
  /vendor: {post: {operationId: vendor, requestBody: {content: {'application/*+json': {schema: {type: object}}}}, responses: {'200': {$ref: '#/components/responses/One'}}}}
  /form: {post: {operationId: form, requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {}, b: {type: array, items: {type: string}}, c: {type: object}}}}}}, responses: {'200': {$ref: '#/components/responses/One'}}}}
  /locked: {get: {operationId: locked, security: [{gone: []}], responses: {'200': {$ref: '#/components/responses/One'}}}}
  /two: {post: {operationId: two, security: [{odd: []}, {blank: []}], responses: {'200': {$ref: '#/components/responses/One'}}}}
`

const oddOutput = "\n    outputs: {id: {value: '${a.id}', description: I.}}\n"

// oddTools are tools as somebody may write them once, each the rest of oddManifest.
var oddTools = []string{
	"    steps: {}" + oddOutput,
	"    steps: {a: {call: shop.fixed}}" + oddOutput, "    steps: {a: {call: shop.fixed, with: {open: '1', kind: b}}}" + oddOutput, "    steps: {a: {call: shop.fixed, with: {opn: '1'}}}" + oddOutput,
	"    steps: {a: {call: shop.any, body: {x: 1}}}" + oddOutput, "    steps: {a: {call: shop.any, body: '${input.name}'}}" + oddOutput, "    steps: {a: {call: shop.texts, body: '${input.name}'}}" + oddOutput, "    steps: {a: {call: shop.texts, body: {x: 1}}}" + oddOutput,
	"    steps: {a: {call: shop.images, body: '${input.name}'}}" + oddOutput, "    steps: {a: {call: shop.images, body: '${bytes(input.name)}'}}" + oddOutput, "    steps: {a: {call: shop.vendor, body: {x: 1}}}" + oddOutput,
	"    steps: {o: {call: shop.one, with: {id: 1}}, a: {call: shop.form, body: {a: '${o.map}', b: '${o.rows}', c: {x: [1, [2]]}}}}" + oddOutput, "    steps: {o: {call: shop.one, with: {id: 1}}, a: {call: shop.form, body: {a: '${[[1]]}', b: null, c: '${[o.rows]}'}}}" + oddOutput,
	"    steps: {a: {call: shop.form, body: {a: [[1], {b: 2}]}}}" + oddOutput,
	"    steps: {a: {call: shop.one, with: {id: '${rate}'}}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: '${big}'}}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: '${texts[0]}'}}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: '${input.name}'}}}" + oddOutput,
	"    steps: {a: {call: shop.one, with: {id: 1, word: '${input.count}'}}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: 1, word: '${a.next}'}}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: 1, word: '${[1]}'}}}" + oddOutput,
	"    steps: {a: {flow: twice, with: {id: {b: c}}}}" + oddOutput, "    steps: {a: {flow: twice, with: {id: '${a.id}'}}}" + oddOutput, "    steps: {a: {flow: twice, with: {id: '${l}'}}}\n    let: {l: '${a.id + 1}'}" + oddOutput, "    steps: {a: {flow: twice, with: {id: '${l}'}}, b: {call: shop.one, with: {id: '${a.id}'}}}\n    let: {l: '${m}', m: '${b.id}'}" + oddOutput, "    steps: {a: {flow: twice, with: {}}}" + oddOutput,
	"    steps: {a: {flow: twice, with: {ids: 1}}}" + oddOutput, "    steps: {a: {flow: thrice, with: {id: 1}}}" + oddOutput,
	"    steps: {a: {call: shop.locked}}" + oddOutput, "    steps: {a: {call: shop.two}}" + oddOutput,
	"    steps: {a: {call: shop.pages, collect: {items: a.rows, next: a.next, parameter: page, max: 3}}}\n    outputs: {all: {value: '${a}', description: A., max_items: 3}}\n",
	"    steps: {a: {call: shop.pages, collect: {items: 'a.?rows.orValue([])', next: 'a.?next', parameter: page, max: 3, until: a.id > 3}}}\n    outputs: {all: {value: '${a}', description: A., max_items: 3}}\n",
	"    steps: {a: {call: shop.pages, collect: {items: 'a.rows.map(r, r + \"!\")', page: page, max: 3}}}\n    outputs: {all: {value: '${a}', description: A., max_items: 3}}\n",
	"    steps: {a: {call: shop.pages, collect: {items: 'a.rows.filter(r, r != \"\")', offset: page, max: 3}}}\n    outputs: {all: {value: '${a}', description: A., max_items: 3}}\n",
	"    steps: {a: {call: shop.pages, collect: {items: a.id, link: true, max: 3}}}\n    outputs: {all: {value: '${a}', description: A., max_items: 3}}\n",
	"    localization: {fr: {description: Essaie., when_to_use: Toujours.}, de: {description: Versucht., when_to_use: Immer.}}\n    steps: {a: {call: shop.one, with: {id: 1}}}" + oddOutput,
	"    steps: {a: {call: shop.one, with: {id: 1}}}\n    outputs: {hidden: {value: '${a.hidden}', description: H., values: {b: {name: B, text: B.}}}, kind: {value: '${a.?hidden.orValue(\"b\")}', description: \"K.\"}}\n",
	"    steps: {a: {call: shop.one, with: {id: 1}, expect: [{check: size(a.rows) >= 0, code: none, message: None.}, {check: 'size(a.rows) > 0', code: few, message: 'Few of ${a.rows[0]}.'}]}}\n    outputs: {id: {value: '${a.rows[0]}', description: I.}}\n",
	"    steps: {a: {call: shop.one, with: {id: 1}, timeout: 2h}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: 1}, cache: 25h}}" + oddOutput, "    steps: {a: {call: shop.one, with: {id: 1}, retry: {attempts: 2}}}" + oddOutput, "    steps: {Ab: {call: shop.one, with: {id: 1}}}\n    outputs: {id: {value: '1', description: I.}}\n",
	"    id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n    steps: {a: {call: shop.one, with: {id: 1}}}" + oddOutput,
}

// oddEdits are changes of the head of the manifest, before a tool that is fine.
var oddEdits = [][2]string{
	{"max_length: 9}", "max_length: 9, min_length: 10}"}, {"min: 1, max: 9}", "max: 0}"}, {"min: 1, max: 9}", "min: 70000}"}, {"min: 1, max: 9}", "min: 9, max: 1}"}, {"type: int, min: 1, max: 9}", "from: shop.one.id}"}, {"max_length: 9}", "max_length: 9, pattern: '('}"}, {"max_length: 9}", "from: shop.one.word}"},
	{"max_length: 9}", "max_length: 9, default: aaaaaaaaaa}"}, {"min: 1, max: 9}", "min: 1, max: 9, default: 10}"}, {"max_length: 9}", "max_length: 9, pattern: '^b', default: a}"}, {"max_length: 9}", "from: {call: shop.one, parameter: gone}}"}, {"max_length: 9}", "from: shop.gone.word}"}, {"max_length: 9}", "from: mall.one.word}"}, {"max_length: 9}", "from: one}"},
	{"{openapi: shop.yaml}", "{openapi: shop.yaml, auth: {odd: 'env:KEY'}}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, auth: {blank: 'env:KEY'}}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, auth: {cookie: caller}}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, auth: {cookie: 'env:GONE'}}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, auth: {cookie: 'file:/run/c'}}"},
	{"{openapi: shop.yaml}", "{openapi: shop.yaml, base_url: ftp://a}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, retry: {attempts: 3}, timeout: 61m}"}, {"{openapi: shop.yaml}", "{openapi: shop.yaml, headers: {X-A: '${env.GONE}', X-B: '${input.name}'}}"},
	{"tools:\n", "program: {patterns: {use-it: {description: Use., steps: [{command: try --name a}]}, again: {description: Again., steps: [{command: try --count 1}, {command: tri}]}}}\ntools:\n"},
}

// TestOdd holds the programs of manifests as hardly anybody writes them, and what is
// found in them, word for word.
func TestOdd(t *testing.T) {
	var said strings.Builder
	var sections []front.Section
	hold := func(name, text string) {
		fsys := fstest.MapFS{"sculpt.yaml": {Data: []byte(text)}, "shop.yaml": {Data: []byte(oddDocument)}}
		m, findings := manifest.Parse("sculpt.yaml", []byte(text))
		said.WriteString("### " + name + "\n")
		if findings.HasErrors() {
			said.WriteString("not read\n" + front.Findings(fsys, findings))
			return
		}
		set, _ := spec.Load(fsys, resolve.Sources(m))
		program, found := resolve.Program(m, set, nil)
		said.WriteString(front.Findings(fsys, found.Sorted()))
		planned, more := resolve.Plan(m, set, signature.FirstRules, true)
		sections = append(sections, front.Section{Name: strings.Join(strings.Fields(name), " "), Text: front.Dump(program) + front.Dump(planned) + front.Findings(fsys, more.Sorted())})
	}
	for _, tool := range oddTools {
		hold(strings.TrimSpace(tool), oddManifest+tool)
	}
	for _, e := range oddEdits {
		if !strings.Contains(oddManifest, e[0]) {
			t.Fatalf("the manifest has no %q", e[0])
		}
		hold(e[1], strings.Replace(oddManifest, e[0], e[1], 1)+"    steps: {a: {call: shop.one, with: {id: '${input.count}', word: '${input.name}'}}}"+oddOutput)
	}
	golden.Text(t, "testdata/odd.txt", said.String())
	front.Hold(t, "testdata/odd.sums.txt", sections)
}
