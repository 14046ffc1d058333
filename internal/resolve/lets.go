package resolve

import (
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// valueVisitor checks the lets and the conditions of steps in the order of
// their references, depth first: a let may read a step, and what is known of
// its value depends on its condition, which may read a let.
type valueVisitor struct {
	t       *toolResolver
	sources map[string]*source
	// path are the names that are under way.
	path []string
}

// A source is a let or the condition of a step.
type source struct {
	decl *expr.Decl
	text manifest.Scalar
	// step is nil for a let.
	step           *ir.Step
	underWay, done bool
}

// values checks the lets and the conditions of steps.
func (t *toolResolver) values() {
	v := &valueVisitor{t: t, sources: map[string]*source{}}
	for i, m := range t.m.Steps {
		if s := t.own[i]; s != nil && m.When.IsSet() {
			v.sources[s.Decl.Name] = &source{decl: s.Decl, text: m.When, step: s}
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
		if s.step == nil {
			v.t.errorf(ruleCycle, from, "break the circle", "the lets refer to each other in a circle: %s", strings.Join(append(v.path, name), " -> "))
		}
		return
	}
	s.underWay = true
	v.path = append(v.path, name)
	if s.text.Type == manifest.TextType {
		for _, ref := range s.names() {
			v.visit(ref.Name, s.text.At(ref.Start, ref.End))
		}
	}
	v.path = v.path[:len(v.path)-1]
	s.done = true
	if s.step != nil {
		s.step.When = v.t.bare(s.text, v.t.scope, types.BoolType)
		v.t.conditional(s.step)
		return
	}
	let := v.t.addLet(v.t.prefix+name, s.decl, v.t.value(s.text, v.t.scope, nil))
	s.decl.Type = let.Expr.Term.Type
	s.decl.StandsFor(let.Expr.Term)
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

// names returns the identifiers that the expressions of a source read from
// outside.
func (s *source) names() []*expr.Node {
	if s.step != nil {
		if n, problems := bareNode(s.text.Value); problems == nil {
			return expr.FreeNames(n)
		}
		return nil
	}
	tmpl, problems := expr.ParseTemplate(s.text.Value)
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
