package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// joins refuses to pair the elements of two lists by their number where one has
// left some out: from the first gap on, everything is given what belongs to
// another. Plans of early releases may do so, since they did.
func (t *toolResolver) joins() {
	if t.plain {
		return
	}
	counts := map[*ir.Expr]map[*expr.Decl][]*expr.Term{}
	for _, s := range t.plan.Steps {
		if s.Each == nil || isPoisoned(s.Each.Over) {
			continue
		}
		for _, e := range s.Exprs() {
			counts[e] = map[*expr.Decl][]*expr.Term{s.Each.Index: {s.Each.Over.Term}, s.Each.Item: t.counted(s.Each.Over.Term)}
		}
	}
	for _, e := range t.allExprs() {
		t.joinsIn(e, counts[e])
	}
}

// A numbering is the list that an index counts, or is used on, and the place of
// the index.
type numbering struct{ list, at *expr.Term }

// joinsIn reports the joins of one expression. counts are the lists that names
// around it count.
func (t *toolResolver) joinsIn(e *ir.Expr, counts map[*expr.Decl][]*expr.Term) {
	by, reported, meant := map[string][]numbering{}, map[string]bool{}, map[*expr.Decl]*expr.Term{}
	note := func(index *expr.Term, at *expr.Term, lists ...*expr.Term) {
		for index.Op == expr.OpRef && meant[index.Decl] != nil {
			index = meant[index.Decl]
		}
		for _, list := range lists {
			key := expr.Key(index)
			by[key] = append(by[key], numbering{list, at})
			if !reported[key] {
				reported[key] = t.reportJoin(e, by[key])
			}
		}
	}
	for d, lists := range counts {
		note(&expr.Term{Op: expr.OpRef, Decl: d}, e.Term, lists...)
	}
	e.Term.Walk(func(x *expr.Term) bool {
		switch {
		case x.Op == expr.OpBind:
			meant[x.Var] = x.Args[0]
		case x.Var2 != nil && x.Args[0].Type.Kind == types.List:
			note(&expr.Term{Op: expr.OpRef, Decl: x.Var}, x, x.Args[0])
		case x.Var != nil && len(x.Args) > 0:
			note(&expr.Term{Op: expr.OpRef, Decl: x.Var}, x, t.counted(x.Args[0])...)
		case (x.Op == expr.OpIndex || x.Op == expr.OpOptIndex) && x.Args[1].Op != expr.OpConst:
			note(x.Args[1], x, x.Args[0])
		}
		return true
	})
}

// counted are the lists whose numbers a list has as elements: lists.range(xs.size()).
func (t *toolResolver) counted(numbers *expr.Term) []*expr.Term {
	var out []*expr.Term
	if let := t.lets[numbers.Decl]; numbers.Op == expr.OpRef && let != nil {
		return t.counted(let.Expr.Term)
	}
	if numbers.Op != expr.OpCall || numbers.Name != "lists.range(int)" {
		return nil
	}
	numbers.Walk(func(x *expr.Term) bool {
		if x.Op == expr.OpCall && x.Name == "size" {
			out = append(out, x.Args[0])
		}
		return true
	})
	return out
}

// reportJoin reports the last of the lists that one index is used on, if another
// has the same origin and has left out others.
func (t *toolResolver) reportJoin(e *ir.Expr, lists []numbering) bool {
	last := lists[len(lists)-1]
	mine := t.lineage(last.list)
	for _, other := range lists[:len(lists)-1] {
		theirs := t.lineage(other.list)
		if mine.origin != theirs.origin || slices.Equal(mine.left, theirs.left) {
			continue
		}
		s := differing(mine.left, theirs.left)
		fix := "read item and value of the elements of " + s.Decl.Name
		if s.Each.Pair == nil {
			fix = "say missing: true for an error case, and read item and value of the elements of " + s.Decl.Name
		}
		t.errorf(ruleJoinedByIndex, placeOf(e, last.at), fix, "step %s leaves out elements without an answer, so its list and the one that it is made for are not numbered alike", s.Decl.Name)
		return true
	}
	return false
}

// differing is the last step that is in one list and not in the other.
func differing(a, b []*ir.Step) *ir.Step {
	if len(a) < len(b) {
		a, b = b, a
	}
	for _, s := range slices.Backward(a) {
		if !slices.Contains(b, s) {
			return s
		}
	}
	return b[len(b)-1]
}

// A lineage says how the elements of a list are numbered: like those of its
// origin, without what some steps have left out.
type lineage struct {
	origin string
	left   []*ir.Step
}

func (t *toolResolver) lineage(list *expr.Term) lineage {
	switch {
	case list.Op == expr.OpRef && t.lets[list.Decl] != nil:
		return t.lineage(t.lets[list.Decl].Expr.Term)
	case list.Op == expr.OpRef:
		s := t.steps[list.Decl]
		if s == nil || s.Each == nil || s.Decl != list.Decl || isPoisoned(s.Each.Over) {
			break
		}
		out := t.lineage(s.Each.Over.Term)
		if s.LeavesOut() {
			out.left = append(slices.Clip(out.left), s)
		}
		return out
	case list.Op == expr.OpPresent, list.Op == expr.OpOrValue, list.Op == expr.OpNarrow, list.Op == expr.OpOptValue,
		list.Op == expr.OpTransform && list.Body2 == nil, list.Op == expr.OpCall && list.Name == "list.take":
		return t.lineage(list.Args[0])
	}
	return lineage{origin: expr.Key(list)}
}
