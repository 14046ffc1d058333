package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// valueVisitor checks the lets, the conditions of steps and the lists that type
// their elements in the order of their references, depth first: a let may read a
// step, and what is known of its value depends on its condition, which may read a
// let.
type valueVisitor struct {
	t       *toolResolver
	sources map[string]*source
	// path are the names that are under way.
	path []string
}

// A source is a let, or the condition of a step and the list of its for_each.
type source struct {
	decl       *expr.Decl
	text, list manifest.Scalar
	// step is nil for a let.
	step           *ir.Step
	underWay, done bool
}

// values checks the lets and the conditions of steps.
func (t *toolResolver) values() {
	v := &valueVisitor{t: t, sources: map[string]*source{}}
	for i, m := range t.m.Steps {
		s := t.own[i]
		if s == nil || !m.When.IsSet() && t.pairs[s] == nil {
			continue
		}
		v.sources[s.Decl.Name] = &source{decl: s.Decl, text: m.When, step: s}
		if t.pairs[s] != nil {
			v.sources[s.Decl.Name].list = m.ForEach
		}
	}
	var nameless []manifest.Scalar
	for _, p := range t.m.Lets {
		if p.Value.Kind != manifest.ScalarNode {
			t.errorf(expr.RuleWrongType, p.Value.Span, "write one expression: '${...}'", "a let is an expression, not a list or map")
			continue
		}
		d := &expr.Decl{Name: p.Key.Value, Role: expr.RoleLet, Type: types.InvalidType}
		if !t.declare(t.scope, d, p.Key) {
			nameless = append(nameless, p.Value.Scalar)
			continue
		}
		v.sources[d.Name] = &source{decl: d, text: p.Value.Scalar}
	}
	for _, p := range t.m.Lets {
		v.visit(p.Key.Value, diag.Span{})
	}
	for _, m := range t.m.Steps {
		v.visit(m.ID.Value, diag.Span{})
	}
	for _, s := range nameless { // checked, though nothing can read them
		t.value(s, t.scope, nil)
	}
}

func (v *valueVisitor) visit(name string, from diag.Span) {
	s := v.sources[name]
	if s == nil || s.done {
		return
	}
	if s.underWay {
		// A circle through the condition of a step is one of steps, which is
		// reported where their order is made.
		switch {
		case s.step == nil:
			v.t.errorf(ruleCycle, from, "break the circle", "the lets refer to each other in a circle: %s", strings.Join(append(v.path, name), " -> "))
		case s.list.IsSet():
			*v.t.inCircle = true
			v.t.errorf(ruleCycle, from, "use the answer of an earlier step", "the steps wait for each other in a circle: %s", strings.Join(append(v.path[slices.Index(v.path, name):], name), " -> "))
		}
		return
	}
	s.underWay = true
	v.path = append(v.path, name)
	for _, text := range []manifest.Scalar{s.text, s.list} {
		for _, ref := range s.names(text) {
			v.visit(ref.Name, text.At(ref.Start, ref.End))
		}
	}
	v.path = v.path[:len(v.path)-1]
	s.done = true
	if s.step != nil {
		v.step(s)
		return
	}
	let := v.t.addLet(v.t.prefix+name, s.decl, v.t.value(s.text, v.t.scope, nil))
	s.decl.Type = let.Expr.Term.Type
	s.decl.StandsFor(let.Expr.Term)
}

// step checks the condition of a step, and the list that types its elements.
func (v *valueVisitor) step(s *source) {
	if s.text.IsSet() {
		s.step.When = v.t.bare(s.text, v.t.scope, types.BoolType)
		v.t.conditional(s.step)
	}
	if !s.list.IsSet() {
		return
	}
	over := v.t.bare(s.list, v.t.guarded(s.step), nil)
	v.t.over[s.step] = over
	v.t.pairs[s.step].Fields[0].Type = v.t.elementOf(over)
}

// conditional notes what is there under the condition of a step: status and
// headers of its answer, and its value unless the answer may be missing even so.
func (t *toolResolver) conditional(s *ir.Step) {
	if !t.mayLack[s] || t.plain {
		s.Decl.When = s.When.Term
	}
	for _, name := range httpNames {
		if d := t.scope.Lookup("http." + s.Decl.Name + "." + name); d != nil {
			d.When = s.When.Term
		}
	}
}

// names returns the identifiers that the expressions of a text of a source read
// from outside.
func (s *source) names(text manifest.Scalar) []*expr.Node {
	if text.Type != manifest.TextType {
		return nil
	}
	if s.step != nil {
		if n, problems := bareNode(text.Value); problems == nil {
			return expr.FreeNames(n)
		}
		return nil
	}
	tmpl, problems := expr.ParseTemplate(text.Value)
	if problems != nil {
		return nil
	}
	var out []*expr.Node
	for _, p := range tmpl.Parts {
		if p.Expr != nil {
			out = append(out, expr.FreeNames(p.Expr)...)
		}
	}
	return out
}
