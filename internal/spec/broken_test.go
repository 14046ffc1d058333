package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

func paths(text string) string { return head + "paths:\n" + text }

const ok200 = "responses: {'200': {description: d}}"

// Documents with something wrong: what is said of it, as place, rule and
// message, each finding on a line.
var brokenTests = []struct{ name, text, want string }{
	{"empty", "", "a.yaml:1:1 document-syntax the document is empty"},
	{"comment only", "# nothing\n", "a.yaml:1:1 document-syntax the document is empty"},
	{"no YAML", "a: [1\nb: 2\n", "a.yaml:2:2 document-syntax invalid YAML: did not find expected ',' or ']' while parsing a flow sequence"},
	{"two documents", "openapi: 3.0.3\n---\nb: 2\n", "a.yaml:2:1 several-documents a second document starts here"},
	{"not UTF-8", "openapi: 3.0.3\ninfo: {title: é\xff}\n", "a.yaml:2:16 document-encoding the document is not UTF-8"},
	{"a list", "- 1\n", `a.yaml:1:1 not-openapi the document has no "openapi" or "swagger" version at its top`},
	{"no version", "info: {}\n", `a.yaml:1:1 not-openapi the document has no "openapi" or "swagger" version at its top`},
	{"old version", "swagger: '1.2'\n", `a.yaml:1:10 openapi-version OpenAPI "1.2" is not known`},
	{"future version", "openapi: 4.0.0\n", `a.yaml:1:10 openapi-version OpenAPI "4.0.0" is not known`},
	{"newer version", "openapi: 3.2.0\npaths: {/x: {get: {operationId: get, " + ok200 + "}}}\n",
		`a.yaml:1:10 openapi-version OpenAPI "3.2.0" is read like 3.1; parts that are new in it are left out`},
	{"version without quotes", "openapi: 3.0.3\ninfo: {title: T, version: 1.0}\npaths: {/x: {get: {operationId: get, " + ok200 + "}}}\n",
		"a.yaml:2:27 info-version info.version is a number, expected a text"},
	{"unknown operation", paths("  /x: {get: {operationId: gett, " + ok200 + "}}\n"), `m.yaml:7:3 unknown-operation "get" is not an operation of "a.yaml", did you mean "gett"?`},
	{"no paths", head, `m.yaml:7:3 unknown-operation "get" is not an operation of "a.yaml"`},
	{"two of one id", paths("  /x: {get: {operationId: get, " + ok200 + "}}\n  /y: {post: {operationId: get, " + ok200 + "}}\n"),
		`m.yaml:7:3 ambiguous-operation two operations have the id "get"`},
	{"operation elsewhere missing", paths("  /x: {get: {$ref: 'ops/get.yaml'}}\n"), `m.yaml:7:3 unknown-operation "get" is not an operation of "a.yaml"`},
	{"duplicate key wanted", paths("  /x:\n    get:\n      operationId: get\n      summary: a\n      summary: b\n      " + ok200 + "\n"),
		`a.yaml:8:7 duplicate-key the key "summary" is here a second time`},
	{"duplicate key elsewhere", paths("  /x: {get: {operationId: get, " + ok200 + "}}\n  /y: {get: {operationId: other, summary: a, summary: b}}\n"), ""},
	{"duplicate at the top", paths("  /x: {get: {operationId: get, " + ok200 + "}}\npaths:\n  /y: {get: {operationId: other, " + ok200 + "}}\n"),
		`a.yaml:5:1 duplicate-key the key "paths" is here a second time`},
	{"duplicate extension at the top", paths("  /x: {get: {operationId: get, " + ok200 + "}}\nx-a: 1\nx-a: 2\n"), `a.yaml:6:1 duplicate-key the key "x-a" is here a second time`},
	{"duplicate path", paths("  /x: {get: {operationId: get, " + ok200 + "}}\n  /x: {post: {operationId: other, " + ok200 + "}}\n"),
		`a.yaml:5:3 duplicate-key the key "/x" is here a second time`},
	{"duplicate method", paths("  /x:\n    get: {operationId: get, " + ok200 + "}\n    get: {operationId: other, " + ok200 + "}\n"),
		`a.yaml:6:5 duplicate-key the key "get" is here a second time`},
	{"duplicate method elsewhere", paths("  /x: {get: {operationId: get, " + ok200 + "}}\n  /y:\n    get: {operationId: other, " + ok200 + "}\n    get: {operationId: third, " + ok200 + "}\n"), ""},
	{"duplicate section", answering("X: {type: string}") + "components: {parameters: {}}\n", `a.yaml:5:1 duplicate-key the key "components" is here a second time`},
	{"duplicate in a section", paths("  /x: {get: {operationId: get, " + ok200 + "}}\ncomponents:\n  schemas: {}\n  schemas: {}\n"),
		`a.yaml:7:3 duplicate-key the key "schemas" is here a second time`},
	{"duplicate title", "openapi: 3.0.3\ninfo: {title: a, title: b}\npaths: {/x: {get: {operationId: get, " + ok200 + "}}}\n",
		`a.yaml:2:18 duplicate-key the key "title" is here a second time`},
	{"duplicate in a server", paths("  /x: {get: {operationId: get, " + ok200 + "}}\nservers: [{url: 'https://a.example', url: 'https://b.example'}]\n"),
		`a.yaml:5:38 duplicate-key the key "url" is here a second time`},
	{"duplicate in a default", answering("X: {type: object, default: {a: 1, a: 2}}"), `a.yaml:4:58 duplicate-key the key "a" is here a second time`},
	{"duplicate component", answering("X: {type: string}, X: {type: integer}"), `a.yaml:4:43 duplicate-key the key "X" is here a second time`},
	{"duplicate component elsewhere", answering("X: {type: string}, Y: {type: string}, Y: {type: integer}"), ""},
	{"dangling schema", answering("X: {properties: {a: {$ref: '#/components/schemas/Y'}}}"),
		`a.yaml:4:51 dangling-reference the reference "#/components/schemas/Y" leads nowhere`},
	{"dangling elsewhere", answering("X: {type: string}, Z: {properties: {a: {$ref: '#/components/schemas/Y'}}}"), ""},
	{"dangling parameter", paths("  /x: {get: {operationId: get, parameters: [{$ref: '#/components/parameters/P'}], " + ok200 + "}}\n"),
		`a.yaml:4:52 dangling-reference the reference "#/components/parameters/P" leads nowhere`},
	{"dangling body", paths("  /x: {get: {operationId: get, requestBody: {$ref: '#/nope'}, " + ok200 + "}}\n"),
		`a.yaml:4:52 dangling-reference the reference "#/nope" leads nowhere`},
	{"dangling response", paths("  /x: {get: {operationId: get, responses: {'200': {$ref: '#/nope'}}}}\n"),
		`a.yaml:4:58 dangling-reference the reference "#/nope" leads nowhere`},
	{"network", answering("X: {properties: {a: {$ref: 'https://h.example/a.yaml#/X'}}}"),
		`a.yaml:4:51 remote-reference the reference "https://h.example/a.yaml#/X" names a document on the network, which is not fetched`},
	{"network without scheme", answering("X: {properties: {a: {$ref: '//h.example/a.yaml'}}}"),
		`a.yaml:4:51 remote-reference the reference "//h.example/a.yaml" names a document on the network, which is not fetched`},
	{"file scheme", answering("X: {properties: {a: {$ref: 'file:///etc/passwd'}}}"),
		`a.yaml:4:51 remote-reference the reference "file:///etc/passwd" names a document on the network, which is not fetched`},
	{"outside", answering("X: {properties: {a: {$ref: '../../etc/passwd'}}}"),
		`a.yaml:4:51 reference-outside the reference "../../etc/passwd" leaves the module`},
	{"outside, encoded", answering("X: {properties: {a: {$ref: '%2e%2e/passwd'}}}"),
		`a.yaml:4:51 reference-outside the reference "%2e%2e/passwd" leaves the module`},
	{"absolute", answering("X: {properties: {a: {$ref: '/etc/passwd'}}}"),
		`a.yaml:4:51 reference-outside the reference "/etc/passwd" leaves the module`},
	{"missing file", answering("X: {properties: {a: {$ref: 'b.yaml#/X'}}}"),
		`a.yaml:4:51 dangling-reference "b.yaml" cannot be read: no such file`},
	{"list as schema", answering("X: [{properties: {a: {type: string}}}]"), "a.yaml:4:24 list-schema #/components/schemas/X is a list, expected a schema"},
	{"items as list", answering("X: {type: array, items: [{type: string}]}"), "a.yaml:4:41 list-schema #/components/schemas/X/items is a list, expected a schema"},
	{"text as schema", answering("X: string"), "a.yaml:4:24 not-a-schema #/components/schemas/X is a string, expected a schema"},
	{"nothing as schema", answering("X: {properties: {a: }}"), "a.yaml:4:41 not-a-schema #/components/schemas/X/properties/a is null, expected a schema"},
	{"missing items", answering("X: {type: array}"), "a.yaml:4:24 missing-items #/components/schemas/X is a list without items"},
	{"unknown type", answering("X: {type: float}"), `a.yaml:4:28 bad-keyword #/components/schemas/X/type is "float", expected a type of JSON`},
	{"text as limit", answering("X: {type: string, maxLength: '5'}"), `a.yaml:4:42 bad-keyword #/components/schemas/X/maxLength is "5", expected a whole number`},
	{"fraction as length", answering("X: {type: string, maxLength: 1.5}"), `a.yaml:4:42 bad-keyword #/components/schemas/X/maxLength is "1.5", expected a whole number`},
	{"huge number", answering("X: {type: number, maximum: 1e400}"), `a.yaml:4:42 bad-keyword #/components/schemas/X/maximum is "1e400", expected a number`},
	{"enum as text", answering("X: {type: string, enum: a}"), `a.yaml:4:42 bad-keyword #/components/schemas/X/enum is "a", expected a list`},
	{"object as allOf", answering("X: {allOf: {type: string}}"), "a.yaml:4:28 bad-keyword #/components/schemas/X/allOf is an object, expected a list of schemas"},
	{"contradiction", answering("X: {allOf: [{type: string}, {type: integer}]}"), `a.yaml:4:24 contradictory-schema the branches of "X" exclude each other`},
	{"parameter without place", paths("  /x: {get: {operationId: get, parameters: [{name: a}], " + ok200 + "}}\n"),
		`a.yaml:4:45 bad-parameter the parameter "a" has no name or no known place (in)`},
	{"parameter is a text", paths("  /x: {get: {operationId: get, parameters: [a], " + ok200 + "}}\n"),
		`a.yaml:4:45 bad-keyword #/paths/~1x/get/parameters/0 is a string, expected a parameter` + "\n" +
			`a.yaml:4:45 bad-parameter the parameter "" has no name or no known place (in)`},
	{"parameters are an object", paths("  /x: {get: {operationId: get, parameters: {name: a, in: query}, " + ok200 + "}}\n"),
		`a.yaml:4:32 bad-keyword #/paths/~1x/get/parameters is an object, expected a list`},
	{"variable undeclared", paths("  /{a}: {get: {operationId: get, " + ok200 + "}}\n"),
		`a.yaml:4:10 path-variable the variable "a" of the path "/{a}" is declared nowhere`},
	{"variable misspelt", paths("  /{user}: {get: {operationId: get, parameters: [{name: usre, in: path, schema: {}}], " + ok200 + "}}\n"),
		`a.yaml:4:13 path-variable the variable "user" of the path "/{user}" is declared nowhere` + "\n" +
			`a.yaml:4:50 path-variable the path "/{user}" has no variable "usre", did you mean "user"?`},
	{"brace without partner", paths("  /a{b: {get: {operationId: get, " + ok200 + "}}\n"), `a.yaml:4:10 path-template the path "/a{b" has a brace without its partner`},
	{"undeclared scheme", paths("  /x: {get: {operationId: get, security: [{nope: []}], " + ok200 + "}}\n"),
		`a.yaml:4:44 unknown-security-scheme the security scheme "nope" is not declared`},
	{"operation is a text", paths("  /x: {get: GET /x}\n"), `m.yaml:7:3 unknown-operation "get" is not an operation of "a.yaml"`},
	{"path cycle", paths("  /x: {$ref: '#/paths/~1x'}\n"), `m.yaml:7:3 unknown-operation "get" is not an operation of "a.yaml"`},
	{"broken elsewhere", answering("X: {type: string}, Y: [1], Z: 3") + "tags: [{description: {$ref: x}}]\n", ""},
}

func TestBrokenDocuments(t *testing.T) {
	for _, tt := range brokenTests {
		t.Run(tt.name, func(t *testing.T) {
			want := spec.Want{ID: "get", Span: diag.Span{File: "m.yaml", Start: diag.Pos{Line: 7, Col: 3}}}
			_, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(tt.text)}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{want}}})
			checkFindings(t, findings, tt.want)
		})
	}
}

// TestFixesOfUnknownOperations has what is proposed where an operation is not found:
// a name that is near, or the file that may have it and cannot be read.
func TestFixesOfUnknownOperations(t *testing.T) {
	for text, want := range map[string]string{
		"  /x: {get: {operationId: gett, " + ok200 + "}}\n":                                                                "write gett",
		"  /x: {get: {operationId: other, " + ok200 + "}}\n":                                                               "take an operation of a.yaml",
		"  /y: {get: {operationId: other, " + ok200 + "}}\n  /x: {$ref: 'paths/x.yaml'}\n":                                 `take an operation of a.yaml; "paths/x.yaml" cannot be read: no such file`,
		"  /y: {get: {operationId: other, " + ok200 + "}}\n  /x: {get: {$ref: 'ops/a.yaml'}, put: {$ref: 'ops/b.yaml'}}\n": `take an operation of a.yaml; "ops/a.yaml" cannot be read: no such file`,
	} {
		_, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(paths(text))}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
		if len(findings) != 1 || findings[0].Fix != want {
			t.Errorf("%s\n%v", text, findings)
		}
	}
}

// checkFindings compares findings as place, rule and message, and demands that
// each has a fix and a rule of the table.
func checkFindings(t *testing.T, findings diag.List, want string) {
	t.Helper()
	rules := map[string]bool{}
	for _, r := range spec.Rules {
		rules[r.ID.String()] = true
	}
	var got []string
	for _, f := range findings {
		got = append(got, f.Span.String()+" "+f.Rule.String()+" "+f.Message)
		if f.Fix == "" || !rules[f.Rule.String()] {
			t.Errorf("%s has no fix, or is not in the table", f.Rule.String())
		}
	}
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func TestBrokenJSON(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"end", `{"openapi":`, "a.json:1:12 document-syntax invalid JSON: unexpected end of the file"},
		{"comma", `{"a":1,}`, "a.json:1:8 document-syntax invalid JSON: expected a key in double quotes"},
		{"no comma", "{\n \"é\" : 1 \"b\":2}", "a.json:2:10 document-syntax invalid JSON: expected a comma or }"},
		{"no colon", `{"a" 1}`, "a.json:1:6 document-syntax invalid JSON: expected a colon"},
		{"single quotes", `{'a': 1}`, "a.json:1:2 document-syntax invalid JSON: expected a key in double quotes"},
		{"leading zero", `{"a": 01}`, "a.json:1:8 document-syntax invalid JSON: expected a comma or }"},
		{"NaN", `{"a": NaN}`, "a.json:1:7 document-syntax invalid JSON: unexpected character"},
		{"lone minus", `{"a": -}`, "a.json:1:7 document-syntax invalid JSON: unexpected character"},
		{"escape", `{"a": "\x"}`, "a.json:1:8 document-syntax invalid JSON: unknown escape in a string"},
		{"short unicode escape", `{"a": "\u12"}`, "a.json:1:8 document-syntax invalid JSON: unknown escape in a string"},
		{"control character", "{\"a\": \"\n\"}", "a.json:1:8 document-syntax invalid JSON: control character in a string"},
		{"string without end", `{"a": "b`, "a.json:1:9 document-syntax invalid JSON: the string has no end"},
		{"word", `{"a": tru}`, "a.json:1:7 document-syntax invalid JSON: unexpected character"},
		{"two documents", `{} {}`, "a.json:1:4 several-documents a second document starts here"},
		{"text behind", `{} x`, "a.json:1:4 document-syntax invalid JSON: text after the end of the document"},
		{"YAML", "openapi: 3.0.3\n", "a.json:1:1 document-syntax invalid JSON: unexpected character"},
		{"empty", "", "a.json:1:1 document-syntax invalid JSON: unexpected end of the file"},
		{"duplicate", `{"openapi":"3.0.3","paths":{"/x":{"get":{"operationId":"get","operationId":"b"}}}}`,
			`a.json:1:62 duplicate-key the key "operationId" is here a second time`},
		{"duplicate at the top", `{"openapi":"3.0.3","paths":{"/x":{"get":{"operationId":"get"}}},"paths":{}}`,
			`a.json:1:65 duplicate-key the key "paths" is here a second time`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := spec.Load(fstest.MapFS{"a.json": {Data: []byte(tt.text)}}, []spec.Source{{API: "a", File: "a.json", Wants: []spec.Want{{ID: "get"}}}})
			checkFindings(t, findings, tt.want)
		})
	}
}

func TestMissingDocument(t *testing.T) {
	span := diag.Span{File: "m.yaml", Start: diag.Pos{Line: 3, Col: 12}}
	set, findings := spec.Load(fstest.MapFS{}, []spec.Source{{API: "a", File: "openapi/a.yaml", Span: span}})
	checkFindings(t, findings, `m.yaml:3:12 document-not-found "openapi/a.yaml" cannot be read: no such file`)
	if set.APIs["a"] != nil || set.Operation("a", spec.Want{ID: "x"}) != nil || (*spec.Set)(nil).Operation("a", spec.Want{}) != nil {
		t.Error("there is an api all the same")
	}
}

func TestTooLargeDocument(t *testing.T) {
	data := make([]byte, 64<<20+1)
	_, findings := spec.Load(fstest.MapFS{"a.json": {Data: data}}, []spec.Source{{API: "a", File: "a.json"}})
	checkFindings(t, findings, "a.json document-too-large the documents of this api have more than 64 MB")
}
