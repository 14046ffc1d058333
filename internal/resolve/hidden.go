package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// hiddenValues follows what callers' models must not see and what one service
// must not learn of another: values of the caller and of the configuration.
func (t *toolResolver) hiddenValues() {
	for _, o := range t.plan.Outputs {
		t.stays(o.Expr, "output "+o.Name)
	}
	for _, s := range t.plan.Steps {
		for _, e := range s.Expect {
			t.failureStays(&e.Failure)
		}
		for _, e := range s.Errors {
			t.failureStays(&e.Failure)
		}
		for _, e := range s.Sent() {
			t.crosses(s, e)
		}
	}
}

func (t *toolResolver) failureStays(f *ir.Failure) {
	t.stays(f.Message, "a message")
	t.stays(f.Hint, "a hint")
	t.stays(f.Developer, "a message")
}

// stays refuses hidden values in what leaves the tool.
func (t *toolResolver) stays(e *ir.Expr, what string) {
	if e == nil {
		return
	}
	at, found := t.hiddenAt(e)
	if len(found) == 0 {
		return
	}
	rule := ruleCallerValueLeaves
	if found[0].role == expr.RoleEnv {
		rule = ruleEnvValueLeaves
	}
	t.errorf(rule, at, "bind it to a parameter only", "%s would show %s", what, found[0].name)
}

// crosses refuses a secret of one api in a call of another. An environment
// variable belongs to the apis that use it for headers and credentials, or
// else, like a secret of the caller, to the first that a step sends it to.
func (t *toolResolver) crosses(s *ir.Step, e *ir.Expr) {
	if e == nil || s.API == "" {
		return
	}
	at, found := t.hiddenAt(e)
	for _, h := range found {
		if !h.secret {
			continue // who the caller is may be told to every service
		}
		homes := t.homes[h.name]
		if homes == nil {
			t.homes[h.name] = []string{s.API}
			continue
		}
		if !slices.Contains(homes, s.API) {
			t.errorf(ruleSecretCrossesAPIs, at, "declare another variable for this api", "%s belongs to api %s, and would be sent to api %s", h.name, homes[0], s.API)
		}
	}
}

// A hidden value is a name after env. or caller.
type hidden struct {
	name   string
	role   expr.Role
	secret bool
}

// hiddenAt returns the hidden values that an expression reads, and the place of
// the name that leads to the first.
func (t *toolResolver) hiddenAt(e *ir.Expr) (diag.Span, []hidden) {
	found, at := t.hiddenIn(e.Term), e.Term
	e.Term.Walk(func(x *expr.Term) bool {
		if at == e.Term && x.Op == expr.OpRef && len(t.hiddenIn(x)) > 0 {
			at = x
		}
		return true
	})
	return placeOf(e, at), found
}

// hiddenIn returns the hidden values that a term reads, through lets too, and
// through the lists that calls of for_each are made for.
func (t *toolResolver) hiddenIn(term *expr.Term) []hidden {
	var out []hidden
	seen := map[*ir.Let]bool{}
	var visit func(*expr.Term)
	visit = func(term *expr.Term) {
		term.Walk(func(x *expr.Term) bool {
			switch {
			case x.Op == expr.OpField && x.Name == "item":
				for _, s := range t.pairedBy(x.Args[0].Type) {
					visit(s.Each.Over.Term)
				}
			case x.Op != expr.OpRef:
			case t.itemOf(x.Decl) != nil:
				visit(t.itemOf(x.Decl).Each.Over.Term)
			case x.Decl.Role == expr.RoleEnv, x.Decl.Role == expr.RoleCaller:
				h := hidden{name: x.Decl.Name, role: x.Decl.Role, secret: x.Decl.Secret}
				if text, ok := x.Lit.(string); ok {
					h.name += `("` + text + `")`
				}
				out = append(out, h)
			case t.lets[x.Decl] != nil && !seen[t.lets[x.Decl]]:
				seen[t.lets[x.Decl]] = true
				visit(t.lets[x.Decl].Expr.Term)
			}
			return true
		})
	}
	visit(term)
	for _, s := range t.plan.Steps { // elements that are passed on whole
		if s.Each != nil && s.Each.Pair != nil && holds(term.Type, s.Each.Pair) {
			visit(s.Each.Over.Term)
		}
	}
	return out
}

// itemOf is the step in whose calls a name is the element.
func (t *toolResolver) itemOf(d *expr.Decl) *ir.Step {
	for _, s := range t.plan.Steps {
		if s.Each != nil && s.Each.Item == d && !isPoisoned(s.Each.Over) {
			return s
		}
	}
	return nil
}

// pairedBy are the steps whose elements may be of a type {item, value}: the one that
// it is the type of, and all where a choice has made one type of two.
func (t *toolResolver) pairedBy(typ *types.Type) []*ir.Step {
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	var all []*ir.Step
	for _, s := range t.plan.Steps {
		if s.Each == nil || s.Each.Pair == nil || isPoisoned(s.Each.Over) {
			continue
		}
		if s.Each.Pair == typ {
			return []*ir.Step{s}
		}
		if types.Same(s.Each.Pair, typ) {
			all = append(all, s)
		}
	}
	return all
}

// holds reports whether a type has another one in it.
func holds(t, other *types.Type) bool {
	switch {
	case t == other || t.Record && types.Same(t, other):
		return true
	case t.Kind == types.List, t.Kind == types.Map, t.Kind == types.Optional:
		return holds(t.Elem, other)
	case t.Record:
		return slices.ContainsFunc(t.Fields, func(f *types.Field) bool { return holds(f.Type, other) })
	}
	return false
}

// homesOf lists the apis that use an environment variable for headers and
// credentials.
func homesOf(apis []*ir.API) map[string][]string {
	out := map[string][]string{}
	for _, a := range apis {
		var names []string
		for _, h := range a.Headers {
			for _, part := range h.Parts {
				names = append(names, part.Env)
			}
		}
		for _, c := range a.Credentials {
			names = append(names, c.Env)
		}
		for _, name := range names {
			if name != "" && !slices.Contains(out["env."+name], a.Name) {
				out["env."+name] = append(out["env."+name], a.Name)
			}
		}
	}
	return out
}
