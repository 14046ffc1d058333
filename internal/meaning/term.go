package meaning

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// term is the digest of an expression. Variables count by how far out they are
// bound, a let is its value and a constant its literal: where none is free, the
// digest is the same wherever the expression is written.
func (s *side) term(t *expr.Term, bound ...*expr.Decl) string {
	if t == nil {
		return ""
	}
	if t = s.plain(t); t.Op == expr.OpRef {
		return s.ref(t, bound)
	}
	all := []string{fmt.Sprint(t.Op), s.shape(t.Type), t.Name, fmt.Sprintf("%T %v", t.Lit, t.Lit), fmt.Sprint(t.Opts, t.EmptyOK)}
	for _, a := range t.Args {
		all = append(all, s.term(a, bound...))
	}
	inside := within(t, bound)
	return sum(append(all, s.term(t.Body, inside...), s.term(t.Body2, inside...))...)
}

// plain leaves out the forms that plans of early releases do without and that say
// the same: that an element of a for_each has its answer under value, and that
// the status of a step that may not run is known to be there.
func (s *side) plain(t *expr.Term) *expr.Term {
	switch {
	case t.Op == expr.OpPresent && t.Args[0].Op == expr.OpRef && t.Args[0].Decl.Role == expr.RoleHTTP:
		return t.Args[0]
	case (t.Op == expr.OpField || t.Op == expr.OpOptField) && t.Name == "value" && s.pairs[elemOf(t.Args[0].Type)] != nil:
		return s.plain(t.Args[0])
	}
	return t
}

func elemOf(t *types.Type) *types.Type {
	if t.Kind == types.Optional {
		return t.Elem
	}
	return t
}

// within are the variables that the bodies of a term see, the innermost last.
func within(t *expr.Term, bound []*expr.Decl) []*expr.Decl {
	inside := slices.Clone(bound)
	for _, v := range []*expr.Decl{t.Var, t.Var2} {
		if v != nil {
			inside = append(inside, v)
		}
	}
	return inside
}

func (s *side) ref(t *expr.Term, bound []*expr.Decl) string {
	d := t.Decl
	if d.Role == expr.RoleInput {
		return sum("inputs") // whatever others there are
	}
	switch v := d.Value.(type) {
	case *ir.Let:
		return s.let(v)
	case *ir.Constant:
		return sum("constant", constant(v), shape(v.Type))
	case *ir.Step:
		member, typ := "", t.Type
		if d.Role == expr.RoleHTTP {
			member, typ = strings.TrimPrefix(d.Name, "http."+v.Decl.Name), elemOf(typ)
		}
		return sum("step", s.label(v), member, s.shape(typ))
	}
	for i, v := range slices.Backward(bound) {
		if v == d {
			return sum("variable", fmt.Sprint(len(bound)-1-i), s.shape(t.Type))
		}
	}
	name := d.Name
	if as, ok := s.items[d]; ok {
		name = as
	}
	return sum("name", fmt.Sprint(d.Role), name, s.shape(t.Type))
}

// let is the digest of the value of a let.
func (s *side) let(l *ir.Let) string {
	key := sight{l, s.current}
	if done, ok := s.lets[key]; ok {
		return done
	}
	s.lets[key] = s.term(l.Expr.Term)
	return s.lets[key]
}

// constant is the value of a constant as text.
func constant(k *ir.Constant) string { return literal(k.Value) }

func literal(v any) string {
	switch v := v.(type) {
	case ir.Map:
		var parts []string
		for i, key := range v.Keys {
			parts = append(parts, fmt.Sprintf("%q: %s", key, literal(v.Values[i])))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, literal(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}

// shape is what an expression relies on of a type: its kind and that of its
// elements. What else a document says of an object is seen where it is read.
func shape(t *types.Type) string { return (&side{}).shape(t) }

// shape is that of a type in the plan: an element of a for_each is its answer.
func (s *side) shape(t *types.Type) string {
	if t == nil {
		return ""
	}
	if answer := s.pairs[t]; answer != nil {
		return s.shape(answer)
	}
	switch t.Kind {
	case types.List, types.Optional:
		return fmt.Sprintf("%s(%s %t)", t.Kind, s.shape(t.Elem), t.NullableElem)
	case types.Map:
		return fmt.Sprintf("%s(%s %s %t)", t.Kind, s.shape(t.Key), s.shape(t.Elem), t.NullableElem)
	case types.Union:
		var kinds []string
		for _, v := range t.Variants {
			kinds = append(kinds, v.Kind.String())
		}
		slices.Sort(kinds)
		return strings.Join(kinds, "|")
	case types.Object:
		if t.Record {
			return "record(" + strings.Join(t.FieldNames(), " ") + ")"
		}
	}
	return t.Kind.String()
}

// whole is all of a type that can be seen in a value that is passed on as it is.
func whole(t *types.Type, above ...*types.Type) string {
	if t == nil || slices.Contains(above, t) {
		return ""
	}
	above = append(slices.Clone(above), t)
	switch t.Kind {
	case types.List, types.Optional, types.Map:
		return shape(t) + "of " + whole(t.Elem, above...)
	case types.Union:
		var all []string
		for _, v := range t.Variants {
			all = append(all, whole(v, above...))
		}
		slices.Sort(all)
		return strings.Join(all, "|")
	case types.Object:
		var all []string
		for _, f := range t.Fields {
			all = append(all, fmt.Sprintf("%q: %s", f.Name, whole(f.Type, above...)))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ", ") + " " + whole(t.Extra, above...) + "}"
	}
	return shape(t)
}

// A spot is a term in the expression that holds it; part and says name what was
// followed to get there.
type spot struct {
	in         *ir.Expr
	term       *expr.Term
	part, says string
}

// A difference is where two expressions begin to differ.
type difference struct {
	part, says, was, is, why string
	at                       diag.Span
}

// descend follows two expressions that differ to the innermost lets and
// constants that do.
func (c *comparison) descend(a, b spot) []difference {
	x, y := a.term, b.term
	if x.Op == expr.OpRef && y.Op == expr.OpRef {
		if d := c.follow(a, b); d != nil {
			return d
		}
	}
	was, is := strings.TrimSpace(a.in.Text), strings.TrimSpace(b.in.Text)
	var inner []difference
	if from, to := children(x), children(y); x.Op == y.Op && x.Name == y.Name && len(from) == len(to) {
		var differ []int
		for i := range from {
			if c.was.loose(from[i]) != c.is.loose(to[i]) {
				differ = append(differ, i)
			}
		}
		for _, i := range differ {
			inner = append(inner, c.descend(spot{a.in, from[i], a.part, a.says}, spot{b.in, to[i], b.part, b.says})...)
		}
		if len(inner) > 0 && (len(differ) == 1 || was == is) {
			return inner
		}
		inner = slices.DeleteFunc(inner, func(d difference) bool { return d.part == b.part })
	}
	d := difference{part: b.part, says: b.says, was: was, is: is, at: b.in.Span, why: "what it reads is another kind of value now"}
	if was == is {
		c.explain(&d, x, y)
	}
	return append(inner, d)
}

// explain says why two expressions of one text differ: a constant that was
// folded, or what the document says.
func (c *comparison) explain(d *difference, x, y *expr.Term) {
	for _, k := range c.is.program.Constants {
		at := slices.IndexFunc(c.was.program.Constants, func(o *ir.Constant) bool { return o.Name == k.Name })
		if at < 0 || !slices.Contains(names.FindAllString(d.is, -1), k.Name) || x.Op != expr.OpConst {
			continue
		}
		if was, is := constant(c.was.program.Constants[at]), constant(k); was != is {
			d.part, d.says, d.was, d.is = "constants."+k.Name, fmt.Sprintf("constant %q", k.Name), was, is
			return
		}
	}
	if was, is := x.Type.String(), y.Type.String(); was != is {
		d.why = fmt.Sprintf("%s in it is %s now", was, is)
	}
}

// names finds the names in an expression.
var names = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// follow goes on in the lets or constants that two references name.
func (c *comparison) follow(a, b spot) []difference {
	switch v := a.term.Decl.Value.(type) {
	case *ir.Let:
		if w, ok := b.term.Decl.Value.(*ir.Let); ok {
			name := strings.ReplaceAll(w.Name, " ", ".")
			return c.descend(spot{in: v.Expr, term: v.Expr.Term}, spot{w.Expr, w.Expr.Term, "let." + name, fmt.Sprintf("let %q", name)})
		}
	case *ir.Constant:
		if w, ok := b.term.Decl.Value.(*ir.Constant); ok {
			return []difference{{part: "constants." + w.Name, says: fmt.Sprintf("constant %q", w.Name), was: constant(v), is: constant(w), at: b.in.Span}}
		}
	}
	return nil
}

// children are the terms below a term.
func children(t *expr.Term) []*expr.Term {
	out := slices.Clone(t.Args)
	for _, b := range []*expr.Term{t.Body, t.Body2} {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

// loose is the digest of a term whose free variables count by their names in
// order: both sides of a pair have the same ones.
func (s *side) loose(t *expr.Term) string {
	var free []*expr.Decl
	t.Walk(func(t *expr.Term) bool {
		if t.Op == expr.OpRef && t.Decl.Role == expr.RoleVar && !slices.Contains(free, t.Decl) {
			free = append(free, t.Decl)
		}
		return true
	})
	return s.term(t, free...)
}
