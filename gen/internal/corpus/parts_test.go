package corpus_test

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// partForms are the ways to describe the member "m" of a multipart body, the encoding
// that goes with it, what is bound, and what a reader of multipart bodies finds: file
// name, media type and content of each part.
var partForms = []struct{ versions, schema, encoding, value, want string }{
	{"3.0.3 3.1.0", "{type: string, format: binary}", "", "abc", "m application/octet-stream abc"},
	{"3.0.3 3.1.0", "{type: string, contentMediaType: application/octet-stream}", "", "abc", "m application/octet-stream abc"},
	{"3.1.0", "{type: [string, 'null'], contentMediaType: application/octet-stream}", "", "abc", "m application/octet-stream abc"},
	{"3.1.0", "{anyOf: [{type: string, contentMediaType: application/octet-stream}, {type: 'null'}]}", "", "abc", "m application/octet-stream abc"},
	{"3.1.0", "{type: string, contentMediaType: image/png}", "", "abc", "m image/png abc"},
	{"3.1.0", "{contentMediaType: image/png}", "", "abc", "m image/png abc"},
	{"3.1.0", "{type: string, contentMediaType: image/png; q=1}", "", "abc", "m image/png; q=1 abc"},
	{"3.1.0", "{$ref: '#/components/schemas/Picture'}", "", "abc", "m image/png abc"},
	{"3.1.0", "{allOf: [{$ref: '#/components/schemas/Picture'}], description: A picture.}", "", "abc", "m image/png abc"},
	{"3.1.0", "{type: string, format: binary, contentMediaType: image/png}", "", "abc", "m image/png abc"},
	{"3.1.0", "{type: array, items: {type: string, contentMediaType: image/png}}", "", "[abc, de]", "m image/png abc; m image/png de"},
	{"3.1.0", "{type: array, items: {$ref: '#/components/schemas/Picture'}}", "", "[abc]", "m image/png abc"},
	{"3.0.3 3.1.0", "{}", "{m: {contentType: application/octet-stream}}", "abc", "m application/octet-stream abc"},
	{"3.1.0", "{type: array, items: {}}", "{m: {contentType: application/octet-stream}}", "[abc, de]", "m application/octet-stream abc; m application/octet-stream de"},
	{"3.1.0", "{type: string, contentMediaType: application/octet-stream}", "{m: {contentType: 'image/png, image/jpeg'}}", "abc", "m image/png abc"},
	{"3.1.0", "{type: string, contentMediaType: text/csv}", "", "'a,b'", "- text/csv a,b"},
	{"3.1.0", "{type: string, contentMediaType: application/json}", "", `'{"a":1}'`, `- application/json {"a":1}`},
	{"3.1.0", "{type: string, contentEncoding: base64}", "", "YWJj", "- - YWJj"},
	{"3.1.0", "{type: string, contentEncoding: base64, contentMediaType: image/png}", "", "YWJj", "- - YWJj"},
	{"3.0.3 3.1.0", "{type: string, format: byte}", "", "YWJj", "- - YWJj"},
}

// A file is a part with a file name and a media type, whatever words a document has
// for it.
func TestParts(t *testing.T) {
	for _, tt := range partForms {
		for version := range strings.FieldsSeq(tt.versions) {
			t.Run(version+" "+tt.schema+tt.encoding, func(t *testing.T) {
				text := fmt.Sprintf("sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {a: {openapi: a.yaml}}\n"+
					"tools: {t: {version: 1, description: Sends., inputs: {n: {type: int, description: N., min: 0, max: 9}}, "+
					"steps: {s: {call: a.op, body: {m: %s}}}, outputs: {n: {value: '${input.n}', description: N.}}}}\n", tt.value)
				p, _, findings := planned(text, partsSet(t, text, version, tt.schema, tt.encoding))
				if findings.HasErrors() {
					t.Fatal(findings)
				}
				r := sent(t, p)[0]
				if got := partsOf(t, r.Header.Get("Content-Type"), r.Body); got != tt.want {
					t.Errorf("sends %s, want %s", got, tt.want)
				}
			})
		}
	}
}

func partsSet(t *testing.T, text, version, schema, encoding string) *spec.Set {
	t.Helper()
	m, findings := manifest.Parse("sculpt.yaml", []byte(text))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if encoding != "" {
		encoding = ", encoding: " + encoding
	}
	document := "openapi: " + version + "\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://a.example'}]\n" +
		"components: {schemas: {Picture: {type: string, contentMediaType: image/png}}}\n" +
		"paths: {/x: {post: {operationId: op, requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, properties: {m: " + schema + "}}" + encoding + "}}}, " +
		"responses: {'204': {description: D.}}}}}\n"
	set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(document)}}, resolve.Sources(m))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return set
}

// partsOf reads a multipart body with the standard library, "-" for what is not said.
func partsOf(t *testing.T, contentType, body string) string {
	t.Helper()
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	said := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	var parts []string
	for r := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return strings.Join(parts, "; ")
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		if part.FormName() != "m" {
			t.Errorf("the part is called %q", part.FormName())
		}
		parts = append(parts, said(part.FileName())+" "+said(part.Header.Get("Content-Type"))+" "+string(data))
	}
}

// Bytes are sent as they are in a file, and in Base64 where the document wants a text
// of it.
func TestBytesInParts(t *testing.T) {
	for schema, want := range map[string]string{
		"{type: string, format: binary}":                                   "file true, bytes true",
		"{type: string, contentMediaType: application/octet-stream}":       "file true, bytes true",
		"{contentMediaType: image/png}":                                    "file true, bytes true",
		"{type: string, contentEncoding: base64}":                          "file false, bytes false",
		"{type: string, contentEncoding: BASE64, contentMediaType: a/b}":   "file false, bytes false",
		"{anyOf: [{type: string, contentEncoding: base64}, {type: null}]}": "file false, bytes false",
	} {
		text := "sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {a: {openapi: a.yaml}}\n" +
			"tools: {t: {version: 1, description: Sends., inputs: {data: {description: N., max_length: 99}}, " +
			"steps: {s: {call: a.op, body: {m: '${base64.decode(input.data)}'}}}, outputs: {n: {value: '${input.data}', description: N.}}}}\n"
		p, _, findings := planned(text, partsSet(t, text, "3.1.0", schema, ""))
		if findings.HasErrors() {
			t.Errorf("%s: %v", schema, findings)
			continue
		}
		for _, call := range callsOf(p.Tools[0].Body) {
			if got := fmt.Sprintf("file %v, bytes %v", call.Form[0].File, call.Form[0].Bytes); got != want {
				t.Errorf("%s: %s, want %s", schema, got, want)
			}
		}
	}
}

// callsOf are the calls of a planned tool.
func callsOf(b *lower.Block) (calls []*plan.Call) {
	for _, st := range b.Stmts {
		node, _ := st.(lower.Node)
		if call, ok := node.Data.(*plan.Call); ok {
			calls = append(calls, call)
		}
		for _, inner := range node.Blocks {
			calls = append(calls, callsOf(inner)...)
		}
	}
	return calls
}
