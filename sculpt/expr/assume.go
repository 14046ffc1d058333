package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/types"
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
// of macros are numbered, since every check declares its own.
type keyer struct{ vars map[*Decl]int }

func (k *keyer) key(t *Term) string {
	if t == nil {
		return ""
	}
	if t.Op == OpPresent {
		return k.key(t.Args[0])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(%d %s %#v", t.Op, t.Name, t.Lit)
	if t.Op == OpRef {
		if n, ok := k.vars[t.Decl]; ok {
			fmt.Fprintf(&b, " #%d", n)
		} else {
			fmt.Fprintf(&b, " %p", t.Decl)
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
