package manifest

import (
	"fmt"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A Part is a file that a manifest includes.
type Part struct {
	// File is the name for messages.
	File string
	Src  []byte
	// At is the place that names the file.
	At diag.Span
}

// Include adds the entries of parts to those of the manifest, in order, and
// reports what is wrong with them. A name is declared once in all files.
func (m *Manifest) Include(parts []Part) diag.List {
	var list diag.List
	if m.root == nil {
		return nil
	}
	own := len(m.Tools)
	for _, p := range parts {
		tree, ok := m.read(p.File, p.Src, p.At, &list)
		if !ok {
			continue
		}
		c := &checker{list: &list, file: p.File, main: m.File}
		if c.value(slot{level: partTable}, &tree) {
			m.add(&tree, &list)
		}
	}
	root := m.root
	*m = Manifest{File: m.File, Digest: m.Digest, spans: m.spans, size: m.size, marks: m.marks, nodes: m.nodes}
	m.fill(root)
	m.judge(m.Tools[own:], &list)
	if tools := root.member("tools"); (tools == nil || len(tools.Members) == 0) && !list.HasErrors() {
		list.Errorf(RuleMissingKey, diag.Span{File: m.File}, "add tools, here or in a file that is included", `the manifest has no "tools", and no file that it includes has some`)
	}
	return list
}

// add puts the entries of a part among those of the manifest.
func (m *Manifest) add(part *Node, list *diag.List) {
	if m.spans == nil {
		m.spans = map[string][]diag.Span{}
	}
	for _, p := range part.Members {
		key := p.Key.Value
		m.spans[key] = append(m.spans[key], p.span())
		whole := m.root.member(key)
		if whole == nil {
			m.root.Members = append(m.root.Members, p)
			continue
		}
		whole.Items = append(whole.Items, p.Value.Items...)
		for _, entry := range p.Value.Members {
			if i := whole.find(entry.Key.Value); i >= 0 {
				list.Add(diag.Finding{
					Rule: RuleDuplicateKey, Span: entry.Key.Span, Message: fmt.Sprintf("%q is declared twice, in two files", entry.Key.Value),
					Fix: "keep one of the two", Related: []diag.Related{{Span: whole.Members[i].Key.Span, Text: "first declared here"}},
				})
				continue
			}
			whole.Members = append(whole.Members, entry)
		}
	}
}

// notInPart reports a key that only the manifest itself has.
func (c *checker) notInPart(key Scalar) {
	if key.Value == "include" {
		c.reportf(rulePart, key.Span, "include the file in "+c.main, "a file that is included includes no others")
		return
	}
	c.reportf(rulePart, key.Span, "move it into "+c.main, "%q belongs in the manifest that includes this file, which may have %s", key.Value, strings.Join(partTable.names, ", "))
}
