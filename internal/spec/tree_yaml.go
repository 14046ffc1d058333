package spec

import (
	"errors"
	"io"
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// yamlTree parses YAML by the core schema of YAML 1.2: dates, no and 1_000
// stay text, whatever the library makes of them.
func yamlTree(file int, text string) (*node, *syntaxError) {
	loader, err := yaml.NewLoader(strings.NewReader(text))
	if err != nil {
		return nil, yamlFailure(file, err)
	}
	var doc, second yaml.Node
	if err := loader.Load(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &syntaxError{ruleSyntax, "the document is empty", "write an OpenAPI document", linePos(file, 1, 1)}
		}
		return nil, yamlFailure(file, err)
	}
	if err := loader.Load(&second); err == nil {
		at := linePos(file, second.Line, second.Column)
		return nil, &syntaxError{ruleSeveralDocuments, "a second document starts here", "keep one document in each file", at}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlFailure(file, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, &syntaxError{ruleSyntax, "the document is empty", "write an OpenAPI document", linePos(file, 1, 1)}
	}
	p := &yamlParser{file: file, anchors: map[*yaml.Node]*measured{}}
	m, fail := p.value(doc.Content[0], 1)
	if fail != nil {
		return nil, fail
	}
	return &m.node, nil
}

func yamlFailure(file int, err error) *syntaxError {
	message, at := err.Error(), linePos(file, 1, 1)
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		message = e.Message
		if e.Mark.Line > 0 {
			at = linePos(file, e.Mark.Line, max(e.Mark.Column, 1))
		}
		if e.ContextMsg != "" {
			message += " " + e.ContextMsg
		}
	}
	message = strings.TrimPrefix(message, "yaml: ")
	if strings.Contains(message, "max depth") {
		return tooDeep(at)
	}
	return &syntaxError{ruleSyntax, "invalid YAML: " + message, "fix the YAML", at}
}

func tooDeep(at pos) *syntaxError {
	return &syntaxError{ruleTooDeep, "the document is nested deeper than 200 levels here", "use $ref for nested parts", at}
}

type yamlParser struct {
	file int
	// anchors holds the finished values that aliases may share; nil while a
	// value is being built, so that a value inside itself is noticed.
	anchors map[*yaml.Node]*measured
	// aliased counts the values that aliases stand for, as if written out.
	aliased int
}

// A measured node knows how big it is once aliases are written out.
type measured struct {
	node         node
	size, height int
}

func (p *yamlParser) value(y *yaml.Node, depth int) (*measured, *syntaxError) {
	if y.Kind == yaml.AliasNode {
		return p.alias(y, depth)
	}
	at := linePos(p.file, y.Line, y.Column)
	if depth > maxDepth {
		return nil, tooDeep(at)
	}
	m := &measured{size: 1, height: 1}
	m.node.at = at
	if y.Anchor != "" {
		p.anchors[y] = nil
	}
	var err *syntaxError
	switch y.Kind {
	case yaml.MappingNode:
		err = p.mapping(m, y, depth)
	case yaml.SequenceNode:
		err = p.sequence(m, y, depth)
	default:
		m.node.kind, m.node.text = scalar(y)
	}
	if err != nil {
		return nil, err
	}
	if y.Anchor != "" {
		p.anchors[y] = m
	}
	return m, nil
}

func (p *yamlParser) alias(y *yaml.Node, depth int) (*measured, *syntaxError) {
	at := linePos(p.file, y.Line, y.Column)
	m := p.anchors[y.Alias]
	if m == nil {
		return nil, &syntaxError{ruleAliases, "the alias is inside the value that it names", "write the value out", at}
	}
	if depth+m.height-1 > maxDepth {
		return nil, tooDeep(at)
	}
	if p.aliased += m.size; p.aliased > maxAliased {
		return nil, &syntaxError{ruleAliases, "the aliases of this document stand for more than a million values", "use $ref instead of YAML aliases", at}
	}
	return m, nil
}

// grow adds a child's measures.
func (m *measured) grow(kid *measured) {
	m.size += kid.size
	m.height = max(m.height, kid.height+1)
}

func (p *yamlParser) sequence(m *measured, y *yaml.Node, depth int) *syntaxError {
	m.node.kind = arrayNode
	m.node.setKids(make([]node, 0, len(y.Content)))
	for _, c := range y.Content {
		kid, err := p.value(c, depth+1)
		if err != nil {
			return err
		}
		m.grow(kid)
		m.node.setKids(append(m.node.kids(), kid.node))
	}
	return nil
}

func (p *yamlParser) mapping(m *measured, y *yaml.Node, depth int) *syntaxError {
	m.node.kind = objectNode
	m.node.setKids(make([]node, 0, len(y.Content)/2))
	var merged []node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		at := linePos(p.file, y.Content[i].Line, y.Content[i].Column)
		if key.Kind != yaml.ScalarNode {
			return &syntaxError{ruleSyntax, "invalid YAML: a key is not a text", "write a text as the key", at}
		}
		kid, err := p.value(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		m.grow(kid)
		if key.Tag == "!!merge" {
			merged = append(merged, mergedMembers(&kid.node)...)
			continue
		}
		member := kid.node
		member.name, member.nameAt = key.Value, at
		m.node.setKids(append(m.node.kids(), member))
	}
	m.node.dup = hasDuplicate(m.node.kids())
	m.merge(merged)
	return nil
}

// mergedMembers returns what a merge key (<<) brings in; earlier ones win.
func mergedMembers(n *node) []node {
	if n.kind == objectNode {
		return n.kids()
	}
	var all []node
	for i := range n.kids() {
		if n.kids()[i].kind == objectNode {
			all = append(all, n.kids()[i].kids()...)
		}
	}
	return all
}

func (m *measured) merge(members []node) {
	if len(members) == 0 {
		return
	}
	have := make(map[string]bool, len(m.node.kids())+len(members))
	for _, k := range m.node.kids() {
		have[k.name] = true
	}
	for _, k := range members {
		if !have[k.name] {
			have[k.name] = true
			m.node.setKids(append(m.node.kids(), k))
		}
	}
}

var (
	coreInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	coreBased = regexp.MustCompile(`^0(o[0-7]+|x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^([-+]?)(\.[0-9]+|[0-9]+(?:\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// scalar resolves a scalar by the core schema.
func scalar(y *yaml.Node) (kind, string) {
	v := y.Value
	quoted := y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tagged := y.Style&yaml.TaggedStyle != 0
	if tagged && (y.Tag == "!!str" || !strings.HasPrefix(y.Tag, "!!")) || quoted && !tagged || len(v) > 400 {
		return stringNode, v
	}
	switch v {
	case "", "~", "null", "Null", "NULL":
		return nullNode, "null"
	case "true", "True", "TRUE":
		return boolNode, "true"
	case "false", "False", "FALSE":
		return boolNode, "false"
	}
	if number, ok := coreNumber(v); ok {
		return numberNode, number
	}
	return stringNode, v
}

// coreNumber writes a number of the core schema as JSON spells it.
func coreNumber(v string) (string, bool) {
	if c := v[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') {
		return "", false
	}
	if coreInt.MatchString(v) || coreBased.MatchString(v) {
		base, digits := 10, v
		if coreBased.MatchString(v) {
			base, digits = map[byte]int{'o': 8, 'x': 16}[v[1]], v[2:]
		}
		i, ok := new(big.Int).SetString(digits, base)
		if !ok {
			return "", false
		}
		return i.String(), true
	}
	m := coreFloat.FindStringSubmatch(v)
	if m == nil {
		return "", false
	}
	whole, fraction, _ := strings.Cut(m[2], ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return strings.TrimPrefix(m[1], "+") + whole + m[3], true
}
