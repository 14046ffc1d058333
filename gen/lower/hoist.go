package lower

import (
	"reflect"

	"github.com/sculpt-tools/sculpt/gen/naming"
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
			return v
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
		if n := b.Names.Unique(name); !inner[n] {
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
			if name, ok := sets(st); ok {
				out[name] = true
			}
			switch s := st.(type) {
			case Try:
				out[s.Name] = true
			case Lookup:
				out[s.Name], out[s.Ok] = true, true
			case If:
				walk(s.Then)
				walk(s.Else)
			case Range:
				out[s.Elem], out[s.Index] = true, true
				walk(s.Body)
			}
		}
	}
	walk(b)
	return out
}

// rewriteBlock replaces the values of a block by what f makes of them, from
// the outside in: what f replaces is not looked into.
func rewriteBlock(b *Block, f func(Value) Value) {
	if b == nil {
		return
	}
	for i, st := range b.Stmts {
		b.Stmts[i] = rewriteStmt(st, f)
	}
}

func rewriteStmt(st Stmt, f func(Value) Value) Stmt {
	one := func(v Value) Value { return rewrite(v, f) }
	switch s := st.(type) {
	case Define:
		s.V = one(s.V)
		return s
	case MakeList:
		s.Cap = one(s.Cap)
		return s
	case Assign:
		s.V = one(s.V)
		return s
	case Append:
		s.V = one(s.V)
		return s
	case Put:
		s.Key, s.V = one(s.Key), one(s.V)
		return s
	case Try:
		s.Args = rewriteAll(s.Args, f)
		return s
	case Lookup:
		s.Map, s.Key = one(s.Map), one(s.Key)
		return s
	case Guard:
		s.Cond, s.Fail.Index, s.Fail.List = one(s.Cond), one(s.Fail.Index), one(s.Fail.List)
		return s
	case If:
		s.Cond = one(s.Cond)
		rewriteBlock(s.Then, f)
		rewriteBlock(s.Else, f)
		return s
	case Range:
		s.Over = one(s.Over)
		rewriteBlock(s.Body, f)
		return s
	}
	return st
}

func rewriteAll(vs []Value, f func(Value) Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = rewrite(v, f)
	}
	return out
}

func rewrite(v Value, f func(Value) Value) Value {
	if v == nil {
		return nil
	}
	if r := f(v); !reflect.DeepEqual(r, v) {
		return r
	}
	switch v := v.(type) {
	case Field:
		v.X = rewrite(v.X, f)
		return v
	case Member:
		v.X = rewrite(v.X, f)
		return v
	case Index:
		v.X, v.I = rewrite(v.X, f), rewrite(v.I, f)
		return v
	case Deref:
		v.X = rewrite(v.X, f)
		return v
	case Addr:
		v.X = rewrite(v.X, f)
		return v
	case Unary:
		v.X = rewrite(v.X, f)
		return v
	case Binary:
		v.L, v.R = rewrite(v.L, f), rewrite(v.R, f)
		return v
	case Call:
		v.Args = rewriteAll(v.Args, f)
		return v
	case Method:
		v.X, v.Args = rewrite(v.X, f), rewriteAll(v.Args, f)
		return v
	case Record:
		v.Values = rewriteAll(v.Values, f)
		return v
	case List:
		v.Values = rewriteAll(v.Values, f)
		return v
	case Map:
		v.Entries = rewriteAll(v.Entries, f)
		return v
	case Convert:
		v.X = rewrite(v.X, f)
		return v
	}
	return v
}
