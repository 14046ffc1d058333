package lower

import (
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Values of unknown type have the Go type any: nil for null and absent, the
// types of scalars, []any, map[string]any and, for literals with keys of
// several types, map[any]any.

func isFree(t *types.Type) bool { return elemOf(t).Kind == types.Dyn }

func elemOf(t *types.Type) *types.Type {
	if t.Kind == types.Optional {
		return t.Elem
	}
	return t
}

// freeMember reads a member of a value of unknown type, nil if it is missing.
// What was read in a block that dominates this one is not read again.
func (b *Builder) freeMember(t *expr.Term) Operand {
	x := t.Args[0]
	key := expr.PathKey(x)
	if key != "" {
		key += "." + t.Name
		if held, ok := b.held[key]; ok {
			return held
		}
	}
	o := b.lower(x, "")
	raw := o.field(t.Name)
	raw.V = b.tryAt(t, o, Func{valuePkg, "Member"}, []Value{o.V, Const{t.Name}}, t.Name)
	if key != "" {
		b.held[key] = raw
	}
	return raw
}

// tryAt emits a call that can fail because of the value at o.
func (b *Builder) tryAt(t *expr.Term, o Operand, fn Func, args []Value, name string) Value {
	local := b.fresh(localOr(naming.Local(name), "x"))
	b.emit(Try{Name: local, Fn: fn, Args: args, Fail: b.fail(FailValue, t, o, "")})
	return Local{local}
}

// freeIndex lowers x[i] and x[?i] of a value of unknown type.
func (b *Builder) freeIndex(t *expr.Term, name string) Operand {
	x, i := b.lower(t.Args[0], ""), b.lower(t.Args[1], "key")
	out := Operand{Step: x.Step, Path: x.Path + elementPath(i.V)}
	fn, what := "At", "has no such element"
	if t.Args[1].Type.Kind == types.String {
		fn, what = "Member", "has no such key"
	}
	out.V = b.tryAt(t, x, Func{valuePkg, fn}, []Value{x.V, i.V}, localOr(name, "element"))
	if t.Op == expr.OpIndex {
		b.emit(Guard{Cond: Binary{"==", out.V, Nil{}}, Fail: b.fail(FailNoElement, t, x, what)})
	}
	return out
}

// narrowings maps the kind that an expression asks for to the function that
// takes it out of a value of unknown type.
var narrowings = map[types.Kind]string{
	types.Int: "AsInt", types.Uint: "AsUint", types.Double: "AsDouble", types.String: "AsText", types.Bool: "AsBool", types.List: "Elements",
}

func (b *Builder) freeNarrow(t *expr.Term) Operand {
	o := b.lower(t.Args[0], "")
	out := Operand{Step: o.Step, Path: o.Path}
	out.V = b.tryAt(t, o, Func{valuePkg, narrowings[t.Type.Kind]}, []Value{o.V}, narrowNames[t.Type.Kind])
	return out
}

var narrowNames = map[types.Kind]string{
	types.Int: "n", types.Uint: "n", types.Double: "f", types.String: "text", types.Bool: "ok", types.List: "list",
}

// box makes an any of a value of type t.
func (b *Builder) box(v Value, t *types.Type) Value {
	switch t.Kind {
	case types.Optional:
		return b.boxOptional(v, t)
	case types.List:
		if t.Elem.IsScalar() && !t.NullableElem {
			return Call{Func{valuePkg, "Anys"}, []Value{v}}
		}
		return b.boxList(v, t)
	case types.Map:
		if t.Elem.IsScalar() && !t.NullableElem || t.Elem.Kind == types.Dyn {
			return Call{Func{valuePkg, map[bool]string{true: "AnyMap", false: "AnyKeys"}[t.Key.Kind == types.String]}, []Value{v}}
		}
		return b.boxMap(v, t)
	}
	return typed(v)
}

func (b *Builder) boxOptional(v Value, t *types.Type) Value {
	if t.Elem.Kind == types.Dyn {
		return v
	}
	found, out := b.fresh("found"), b.fresh("x")
	b.emit(Define{Name: found, V: v, Type: t})
	b.emit(Var{Name: out, Type: types.DynOf("")})
	then := b.inBlock(nil, func() { b.emit(Assign{out, b.box(plain(Local{found}, t.Elem), t.Elem)}) })
	b.emit(If{Cond: Binary{"!=", Local{found}, Nil{}}, Then: then})
	return Local{out}
}

// boxList boxes the elements one by one.
func (b *Builder) boxList(v Value, t *types.Type) Value {
	if t.Elem.Kind == types.Dyn {
		return v
	}
	list := b.local(Operand{V: v}, t, "list")
	out := b.fresh("boxed")
	b.emit(MakeList{Name: out, Elem: types.DynOf(""), Cap: list.V})
	b.boxEach(list.V, elementType(t), func(elem Value) { b.emit(Append{out, elem}) })
	return Local{out}
}

func elementType(t *types.Type) *types.Type {
	if t.NullableElem {
		return types.OptionalOf(t.Elem)
	}
	return t.Elem
}

func (b *Builder) boxEach(over Value, elem *types.Type, f func(Value)) {
	names := b.Names
	b.Names = naming.NewScope(names)
	name := b.fresh("x")
	body := b.inBlock(nil, func() { f(b.box(Local{name}, elem)) })
	b.Names = names
	b.emit(Range{Elem: name, Over: over, Body: body})
}

func (b *Builder) boxMap(v Value, t *types.Type) Value {
	m := b.local(Operand{V: v}, t, "list")
	out := b.fresh("boxed")
	key := t.Key
	if key.Kind != types.String {
		key = types.DynOf("")
	}
	b.emit(MakeMap{Name: out, Type: types.MapOf(key, types.DynOf(""))})
	b.boxEach(Call{Func{valuePkg, "Keys"}, []Value{m.V}}, types.InvalidType, func(k Value) {
		elem := b.box(Index{m.V, k}, elementType(t))
		if key != t.Key {
			k = Call{Func{valuePkg, "Key"}, []Value{k}}
		}
		b.emit(Put{out, k, elem})
	})
	return Local{out}
}

// mapKey is the Go key of a key term: keys of several types are brought to one
// form, in which 1, 1u and 1.0 are equal.
func (b *Builder) mapKey(t *expr.Term, m *types.Type) Value {
	if m.Key.Kind != types.Dyn {
		return b.lower(t, "key").V
	}
	return Call{Func{valuePkg, "Key"}, []Value{b.lower(t, "key").V}}
}
