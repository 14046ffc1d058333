// Package meaning says what differs between two plans of a tool: not in how they
// are written, but in what they do.
//
// Two resolved plans are compared part by part. Steps are known by what they are
// and lets by their values, so another name for either is no difference, and
// neither are format, comments, the order of keys, the file that something is
// written in, or what a document says of things that no step uses. Words of
// messages are for people; what they read is compared.
//
// The package imports diag, types, operation, expr and ir only. It stays apart
// from compat, which compares what callers see and may not know a plan.
package meaning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A Change is a part of a plan that does something else.
type Change struct {
	// Part is the place in the words of the manifest: "outputs.count",
	// "steps.found.with.q", "constants.factor".
	Part string
	// What happened, in words, with both texts shortened.
	What string
	// Span is the part in the newer manifest, zero if it is gone.
	Span diag.Span
}

// A Tool is a tool in its program.
type Tool struct {
	Program *ir.Program
	Tool    *ir.Tool
}

// Compare lists what the newer plan does otherwise. Inputs, outputs and values of
// inputs that only one of them has belong to the signature and are passed over.
func Compare(old, new Tool) []Change {
	c := &comparison{was: sideOf(old), is: sideOf(new), followed: map[string]bool{}}
	pairs := pair(c.was, c.is)
	c.shared(c.was.inputs(), c.is.inputs())
	for _, p := range pairs {
		c.diff(p.was, p.is)
	}
	c.below(c.was.whole(), c.is.whole())
	c.shared(c.was.outputs(), c.is.outputs())
	c.below(c.was.env(), c.is.env())
	return c.changes
}

// Digest is equal for plans that mean the same to callers of an older version,
// as far as Compare looks, and after a change of meaning it is another one.
func Digest(old, t Tool) string {
	s := sideOf(t)
	s.seen = sideOf(old).known
	var all []string
	for _, step := range s.plan.Steps {
		all = append(all, s.label(step))
	}
	for _, n := range slices.DeleteFunc(slices.Concat(s.inputs(), s.whole(), s.outputs(), s.env()), s.unseen) {
		all = append(all, n.part+" "+n.digest())
	}
	slices.Sort(all)
	return "sha256:" + sum(all...)
}

// comparison is the state of one Compare.
type comparison struct {
	was, is *side
	// followed are the lets and constants that were reported.
	followed map[string]bool
	changes  []Change
}

// add reports a change, once.
func (c *comparison) add(part string, at diag.Span, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if !slices.ContainsFunc(c.changes, func(d Change) bool { return d.Part == part && d.What == what }) {
		c.changes = append(c.changes, Change{part, what, at})
	}
}

// shared compares the nodes that both sides have.
func (c *comparison) shared(was, is []*node) {
	for _, old := range was {
		if at := slices.IndexFunc(is, func(n *node) bool { return n.key == old.key }); at >= 0 {
			c.diff(old, is[at])
		}
	}
}

// diff reports what differs between two nodes, at the innermost part that can be
// named; nil is a part that is not there.
func (c *comparison) diff(old, new *node) {
	switch {
	case old == nil && new == nil:
	case old == nil:
		c.add(new.part, new.at, "%s is new: %s", new.says, orNothing(clip(new.shown(), 0)))
	case new == nil:
		c.add(old.part, diag.Span{}, "%s is gone: %s", old.says, orNothing(clip(old.shown(), 0)))
	case old.digest() == new.digest():
	case old.own != new.own || len(old.kids)+len(new.kids) == 0:
		c.changed(old, new)
	default:
		for _, k := range new.kids {
			if k.at.IsZero() {
				k.at = new.at
			}
		}
		c.below(old.kids, new.kids)
	}
}

// below pairs what is below two nodes: by name, and what has none by its place
// after what is equal at both ends.
func (c *comparison) below(was, is []*node) {
	for len(was) > 0 && len(is) > 0 && was[0].key == "" && is[0].key == "" && was[0].digest() == is[0].digest() {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && last(was).key == "" && last(is).key == "" && last(was).digest() == last(is).digest() {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	number(was)
	number(is)
	done := map[string]bool{}
	for _, old := range was {
		var same *node
		if at := slices.IndexFunc(is, func(n *node) bool { return n.key == old.key }); at >= 0 {
			same, done[old.key] = is[at], true
		}
		c.diff(old, same)
	}
	for _, n := range is {
		if !done[n.key] && (n.needs == "" || c.was.known[n.needs]) {
			c.diff(nil, n)
		}
	}
}

// number names what has no name by its place.
func number(list []*node) {
	for i, n := range list {
		if n.key == "" {
			n.key = fmt.Sprint("#", i)
		}
	}
}

func last(list []*node) *node { return list[len(list)-1] }

// changed says of a part how it was and how it is.
func (c *comparison) changed(old, new *node) {
	if old.expr == nil || new.expr == nil {
		c.words(new.part, new.says, new.at, old.shown(), new.shown())
		return
	}
	for _, d := range c.descend(spot{in: old.expr, term: old.expr.Term}, spot{in: new.expr, term: new.expr.Term}) {
		part, says, at := new.part, new.says, new.at
		if d.part != "" {
			if c.followed[d.part] {
				continue
			}
			c.followed[d.part] = true
			part, says, at = d.part, fmt.Sprintf("%s, which %s reads,", d.says, new.says), d.at
		}
		if d.was == d.is {
			c.add(part, at, "%s is still %s, and %s", says, orNothing(clip(d.is, 0)), d.why)
			continue
		}
		c.words(part, says, at, d.was, d.is)
	}
}

// words reports how a part was written and how it is.
func (c *comparison) words(part, says string, at diag.Span, was, is string) {
	from := apart(was, is)
	c.add(part, at, "%s was %s and is %s", says, orNothing(clip(was, from)), orNothing(clip(is, from)))
}

// A node is a part of a plan with what is below it.
type node struct {
	// key tells it from those beside it, "" for elements of a list; part and says
	// name it.
	key, part, says string
	// own is what it is by itself, text how people read that.
	own, text string
	expr      *ir.Expr
	at        diag.Span
	kids      []*node
	// needs is the input or the value of an output without which the part is
	// nothing: callers who do not know it do not notice a new one.
	needs string
	// hidden nodes are left out where people read the node above.
	hidden bool
	sum    string
}

// digest is equal for nodes that mean the same.
func (n *node) digest() string {
	if n.sum == "" {
		var named, listed []string
		for _, k := range n.kids {
			if k.key == "" {
				listed = append(listed, k.digest())
			} else {
				named = append(named, k.key+" "+k.digest())
			}
		}
		slices.Sort(named)
		n.sum = sum(n.own, sum(named...), sum(listed...))
	}
	return n.sum
}

func (n *node) shown() string {
	switch {
	case n.text != "":
		return n.text
	case n.expr != nil:
		return strings.TrimSpace(n.expr.Text)
	}
	var parts []string
	for _, k := range n.kids {
		if !k.hidden {
			parts = append(parts, k.shown())
		}
	}
	return strings.Join(parts, ", ")
}
