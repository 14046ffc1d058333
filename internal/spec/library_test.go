package spec_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var testdata = os.DirFS("../../testdata")

func library(t *testing.T, wants ...spec.Want) *spec.Set {
	t.Helper()
	set, findings := spec.Load(testdata, []spec.Source{{API: "lib", File: "openapi/library.yaml", Wants: wants}})
	for _, f := range findings {
		t.Errorf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
	}
	return set
}

func TestOperation(t *testing.T) {
	set := library(t, spec.Want{ID: "get_book"}, spec.Want{Method: "get", Path: "/books/{isbn}"})
	api := set.APIs["lib"]
	if api.Title != "Library" || api.Server.BaseURL() != "https://eu.library.example/v1" || len(api.Operations) != 1 || len(api.Digest) != 64 {
		t.Errorf("title %q, base %q, %d operations, digest %q", api.Title, api.Server.BaseURL(), len(api.Operations), api.Digest)
	}
	op := set.Operation("lib", spec.Want{Method: "GET", Path: "/books/{isbn}"})
	if op == nil || op != set.Operation("lib", spec.Want{ID: "get_book"}) {
		t.Fatal("the operation is not found by id and by path")
	}
	var params []string
	for _, p := range op.Params {
		params = append(params, strings.Join([]string{string(p.In), p.Name, p.Style, p.Type.String(), p.Description}, " "))
	}
	want := []string{
		"path isbn simple string ", "query lang form string From the operation.",
		"query fields form list(string) ", "query filter deepObject GetBookFilter ", "header X-Trace simple string ",
	}
	if diff := cmp.Diff(want, params); diff != "" {
		t.Error(diff)
	}
	if lang := op.Params[1]; !lang.Required || !slices.Equal(lang.Type.Enum, []string{"de", "en", "no"}) {
		t.Errorf("lang is %+v of %+v", lang, lang.Type)
	}
	if op.Params[1].Explode != true || op.Params[2].Explode != false || op.Params[0].Type.Limits.Pattern != "^[0-9]{13}$" {
		t.Error("explode or pattern is wrong")
	}
	if l := op.Params[3].Type.Field("from").Type.Limits; l == nil || *l.Minimum != 0 || !l.ExclusiveMin {
		t.Errorf("limits %+v", l)
	}
	var statuses []string
	for _, r := range op.Responses {
		s := r.Status
		for _, m := range r.Media {
			s += " " + m.Type + "=" + m.Schema.String()
		}
		statuses = append(statuses, s)
	}
	want = []string{"200 application/json=Book application/xml=string", "404 application/problem+json=ProblemResponse", "default"}
	if diff := cmp.Diff(want, statuses); diff != "" {
		t.Error(diff)
	}
	if op.Span.String() != "openapi/library.yaml:15:5" || op.Summary != "One book" {
		t.Errorf("span %v, summary %q", op.Span, op.Summary)
	}
	if diff := cmp.Diff([][]string{{"key"}}, op.Security); diff != "" {
		t.Error(diff)
	}
	wantSchemes := map[string]*operation.Scheme{
		"key":   {Name: "key", Type: "apiKey", In: "header", Param: "X-Key"},
		"basic": {Name: "basic", Type: "http", HTTP: "basic"},
	}
	if diff := cmp.Diff(wantSchemes, api.Schemes); diff != "" {
		t.Error(diff)
	}
}

func TestTypesOfComponents(t *testing.T) {
	set := library(t, spec.Want{ID: "get_book"}, spec.Want{ID: "copies"}, spec.Want{ID: "add_book"})
	book := set.Operation("lib", spec.Want{ID: "get_book"}).Responses[0].Media[0].Schema
	var fields []string
	for _, f := range book.Fields {
		fields = append(fields, f.Name+" "+f.Type.String())
	}
	want := []string{
		"isbn string", "title string", "author Person", "sequel Book", "price BookPrice", "copies list(Copy)",
		"titles map(string, string)", "extra dyn", "example string", "x-shelf int", "$ref string", "unknown dyn",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	if f := book.Field("isbn"); !f.Required || !f.ReadOnly || f.Doc != "The number." {
		t.Errorf("isbn %+v", f)
	}
	if f := book.Field("author"); f.Required || !f.Nullable || f.Doc != "Who wrote it." {
		t.Errorf("author %+v", f)
	}
	if book.Field("sequel").Type != book || book.Field("extra").Type.Why != "free-form object" {
		t.Error("recursion or reason is lost")
	}
	copies := set.Operation("lib", spec.Want{ID: "copies"})
	copied := copies.Responses[0].Media[0].Schema.Elem
	if copied != book.Field("copies").Type.Elem || copied.Field("book").Type != book {
		t.Error("one component has two types")
	}
	if copies.Responses[0].Status != "2XX" || copies.Server.BaseURL() != "" || len(copies.Security) != 0 || !copies.Deprecated {
		t.Errorf("%+v", copies)
	}
	wantParts := []operation.PathPart{{Literal: "/books/"}, {Param: "isbn"}, {Literal: "/copies/"}, {Param: "x"}, {Literal: ","}, {Param: "y"}, {Literal: ".json"}}
	if diff := cmp.Diff(wantParts, copies.Parts); diff != "" {
		t.Error(diff)
	}
	body := set.Operation("lib", spec.Want{ID: "add_book"}).Body
	if !body.Required || len(body.Media) != 2 || body.Media[0].Schema != book {
		t.Fatalf("%+v", body)
	}
	encoding := []operation.Encoding{{Name: "cover", ContentType: "image/png", Explode: true}, {Name: "tags", Style: "form"}}
	if diff := cmp.Diff(encoding, body.Media[1].Encoding); diff != "" {
		t.Error(diff)
	}
}

func TestIndex(t *testing.T) {
	all, findings := spec.Index(testdata, "openapi/library.yaml")
	if len(findings) > 0 || len(all) != 3 || all[0].ID != "get_book" || all[0].Summary != "One book" || all[2].Method != "POST" {
		t.Errorf("%v %v", all, findings)
	}
	if _, findings := spec.Index(testdata, "openapi/missing.yaml"); !findings.HasErrors() {
		t.Error("a missing document is no error")
	}
}

// The digest is that of the operation alone, whatever else is wanted and in
// which order keys stand; it changes with anything that can be reached.
func TestDigest(t *testing.T) {
	data, err := os.ReadFile("../../testdata/openapi/library.yaml")
	if err != nil {
		t.Fatal(err)
	}
	digest := func(text string, wants ...spec.Want) string {
		t.Helper()
		set, findings := spec.Load(fstest.MapFS{"d/l.yaml": {Data: []byte(text)}}, []spec.Source{{API: "l", File: "d/l.yaml", Wants: wants}})
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		return set.Operation("l", spec.Want{ID: "get_book"}).Digest
	}
	get := spec.Want{ID: "get_book"}
	base := digest(string(data), get)
	tests := []struct {
		name, old, new string
		same           bool
	}{
		{"order of keys", "{name: X-Trace, in: header,", "{in: header, name: X-Trace,", true},
		{"example", "example: {isbn: 1}", "example: {isbn: 2}", true},
		{"another operation", "operationId: add_book", "operationId: put_book", true},
		{"title of the document", "title: Library", "title: Books", true},
		{"deep component", "born: {type: string, format: date}", "born: {type: string}", false},
		{"description", "description: Who wrote it.", "description: Who.", false},
		{"inherited server", "eu, enum", "us, enum", false},
		{"security scheme", "name: X-Key", "name: X-Token", false},
		{"unread keyword", "required: [isbn, title, unknown]", "not: {type: string}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(string(data), tt.old, tt.new, 1)
			if changed == string(data) {
				t.Fatal("nothing changed")
			}
			if got := digest(changed, get); (got == base) != tt.same {
				t.Errorf("same digest: %v", got == base)
			}
		})
	}
	if digest(string(data), spec.Want{ID: "add_book"}, get, spec.Want{ID: "copies"}) != base {
		t.Error("other operations change the digest")
	}
}

func TestLoadIsPure(t *testing.T) {
	wants := []spec.Want{{ID: "add_book"}, {ID: "get_book"}, {ID: "nope", Span: diag.Span{File: "m.yaml"}}}
	source := []spec.Source{{API: "lib", File: "openapi/library.yaml", Wants: wants}}
	set, findings := spec.Load(testdata, source)
	for range 10 {
		again, more := spec.Load(testdata, source)
		if diff := cmp.Diff(findings, more, cmp.AllowUnexported(diag.RuleID{})); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(shapeOf(set), shapeOf(again)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// shapeOf writes all types of a set down, each object once.
func shapeOf(set *spec.Set) []string {
	var out []string
	seen := map[*types.Type]bool{}
	var walk func(u *types.Type)
	walk = func(u *types.Type) {
		if u == nil || seen[u] {
			return
		}
		seen[u] = true
		line := u.String()
		for _, f := range u.Fields {
			line += " " + f.Name + ":" + f.Type.String()
		}
		out = append(out, line)
		for _, f := range u.Fields {
			walk(f.Type)
		}
		walk(u.Elem)
		walk(u.Extra)
		for _, v := range u.Variants {
			walk(v)
		}
	}
	for _, op := range set.APIs["lib"].Operations {
		out = append(out, op.ID+" "+op.Digest)
		for _, p := range op.Params {
			walk(p.Type)
		}
		for _, r := range op.Responses {
			for _, m := range r.Media {
				walk(m.Schema)
			}
		}
	}
	return out
}
