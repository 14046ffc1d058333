package expr

import "github.com/sculpt-tools/sculpt/internal/types"

// Values of unknown type: what a document leaves free-form, the literal null,
// and the elements of literals whose parts have different types. They are read
// by path, compared with ==, and narrowed by int(), double(), string(), bool();
// everything else wants a type.

// Why the type of an expression's own value is unknown.
const (
	whyMixed = "values of different types"
	whyEmpty = "an empty literal"
)

const narrowFix = "narrow it with string(...), int(...), double(...) or bool(...)"

// isFree reports whether a value of type t, or something in it, has no type.
func isFree(t *types.Type) bool {
	switch t.Kind {
	case types.Dyn, types.Null:
		return true
	case types.List, types.Optional:
		return isFree(t.Elem)
	case types.Map:
		return isFree(t.Key) || isFree(t.Elem)
	}
	return false
}

// boxable reports whether a value of type t can be where nothing is known
// of the type: objects of answers cannot, they are pruned to what is read.
func boxable(t *types.Type) bool {
	switch t.Kind {
	case types.Dyn, types.Null:
		return !t.Opaque
	case types.List, types.Optional:
		return boxable(t.Elem)
	case types.Map:
		return boxable(t.Key) && boxable(t.Elem)
	}
	return t.IsScalar()
}

// box makes a value of unknown type of t.
func box(t *Term) (*Term, bool) {
	if t.Type.Record {
		m, ok := asMap(t, nil)
		if !ok {
			return t, false
		}
		t = m
	}
	switch {
	case t.Type.Kind == types.Dyn:
		return t, !t.Type.Opaque
	case !boxable(t.Type):
		return t, false
	}
	return &Term{Op: OpConvert, Type: types.DynOf(whyMixed), Args: []*Term{t}, Start: t.Start, End: t.End}, true
}

// boxAll boxes terms of different types; nil if one of them cannot be.
func boxAll(terms []*Term) []*Term {
	out := make([]*Term, len(terms))
	for i, t := range terms {
		v, ok := box(t)
		if !ok {
			return nil
		}
		out[i] = v
	}
	return out
}

// unifyFree brings null beside a value to an optional, and a value beside one
// of unknown type to the latter.
func unifyFree(a, b **Term) (*types.Type, bool) {
	for range 2 {
		x, y := *a, *b
		switch {
		case x.Type.Kind == types.Null && y.Type.Kind != types.Dyn:
			typ := types.OptionalOf(y.Type)
			*a = &Term{Op: OpOptNone, Type: typ, Start: x.Start, End: x.End}
			if y.Type.Kind != types.Optional {
				*b = &Term{Op: OpOptOf, Type: typ, Args: []*Term{y}, Start: y.Start, End: y.End}
			}
			return typ, true
		case x.Type.Kind == types.Dyn:
			if v, ok := box(y); ok && y.Type.Kind != types.Optional {
				*b = v
				return x.Type, true
			}
		}
		a, b = b, a
	}
	return nil, false
}

// freeField reads a member of a value of unknown type.
func (c *checker) freeField(n *Node, x *Term, typ *types.Type, optional bool) *Term {
	if typ.Opaque {
		return c.problem(RuleNoType, place{n.NameAt, n.nameEnd()}, "read the answer of another operation", "there is nothing to read (%s), so %q cannot be read", typ.Why, n.Name)
	}
	t := &Term{Op: OpField, Name: n.Name, Type: types.DynOf(typ.Why), Args: []*Term{x}, Start: n.Start, End: n.End}
	if optional {
		t.Op, t.Type = OpOptField, types.OptionalOf(t.Type)
	}
	return t
}

// freeNarrowings are the functions that say which type a value has.
var freeNarrowings = map[string]*types.Type{
	"int": types.IntType, "uint": types.UintType, "double": types.DoubleType, "string": types.StringType, "bool": types.BoolType,
}

// freeFunction checks the functions over a value of unknown type; nil means
// that name is none of them.
func (c *checker) freeFunction(n *Node, name string, terms []*Term, member bool) *Term {
	x := terms[0]
	if x.Type.Kind != types.Dyn || x.Type.Opaque || len(terms) != 1 {
		return nil
	}
	if typ := freeNarrowings[name]; typ != nil && !member {
		return &Term{Op: OpNarrow, Type: typ, Args: terms, Start: n.Start, End: n.End}
	}
	if name == "size" {
		return &Term{Op: OpCall, Name: "size(dyn)", Type: types.IntType, Args: terms, Start: n.Start, End: n.End}
	}
	return nil
}

// freeEquality compares two values of which one has no type, or whose type Go
// cannot compare; nil means that this is not a case for it.
func (c *checker) freeEquality(n *Node, l, r *Term) *Term {
	same := types.Same(l.Type, r.Type) && l.Type.Kind != types.Object && l.Type.Kind != types.Union
	if !isFree(l.Type) && !isFree(r.Type) && !same {
		return nil
	}
	a, okA := box(l)
	b, okB := box(r)
	if !okA || !okB {
		return nil
	}
	return &Term{Op: OpBinary, Name: n.Name, Type: types.BoolType, Args: []*Term{a, b}, Start: n.Start, End: n.End}
}

// freeIn checks l in r where nothing is known of one of them; nil means that
// this is not a case for it.
func (c *checker) freeIn(n *Node, l, r *Term) *Term {
	if !isFree(l.Type) && !isFree(r.Type) || l.Type.Kind == types.Optional || r.Type.Kind == types.Optional {
		return nil
	}
	if r.Type.Kind != types.Dyn && r.Type.Kind != types.List && r.Type.Kind != types.Map {
		return nil
	}
	a, okA := box(l)
	b, okB := box(r)
	if !okA || !okB {
		return nil
	}
	return &Term{Op: OpIn, Type: types.BoolType, Args: []*Term{a, b}, Start: n.Start, End: n.End}
}

// isEmptyLiteral reports whether t is [] or {}.
func isEmptyLiteral(t *Term) bool { return (t.Op == OpList || t.Op == OpMap) && len(t.Args) == 0 }
