package resolve

import (
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

func (r *resolver) constants() []*ir.Constant {
	var out []*ir.Constant
	for _, c := range r.m.Constants {
		v, t := r.constantNode(c.Value)
		k := &ir.Constant{Name: c.Key.Value, Type: t, Value: v}
		k.Decl = &expr.Decl{Name: k.Name, Role: expr.RoleConst, Type: t, Value: k, Literal: k.Literal()}
		r.declare(r.scope, k.Decl, c.Key)
		out = append(out, k)
	}
	return out
}

// declare adds a name to a scope, or reports why it cannot be used and whether
// it was added all the same.
func (r *resolver) declare(scope *expr.Scope, d *expr.Decl, name manifest.Scalar) bool {
	ok := r.free(scope, d.Name, name)
	if ok {
		scope.Declare(d)
	}
	return ok
}

// free reports a name that cannot be used, and whether it can be declared all
// the same, so that its uses are not reported as well.
func (r *resolver) free(scope *expr.Scope, word string, name manifest.Scalar) bool {
	switch {
	case expr.IsReserved(word) || word == "input" || isScopeWord(word):
		r.errorf(ruleReservedName, name.Span, "use another name", "%q is a word of the expression language", word)
		return scope.Lookup(word) == nil
	case scope.Lookup(word) != nil || scope.Lookup(word+".") != nil:
		r.errorf(ruleDuplicateName, name.Span, "use another name", "the name %q is taken: steps, lets and constants share one namespace", word)
		return false
	}
	return true
}

func isScopeWord(name string) bool {
	switch name {
	case "http", "env", "call", "caller", "item", "index", "math", "lists", "base64", "optional", "cel":
		return true
	}
	return false
}

// constantNode types a literal: lists and maps must hold one type.
func (r *resolver) constantNode(n manifest.Node) (any, *types.Type) {
	switch n.Kind {
	case manifest.ListNode:
		values, typ := []any{}, types.InvalidType
		for _, item := range n.Items {
			values, typ = r.sameConstant(values, typ, item)
		}
		if len(values) == 0 {
			typ = types.DynOf("an empty list")
		}
		return values, types.ListOf(typ)
	case manifest.MapNode:
		m, typ := ir.Map{}, types.InvalidType
		for _, p := range n.Members {
			m.Keys = append(m.Keys, p.Key.Value)
			m.Values, typ = r.sameConstant(m.Values, typ, p.Value)
		}
		if len(m.Keys) == 0 {
			typ = types.DynOf("an empty map")
		}
		return m, types.MapOf(types.StringType, typ)
	}
	v, t := constant(n.Scalar)
	if t.Kind == types.Null {
		r.errorf(expr.RuleWrongType, n.Span, "remove it", "a constant cannot be null")
		return nil, types.InvalidType
	}
	return v, t
}

func (r *resolver) sameConstant(values []any, typ *types.Type, n manifest.Node) ([]any, *types.Type) {
	v, t := r.constantNode(n)
	if i, ok := v.(int64); ok && typ.Kind == types.Double {
		v, t = float64(i), types.DoubleType
	}
	switch {
	case typ.Kind == types.Invalid:
		typ = t
	case typ.Kind == types.Int && t.Kind == types.Double:
		for i, earlier := range values {
			if whole, ok := earlier.(int64); ok { // what is wrong stays as it is
				values[i] = float64(whole)
			}
		}
		typ = t
	}
	if t.Kind != types.Invalid && !types.Same(t, typ) {
		r.errorf(expr.RuleWrongType, n.Span, "give all entries one type", "the entries of a constant have one type: this is %s, the first is %s", t, typ)
	}
	return append(values, v), typ
}
