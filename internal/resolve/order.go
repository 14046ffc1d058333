package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// order finds what every step waits for and what runs side by side. What an
// expect reads comes before its step, unless the check can be made where both
// answers are there; a step with an effect comes after everything before it in
// the manifest, and before everything after it.
func (t *toolResolver) order() {
	edges := map[*ir.Step]map[*ir.Step]*ir.Expr{}
	for i, s := range t.plan.Steps {
		deps := t.waitsFor(s, s.Exprs())
		for _, earlier := range t.plan.Steps[:i] {
			if (s.Effect != ir.Read || earlier.Effect != ir.Read) && deps[earlier] == nil {
				deps[earlier] = &ir.Expr{Span: s.Span}
			}
		}
		edges[s] = deps
	}
	t.loosen(edges)
	if *t.inCircle || t.cycle(edges) {
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

// waitsFor are the steps whose answers expressions of s read, each with the first
// that does.
func (t *toolResolver) waitsFor(s *ir.Step, of []*ir.Expr) map[*ir.Step]*ir.Expr {
	deps := map[*ir.Step]*ir.Expr{}
	own := answered(s)
	for _, e := range of {
		if isPoisoned(e) {
			continue
		}
		for _, d := range t.stepsOf(e.Term) {
			if (d != s || !own[e]) && deps[d] == nil {
				deps[d] = e
			}
		}
	}
	return deps
}

// loosen drops what only a check waits for that reads the answer of its own step
// too: two reads run side by side, and the check is made where they join. It
// stays where another read waits for the step: that must not be sent, or checked,
// before the checks of the step have passed.
func (t *toolResolver) loosen(edges map[*ir.Step]map[*ir.Step]*ir.Expr) {
	var loose [][2]*ir.Step
	for _, s := range t.plan.Steps {
		followed := slices.ContainsFunc(t.plan.Steps, func(f *ir.Step) bool { return f.Effect == ir.Read && edges[f][s] != nil })
		if s.Effect != ir.Read || s.When != nil || followed {
			continue
		}
		judges := t.judges(s)
		needed := t.waitsFor(s, slices.DeleteFunc(s.Exprs(), func(e *ir.Expr) bool { return judges[e] }))
		for d := range edges[s] {
			if d.Effect == ir.Read && needed[d] == nil {
				loose = append(loose, [2]*ir.Step{s, d})
			}
		}
	}
	for _, edge := range loose {
		delete(edges[edge[0]], edge[1])
	}
}

// judges are the expressions of those checks of a step that read its answer.
func (t *toolResolver) judges(s *ir.Step) map[*ir.Expr]bool {
	out := map[*ir.Expr]bool{}
	for _, x := range s.Expect {
		all := x.Exprs()
		if !slices.ContainsFunc(all, func(e *ir.Expr) bool { return !isPoisoned(e) && slices.Contains(t.stepsOf(e.Term), s) }) {
			continue
		}
		for _, e := range all {
			out[e] = true
		}
	}
	return out
}

// answered are the expressions of a step that may read its own answer.
func answered(s *ir.Step) map[*ir.Expr]bool {
	out := map[*ir.Expr]bool{}
	for _, x := range s.Expect {
		for _, e := range x.Exprs() {
			out[e] = true
		}
	}
	if c := s.Collect; c != nil {
		out[c.Items], out[c.Until], out[c.Next] = true, true, true
	}
	if s.Poll != nil {
		out[s.Poll.Until] = true
	}
	return out
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
	reads := func(s *ir.Step) []*ir.Step {
		return slices.DeleteFunc(slices.Clone(t.plan.Steps), func(d *ir.Step) bool { return edges[s][d] == nil })
	}
	found := false
	circles(t.plan.Steps, reads, func(circle []*ir.Step) bool {
		t.reportCycle(append(circle, circle[0]), edges)
		found = true
		return false
	})
	return found
}

// circles calls see for the circles that a search, depth first, runs into, until
// it returns false.
func circles[T comparable](all []T, next func(T) []T, see func(circle []T) bool) {
	var path []T
	done := map[T]bool{}
	var visit func(T) bool
	visit = func(x T) bool {
		if i := slices.Index(path, x); i >= 0 {
			return see(slices.Clone(path[i:]))
		}
		if done[x] {
			return true
		}
		path = append(path, x)
		for _, n := range next(x) {
			if !visit(n) {
				return false
			}
		}
		path, done[x] = path[:len(path)-1], true
		return true
	}
	for _, x := range all {
		if !visit(x) {
			return
		}
	}
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
			t.errorf(ruleCycle, t.refSpan(given.Expr, s), "give the flow something else", "the flow would be given what it gives")
			return
		}
		at = t.refSpan(e, s)
	}
	t.errorf(ruleCycle, at, "use the answer of an earlier step", "the steps wait for each other in a circle: %s", strings.Join(ids, " -> "))
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
