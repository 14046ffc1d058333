package plan

import (
	"slices"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A moment is when a check of a step runs.
type moment uint8

const (
	// atJoin is for what reads the answer of a step that runs side by side with
	// its own, too.
	atJoin moment = iota
	// afterCall is for what reads the answer of its own step.
	afterCall
	// beforeCall is for what reads earlier answers, or belongs to a step that may
	// not run.
	beforeCall
	// beforeAll is for what reads no answer: what is wrong with an input never
	// goes upstream, and stops a call before its first effect.
	beforeAll
)

// momentOf is the earliest moment at which a check and its words can be read.
func (c *chainer) momentOf(e *ir.Expect, s *ir.Step) moment {
	reads := func(steps ...*ir.Step) bool {
		some := map[*ir.Step]bool{}
		for _, step := range steps {
			some[step] = true
		}
		return slices.ContainsFunc(e.Exprs(), func(x *ir.Expr) bool { return c.readsAny(x.Term, some) })
	}
	switch {
	case reads(s) && reads(c.beside(s)...):
		return atJoin
	case reads(s):
		return afterCall
	case s.When != nil || reads(c.t.Plan.Steps...):
		return beforeCall
	}
	return beforeAll
}

// beside are the steps that may be under way while s is, or begin after it.
func (c *chainer) beside(s *ir.Step) []*ir.Step {
	before := map[*ir.Step]bool{s: true}
	var visit func(*ir.Step)
	visit = func(at *ir.Step) {
		for _, d := range at.After {
			if !before[d] {
				before[d] = true
				visit(d)
			}
		}
	}
	visit(s)
	return slices.DeleteFunc(slices.Clone(c.t.Plan.Steps), func(d *ir.Step) bool { return before[d] })
}

// early plans what is judged before anything is asked.
func (c *chainer) early() {
	if a := c.t.Plan.Allow; a != nil {
		c.expect(a, "allow", "KindForbidden")
	}
	for _, s := range c.t.Plan.Steps {
		c.expects(s, beforeAll)
	}
}

// expects plans the checks of a step that run at a moment, in the order of the
// manifest. What reads the value of the step judges an answer that came, and none
// that an error case calls missing.
func (c *chainer) expects(s *ir.Step, at moment) {
	for _, e := range s.Expect {
		switch {
		case c.momentOf(e, s) != at:
		case s.MayLackAnswer() && slices.ContainsFunc(e.Exprs(), func(x *ir.Expr) bool { return c.readsValue(x.Term, s) }):
			block := c.b.Nested(func() { c.expect(e, s.ID, "KindNoResult") })
			c.b.Emit(lower.If{Cond: lower.Binary{Op: "!=", L: c.b.Ref(s.Decl).V, R: lower.Nil{}}, Then: block})
		default:
			c.expect(e, s.ID, "KindNoResult")
		}
	}
}

// readsValue reports whether a term reads the value of a step, and not only its
// status, through lets too.
func (c *chainer) readsValue(t *expr.Term, s *ir.Step) bool {
	return slices.ContainsFunc(t.Refs(), func(d *expr.Decl) bool {
		l := c.lets[d]
		return d == s.Decl || l != nil && c.readsValue(l.Expr.Term, s)
	})
}

func (c *chainer) expect(e *ir.Expect, step, kind string) {
	about := c.b.About(e.Failure.Code)
	defer c.b.About(about)
	cond := c.lower(e.Check, "ok")
	if always, known := cond.V.(lower.Const); known && always.V == true {
		return // a constant that a flow was given
	}
	var f Failure
	block := c.b.Nested(func() { f = c.failure(&e.Failure, step, kind) })
	c.b.Emit(lower.Node{Data: &Expect{Cond: cond.V, Failure: f}, Uses: f.uses(cond.V), Blocks: []*lower.Block{block}})
	c.b.Know(e.Check.Term)
}
