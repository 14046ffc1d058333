package resolve

import (
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// stepValues checks what every step sends, expects and says about errors.
func (t *toolResolver) stepValues() {
	for i, m := range t.m.Steps {
		s := t.own[i]
		if s == nil {
			t.bindFlow(t.uses[i], m)
			continue
		}
		t.within = t.guarded(s)
		t.each(s, m)
		t.cache(s, m)
		if s.Op != nil {
			var when *expr.Term
			if !isPoisoned(s.When) {
				when = s.When.Term
			}
			t.behind(when, func() {
				t.bindings(s, m)
				t.body(s, m)
			})
			t.pageBegins(s, m)
		} else {
			t.unboundValues(m)
		}
		for _, e := range m.Errors {
			if c := t.errorCase(e); c != nil {
				s.Errors = append(s.Errors, c)
			}
		}
		t.within = t.guarded(s).Assume(expr.Present(s.Decl))
		for _, e := range m.Expect {
			s.Expect = append(s.Expect, &ir.Expect{Check: t.bare(e.Check, t.within, types.BoolType), Failure: t.failure(e.Failure)})
		}
	}
	t.within = t.scope
}

// guarded is the scope of what happens under the condition of a step.
func (t *toolResolver) guarded(s *ir.Step) *expr.Scope {
	if isPoisoned(s.When) {
		return expr.NewScope(t.scope)
	}
	return t.scope.Assume(expr.Facts(s.When.Term, true)...)
}

// each checks for_each and max, and declares what they give to the call.
func (t *toolResolver) each(s *ir.Step, m *manifest.Step) {
	if !m.ForEach.IsSet() {
		if m.Max.IsSet() {
			t.errorf(manifest.RuleMissingKey, m.Max.Span, "remove max:, or add for_each:", "max: bounds the calls of for_each:, which is not there")
		}
		return
	}
	each := &ir.Each{Over: t.over[s], Pair: t.pairs[s]}
	each.Item = &expr.Decl{Name: "item", Role: expr.RoleVar}
	if each.Pair != nil {
		each.Item.Type = each.Pair.Fields[0].Type
	} else {
		each.Over = t.bare(m.ForEach, t.within, nil)
		each.Item.Type = t.elementOf(each.Over)
	}
	each.Index = &expr.Decl{Name: "index", Role: expr.RoleVar, Type: types.IntType}
	t.within = expr.NewScope(t.within)
	t.within.Declare(each.Item)
	t.within.Declare(each.Index)
	if !m.Max.IsSet() {
		t.errorf(manifest.RuleMissingKey, m.ForEach.Span, "add max: with the most calls that are worth it", "for_each: needs max:, since nobody knows how long a list gets")
	}
	n, _ := parseInt(m.Max.Value)
	each.Max = int(n)
	s.Each = each
}

// cache checks that an answer may be used again at all.
func (t *toolResolver) cache(s *ir.Step, m *manifest.Step) {
	s.Cache = t.durationUpTo(m.Cache, 24)
	if m.Cache.IsSet() && s.Op != nil && s.Effect != ir.Read {
		t.errorf(ruleWrongEffect, m.Cache.Span, "remove cache:", "the call changes something (%s), so it has to be made every time", s.Op.Method)
	}
}

// elementOf returns the type of the elements that for_each runs over.
func (t *toolResolver) elementOf(over *ir.Expr) *types.Type {
	if isPoisoned(over) {
		return types.InvalidType
	}
	typ := over.Term.Type
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	if typ.Kind == types.List && !typ.NullableElem {
		return typ.Elem
	}
	fix, why := "write an expression that gives a list", "for_each: wants a list, this is %s"
	if typ.Kind == types.List {
		fix, why = "leave the missing ones out: map(x, x != null, ...)", "for_each: wants a list whose elements are all there, this is %s"
	}
	t.errorf(expr.RuleWrongType, span(over), fix, why, typ)
	return types.InvalidType
}

// unboundValues checks the expressions of a step whose operation is unknown.
func (t *toolResolver) unboundValues(m *manifest.Step) {
	for _, p := range m.With {
		if p.Value.Kind == manifest.ScalarNode {
			t.value(p.Value.Scalar, t.within, nil)
		}
	}
}
