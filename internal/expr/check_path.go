package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// selection checks x.f and x.?f.
func (c *checker) selection(n *Node) *Term {
	if d, ok := c.namespaced(n); ok {
		return d
	}
	x := c.check(n.Args[0], nil)
	if x.Type.Kind == types.Optional && !n.Opt {
		return c.selectOptional(n, x)
	}
	return c.withFact(c.field(n, x, n.Opt))
}

// selectOptional reads a field through an optional: the whole stays optional
// (CEL, optional field selection).
func (c *checker) selectOptional(n *Node, x *Term) *Term { return c.withFact(c.field(n, x, true)) }

// namespaced resolves caller.user_id and the like, whose first half is no
// value: the scope declares them under their full name.
func (c *checker) namespaced(n *Node) (*Term, bool) {
	first, path, optional := n, "", false
	for first.Kind == NSelect {
		path, optional = "."+first.Name+path, optional || first.Opt
		first = first.Args[0]
	}
	if first.Kind != NName || c.scope.Lookup(first.Name) != nil {
		return nil, false
	}
	if d := c.scope.Lookup(first.Name + path); d != nil {
		if d.Func {
			return c.problem(RuleWrongType, place{n.Start, n.End}, "write "+d.Name+"(\"name\")", "%s takes one literal text", d.Name), true
		}
		d.Uses++
		c.poisoned = c.poisoned || d.Type.Kind == types.Invalid
		t := c.withFact(&Term{Op: OpRef, Type: d.Type, Decl: d, Start: n.Start, End: n.End})
		if optional && d.Type.Kind != types.Optional {
			t = &Term{Op: OpOptOf, Type: types.OptionalOf(d.Type), Args: []*Term{t}, Start: n.Start, End: n.End}
		}
		return t, true
	}
	for inner := n.Args[0]; inner.Kind == NSelect; inner = inner.Args[0] {
		if c.scope.Lookup(dotted(inner)) != nil {
			return nil, false // a field of caller.claims, which is declared
		}
	}
	siblings := c.behind(first.Name)
	if len(siblings) == 0 {
		return nil, false
	}
	name := first.Name + path
	fix := "use one of " + listNames(siblings)
	if near := diag.Nearest(name, siblings); near != "" {
		fix = fmt.Sprintf("write %q", near)
	}
	return c.problem(ruleUnknownName, place{n.Start, n.End}, fix, "unknown name %q%s", name, diag.DidYouMean(name, siblings)), true
}

// behind returns the names that follow a word and a dot.
func (c *checker) behind(word string) []string {
	return slices.DeleteFunc(c.scope.Names(), func(name string) bool {
		return !strings.HasPrefix(name, word+".") || name == word+"."
	})
}

// dotted returns the text of a path of plain names.
func dotted(n *Node) string {
	if n.Kind == NSelect {
		return dotted(n.Args[0]) + "." + n.Name
	}
	return n.Name
}

// field reads field n.Name of x; optional says that the result is an optional.
func (c *checker) field(n *Node, x *Term, optional bool) *Term {
	obj, typ := c.object(n, x)
	if obj == nil {
		return poison(n)
	}
	switch typ.Kind {
	case types.Map:
		return c.mapField(n, obj, typ, optional)
	case types.Dyn:
		return c.freeField(n, obj, typ, optional)
	}
	f := typ.Field(n.Name)
	switch {
	case f == nil:
		return c.unknownField(n, typ)
	case f.Type.Kind == types.Invalid: // an element of a list that could not be typed
		c.poisoned = true
		return poison(n)
	}
	t := &Term{Op: OpField, Name: f.Name, Type: f.Type, Args: []*Term{obj}, Start: n.Start, End: n.End}
	if optional || f.Optional {
		t.Type = types.OptionalOf(f.Type)
	}
	if optional {
		t.Op = OpOptField
	}
	return t
}

func (c *checker) mapField(n *Node, obj *Term, typ *types.Type, optional bool) *Term {
	if typ.Key.Kind != types.String {
		return c.problem(RuleWrongType, place{n.NameAt, n.nameEnd()}, "index it with [...]", "the keys of this map are %s, not names", typ.Key)
	}
	key := &Term{Op: OpConst, Type: types.StringType, Lit: n.Name, Start: n.NameAt, End: n.nameEnd()}
	t := &Term{Op: OpIndex, Type: typ.Elem, Args: []*Term{obj, key}, Start: n.Start, End: n.End}
	if optional {
		t.Op, t.Type = OpOptIndex, types.OptionalOf(typ.Elem)
	}
	return t
}

// object returns x as something with fields, or reports why it has none.
func (c *checker) object(n *Node, x *Term) (*Term, *types.Type) {
	typ := x.Type
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	switch typ.Kind {
	case types.Invalid:
		return nil, nil
	case types.Object, types.Map, types.Dyn:
		return x, typ
	case types.Union:
		if v := typ.Variant(types.Object); v != nil {
			narrowed := &Term{Op: OpNarrow, Type: v, Args: []*Term{x}, Start: x.Start, End: x.End}
			if x.Type.Kind == types.Optional {
				narrowed.Type = types.OptionalOf(v)
			}
			return narrowed, v
		}
	case types.List:
		c.problem(ruleNotAnObject, place{n.NameAt, n.nameEnd()}, "pick an element first: [0], or filter(x, ...)[0]", "a list has no field %q, this is %s", n.Name, typ)
		return nil, nil
	}
	c.problem(ruleNotAnObject, place{n.NameAt, n.nameEnd()}, "remove ."+n.Name, "a value of type %s has no field %q", typ, n.Name)
	return nil, nil
}

func (c *checker) unknownField(n *Node, typ *types.Type) *Term {
	names := typ.FieldNames()
	owner := typ.String()
	if typ.Record || owner == "object" {
		owner = "this object"
	}
	near := diag.Nearest(n.Name, names)
	fix, more := fmt.Sprintf("write %q", near), diag.DidYouMean(n.Name, names)
	if below := fieldsBelow(typ, n.Name); len(below) > 0 {
		fix, more = "write "+strings.Join(below, " or "), ""
	} else if near == "" {
		fix = "use one of its fields: " + strings.Join(names, ", ")
		if len(names) > 12 {
			fix = fmt.Sprintf("use one of its %d fields, such as %s", len(names), strings.Join(names[:12], ", "))
		}
		if len(names) == 0 {
			fix = "remove it"
		}
	}
	return c.problem(ruleUnknownField, place{n.NameAt, n.nameEnd()}, fix, "%s has no field %q%s", owner, n.Name, more)
}

// fieldsBelow returns the paths of the fields of a record whose objects have a field,
// such as value.name in an element of a for_each that may leave some out.
func fieldsBelow(record *types.Type, name string) []string {
	var out []string
	for _, f := range record.Fields {
		if record.Record && f.Type.Kind == types.Object && f.Type.Field(name) != nil {
			out = append(out, fmt.Sprintf("%q", f.Name+"."+name))
		}
	}
	return out
}

// has checks has(x.f).
func (c *checker) has(n *Node) *Term {
	if len(n.Args) != 1 || n.Args[0].Kind != NSelect || n.Args[0].Opt {
		return c.problem(ruleSyntax, place{n.Start, n.End}, "write has(object.field)", "has() takes one field path")
	}
	sel := n.Args[0]
	if d, ok := c.namespaced(sel); ok {
		return c.hasNamed(n, d)
	}
	x := c.check(sel.Args[0], nil)
	if x.Type.Kind == types.Optional {
		return c.hasThrough(n, sel, x)
	}
	f := c.field(sel, x, false)
	switch {
	case invalid(f):
		return poison(n)
	case f.Op == OpIndex:
		return &Term{Op: OpIn, Type: types.BoolType, Args: []*Term{f.Args[1], f.Args[0]}, Start: n.Start, End: n.End}
	}
	return &Term{Op: OpHas, Type: types.BoolType, Name: f.Name, Args: f.Args[:1], Start: n.Start, End: n.End}
}

// hasNamed checks has(http.step.status) and the like.
func (c *checker) hasNamed(n *Node, d *Term) *Term {
	d = unguarded(d)
	switch {
	case invalid(d):
		return poison(n)
	case d.Type.Kind != types.Optional:
		return &Term{Op: OpConst, Type: types.BoolType, Lit: true, Start: n.Start, End: n.End}
	}
	return &Term{Op: OpHasValue, Type: types.BoolType, Args: []*Term{d}, Start: n.Start, End: n.End}
}

// hasThrough checks has(x.f) where x is an optional.
func (c *checker) hasThrough(n, sel *Node, x *Term) *Term {
	f := c.field(sel, x, true)
	if invalid(f) {
		return poison(n)
	}
	return &Term{Op: OpHasValue, Type: types.BoolType, Args: []*Term{f}, Start: n.Start, End: n.End}
}

// index checks x[i] and x[?i].
func (c *checker) index(n *Node) *Term {
	x, i := c.check(n.Args[0], nil), c.value(n.Args[1])
	optional := n.Opt
	typ := x.Type
	if typ.Kind == types.Optional {
		typ, optional = typ.Elem, true
	}
	if invalid(x, i) || typ.Kind == types.Invalid {
		return poison(n)
	}
	if typ.Kind == types.Union {
		if v := typ.Variant(types.List, types.Map); v != nil && x.Type.Kind == types.Union {
			x, typ = &Term{Op: OpNarrow, Type: v, Args: []*Term{x}, Start: x.Start, End: x.End}, v
		}
	}
	if typ.Record {
		if key, ok := i.Lit.(string); ok && i.Op == OpConst {
			return c.withFact(c.recordIndex(n, x, key, optional))
		}
		if m, ok := asMap(x, nil); ok {
			x, typ = m, m.Type
		}
	}
	elem := c.elementOf(n, typ, &i)
	if elem == nil {
		return poison(n)
	}
	if p := noElement(x, i, typ.Kind); p != nil {
		if optional {
			return &Term{Op: OpOptNone, Type: types.OptionalOf(elem), Start: n.Start, End: n.End}
		}
		return c.fail(i, p.Rule, p.Fix, "%s", p.Message)
	}
	if !optional {
		if x = c.exhaustive(x, i); invalid(x) {
			return poison(n)
		}
	}
	t := &Term{Op: OpIndex, Type: elem, Args: []*Term{x, i}, Start: n.Start, End: n.End}
	if optional {
		t.Op, t.Type = OpOptIndex, types.OptionalOf(elem)
		emptyOK(x)
	}
	return c.withFact(t)
}

// exhaustive wants every value of an enum that indexes a constant map among its
// keys. It returns the map, as a literal.
func (c *checker) exhaustive(x, i *Term) *Term {
	m := x
	if x.Op == OpRef && x.Decl.Literal != nil {
		m = x.Decl.Literal
	}
	if m.Op != OpMap || i.Type.Enum == nil {
		return x
	}
	var keys []string
	for k := 0; k < len(m.Args); k += 2 {
		key, ok := m.Args[k].Lit.(string)
		if !ok || m.Args[k].Op != OpConst {
			return x
		}
		keys = append(keys, key)
	}
	for _, v := range i.Type.Enum {
		if !slices.Contains(keys, v) {
			return c.fail(i, ruleNotExhaustive, fmt.Sprintf("add %q to the map, or write [?...]", v), "the map has no %q, which this can be", v)
		}
	}
	return m
}

// IsSwitch reports whether t indexes a literal map with an enum, all of whose
// values are keys: a choice between values and no lookup.
func IsSwitch(t *Term) bool {
	return t.Op == OpIndex && t.Args[0].Op == OpMap && t.Args[0].Type.Key.Kind == types.String && t.Args[1].Type.Enum != nil
}

func (c *checker) recordIndex(n *Node, x *Term, key string, optional bool) *Term {
	sel := &Node{Kind: NSelect, Name: key, NameAt: n.Args[1].Start, Start: n.Start, End: n.End, Opt: n.Opt}
	return c.field(sel, x, optional)
}

// elementOf returns the type of x[i], nil after a problem.
func (c *checker) elementOf(n *Node, typ *types.Type, i **Term) *types.Type {
	switch typ.Kind {
	case types.List:
		if (*i).Type.Kind == types.Int {
			return typ.Elem
		}
		c.fail(*i, RuleWrongType, "write int(...)", "a list is indexed by int, this is %s", (*i).Type)
	case types.Map:
		if k, ok := c.mapKey(*i, typ); ok {
			*i = k
			return typ.Elem
		}
	case types.Dyn:
		if typ.Opaque {
			c.problem(RuleNoType, place{n.Start, n.End}, "read the answer of another operation", "there is nothing to read (%s), so it cannot be indexed", typ.Why)
			return nil
		}
		if k := *i; k.Type.Kind != types.String {
			v, ok := box(k)
			if !ok {
				c.fail(k, RuleWrongType, "write int(...) or string(...)", "an index is int or string, this is %s", k.Type)
				return nil
			}
			*i = v
		}
		return types.DynOf(typ.Why)
	default:
		c.problem(RuleWrongType, place{n.Start, n.End}, "remove the index", "%s cannot be indexed", describe(typ))
	}
	return nil
}

func (c *checker) mapKey(k *Term, m *types.Type) (*Term, bool) {
	if types.Same(k.Type, m.Key) {
		return k, true
	}
	if v, ok := box(k); ok && m.Key.Kind == types.Dyn {
		return v, true
	}
	c.fail(k, RuleWrongType, "", "the keys of this map are %s, this is %s", m.Key, k.Type)
	return k, false
}

// emptyOK lets an absent list or map count as empty where that is what people
// expect: in size, map, filter, all, exists, in and [?i].
func emptyOK(t *Term) {
	if t.Op == OpField && slices.Contains([]types.Kind{types.List, types.Map}, t.Type.Kind) && !isRequired(t) {
		t.EmptyOK = true
	}
}

// isRequired reports whether the schema promises the field that t reads.
func isRequired(t *Term) bool {
	obj := t.Args[0].Type
	if obj.Kind == types.Optional {
		obj = obj.Elem
	}
	f := obj.Field(t.Name)
	return f != nil && f.Required && !f.Nullable
}
