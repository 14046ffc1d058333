package spec

import (
	"fmt"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// atKey is the extension that carries the number of a node through the loader.
const atKey = "x-at"

// A writer writes the small document for the loader.
type writer struct {
	buf   []byte
	byRef map[string]*component
	// marked holds the nodes by number.
	marked []*node
	// names are those of components in an excerpt, which has no marks; nil
	// otherwise.
	names map[*component]string
}

// name is how the document calls a component.
func (w *writer) name(c *component) string {
	if w.names != nil {
		return w.names[c]
	}
	return c.id
}

// A small document is what the loader made of some operations.
type smallDocument struct {
	*openapi3.T
	ops    []*slicedOperation
	marked []*node
	// components by their id.
	components map[string]*component
}

// load gives the operations and what they reach to kin-openapi. Each operation
// has a path of its own, named by its number.
func (s *slicer) load(ops []*slicedOperation) (doc *smallDocument, err error) {
	// The loader is not ours; hostile documents have made it panic before.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	w := &writer{byRef: s.byRef}
	version := "3.0.3"
	if s.dialect == openapi31 {
		version = "3.1.0"
	}
	w.text(`{"openapi":"` + version + `","info":{"title":"slice","version":"1"},"paths":{`)
	for i, op := range ops {
		if i > 0 {
			w.text(",")
		}
		w.text(`"/` + strconv.Itoa(i) + `":{"post":`)
		w.node(&op.node)
		w.text("}")
	}
	w.text(`},"components":{`)
	doc = &smallDocument{ops: ops, components: map[string]*component{}}
	w.components(s.needed(ops), doc.components)
	w.text("}}")
	doc.marked = w.marked
	loader := openapi3.NewLoader()
	doc.T, err = loader.LoadFromData(w.buf)
	return doc, err
}

// needed returns the components that the operations reach, and all schemes.
func (s *slicer) needed(ops []*slicedOperation) []*component {
	reached := reach(ops...)
	var out []*component
	for _, c := range s.components {
		if reached[c] || c.role == schemeRole {
			out = append(out, c)
		}
	}
	return out
}

// reach returns the components that operations refer to, directly or through
// other components.
func reach(ops ...*slicedOperation) map[*component]bool {
	reached := map[*component]bool{}
	var queue []*component
	for _, op := range ops {
		queue = append(queue, op.refs...)
	}
	for len(queue) > 0 {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !reached[c] {
			reached[c] = true
			queue = append(queue, c.refs...)
		}
	}
	return reached
}

func (w *writer) text(s string) { w.buf = append(w.buf, s...) }

func (w *writer) components(all []*component, byID map[string]*component) {
	first := true
	for r, section := range sections {
		if section == "" {
			continue
		}
		if !first {
			w.text(",")
		}
		first = false
		w.text(`"` + section + `":{`)
		n := 0
		for _, c := range all {
			if c.role != role(r) {
				continue
			}
			if n++; n > 1 {
				w.text(",")
			}
			w.text(`"` + w.name(c) + `":`)
			w.node(&c.node)
			byID[c.id] = c
		}
		w.text("}")
	}
}

func (w *writer) node(n *node) {
	switch n.kind {
	case stringNode:
		w.buf = appendString(w.buf, n.text)
	case arrayNode:
		w.text("[")
		for i := range n.kids() {
			if i > 0 {
				w.text(",")
			}
			w.node(&n.kids()[i])
		}
		w.text("]")
	case objectNode:
		w.object(n)
	default:
		w.text(n.text)
	}
}

func (w *writer) object(n *node) {
	w.text("{")
	marks := n.mark && w.names == nil
	if marks {
		w.text(`"` + atKey + `":` + strconv.Itoa(len(w.marked)))
		w.marked = append(w.marked, n)
	}
	for i := range n.kids() {
		k := &n.kids()[i]
		if i > 0 || marks {
			w.text(",")
		}
		w.buf = appendString(w.buf, k.name)
		w.text(":")
		if c := w.byRef[k.text]; c != nil && k.name == "$ref" && k.kind == stringNode {
			w.text(`"#/components/` + sections[c.role] + "/" + w.name(c) + `"`)
			continue
		}
		w.node(k)
	}
	w.text("}")
}

// nodeOf returns the node that an object of the loader came from, or nil.
func (d *smallDocument) nodeOf(extensions map[string]any) *node {
	i, ok := extensions[atKey].(float64)
	if !ok || i < 0 || int(i) >= len(d.marked) {
		return nil
	}
	return d.marked[int(i)]
}
