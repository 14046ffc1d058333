package plan

import (
	"fmt"
	"time"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Rounds repeat a call for the pages of a list, or until something is done; it is
// the data of a lower.Node whose block ends in a Return. Result is "" where nothing reads the value.
type Rounds struct {
	Result, Step string
	// Var is the variable of the round in the block.
	Var string
	// By is the member of upstream.Round for the parameter that changes, or Link,
	// "" for an address.
	By, Parameter string
	// Max is the most items, Want how many are enough, 0 for all of them.
	Max, Want int
	Partial   bool
	// Poll says that the call is made again for another answer, not for another
	// page.
	Poll          bool
	Every, Within time.Duration
	// Type is what a round gives.
	Type GoType
}

// More says in the block of Rounds that another round is wanted, and with Next,
// unless nil, what its page said of the next one.
type More struct {
	Round string
	Next  lower.Value
}

// String names the step and its bounds.
func (r *Rounds) String() string {
	if r.Poll {
		return fmt.Sprintf("rounds %s every %v within %v", r.Step, r.Every, r.Within)
	}
	return fmt.Sprintf("rounds %s by %s %s max %d want %d", r.Step, r.By, r.Parameter, r.Max, r.Want)
}

// String says that there is another round.
func (m *More) String() string {
	if m.Next == nil {
		return "more"
	}
	return "more " + lower.Text(m.Next)
}

// answerOf is the name of one answer of a step.
func answerOf(s *ir.Step) *expr.Decl {
	if s.Collect != nil {
		return s.Collect.Page
	}
	return s.Decl
}

// pageItems is the type of the items of a page, and of all of them.
func pageItems(s *ir.Step) *types.Type { return elemOf(s.Collect.Items.Term.Type) }

var pagingMembers = map[ir.PagingBy]string{ir.ByLink: "Link", ir.ByPage: "Page", ir.ByOffset: "Offset"}

// collect plans a call for every page of a list. The lets that the calls need are
// evaluated before.
func (c *chainer) collect(s *ir.Step, result string) {
	for _, sent := range s.Sent() {
		c.hoistAll(sent)
	}
	k := s.Collect
	r := &Rounds{
		Result: result, Step: s.ID, By: pagingMembers[k.By], Parameter: k.Parameter, Partial: k.Partial,
		Max: k.Max, Want: c.p.types.demand.of(source{step: s.Decl}), Type: c.p.types.goType(pageItems(s), false),
	}
	if k.By == ir.ByNext && k.Parameter != "" {
		r.By = "Token"
	}
	if r.Want > r.Max {
		r.Want = 0
	}
	block := c.b.Nested(func() {
		r.Var = c.b.Names.Unique("round")
		answer := c.b.Names.Unique("answer")
		n := c.call(s, answer)
		n.Data.(*Call).Round = r.Var
		c.b.Emit(n)
		c.b.Bind(k.Page, lower.Operand{V: lower.Local{Name: answer}, Step: s.ID})
		items := c.lower(k.Items, "items")
		c.itemPaths[s] = items.Path
		c.another(k.Until, func() { c.more(r.Var, k.Next) })
		c.b.Emit(lower.Node{Data: &Return{Value: items.V}, Uses: []lower.Value{items.V}})
	})
	c.b.Emit(lower.Node{Data: r, Blocks: []*lower.Block{block}})
}

// poll plans a call that is made again until something is done. The lets that it
// needs are evaluated before.
func (c *chainer) poll(s *ir.Step, result string) {
	for _, sent := range s.Sent() {
		c.hoistAll(sent)
	}
	r := &Rounds{Poll: true, Result: result, Step: s.ID, Every: s.Poll.Every, Within: s.Poll.Max}
	block := c.b.Nested(func() {
		r.Var = c.b.Names.Unique("round")
		answer, end := "", &Return{}
		if s.Result != nil {
			answer = c.b.Names.Unique("answer")
			end.Value = lower.Local{Name: answer}
		}
		n := c.call(s, answer)
		n.Data.(*Call).Round, r.Type = r.Var, n.Data.(*Call).Type
		c.b.Emit(n)
		c.b.Bind(s.Poll.Answer, lower.Operand{V: lower.Local{Name: answer}, Step: s.ID})
		c.another(s.Poll.Until, func() { c.more(r.Var, nil) })
		c.b.Emit(lower.Node{Data: end, Uses: []lower.Value{end.Value}})
	})
	c.b.Emit(lower.Node{Data: r, Blocks: []*lower.Block{block}})
}

// another plans what follows unless a condition on the answer says that it was
// the last one; it may be nil.
func (c *chainer) another(until *ir.Expr, f func()) {
	if until == nil {
		f()
		return
	}
	last := c.lower(until, "last")
	block := c.b.Unless(until.Term, f)
	c.b.Emit(lower.If{Cond: lower.Unary{Op: "!", X: last.V}, Then: block})
}

// more plans the wish for another round, next is what leads to it, or nil.
func (c *chainer) more(round string, next *ir.Expr) {
	emit := func(v lower.Value) {
		c.b.Emit(lower.Node{Data: &More{Round: round, Next: v}, Uses: []lower.Value{v}})
	}
	if next == nil {
		emit(nil)
		return
	}
	v, t := c.lower(next, "next").V, next.Term.Type
	if t.Kind != types.Optional {
		emit(text(t, v))
		return
	}
	v = c.local(v, "next", t)
	block := c.b.Nested(func() { emit(text(t.Elem, lower.Deref{X: v})) })
	c.b.Emit(lower.If{Cond: lower.Binary{Op: "!=", L: v, R: lower.Nil{}}, Then: block})
}

// describePages is the line on the pages of a list in the comment on a tool.
func describePages(k *ir.Collect) string {
	by := map[ir.PagingBy]string{ir.ByNext: "the address in them", ir.ByLink: "their Link header"}[k.By]
	if k.Parameter != "" {
		by = "the parameter " + k.Parameter
	}
	end := ""
	if k.Partial {
		end = "; a part will do"
	}
	return fmt.Sprintf("pages: by %s, at most %d items%s", by, k.Max, end)
}
