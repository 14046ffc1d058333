package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A sent value is what is known before a call of a value that it will send.
type sent struct {
	what string
	at   diag.Span
	// kind is Object or List for what the manifest writes out, else that of typ.
	kind types.Kind
	typ  *types.Type
	// values are all that a plain value may be, nil where nobody knows.
	values  []any
	members []sentMember
	// elems are the elements of a list if it is counted, else one stands for all; so it
	// does for a map.
	elems   []*sent
	counted bool
	// missing values may be left out.
	missing bool
	// under are the assertions that it is compared with: those that hold themselves say
	// nothing more.
	under []*operation.Assertions
	// fits are known already: variants share what is in them.
	fits map[*operation.Assertions]fit
}

type sentMember struct {
	name  string
	at    diag.Span
	value *sent
}

// deepestSent bounds types that hold themselves.
const deepestSent = 12

// sentOf describes a node of a body that is resolved already.
func (t *toolResolver) sentOf(n manifest.Node, b *ir.Body, what string) *sent {
	out := &sent{what: what, at: n.Span, kind: types.Object}
	switch {
	case b.IsNull:
		out.kind = types.Null
	case b.Expr != nil:
		return t.sentTerm(b.Expr, b.Expr.Term, what, 0)
	case b.IsList:
		out.kind, out.counted = types.List, true
		for i, item := range b.Items {
			out.elems = append(out.elems, t.sentOf(n.Items[i], item, what+" element"))
		}
	default:
		for i, m := range b.Members {
			at := n.Members[i]
			out.members = append(out.members, sentMember{m.Name, at.Key.Span, t.sentOf(at.Value, m.Value, "member "+m.Name)})
		}
	}
	return out
}

// sentTerm describes the value of a part of an expression.
func (t *toolResolver) sentTerm(e *ir.Expr, term *expr.Term, what string, depth int) *sent {
	switch {
	case term.Op == expr.OpRef && term.Decl.Literal != nil:
		term = &expr.Term{Op: term.Decl.Literal.Op, Type: term.Type, Lit: term.Decl.Literal.Lit, Args: term.Decl.Literal.Args, Start: term.Start, End: term.End}
	case depth > deepestSent:
		return &sent{what: what, at: span(e)}
	}
	out := t.sentType(term.Type, what, 0)
	out.at = placeOf(e, term)
	switch {
	case term.Op == expr.OpRecord:
		for i, f := range term.Type.Fields {
			value := t.sentTerm(e, term.Args[i], "member "+f.Name, depth+1)
			value.missing = value.missing || f.Optional
			out.members[i] = sentMember{f.Name, value.at, value}
		}
	case term.Op == expr.OpList && !slices.Contains(term.Opts, true):
		out.elems, out.counted = nil, true
		for _, x := range term.Args {
			out.elems = append(out.elems, t.sentTerm(e, x, what+" element", depth+1))
		}
	default:
		if values, ok := t.outcomesOf(term, depth); ok {
			out.values = values
		}
	}
	out.place(out.at)
	return out
}

// place gives what is known by its type alone the place of the expression.
func (v *sent) place(at diag.Span) {
	if v.at.IsZero() {
		v.at = at
	}
	for i := range v.members {
		if v.members[i].at.IsZero() {
			v.members[i].at = at
		}
		v.members[i].value.place(at)
	}
	for _, e := range v.elems {
		e.place(at)
	}
}

// outcomesOf are the constants that a term may turn out to be, if it is one of them
// always.
func (t *toolResolver) outcomesOf(term *expr.Term, depth int) ([]any, bool) {
	switch {
	case depth > deepestSent:
	case term.Op == expr.OpConst:
		return []any{plainNumber(term.Lit)}, true
	case term.Op == expr.OpConvert && len(term.Args) == 1 && term.Args[0].Type.Kind == types.Int && term.Type.Kind == types.Double:
		return t.outcomesOf(term.Args[0], depth+1)
	case term.Op == expr.OpRef && term.Decl.Literal != nil:
		return t.outcomesOf(term.Decl.Literal, depth+1)
	case term.Op == expr.OpRef && t.lets[term.Decl] != nil && !isPoisoned(t.lets[term.Decl].Expr):
		return t.outcomesOf(t.lets[term.Decl].Expr.Term, depth+1)
	case term.Op == expr.OpCond:
		a, all := t.outcomesOf(term.Args[1], depth+1)
		b, too := t.outcomesOf(term.Args[2], depth+1)
		return append(a, b...), all && too
	case term.Type.Kind == types.String && term.Type.Enum != nil:
		return t.sentType(term.Type, "", 0).values, true
	}
	return nil, false
}

func plainNumber(v any) any {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	return v
}

// sentType describes a value of a type.
func (t *toolResolver) sentType(typ *types.Type, what string, depth int) *sent {
	if typ.Kind == types.Optional {
		out := t.sentType(typ.Elem, what, depth)
		out.missing = true
		return out
	}
	out := &sent{what: what, kind: typ.Kind, typ: typ}
	for _, v := range typ.Enum {
		out.values = append(out.values, v)
	}
	if depth > deepestSent {
		out.kind = types.Invalid
		return out
	}
	for _, f := range typ.Fields {
		value := t.sentType(f.Type, "member "+f.Name, depth+1)
		value.missing = value.missing || f.Optional || !typ.Record && !f.Required
		out.members = append(out.members, sentMember{name: f.Name, value: value})
	}
	if typ.Kind == types.List || typ.Kind == types.Map {
		elem := t.sentType(typ.Elem, what+" element", depth+1)
		elem.missing = elem.missing || typ.NullableElem
		out.elems = []*sent{elem}
	}
	return out
}
