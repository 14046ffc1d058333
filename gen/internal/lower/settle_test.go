package lower

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestSettle writes a plain value first and a condition for the other one, and
// leaves alone what would be another program or read worse.
func TestSettle(t *testing.T) {
	said := Var{Name: "said", Type: types.StringType}
	set := func(v Value) *Block { return block(Assign{"said", v}) }
	empty, other := Const{""}, call("Trim", local("x"))
	is := func(text string) Value { return Binary{"==", local("x"), Const{text}} }
	check := func(name string, b *Block, want ...string) {
		t.Run(name, func(t *testing.T) {
			settle(b)
			same(t, b, want...)
		})
	}
	check("the last arm", block(said, If{Cond: local("c"), Then: set(other), Else: set(empty)}),
		`said := ""`, "if c", "\tsaid = Trim(x)")
	check("the first arm", block(said, If{Cond: is("a"), Then: set(empty), Else: set(other)}),
		`said := ""`, `if (x != "a")`, "\tsaid = Trim(x)")
	check("two plain arms", block(said, If{Cond: is("a"), Then: set(local("y")), Else: set(empty)}),
		`said := ""`, `if (x == "a")`, "\tsaid = y")
	check("the last of three", block(said, If{Cond: is("a"), Then: set(other), Else: block(If{Cond: is("b"), Then: set(other), Else: set(local("y"))})}),
		"said := y", `if (x == "a")`, "\tsaid = Trim(x)", "else", `	if (x == "b")`, "\t\tsaid = Trim(x)")
	check("the first of three stays, since it may be a switch", block(said, If{Cond: is("a"), Then: set(empty), Else: block(If{Cond: is("b"), Then: set(other), Else: set(other)})}),
		"var said string", `if (x == "a")`, `	said = ""`, "else", `	if (x == "b")`, "\t\tsaid = Trim(x)", "\telse", "\t\tsaid = Trim(x)")
	check("work in both arms", block(said, If{Cond: local("c"), Then: set(other), Else: set(other)}),
		"var said string", "if c", "\tsaid = Trim(x)", "else", "\tsaid = Trim(x)")
	check("more than the value", block(said, If{Cond: local("c"), Then: set(other), Else: block(define("n", Nil{}), Assign{"said", empty})}),
		"var said string", "if c", "\tsaid = Trim(x)", "else", "\tn := nil", `	said = ""`)
	check("an arm for another variable", block(said, If{Cond: local("c"), Then: set(other), Else: block(Assign{"n", empty})}),
		"var said string", "if c", "\tsaid = Trim(x)", "else", `	n = ""`)
	check("a condition that does not turn", block(said, If{Cond: Binary{"<", local("x"), local("y")}, Then: set(empty), Else: set(other)}),
		"var said string", "if (x < y)", `	said = ""`, "else", "\tsaid = Trim(x)")
	ok, aThen := define("ok", is("a")), func(cond Value, v Value) Stmt { return If{Cond: cond, Then: block(Assign{"ok", v})} }
	check("the second half of a condition", block(ok, aThen(local("ok"), local("c"))), `ok := ((x == "a") && c)`)
	check("the other half", block(ok, aThen(Unary{"!", local("ok")}, local("c")), aThen(local("ok"), local("d"))), `ok := (((x == "a") || c) && d)`)
	check("a half that needs work", block(ok, If{Cond: local("ok"), Then: block(define("n", other), Assign{"ok", is("b")})}),
		`ok := (x == "a")`, "if ok", "\tn := Trim(x)", `	ok = (x == "b")`)
	check("halves that vet refuses", block(ok, aThen(local("ok"), is("a"))), `ok := (x == "a")`, "if ok", `	ok = (x == "a")`)
	check("another variable", block(ok, If{Cond: local("ok"), Then: block(Assign{"said", empty})}), `ok := (x == "a")`, "if ok", `	said = ""`)
	optional := Var{Name: "said", Type: types.StringType, Opt: true}
	check("a form that can be nil", block(optional, If{Cond: local("c"), Then: set(other), Else: set(local("y"))}),
		"var said ?string", "if c", "\tsaid = Trim(x)", "else", "\tsaid = y")
	check("an inner block", block(If{Cond: local("d"), Then: block(said, If{Cond: local("c"), Then: set(other), Else: set(empty)})}),
		"if d", `	said := ""`, "\tif c", "\t\tsaid = Trim(x)")
}
