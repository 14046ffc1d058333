package cli

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// bodiesWithVariants are schemas of bodies, a part of the first manifest, and the lines
// with which "sculpt operations" tells the variants.
var bodiesWithVariants = []struct{ schema, draft, shown string }{
	{"{oneOf: [{$ref: '#/components/schemas/Password'}, {$ref: '#/components/schemas/Token'}]}", "email: '${input.email}'", "Password: email, password|Token: token"},
	{"{anyOf: [{type: 'null'}, {$ref: '#/components/schemas/Token'}, {$ref: '#/components/schemas/Password'}]}", "token: '${input.token}'", "Token: token|Password: email, password"},
	{"{type: object, required: [id], properties: {id: {type: string}}, oneOf: [{title: One, required: [a], properties: {a: {type: string}}}, {required: [b]}]}", "a: '${input.a}'", "One: a|variant 2: b"},
	{"{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}}", "kind: cat", "Cat: kind cat|Dog: kind dog, tricks"},
	{"{oneOf: [{type: object, required: [t, x], properties: {t: {const: x}, x: {type: string}}}, {type: object, required: [t, y], properties: {t: {const: y}, y: {type: string}}}]}", "t: x", "variant 1: t, x|variant 2: t, y"},
	{"{allOf: [{type: object, required: [id], properties: {id: {type: string}}}, {$ref: '#/components/schemas/Login'}]}", "password: '${input.password}'", "Password: email, password|Token: token"},
	{"{type: object, required: [login], properties: {login: {$ref: '#/components/schemas/Login'}}}", "login:", "Password: email, password|Token: token"},
	{"{type: array, items: {$ref: '#/components/schemas/Login'}}", "", "Password: email, password|Token: token"},
	{"{type: object, required: [tree], properties: {tree: {$ref: '#/components/schemas/Tree'}}}", "leaf: '${input.leaf}'", "Leaf: leaf|variant 2: nodes"},
	{"{oneOf: [{type: object, additionalProperties: {type: string}}, {$ref: '#/components/schemas/Token'}]}", "", "variant 1|Token: token"},
}

// The first manifest of an operation with such a body takes the first variant and lints.
func TestStartersOfVariants(t *testing.T) {
	for _, version := range []string{"3.0.3", "3.1.0"} {
		for _, media := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"} {
			for _, tt := range bodiesWithVariants {
				if media != "application/json" && (strings.Contains(tt.schema, "array") || tt.draft == "") || version == "3.0.3" && strings.Contains(tt.schema, "'null'") {
					continue
				}
				t.Run(version+" "+media+" "+tt.schema, func(t *testing.T) {
					fsys := fstest.MapFS{"a.yaml": {Data: []byte(variantsDocument(version, media, tt.schema))}}
					summaries, _ := spec.Index(fsys, "a.yaml")
					st := &start{dir: ".", document: "a.yaml", module: "example.com/x", pkg: "tools", api: "api"}
					doc, findings := st.load(fsys, summaries, []spec.Want{{ID: "op"}})
					if findings.HasErrors() {
						t.Fatal(findings)
					}
					text := newStarter(st, doc).manifest().whole
					for _, f := range starterFindings(fsys, text) {
						if f.Severity == diag.Error {
							t.Errorf("%s: %s\n%s", f.Rule, f.Message, text)
						}
					}
					if !strings.Contains(text, tt.draft) {
						t.Errorf("no %q in\n%s", tt.draft, text)
					}
					if got := strings.Join(variantsShown(treeOf(doc, doc.Operations[0], 5).Body), "|"); got != tt.shown {
						t.Errorf("shows %s, want %s", got, tt.shown)
					}
				})
			}
		}
	}
}

// variantsShown are those of the outermost value that has some.
func variantsShown(v *shownValue) []string {
	for _, m := range v.Members {
		if v.Variants == nil {
			v.Variants = variantsShown(m)
		}
	}
	return v.Variants
}

func variantsDocument(version, media, schema string) string {
	return fmt.Sprintf(`openapi: %s
info: {title: T, version: '1'}
servers: [{url: 'https://a.example'}]
components:
  schemas:
    Password: {type: object, required: [email, password], properties: {email: {type: string}, password: {type: string}}}
    Token: {type: object, required: [token], properties: {token: {type: string}}, additionalProperties: false}
    Login: {oneOf: [{$ref: '#/components/schemas/Password'}, {type: object, title: Token, required: [token], properties: {token: {type: string}}}]}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, required: [kind, tricks], properties: {kind: {type: string}, tricks: {type: array, items: {type: string}}}}
    Tree: {oneOf: [{title: Leaf, type: object, required: [leaf], properties: {leaf: {type: string}}, additionalProperties: false}, {type: object, required: [nodes], properties: {nodes: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}]}
paths: {/x: {post: {operationId: op, requestBody: {required: true, content: {%s: {schema: %s}}}, responses: {'200': {description: D., content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}}
`, version, media, schema)
}
