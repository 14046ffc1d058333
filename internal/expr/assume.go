package expr

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// Assume returns a scope inside s in which facts hold (see Facts): that of the
// calls a condition guards.
func (s *Scope) Assume(facts ...string) *Scope {
	inner := NewScope(s)
	inner.facts = facts
	return inner
}

// assumed returns the facts of a scope and of those around it.
func (s *Scope) assumed() []string {
	var facts []string
	for ; s != nil; s = s.outer {
		facts = append(facts, s.facts...)
	}
	return facts
}

// Present is the fact that the value of d is there.
func Present(d *Decl) string { return PathKey(&Term{Op: OpRef, Decl: d}) }

// Known reports whether facts say that the value of d is there.
func Known(d *Decl, facts []string) bool {
	switch {
	case slices.Contains(facts, Present(d)), d.Of != nil && slices.Contains(facts, Present(d.Of)):
		return true
	case d.Means != nil: // another name for the status of an answer
		return d.Means.Op == OpRef && d.Means.Decl.Role == RoleHTTP && Known(d.Means.Decl, facts)
	}
	return d.When != nil && implied(d.When, true, facts)
}

// conditionFacts returns the fact that cond has an outcome, by which a step is
// known to have run whose own condition says the same.
func conditionFacts(cond *Term, outcome bool) []string {
	key, same := conditionKey(cond)
	return []string{factOf(key, outcome == same)}
}

func factOf(key string, outcome bool) string { return fmt.Sprintf("%t: %s", outcome, key) }

// implied reports whether facts say that cond has an outcome.
func implied(cond *Term, outcome bool, facts []string) bool {
	key, same := conditionKey(cond)
	if slices.Contains(facts, factOf(key, outcome == same)) {
		return true
	}
	switch cond.Op {
	case OpNot:
		return implied(cond.Args[0], !outcome, facts)
	case OpAnd, OpOr:
		l, r := implied(cond.Args[0], outcome, facts), implied(cond.Args[1], outcome, facts)
		if (cond.Op == OpAnd) == outcome {
			return l && r
		}
		return l || r
	}
	return false
}

// conditionKey returns a text that is equal for conditions that have the same
// outcome, or with same == false the opposite one: a != b and a == b, a >= b
// and a < b, size(x) > 0 and size(x) == 0.
func conditionKey(t *Term) (key string, same bool) {
	k := keyer{vars: map[*Decl]int{}}
	switch {
	case t.Op == OpNot:
		key, same = conditionKey(t.Args[0])
		return key, !same
	case t.Op == OpExists && t.Var2 == nil:
		filter := &Term{Op: OpFilter, Args: t.Args, Var: t.Var, Body: t.Body}
		return k.key(sizeOf(filter)) + " == 0", false
	case t.Op != OpBinary:
		return k.key(t), true
	}
	l, r := t.Args[0], t.Args[1]
	if r.Op == OpCall && r.Name == "size" && l.Op == OpConst {
		l, r, t = r, l, &Term{Op: OpBinary, Name: mirrored[t.Name]}
	}
	if emptiness, ok := sizeTest(l, t.Name, r); ok {
		return k.key(l) + " == 0", emptiness
	}
	// A comparison with NaN is false either way, so >= is not the opposite of <.
	total := l.Type.Kind != types.Double
	switch {
	case t.Name == "!=":
		return k.key(l) + " == " + k.key(r), false
	case t.Name == ">":
		return k.key(r) + " < " + k.key(l), true
	case t.Name == ">=" && total:
		return k.key(l) + " < " + k.key(r), false
	case t.Name == "<=" && total:
		return k.key(r) + " < " + k.key(l), false
	}
	return k.key(l) + " " + t.Name + " " + k.key(r), true
}

var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

// sizeTest recognises the ways to ask whether something is empty.
func sizeTest(l *Term, op string, r *Term) (empty, ok bool) {
	n, isInt := r.Lit.(int64)
	if l.Op != OpCall || l.Name != "size" || r.Op != OpConst || !isInt {
		return false, false
	}
	switch {
	case op == "==" && n == 0, op == "<" && n == 1, op == "<=" && n == 0:
		return true, true
	case op == "!=" && n == 0, op == ">=" && n == 1, op == ">" && n == 0:
		return false, true
	}
	return false, false
}

// A keyer writes terms down so that equal texts mean equal values. Variables
// of macros are numbered, since every check declares its own. With lists a let is
// what it stands for, and an optional path is the same as a plain one: as keys of
// lists, of which one that is absent has no elements.
type keyer struct {
	vars  map[*Decl]int
	lists bool
}

func (k *keyer) key(t *Term) string {
	switch {
	case t == nil:
		return ""
	case t.Op == OpPresent:
		return k.key(t.Args[0])
	case k.lists && t.Op == OpRef && t.Decl.Means != nil: // it reads no variable of a macro
		return (&keyer{vars: map[*Decl]int{}, lists: true}).key(t.Decl.Means)
	}
	op := t.Op
	if same, ok := ifThere[op]; ok && k.lists {
		op = same
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(%d %s %#v", op, t.Name, t.Lit)
	if t.Op == OpRef {
		if n, ok := k.vars[t.Decl]; ok {
			fmt.Fprintf(&b, " #%d", n)
		} else {
			b.WriteString(" " + t.Decl.identity())
		}
	}
	for _, a := range t.Args {
		b.WriteString(" " + k.key(a))
	}
	for _, v := range []*Decl{t.Var, t.Var2} {
		if v != nil {
			k.vars[v] = len(k.vars)
		}
	}
	b.WriteString(k.key(t.Body) + k.key(t.Body2) + ")")
	return b.String()
}

// ifThere has the form of a path that reads the same value where that is there.
var ifThere = map[Op]Op{OpOptField: OpField, OpOptIndex: OpIndex}

func sizeOf(list *Term) *Term {
	return &Term{Op: OpCall, Name: "size", Type: types.IntType, Args: []*Term{list}}
}

// Outcome returns the outcome of a comparison that has the same one whatever
// the values are, and why; "" for any other term.
func Outcome(t *Term) (outcome bool, why string) {
	if t.Op != OpBinary || mirrored[t.Name] == "" {
		return false, ""
	}
	l, op, r := t.Args[0], t.Name, t.Args[1]
	k := keyer{vars: map[*Decl]int{}}
	if l.Op == OpConst && r.Op != OpConst {
		l, op, r = r, mirrored[op], l
	}
	switch {
	case l.Op == OpConst:
		return literals(l, op, r), "both sides are literals"
	case l.Type.Kind != types.Double && k.key(l) == k.key(r):
		return op == "==" || op == "<=" || op == ">=", "both sides are the same"
	case r.Op != OpConst:
		return false, ""
	}
	least, most, what := bounds(l)
	n, ok := numberOf(r)
	switch {
	case !ok || what == "":
	case n < least:
		return op == "!=" || op == ">" || op == ">=", what
	case n > most:
		return op == "!=" || op == "<" || op == "<=", what
	case n == least && (op == ">=" || op == "<"):
		return op == ">=", what
	case n == most && (op == "<=" || op == ">"):
		return op == "<=", what
	}
	return false, ""
}

// literals compares two literals.
func literals(l *Term, op string, r *Term) bool {
	c := 0
	a, isNumber := numberOf(l)
	if b, ok := numberOf(r); ok && isNumber {
		c = cmp.Compare(a, b)
	} else {
		c = strings.Compare(fmt.Sprint(l.Lit), fmt.Sprint(r.Lit))
	}
	return map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
}

func numberOf(t *Term) (float64, bool) {
	switch v := t.Lit.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// bounds returns the least and the most that a term can be, and who says so.
// Only what callers send is bound to its limits: an upstream may break its own.
func bounds(t *Term) (least, most float64, what string) {
	least, most = math.Inf(-1), math.Inf(1)
	if t.Op == OpCall && t.Name == "size" {
		return 0, most, "a size is never negative"
	}
	if t.Op != OpField || t.Args[0].Op != OpRef || t.Args[0].Decl.Role != RoleInput || t.Type.Limits == nil {
		return least, most, ""
	}
	if m := t.Type.Limits.Minimum; m != nil {
		least = *m
	}
	if m := t.Type.Limits.Maximum; m != nil {
		most = *m
	}
	return least, most, fmt.Sprintf("the input %s is from %v to %v", t.Name, least, most)
}

// WalkKnown calls f for t and every term below it with what is known there, by
// the conditions around it beside facts.
func WalkKnown(t *Term, facts []string, f func(*Term, []string)) {
	if t == nil {
		return
	}
	f(t, facts)
	under := func(cond *Term, outcome bool) []string { return append(slices.Clip(facts), Facts(cond, outcome)...) }
	switch t.Op {
	case OpCond:
		WalkKnown(t.Args[0], facts, f)
		WalkKnown(t.Args[1], under(t.Args[0], true), f)
		WalkKnown(t.Args[2], under(t.Args[0], false), f)
	case OpAnd, OpOr:
		WalkKnown(t.Args[0], facts, f)
		WalkKnown(t.Args[1], under(t.Args[0], t.Op == OpAnd), f)
	case OpTransform, OpTransformMap:
		WalkKnown(t.Args[0], facts, f)
		WalkKnown(t.Body2, facts, f)
		if t.Body2 != nil {
			facts = under(t.Body2, true)
		}
		WalkKnown(t.Body, facts, f)
	default:
		for _, a := range t.Args {
			WalkKnown(a, facts, f)
		}
		WalkKnown(t.Body, facts, f)
		WalkKnown(t.Body2, facts, f)
	}
}
