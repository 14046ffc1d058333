package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A flowUse is a flow in one place of a tool. Its steps and lets become those
// of the tool, under names that nothing outside the flow can read: what goes in
// and out are lets, so that the steps of the flow and of the tool run side by
// side where they can.
type flowUse struct {
	id     string
	inputs map[string]*ir.Let
}

var flowTypes = map[string]*types.Type{
	"": types.StringType, "string": types.StringType, "int": types.IntType, "double": types.DoubleType, "boolean": types.BoolType,
}

// useFlow resolves the flow that a step names. What goes into it has the types
// that the flow states, so that all of it is typed before the values are known.
func (t *toolResolver) useFlow(m *manifest.Step) *flowUse {
	use := &flowUse{id: m.ID.Value, inputs: map[string]*ir.Let{}}
	t.free(t.scope, use.id, m.ID)
	at := slices.IndexFunc(t.resolver.m.Flows, func(f *manifest.Flow) bool { return f.Name.Value == m.Flow.Value })
	if at < 0 {
		names := t.flowNames()
		fix := "use a name under flows:"
		if near := diag.Nearest(m.Flow.Value, names); near != "" {
			fix = fmt.Sprintf("write %q", near)
		}
		t.errorf(ruleUnknownFlow, m.Flow.Span, fix, "there is no flow %q%s", m.Flow.Value, diag.DidYouMean(m.Flow.Value, names))
		t.scope.Declare(&expr.Decl{Name: use.id, Role: expr.RoleLet, Type: types.InvalidType})
		return use
	}
	// The name alone is not a value; with a dot it keeps others from taking it.
	t.scope.Declare(&expr.Decl{Name: use.id + ".", Role: expr.RoleLet, Type: types.InvalidType})
	flow := t.resolver.m.Flows[at]
	inside := *t
	inside.m = &manifest.Tool{Name: t.m.Name, Steps: flow.Steps, Lets: flow.Lets}
	inside.scope, inside.prefix, inside.own, inside.uses = expr.NewScope(t.resolver.scope), use.id+".", nil, nil
	for _, in := range flow.Inputs {
		d := &expr.Decl{Name: "input." + in.Name.Value, Role: expr.RoleLet, Type: flowTypes[in.Type.Value]}
		inside.scope.Declare(d)
		use.inputs[in.Name.Value] = inside.addLet(use.id+" "+in.Name.Value, d, nil)
	}
	inside.within = inside.scope
	inside.declareSteps()
	inside.values()
	inside.stepValues()
	for _, p := range flow.Results {
		d := &expr.Decl{Name: use.id + "." + p.Key.Value, Role: expr.RoleLet}
		let := t.addLet(use.id+" "+p.Key.Value, d, inside.value(p.Value.Scalar, inside.scope, nil))
		d.Type = let.Expr.Term.Type
		d.StandsFor(let.Expr.Term)
		t.scope.Declare(d)
	}
	return use
}

func (t *toolResolver) flowNames() []string {
	var names []string
	for _, f := range t.resolver.m.Flows {
		names = append(names, f.Name.Value)
	}
	return names
}

// addLet makes a let of the tool.
func (t *toolResolver) addLet(name string, d *expr.Decl, e *ir.Expr) *ir.Let {
	let := &ir.Let{Name: name, Decl: d, Expr: e}
	d.Value, t.lets[d] = let, let
	t.plan.Lets = append(t.plan.Lets, let)
	return let
}

// bindFlow checks what goes into a flow.
func (t *toolResolver) bindFlow(use *flowUse, m *manifest.Step) {
	// bound are the inputs that are given something, or that a faulty entry was
	// probably meant for.
	bound := map[string]bool{}
	for _, p := range m.With {
		let := use.inputs[p.Key.Value]
		if let == nil {
			if len(use.inputs) > 0 || slices.Contains(t.flowNames(), m.Flow.Value) {
				bound[diag.Nearest(p.Key.Value, slices.Sorted(maps.Keys(use.inputs)))] = true
				t.errorf(ruleUnknownInput, p.Key.Span, "use an input of the flow", "flow %s has no input %q%s", m.Flow.Value, p.Key.Value, diag.DidYouMean(p.Key.Value, slices.Sorted(maps.Keys(use.inputs))))
			}
			continue
		}
		bound[p.Key.Value] = true
		if p.Value.Kind != manifest.ScalarNode {
			t.errorf(expr.RuleWrongType, p.Value.Span, "write an expression: '${...}'", "an input of a flow gets one value")
			continue
		}
		let.Expr = t.value(p.Value.Scalar, t.scope, let.Decl.Type)
		t.assign(let.Expr, let.Decl.Type, false, "input "+p.Key.Value+" of flow "+m.Flow.Value)
	}
	for _, name := range slices.Sorted(maps.Keys(use.inputs)) {
		let := use.inputs[name]
		if !bound[name] {
			t.errorf(ruleUnboundParameter, m.Flow.Span, fmt.Sprintf("add %s: '${...}' under with:", name), "the input %q of flow %s is not bound", name, m.Flow.Value)
		}
		if let.Expr == nil {
			let.Expr = t.expression(m.Flow, poisoned(m.Flow))
		}
	}
}

// letCircles reports flows that are given what they give: other circles of lets
// are found before.
func (t *toolResolver) letCircles() bool {
	reads := func(l *ir.Let) []*ir.Let {
		var out []*ir.Let
		for _, d := range l.Expr.Term.Refs() {
			if let := t.lets[d]; let != nil {
				out = append(out, let)
			}
		}
		return out
	}
	found := false
	circles(t.plan.Lets, reads, func(circle []*ir.Let) bool {
		given := slices.IndexFunc(circle, func(l *ir.Let) bool { return strings.HasPrefix(l.Decl.Name, "input.") })
		if given >= 0 {
			t.errorf(ruleCycle, span(circle[given].Expr), "give the flow something else", "the flow would be given what it gives")
			found = true
		}
		return true
	})
	return found
}

// unusedFlows reports flows that no tool uses, not even under a misspelt name,
// and that are therefore not checked.
func (r *resolver) unusedFlows() {
	var names []string
	for _, f := range r.m.Flows {
		names = append(names, f.Name.Value)
	}
	used := map[string]bool{}
	for _, t := range r.m.Tools {
		for _, s := range t.Steps {
			used[s.Flow.Value] = true
			if s.Flow.IsSet() && !slices.Contains(names, s.Flow.Value) {
				used[diag.Nearest(s.Flow.Value, names)] = true
			}
		}
	}
	for _, f := range r.m.Flows {
		if !used[f.Name.Value] {
			r.warnf(ruleUnusedFlow, f.Name.Span, "remove it, or use it in a step: flow: "+f.Name.Value, "no tool uses the flow %s, so it is not checked", f.Name.Value)
		}
	}
}
