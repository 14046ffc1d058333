package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// MaxSize is the most bytes that a manifest has, with all that it includes.
const MaxSize = 16 << 20

const (
	maxDepth = 100
	// maxNodes bounds what a manifest can cost: one of a thousand tools has about
	// 60000 keys and values. maxMarks does so before YAML has read it, by the
	// characters of which each key and value needs one, or shares one with
	// another: 16 MiB of ",,," would take 2 GB and half a minute.
	maxNodes = 1_000_000
	maxMarks = 2 * maxNodes
	// maxControls bounds the findings about control characters: a binary file
	// is one mistake.
	maxControls = 20
	// Protocols carry up to mostDescription characters; models read the first
	// goodDescription well.
	mostDescription = 1999
	goodDescription = 1024
)

// Parse reads a manifest, without the parts that it includes. The name is the one
// for messages. It returns what it could read, never nil, and what is wrong;
// values that are wrong are left out.
func Parse(name string, src []byte) (*Manifest, diag.List) {
	sum := sha256.Sum256(src)
	m := &Manifest{File: name, Digest: hex.EncodeToString(sum[:])}
	var list diag.List
	tree, ok := m.read(name, src, diag.Span{File: name}, &list)
	if !ok {
		return m, list
	}
	c := &checker{list: &list, file: name}
	if c.value(slot{level: table}, &tree) {
		m.fill(&tree)
		m.judge(m.Tools, &list)
	}
	return m, list
}

// read makes a tree of a file, which counts for what the manifest may cost. What
// is too much is reported at the place that asked for it.
func (m *Manifest) read(name string, src []byte, at diag.Span, list *diag.List) (Node, bool) {
	whole, beginning := "the manifest has", `"sculpt: 1" and the rest of a manifest`
	if at.File != name {
		whole, beginning = "with this file the manifest has", `"tools:" and the tools`
	}
	m.size += len(src)
	if m.size > MaxSize {
		list.Errorf(ruleTooLarge, at, "", "%s %d bytes, at most %d are allowed", whole, m.size, MaxSize)
		return Node{}, false
	}
	text := newSource(name, strings.TrimPrefix(string(src), "\ufeff"))
	if m.marks += text.marks(); m.marks > maxMarks {
		list.Errorf(ruleTooLarge, at, "", "%s more than %d commas, brackets and lines", whole, maxMarks)
		return Node{}, false
	}
	if !readable(text, list) {
		return Node{}, false
	}
	root := load(text, beginning, list)
	if root == nil {
		return Node{}, false
	}
	if m.nodes += count(root, maxNodes); m.nodes > maxNodes {
		list.Errorf(ruleTooLarge, at, "", "%s more than %d keys and values", whole, maxNodes)
		return Node{}, false
	}
	builder := &treeBuilder{src: text, list: list}
	tree, ok := builder.node(root, 0)
	if ok {
		findSecrets(&tree, list)
	}
	return tree, ok
}

var mergeMarker = pattern.Of(`(?m)^<{7} `)

// readable checks the characters of the file, before YAML sees them: the
// parser has its own ideas about line breaks and no places for bad bytes.
func readable(src *source, list *diag.List) bool {
	for i, r := range src.text {
		if _, size := utf8.DecodeRuneInString(src.text[i:]); r == utf8.RuneError && size == 1 {
			list.Errorf(ruleYAMLSyntax, src.span(i, i+1), "save the file as UTF-8", "the byte 0x%02X is not UTF-8", src.text[i])
			return false
		}
	}
	if at := mergeMarker().FindStringIndex(src.text); at != nil {
		list.Errorf(ruleYAMLSyntax, src.span(at[0], at[0]+7), "settle what the two branches wrote, and delete the markers", "a merge left its markers")
		return false
	}
	count := 0
	for i := value.Hidden(src.text, 0); i >= 0 && count < maxControls; {
		r, size := utf8.DecodeRuneInString(src.text[i:])
		if !strings.HasPrefix(src.text[i:], "\r\n") {
			list.Errorf(RuleControlCharacter, src.span(i, i+size), "remove it", "the manifest holds the hidden character U+%04X", r)
			count++
		}
		i = value.Hidden(src.text, i+size)
	}
	return count == 0
}

// load composes the one document of the file, or reports why it cannot. An empty
// one lacks its beginning.
func load(src *source, beginning string, list *diag.List) *yaml.Node {
	loader, err := yaml.NewLoader(bytes.NewReader([]byte(src.text)),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(2*maxDepth))))
	if err != nil {
		list.Errorf(ruleYAMLSyntax, diag.Span{File: src.file}, "", "%s", err)
		return nil
	}
	var doc, second yaml.Node
	err = compose(loader, &doc)
	if err != nil && !errors.Is(err, io.EOF) {
		reportSyntax(src, err, list)
		return nil
	}
	if len(doc.Content) == 0 || isEmpty(doc.Content[0]) {
		list.Errorf(ruleYAMLSyntax, diag.Span{File: src.file}, "write "+beginning, "the file is empty")
		return nil
	}
	switch err = compose(loader, &second); {
	case err == nil:
		start := src.offset(second.Line, second.Column)
		list.Errorf(ruleYAMLDocuments, src.span(start, min(start+1, len(src.text))), "keep one document per file", "a second YAML document starts here")
		return nil
	case !errors.Is(err, io.EOF):
		reportSyntax(src, err, list)
		return nil
	}
	return doc.Content[0]
}

// count counts the nodes of a tree, at least up to the limit.
func count(n *yaml.Node, limit int) int {
	total := 1
	for _, c := range n.Content {
		if total > limit {
			break
		}
		total += count(c, limit-total)
	}
	return total
}

func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0
}

// compose reads a document. A panic of the parser is a syntax error: whatever
// it met, the text is not a manifest.
func compose(loader *yaml.Loader, doc *yaml.Node) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", v)
		}
	}()
	return loader.Load(doc)
}
