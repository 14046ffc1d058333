package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// mostNested is how many lists may multiply in one expression. Two of a few
// thousand elements take milliseconds, which finding an element by its id in another list
// needs; three take hours.
const mostNested = 2

// nestedLoops warns of loops inside loops over lists that nothing bounds. A list in
// the element of the loop around it is a part of that one, and multiplies nothing.
func (t *toolResolver) nestedLoops(e *ir.Expr) {
	t.loopsIn(e, e.Term, nil, 0)
}

// loopsIn looks into a term within as many loops as depth says; own is the
// variable of the innermost one. It reports whether it warned.
func (t *toolResolver) loopsIn(e *ir.Expr, x *expr.Term, own *expr.Decl, depth int) bool {
	if x == nil {
		return false
	}
	over := goneOver(x)
	multiplied := over != nil && t.multiplies(over, own)
	if multiplied && depth == mostNested {
		t.warnf(ruleNestedLoops, placeOf(e, x), "bound one of the lists with take(n)",
			"for each pair of elements of two lists this goes over a third one")
		return true
	}
	for _, arg := range x.Args {
		if t.loopsIn(e, arg, own, depth) {
			return true
		}
	}
	if over == nil || x.Op == expr.OpIn {
		return t.loopsIn(e, x.Body, own, depth) || t.loopsIn(e, x.Body2, own, depth)
	}
	if multiplied {
		depth++
	}
	if own = x.Var; x.Var2 != nil && over.Type.Kind == types.List {
		own = x.Var2
	}
	return t.loopsIn(e, x.Body, own, depth) || t.loopsIn(e, x.Body2, own, depth)
}

// goneOver is the list or map that a term goes over by itself, nil for none.
func goneOver(x *expr.Term) *expr.Term {
	switch x.Op {
	case expr.OpAll, expr.OpExists, expr.OpExistsOne, expr.OpFilter, expr.OpTransform, expr.OpTransformMap, expr.OpSortBy:
		return x.Args[0]
	case expr.OpIn:
		if x.Args[1].Type.Kind == types.List {
			return x.Args[1]
		}
	}
	return nil
}

// multiplies reports whether a list may be long and is no part of the element own.
func (t *toolResolver) multiplies(list *expr.Term, own *expr.Decl) bool {
	if limits := list.Type.Limits; limits != nil && limits.MaxItems != nil {
		return false
	}
	switch list.Op {
	case expr.OpList, expr.OpMap:
		return false
	case expr.OpCall:
		if list.Name == "list.take" || list.Name == "list.slice" {
			return false
		}
	case expr.OpFilter, expr.OpTransform, expr.OpSortBy, expr.OpOrValue, expr.OpOrOpt:
		return t.multiplies(list.Args[0], own)
	case expr.OpRef:
		if let := t.lets[list.Decl]; let != nil {
			return t.multiplies(let.Expr.Term, nil)
		}
		return list.Decl.Role != expr.RoleConst && list.Decl != own
	}
	return own == nil || !slices.Contains(list.Refs(), own)
}
