package lower_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var update = flag.Bool("update", false, "rewrite the texts of testdata")

// variables are declared names by the type they have.
var variables = map[string]*types.Type{
	"bool": types.BoolType, "int": types.IntType, "uint": types.UintType, "double": types.DoubleType, "string": types.StringType,
	"bytes": types.BytesType, "timestamp": types.TimestampType, "duration": types.DurationType,
	"list(string)": types.ListOf(types.StringType), "list(int)": types.ListOf(types.IntType),
}

func variable(typ string) string { return "v_" + strings.NewReplacer("(", "_", ")", "").Replace(typ) }

// newScope declares the variables and an answer to read from.
func newScope() *expr.Scope {
	place := &types.Type{Kind: types.Object, Name: "Place", Fields: []*types.Field{
		{Name: "name", Type: types.StringType}, {Name: "population", Type: types.IntType},
		{Name: "extra", Type: types.DynOf("free-form object")},
		{Name: "size", Type: &types.Type{Kind: types.Union, Variants: []*types.Type{types.IntType, types.StringType}}},
		{Name: "heat", Type: &types.Type{Kind: types.Union, Variants: []*types.Type{types.IntType, {Kind: types.Object, Name: "Heat", Fields: []*types.Field{{Name: "value", Type: types.DoubleType}}}}}},
	}}
	answer := &types.Type{Kind: types.Object, Name: "Answer", Fields: []*types.Field{{Name: "results", Type: types.ListOf(place)}, {Name: "first", Type: place}}}
	s := expr.NewScope(nil)
	s.Declare(&expr.Decl{Name: "v_mode", Role: expr.RoleLet, Type: types.EnumOf("a", "b")})
	s.Declare(&expr.Decl{Name: "places", Role: expr.RoleStep, Type: answer})
	for typ, t := range variables {
		s.Declare(&expr.Decl{Name: variable(typ), Role: expr.RoleLet, Type: t})
	}
	return s
}

// dump lowers an expression and returns its statements, and its value behind
// an arrow.
func dump(t *testing.T, text string) (string, *expr.Term) {
	t.Helper()
	n, problems := expr.Parse(text)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	term, problems := expr.Check(n, newScope(), nil)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	b := newBuilder()
	v := b.Lower(term, "x").V
	return lower.Dump(b.Block()) + "-> " + lower.Text(v) + "\n", term
}

func newBuilder() *lower.Builder {
	b := lower.New(naming.NewScope(nil, "places"))
	b.Resolve = func(t *expr.Term) lower.Operand {
		o := lower.Operand{V: lower.Local{Name: t.Decl.Name}, Path: t.Decl.Name}
		if t.Decl.Role == expr.RoleStep {
			o.Step, o.Path = t.Decl.Name, ""
		}
		return o
	}
	return b
}

// TestEveryFunction lowers every function over plain types: one without Go
// would be found by a vendor only, and one with the Go of another by nobody.
func TestEveryFunction(t *testing.T) {
	var all strings.Builder
	for _, id := range expr.SignatureIDs() {
		t.Run(id, func(t *testing.T) {
			open := strings.LastIndexByte(id, '(')
			name, params := id[:open], strings.Split(id[open+1:len(id)-1], ", ")
			var args []string
			for _, p := range params {
				if p != "" {
					args = append(args, variable(p))
				}
			}
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 && variables[name[:dot]] != nil {
				name = variable(name[:dot]) + name[dot:]
			}
			text := name + "(" + strings.Join(args, ", ") + ")"
			out, term := dump(t, text)
			if term.Op != expr.OpCall || term.Name != id {
				t.Errorf("%s is %s, not %s", text, term.Name, id)
			}
			if !strings.Contains(out, "-> ") {
				t.Errorf("%s has no value: %s", text, out)
			}
			all.WriteString("### " + text + "\n" + out + "\n")
		})
	}
	compare(t, "testdata/functions.txt", all.String())
}

// compare holds a text against a file, or writes it.
func compare(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || got != string(want) {
		t.Errorf("%s differs, run with -update and read it (%v):\n%s", name, err, cmp.Diff(string(want), got))
	}
}

// atoms are the parts that random expressions are built of, over newScope.
var atoms = map[string][]string{
	"int": {"1", "-7", "v_int", "places.first.population", "int(places.first.size)"}, "double": {"1.5", "0.0", "v_double"},
	"string": {`"a"`, "v_string", "places.first.name", "places.results[0].name"}, "bool": {"true", "v_bool", "has(places.first.name)"},
	"list": {"places.results", "v_list_string", "v_list_int", "[1]"}, "object": {"places.first", "places.results[0]"}, "dyn": {"places.first.extra", "places.first.extra.a", "null"},
}

// TestRandomExpressions lowers expressions at random: whatever is sound has
// statements and a value, none twice the same name in one block.
func TestRandomExpressions(t *testing.T) {
	source := golden.NewExprSource(2, atoms)
	scope := newScope()
	sound, count := 0, golden.FuzzCount(t)/5
	for range count {
		text := source.Next()
		n, problems := expr.Parse(text)
		if problems != nil {
			continue
		}
		term, problems := expr.Check(n, scope, nil)
		if problems != nil {
			continue
		}
		sound++
		b := newBuilder()
		if v := b.Lower(term, "x").V; v == nil || strings.Contains(lower.Text(v), "?") && !strings.Contains(text, "?") {
			t.Fatalf("%q has the value %s", text, lower.Text(v))
		}
		lower.Tidy(b.Block())
	}
	if sound < count/10 {
		t.Errorf("of %d expressions %d are sound: too few to say anything", count, sound)
	}
}

// TestDump shows what the rules of compilation come to: one check for a path
// that is read twice, guards in place of checks, no closures, loops that stop.
func TestDump(t *testing.T) {
	data, err := os.ReadFile("testdata/dump.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "### "); ok {
			got, _ := dump(t, strings.TrimSpace(text))
			out.WriteString(line + got + "\n")
		}
	}
	compare(t, "testdata/dump.txt", out.String())
}
