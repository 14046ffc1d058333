package lower

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/types"
)

var (
	things = types.ListOf(types.StringType)
	thing  = &types.Type{Kind: types.Object, Name: "Thing"}
)

// A judge is a statement of another package that leaves unless its condition
// holds.
type judge struct{ cond Value }

func (j judge) String() string { return "expect " + Text(j.cond) }
func (j judge) Holds() Value   { return j.cond }

func expects(cond Value) Stmt { return Node{Data: judge{cond}} }

// member is x.name, as a field of an answer.
func member(x Value, name string) Value { return Field{X: x, Owner: thing, Name: name} }

func isNil(v Value) Value { return Binary{"==", v, Nil{}} }

// needs fails if a value is missing.
func needs(v Value) Stmt { return Guard{Cond: isNil(v), Fail: Fail{Step: "s"}} }

func over(list Value, elem string, body ...Stmt) Stmt {
	return Range{Elem: elem, Over: list, Body: block(body...)}
}

func when(cond Value, then ...Stmt) If { return If{Cond: cond, Then: block(then...)} }

func count(list Value) Value { return Call{Func{"", "len"}, []Value{list}} }

func TestPrune(t *testing.T) {
	list, other, x := local("list"), local("other"), local("x")
	name := member(x, "name")
	grow := func(list string) Stmt { return Append{list, x} }
	checked := over(list, "x", needs(name))
	firstOf := func(list Value) Value { return member(Index{list, Const{0}}, "name") }
	split := Call{Func{"strings", "Split"}, []Value{x, Const{","}}}
	holds := Call{Func{"strings", "Contains"}, []Value{x, Const{","}}}
	is := func(word string) Value { return Binary{"==", x, Const{word}} }
	short := func(list Value, n int) Stmt {
		return Guard{Cond: Binary{"<=", count(list), Const{n}}, Fail: Fail{Kind: FailIndex}}
	}
	for _, c := range []struct {
		name string
		b    *Block
		want []string
	}{
		{"checked before", block(needs(name), needs(name)), []string{"fail if (x.name == nil): missing s"}},
		{"another field", block(needs(name), needs(member(x, "other"))), []string{"fail if (x.name == nil): missing s", "fail if (x.other == nil): missing s"}},
		{"changed since", block(needs(name), Assign{"x", other}, needs(name)), []string{"fail if (x.name == nil): missing s", "x = other", "fail if (x.name == nil): missing s"}},
		{"in one branch only", block(when(local("c"), needs(name)), needs(name)), []string{"if c", "\tfail if (x.name == nil): missing s", "fail if (x.name == nil): missing s"}},
		{"under its condition", block(when(Binary{"!=", name, Nil{}}, needs(name))), nil},
		{"under another", block(when(isNil(name), needs(name))), []string{"if (x.name == nil)", "\tfail if (x.name == nil): missing s"}},
		{"under a condition with a name", block(define("c", Binary{"!=", name, Nil{}}), when(local("c"), needs(name), expects(local("c")), spokenOf(local("c")))),
			[]string{"c := (x.name != nil)", "if c", "\tuse(c)"}},
		{"a comparison under itself", block(when(is("a"), expects(is("a")), expects(is("b")), spokenOf(x))), []string{`if (x == "a")`, `	expect (x == "b")()`, "\tuse(x)"}},
		{"a comparison under its opposite", block(when(Binary{"!=", x, Const{"a"}}, expects(Unary{"!", is("a")}), spokenOf(x))), []string{`if (x != "a")`, "\tuse(x)"}},
		{"one side of an alternative", block(expects(is("a")), expects(Binary{"||", is("b"), is("a")}), spokenOf(x)), []string{`expect (x == "a")()`, "use(x)"}},
		{"an alternative is not its sides", block(expects(Binary{"||", is("b"), is("a")}), expects(is("a")), spokenOf(x)),
			[]string{`expect ((x == "b") || (x == "a"))()`, `expect (x == "a")()`, "use(x)"}},
		{"a comparison of what changes", block(expects(is("a")), Assign{"x", other}, expects(is("a"))), []string{`expect (x == "a")()`, "x = other", `expect (x == "a")()`}},
		{"every element", block(checked, over(list, "y", needs(member(local("y"), "name")), spokenOf(local("y")))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "for y in list", "\tuse(y)"}},
		{"every element, one of them", block(checked, needs(firstOf(list))), []string{"for x in list", "\tfail if (x.name == nil): missing s"}},
		{"of a loop that ends early", block(over(list, "x", when(local("c"), Break{}), needs(name)), needs(firstOf(list))),
			[]string{"for x in list", "\tif c", "\t\tbreak", "\tfail if (x.name == nil): missing s", "fail if (list[0].name == nil): missing s"}},
		{"of a list that its own loop makes longer", block(over(list, "x", needs(name), Append{"list", local("y")}), needs(firstOf(list))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "\tlist += y", "fail if (list[0].name == nil): missing s"}},
		{"of some elements", block(over(list, "x", when(local("c"), needs(name))), needs(firstOf(list))),
			[]string{"for x in list", "\tif c", "\t\tfail if (x.name == nil): missing s", "fail if (list[0].name == nil): missing s"}},
		{"of a list of these", block(Var{Name: "out", Type: things}, over(list, "x", needs(name), when(local("c"), grow("out"))), needs(firstOf(local("out"))), spokenOf(local("out"))),
			[]string{"var out list(string)", "for x in list", "\tfail if (x.name == nil): missing s", "\tif c", "\t\tout += x", "use(out)"}},
		{"of a list with others in it", block(Var{Name: "out", Type: things}, over(list, "x", needs(name), grow("out")), over(other, "x", grow("out")), needs(firstOf(local("out")))),
			[]string{"var out list(string)", "for x in list", "\tfail if (x.name == nil): missing s", "\tout += x", "for x in other", "\tout += x", "fail if (out[0].name == nil): missing s"}},
		{"of a list with others before", block(Var{Name: "out", Type: things}, over(other, "x", grow("out")), over(list, "x", needs(name), grow("out")), needs(firstOf(local("out")))),
			[]string{"var out list(string)", "for x in other", "\tout += x", "for x in list", "\tfail if (x.name == nil): missing s", "\tout += x", "fail if (out[0].name == nil): missing s"}},
		{"of one list or the other", block(checked, over(other, "x", needs(name)), define("out", list), when(local("c"), Assign{"out", other}), needs(firstOf(local("out")))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "for x in other", "\tfail if (x.name == nil): missing s"}},
		{"of one list or one that was not checked", block(checked, define("out", list), when(local("c"), Assign{"out", other}), needs(firstOf(local("out")))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "out := list", "if c", "\tout = other", "fail if (out[0].name == nil): missing s"}},
		{"of an element with a name", block(checked, define("one", Index{list, Const{0}}), needs(member(local("one"), "name")), spokenOf(local("one"))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "one := list[0]", "use(one)"}},
		{"of an element or another", block(checked, define("one", Index{list, Const{0}}), when(local("c"), Assign{"one", Index{other, Const{0}}}), needs(member(local("one"), "name"))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "one := list[0]", "if c", "\tone = other[0]", "fail if (one.name == nil): missing s"}},
		{"of another or an element", block(checked, define("one", Index{other, Const{0}}), when(local("c"), Assign{"one", Index{list, Const{0}}}), needs(member(local("one"), "name"))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "one := other[0]", "if c", "\tone = list[0]", "fail if (one.name == nil): missing s"}},
		{"of a list that was sorted", block(checked, define("best", call("SortedBy", list, local("keys"))), needs(firstOf(local("best"))), spokenOf(local("best"))),
			[]string{"for x in list", "\tfail if (x.name == nil): missing s", "best := SortedBy(list, keys)", "use(best)"}},
		{"of a variable of an arm that ended", block(If{Cond: local("c"), Then: block(define("x", other), needs(name)), Else: block(define("x", list), needs(name))}, needs(name)),
			[]string{"if c", "\tx := other", "\tfail if (x.name == nil): missing s", "else", "\tx := list", "\tfail if (x.name == nil): missing s", "fail if (x.name == nil): missing s"}},
		{"inside of a loop that changes it", block(needs(name), over(list, "y", needs(name), Assign{"x", local("y")})),
			[]string{"fail if (x.name == nil): missing s", "for y in list", "\tfail if (x.name == nil): missing s", "\tx = y"}},
		{"long enough", block(expects(Binary{"!=", count(list), Const{0}}), short(list, 0), short(list, 1)),
			[]string{"expect (len(list) != 0)()", "fail if (len(list) <= 1): index"}},
		{"long enough, compared as numbers", block(expects(Binary{">", Call{Func{"", "int64"}, []Value{count(list)}}, Const{int64(1)}}), short(list, 1), short(list, 2)),
			[]string{"expect (int64(len(list)) > 1)()", "fail if (len(list) <= 2): index"}},
		{"long enough to be there", block(expects(Binary{"!=", count(list), Const{0}}), needs(list)), []string{"expect (len(list) != 0)()"}},
		{"grown since", block(MakeList{Name: "list", Elem: types.StringType, Cap: other}, expects(Binary{"!=", count(list), Const{0}}), Assign{"list", other}, short(list, 0)),
			[]string{"list := list(string)", "expect (len(list) != 0)()", "list = other", "fail if (len(list) <= 0): index"}},
		{"parts of a text that holds the mark", block(when(holds, define("parts", split), short(local("parts"), 1), spokenOf(local("parts")))),
			[]string{`if Contains(x, ",")`, `	parts := Split(x, ",")`, "\tuse(parts)"}},
		{"parts made before", block(define("parts", split), when(holds, short(local("parts"), 1), spokenOf(local("parts")))),
			[]string{`parts := Split(x, ",")`, `if Contains(x, ",")`, "\tuse(parts)"}},
		{"parts of another text", block(define("y", other), when(holds, define("parts", Call{Func{"strings", "Split"}, []Value{local("y"), Const{","}}}), short(local("parts"), 1), spokenOf(local("parts")))),
			[]string{"y := other", `if Contains(x, ",")`, `	parts := Split(y, ",")`, "\tfail if (len(parts) <= 1): index", "\tuse(parts)"}},
		{"an element or a default", block(expects(Binary{"!=", count(list), Const{0}}), Var{Name: "e", Type: types.StringType, Opt: true},
			when(Binary{"!=", count(list), Const{0}}, Assign{"e", Addr{Index{list, Const{0}}}}), define("code", call("Or", local("e"), x)), spokenOf(local("code"))),
			[]string{"expect (len(list) != 0)()", "code := list[0]", "use(code)"}},
		{"an element or a default, of any list", block(Var{Name: "e", Type: types.StringType, Opt: true},
			when(Binary{"!=", count(list), Const{0}}, Assign{"e", Addr{Index{list, Const{0}}}}), define("code", call("Or", local("e"), x)), spokenOf(local("code"))),
			[]string{"var e ?string", "if (len(list) != 0)", "\te = &list[0]", "code := Or(e, x)", "use(code)"}},
		{"computed twice", block(define("a", call("Upper", x)), define("b", call("Upper", x)), over(list, "y", when(Binary{"==", local("y"), local("b")}, spokenOf(local("y")))), spokenOf(local("a"))),
			[]string{"a := Upper(x)", "for y in list", "\tif (y == a)", "\t\tuse(y)", "use(a)"}},
		{"computed of what changed", block(define("a", call("Upper", x)), Assign{"x", other}, define("b", call("Upper", x)), needs(local("b")), spokenOf(local("a"))),
			[]string{"a := Upper(x)", "x = other", "b := Upper(x)", "fail if (b == nil): missing s", "use(a)"}},
		{"computed twice, read by others", block(define("a", call("Upper", x)), define("b", call("Upper", x)), spokenOf(local("b")), spokenOf(local("a"))),
			[]string{"a := Upper(x)", "b := Upper(x)", "use(b)", "use(a)"}},
		{"tried twice", block(try("a", x), try("b", x), needs(local("b"))), []string{"a := try Parse(x) else missing s", "fail if (a == nil): missing s"}},
		{"tried for its failure", block(try("_", x), try("_", x)), []string{"_ := try Parse(x) else missing s"}},
		{"tried of what changed", block(try("_", x), Assign{"x", other}, try("_", x)),
			[]string{"_ := try Parse(x) else missing s", "x = other", "_ := try Parse(x) else missing s"}},
		{"tried in a branch before", block(when(local("c"), try("_", x)), try("_", x)), []string{"if c", "\t_ := try Parse(x) else missing s", "_ := try Parse(x) else missing s"}},
		{"computed of a list that grows", block(MakeList{Name: "list", Elem: types.StringType, Cap: other}, define("a", call("Join", list)), grow("list"), define("b", call("Join", list)), needs(local("b")), spokenOf(local("a"))),
			[]string{"list := list(string)", "a := Join(list)", "list += x", "b := Join(list)", "fail if (b == nil): missing s", "use(a)"}},
		{"computed in a branch before", block(when(local("c"), define("a", call("Upper", x)), spokenOf(local("a"))), define("b", call("Upper", x)), needs(local("b"))),
			[]string{"if c", "\ta := Upper(x)", "\tuse(a)", "b := Upper(x)", "fail if (b == nil): missing s"}},
		{"what a node's block checks", block(Node{Data: spoken("run"), Blocks: []*Block{block(needs(name))}}, needs(name)),
			[]string{"run()", "\tfail if (x.name == nil): missing s", "fail if (x.name == nil): missing s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			Tidy(c.b)
			same(t, c.b, c.want...)
		})
	}
}

// try is a call that may fail.
func try(name string, arg Value) Stmt {
	return Try{Name: name, Fn: Func{valuePkg, "Parse"}, Args: []Value{arg}, Fail: Fail{Step: "s"}}
}

// spokenOf is a statement of another package that reads a value.
func spokenOf(v Value) Stmt { return Node{Data: spoken("use"), Uses: []Value{v}} }

// TestInto has variables that are only on the way to another one.
func TestInto(t *testing.T) {
	use := spokenOf(local("x"))
	choice := If{Cond: local("c"), Then: block(Assign{"x", Const{1}})}
	for _, c := range []struct {
		name  string
		stmts []Stmt
		rest  []Stmt
		want  []string
	}{
		{"a choice", []Stmt{use, Var{Name: "x", Type: types.IntType}, choice}, nil, []string{"use(x)", "if c", "\tout.X = 1"}},
		{"a choice with a value", []Stmt{define("x", Const{0}), choice}, nil, []string{"out.X = 0", "if c", "\tout.X = 1"}},
		{"a list", []Stmt{MakeList{Name: "x", Elem: types.IntType, Cap: local("list")}, over(local("list"), "e", Append{"x", local("e")})}, nil,
			[]string{"out.X = list(int)", "for e in list", "\tout.X += e"}},
		{"a list in one arm", []Stmt{Var{Name: "x", Type: things}, when(local("c"), MakeList{Name: "x", Elem: types.IntType, Cap: local("list"), There: true})}, nil,
			[]string{"if c", "\tout.X = list(int)"}},
		{"a count and a map", []Stmt{define("x", Const{0}), when(local("c"), Incr{"x"}, Put{"x", Nil{}, Nil{}})}, nil, []string{"out.X = 0", "if c", "\tout.X++", "\tout.X[nil] = nil"}},
		{"read afterwards", []Stmt{define("x", Const{0}), choice}, []Stmt{use}, nil},
		{"read by another statement", []Stmt{define("x", Const{0}), use}, nil, nil},
		{"made by a call that may fail", []Stmt{Try{Name: "x", Fn: Func{Name: "f"}}}, nil, nil},
		{"a parameter", []Stmt{choice}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := Dump(block(c.stmts...))
			got, ok := Into(c.stmts, "x", "out.X", c.rest...)
			if ok != (c.want != nil) {
				t.Fatalf("done %t", ok)
			}
			if !ok {
				same(t, block(got...), before[:len(before)-1])
				return
			}
			same(t, block(got...), c.want...)
		})
	}
}

// TestOnlyMissing has what a block may fail for, at its top and inside.
func TestOnlyMissing(t *testing.T) {
	wrong := Guard{Cond: local("c"), Fail: Fail{Kind: FailKindOf}}
	for _, c := range []struct {
		name string
		b    *Block
		want bool
	}{
		{"nothing", nil, true},
		{"a value", block(needs(local("x")), when(local("c"), needs(local("y")))), true},
		{"another kind", block(wrong), false},
		{"another kind in a branch", block(If{Cond: local("c"), Then: block(), Else: block(wrong)}), false},
		{"another kind in a loop", block(over(local("list"), "x", wrong)), false},
		{"a call", block(when(local("c"), try("a", local("x")))), false},
		{"another package", block(spokenOf(local("x"))), false},
	} {
		if got := OnlyMissing(c.b); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
