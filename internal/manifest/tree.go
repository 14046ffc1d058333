package manifest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A treeBuilder turns YAML nodes into nodes with places. What it refuses is
// reported and left out.
type treeBuilder struct {
	src  *source
	list *diag.List
	// deep is set once, so that a bomb is one finding.
	deep bool
	// flow counts the brackets around the value at hand.
	flow int
}

// node converts a value; false says that it was refused.
func (b *treeBuilder) node(n *yaml.Node, depth int) (Node, bool) {
	if !b.allowed(n, depth) {
		return Node{}, false
	}
	if n.Style&yaml.FlowStyle != 0 {
		b.flow++
		defer func() { b.flow-- }()
	}
	switch n.Kind {
	case yaml.MappingNode:
		return b.mapping(n, depth), true
	case yaml.SequenceNode:
		return b.sequence(n, depth), true
	}
	s := newScalar(b.src, n)
	if n.Style&(quotedStyle|blockStyle) == 0 {
		if b.cut(s) || b.odd(s) {
			return Node{}, false
		}
	}
	b.controls(s)
	return Node{Kind: ScalarNode, Span: s.Span, Scalar: s}, true
}

// allowed refuses what a manifest does not use: tags, anchors, aliases, depth.
func (b *treeBuilder) allowed(n *yaml.Node, depth int) bool {
	tagged := n.Tag == "!" || n.Style&yaml.TaggedStyle != 0
	if depth <= maxDepth && n.Kind != yaml.AliasNode && n.Anchor == "" && !tagged {
		return true
	}
	start := b.src.offset(n.Line, n.Column)
	token := b.src.span(start, b.tokenEnd(start))
	switch {
	case depth > maxDepth:
		if !b.deep {
			b.list.Errorf(ruleTooDeep, token, "", "the manifest is nested deeper than %d levels", maxDepth)
		}
		b.deep = true
	case n.Kind == yaml.AliasNode:
		b.list.Errorf(ruleYAMLAlias, token, "write the value again, or make it a constant", `"*%s" refers to an anchor, which a manifest does not allow`, n.Value)
	case n.Anchor != "":
		b.list.Errorf(ruleYAMLAlias, token, "write the value where it is needed, or make it a constant", `"&%s" is an anchor, which a manifest does not allow`, n.Anchor)
	default:
		b.tag(n, start, token)
	}
	return false
}

// tag reports a tag: a core one is a type written out, any other is text that
// happens to start with an exclamation mark, as expressions do.
func (b *treeBuilder) tag(n *yaml.Node, start int, token diag.Span) {
	if strings.HasPrefix(n.Tag, "!!") {
		b.list.Errorf(ruleWrongType, token, "leave the tag out; quote the value if it is text", `%q is a YAML tag, which a manifest does not allow`, n.Tag)
		return
	}
	text := b.src.text[start:b.src.lineEnd(start)]
	if b.flow > 0 {
		text = text[:flowEnd(text)]
	}
	text = strings.TrimSpace(text)
	span := b.src.span(start, start+len(text))
	b.list.Errorf(ruleQuoteExpression, span, "write "+quote(text), `the value starts with "!", which starts a tag in YAML`)
}

// tokenEnd is the end of the run of characters up to white space or a flow
// indicator.
func (b *treeBuilder) tokenEnd(start int) int {
	end := start
	for end < len(b.src.text) && !strings.ContainsRune(" \t\r\n,[]{}", rune(b.src.text[end])) {
		end++
	}
	return max(end, min(start+1, len(b.src.text)))
}

func (b *treeBuilder) mapping(n *yaml.Node, depth int) Node {
	out := Node{Kind: MapNode, Members: make([]Pair, 0, len(n.Content)/2)}
	first := make(map[string]Scalar, len(n.Content)/2)
	end := b.src.offset(n.Line, n.Column)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := b.key(n.Content[i], depth)
		value, valid := b.node(n.Content[i+1], depth+1)
		if valid {
			end = max(end, b.end(value.Span))
		}
		if !ok {
			continue
		}
		end = max(end, b.end(key.Span))
		if old, twice := first[key.Value]; twice {
			b.list.Add(diag.Finding{
				Rule: RuleDuplicateKey, Span: key.Span, Message: fmt.Sprintf("%q is written twice", key.Value),
				Fix: "keep one of the two", Related: []diag.Related{{Span: old.Span, Text: "first written here"}},
			})
			continue
		}
		first[key.Value] = key
		if valid {
			out.Members = append(out.Members, Pair{Key: key, Value: value})
		} else {
			// A refused value is written all the same: nobody may miss its key.
			out.Members = append(out.Members, Pair{Key: key})
		}
	}
	out.Span = b.collection(n, end)
	return out
}

func (b *treeBuilder) key(n *yaml.Node, depth int) (Scalar, bool) {
	if n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode {
		start := b.src.offset(n.Line, n.Column)
		b.list.Errorf(ruleWrongType, b.src.span(start, start+1), "write a name, or quote the value that this belongs to", "a key is a list or a map")
		return Scalar{}, false
	}
	if !b.allowed(n, depth) {
		return Scalar{}, false
	}
	s := newScalar(b.src, n)
	b.controls(s)
	return s, true
}

func (b *treeBuilder) sequence(n *yaml.Node, depth int) Node {
	out := Node{Kind: ListNode, Items: make([]Node, 0, len(n.Content))}
	end := b.src.offset(n.Line, n.Column)
	for _, c := range n.Content {
		if item, ok := b.node(c, depth+1); ok {
			out.Items = append(out.Items, item)
			end = max(end, b.end(item.Span))
		}
	}
	out.Span = b.collection(n, end)
	return out
}

func (b *treeBuilder) end(s diag.Span) int { return b.src.offset(s.End.Line, s.End.Col) }

// collection returns the span of a list or map whose last child ends at end;
// in flow style the closing bracket belongs to it.
func (b *treeBuilder) collection(n *yaml.Node, end int) diag.Span {
	start := b.src.offset(n.Line, n.Column)
	if n.Style&yaml.FlowStyle == 0 {
		return b.src.span(start, end)
	}
	text := b.src.text
	for end = max(end, start+1); end < len(text); end++ {
		switch text[end] {
		case '#':
			end = b.src.lineEnd(end) - 1
		case ']', '}':
			return b.src.span(start, end+1)
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return b.src.span(start, end)
		}
	}
	return b.src.span(start, min(end, len(text)))
}

// controls reports hidden characters that escapes have made; those of the file
// itself were refused before.
func (b *treeBuilder) controls(s Scalar) {
	for i := value.Hidden(s.Value, 0); i >= 0; {
		r, size := utf8.DecodeRuneInString(s.Value[i:])
		b.list.Errorf(RuleControlCharacter, s.At(i, i+size), "remove it", "the text holds the hidden character U+%04X", r)
		i = value.Hidden(s.Value, i+size)
	}
}

// odd reports unquoted values that YAML readers disagree about.
func (b *treeBuilder) odd(s Scalar) bool {
	if !isOdd(s.Value) {
		return false
	}
	fix := "write it as JSON does, or " + quote(s.Value) + " for the text"
	if oddWord().MatchString(s.Value) {
		word := strings.ToLower(strings.ReplaceAll(s.Value, "~", "null"))
		fix = "write " + word + ", or " + quote(s.Value) + " for the text"
	}
	b.list.Errorf(ruleWrongType, s.Span, fix, "%s means different things to different YAML readers", quote(s.Value))
	return true
}

// cut reports an unquoted value whose expression is not closed, most often
// because YAML took the rest of the line for a comment.
func (b *treeBuilder) cut(s Scalar) bool {
	if !openExpression(s.Value) {
		return false
	}
	start, end := b.src.offset(s.Span.Start.Line, s.Span.Start.Col), b.end(s.Span)
	rest := b.src.text[end:b.src.lineEnd(end)]
	if trimmed := strings.TrimLeft(rest, " \t"); len(trimmed) < len(rest) && strings.HasPrefix(trimmed, "#") {
		text := b.src.text[start : end+len(rest)]
		text = strings.TrimRight(text[:commentAfter(text)], " \t\r")
		b.list.Errorf(ruleQuoteExpression, b.src.span(start, start+len(text)), "write "+quote(joinLines(text)), `the value ends before " #", which starts a comment in YAML`)
		return true
	}
	b.list.Errorf(ruleQuoteExpression, s.Span, "close it with }, and write the value in quotes", `the expression "${" is not closed`)
	return true
}
