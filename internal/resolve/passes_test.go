package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// head is the part of a manifest that all tests of passes share.
const head = `{sculpt: 1, package: shop, toolkit: Shop, namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11, env: {KEY: {}, PASS: {}},
apis: {shop: {openapi: shop.yaml, auth: {key: 'env:KEY', pass: 'env:PASS'}}, typed: {openapi: shop.yaml, headers: {Content-Type: application/merge-patch+json, X-Key: k}}},
tools: {try: {version: 1, description: Tries., inputs: {name: {description: N., max_length: 9}, count: {description: C., type: int, optional: true, min: 1, max: 9}}, `

const document = `openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: 'https://shop.example'}]
security: [{key: []}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, pass: {type: http, scheme: basic}, token: {type: http, scheme: bearer}}
  responses: {R: {description: It., content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}
paths:
  /items:
    get: {operationId: find, responses: {'200': {$ref: '#/components/responses/R'}}, parameters: [{name: name, in: query, required: true, schema: {type: string}},
      {name: count, in: query, schema: {type: integer}}, {name: X-Key, in: header, schema: {type: string}}]}
    post: {operationId: search, security: [], responses: {'200': {$ref: '#/components/responses/R'}}}
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put: {operationId: save, security: [{token: []}, {pass: []}], responses: {'200': {$ref: '#/components/responses/R'}}}
    patch: {operationId: change, responses: {'200': {$ref: '#/components/responses/R'}},
      requestBody: {content: {application/json-patch+json: {}, application/merge-patch+json: {}, multipart/mixed: {}}}}
    delete: {operationId: drop, security: [{key: [], token: []}, {}], responses: {'200': {$ref: '#/components/responses/R'}}}
`

// prepare resolves a tool up to the values of its steps, so that a test runs
// one pass on it; what was found up to there is not of that pass.
func prepare(t *testing.T, tool string) *toolResolver {
	t.Helper()
	m, findings := manifest.Parse("f", []byte(head+tool+", outputs: {a: {value: 1, description: A.}}}}}"))
	set, more := spec.Load(fstest.MapFS{"shop.yaml": {Data: []byte(document)}}, Sources(m))
	r := &resolver{m: m, set: set, rules: func(*manifest.Tool) string { return signature.Rules }, env: map[string]*ir.Env{}, apiUses: map[string]*apiUse{}, scope: expr.NewScope(nil), paths: m.Paths()}
	r.environment()
	r.homes = homesOf(r.apis())
	r.hiddenNames()
	out := r.newTool(m.Tools[0])
	out.face()
	out.inputs()
	out.declareSteps()
	out.values()
	out.within, r.findings = out.scope, nil
	for _, f := range slices.Concat(findings, more) {
		t.Fatalf("%s: %s", f.Rule, f.Message)
	}
	return out
}

// A pass is a row of a test: what the steps of a tool say, and what one pass
// makes of them.
type pass struct{ name, tool, want string }

func (p pass) hold(t *testing.T, run func(*toolResolver) []string) {
	t.Helper()
	t.Run(p.name, func(t *testing.T) {
		tool := prepare(t, p.tool)
		got := run(tool)
		for _, f := range tool.findings {
			got = append(got, fmt.Sprintf("%s: %s", f.Rule, f.Message))
		}
		if text := strings.Join(got, "; "); text != p.want {
			t.Errorf("got  %s\nwant %s", text, p.want)
		}
	})
}

func TestBindings(t *testing.T) {
	for _, p := range []pass{
		{"origins", "call: shop.find, with: {name: '${input.name}', count: 3}", "name input; count constant; X-Key left out (sent as a credential of the api)"},
		{"chain", "call: shop.find, with: {name: '${input.name + call.id}'}", "name bound; count left out (optional, not bound); X-Key left out (sent as a credential of the api)"},
		{"header of the api", "call: typed.find, with: {name: a}", "name constant; count left out (optional, not bound); X-Key left out (sent as a header of the api)"},
		{"optional to optional", "call: shop.find, with: {name: a, count: '${input.?count}'}", "name constant; count bound; X-Key left out (sent as a credential of the api)"},
		{"required", "call: shop.find", `name left out (optional, not bound); count left out (optional, not bound); X-Key left out (sent as a credential of the api); ` +
			`unbound-parameter: the required parameter "name" (query) of find is not bound`},
		{"misspelt", "call: shop.find, with: {nam: a}", `name left out (); count left out (optional, not bound); X-Key left out (sent as a credential of the api); ` +
			`unknown-parameter: operation find has no parameter "nam", did you mean "name"?`},
		{"credential", "call: shop.find, with: {name: a, X-Key: b}", "name constant; count left out (optional, not bound); X-Key left out (); " +
			"credential-clash: a credential of the api is sent as the header parameter X-Key"},
	} {
		p.hold(t, func(tool *toolResolver) (got []string) {
			s := tool.plan.Steps[0]
			tool.bindings(s, tool.m.Steps[0])
			for _, b := range s.Bindings {
				text := b.Param.Name + " " + string(b.Origin)
				if b.Value == nil {
					text += " (" + b.Reason + ")"
				}
				got = append(got, text)
			}
			return got
		})
	}
}

func TestCredentials(t *testing.T) {
	for _, p := range []pass{
		{"of the document", "call: shop.find, with: {name: a}", "key"},
		{"none wanted", "call: shop.search", ""},
		{"the alternative that is given", "call: shop.save, with: {id: a}", "pass"},
		{"as many as there are, or none", "call: shop.drop, with: {id: a}", ""},
		{"a header of the api", "call: typed.find, with: {name: a}", ""},
	} {
		p.hold(t, func(tool *toolResolver) []string {
			s := tool.plan.Steps[0]
			s.Schemes = nil
			tool.credentials(s, tool.m.Steps[0].Call)
			return s.Schemes
		})
	}
}

func TestRequestMedia(t *testing.T) {
	for _, p := range []pass{
		{"a list", "call: shop.change, body: [a]", "application/json-patch+json"},
		{"a map", "call: shop.change, body: {a: b}", "application/merge-patch+json"},
		{"the header of the api", "call: typed.change, body: {a: b}", "application/merge-patch+json"},
		{"which does not fit", "call: typed.change, body: [a]", "wrong-media: operation change cannot be sent this body as application/merge-patch+json: " +
			"it takes application/json-patch+json, application/merge-patch+json, multipart/mixed"},
		{"media", "call: shop.change, body: '${[1]}', media: Application/JSON-Patch+json; charset=utf-8", "Application/JSON-Patch+json; charset=utf-8"},
		{"media before the header of the api", "call: typed.change, body: [a], media: application/json-patch+json", "application/json-patch+json"},
		{"media that is not known", "call: shop.change, body: [a], media: application/json", "wrong-media: operation change cannot be sent this body as application/json: " +
			"it takes application/json-patch+json, application/merge-patch+json, multipart/mixed"},
		{"media that does not fit", "call: shop.change, body: {a: b}, media: application/json-patch+json", "wrong-media: operation change cannot be sent this body as " +
			"application/json-patch+json: it takes application/json-patch+json, application/merge-patch+json, multipart/mixed"},
		{"media that is not built", "call: shop.change, body: {a: b}, media: multipart/mixed", "not-supported-yet: operation change takes " +
			"application/json-patch+json, application/merge-patch+json, multipart/mixed, which is not supported yet"},
		{"media without a body", "call: shop.change, media: application/json", "wrong-media: media: says how body: is sent, which is not there"},
		{"a text", "call: shop.change, body: a", "wrong-media: operation change takes application/json-patch+json, application/merge-patch+json, multipart/mixed, which this is not"},
	} {
		p.hold(t, func(tool *toolResolver) (got []string) {
			s := tool.plan.Steps[0]
			if tool.body(s, tool.m.Steps[0]); s.Body != nil {
				got = append(got, s.BodyMedia)
			}
			return got
		})
	}
}

func TestStepEffects(t *testing.T) {
	for _, p := range []pass{
		{"read", "call: shop.find", "read; read-only idempotent reversible"},
		{"changed", "call: shop.save", "idempotent; idempotent destructive"},
		{"removed", "call: shop.drop", "idempotent; idempotent destructive"},
		{"unsafe", "call: shop.search", "unsafe; "},
		{"stated", "call: shop.search, effect: read, because: It is a search.", "read; read-only idempotent reversible"},
		{"no reason", "call: shop.search, effect: read", "read; read-only idempotent reversible; missing-key: effect: needs because:, since POST says otherwise"},
		{"declared", "call: shop.find, effects: {destructive: true}", "unsafe; read-only reversible"},
		{"billable", "call: shop.save, effects: {billable: true}", "unsafe; idempotent destructive"},
	} {
		p.hold(t, func(tool *toolResolver) []string {
			s := tool.plan.Steps[0]
			tool.stepEffect(s, tool.m.Steps[0])
			tool.stepEffects()
			e, words := tool.sig.Effects, []string{}
			for _, w := range []struct {
				is   bool
				word string
			}{{e.ReadOnly, "read-only"}, {e.Idempotent, "idempotent"}, {e.Destructive, "destructive"}, {e.Reversible, "reversible"}} {
				if w.is {
					words = append(words, w.word)
				}
			}
			return []string{string(s.Effect), strings.Join(words, " ")}
		})
	}
}

func TestOrder(t *testing.T) {
	for _, p := range []pass{
		{"side by side", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}}}", "a after []; b after []; [[a] [b]]"},
		{"a reference", "steps: {b: {call: shop.find, with: {name: '${a.?id.orValue(\"\")}'}}, a: {call: shop.find, with: {name: x}}}", "b after [a]; a after []; [[a b]]"},
		{"through a let", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: '${n}'}}}, let: {n: '${a.?id.orValue(\"\")}'}", "a after []; b after [a]; [[a b]]"},
		{"an effect waits", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.drop, with: {id: x}}, c: {call: shop.find, with: {name: y}}}",
			"a after []; b after [a]; c after [b]; [[a b c]]"},
		{"a check over two reads", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != b.?id.orValue(\"\")', code: same, message: Same.}]}}",
			"a after []; b after []; [[a] [b]]"},
		{"whose words read the other", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, expect: [{check: 'b.?id.orValue(\"\") != \"\"', code: none, message: 'Not ${a.?id.orValue(\"\")}.'}]}}",
			"a after []; b after []; [[a] [b]]"},
		{"a check of the other alone", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != \"\"', code: none, message: None.}]}}",
			"a after []; b after [a]; [[a b]]"},
		{"a condition too", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, when: 'a.?id.orValue(\"\") != \"\"', expect: [{check: 'a.?id.orValue(\"\") != \"\" && b.?id.orValue(\"\") != \"\"', code: none, message: None.}]}}",
			"a after []; b after [a]; [[a b]]"},
		{"a read after the check", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != \"\" && b.?id.orValue(\"\") != \"\"', code: none, message: None.}]}, c: {call: shop.find, with: {name: '${b.?id.orValue(\"\")}'}}}",
			"a after []; b after [a]; c after [b]; [[a b c]]"},
		{"an effect after the check", "steps: {a: {call: shop.find, with: {name: x}}, b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != \"\" && b.?id.orValue(\"\") != \"\"', code: none, message: None.}]}, c: {call: shop.drop, with: {id: x}}}",
			"a after []; b after []; c after [a b]; [[a] [b]]; [[c]]"},
		{"a check that needs another check", "steps: {b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != b.?id.orValue(\"\")', code: same, message: Same.}]}, a: {call: shop.find, with: {name: x}, expect: [{check: 'a.?id.orValue(\"\") != c.?id.orValue(\"\")', code: same, message: Same.}]}, c: {call: shop.find, with: {name: z}}}",
			"b after []; a after [c]; c after []; [[b] [c a]]"},
		{"checks of each other", "steps: {a: {call: shop.find, with: {name: x}, expect: [{check: 'a.?id.orValue(\"\") != \"\" && b.?id.orValue(\"\") != \"\"', code: none, message: None.}]}, b: {call: shop.find, with: {name: y}, expect: [{check: 'a.?id.orValue(\"\") != \"\" && b.?id.orValue(\"\") != \"\"', code: none, message: None.}]}}",
			"a after []; b after []; cycle: the steps wait for each other in a circle: a -> b -> a"},
		{"a circle", "steps: {a: {call: shop.find, with: {name: '${b.?id.orValue(\"\")}'}}, b: {call: shop.find, with: {name: '${a.?id.orValue(\"\")}'}}}",
			"a after []; b after []; cycle: the steps wait for each other in a circle: a -> b -> a"},
	} {
		p.hold(t, func(tool *toolResolver) (got []string) {
			tool.stepValues()
			tool.order()
			ids := func(steps []*ir.Step) (list []string) {
				for _, s := range steps {
					list = append(list, s.ID)
				}
				return list
			}
			for _, s := range tool.plan.Steps {
				got = append(got, fmt.Sprintf("%s after %v", s.ID, ids(s.After)))
			}
			for _, region := range tool.plan.Regions {
				var branches []string
				for _, b := range region {
					branches = append(branches, fmt.Sprint(ids(b.Steps)))
				}
				got = append(got, fmt.Sprint(branches))
			}
			return got
		})
	}
}

// An error has a code and a message, unless it stands for an answer that is missing.
func TestFailures(t *testing.T) {
	for _, p := range []pass{
		{"whole", "call: shop.find, with: {name: a}, errors: {404: {code: gone, message: Gone.}}", "gone"},
		{"missing", "call: shop.find, with: {name: a}, errors: {404: {missing: true}}", ""},
		{"neither", "call: shop.find, with: {name: a}, errors: {404: {missing: false}}", "; missing-key: an error needs a code and a message"},
		{"no code", "call: shop.find, with: {name: a}, errors: {404: {missing: false, message: Gone.}}", "; missing-key: an error needs a code"},
		{"no message", "call: shop.find, with: {name: a}, errors: {404: {missing: false, code: gone}}", "gone; missing-key: an error needs a message"},
	} {
		p.hold(t, func(tool *toolResolver) (got []string) {
			for _, e := range tool.m.Steps[0].Errors {
				code := ""
				if e.Missing.Value != "true" {
					code = tool.failure(e.Failure).Code
				}
				got = append(got, code)
			}
			return got
		})
	}
}

// TestImage shows that a picture reaches the document that A2T serves and the
// half of a release that locks it, with its place for what judges it there.
func TestImage(t *testing.T) {
	tool := prepare(t, "image: 'https://shop.example/a.png', call: shop.search")
	document, contract := string(tool.sig.Document(1)), string(tool.sig.Contract(nil))
	if !strings.Contains(document, `"img":"https://shop.example/a.png"`) || !strings.Contains(contract, `"image":"https://shop.example/a.png"`) {
		t.Errorf("the picture is missing in %s or %s", document, contract)
	}
	if at := places(tool.m)["image"]; at.Start.Line != 3 {
		t.Errorf("the picture is at %v", at)
	}
}
