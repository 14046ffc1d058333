package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// shop is the document behind every manifest of these tests.
const shop = `
openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: https://shop.example}]
paths:
  /things/{id}:
    get:
      operationId: thing
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: lang, in: query, schema: {type: string}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses: {"200": {description: found, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
    delete:
      operationId: discard
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"204": {description: gone}}
  /orders:
    post:
      operationId: order
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}, note: {type: string}}}}}
      responses: {"200": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
  /free:
    post:
      operationId: free
      requestBody: {content: {application/json: {schema: {}}}}
      responses: {"200": {description: made, content: {application/json: {schema: {type: object, required: [next, rows, counts], properties: {next: {type: string}, after: {type: string}, rows: {type: array, items: {$ref: '#/components/schemas/Maker'}}, counts: {type: object, additionalProperties: {type: integer}}, any: {}}}}}}}
  /pages:
    get:
      operationId: pages
      parameters: [{name: page, in: query, schema: {type: string}}]
      responses: {"200": {description: a page, content: {application/json: {schema: {type: object, required: [next, rows], properties: {next: {type: string}, after: {type: string}, rows: {type: array, items: {$ref: '#/components/schemas/Maker'}}}}}}}}
components:
  schemas:
    Maker: {type: object, required: [name], properties: {name: {type: string}, town: {type: string}}}
    Thing:
      type: object
      required: [id, name, maker]
      properties:
        id: {type: integer}
        name: {type: string}
        note: {type: string}
        price: {type: number}
        maker: {$ref: '#/components/schemas/Maker'}
        parts: {type: array, items: {$ref: '#/components/schemas/Maker'}}
        over: {$ref: '#/components/schemas/Thing'}
        pairs: {type: array, items: {type: array, items: {$ref: '#/components/schemas/Maker'}}}
        gaps: {type: array, items: {oneOf: [{$ref: '#/components/schemas/Maker'}, {type: 'null'}]}}
        size: {oneOf: [{type: integer}, {type: string}]}
`

// planOf plans a package of the tool "look"; text begins with its steps.
func planOf(t *testing.T, text string) (*plan.Package, diag.List) {
	t.Helper()
	return plan.New(programOf(t, text))
}

func programOf(t *testing.T, text string) *ir.Program {
	t.Helper()
	manifest := `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {SHOP_LANG: {description: Language of the texts., default: en}}
apis: {shop: {openapi: openapi.yaml}}
tools:
  look:
    version: 1
    description: Look up a thing.
    inputs:
      id: {type: int, min: 1, max: 99, description: Its number.}
      word: {max_length: 20, optional: true, description: A word.}
` + text
	project, findings := frontend.Load(fstest.MapFS{
		"go.mod": {Data: []byte("module shop\n")}, "sculpt.yaml": {Data: []byte(manifest)}, "openapi.yaml": {Data: []byte(shop)},
	}, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return project.Program
}

// thing is a call for a thing with one output.
const thing = `
    call: shop.thing
    with: {id: '${input.id}'}
    outputs:
      name: {value: '${%s}', description: Its name.}
`

// planned is planOf without a finding.
func planned(t *testing.T, text string) *plan.Package {
	t.Helper()
	p, findings := planOf(t, text)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return p
}

func goType(t plan.GoType) string {
	switch t.Form {
	case plan.Optional:
		return "Optional[" + goType(*t.Elem) + "]"
	case plan.Pointer:
		return "*" + goType(*t.Elem)
	case plan.Slice:
		return "[]" + goType(*t.Elem)
	case plan.Mapping:
		return "map[" + goType(*t.Key) + "]" + goType(*t.Elem)
	}
	return t.Name
}

func reader(r plan.Reader) string {
	if r.Form == plan.Around {
		return r.Name + "(" + reader(*r.Elem) + ")"
	}
	return r.Name
}

// An answer has the fields that an expression reads, and no other.
func TestAnswersArePruned(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"result.name", "shopThing{name Optional[string] OptText}"},
		{"result.?note.orValue(result.name)", "shopThing{name Optional[string] OptText, note Optional[string] OptText}"},
		{"result.maker.name", "shopMaker{name Optional[string] OptText} shopThing{maker Optional[shopMaker] Opt(scanShopMaker)}"},
		{"result.?parts.orValue([]).map(p, p.name).join()", "shopMaker{name Optional[string] OptText} shopThing{parts []*shopMaker Pointers(List(scanShopMaker))}"},
		{"result.?over.?over.?name.orValue(\"\")", "shopThing{name Optional[string] OptText, over *shopThing Nullable(scanShopThing)}"},
		{"result.?pairs.orValue([]).map(p, p[?0].?name.orValue(\"\")).join()", "shopMaker{name Optional[string] OptText} shopThing{pairs [][]*shopMaker List(Pointers(List(scanShopMaker)))}"},
		{"result.?gaps.orValue([]).map(p, p.hasValue() ? p.value().name : \"\").join()", "shopMaker{name Optional[string] OptText} shopThing{gaps []*shopMaker List(Nullable(scanShopMaker))}"},
		{"string(result.?price.orValue(0.0))", "shopThing{price Optional[float64] OptFloat}"},
		{"has(result.size) ? string(int(result.size)) : result.name", "shopThing{name Optional[string] OptText, size Optional[shopIntegerTextValue] Opt(scanShopIntegerTextValue)} shopIntegerTextValue.integer Optional[int64]"},
	} {
		p := planned(t, fmt.Sprintf(thing, c.value))
		var got []string
		for _, s := range p.Answers {
			var fields []string
			for _, f := range s.Fields {
				fields = append(fields, f.Name+" "+goType(f.Type)+" "+reader(f.Read))
			}
			got = append(got, s.Name+"{"+strings.Join(fields, ", ")+"}")
		}
		for _, u := range p.Unions {
			for _, f := range u.Fields {
				got = append(got, u.Name+"."+f.Name+" "+goType(f.Type))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.value, text, c.want)
		}
	}
}

// The chain of a tool, as the statements that its steps come to.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		name, text string
		// want are the lines of the dump that the decision is about, in order.
		want []string
	}{
		{"one call", fmt.Sprintf(thing, "result.name"), []string{"call result(", "emit name("}},
		{"two reads side by side", `
    steps:
      a: {call: shop.thing, with: {id: 1}}
      b: {call: shop.thing, with: {id: '${input.id}'}}
    outputs:
      name: {value: '${a.name + b.name}', description: Both.}
`, []string{"parallel after [], after [](", "\tcall a(", "\tcall b(", "emit name("}},
		{"a read after a read", `
    steps:
      a: {call: shop.thing, with: {id: '${input.id}'}}
      b: {call: shop.thing, with: {id: '${a.id}'}}
    outputs:
      name: {value: '${b.name}', description: The second one.}
`, []string{"call a(", "call b(", "emit name("}},
		{"an effect after a read", `
    steps:
      a: {call: shop.thing, with: {id: 1}}
      b: {call: shop.order, body: {title: Book}}
    outputs:
      name: {value: '${a.name + b.name}', description: Both.}
`, []string{"call a(", "call b(", "emit name("}},
		{"a check before what comes after", `
    steps:
      a:
        call: shop.thing
        with: {id: '${input.id}'}
        expect: [{check: a.name != "", code: no_name, message: It has no name.}]
      b: {call: shop.order, body: {title: '${a.name}'}}
    outputs:
      name: {value: '${b.name}', description: What was ordered.}
`, []string{"call a(", "expect no_name(", "call b(", "emit name("}},
		{"a call for each element", `
    steps:
      all: {call: shop.thing, with: {id: '${input.id}'}}
      each: {call: shop.order, for_each: '${all.?parts.orValue([])}', max: 5, body: {title: '${item.name}'}}
    outputs:
      names: {value: '${each.map(e, e.name)}', description: What was ordered.}
`, []string{"call all(", "each each max 5(", "\tcall each(", "\treturn(", "for e in each"}},
		{"a step that may not run", `
    steps:
      all: {call: shop.thing, with: {id: '${input.id}'}}
      more: {call: shop.thing, when: '${all.id > 5}', with: {id: 7}}
    outputs:
      name: {value: '${more.?name.orValue("none")}', description: The other one.}
`, []string{"call all(", "if (", "\tcall more(", "emit name("}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dump := lower.Dump(planned(t, c.text).Tools[0].Body)
			rest := "\n" + dump
			for _, line := range c.want {
				at := strings.Index(rest, "\n"+line)
				if at < 0 {
					t.Fatalf("%q is not there, or not in this order:\n%s", line, dump)
				}
				rest = rest[at+1:]
			}
			if n := strings.Count(dump, "call "); n != strings.Count(strings.Join(c.want, "\n"), "call ") {
				t.Errorf("there are %d calls:\n%s", n, dump)
			}
		})
	}
}

// callsOf returns the calls of the tool in order.
func callsOf(b *lower.Block) (calls []*plan.Call) {
	for _, st := range b.Stmts {
		if n, ok := st.(lower.Node); ok {
			if c, ok := n.Data.(*plan.Call); ok {
				calls = append(calls, c)
			}
		}
		for _, inner := range lower.Blocks(st) {
			calls = append(calls, callsOf(inner)...)
		}
	}
	return calls
}

// Parameters go where their operation wants them; an optional one is sent on a
// condition.
func TestParameters(t *testing.T) {
	call := callsOf(planned(t, `
    call: shop.thing
    with: {id: '${input.id}', lang: '${input.word}', tags: '${["a", "b"]}'}
    outputs:
      name: {value: '${result.name}', description: Its name.}
`).Tools[0].Body)[0]
	var parts, params []string
	for _, v := range call.Parts {
		parts = append(parts, lower.Text(v))
	}
	for _, p := range call.Params {
		text := p.Method + " " + p.Name
		if p.If != nil {
			text += " if " + lower.Text(p.If)
		}
		params = append(params, text)
	}
	if got := strings.Join(parts, " "); call.Method != "GET" || call.Effect != plan.EffectRead || !strings.HasPrefix(got, `"/things/" `) || len(parts) != 2 {
		t.Errorf("%s %s, path %s", call.Method, call.Effect, got)
	}
	if got := strings.Join(params, ", "); got != "Query lang if (word != nil), QueryList tags" {
		t.Errorf("parameters %s", got)
	}
}

// A call that changes something says so, whether its answer is read or not.
func TestEffects(t *testing.T) {
	calls := callsOf(planned(t, `
    steps:
      made: {call: shop.order, body: {title: Book, note: '${input.word}'}}
      gone: {call: shop.discard, with: {id: '${input.id}'}}
    outputs:
      name: {value: '${made.name}', description: What was ordered.}
`).Tools[0].Body)
	if len(calls) != 2 || calls[0].Effect != plan.EffectUnsafe || calls[0].Result == "" || calls[1].Effect != plan.EffectIdempotent || calls[1].Result != "" {
		t.Fatalf("%+v", calls)
	}
	members := calls[0].Body.Root.Members
	if len(members) != 2 || members[0].Name != "title" || members[0].If != nil || members[1].Name != "note" || members[1].If == nil {
		t.Errorf("members %+v", members)
	}
}

// What an error says decides whether callers may repeat.
func TestCases(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{"404: {code: gone, message: It is gone.}", "NoResult"},
		{"429: {code: busy, message: Too many calls.}", "RateLimited"},
		{"429: {code: busy, message: Too many calls., retry: never}", "Rejected"},
		{"5xx: {code: down, message: It is down.}", "Unavailable"},
		{"503: {code: down, message: It is down., retry: changed}", "Rejected"},
		{"400: {code: bad, message: It is wrong.}", "Rejected"},
		{"400: {code: bad, message: It is wrong., retry: same}", "Unavailable"},
	} {
		call := callsOf(planned(t, strings.Replace(fmt.Sprintf(thing, "result.name"), "    outputs:", "    errors: {"+c.entry+"}\n    outputs:", 1)).Tools[0].Body)[0]
		if len(call.Cases) != 1 || !strings.HasSuffix(call.Cases[0].Failure.Kind, c.want) {
			t.Errorf("%s: %+v", c.entry, call.Cases)
		}
	}
}

// Names of the manifest become Go names; two that become one are a finding.
func TestNames(t *testing.T) {
	p := planned(t, fmt.Sprintf(thing, "result.name"))
	tool := p.Tools[0]
	if tool.Method != "Look" || tool.Input.Name != "LookInput" || tool.Output.Name != "LookOutput" || tool.File != "tool_look_gen.go" {
		t.Errorf("%s(%s) %s in %s", tool.Method, tool.Input.Name, tool.Output.Name, tool.File)
	}
	if in := tool.Input.Fields; len(in) != 2 || in[0].Name != "ID" || goType(in[0].Type) != "int64" || in[1].Name != "Word" || goType(in[1].Type) != "*string" {
		t.Errorf("inputs %+v", in)
	}
	if env := p.Env; len(env) != 1 || env[0].Field != "ShopLang" || env[0].Local != "" || !env[0].HasDefault {
		t.Errorf("configuration %+v", env[0])
	}
	_, findings := planOf(t, fmt.Sprintf(thing, "result.name")+"  toolset:\n    version: 1\n    description: Look up another thing.\n"+
		strings.Replace(fmt.Sprintf(thing, "result.name"), "${input.id}", "${1}", 1))
	if len(findings) == 0 || findings[0].Rule.String() != "go-name-clash" {
		t.Errorf("findings %v", findings)
	}
}

// Values of the running call are read where they are needed.
func TestValuesOfTheCall(t *testing.T) {
	for text, want := range map[string]string{
		`call.id`: "InvocationOf(ctx).CallID", `call.traceparent`: "InvocationOf(ctx).Trace()", `call.uuid("order")`: `UUID(ctx, "order")`, `string(call.time)`: "InvocationOf(ctx).Time",
	} {
		p := planned(t, fmt.Sprintf(thing, `result.name + `+text))
		if got := lower.Dump(p.Tools[0].Body); !strings.Contains(got, want) {
			t.Errorf("%s: %s is not in\n%s", text, want, got)
		}
	}
}
