package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// collect resolves how the pages of a list are put together, before other
// expressions: they see the list of the items. So its own expressions read the
// page, its status and header, inputs and constants, and no other step.
func (t *toolResolver) collect(s *ir.Step, m *manifest.Step) {
	c := m.Collect
	if c == nil {
		return
	}
	out := &ir.Collect{Partial: c.Partial.Value == "true"}
	n, _ := parseInt(c.Max.Value)
	out.Max = int(n)
	out.Page = &expr.Decl{Name: s.Decl.Name, Role: expr.RoleStep, Type: s.Answer, Value: s}
	if s.Answer == nil {
		out.Page.Type = types.InvalidType
	}
	t.steps[out.Page] = s
	scope := t.ofAnswer(out.Page)
	out.Items = t.pageItems(c, scope, out.Page)
	if c.Until.IsSet() {
		out.Until = t.bare(c.Until, scope, types.BoolType)
	}
	if c.Next.IsSet() {
		out.Next = t.nextPage(c, scope, out.Page.Name)
	}
	s.Collect = out
	if s.Op == nil {
		return
	}
	if m.ForEach.IsSet() {
		t.errorf(ruleWrongCollect, c.Span, "move one of them into a step of its own", "a step has for_each: or collect:, not both")
	}
	if s.Effect != ir.Read {
		t.errorf(ruleWrongEffect, c.Span, "add effect: read with because:, if the call only reads", "collect: makes the call for every page, and %s changes something", s.Op.Method)
	}
	t.pagingBy(s, c)
}

// ofAnswer is the scope of expressions that read one answer of a step that makes
// several calls.
func (t *toolResolver) ofAnswer(answer *expr.Decl) *expr.Scope {
	scope := expr.NewScope(t.resolver.scope).Assume(expr.Present(answer.Value.(*ir.Step).Decl))
	scope.Declare(answer)
	for _, name := range t.scope.Names() {
		if name == "input" || strings.HasPrefix(name, "input.") || strings.HasPrefix(name, "http."+answer.Name+".") {
			scope.Declare(t.scope.Lookup(name))
		}
	}
	return scope
}

// pageItems checks the list of the items of a page.
func (t *toolResolver) pageItems(c *manifest.Collect, scope *expr.Scope, page *expr.Decl) *ir.Expr {
	items := t.bare(c.Items, scope, nil)
	if isPoisoned(items) {
		return items
	}
	typ := items.Term.Type
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	counted := c.Page.IsSet() || c.Offset.IsSet()
	switch {
	case typ.Kind != types.List:
		t.errorf(expr.RuleWrongType, span(items), "write an expression that gives a list", "items: wants the list of the items of a page, this is %s", items.Term.Type)
	case !slices.Contains(items.Term.Refs(), page):
		t.errorf(ruleWrongCollect, span(items), "write "+page.Name+". and the member that is the list", "items: reads nothing of the page, which is called %s here", page.Name)
	case counted && !isWhole(items.Term):
		t.errorf(ruleWrongCollect, span(items), "leave out what is not wanted where the step is read", "the items of a page are counted here, so items: is its whole list")
	default:
		return items
	}
	items.Term = poisoned(c.Items)
	return items
}

// isWhole reports whether a list has an element for each of the list that an
// answer has.
func isWhole(x *expr.Term) bool {
	switch x.Op {
	case expr.OpRef, expr.OpField, expr.OpOptField, expr.OpNarrow:
		return true
	case expr.OpPresent, expr.OpOrValue:
		return isWhole(x.Args[0])
	case expr.OpTransform:
		return x.Body2 == nil && isWhole(x.Args[0])
	}
	return false
}

// nextPage checks what leads to the next page. It may be missing, on the last
// page: its path is read as one that says so.
func (t *toolResolver) nextPage(c *manifest.Collect, scope *expr.Scope, page string) *ir.Expr {
	next := t.bareWith(c.Next, scope, nil, func(n *expr.Node) { soften(n, page) })
	if isPoisoned(next) {
		return next
	}
	typ := next.Term.Type
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	switch {
	case typ.Kind == types.String, c.Parameter.IsSet() && (typ.Kind == types.Int || typ.Kind == types.Timestamp):
	case c.Parameter.IsSet():
		t.errorf(expr.RuleWrongType, span(next), "write string(...)", "next: wants a text or an int for the parameter, this is %s", next.Term.Type)
	default:
		t.errorf(expr.RuleWrongType, span(next), "add parameter: with the one that gets it", "next: wants the address of the next page, this is %s", next.Term.Type)
	}
	return next
}

// soften makes the fields that a path ends in optional, if it begins with a name.
func soften(n *expr.Node, name string) {
	root := n
	for root.Kind == expr.NSelect || root.Kind == expr.NIndex || root.Kind == expr.NCall && root.Member {
		root = root.Args[0]
	}
	if root.Kind != expr.NName || root.Name != name {
		return
	}
	for ; n.Kind == expr.NSelect; n = n.Args[0] {
		n.Opt = true
	}
}

// pagingBy finds out how the next page is asked for.
func (t *toolResolver) pagingBy(s *ir.Step, c *manifest.Collect) {
	var said []string
	parameter := c.Parameter
	for _, way := range []struct {
		by    ir.PagingBy
		value manifest.Scalar
	}{{ir.ByNext, c.Next}, {ir.ByLink, c.Link}, {ir.ByPage, c.Page}, {ir.ByOffset, c.Offset}} {
		if !way.value.IsSet() || way.value.Value == "false" {
			continue
		}
		said = append(said, string(way.by)+":")
		s.Collect.By = way.by
		if way.by == ir.ByPage || way.by == ir.ByOffset {
			parameter = way.value
		}
	}
	switch {
	case len(said) == 0:
		t.errorf(ruleWrongCollect, c.Span, "add next: with the address, link: true, page: or offset: with the parameter", "collect: does not say how the next page is asked for")
		return
	case len(said) > 1:
		t.errorf(ruleWrongCollect, c.Span, "leave one of them", "the next page is asked for in one way, not by %s", strings.Join(said, " and "))
		return
	case c.Parameter.IsSet() && s.Collect.By != ir.ByNext:
		t.errorf(ruleWrongCollect, c.Parameter.Span, "remove it", "parameter: belongs to next:, which gives its value")
		return
	case !parameter.IsSet():
		return
	}
	param, why := findParam(s.Op, parameter.Value)
	_, fix := nearParams(s.Op, parameter.Value)
	switch {
	case param == nil:
		t.errorf(ruleUnknownParameter, parameter.Span, fix, "%s", why)
	case param.In != operation.Query || param.Type != nil && !param.Type.IsScalar() && param.Type.Kind != types.Dyn:
		t.errorf(manifest.RuleNotSupportedYet, parameter.Span, "use one of the query with a single value", "pages that are asked for by the %s parameter %s of type %s are not supported yet", param.In, param.Name, param.Type)
	case !t.cannotBind(s, parameter, param):
		s.Collect.Parameter = param.Name
	}
}

// isPaging reports whether a parameter changes from page to page.
func isPaging(c *manifest.Collect, p *operation.Param) bool {
	names := []string{c.Parameter.Value, c.Page.Value, c.Offset.Value}
	return p.In == operation.Query && (slices.Contains(names, p.Name) || slices.Contains(names, "query."+p.Name))
}

// pageBegins wants the number of the first page, which is 0 or 1: nobody knows.
func (t *toolResolver) pageBegins(s *ir.Step, m *manifest.Step) {
	c := s.Collect
	if c == nil || c.By != ir.ByPage || c.Parameter == "" {
		return
	}
	for _, b := range s.Bindings {
		counts := b.Param.In == operation.Query && b.Param.Name == c.Parameter
		if counts && (b.Value == nil && b.Reason != "" || b.Value != nil && b.Value.Term.Type.Kind == types.Optional) {
			t.errorf(ruleWrongCollect, m.Collect.Page.Span, fmt.Sprintf("add %s: 1 under with:, or the number that the first page has", c.Parameter), "nothing says what number the first page has")
		}
	}
}
