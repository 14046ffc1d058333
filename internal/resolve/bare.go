package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// bareElements makes the elements {item, value} of a for_each their answers alone
// where nothing reads more of them: what is generated then holds no more.
func (t *toolResolver) bareElements(before int) {
	if t.findings[before:].HasErrors() {
		return
	}
	for _, s := range t.plan.Steps {
		if s.Each == nil || s.Each.Pair == nil || t.wholePairs(s.Each.Pair) {
			continue
		}
		b := &baring{pair: s.Each.Pair, terms: map[*expr.Term]bool{}}
		for _, e := range t.plan.Exprs() {
			b.term(e.Term)
		}
		for d := range t.steps {
			d.Type = b.bare(d.Type)
		}
		for d := range t.lets {
			d.Type = b.bare(d.Type)
		}
	}
	for _, s := range t.plan.Steps {
		if s.Each != nil && s.Each.Pair != nil && s.Decl.Type != nil && !holds(s.Decl.Type, s.Each.Pair) {
			s.Each.Pair = nil
		}
	}
}

func isPair(t, pair *types.Type) bool {
	if t.Kind == types.Optional {
		t = t.Elem
	}
	return t.Record && types.Same(t, pair)
}

// wholePairs reports whether expressions of the tool read the item of an element, or
// pass one on: in a record, to a function, to a call or out of the tool.
func (t *toolResolver) wholePairs(pair *types.Type) bool {
	found := false
	leaves := func(e *ir.Expr) { found = found || e != nil && holds(e.Term.Type, pair) }
	for _, o := range t.plan.Outputs {
		leaves(o.Expr)
	}
	for _, s := range t.plan.Steps {
		for _, e := range s.Sent() {
			leaves(e)
		}
		if s.Each != nil {
			leaves(s.Each.Over)
		}
	}
	for _, e := range t.plan.Exprs() {
		e.Term.Walk(func(x *expr.Term) bool {
			found = found || readsWhole(x, pair)
			return !found
		})
	}
	return found
}

func readsWhole(x *expr.Term, pair *types.Type) bool {
	switch x.Op {
	case expr.OpField, expr.OpOptField, expr.OpHas:
		return x.Name != "value" && isPair(x.Args[0].Type, pair)
	case expr.OpRecord, expr.OpMap, expr.OpList, expr.OpCall, expr.OpBinary, expr.OpConvert, expr.OpIn, expr.OpTransformMap:
		if holds(x.Type, pair) && x.Type.Kind != types.List && !isPair(x.Type, pair) || x.Op == expr.OpRecord && isPair(x.Type, pair) {
			return true
		}
		return slices.ContainsFunc(x.Args, func(a *expr.Term) bool { return isPair(a.Type, pair) })
	}
	return false
}

// A baring rewrites the terms of a tool, each once, so that a pair is its answer.
type baring struct {
	pair  *types.Type
	terms map[*expr.Term]bool
}

func (b *baring) term(x *expr.Term) {
	if x == nil || b.terms[x] {
		return
	}
	b.terms[x] = true
	below := len(x.Args) > 0 && isPair(x.Args[0].Type, b.pair)
	for _, a := range x.Args {
		b.term(a)
	}
	b.term(x.Body)
	b.term(x.Body2)
	x.Type = b.bare(x.Type)
	for _, v := range []*expr.Decl{x.Var, x.Var2} {
		if v != nil {
			v.Type = b.bare(v.Type)
		}
	}
	if !below {
		return
	}
	switch answer := x.Args[0]; {
	case x.Op == expr.OpHas:
		*x = expr.Term{Op: expr.OpConst, Type: types.BoolType, Lit: true, Start: x.Start, End: x.End}
	case x.Op == expr.OpField, x.Op == expr.OpOptField && answer.Type.Kind == types.Optional:
		*x = *answer
	case x.Op == expr.OpOptField:
		*x = expr.Term{Op: expr.OpOptOf, Type: x.Type, Args: []*expr.Term{answer}, Start: x.Start, End: x.End}
	}
}

// bare is a type with the answer for the pair.
func (b *baring) bare(t *types.Type) *types.Type {
	switch {
	case t == nil:
		return nil
	case t.Record && types.Same(t, b.pair):
		return b.pair.Field("value").Type
	case t.Kind == types.List, t.Kind == types.Optional:
		if elem := b.bare(t.Elem); elem != t.Elem {
			out := *t
			out.Elem = elem
			return &out
		}
	}
	return t
}
