package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A match is a node that a query selects, and how it was reached.
type match struct {
	node   *node
	parent *match
	// index is the position among the children of the parent.
	index int
}

// place is the way from the root.
func (m *match) place() []int {
	var way []int
	for ; m.parent != nil; m = m.parent {
		way = append(way, m.index)
	}
	slices.Reverse(way)
	return way
}

// mostVisits bounds the work of one query, so that a hostile one ends.
const mostVisits = 20_000_000

// A pathQuery runs queries on one tree.
type pathQuery struct {
	root    *node
	visits  int
	regexps map[string]*regexp.Regexp
}

// find returns the nodes that a query selects, each once, in the order of the
// document; ok is false where that takes too long.
func (path *jsonPath) find(root *node) (found []*match, ok bool) {
	q := &pathQuery{root: root, regexps: map[string]*regexp.Regexp{}}
	found = q.run(path, nil)
	return found, q.visits <= mostVisits
}

// run follows a query from the root, or from the node that a filter judges.
func (q *pathQuery) run(path *jsonPath, current *match) []*match {
	at := []*match{{node: q.root}}
	if path.current {
		at = []*match{current}
	}
	for i := range path.segments {
		s := &path.segments[i]
		var next []*match
		for _, m := range at {
			next = q.segment(next, s, m)
		}
		at = once(next)
	}
	return at
}

// once drops nodes that were selected before.
func once(list []*match) []*match {
	if len(list) < 2 {
		return list
	}
	seen := make(map[*node]bool, len(list))
	return slices.DeleteFunc(list, func(m *match) bool {
		twice := seen[m.node]
		seen[m.node] = true
		return twice
	})
}

func (q *pathQuery) segment(to []*match, s *pathSegment, m *match) []*match {
	for i := range s.selectors {
		to = q.pick(to, &s.selectors[i], m)
	}
	if !s.descend {
		return to
	}
	for i := range m.node.kids() {
		to = q.segment(to, s, &match{&m.node.kids()[i], m, i})
		if q.visits > mostVisits {
			return nil
		}
	}
	return to
}

func (q *pathQuery) pick(to []*match, s *selector, m *match) []*match {
	kids := m.node.kids()
	if q.visits += 1 + len(kids); q.visits > mostVisits {
		return nil
	}
	add := func(i int) { to = append(to, &match{&kids[i], m, i}) }
	switch s.kind {
	case byName:
		if m.node.kind != objectNode {
			break
		}
		if i := slices.IndexFunc(kids, func(k node) bool { return k.name == s.name }); i >= 0 {
			add(i)
		}
	case byIndex:
		i := s.index
		if i < 0 {
			i += len(kids)
		}
		if m.node.kind == arrayNode && i >= 0 && i < len(kids) {
			add(i)
		}
	case bySlice:
		if m.node.kind == arrayNode {
			s.slice(len(kids), add)
		}
	case anyChild:
		for i := range kids {
			add(i)
		}
	case byFilter:
		for i := range kids {
			if q.holds(s.filter, &match{&kids[i], m, i}) {
				add(i)
			}
		}
	}
	return to
}

// slice visits the indexes of a slice (RFC 9535, 2.3.4.2).
func (s *selector) slice(n int, visit func(int)) {
	or := func(p *int, fallback int) int {
		switch {
		case p == nil:
			return fallback
		case *p < 0:
			return n + *p
		}
		return *p
	}
	step := 1
	if s.step != nil {
		step = *s.step
	}
	switch {
	case step > 0:
		for i, end := max(or(s.first, 0), 0), min(or(s.last, n), n); i < end; i += min(step, n+1) {
			visit(i)
		}
	case step < 0:
		for i, end := min(or(s.first, n-1), n-1), max(or(s.last, -1), -1); i > end; i += max(step, -n-1) {
			visit(i)
		}
	}
}

func (q *pathQuery) holds(c *condition, m *match) bool {
	switch c.op {
	case "||":
		return q.holds(c.left, m) || q.holds(c.right, m)
	case "&&":
		return q.holds(c.left, m) && q.holds(c.right, m)
	case "!":
		return !q.holds(c.left, m)
	case "(":
		return q.holds(c.left, m)
	case "query":
		return len(q.run(c.query, m)) > 0
	case "call":
		return q.matches(c.call, m)
	}
	left, right := q.value(c.operands[0], m), q.value(c.operands[1], m)
	equal := sameNode(left, right)
	switch c.op {
	case "==":
		return equal
	case "!=":
		return !equal
	case "<":
		return lessNode(left, right)
	case "<=":
		return lessNode(left, right) || equal
	case ">":
		return lessNode(right, left)
	}
	return lessNode(right, left) || equal
}

// value is that of an operand, nil for nothing.
func (q *pathQuery) value(o operand, m *match) *node {
	switch {
	case o.literal != nil:
		return o.literal
	case o.query != nil:
		if found := q.run(o.query, m); len(found) == 1 {
			return found[0].node
		}
		return nil
	}
	arg := o.call.args[0]
	switch o.call.name {
	case "count":
		return numberOf(len(q.run(arg.query, m)))
	case "length":
		switch v := q.value(arg, m); {
		case v == nil:
		case v.kind == stringNode:
			return numberOf(utf8.RuneCountInString(v.text))
		case v.kind == arrayNode || v.kind == objectNode:
			return numberOf(len(v.kids()))
		}
		return nil
	}
	return q.value(operand{query: arg.query}, m)
}

func numberOf(n int) *node { return &node{kind: numberNode, text: strconv.Itoa(n)} }

// matches answers match(), for the whole text, and search(), for a part.
func (q *pathQuery) matches(call *pathCall, m *match) bool {
	text, pattern := q.value(call.args[0], m), q.value(call.args[1], m)
	if text == nil || pattern == nil || text.kind != stringNode || pattern.kind != stringNode {
		return false
	}
	source := pattern.text
	if call.name == "match" {
		source = `\A(?:` + source + `)\z`
	}
	re, known := q.regexps[source]
	if !known {
		re, _ = regexp.Compile(source) // one that is none matches nothing (RFC 9535, 2.4.6)
		q.regexps[source] = re
	}
	return re != nil && re.MatchString(text.text)
}

// sameNode compares two values; nothing equals nothing (RFC 9535, 2.3.5.2.2).
func sameNode(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case numberNode:
		return number(a) == number(b)
	case arrayNode:
		return slices.EqualFunc(a.kids(), b.kids(), func(x, y node) bool { return sameNode(&x, &y) })
	case objectNode:
		return len(a.kids()) == len(b.kids()) && !slices.ContainsFunc(a.kids(), func(k node) bool {
			other := b.get(k.name)
			return other == nil || !sameNode(&k, other)
		})
	}
	return a.text == b.text
}

func lessNode(a, b *node) bool {
	if a == nil || b == nil || a.kind != b.kind {
		return false
	}
	switch a.kind {
	case numberNode:
		return number(a) < number(b)
	case stringNode:
		return strings.Compare(a.text, b.text) < 0
	}
	return false
}

func number(n *node) float64 {
	v, _ := strconv.ParseFloat(n.text, 64) // the tree holds numbers alone, and infinity compares
	return v
}
