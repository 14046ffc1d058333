package cli

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// commented is a line that waits to be uncommented.
var commented = regexp.MustCompile(`^( +)((?:- )?)# (.*)$`)

// Every commented line of a first manifest is right once it is uncommented, alone.
func TestStarterComments(t *testing.T) {
	tried := 0
	for _, name := range starterDocuments {
		tried += uncommentAll(t, os.DirFS(filepath.Join(golden.Root(t), path.Dir(name))), path.Base(name), 100)
	}
	if tried < 20 {
		t.Errorf("only %d lines were tried", tried)
	}
}

// hostile has names and values that would end a comment.
const hostile = `openapi: 3.0.3
info: {title: T, version: "1"}
servers: [{url: https://a.example}]
paths:
  /x:
    post:
      operationId: x
      parameters:
        - {name: "a\nevil: 1", in: query, schema: {type: boolean}}
        - {name: page_size, in: query, schema: {type: string, enum: ["b\nevil: 1", c]}, description: "One\nevil: 1"}
        - {name: "page_d\u0085evil: 1", in: query, schema: {type: integer}}
        - {name: limit, in: query, schema: {type: integer}}
      requestBody:
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, "e\revil: 1": {type: integer}, f: {type: integer}}}}}
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
`

// What a document says never ends a comment.
func TestStarterCommentsHostile(t *testing.T) {
	fsys := fstest.MapFS{"d.yaml": {Data: []byte(hostile)}}
	summaries, _ := spec.Index(fsys, "d.yaml")
	st := &start{dir: ".", document: "d.yaml", module: "example.com/x", pkg: "tools", api: "api"}
	doc, findings := st.load(fsys, summaries, []spec.Want{{ID: "x"}})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	text := newStarter(st, doc).manifest().whole
	if evil := regexp.MustCompile(`(?m)^\s*evil: 1|[\r\x{85}]`).FindString(text); evil != "" {
		t.Errorf("%q in\n%s", evil, text)
	}
	for _, kept := range []string{"# limit: 1 # int", "# f: 1 # int"} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is missing in\n%s", kept, text)
		}
	}
}

// The same over some operations of published documents.
func TestStarterCommentsOfDocuments(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t, "openapi"))
	tried := 0
	for _, name := range []string{"petstore.yaml", "slack-swagger2.json", "adyen-checkout-v71.yaml", "twilio-api.json", "svix.json", "museum.yaml", "telegram-bot.json"} {
		tried += uncommentAll(t, fsys, name, 4)
	}
	if tried < 60 {
		t.Errorf("only %d lines were tried", tried)
	}
}

// uncommentAll lints the first manifests of some operations with each line uncommented, and says how many
// lines there were.
func uncommentAll(t *testing.T, fsys fs.FS, name string, most int) int {
	t.Helper()
	summaries, findings := spec.Index(fsys, name)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	tried := 0
	for i := 0; i < len(summaries); i += max(1, len(summaries)/most) {
		s := summaries[i]
		st := &start{dir: ".", document: name, module: "example.com/x", pkg: "tools", api: "api", baseURL: "https://api.example"}
		doc, findings := st.load(fsys, summaries, []spec.Want{{Method: s.Method, Path: s.Path}})
		if findings.HasErrors() || len(doc.Operations) == 0 {
			continue
		}
		lines := strings.Split(newStarter(st, doc).manifest().whole, "\n")
		for n, line := range lines {
			if m := commented.FindStringSubmatch(line); m != nil {
				tried++
				lines[n] = m[1] + m[2] + m[3]
				for _, f := range lintText(fsys, strings.Join(lines, "\n")) {
					if f.Severity == diag.Error {
						t.Errorf("%s %s %s: %s\n%s: %s", name, s.Method, s.Path, lines[n], f.Rule, f.Message)
					}
				}
				lines[n] = line
			}
		}
	}
	return tried
}

func lintText(fsys fs.FS, text string) diag.List {
	_, findings := frontend.Load(&draft{FS: fsys, files: map[string][]byte{frontend.ManifestName: []byte(text)}}, frontend.ManifestName)
	return findings
}
