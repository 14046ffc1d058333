package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// order finds what every step waits for and what runs side by side.
// References in expect are edges of that step; a step with an effect comes
// after everything before it in the manifest, and before everything after it.
func (t *toolResolver) order() {
	edges := map[*ir.Step]map[*ir.Step]*ir.Expr{}
	for i, s := range t.plan.Steps {
		deps := map[*ir.Step]*ir.Expr{}
		for _, e := range stepExprs(s) {
			for _, d := range t.stepsOf(e.Term) {
				if d != s || !isAnswerExpr(s, e) {
					if deps[d] == nil {
						deps[d] = e
					}
				}
			}
		}
		for _, earlier := range t.plan.Steps[:i] {
			if (s.Effect != ir.Read || earlier.Effect != ir.Read) && deps[earlier] == nil {
				deps[earlier] = &ir.Expr{Span: s.Span}
			}
		}
		edges[s] = deps
	}
	if t.cycle(edges) {
		return
	}
	for _, s := range t.plan.Steps {
		for _, d := range t.plan.Steps {
			if edges[s][d] != nil {
				s.After = append(s.After, d)
			}
		}
	}
	t.plan.Regions = regions(t.plan.Steps)
}

// stepExprs returns every expression of a step.
func stepExprs(s *ir.Step) []*ir.Expr {
	var out []*ir.Expr
	add := func(es ...*ir.Expr) {
		for _, e := range es {
			if !isPoisoned(e) {
				out = append(out, e)
			}
		}
	}
	add(s.When)
	if s.Each != nil {
		add(s.Each.Over)
	}
	for _, b := range s.Bindings {
		add(b.Value)
	}
	addBody(s.Body, add)
	for _, e := range s.Expect {
		add(e.Check, e.Message, e.Developer, e.Hint)
	}
	for _, e := range s.Errors {
		add(e.Message, e.Developer, e.Hint)
	}
	return out
}

func addBody(b *ir.Body, add func(...*ir.Expr)) {
	if b == nil {
		return
	}
	add(b.Expr)
	for _, m := range b.Members {
		addBody(m.Value, add)
	}
	for _, i := range b.Items {
		addBody(i, add)
	}
}

// isAnswerExpr reports whether e belongs to an expect of s, which may read the
// answer of s itself.
func isAnswerExpr(s *ir.Step, e *ir.Expr) bool {
	for _, x := range s.Expect {
		if e == x.Check || e == x.Message || e == x.Developer || e == x.Hint {
			return true
		}
	}
	return false
}

// stepsOf returns the steps whose answers a term reads, through lets too, in
// manifest order.
func (t *toolResolver) stepsOf(term *expr.Term) []*ir.Step {
	found := map[*ir.Step]bool{}
	seen := map[*expr.Decl]bool{}
	var visit func(*expr.Term)
	visit = func(term *expr.Term) {
		for _, d := range term.Refs() {
			if s := t.steps[d]; s != nil {
				found[s] = true
			}
			if let := t.lets[d]; let != nil && !seen[d] {
				seen[d] = true
				visit(let.Expr.Term)
			}
		}
	}
	visit(term)
	var out []*ir.Step
	for _, s := range t.plan.Steps {
		if found[s] {
			out = append(out, s)
		}
	}
	return out
}

// cycle reports the first circle of steps, at the reference that goes against
// the order of the manifest.
func (t *toolResolver) cycle(edges map[*ir.Step]map[*ir.Step]*ir.Expr) bool {
	state := map[*ir.Step]int{}
	var path []*ir.Step
	var visit func(*ir.Step) bool
	visit = func(s *ir.Step) bool {
		if state[s] == 1 {
			t.reportCycle(append(path[slices.Index(path, s):], s), edges)
			return true
		}
		if state[s] == 2 {
			return false
		}
		state[s] = 1
		path = append(path, s)
		for _, d := range t.plan.Steps {
			if edges[s][d] != nil && visit(d) {
				return true
			}
		}
		path = path[:len(path)-1]
		state[s] = 2
		return false
	}
	return slices.ContainsFunc(t.plan.Steps, visit)
}

func (t *toolResolver) reportCycle(circle []*ir.Step, edges map[*ir.Step]map[*ir.Step]*ir.Expr) {
	ids := make([]string, len(circle))
	at := circle[0].Span
	for i, s := range circle {
		ids[i] = s.ID
		if i == 0 {
			continue
		}
		from := circle[i-1]
		e := edges[from][s]
		if e.Term == nil || slices.Index(t.plan.Steps, s) < slices.Index(t.plan.Steps, from) {
			continue
		}
		if given := t.given(e.Term, s, map[*ir.Let]bool{}); given != nil {
			t.errorf("cycle", t.refSpan(given.Expr, s), "give the flow something else", "the flow would be given what it gives")
			return
		}
		at = t.refSpan(e, s)
	}
	t.errorf("cycle", at, "use the answer of an earlier step", "the steps wait for each other in a circle: %s", strings.Join(ids, " -> "))
}

// given is what goes into a flow on the way from a term to a step, nil if
// nothing does.
func (t *toolResolver) given(term *expr.Term, s *ir.Step, seen map[*ir.Let]bool) *ir.Let {
	for _, d := range term.Refs() {
		let := t.lets[d]
		if let == nil || seen[let] || !slices.Contains(t.stepsOf(let.Expr.Term), s) {
			continue
		}
		seen[let] = true
		if strings.HasPrefix(d.Name, "input.") {
			return let
		}
		if found := t.given(let.Expr.Term, s, seen); found != nil {
			return found
		}
	}
	return nil
}

// refSpan is the place in e of the name that leads to step s.
func (t *toolResolver) refSpan(e *ir.Expr, s *ir.Step) diag.Span {
	out := span(e)
	e.Term.Walk(func(term *expr.Term) bool {
		if term.Op == expr.OpRef && slices.Contains(t.stepsOf(term), s) {
			out = placeOf(e, term)
		}
		return true
	})
	return out
}
