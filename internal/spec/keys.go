package spec

import (
	"strconv"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// checkTop reports the keys that occur twice where everything else is looked
// up: which of two lists of paths does not matter for a part that nobody
// needs.
func (l *loader) checkTop() {
	for _, n := range []*node{l.root, l.root.get("info"), l.root.get("paths"), l.root.get("components"), l.schemes()} {
		l.checkKeys(n)
	}
}

// checkKeys reports the keys that an object has twice.
func (l *loader) checkKeys(n *node) {
	if n == nil || !n.hasTwins() {
		return
	}
	first := make(map[string]*node, len(n.kids()))
	for i := range n.kids() {
		k := &n.kids()[i]
		if f, ok := first[k.name]; ok {
			l.duplicate(f, k)
			continue
		}
		first[k.name] = k
	}
}

// checkAll reports the keys that occur twice anywhere in a value.
func (l *loader) checkAll(n *node) {
	l.checkKeys(n)
	for i := range n.kids() {
		l.checkAll(&n.kids()[i])
	}
}

// checkStep reports a duplicate key that a reference goes through; the other
// keys of that object are nobody's business.
func (l *loader) checkStep(n *node, key string) {
	if !n.hasTwins() {
		return
	}
	first := n.get(key)
	for i := range n.kids() {
		if k := &n.kids()[i]; k.name == key && k != first {
			l.duplicate(first, k)
		}
	}
}

// duplicate reports a key once, however many ways lead to it.
func (l *loader) duplicate(first, second *node) {
	if l.reported[second.where()] {
		return
	}
	if l.reported == nil {
		l.reported = map[pos]bool{}
	}
	l.reported[second.where()] = true
	l.findings.Add(diag.Finding{Rule: ruleDuplicateKey, Span: l.spanOf(second), Fix: "delete one of them",
		Message: "the key " + strconv.Quote(second.name) + " is here a second time",
		Related: []diag.Related{{Span: l.spanOf(first), Text: "the first one"}}})
}
