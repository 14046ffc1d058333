package manifest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// prose are the keys of a tool that say nothing about how it works, and those
// that are about its versions.
var prose = []string{
	"version", "title", "description", "when_to_use", "tags", "examples", "accept", "freeze", "policy", "deprecated", "image", "author", "category",
	"homepage", "success", "returns", "localization", "prerequisites", "feedback",
}

// effectNotes are the keys of effects that are prose too.
var effectNotes = []string{"creates", "modifies", "deletes", "cost", "duration"}

// Excerpt returns a manifest in JSON that holds one tool and what it uses of
// the rest, without prose: how the tool does its work, and nothing else. Equal
// work gives equal bytes, wherever it is written in the file. It is nil for a
// tool that is not there.
func (m *Manifest) Excerpt(tool string) []byte {
	tools := m.root.member("tools")
	if tools == nil || tools.member(tool) == nil {
		return nil
	}
	body := bare(tools.member(tool))
	used := words(body, map[string]bool{})
	flows := m.root.pick("flows", used)
	if flows != nil {
		words(flows, used)
	}
	root := &Node{Kind: MapNode}
	for _, key := range []string{"sculpt", "package", "toolkit", "namespace"} {
		root.add(key, m.root.member(key))
	}
	apis := m.root.pick("apis", used)
	if apis != nil {
		words(apis, used)
	}
	root.add("env", m.root.pick("env", used))
	root.add("apis", apis)
	root.add("constants", m.root.pick("constants", used))
	root.add("flows", flows)
	all := &Node{Kind: MapNode}
	all.add(tool, body)
	root.add("tools", all)
	return appendJSON(nil, root)
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
	for _, p := range n.members(key) {
		if used[p.Key.Value] {
			out.add(p.Key.Value, &p.Value)
		}
	}
	if len(out.Members) == 0 {
		return nil
	}
	return out
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// words notes every name in a tree.
func words(n *Node, into map[string]bool) map[string]bool {
	for _, w := range word.FindAllString(n.Scalar.Value, -1) {
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

// bare returns a tool without prose. What a manifest must say is a dash.
func bare(tool *Node) *Node {
	out := &Node{Kind: MapNode}
	out.add("version", number("1"))
	out.add("description", dash())
	for _, p := range tool.Members {
		switch {
		case slices.Contains(prose, p.Key.Value):
		case p.Key.Value == "inputs" || p.Key.Value == "outputs":
			faces := &Node{Kind: MapNode}
			for _, f := range p.Value.Members {
				faces.add(f.Key.Value, bareFace(&f.Value, p.Key.Value == "inputs"))
			}
			out.add(p.Key.Value, faces)
		case p.Key.Value == "effects":
			out.add("effects", bareEffects(&p.Value))
		default:
			out.add(p.Key.Value, &p.Value)
		}
	}
	return out
}

// bareEffects returns the effects that callers decide by; nil for none.
func bareEffects(effects *Node) *Node {
	out := &Node{Kind: MapNode}
	for _, p := range effects.Members {
		if !slices.Contains(effectNotes, p.Key.Value) {
			out.add(p.Key.Value, &p.Value)
		}
	}
	if len(out.Members) == 0 {
		return nil
	}
	return out
}

func dash() *Node { return &Node{Kind: ScalarNode, Scalar: Scalar{Value: "-", Type: TextType}} }

func number(text string) *Node {
	return &Node{Kind: ScalarNode, Scalar: Scalar{Value: text, Type: IntType}}
}

// bareFace returns an input or output without texts, and without the header
// that only clients of MCP know; values keep what they stand for.
func bareFace(face *Node, isInput bool) *Node {
	out := &Node{Kind: MapNode}
	out.add("description", dash())
	for _, p := range face.Members {
		switch {
		case p.Key.Value == "description" || p.Key.Value == "mcp_header":
		case p.Key.Value == "values":
			values := &Node{Kind: MapNode}
			for _, v := range p.Value.Members {
				values.add(v.Key.Value, bareValue(&v.Value, isInput))
			}
			out.add("values", values)
		default:
			out.add(p.Key.Value, &p.Value)
		}
	}
	return out
}

func bareValue(v *Node, isInput bool) *Node {
	if v.Kind != MapNode {
		if isInput {
			return dash() // a plain value is its text
		}
		return v
	}
	out := &Node{Kind: MapNode}
	for _, p := range v.Members {
		if p.Key.Value == "text" {
			out.add("text", dash())
			continue
		}
		out.add(p.Key.Value, &p.Value)
	}
	return out
}

// appendJSON writes a tree as JSON, which is YAML too.
func appendJSON(b []byte, n *Node) []byte {
	switch n.Kind {
	case MapNode:
		b = append(b, '{')
		for i := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, n.Members[i].Key.Value), ':')
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
		return appendText(b, n.Scalar.Value)
	}
	return append(b, "null"...)
}

func appendText(b []byte, text string) []byte {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic("manifest: " + err.Error()) // texts always encode
	}
	return append(b, strings.TrimSuffix(out.String(), "\n")...)
}
