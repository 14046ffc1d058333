package plan

import (
	"math"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// all says that every element of a list is wanted.
const all = math.MaxInt

// A source is where a list comes from: a member of an object of an answer, or,
// without an object, the answer of a step.
type source struct {
	object *types.Type
	name   string
	step   *expr.Decl
}

// demand knows how many of the first elements of each list of an answer the
// expressions of a package can need at most: what lies beyond is not decoded.
type demand struct {
	most map[source]int
	lets map[*expr.Decl]*ir.Let
	seen map[*expr.Decl]int
}

// demandOf looks at all chains, since they share decoders.
func demandOf(tools []*ir.Tool) *demand {
	d := &demand{most: map[source]int{}}
	for _, t := range tools {
		d.lets, d.seen = map[*expr.Decl]*ir.Let{}, map[*expr.Decl]int{}
		for _, l := range t.Plan.Lets {
			d.lets[l.Decl] = l
		}
		for _, s := range t.Plan.Steps {
			for _, e := range s.Exprs() {
				if s.Collect == nil || e != s.Collect.Items { // what of them is wanted follows from what reads them
					d.visit(e.Term, all)
				}
			}
		}
		for _, o := range t.Plan.Outputs {
			n := all
			if o.MaxItems > 0 {
				n = o.MaxItems
			}
			d.visit(o.Expr.Term, n)
		}
	}
	return d
}

// of is how many elements of a list are wanted, 0 for all of them.
func (d *demand) of(s source) int {
	if n := d.most[s]; n < all {
		return n
	}
	return 0
}

// visit notes what t reads where the first n elements of its value are wanted.
func (d *demand) visit(t *expr.Term, n int) {
	if t == nil {
		return
	}
	switch t.Op {
	case expr.OpRef:
		d.ref(t, n)
		return
	case expr.OpField, expr.OpOptField:
		d.note(source{object: elemOf(t.Args[0].Type), name: t.Name}, t, n)
	case expr.OpPresent, expr.OpOrValue, expr.OpOrOpt, expr.OpHasValue, expr.OpOptValue:
		d.args(t, n)
		return
	case expr.OpCond:
		d.visit(t.Args[0], all)
		d.visit(t.Args[1], n)
		d.visit(t.Args[2], n)
		return
	case expr.OpIndex, expr.OpOptIndex:
		if i, ok := t.Args[1].Lit.(int64); ok && t.Args[1].Op == expr.OpConst && i >= 0 && i < all && isList(t.Args[0]) {
			d.visit(t.Args[0], int(i)+1)
			return
		}
	case expr.OpCall:
		switch count, ok := lower.Taken(t); {
		case ok:
			d.visit(t.Args[0], min(n, count))
			return
		case t.Name == "list.first":
			d.visit(t.Args[0], 1)
			return
		}
	case expr.OpBinary:
		if list, count := sizeAgainst(t); list != nil {
			d.visit(list, count)
			return
		}
	case expr.OpTransform:
		if t.Body2 == nil {
			d.visit(t.Args[0], n)
			d.visit(t.Body, all)
			return
		}
	}
	d.args(t, all)
	d.visit(t.Body, all)
	d.visit(t.Body2, all)
}

func (d *demand) args(t *expr.Term, n int) {
	for _, a := range t.Args {
		d.visit(a, n)
	}
}

// ref follows a let, as often as more of it is wanted than before, and notes what
// is wanted of the answer of a step.
func (d *demand) ref(t *expr.Term, n int) {
	if l := d.lets[t.Decl]; l != nil && d.seen[t.Decl] < n {
		d.seen[t.Decl] = n
		d.visit(l.Expr.Term, n)
	}
	if t.Decl.Role == expr.RoleStep {
		d.note(source{step: t.Decl}, t, n)
		d.pages(t.Decl, n)
	}
}

// pages notes what is wanted of each page of a list: no more than of all of them.
func (d *demand) pages(list *expr.Decl, n int) {
	s, _ := list.Value.(*ir.Step)
	if s == nil || s.Collect == nil || s.Decl != list || d.seen[list] >= n {
		return
	}
	d.seen[list] = n
	if n > s.Collect.Max {
		n = all
	}
	d.visit(s.Collect.Items.Term, n)
}

func (d *demand) note(s source, t *expr.Term, n int) {
	if isList(t) {
		d.most[s] = max(d.most[s], n)
	}
}

func isList(t *expr.Term) bool { return elemOf(t.Type).Kind == types.List }

var comparisons = map[string]bool{"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

// sizeAgainst returns the list whose size a term compares with a number, and how
// many of its elements decide the outcome: one more than the number.
func sizeAgainst(t *expr.Term) (list *expr.Term, count int) {
	if !comparisons[t.Name] {
		return nil, 0
	}
	for i, side := range t.Args {
		n, ok := t.Args[1-i].Lit.(int64)
		if side.Op == expr.OpCall && side.Name == "size" && isList(side.Args[0]) && t.Args[1-i].Op == expr.OpConst && ok && n >= 0 && n < math.MaxInt32 {
			return side.Args[0], int(n) + 1
		}
	}
	return nil, 0
}
