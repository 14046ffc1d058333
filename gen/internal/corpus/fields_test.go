package corpus_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A readField is a field that a tool reads; the program of
// testdata/fields.go.txt reads it in this form.
type readField struct {
	Tool, Step, Method, URL string
	Path                    []string
	Wrong                   []any
	// Guarded says that an expression says what happens without the field,
	// Free that its type is not known, so that any kind may be read.
	Guarded, Free bool
}

// A fieldOutcome is what became of a call with a spoiled field.
type fieldOutcome struct {
	Case, Call, How  string
	Field            readField
	Spoiled, Changed bool
	Kind, Code, Text string
	PathError        *value.PathError
}

// TestFieldsOfCases spoils every field that the tools of the corpus read, in
// every call that succeeds: deleted, null, of another JSON kind. What follows
// is an error that names tool, step and path, or what the manifest says for
// that: never another answer, and never a panic.
func TestFieldsOfCases(t *testing.T) {
	golden.NotRaced(t)
	m := golden.NewModule(t)
	cases := loadCases(t, "cases")
	if os.Getenv("SCULPT_SHARED") != "" {
		cases = append(cases, loadCases(t, "needs")...)
	}
	runs := runnable(t, m, cases, "fields.json", func(c *corpusCase) any { return c.fields() })
	m.Write("run/main.go", runMain(t, "fields.go.txt", runs))
	out, err := m.Go("run", "./run")
	if err != nil {
		t.Fatal(err)
	}
	spoiled, failed := 0, 0
	for line := range strings.Lines(out) {
		var o fieldOutcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !o.Spoiled {
			continue
		}
		spoiled++
		if o.PathError != nil {
			failed++
		}
		if why := o.wrong(); why != "" {
			t.Errorf("%s, %s, %s of %s %s: %s (%s %s %s)", o.Case, o.Call, strings.Join(o.Field.Path, "."), o.Field.Step, o.How, why, o.Kind, o.Code, o.Text)
		}
	}
	t.Logf("%d fields spoiled, %d of them are errors with a path", spoiled, failed)
	if spoiled < 300 || failed < spoiled/2 {
		t.Errorf("%d fields spoiled, %d of them errors with a path: too few to say anything", spoiled, failed)
	}
}

// runnable puts the cases with calls into a module: their packages, what they call,
// and what a program reads of each beside that, as JSON.
func runnable(t *testing.T, m *golden.Module, cases []*corpusCase, more string, of func(*corpusCase) any) []*corpusCase {
	t.Helper()
	var runs []*corpusCase
	for _, c := range cases {
		if _, err := fs.Stat(c.FS, "calls.txt"); err != nil || c.fails() {
			continue
		}
		runs = append(runs, c)
		for _, f := range c.files {
			m.Write("cases/"+c.Name+"/"+f.Name, string(f.Data))
		}
		for name, f := range c.FS {
			if strings.HasPrefix(name, "replay/") || name == "calls.txt" {
				m.Write("run/"+c.Name+"/"+name, string(f.Data))
			}
		}
		data, err := json.Marshal(of(c))
		if err != nil {
			t.Fatal(err)
		}
		m.Write("run/"+c.Name+"/"+more, string(data))
	}
	return runs
}

// wrong says what is wrong with an outcome, "" if nothing is.
func (o *fieldOutcome) wrong() string {
	switch {
	case o.PathError != nil:
		got := spelt(o.PathError.Path)
		if o.PathError.Tool != o.Field.Tool || o.PathError.Step == "" {
			return "the error names the wrong tool or no step"
		}
		if o.PathError.Step == o.Field.Step && !onOneWay(o.Field.Path, strings.Split(got, ".")) {
			return "the error names the path " + got
		}
	case o.Kind == "internal" || strings.Contains(o.Text, "panic"):
		return "the run time failed"
	case o.Kind != "" && !o.Field.Guarded:
		return "an error without a path"
	case o.Kind == "" && o.Changed && !o.Field.Guarded && !o.Field.Free:
		return "another answer without an error"
	case o.Kind == "" && o.Changed && o.How == "wrong kind" && !o.Field.Free && len(o.Field.Wrong) > 0:
		return "another answer for a wrong kind"
	}
	return ""
}

// onOneWay reports whether one of two paths begins with the other; members of a map have any name.
func onOneWay(field, got []string) bool {
	for i := range min(len(field), len(got)) {
		if field[i] != got[i] && field[i] != "[]" {
			return false
		}
	}
	return true
}

// spelt writes a path as fields are written here: a[3].b as a.[].b.
func spelt(path string) string {
	path = regexp.MustCompile(`\["([^"]*)"\]`).ReplaceAllString(path, ".$1")
	path = regexp.MustCompile(`\[[0-9]*\]`).ReplaceAllString(path, ".[]")
	return strings.TrimPrefix(path, ".")
}

// fields lists what the tools of a case read.
func (c *corpusCase) fields() []readField {
	var out []readField
	for _, t := range c.program.Tools {
		guarded := guardedNames(t)
		for _, s := range t.Plan.Steps {
			for _, read := range s.Reads {
				path := strings.Split(strings.ReplaceAll(regexp.MustCompile(`\([a-z]+\)`).ReplaceAllString(read, ""), "[]", ".[]"), ".")
				path = slices.DeleteFunc(path, func(p string) bool { return p == "" })
				if len(path) == 0 || path[len(path)-1] == "[]" {
					continue
				}
				f := readField{Tool: t.Signature.Name, Step: s.ID, Method: s.Op.Method, Path: path}
				f.URL = regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(s.Op.Path), `[^/]*`) + "$"
				f.Guarded = slices.ContainsFunc(path, func(p string) bool { return guarded[p] })
				f.Wrong, f.Free = wrongKinds(s.Answer, path)
				out = append(out, f)
			}
		}
	}
	return out
}

// guardedNames are the names of fields for whose absence an expression of the
// tool has an answer.
func guardedNames(t *ir.Tool) map[string]bool {
	out := map[string]bool{}
	see := func(e *ir.Expr, all bool) {
		if e == nil {
			return
		}
		e.Term.Walk(func(x *expr.Term) bool {
			switch {
			case x.Op == expr.OpOptField || x.Op == expr.OpHas || x.EmptyOK || all && x.Op == expr.OpField:
				out[x.Name] = true
			case x.Op == expr.OpIsMissing || x.Op == expr.OpOptIndex:
				out[x.Args[0].Name] = true
			}
			return true
		})
	}
	for _, l := range t.Plan.Lets {
		see(l.Expr, false)
	}
	optional := slices.ContainsFunc(t.Plan.Outputs, func(o *ir.Output) bool { return o.Optional })
	for _, o := range t.Plan.Outputs {
		see(o.Expr, o.Optional)
	}
	for _, l := range t.Plan.Lets {
		see(l.Expr, optional)
	}
	for _, s := range t.Plan.Steps {
		for _, b := range s.Bindings {
			see(b.Value, false)
		}
		see(s.When, false)
		if s.Each != nil {
			see(s.Each.Over, false)
		}
		if k := s.Collect; k != nil {
			see(k.Items, false)
			see(k.Until, false)
			see(k.Next, false)
		}
		for _, e := range s.Expect {
			see(e.Check, false)
		}
	}
	return out
}

var kindValues = map[types.Kind]any{types.Bool: true, types.String: "text", types.Double: 5.5, types.Object: map[string]any{}, types.List: []any{}}

// wrongKinds returns values of the JSON kinds that the type at a path does not
// allow, and whether the type is not known.
func wrongKinds(t *types.Type, path []string) ([]any, bool) {
	for _, p := range path {
		for t.Kind == types.Optional {
			t = t.Elem
		}
		if o := t.Variant(types.Object); o != nil && p != "[]" {
			t = o
		} else if l := t.Variant(types.List, types.Map); l != nil {
			t = l.Elem
			continue
		}
		f := t.Field(p)
		if f == nil {
			return slices.Collect(func(yield func(any) bool) {
				for _, k := range []types.Kind{types.Bool, types.String, types.List, types.Object} {
					if !yield(kindValues[k]) {
						return
					}
				}
			}), true
		}
		t = f.Type
	}
	var out []any
	for _, k := range []types.Kind{types.Bool, types.String, types.Double, types.List, types.Object} {
		same := map[types.Kind][]types.Kind{types.Double: {types.Double, types.Int}, types.Object: {types.Object, types.Map}}[k]
		if t.Variant(append(same, k)...) == nil {
			out = append(out, kindValues[k])
		}
	}
	return out, t.Kind == types.Dyn
}
