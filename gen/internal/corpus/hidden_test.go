package corpus_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// unseen is a text in which nobody sees but three letters: a tag, a variation
// selector, a filler.
const unseen = "qzj\U000e0041\ufe01\u3164"

// TestNothingHiddenIsPublished puts it into every text of a document: there is
// a finding, or no file that a model reads holds it.
func TestNothingHiddenIsPublished(t *testing.T) {
	golden.NotRaced(t)
	const name = "shop.yaml"
	fsys := rich(t)
	found := 0
	eachScalar(t, fsys[name].Data, unseen, func(where string, data []byte) {
		fsys[name] = &fstest.MapFile{Data: data}
		_, files, findings := buildProgram(fsys, ".")
		if slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule.String() == "control-character" }) {
			found++
		}
		for _, f := range files {
			if strings.HasPrefix(f.Name, "exports/") && holdsHidden(f) {
				t.Errorf("%s: %s holds it", where, f.Name)
			}
		}
	})
	if found == 0 {
		t.Error("no text of the document is published: the fixture shows nothing")
	}
}

// holdsHidden reports whether a text of a document of JSON, or a page, holds a
// hidden character.
func holdsHidden(f gen.File) bool {
	var doc any
	if err := json.Unmarshal(f.Data, &doc); err != nil {
		return value.Hidden(string(f.Data), 0) >= 0
	}
	return hiddenIn(doc)
}

func hiddenIn(doc any) bool {
	switch doc := doc.(type) {
	case string:
		return value.Hidden(doc, 0) >= 0
	case []any:
		return slices.ContainsFunc(doc, hiddenIn)
	case map[string]any:
		for k, v := range doc {
			if hiddenIn(k) || hiddenIn(v) {
				return true
			}
		}
	}
	return false
}

// inherits takes text, pattern and enum of parameters, and an enum of an answer.
const inherits = `{sculpt: 1, package: names, toolkit: Names, namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11,
apis: {a: {openapi: doc.json}},
tools: {read_it: {version: 1, description: Read it., call: a.op, with: {p: '${input.p}', e: '${input.e}'},
  inputs: {p: {from: a.op.p}, e: {from: a.op.e, description: Which.}},
  outputs: {o: {description: What., value: '${result.list.map(x, {"state": x.state})}'}}}}}
`

const inherited = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.example"}],
"paths": {"/a": {"get": {"operationId": "op", "parameters": [
  {"name": "p", "in": "query", "description": "Some text.", "schema": {"type": "string", "maxLength": 9, "pattern": "^pat"}},
  {"name": "e", "in": "query", "schema": {"type": "string", "enum": ["one", "two"]}}],
  "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"type": "object", "properties": {
    "list": {"type": "array", "items": {"type": "object", "required": ["state"], "properties": {"state": {"type": "string", "enum": ["open", "shut"]}}}}}}}}}}}}}}
`

// TestInheritedTextsAreSeen: each way from a document into the promise of a
// tool has its finding, at the line of the manifest that inherits.
func TestInheritedTextsAreSeen(t *testing.T) {
	for text, want := range map[string]string{
		"Some text.": `4:22 control-character the description of input p, which comes from the document, holds the hidden character U+FE01`,
		"^pat":       `4:22 control-character the pattern of input p, which comes from the document, holds the hidden character U+FE01`,
		"one":        `4:41 control-character the values of input e, which come from the document, hold the hidden character U+FE01`,
		"shut":       `5:44 control-character the values of output o, which come from the document, hold the hidden character U+FE01`,
	} {
		fsys := fstest.MapFS{"sculpt.yaml": {Data: []byte(inherits)}, "doc.json": {Data: []byte(strings.Replace(inherited, text, text+"\ufe01", 1))}}
		_, files, findings := buildProgram(fsys, ".")
		var errs []string
		for _, f := range findings {
			if f.Severity == diag.Error {
				errs = append(errs, fmt.Sprintf("%d:%d %s %s", f.Span.Start.Line, f.Span.Start.Col, f.Rule.String(), f.Message))
			}
		}
		if len(errs) != 1 || errs[0] != want || len(files) > 0 {
			t.Errorf("%s: got %q and %d files, want %q", text, errs, len(files), want)
		}
	}
	fsys := fstest.MapFS{"sculpt.yaml": {Data: []byte(inherits)}, "doc.json": {Data: []byte(strings.Replace(inherited, "Some text.", "Some text \u2764\ufe0f", 1))}}
	if _, files, findings := buildProgram(fsys, "."); findings.HasErrors() || len(files) == 0 {
		t.Errorf("an emoji of an inherited text: %v", findings)
	}
}
