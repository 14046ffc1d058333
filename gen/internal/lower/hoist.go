package lower

import (
	"reflect"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
)

// hoist takes calls that do not depend on a loop out of its body: each is
// evaluated once, before the loop. Only calls over plain variables and
// constants move; they cannot fail, so it does not matter that the loop may
// have no turn, and no check inside the loop guards them.
func (b *Builder) hoist(body *Block, own ...string) {
	inner := defined(body)
	for _, name := range own {
		inner[name] = true
	}
	var moved []Call
	var names []Value
	rewriteBlock(body, func(v Value) Value {
		call, ok := v.(Call)
		if !ok || call.Fn.Pkg == "" || !invariant(call, inner) {
			return nil
		}
		for i, m := range moved {
			if reflect.DeepEqual(m, call) {
				return names[i]
			}
		}
		name := Local{b.freeOf(inner, naming.Local(call.Fn.Name))}
		moved, names = append(moved, call), append(names, name)
		b.emit(Define{Name: name.Name, V: call})
		return name
	})
}

// freeOf takes a name that no variable of the loop's body hides.
func (b *Builder) freeOf(inner map[string]bool, name string) string {
	for {
		if n := b.fresh(name); !inner[n] {
			return n
		}
	}
}

// invariant reports whether v is made of variables from outside, constants and
// calls of these, with one variable at least.
func invariant(v Value, inner map[string]bool) bool {
	reads := false
	var check func(Value) bool
	check = func(v Value) bool {
		switch v := v.(type) {
		case Local:
			reads = true
			return !inner[v.Name]
		case Const:
			return true
		case Call:
			for _, a := range v.Args {
				if !check(a) {
					return false
				}
			}
			return true
		}
		return false
	}
	return check(v) && reads
}

// defined returns the names that a block defines or changes.
func defined(b *Block) map[string]bool {
	out := map[string]bool{}
	var walk func(*Block)
	walk = func(b *Block) {
		if b == nil {
			return
		}
		for _, st := range b.Stmts {
			form := formOf(st)
			for _, name := range append(form.also, form.sets()) {
				out[name] = true
			}
			for _, inner := range form.blocks {
				walk(inner)
			}
		}
	}
	walk(b)
	return out
}
