package manifest

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// Excerpt returns a manifest in JSON that holds one tool and what it uses of
// the rest, without prose: how the tool does its work, and nothing else. Equal
// work gives equal bytes, wherever it is written in the file. It is nil for a
// tool that is not there.
func (m *Manifest) Excerpt(tool string) []byte {
	tools := m.root.member("tools")
	if tools == nil || tools.member(tool) == nil {
		return nil
	}
	body := table.tool().bare(tools.member(tool))
	used := words(body, map[string]bool{})
	flows := m.root.pick("flows", used)
	if flows != nil {
		words(flows, used)
	}
	apis := m.root.pick("apis", used)
	if apis != nil {
		apis.withoutOverlays()
		words(apis, used)
	}
	root := &Node{Kind: MapNode}
	for _, key := range table.names {
		if table.below[key].key.Plan == Work {
			root.add(key, m.root.member(key))
		}
	}
	root.add("env", m.root.pick("env", used))
	root.add("apis", apis)
	root.add("constants", m.root.pick("constants", used))
	root.add("flows", flows)
	all := &Node{Kind: MapNode}
	all.add(tool, body)
	root.add("tools", all)
	return root.JSON()
}

// withoutOverlays leaves out what the documents of a plan contain already.
func (n *Node) withoutOverlays() {
	for i := range n.Members {
		api := &n.Members[i].Value
		api.Members = slices.DeleteFunc(slices.Clone(api.Members), func(p Pair) bool { return p.Key.Value == "overlays" })
	}
}

// add appends a member that is there.
func (n *Node) add(key string, v *Node) {
	if v != nil {
		n.Members = append(n.Members, Pair{Key: Scalar{Value: key, Type: TextType}, Value: *v})
	}
}

// pick returns the entries of a map that are used, by name; nil for none.
func (n *Node) pick(key string, used map[string]bool) *Node {
	out := &Node{Kind: MapNode}
	if all := n.member(key); all != nil {
		for _, p := range all.Members {
			if used[p.Key.Value] {
				out.add(p.Key.Value, &p.Value)
			}
		}
	}
	if len(out.Members) == 0 {
		return nil
	}
	return out
}

var word = pattern.Of(`[A-Za-z_][A-Za-z0-9_]*`)

// words notes every name in a tree.
func words(n *Node, into map[string]bool) map[string]bool {
	for _, w := range word().FindAllString(n.Scalar.Value, -1) {
		into[w] = true
	}
	for i := range n.Items {
		words(&n.Items[i], into)
	}
	for i := range n.Members {
		into[n.Members[i].Key.Value] = true
		words(&n.Members[i].Value, into)
	}
	return into
}

// bare returns a value without prose, as the shares below its row say; nil
// for an object of which nothing is left.
func (l *level) bare(n *Node) *Node {
	if n.Kind != MapNode {
		if l.key.Short == Text {
			return dash(l.key) // a plain value is its text
		}
		return n
	}
	out := &Node{Kind: MapNode}
	less := false
	for _, name := range l.names {
		key := l.below[name].key
		less = less || key.Plan == Prose
		if key.Plan == Dash && key.Required {
			out.add(name, dash(key))
		}
	}
	for _, p := range n.Members {
		below := l.below[p.Key.Value]
		if l.key.Type == Map {
			below = l.below["*"]
		}
		switch {
		case below.key.Plan == Work:
			out.add(p.Key.Value, &p.Value)
		case below.key.Plan == Mixed:
			out.add(p.Key.Value, below.bare(&p.Value))
		case below.key.Plan == Dash && !below.key.Required:
			out.add(p.Key.Value, dash(below.key))
		}
	}
	if less && len(out.Members) == 0 {
		return nil
	}
	return out
}

// dash is what a manifest must say at least under a key.
func dash(k *Key) *Node {
	if k.Type == Int {
		return &Node{Kind: ScalarNode, Scalar: Scalar{Value: "1", Type: IntType}}
	}
	return &Node{Kind: ScalarNode, Scalar: Scalar{Value: "-", Type: TextType}}
}

// JSON writes a tree as JSON, which is YAML too.
func (n *Node) JSON() []byte { return appendJSON(nil, n) }

func appendJSON(b []byte, n *Node) []byte {
	switch n.Kind {
	case MapNode:
		b = append(b, '{')
		for i := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(diag.AppendText(b, n.Members[i].Key.Value), ':')
			b = appendJSON(b, &n.Members[i].Value)
		}
		return append(b, '}')
	case ListNode:
		b = append(b, '[')
		for i := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, &n.Items[i])
		}
		return append(b, ']')
	}
	switch n.Scalar.Type {
	case IntType, FloatType, BoolType:
		return append(b, n.Scalar.Value...)
	case TextType:
		return diag.AppendText(b, n.Scalar.Value)
	}
	return append(b, "null"...)
}
