package meaning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// side is one of two plans, with what is known of its steps and lets.
type side struct {
	program *ir.Program
	tool    *ir.Tool
	plan    *ir.Plan
	// labels are what references to steps count as: what a step is, or the number
	// that it shares with its partner on the other side.
	labels map[*ir.Step]string
	paired map[*ir.Step]bool
	// lets are the digests of lets, as they are seen from the step that gets its
	// label: one that reads this step reads the step itself there.
	lets    map[sight]string
	current *ir.Step
	// known are the inputs and the values of outputs that callers know.
	known map[string]bool
	// seen, if it is not nil, is what callers of an older version know: what they
	// do not is left out.
	seen map[string]bool
	// items are the names of what a step with for_each counts by.
	items map[*expr.Decl]string
	// pairs are the types {item, value}, with that of the answer.
	pairs map[*types.Type]*types.Type
}

// sight is a let from where a step is.
type sight struct {
	let  *ir.Let
	from *ir.Step
}

func sideOf(t Tool) *side {
	s := &side{
		program: t.Program, tool: t.Tool, plan: t.Tool.Plan,
		labels: map[*ir.Step]string{}, pairs: map[*types.Type]*types.Type{}, lets: map[sight]string{}, items: map[*expr.Decl]string{},
		known: map[string]bool{},
	}
	for _, in := range s.tool.Signature.Inputs {
		s.known["inputs."+in.Name] = true
		for _, v := range in.Values {
			s.known["inputs."+in.Name+".values."+v.Name] = true
		}
	}
	for _, out := range s.tool.Signature.Outputs {
		s.known["outputs."+out.Name] = true
		for _, v := range out.Values {
			s.known["outputs."+out.Name+".values."+v.Name] = true
		}
	}
	for _, step := range s.plan.Steps {
		if step.Each != nil {
			s.items[step.Each.Item], s.items[step.Each.Index] = "item", "index"
			if p := step.Each.Pair; p != nil {
				s.pairs[p] = p.Field("value").Type
			}
		}
	}
	return s
}

// unseen says of a part that callers of the older version do not know what it
// needs.
func (s *side) unseen(n *node) bool { return s.seen != nil && n.needs != "" && !s.seen[n.needs] }

// value is the node of an expression; nil makes none.
func (s *side) value(key, part, says string, e *ir.Expr) []*node {
	if e == nil {
		return nil
	}
	return []*node{{key: key, part: part, says: says, own: s.term(e.Term), expr: e, at: e.Span}}
}

// sink is the node of a value that leaves as it is, with all of its parts.
func (s *side) sink(key, part, says string, e *ir.Expr) []*node {
	nodes := s.value(key, part, says, e)
	for _, n := range nodes {
		n.own = sum(n.own, whole(e.Term.Type))
	}
	return nodes
}

// words is the node of a text for people: what it reads counts, its words do not.
func (s *side) words(key, part, says string, e *ir.Expr) []*node {
	if e == nil {
		return nil
	}
	var reads []string
	parts := []*expr.Term{e.Term}
	if e.Term.Op == expr.OpText {
		parts = e.Term.Args
	}
	for _, t := range parts {
		if t.Op != expr.OpConst {
			reads = append(reads, s.term(t))
		}
	}
	return []*node{{key: key, part: part, says: "what is read by " + says, own: sum(reads...), expr: e, at: e.Span}}
}

// fact is the node of a plain member; "" makes none, so that it is new or gone.
func fact(key, part, says, text string) []*node {
	if text == "" {
		return nil
	}
	return []*node{{key: key, part: part, says: says, own: text, text: text}}
}

// flag is the node of a member that is there or is not.
func flag(key, part, says string, set bool) []*node {
	return []*node{{key: key, part: part, says: says, own: fmt.Sprint(set), text: fmt.Sprint(set), hidden: true}}
}

// inputs are what the chain makes of the values of enum inputs.
func (s *side) inputs() []*node {
	var out []*node
	for _, in := range s.tool.Signature.Inputs {
		at := slices.IndexFunc(s.plan.Inputs, func(p *ir.Input) bool { return p.Name == in.Name })
		for _, v := range in.Values {
			part := "inputs." + in.Name + ".values." + v.Name
			sent := v.Name
			if at >= 0 {
				sent = cmp.Or(s.plan.Inputs[at].Send[v.Name], v.Name)
			}
			n := fact(part, part, fmt.Sprintf("what value %q of input %q sends", v.Name, in.Name), sent)[0]
			n.at, n.needs = s.tool.Places["inputs."+in.Name], part
			out = append(out, n)
		}
	}
	return out
}

// outputs are the outputs of the tool; what compat compares is left out.
func (s *side) outputs() []*node {
	var out []*node
	for _, o := range s.plan.Outputs {
		part := "outputs." + o.Name
		of := fmt.Sprintf(" of output %q", o.Name)
		n := &node{key: o.Name, part: part, says: "output " + o.Name, at: s.tool.Places[part], needs: part}
		n.kids = slices.Concat(s.sink("value", part, "the value"+of, o.Expr),
			flag("optional", part, "optional"+of, o.Optional),
			fact("max_items", part, "max_items"+of, number0(o.MaxItems)), fact("max_length", part, "max_length"+of, number0(o.MaxLength)),
			fact("fallback", part, "the fallback"+of, o.Fallback))
		for _, v := range o.Enum {
			k := fact("values."+v.Wire, part+".values", fmt.Sprintf("the name of %q in output %q", v.Wire, o.Name), v.Name)[0]
			k.needs = part + ".values." + v.Name // callers who do not know it get the fallback, as before
			if !s.unseen(k) {
				n.kids = append(n.kids, k)
			}
		}
		for _, k := range n.kids {
			if k.at.IsZero() {
				k.at = n.at
			}
		}
		out = append(out, n)
	}
	return out
}

func number0(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// whole are the members of the plan itself.
func (s *side) whole() []*node {
	out := fact("timeout", "timeout", "the timeout of the tool", cmp.Or(duration(s.plan.Deadline), "the default"))
	if s.plan.Allow != nil {
		out = append(out, s.expect("allow", "allow", "allow", s.plan.Allow))
	}
	for _, n := range out {
		if n.at.IsZero() {
			n.at = s.tool.Span
		}
	}
	return out
}

// env are the variables that the plan needs.
func (s *side) env() []*node {
	used := map[string]bool{}
	for _, e := range s.plan.Exprs() {
		for _, d := range e.Term.Refs() {
			if d.Role == expr.RoleEnv {
				used[strings.TrimPrefix(d.Name, "env.")] = true
			}
		}
	}
	for _, step := range s.plan.Steps {
		api := s.api(step)
		for _, h := range api.Headers {
			for _, p := range h.Parts {
				used[p.Env] = true
			}
		}
		for _, v := range api.Variables {
			for _, p := range v.Parts {
				used[p.Env] = used[p.Env] || strings.Contains(cmp.Or(step.Server, api.BaseURL), "{"+v.Name+"}")
			}
		}
		for _, c := range api.Credentials {
			for _, name := range c.Variables() {
				used[name] = used[name] || slices.Contains(step.Schemes, c.Scheme.Name)
			}
		}
	}
	var out []*node
	for _, e := range s.program.Env {
		if !used[e.Name] {
			continue
		}
		text := "must be set"
		if e.Default != nil {
			text = fmt.Sprintf("%q, unless set", *e.Default)
		}
		out = append(out, fact("env."+e.Name, "env."+e.Name, "the variable "+e.Name, text)...)
	}
	return out
}

// api is that of a step.
func (s *side) api(step *ir.Step) *ir.API {
	if at := slices.IndexFunc(s.program.APIs, func(a *ir.API) bool { return a.Name == step.API }); at >= 0 {
		return s.program.APIs[at]
	}
	return &ir.API{Name: step.API}
}
