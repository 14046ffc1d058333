package lower

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/types"
)

func local(name string) Value { return Local{name} }

func define(name string, v Value) Stmt { return Define{Name: name, V: v, Type: types.IntType} }

// call is a call of package value, which may move.
func call(name string, args ...Value) Value { return Call{Func{valuePkg, name}, args} }

func block(stmts ...Stmt) *Block { return &Block{Stmts: stmts} }

// spoken is a statement of another package.
type spoken string

func (s spoken) String() string { return string(s) }

// same compares a block with its dump, without indentation of the test.
func same(t *testing.T, got *Block, want ...string) {
	t.Helper()
	if text := strings.TrimSuffix(Dump(got), "\n"); text != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
}

func TestTidy(t *testing.T) {
	use := func(v Value) Stmt { return Node{Data: spoken("use"), Uses: []Value{v}} }
	for _, c := range []struct {
		name string
		b    *Block
		want []string
	}{
		{"read later", block(define("a", Nil{}), use(local("a"))), []string{"a := nil", "use(a)"}},
		{"never read", block(define("a", Nil{}), use(Nil{})), []string{"use(nil)"}},
		{"read by what goes", block(define("a", Nil{}), define("b", local("a")), use(Nil{})), []string{"use(nil)"}},
		{"set and not read", block(Var{Name: "a", Type: types.IntType}, If{Cond: local("c"), Then: block(Assign{"a", Nil{}}, use(Nil{}))}, use(Nil{})),
			[]string{"if c", "\tuse(nil)", "use(nil)"}},
		{"an empty branch", block(If{Cond: local("c"), Then: block(define("a", Nil{}))}), nil},
		{"an empty branch with another", block(If{Cond: local("c"), Then: block(), Else: block(use(local("c")))}),
			[]string{"if c", "else", "\tuse(c)"}},
		{"a result that may fail", block(Try{Name: "a", Fn: Func{Name: "f"}, Fail: Fail{Step: "s"}}), []string{"_ := try f() else missing s"}},
		{"a lookup for its ok", block(Lookup{"a", "ok", local("m"), local("k")}, use(local("ok"))), []string{"_, ok := m[k]", "use(ok)"}},
		{"names of a loop", block(Range{Index: "i", Elem: "x", Over: local("xs"), Body: block(use(local("x")))}), []string{"for x in xs", "\tuse(x)"}},
		{"list that is filled only", block(MakeList{Name: "out", Elem: types.IntType, Cap: Nil{}}, Range{Elem: "x", Over: local("xs"), Body: block(Append{"out", local("x")}, use(local("x")))}),
			[]string{"for x in xs", "\tuse(x)"}},
		{"map and count", block(MakeMap{Name: "m", Type: types.IntType}, define("n", Nil{}), Put{"m", Nil{}, Nil{}}, Incr{"n"}, use(Nil{})), []string{"use(nil)"}},
		{"read inside another form", block(define("a", Nil{}), Node{Data: spoken("each"), Blocks: []*Block{block(use(local("a")))}}),
			[]string{"a := nil", "each()", "\tuse(a)"}},
		{"read by the form around", block(Node{Data: spoken("emit"), Uses: []Value{local("a")}, Blocks: []*Block{block(define("a", Nil{}))}}),
			[]string{"emit(a)", "\ta := nil"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			Tidy(c.b)
			same(t, c.b, c.want...)
		})
	}
}

func TestHoist(t *testing.T) {
	outside, inside := call("Upper", local("word")), call("Upper", local("x"))
	for _, c := range []struct {
		name string
		body *Block
		want []string
	}{
		{"of the loop's own variable", block(Append{"out", inside}), []string{"--", "out += Upper(x)"}},
		{"of a variable outside", block(Append{"out", outside}), []string{"upper := Upper(word)", "--", "out += upper"}},
		{"twice the same", block(Append{"out", outside}, Append{"out", outside}), []string{"upper := Upper(word)", "--", "out += upper", "out += upper"}},
		{"inside another call", block(Append{"out", call("Join", outside, local("x"))}), []string{"upper := Upper(word)", "--", "out += Join(upper, x)"}},
		{"of a constant alone", block(Append{"out", call("Upper", Const{"a"})}), []string{"--", `out += Upper("a")`}},
		{"of what the body defines", block(define("word", local("x")), Append{"out", outside}), []string{"--", "word := x", "out += Upper(word)"}},
		{"of what a branch of the body sets", block(If{Cond: local("x"), Then: block(Assign{"word", Nil{}})}, Append{"out", outside}),
			[]string{"--", "if x", "\tword = nil", "out += Upper(word)"}},
		{"of what a check of the body gives", block(Try{Name: "word", Fn: Func{Name: "f"}}, Append{"out", outside}),
			[]string{"--", "word := try f() else missing", "out += Upper(word)"}},
		{"of what a form of another package counts", block(Node{Data: spoken("each"), Blocks: []*Block{block(Incr{"word"})}}, Append{"out", outside}),
			[]string{"--", "each()", "\tword++", "out += Upper(word)"}},
		{"in a branch of the body", block(If{Cond: local("x"), Then: block(Append{"out", outside})}), []string{"upper := Upper(word)", "--", "if x", "\tout += upper"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := New(naming.NewScope(nil))
			b.hoist(c.body, "x", "out")
			b.emit(Node{Data: spoken("--")})
			got := &Block{Stmts: append(b.Block().Stmts, c.body.Stmts...)}
			if text := strings.Replace(Dump(got), "--()", "--", 1); strings.TrimSuffix(text, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", text, strings.Join(c.want, "\n"))
			}
		})
	}
}

// Every form gives its parts to the walker, each once.
func TestVisit(t *testing.T) {
	a, b := local("a"), local("b")
	for _, c := range []struct {
		st   Stmt
		want string
	}{
		{define("x", a), "a"},
		{Var{Name: "x"}, ""},
		{MakeList{Name: "x", Cap: a}, "a"},
		{MakeMap{Name: "x"}, ""},
		{Assign{"x", a}, "a"},
		{Append{"x", a}, "a"},
		{Put{"x", a, b}, "a b"},
		{Incr{"x"}, ""},
		{Try{Name: "x", Args: []Value{a, b}}, "a b"},
		{Lookup{"x", "ok", a, b}, "a b"},
		{Guard{Cond: local("c"), Fail: Fail{Index: a, List: b}}, "c a b"},
		{If{Cond: local("c"), Then: block(Assign{"x", a}), Else: block(Assign{"x", b})}, "c a b"},
		{Range{Over: a, Body: block(Assign{"x", b})}, "a b"},
		{Break{}, ""},
		{Node{Data: spoken("n"), Uses: []Value{a}, Blocks: []*Block{block(Assign{"x", b})}}, "a b"},
		{Assign{"x", Field{X: a}}, "a"},
		{Assign{"x", Member{X: a}}, "a"},
		{Assign{"x", Index{a, b}}, "a b"},
		{Assign{"x", Deref{a}}, "a"},
		{Assign{"x", Addr{a}}, "a"},
		{Assign{"x", Unary{"!", a}}, "a"},
		{Assign{"x", Binary{"+", a, b}}, "a b"},
		{Assign{"x", call("f", a, b)}, "a b"},
		{Assign{"x", Method{X: a, Args: []Value{b}}}, "a b"},
		{Assign{"x", Record{Values: []Value{a, b}}}, "a b"},
		{Assign{"x", List{Values: []Value{a, b}}}, "a b"},
		{Assign{"x", Map{Entries: []Value{a, b}}}, "a b"},
		{Assign{"x", Convert{X: a}}, "a"},
	} {
		var names []string
		walkBlock(block(c.st), func(v Value) {
			if l, ok := v.(Local); ok {
				names = append(names, l.Name)
			}
		})
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%T %s: got %q, want %q", c.st, Dump(block(c.st)), got, c.want)
		}
	}
}
