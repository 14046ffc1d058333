package lower

import (
	"fmt"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// macro lowers the forms that bind a variable.
func (b *Builder) macro(t *expr.Term, name string) Operand {
	if t.Op == expr.OpBind {
		b.Bind(t.Var, b.Named(t.Args[0], t.Var.Name))
		return b.lower(t.Body, name)
	}
	xs := b.receiver(t)
	switch t.Op {
	case expr.OpAll, expr.OpExists:
		return b.quantifier(t, xs, name)
	case expr.OpExistsOne:
		return b.existsOne(t, xs)
	case expr.OpFilter:
		return b.filter(t, xs, name, 0)
	case expr.OpSortBy:
		return b.sortBy(t, xs)
	case expr.OpTransformMap:
		return b.transformMap(t, xs, name)
	}
	return b.transform(t, xs, name, 0)
}

// receiver lowers what a macro goes over.
func (b *Builder) receiver(t *expr.Term) Operand {
	xs := b.lower(t.Args[0], "list")
	if t.Var2 != nil {
		xs = b.local(xs, t.Args[0].Type, "list")
	}
	return xs
}

// transformMap makes a map with a value for each element or entry.
func (b *Builder) transformMap(t *expr.Term, xs Operand, name string) Operand {
	out := b.fresh(localOr(name, "mapped"))
	b.emit(MakeMap{Name: out, Type: t.Type})
	b.loop(t, xs, func(Operand) {
		key := b.ref(&expr.Term{Op: expr.OpRef, Decl: t.Var, Type: t.Var.Type})
		put := func() { b.emit(Put{out, key.V, b.lower(t.Body, "").V}) }
		if t.Body2 == nil {
			put()
			return
		}
		cond := b.lower(t.Body2, "ok").V
		b.emit(If{Cond: cond, Then: b.inBlock(expr.Facts(t.Body2, true), put)})
	})
	return Operand{V: Local{out}}
}

// loop emits a for over xs whose body f writes, with the macro's variables
// bound. A map is walked in the order of its keys.
func (b *Builder) loop(t *expr.Term, xs Operand, f func(v Operand)) {
	if t.Var2 != nil {
		b.pairLoop(t, xs, f)
		return
	}
	over := xs.V
	if t.Args[0].Type.Kind == types.Map {
		over = Call{Func{valuePkg, "Keys"}, []Value{over}}
		if fact := keyOf(&expr.Term{Op: expr.OpRef, Decl: t.Var}, t.Args[0]); fact != "" {
			b.known[fact] = true
		}
	}
	name, body := b.body(t.Var, xs, f)
	b.hoist(body, name)
	elem := name
	if !Reads(body)[name] {
		elem = ""
	}
	b.emit(Range{Elem: elem, Over: over, Body: body})
}

// pairLoop emits a for with index and element of a list, or key and value of a
// map.
func (b *Builder) pairLoop(t *expr.Term, xs Operand, f func(v Operand)) {
	names := b.Names
	b.Names = naming.NewScope(names)
	first, second := b.Names.Unique(naming.Local(t.Var.Name)), b.Names.Unique(naming.Local(t.Var2.Name))
	elem := Operand{V: Local{second}, Step: xs.Step, Path: xs.Path + "[]"}
	isMap := t.Args[0].Type.Kind == types.Map
	body := b.inBlock(nil, func() {
		index := Operand{V: Call{Func{"", "int64"}, []Value{Local{first}}}}
		if isMap {
			index.V = Local{first}
			b.emit(Define{Name: second, V: Index{xs.V, Local{first}}, Type: t.Var2.Type})
		}
		b.Bind(t.Var, index)
		b.Bind(t.Var2, elem)
		f(elem)
	})
	b.Names = names
	b.hoist(body, first, second)
	r := Range{Index: first, Elem: second, Over: xs.V, Body: body}
	if isMap {
		r = Range{Elem: first, Over: Call{Func{valuePkg, "Keys"}, []Value{xs.V}}, Body: body}
	}
	b.emit(r)
}

// body lowers what a loop over xs does with its variable v.
func (b *Builder) body(v *expr.Decl, xs Operand, f func(v Operand)) (string, *Block) {
	names := b.Names
	b.Names = naming.NewScope(names)
	defer func() { b.Names = names }()
	name := b.Names.Unique(naming.Local(v.Name))
	elem := Operand{V: Local{name}, Step: xs.Step, Path: xs.Path + "[]"}
	return name, b.inBlock(nil, func() {
		b.Bind(v, elem)
		f(elem)
	})
}

func (b *Builder) quantifier(t *expr.Term, xs Operand, name string) Operand {
	all := t.Op == expr.OpAll
	local := b.fresh(localOr(name, map[bool]string{true: "all", false: "found"}[all]))
	b.emit(Define{Name: local, V: Const{all}, Type: types.BoolType})
	b.loop(t, xs, func(Operand) {
		cond := b.lower(t.Body, "ok").V
		if all {
			cond = not(cond)
		}
		b.emit(If{Cond: cond, Then: &Block{Stmts: []Stmt{Assign{local, Const{!all}}, Break{}}}})
	})
	return Operand{V: Local{local}}
}

// local puts a value that is read more than once into a variable.
func (b *Builder) local(o Operand, t *types.Type, name string) Operand {
	if _, ok := o.V.(Local); !ok {
		local := b.fresh(name)
		b.emit(Define{Name: local, V: o.V, Type: t})
		o.V = Local{local}
	}
	return o
}

func (b *Builder) existsOne(t *expr.Term, xs Operand) Operand {
	count := b.fresh("count")
	b.emit(Define{Name: count, V: Const{0}})
	b.loop(t, xs, func(Operand) {
		cond := b.lower(t.Body, "ok").V
		b.emit(If{Cond: cond, Then: &Block{Stmts: []Stmt{Incr{count}}}})
	})
	return Operand{V: Binary{"==", Local{count}, Const{1}}}
}

func (b *Builder) filter(t *expr.Term, xs Operand, name string, most int) Operand {
	out := b.fresh(localOr(name, "matching"))
	b.emit(Var{Name: out, Type: t.Type})
	b.loop(t, xs, func(v Operand) {
		b.full(out, most)
		cond := b.lower(t.Body, "ok").V
		b.emit(If{Cond: cond, Then: &Block{Stmts: []Stmt{Append{out, v.V}}}})
	})
	return Operand{V: Local{out}, Step: xs.Step, Path: xs.Path}
}

func (b *Builder) transform(t *expr.Term, xs Operand, name string, most int) Operand {
	over := b.local(xs, t.Args[0].Type, "list")
	out := b.fresh(localOr(name, "mapped"))
	b.emit(MakeList{Name: out, Elem: t.Type.Elem, Cap: over.V})
	b.loop(t, over, func(Operand) {
		b.full(out, most)
		if t.Body2 == nil {
			b.emit(Append{out, b.lower(t.Body, "x").V})
			return
		}
		cond := b.lower(t.Body2, "ok").V
		then := b.inBlock(expr.Facts(t.Body2, true), func() { b.emit(Append{out, b.lower(t.Body, "x").V}) })
		b.emit(If{Cond: cond, Then: then})
	})
	made := Operand{V: Local{out}, Step: xs.Step}
	if t.Body.Type.IsScalar() || t.Body.Type.Record {
		made.Path = xs.Path // an error can only be about the list
	}
	return made
}

// sortBy evaluates the keys first: an error in one of them is an error of the
// whole, whatever the order of comparisons.
func (b *Builder) sortBy(t *expr.Term, xs Operand) Operand {
	over := b.local(xs, t.Type, "list")
	keys, elem, sorted := b.fresh("keys"), t.Body.Type, "SortedBy"
	switch elem.Kind {
	case types.Timestamp:
		sorted = "SortedByTime"
	case types.Bool: // which Go does not order
		elem = types.IntType
	}
	b.emit(MakeList{Name: keys, Elem: elem, Cap: over.V})
	b.loop(t, over, func(Operand) {
		key := b.lower(t.Body, "key").V
		if t.Body.Type.Kind == types.Bool {
			key = Convert{To: elem, X: Call{Func{valuePkg, "CompareBool"}, []Value{key, Const{false}}}}
		}
		b.emit(Append{keys, key})
	})
	return Operand{V: Call{Func{valuePkg, sorted}, []Value{over.V, Local{keys}}}, Step: xs.Step, Path: xs.Path}
}

// optional lowers the operations on optionals.
func (b *Builder) optional(t *expr.Term, name string) Operand {
	switch t.Op {
	case expr.OpOptNone:
		return b.none(t)
	case expr.OpOptOf:
		o := b.lower(t.Args[0], name)
		if !Nilable(t.Type.Elem) {
			o.V = Call{Func{valuePkg, "Ptr"}, []Value{typed(o.V)}}
		}
		return o
	case expr.OpOptNonZero:
		return Operand{V: Call{Func{valuePkg, "NonZero"}, []Value{typed(b.lower(t.Args[0], name).V)}}}
	case expr.OpOptValue:
		o := b.Named(t.Args[0], localOr(name, "found"))
		b.emit(Guard{Cond: Binary{"==", o.V, Nil{}}, Fail: b.fail(FailMissing, t, o, "")})
		o.V = plain(o.V, t.Type)
		return o
	case expr.OpOrValue, expr.OpOrOpt:
		return b.orValue(t, name)
	case expr.OpOptMap, expr.OpOptFlatMap:
		return b.optMap(t, name)
	}
	panic(fmt.Sprintf("lower: no lowering for operation %d at %d", t.Op, t.Start))
}

// typed gives an untyped Go constant the type of the expression language.
func typed(v Value) Value {
	if c, ok := v.(Const); ok {
		switch c.V.(type) {
		case int64:
			return Convert{To: types.IntType, X: v}
		case uint64:
			return Convert{To: types.UintType, X: v}
		case float64:
			return Convert{To: types.DoubleType, X: v}
		}
	}
	return v
}

func (b *Builder) none(t *expr.Term) Operand {
	local := b.fresh("none")
	b.emit(Var{Name: local, Type: t.Type.Elem, Opt: true})
	return Operand{V: Local{local}}
}

// orValue lowers x.orValue(d) and x.or(y). A default that needs no statements
// is simply an argument; any other runs only if it is needed.
func (b *Builder) orValue(t *expr.Term, name string) Operand {
	x := b.lower(t.Args[0], "found")
	if none := t.Args[1]; none.Op == expr.OpList && len(none.Args) == 0 && t.Op == expr.OpOrValue {
		return x // a list that is missing is nil, which is empty
	}
	out := b.fresh(localOr(name, "chosen"))
	var d Operand
	other := b.inBlock(nil, func() { d = b.lower(t.Args[1], "other") })
	elem := t.Type
	opt := t.Op == expr.OpOrOpt
	if opt {
		elem = t.Type.Elem
	}
	if len(other.Stmts) == 0 && !opt && !Nilable(elem) {
		b.Names.Release(out)
		return Operand{V: Call{Func{valuePkg, "Or"}, []Value{x.V, d.V}}, Step: x.Step, Path: x.Path}
	}
	if _, ok := x.V.(Local); !ok {
		local := b.fresh("found")
		b.emit(Define{Name: local, V: x.V, Type: t.Args[0].Type})
		x.V = Local{local}
	}
	b.emit(Var{Name: out, Type: elem, Opt: opt})
	got := x.V
	if !opt {
		got = plain(x.V, elem)
	}
	other.Stmts = append(other.Stmts, Assign{out, d.V})
	b.emit(If{Cond: Binary{"!=", x.V, Nil{}}, Then: &Block{Stmts: []Stmt{Assign{out, got}}}, Else: other})
	return Operand{V: Local{out}, Step: x.Step, Path: x.Path}
}

func (b *Builder) optMap(t *expr.Term, name string) Operand {
	x := b.Named(t.Args[0], "found")
	out := b.fresh(localOr(name, "mapped"))
	b.emit(Var{Name: out, Type: t.Type.Elem, Opt: true})
	then := b.inBlock(nil, func() {
		b.Bind(t.Var, Operand{V: plain(x.V, t.Args[0].Type.Elem), Step: x.Step, Path: x.Path})
		v := b.lower(t.Body, "x")
		if t.Op == expr.OpOptMap && !Nilable(t.Type.Elem) {
			v.V = Call{Func{valuePkg, "Ptr"}, []Value{typed(v.V)}}
		}
		b.emit(Assign{out, v.V})
	})
	b.emit(If{Cond: Binary{"!=", x.V, Nil{}}, Then: then})
	return Operand{V: Local{out}, Step: x.Step, Path: x.Path}
}
