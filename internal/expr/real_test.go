package expr_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// realCase is one expression over a published document: its type, or where it
// is wrong.
type realCase struct {
	Doc, Expr, Input string
	Steps            map[string]string
	Type             string
	Error            string
	Col              int
}

// TestRealExpressions checks the recorded expressions against the documents
// that they were written for.
func TestRealExpressions(t *testing.T) {
	data, err := os.ReadFile(golden.Shared(t, "cel-conformance", "real-expressions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []realCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	sets := map[string]*spec.Set{}
	agree := 0
	for _, c := range cases {
		if sets[c.Doc] == nil {
			sets[c.Doc] = loadReal(t, cases, c.Doc)
		}
		term, problems := checkReal(t, sets[c.Doc], &c)
		if why := c.differs(term, problems); why != "" {
			t.Errorf("%s\n\t%s", c.Expr, why)
			continue
		}
		agree++
	}
	if agree != 37 {
		t.Errorf("%d of %d expressions agree with the record, 37 are wanted", agree, len(cases))
	}
}

// loadReal loads what the cases want of one document.
func loadReal(t *testing.T, cases []realCase, doc string) *spec.Set {
	t.Helper()
	source := spec.Source{API: "api", File: doc}
	for _, c := range cases {
		for _, step := range slices.Sorted(maps.Values(c.Steps)) {
			if method, path, _ := strings.Cut(step, " "); c.Doc == doc {
				source.Wants = append(source.Wants, spec.Want{Method: method, Path: path})
			}
		}
	}
	set, findings := spec.Load(os.DirFS(golden.Shared(t)), []spec.Source{source})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return set
}

func checkReal(t *testing.T, set *spec.Set, c *realCase) (*expr.Term, []expr.Problem) {
	t.Helper()
	scope := expr.NewScope(nil)
	input := &types.Type{Kind: types.Object, Record: true}
	kinds := map[string]*types.Type{"string": types.StringType, "int": types.IntType}
	for f := range strings.FieldsSeq(c.Input) {
		name, kind, _ := strings.Cut(f, ":")
		input.Fields = append(input.Fields, &types.Field{Name: name, Type: kinds[kind], Required: true})
	}
	scope.Declare(&expr.Decl{Name: "input", Role: expr.RoleInput, Type: input})
	for name, step := range c.Steps {
		method, path, _ := strings.Cut(step, " ")
		op := set.Operation("api", spec.Want{Method: method, Path: path})
		if op == nil {
			t.Fatalf("%s has no %s", c.Doc, step)
		}
		scope.Declare(&expr.Decl{Name: name, Role: expr.RoleStep, Type: answerType(op)})
	}
	node, problems := expr.Parse(c.Expr)
	if problems != nil {
		return nil, problems
	}
	return expr.Check(node, scope, nil)
}

// answerType is the first JSON body of a 200 or 201, geo+json first.
func answerType(op *operation.Operation) *types.Type {
	var first *types.Type
	for _, r := range op.Responses {
		if r.Status != "200" && r.Status != "201" {
			continue
		}
		for _, m := range r.Media {
			if strings.HasPrefix(m.Type, "application/geo+json") {
				return m.Schema
			}
			if first == nil && strings.Contains(m.Type, "json") {
				first = m.Schema
			}
		}
	}
	if first == nil {
		return types.DynOf("no JSON answer")
	}
	return first
}

var suggestion = regexp.MustCompile(`did you mean "([^"]+)"`)

// differs compares with the record: the type, or place and suggestion of the
// problem; "" means that they agree.
func (c *realCase) differs(term *expr.Term, problems []expr.Problem) string {
	if c.Error == "" {
		if len(problems) > 0 {
			return "refused: " + problems[0].Message
		}
		if got, want := term.Type.String(), recordedType(c.Type); got != want {
			return "the type is " + got + ", want " + want
		}
		return ""
	}
	if len(problems) != 1 {
		return "one problem is wanted: " + c.Error
	}
	p := problems[0]
	want := suggestion.FindStringSubmatch(c.Error)
	if got := suggestion.FindStringSubmatch(p.Message); want != nil && (got == nil || got[1] != want[1]) {
		return "the suggestion differs: " + p.Message
	}
	// The record counts columns from 1 and points at the operator ==; we point
	// at the text behind it.
	if p.Start+1 != c.Col+len("== ") {
		return "the place differs"
	}
	return ""
}

// recordedType spells a recorded type as ours are spelt: what may be missing
// is marked behind the name of a field, and null of the schema not at all.
func recordedType(text string) string {
	text = regexp.MustCompile(`\?(\w+):`).ReplaceAllString(text, "$1@:")
	text = strings.ReplaceAll(text, "?", "")
	return strings.ReplaceAll(text, "@", "?")
}
