package resolve

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const variantSchemas = `
    Self: {oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: integer}}}, {$ref: '#/components/schemas/Self'}], allOf: [{$ref: '#/components/schemas/Self'}]}
    Password: {type: object, required: [email, password], properties: {email: {type: string}, password: {type: string}}}
    Token: {type: object, required: [token], properties: {token: {type: string}}, additionalProperties: false}
    Free: {type: object, required: [kind], properties: {kind: {enum: [free]}}, additionalProperties: true}
    Login: {oneOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}]}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, required: [kind, tricks], properties: {kind: {type: string}, tricks: {type: array, items: {type: string}}}}
    Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', hound: Dog}}}
    Beast: {anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}}
    Said: {oneOf: [{type: object, required: [kind, a], properties: {kind: {enum: [a]}, a: {type: integer}}}, {type: object, title: With b, required: [kind, b], properties: {kind: {enum: [b, c]}, b: {type: string}}}]}
    Numbered: {oneOf: [{type: object, required: [v, a], properties: {v: {type: integer, enum: [1]}, a: {type: string}}}, {type: object, required: [v, b], properties: {v: {type: integer, enum: [2]}, b: {type: string}}}]}
    Tree: {oneOf: [{type: object, required: [leaf], properties: {leaf: {type: string}}, additionalProperties: false}, {type: object, required: [nodes], properties: {nodes: {type: array, items: {$ref: '#/components/schemas/Tree'}}}, additionalProperties: false}]}
`

// Bodies, their schemas and what is found. A body that is fine has "".
var variantTests = []struct{ name, schema, body, want string }{
	{"first", "{$ref: '#/components/schemas/Login'}", "{email: a, password: b}", ""},
	{"second", "{$ref: '#/components/schemas/Login'}", "{token: a}", ""},
	{"a login without its password", "{$ref: '#/components/schemas/Login'}", "{email: a}",
		`no-variant: the body is none of Password, Token: for Password, the nearest, the required member "password" of the body is not bound`},
	{"nothing of either", "{$ref: '#/components/schemas/Login'}", "{}",
		`no-variant: the body is none of Password, Token: for Token, the nearest, the required member "token" of the body is not bound`},
	{"misspelt", "{$ref: '#/components/schemas/Login'}", "{email: a, password: b, pasword: c}", `unknown-member: the body has no member "pasword", did you mean "password"?`},
	{"anyOf", "{anyOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}]}", "{password: a}",
		`no-variant: the body is none of Password, Token: for Password, the nearest, the required member "email" of the body is not bound`},
	{"a third that is free", "{oneOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}, {$ref: '#/components/schemas/Free'}]}", "{kind: free, whatever: [1, {a: b}]}", ""},
	{"a third that is a map", "{oneOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}, {type: object, additionalProperties: {type: integer}}]}", "{email: 5, other: 6}", ""},
	{"a third that is any object", "{anyOf: [{$ref: '#/components/schemas/Token'}, {type: object}]}", "{what: ever}", ""},
	{"a third of another kind", "{oneOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}, {type: array, items: {type: integer}}]}", "[1, 2]", ""},
	{"a third of another kind, wrong", "{oneOf: [{$ref: '#/components/schemas/Password'}, {type: array, items: {type: integer}}]}", "[1, a]",
		`no-variant: the body is none of Password, variant 2: for variant 2, the nearest, body element wants int, this is string`},
	{"outer requirements hold", "{type: object, required: [id], properties: {id: {type: string}}, oneOf: [{$ref: '#/components/schemas/Password'}, {required: [token], properties: {token: {type: string}}}]}", "{token: a}",
		`unbound-member: the required member "id" of the body is not bound`},
	{"outer members count", "{type: object, required: [id], properties: {id: {type: string}}, oneOf: [{$ref: '#/components/schemas/Password'}, {required: [token], properties: {token: {type: string}}}]}", "{token: a, id: b}", ""},
	{"demands alone", "{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}", "{b: x}", ""},
	{"neither demand", "{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}, anyOf: [{required: [a]}, {title: B, required: [b]}]}", "{c: x}",
		`no-variant: the body is none of variant 1, B: for variant 1, the nearest, the required member "a" of the body is not bound`},
	{"both demands of oneOf", "{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {title: B, required: [b]}]}", "{a: x, b: x}",
		`ambiguous-variant: the body fits variant 1 and B, of which the document allows one at a time`},
	{"inside of allOf", "{allOf: [{type: object, properties: {id: {type: string}}}, {$ref: '#/components/schemas/Login'}]}", "{id: a, email: b}",
		`no-variant: the body is none of Password, Token: for Password, the nearest, the required member "password" of the body is not bound`},
	{"constants", "{$ref: '#/components/schemas/Said'}", "{kind: c, b: x}", ""},
	{"constants of another", "{$ref: '#/components/schemas/Said'}", "{kind: b, a: 1}",
		`no-variant: the body is none of variant 1, With b: for With b, the nearest, the required member "b" of the body is not bound`},
	{"no constant", "{$ref: '#/components/schemas/Said'}", "{kind: d, a: 1}",
		`no-variant: the body is none of variant 1, With b: for variant 1, the nearest, member kind does not allow "d", only a`},
	{"constants that are numbers", "{$ref: '#/components/schemas/Numbered'}", "{v: 2, a: x}",
		`no-variant: the body is none of variant 1, variant 2: for variant 2, the nearest, the required member "b" of the body is not bound`},
	{"not constant", "{$ref: '#/components/schemas/Said'}", "{kind: '${input.name}', a: 1}", ""},
	{"not constant, and neither", "{$ref: '#/components/schemas/Said'}", "{kind: '${input.name}'}",
		`no-variant: the body is none of variant 1, With b: for variant 1, the nearest, the required member "a" of the body is not bound`},
	{"mapped", "{$ref: '#/components/schemas/Pet'}", "{kind: cat, lives: 9}", ""},
	{"mapped to a name", "{$ref: '#/components/schemas/Pet'}", "{kind: hound, lives: 9}",
		`no-variant: the body is no Dog, which its kind chooses: the required member "tricks" of the body is not bound`},
	{"by the name of a schema", "{$ref: '#/components/schemas/Beast'}", "{kind: Dog}",
		`no-variant: the body is no Dog, which its kind chooses: the required member "tricks" of the body is not bound`},
	{"not mapped", "{$ref: '#/components/schemas/Pet'}", "{kind: cow, tricks: []}",
		`no-variant: kind "cow" of the body chooses no variant of its schema, only cat, hound do`},
	{"chosen when the call is made", "{$ref: '#/components/schemas/Pet'}", "{kind: '${input.name}', tricks: [a]}", ""},
	{"member of another variant", "{$ref: '#/components/schemas/Pet'}", "{kind: cat, tricks: []}", `unknown-member: the body has no member "tricks"`},
	{"in a member", "{type: object, required: [login], properties: {login: {$ref: '#/components/schemas/Login'}}}", "{login: {email: a}}",
		`no-variant: the member login is none of Password, Token: for Password, the nearest, the required member "password" of the member login is not bound`},
	{"in a list", "{type: array, items: {$ref: '#/components/schemas/Login'}}", "[{token: a}, {email: a}]",
		`no-variant: the body element is none of Password, Token: for Password, the nearest, the required member "password" of the body element is not bound`},
	{"in a map", "{type: object, additionalProperties: {$ref: '#/components/schemas/Login'}}", "{x: {token: a}, y: {}}",
		`no-variant: the member y is none of Password, Token: for Token, the nearest, the required member "token" of the member y is not bound`},
	{"nullable", "{type: object, properties: {login: {anyOf: [{$ref: '#/components/schemas/Login'}, {nullable: true}]}}}", "{login: {email: a}}",
		`no-variant: the member login is none of Password, Token: for Password, the nearest, the required member "password" of the member login is not bound`},
	{"null", "{type: object, properties: {login: {anyOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}, {nullable: true}]}}}", "{login: null}", ""},
	{"not null", "{type: object, properties: {login: {$ref: '#/components/schemas/Login'}}}", "{login: null}",
		`no-variant: the member login is none of Password, Token: for Password, the nearest, member login cannot be null`},
	{"one of an expression", "{$ref: '#/components/schemas/Login'}", `'${{"token": input.name}}'`, ""},
	{"none of an expression", "{$ref: '#/components/schemas/Login'}", `'${{"email": input.name}}'`,
		`no-variant: the body is none of Password, Token: for Password, the nearest, the required member "password" of the body is not bound`},
	{"a value that may be missing", "{$ref: '#/components/schemas/Login'}", "{token: '${input.?extra}'}",
		`no-variant: the body is none of Password, Token: for Token, the nearest, member token is required and the value may be missing`},
	{"a tree", "{$ref: '#/components/schemas/Tree'}", "{nodes: [{leaf: a}, {nodes: []}]}", ""},
	{"a union with itself", "{$ref: '#/components/schemas/Self'}", "{a: 1}", "no-variant: the body is none of variant 1, variant 2, Self: for variant 2, the nearest, the required member \"b\" of the body is not bound"},
	{"a union with itself that fits", "{$ref: '#/components/schemas/Self'}", "{b: 1}", ""},
	{"read-only members", "{oneOf: [{type: object, required: [id, a], properties: {id: {type: string, readOnly: true}, a: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}}, additionalProperties: false}]}", "{a: x}", ""},
}

func TestVariants(t *testing.T) {
	for _, version := range []string{"3.0.3", "3.1.0"} {
		for _, media := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"} {
			for _, tt := range variantTests {
				whole := strings.HasPrefix(tt.body, "{") && !strings.Contains(tt.body, "null") && !strings.Contains(tt.body, "[]") && !strings.Contains(tt.body, "{}")
				if !whole && media != "application/json" {
					continue
				}
				t.Run(version+" "+media+" "+tt.name, func(t *testing.T) {
					if got := variantFindings(t, version, media, tt.schema, "body: "+tt.body); got != tt.want {
						t.Errorf("got  %s\nwant %s", got, tt.want)
					}
				})
			}
		}
	}
}

// Variants of variants that share their members are compared once.
func TestVariantsWithin(t *testing.T) {
	var variants, body strings.Builder
	for i := range 30 {
		fmt.Fprintf(&variants, "{type: object, required: [t%d], properties: {t%d: {type: string}, kids: {type: array, items: {$ref: '#/components/schemas/Deep'}}}}, ", i, i)
	}
	const depth = 12
	for range depth {
		body.WriteString("{t3: a, kids: [")
	}
	text := body.String() + "{t4: a}" + strings.Repeat("]}", depth)
	document := "\n    Deep: {oneOf: [" + variants.String() + "]}" + variantSchemas
	if got := findingsOver(t, document, "3.0.3", "application/json", "{$ref: '#/components/schemas/Deep'}", "body: "+text); got != "" {
		t.Error(got)
	}
}

// A parameter has variants as a body has.
func TestVariantsOfParameters(t *testing.T) {
	for _, tt := range []struct{ with, want string }{
		{"{p: a}", ""}, {"{p: 5}", ""},
		{"{p: toolong}", `no-variant: the parameter p is none of variant 1, variant 2, variant 3: for variant 1, the nearest, parameter p allows at most 3 characters`},
		{"{p: '${input.name}'}", ""},
		{"{p: {from: 1}}", ""},
		{"{p: {to: 1}}", `no-variant: the parameter p is none of variant 1, variant 2, variant 3: for variant 3, the nearest, the required member "from" of the parameter p is not bound`},
	} {
		if got := variantFindings(t, "3.0.3", "application/json", "{}", "with: "+tt.with); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.with, got, tt.want)
		}
	}
}

func variantFindings(t *testing.T, version, media, schema, bound string) string {
	t.Helper()
	return findingsOver(t, variantSchemas, version, media, schema, bound)
}

func findingsOver(t *testing.T, schemas, version, media, schema, bound string) string {
	t.Helper()
	document := "openapi: " + version + "\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://a.example'}]\ncomponents:\n  schemas:" + schemas +
		"paths: {/x: {post: {operationId: op, parameters: [{name: p, in: query, style: deepObject, schema: {oneOf: [{type: string, maxLength: 3}, {type: integer}, " +
		"{type: object, required: [from], properties: {from: {type: integer}, to: {type: integer}}}]}}], " +
		"requestBody: {content: {" + media + ": {schema: " + schema + "}}}, responses: {'204': {description: D.}}}}}\n"
	text := fmt.Sprintf("sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {a: {openapi: a.yaml}}\n"+
		"tools: {t: {version: 1, description: Sends., inputs: {name: {description: N., max_length: 9}, extra: {description: E., max_length: 9, optional: true}}, "+
		"steps: {s: {call: a.op, %s}}, outputs: {n: {value: '${input.name}', description: N.}}}}\n", bound)
	m, findings := manifest.Parse("sculpt.yaml", []byte(text))
	set, more := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(document)}}, Sources(m))
	if findings = append(findings, more...); findings.HasErrors() {
		t.Fatal(findings)
	}
	_, findings = Program(m, set, nil)
	var out []string
	for _, f := range findings {
		if f.Severity == diag.Error || f.Rule == ruleAmbiguousVariant {
			out = append(out, fmt.Sprintf("%s: %s", f.Rule, f.Message))
		}
	}
	return strings.Join(out, "; ")
}
