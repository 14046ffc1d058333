package expr

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// lengths are the elements that lists have at least, by the keys of the lists.
type lengths map[string]int

// atLeast is the fact that a list has n elements or more.
func atLeast(n int, key string) string { return fmt.Sprintf("%d in %s", n, key) }

// lengthFacts returns what is known of the lengths of lists and maps wherever cond
// has an outcome.
func lengthFacts(cond *Term, outcome bool) []string {
	long := lengths{}
	(&measure{done: map[measured]boundsKnown{}}).of(cond, outcome).each(long.add)
	var out []string
	for _, key := range slices.Sorted(maps.Keys(long)) {
		out = append(out, atLeast(long[key], key))
	}
	return out
}

// add notes that a list has n elements, and what follows for those that it is made
// of.
func (l lengths) add(list *Term, n int) {
	if n <= 0 {
		return
	}
	key := listKey(list)
	l[key] = max(l[key], n)
	switch {
	case list.Op == OpRef && list.Decl.Means != nil:
		l.add(list.Decl.Means, n)
	case list.Op == OpPresent, list.Op == OpOrValue && isEmptyLiteral(list.Args[1]):
		l.add(list.Args[0], n)
	case list.Op == OpFilter, list.Op == OpTransform, list.Op == OpSortBy, partOf[list.Name] && list.Op == OpCall:
		l.add(list.Args[0], n)
	case list.Op == OpCall && list.Name == "list.flatten":
		l.add(list.Args[0], 1)
	}
}

// partOf are the functions that give no more elements than they are given.
var partOf = map[string]bool{"list.take": true, "list.slice": true, "list.distinct": true, "list.sort": true, "list.reverse": true}

// listKey is the key of a list: an optional one that is absent counts as empty.
func listKey(list *Term) string {
	for list.Op == OpPresent || list.Op == OpOrValue && isEmptyLiteral(list.Args[1]) {
		list = list.Args[0]
	}
	k := keyer{vars: map[*Decl]int{}, lists: true}
	return k.key(list)
}

// Key returns a text that is equal for terms that have the same value where they
// have one. A let is what it stands for.
func Key(t *Term) string { return listKey(t) }

// A bound says that a list has n elements or more.
type bound struct {
	list *Term
	n    int
}

type boundsKnown []bound

func (b boundsKnown) each(f func(*Term, int)) {
	for _, x := range b {
		f(x.list, x.n)
	}
}

// both are the bounds that hold in either case.
func (b boundsKnown) both(other boundsKnown) boundsKnown {
	also := lengths{}
	other.each(also.add)
	var out boundsKnown
	b.each(func(list *Term, n int) {
		if n = min(n, also[listKey(list)]); n > 0 {
			out = append(out, bound{list, n})
			return
		}
		if list.Op == OpFilter { // that its source is not empty may hold for both
			out = append(out, boundsKnown{{list.Args[0], 1}}.both(other)...)
		}
	})
	return out
}

// A measure finds the bounds that follow from the outcome of a condition. Either
// outcome of a part is asked for by several wholes, and found once.
type measure struct{ done map[measured]boundsKnown }

type measured struct {
	cond    *Term
	outcome bool
}

func (m *measure) of(cond *Term, outcome bool) boundsKnown {
	key := measured{cond, outcome}
	if _, ok := m.done[key]; !ok {
		m.done[key] = m.find(cond, outcome)
	}
	return slices.Clip(m.done[key])
}

// find leaves out what does not certainly follow.
func (m *measure) find(cond *Term, outcome bool) boundsKnown {
	switch cond.Op {
	case OpRef:
		if cond.Decl.Means != nil {
			return m.of(cond.Decl.Means, outcome)
		}
	case OpNot:
		return m.of(cond.Args[0], !outcome)
	case OpAnd, OpOr:
		return m.junction(cond, outcome)
	case OpCond:
		return m.choice(cond, outcome)
	case OpExists, OpExistsOne:
		if !outcome {
			return nil
		}
		if cond.Var2 != nil || cond.Args[0].Type.Kind != types.List {
			return boundsKnown{{cond.Args[0], 1}}
		}
		return boundsKnown{{&Term{Op: OpFilter, Type: cond.Args[0].Type, Args: cond.Args, Var: cond.Var, Body: cond.Body}, 1}}
	case OpAll: // some element does not meet the condition
		if !outcome {
			return boundsKnown{{cond.Args[0], 1}}
		}
	case OpIn:
		if outcome {
			return boundsKnown{{cond.Args[1], 1}}
		}
	case OpHasValue, OpHas:
		if outcome {
			return lengthsOfValue(cond.Args[0])
		}
	case OpIsMissing:
		if !outcome {
			return lengthsOfValue(cond.Args[0])
		}
	case OpBinary:
		return m.comparison(cond, outcome)
	case OpCall:
		if cond.Name == "string.contains(string)" && outcome && separates(cond.Args[1]) {
			return boundsKnown{{&Term{Op: OpCall, Name: "string.split(string)", Type: types.ListOf(types.StringType), Args: cond.Args}, 2}}
		}
	}
	return nil
}

// separates reports whether a text has a part on each side of t.
func separates(t *Term) bool {
	by, ok := t.Lit.(string)
	return ok && t.Op == OpConst && by != ""
}

// junction joins the bounds of && or ||: those of both sides where both
// have the outcome, otherwise those that hold whichever has it.
func (m *measure) junction(cond *Term, outcome bool) boundsKnown {
	l, r := m.of(cond.Args[0], outcome), m.of(cond.Args[1], outcome)
	if outcome == (cond.Op == OpAnd) {
		return append(l, r...)
	}
	return l.both(append(r, m.of(cond.Args[0], !outcome)...))
}

// choice joins the bounds of the two ways through ?:, of which a literal
// with the other outcome is none.
func (m *measure) choice(cond *Term, outcome bool) boundsKnown {
	var ways []boundsKnown
	for i, arm := range cond.Args[1:] {
		if lit, ok := arm.Lit.(bool); !ok || arm.Op != OpConst || lit == outcome {
			ways = append(ways, append(m.of(cond.Args[0], i == 0), m.of(arm, outcome)...))
		}
	}
	switch len(ways) {
	case 1:
		return ways[0]
	case 2:
		return ways[0].both(ways[1])
	}
	return nil
}

// lengthsOfValue returns the bounds that follow from a value that is there.
func lengthsOfValue(x *Term) boundsKnown {
	switch x.Op {
	case OpRef:
		if x.Decl.Means != nil {
			return lengthsOfValue(x.Decl.Means)
		}
	case OpIndex, OpOptIndex:
		of, n := x.Args[0], 1
		if i, ok := x.Args[1].Lit.(int64); ok && x.Args[1].Op == OpConst && isListType(of.Type) && i >= 0 && i < maxLength {
			n = int(i) + 1
		}
		return append(lengthsOfValue(of), bound{of, n})
	case OpCall:
		if x.Name == "list.first" || x.Name == "list.last" {
			return boundsKnown{{x.Args[0], 1}}
		}
	case OpField, OpOptField, OpNarrow, OpPresent, OpOptMap, OpOptFlatMap:
		return lengthsOfValue(x.Args[0])
	}
	return nil
}

func isListType(t *types.Type) bool {
	if t.Kind == types.Optional {
		t = t.Elem
	}
	return t.Kind == types.List
}

// maxLength bounds the lengths that are known, so that they can be counted on.
const maxLength = 1 << 30

// comparison returns the bounds that follow from a comparison of a length
// with a number, of a list with [], or of a condition with a literal.
func (m *measure) comparison(cond *Term, outcome bool) boundsKnown {
	l, op, r := cond.Args[0], cond.Name, cond.Args[1]
	if l.Op == OpConst || isEmptyLiteral(l) {
		l, op, r = r, mirrored[op], l
	}
	switch lit := r.Lit.(type) {
	case bool:
		if r.Op == OpConst && (op == "==" || op == "!=") {
			return m.of(l, (lit == (op == "==")) == outcome)
		}
	case int64:
		if size := l; r.Op == OpConst && size.Op == OpCall && size.Name == "size" && lit >= 0 && lit < maxLength {
			if n := leastOf(op, int(lit), outcome); n > 0 {
				return boundsKnown{{size.Args[0], n}}
			}
		}
	}
	if isEmptyLiteral(r) && (op == "!=" && outcome || op == "==" && !outcome) {
		return boundsKnown{{l, 1}}
	}
	return nil
}

// leastOf is the least length for which "length op n" has an outcome.
func leastOf(op string, n int, outcome bool) int {
	switch {
	case op == ">" && outcome, op == "<=" && !outcome:
		return n + 1
	case op == ">=" && outcome, op == "<" && !outcome, op == "==" && outcome, op == "!=" && !outcome:
		return n
	case n == 0 && (op == "!=" && outcome || op == "==" && !outcome):
		return 1
	}
	return 0
}

// AtLeast returns how many elements a list has at least, by what facts say and by
// what it is made of.
func AtLeast(list *Term, facts []string) int { return known{facts, false}.least(list) }

// Promised is AtLeast where schemas are believed, too: an answer may break its own.
func Promised(list *Term, facts []string) int { return known{facts, true}.least(list) }

// known is what lengths follow from: facts, and with believe what schemas promise.
type known struct {
	facts   []string
	believe bool
}

// under is k where a condition has an outcome.
func (k known) under(cond *Term, outcome bool) known {
	k.facts = append(slices.Clip(k.facts), Facts(cond, outcome)...)
	return k
}

func (k known) least(list *Term) int {
	n := 0
	key := " in " + listKey(list)
	for _, fact := range k.facts {
		if count, ok := strings.CutSuffix(fact, key); ok {
			if known, err := strconv.Atoi(count); err == nil {
				n = max(n, known)
			}
		}
	}
	if l := list.Type.Limits; k.believe && list.Type.Kind == types.List && l != nil && l.MinItems != nil && *l.MinItems < maxLength {
		n = max(n, int(*l.MinItems))
	}
	return max(n, k.leastMade(list))
}

// leastMade is how many elements a list has at least by what it is made of.
func (k known) leastMade(list *Term) int {
	switch list.Op {
	case OpRef:
		if list.Decl.Literal != nil {
			return k.least(list.Decl.Literal)
		}
		if list.Decl.Means != nil {
			return k.least(list.Decl.Means)
		}
	case OpPresent:
		return k.least(list.Args[0])
	case OpList:
		n := 0
		for _, optional := range list.Opts {
			if !optional {
				n++
			}
		}
		return n
	case OpTransform:
		if list.Body2 == nil {
			return k.least(list.Args[0])
		}
	case OpSortBy:
		return k.least(list.Args[0])
	case OpCond:
		return min(k.under(list.Args[0], true).least(list.Args[1]), k.under(list.Args[0], false).least(list.Args[2]))
	case OpBinary:
		if list.Name == "+" && list.Type.Kind == types.List {
			return k.least(list.Args[0]) + k.least(list.Args[1])
		}
	case OpCall:
		return k.leastCalled(list)
	}
	return 0
}

// leastCalled is leastMade for what a function gives.
func (k known) leastCalled(list *Term) int {
	number := func(i int) (n int, ok bool) {
		lit, ok := list.Args[i].Lit.(int64)
		return int(lit), ok && list.Args[i].Op == OpConst && lit >= 0 && lit < maxLength
	}
	switch list.Name {
	case "list.sort", "list.reverse":
		return k.least(list.Args[0])
	case "list.distinct":
		return min(1, k.least(list.Args[0]))
	case "list.take":
		if n, ok := number(1); ok {
			return min(n, k.least(list.Args[0]))
		}
	case "list.slice": // what is not there is an error of its own
		from, ok := number(1)
		to, also := number(2)
		if ok && also {
			return max(0, to-from)
		}
	case "lists.range(int)":
		if n, ok := number(0); ok {
			return n
		}
	case "string.split(string)":
		return map[bool]int{true: 1}[separates(list.Args[1])]
	case "string.split(string, int)": // into no parts for 0, and all for less
		if most, ok := list.Args[2].Lit.(int64); ok && most != 0 && separates(list.Args[1]) {
			return 1
		}
	}
	return 0
}
