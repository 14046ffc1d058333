package pins

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Bounds of the files.
const (
	mostBytes = 32 << 20
	mostDepth = 20
)

// A reader reads one file by tables of keys, and keeps what is wrong.
type reader struct {
	file string
	list diag.List
}

// load composes the one document of a file, nil if it is none.
func (r *reader) load(text []byte) (root *yaml.Node) {
	whole := diag.Span{File: r.file}
	fail := func(fix, format string, args ...any) { r.list.Errorf(ruleFile, whole, fix, format, args...) }
	defer func() {
		if v := recover(); v != nil { // the text is not YAML, whatever the parser met
			root = nil
			fail("", "the YAML parser gave up: %v", v)
		}
	}()
	if len(text) > mostBytes {
		fail("", "the file has more than %d MB", mostBytes>>20)
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(mostDepth))))
	if err != nil {
		fail("", "%s", err)
		return nil
	}
	var doc, second yaml.Node
	if err := loader.Load(&doc); err != nil && !errors.Is(err, io.EOF) {
		if bad, ok := errors.AsType[*yaml.LoadError](err); ok && bad.Mark.Line > 0 {
			whole.Start = diag.Pos{Line: bad.Mark.Line, Col: max(bad.Mark.Column, 1)}
			fail("", "this is not YAML: %s", bad.Message)
			return nil
		}
		fail("", "this is not YAML: %s", err)
		return nil
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		fail("", "the file is empty")
		return nil
	}
	if err := loader.Load(&second); !errors.Is(err, io.EOF) {
		fail("keep one document per file", "something follows the document")
		return nil
	}
	return doc.Content[0]
}

// span is where a node is; a text of several lines is marked at its beginning.
func (r *reader) span(n *yaml.Node) diag.Span {
	at := diag.Span{File: r.file, Start: diag.Pos{Line: n.Line, Col: n.Column}}
	if n.Kind == yaml.ScalarNode && n.Style == 0 && !strings.Contains(n.Value, "\n") {
		at.End = diag.Pos{Line: n.Line, Col: n.Column + max(1, utf8.RuneCountInString(n.Value))}
	}
	return at
}

func (r *reader) bad(n *yaml.Node, fix, format string, args ...any) {
	r.list.Errorf(ruleFile, r.span(n), fix, format, args...)
}

// A key is one row of a table of keys.
type key struct {
	name   string
	needed bool
	read   func(n *yaml.Node)
}

// each calls a function for every member of a mapping.
func (r *reader) each(n *yaml.Node, what string, read func(name, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode || n.Anchor != "" {
		r.bad(n, "write key: value", "%s is not a mapping", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		switch {
		case name.Kind != yaml.ScalarNode || name.Value == "":
			r.bad(name, "write a name", "%s has a key that is not a name", what)
		case seen[name.Value]:
			r.bad(name, "delete one of them", "%s has two keys %q", what, name.Value)
		default:
			seen[name.Value] = true
			read(name, n.Content[i+1])
		}
	}
}

// members reads a mapping by its table.
func (r *reader) members(n *yaml.Node, what string, keys []key) {
	var names, given []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	r.each(n, what, func(name, value *yaml.Node) {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == name.Value })
		if i < 0 {
			r.bad(name, "write one of "+strings.Join(names, ", "), "%s has no key %q%s", what, name.Value, diag.DidYouMean(name.Value, names))
			return
		}
		given = append(given, name.Value)
		keys[i].read(value)
	})
	for _, k := range keys {
		if k.needed && n.Kind == yaml.MappingNode && !slices.Contains(given, k.name) {
			r.bad(n, "write "+k.name+":", "%s lacks the key %q", what, k.name)
		}
	}
}

// text reads a text that is not empty.
func (r *reader) text(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Value == "" || n.Tag == "!!null" {
			r.bad(n, "write a text", "a text is missing here")
			return
		}
		*into = n.Value
	}
}

// texts reads a list of texts.
func (r *reader) texts(into *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.bad(n, "write [a, b]", "a list is missing here")
			return
		}
		for _, item := range n.Content {
			var one string
			r.text(&one)(item)
			*into = append(*into, one)
		}
	}
}

// version reads the number of the format.
func (r *reader) version(n *yaml.Node) {
	if n.Value != "1" {
		r.bad(n, "write 1", "the format %q is not known", n.Value)
	}
}
