package expr_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// lists is a scope with two lists, one that may be missing, and lets over them.
func lists(t testing.TB) *expr.Scope {
	t.Helper()
	s := expr.NewScope(nil)
	ints := types.ListOf(types.IntType)
	answer := &types.Type{Kind: types.Object, Name: "Answer", Fields: []*types.Field{{Name: "x", Type: ints}, {Name: "y", Type: ints}}}
	s.Declare(&expr.Decl{Name: "a", Role: expr.RoleStep, Type: answer})
	s.Declare(&expr.Decl{Name: "s", Role: expr.RoleInput, Type: types.StringType})
	s.Declare(&expr.Decl{Name: "n", Role: expr.RoleInput, Type: types.IntType})
	for _, let := range [][2]string{
		{"big", "a.x.filter(e, e > 1)"}, {"some", "size(a.x) > 0"}, {"named", "a.?x"}, {"either", "n > 0 ? a.x : a.y"}, {"two", "a.x.size() > 1 && big.size() >= 1"},
	} {
		term := checkedIn(t, s, let[1])
		d := &expr.Decl{Name: let[0], Role: expr.RoleLet, Type: term.Type}
		d.StandsFor(term)
		s.Declare(d)
	}
	return s
}

func checkedIn(t testing.TB, s *expr.Scope, text string) *expr.Term {
	t.Helper()
	n, problems := expr.Parse(text)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	term, problems := expr.Check(n, s, nil)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return term
}

// unguarded are the picks of an expression that nothing is known to guard.
func unguarded(t testing.TB, s *expr.Scope, text string) []string {
	var out []string
	expr.WalkKnown(checkedIn(t, s, text), nil, func(x *expr.Term, facts []string) {
		if x.Op == expr.OpIndex && int64(expr.AtLeast(x.Args[0], facts)) <= x.Args[1].Lit.(int64) {
			out = append(out, text[x.Start:x.End])
		}
	})
	return out
}

// A pick is guarded by what guarantees its element, and by nothing else.
func TestGuards(t *testing.T) {
	s := lists(t)
	for _, c := range []struct{ cond, pick, other string }{
		{"a.x.size() > 0", "a.x[0]", "a.x[1]"}, {"size(a.x) != 0", "a.x[0]", "a.x[1]"}, {"a.x.size() >= 1", "a.x[0]", "a.x[1]"}, {"0 < a.x.size()", "a.x[0]", "a.y[0]"},
		{"a.x.size() > 1", "a.x[1]", "a.x[2]"}, {"2 <= a.x.size()", "a.x[1]", "a.x[2]"}, {"a.x.size() == 3", "a.x[2]", "a.x[3]"}, {"!(a.x.size() < 2)", "a.x[1]", "a.x[2]"},
		{"a.?x.size() > 0", "a.x[0]", "a.y[0]"}, {"a.?x.orValue([]).size() > 0", "a.x[0]", "a.x[1]"}, {"a.x.size() > 0", "a.?x.orValue([])[0]", "a.?x.orValue([1])[1]"},
		{"a.x.exists(e, e > 1)", "a.x[0]", "a.x[1]"}, {"a.x.exists(e, e > 1)", "a.x.filter(f, f > 1)[0]", "a.x.filter(f, f > 2)[0]"}, {"a.x.exists_one(e, e > 1)", "a.x.filter(f, f > 1)[0]", "a.x[1]"}, {"!a.x.all(e, e > 1)", "a.x[0]", "a.x.filter(e, e > 1)[0]"},
		{"a.x[?0].hasValue()", "a.x[0]", "a.x[1]"}, {"a.x[?1].hasValue()", "a.x[1]", "a.x[2]"}, {"a.x.first().hasValue()", "a.x[0]", "a.x[1]"}, {"a.x[?0] != null", "a.x[0]", "a.x[1]"}, {"a.x.filter(e, e > 1)[?0].hasValue()", "a.x.filter(e, e > 1)[0]", "a.x.filter(e, e > 0)[0]"},
		{"1 in a.x", "a.x[0]", "a.x[1]"}, {"a.x != []", "a.x[0]", "a.x[1]"}, {"a.x.exists(i, e, e > i)", "a.x[0]", "a.x.filter(e, e > 1)[0]"}, {"(a.x.size() > 0) == true", "a.x[0]", "a.x[1]"},
		{"a.x.size() > 0 && n > 1", "a.x[0]", "a.y[0]"}, {"a.x.size() > 1 || a.x.size() > 0 && n > 1", "a.x[0]", "a.x[1]"}, {"a.x.exists(e, e > 1) || a.x.exists(e, e < 1)", "a.x[0]", "a.x.filter(e, e > 1)[0]"}, {"n > 1 ? a.x.size() > 1 : false", "a.x[1]", "a.x[2]"},
		{"n > 1 ? a.x.size() > 1 : a.x.size() > 0", "a.x[0]", "a.x[1]"}, {"!(a.x.size() == 0 || n > 1)", "a.x[0]", "a.x[1]"}, {"n > 1 || a.x.size() > 0", "[1][0]", "a.x[0]"}, {"a.x.size() == 0", "[1][0]", "a.x[0]"}, {"a.x.size() < 5", "[1][0]", "a.x[0]"}, {"a.x.size() != 2", "[1][0]", "a.x[0]"}, {"a.x.all(e, e > 1)", "[1][0]", "a.x[0]"},
		{"a.x.filter(e, e > 1).size() > 1", "a.x[1]", "a.x[2]"}, {"a.x.map(e, e > 1, e).size() > 1", "a.x[1]", "a.x.map(e, e > 2, e)[0]"}, {"a.x.size() > 1", "a.x.map(e, e + 1)[1]", "a.x.map(e, e > 1, e)[0]"}, {"a.x.size() > 1", "a.x.sort()[1]", "a.x.distinct()[1]"}, {"a.x.size() > 1", "a.x.distinct()[0]", "a.x.take(1)[1]"},
		{"a.x.size() > 0", "(a.x + a.y)[0]", "(a.y + a.y)[0]"}, {"a.x.take(1).size() > 0", "a.x[0]", "a.x[1]"}, {"a.x.slice(1, 2).size() > 0", "a.x[0]", "a.y[0]"}, {"a.x.size() > 0 && a.y.size() > 0", "(n > 1 ? a.x : a.y)[0]", "(n > 1 ? a.x : a.y)[1]"}, {"a.x.size() > 0", "(n > 1 ? a.x : [1])[0]", "(n > 1 ? a.x : a.y)[0]"},
		{"some", "a.x[0]", "a.x[1]"}, {"two", "big[0]", "big[1]"}, {"two", "a.x[1]", "a.y[0]"}, {"big.size() > 0", "a.x.filter(z, z > 1)[0]", "big[1]"}, {"a.x.exists(e, e > 1)", "big[0]", "either[0]"}, {"named.size() > 0", "a.x[0]", "a.y[0]"}, {"a.x.size() > 0", "named.orValue([])[0]", "either[0]"}, {"a.x.size() > 0 && a.y.size() > 0", "either[0]", "either[1]"},
		{"n > 1", `"a,b".split(",")[0]`, `"a".split("")[0]`}, {"n > 1", `"a,b".split(",")[0]`, `"a".split(",")[1]`}, {`s.contains(",")`, `s.split(",")[1]`, `s.split(",")[2]`}, {`s.contains("")`, `s.split(",")[0]`, `s.split("")[1]`}, {"n > 1", `s.split(",", 2)[0]`, `s.split(",", 0)[0]`}, {`s.contains(",")`, `s.split(",", -1)[0]`, `s.split(";")[1]`}, {"n > 1", "lists.range(3)[2]", "lists.range(n)[0]"},
	} {
		if got := unguarded(t, s, "("+c.cond+") ? "+c.pick+" : "+zero(t, s, c.pick)); len(got) > 0 {
			t.Errorf("%s does not guard %s", c.cond, got)
		}
		if got := unguarded(t, s, "("+c.cond+") ? "+c.other+" : "+zero(t, s, c.other)); len(got) != 1 {
			t.Errorf("%s guards %s", c.cond, c.other)
		}
		if got := unguarded(t, s, "!("+c.cond+") ? "+c.pick+" : "+zero(t, s, c.pick)); len(got) == 0 && !strings.HasPrefix(c.pick, "[1]") && c.cond != "n > 1" && c.pick != `s.split(",")[0]` && !strings.Contains(c.pick, "-1") {
			t.Errorf("the opposite of %s guards %s", c.cond, c.pick)
		}
	}
}

func zero(t testing.TB, s *expr.Scope, text string) string {
	if checkedIn(t, s, text).Type.Kind == types.String {
		return `""`
	}
	return "0"
}

// The texts of random guards and of lists over the names of [lists].
var (
	randomLists = rapid.Custom(func(t *rapid.T) string {
		text := rapid.SampledFrom(listTexts).Draw(t, "list")
		return strings.ReplaceAll(text, "#", fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "number")))
	})
	listTexts = []string{
		"a.x", "a.y", "big", "either", "a.x.filter(e, e > #)", "a.?x.orValue([])", "a.y.map(e, e > #, e)", "a.x.map(e, e + #)", "a.x.sort()", "a.y.distinct()", "a.x.take(#)", "(a.x + a.y)",
		"(n > # ? a.x : a.y)", "named.orValue([])", "a.x.reverse()", "a.x.filter(e, e > #).sort()",
	}
	randomGuards = randomGuard(3)
)

func randomGuard(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth > 0 && rapid.Bool().Draw(t, "deeper") {
			l, r := randomGuard(depth-1).Draw(t, "left"), randomGuard(depth-1).Draw(t, "right")
			join := rapid.SampledFrom([]string{"(L) && (R)", "(L) || (R)", "!(L)", "n > 0 ? (L) : (R)", "(L) ? (R) : false", "(L) ? true : (R)", "((L) == true)", "((L) != true)"}).Draw(t, "join")
			return strings.NewReplacer("(L)", "("+l+")", "(R)", "("+r+")").Replace(join)
		}
		text := rapid.SampledFrom([]string{
			"L.size() O K", "K O size(L)", "L.exists(e, e O K)", "L.all(e, e O K)", "L[?K].hasValue()", "L.first().hasValue()", "K in L", "L.exists_one(e, e O K)", "L != []", "n O K", "some", "two",
			"L[?K].optMap(v, v + 1).hasValue()", "a.?x.size() O K", "L.filter(e, e > K)[?0].hasValue()",
		}).Draw(t, "test")
		op := rapid.SampledFrom([]string{"==", "!=", "<", "<=", ">", ">="}).Draw(t, "op")
		return strings.NewReplacer("L", randomLists.Draw(t, "of"), "O", op, "K", fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "k"))).Replace(text)
	})
}

// Whatever is said to be guarded never fails: a random pick is evaluated by a small
// evaluator over all short lists for which its guard holds.
func TestGuardedPicksNeverFail(t *testing.T) {
	s := lists(t)
	guarded, all := 0, everyValues()
	rapid.Check(t, func(r *rapid.T) {
		guard := randomGuards.Draw(r, "guard")
		for _, list := range listTexts {
			pick := fmt.Sprintf("%s[%d]", strings.ReplaceAll(list, "#", fmt.Sprint(rapid.IntRange(0, 2).Draw(r, "number"))), rapid.IntRange(0, 2).Draw(r, "index"))
			text := "(" + guard + ") ? " + pick + " : 0"
			if len(unguarded(t, s, text)) > 0 {
				continue
			}
			guarded++
			term := checkedIn(t, s, text)
			for _, env := range all {
				if _, err := evaluate(term, env); err != nil {
					r.Fatalf("%s\nis said to be guarded, and fails for %v: %v", text, env, err)
				}
			}
		}
	})
	if guarded < 20 {
		t.Errorf("%d picks were guarded, which shows little", guarded)
	}
}

// everyValues are values for n and for x and y, which nil leaves out.
func everyValues() []map[string]any {
	short := [][]int64{nil, {}}
	for _, a := range []int64{0, 1, 2} {
		short = append(short, []int64{a})
		for _, b := range []int64{0, 2} {
			short = append(short, []int64{a, b}, []int64{a, 1, b})
		}
	}
	var out []map[string]any
	for _, x := range short {
		for _, y := range [][]int64{nil, {}, {0}, {2, 1}, {1, 1}, {1, 1, 2}} {
			for _, n := range []int64{0, 1} {
				out = append(out, map[string]any{"x": x, "y": y, "n": n})
			}
		}
	}
	return out
}

var errNoResult = errors.New("no such element")

// missing is what an optional is that has no value.
type missing struct{}

// evaluate is a small evaluator of the language, with nothing of its analysis: a
// list that is left out is nil, and counts as empty.
func evaluate(t *expr.Term, env map[string]any) (any, error) {
	var args []any
	switch t.Op {
	case expr.OpAnd, expr.OpOr, expr.OpCond:
		return branch(t, env)
	case expr.OpRef:
		if t.Decl.Means != nil {
			return evaluate(t.Decl.Means, env)
		}
		return env[t.Decl.Name], nil
	case expr.OpConst:
		return t.Lit, nil
	case expr.OpField:
		return env[t.Name].([]int64), nil
	case expr.OpOptField:
		if list := env[t.Name].([]int64); list != nil {
			return list, nil
		}
		return missing{}, nil
	}
	for _, a := range t.Args {
		v, err := evaluate(a, env)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return apply(t, args, env)
}

func branch(t *expr.Term, env map[string]any) (any, error) {
	first, err := evaluate(t.Args[0], env)
	switch {
	case err != nil:
		return nil, err
	case t.Op == expr.OpCond && !first.(bool):
		return evaluate(t.Args[2], env)
	case t.Op != expr.OpCond && first == (t.Op == expr.OpOr):
		return first, nil
	}
	return evaluate(t.Args[1], env)
}

func listOf(v any) []int64 {
	list, _ := v.([]int64)
	return list
}

func apply(t *expr.Term, args []any, env map[string]any) (any, error) {
	_, lacks := args0(args).(missing)
	switch t.Op {
	case expr.OpPresent, expr.OpConvert:
		return args[0], nil
	case expr.OpNot:
		return !args[0].(bool), nil
	case expr.OpHasValue, expr.OpIsMissing:
		return lacks != (t.Op == expr.OpHasValue), nil
	case expr.OpOrValue:
		if lacks {
			return args[1], nil
		}
		return args[0], nil
	case expr.OpList:
		return []int64{}, nil
	case expr.OpIn:
		return slices.Contains(listOf(args[1]), args[0].(int64)), nil
	case expr.OpIndex, expr.OpOptIndex:
		list, i := listOf(args[0]), args[1].(int64)
		switch {
		case i < int64(len(list)):
			return list[i], nil
		case t.Op == expr.OpOptIndex:
			return missing{}, nil
		}
		return nil, errNoResult
	case expr.OpBinary:
		return compared(t.Name, args[0], args[1]), nil
	case expr.OpOptMap:
		return args[0], nil
	case expr.OpCall:
		return called(t.Name, args), nil
	}
	return looped(t, listOf(args[0]), env)
}

func args0(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func called(name string, args []any) any {
	list := slices.Clone(listOf(args[0]))
	switch name {
	case "size":
		return int64(len(list))
	case "list.sort":
		slices.Sort(list)
	case "list.reverse":
		slices.Reverse(list)
	case "list.distinct":
		slices.Sort(list)
		list = slices.Compact(list)
	case "list.take":
		list = list[:min(int64(len(list)), args[1].(int64))]
	case "list.first":
		if len(list) == 0 {
			return missing{}
		}
		return list[0]
	default:
		panic("no function " + name)
	}
	return list
}

func compared(op string, a, b any) any {
	c := 0
	switch a := a.(type) {
	case int64:
		if op == "+" {
			return a + b.(int64)
		}
		c = int(a - b.(int64))
	case bool:
		if a != b {
			c = 1
		}
	default:
		if op == "+" {
			return slices.Concat(listOf(a), listOf(b))
		}
		c = slices.Compare(listOf(a), listOf(b))
	}
	return map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
}

func looped(t *expr.Term, list []int64, env map[string]any) (any, error) {
	out, hits := []int64{}, 0
	for _, e := range list {
		inner := map[string]any{"x": env["x"], "y": env["y"], "n": env["n"], t.Var.Name: e}
		if t.Body2 != nil {
			if ok, err := evaluate(t.Body2, inner); err != nil || ok == false {
				continue
			}
		}
		v, err := evaluate(t.Body, inner)
		if err != nil {
			return nil, err
		}
		if t.Op == expr.OpTransform {
			out = append(out, v.(int64))
			continue
		}
		if v.(bool) {
			hits++
			out = append(out, e)
		}
	}
	switch t.Op {
	case expr.OpAll:
		return hits == len(list), nil
	case expr.OpExists:
		return hits > 0, nil
	case expr.OpExistsOne:
		return hits == 1, nil
	}
	return out, nil
}

// Conditions inside of conditions take no time beyond their length.
func TestDeepGuards(t *testing.T) {
	s := lists(t)
	for _, form := range []string{"(%s) && n > 1 || a.x.size() > 1", "(%s) ? a.x.size() > 1 : a.y.size() > 2"} {
		text := "a.x.size() > 1"
		for range 20 {
			text = fmt.Sprintf(form, text)
		}
		if got := unguarded(t, s, "("+text+") ? a.x[0] : 0"); len(got) != strings.Count(form, "?") {
			t.Errorf("%s: %v", form, got)
		}
	}
}
