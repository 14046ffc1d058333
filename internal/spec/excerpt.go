package spec

import (
	"io/fs"
	"regexp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Excerpt returns an OpenAPI document in JSON with the wanted operations of a
// source alone, and everything that they refer to, in one file: loading it
// gives the same operations. Responses that the wants override are as in the
// document. It returns nil with findings where the document or an operation
// cannot be read.
func Excerpt(fsys fs.FS, source Source) ([]byte, diag.List) {
	l := &loader{reader: newReader(fsys), file: source.File}
	if !l.openRoot(source.Span, source.Overlays) {
		return nil, l.findings
	}
	wants := make([]Want, len(source.Wants))
	for i, w := range source.Wants {
		w.Answer = nil
		wants[i] = w
	}
	s := &slicer{loader: l, byRef: map[string]*component{}}
	if schemes := l.schemes(); schemes != nil && schemes.kind == objectNode {
		for i := range schemes.kids() {
			s.scheme(&schemes.kids()[i])
		}
	}
	ops := s.slice(l.choose(wants, l.entries()))
	// What an override refers to has to be there as well.
	all := append(s.slice(l.choose(source.Wants, l.entries())), ops...)
	if l.findings.HasErrors() {
		return nil, l.findings
	}
	if s.dialect == swagger2 {
		for _, op := range ops {
			op.server = l.operationServer(op)
		}
		s.convert(ops)
	}
	return s.excerpt(ops, s.needed(all)), nil
}

// excerpt writes the document.
func (s *slicer) excerpt(ops []*slicedOperation, reached []*component) []byte {
	version := "3.0.3"
	if s.dialect == openapi31 {
		version = "3.1.0"
	}
	w := &writer{byRef: s.byRef, names: componentNames(reached)}
	w.text(`{"openapi":"` + version + `","info":{"title":`)
	w.buf = appendString(w.buf, s.root.get("info").str("title"))
	w.text(`,"version":"1"}`)
	if s.dialect == swagger2 {
		w.text(`,"servers":[{"url":`)
		w.buf = appendString(w.buf, s.rootServer().URL)
		w.text("}]")
	} else if servers := s.root.get("servers"); servers != nil {
		w.text(`,"servers":`)
		w.node(servers)
	}
	w.text(`,"paths":{`)
	w.paths(ops)
	w.text(`},"components":{`)
	w.components(reached, map[string]*component{})
	w.text("}}")
	return w.buf
}

// paths writes the operations below their paths, in the order they were wanted.
func (w *writer) paths(ops []*slicedOperation) {
	done := map[string]bool{}
	for i, op := range ops {
		path := op.sum.Path
		if done[path] {
			continue
		}
		if len(done) > 0 {
			w.text(",")
		}
		done[path] = true
		w.buf = appendString(w.buf, path)
		w.text(":{")
		for j, other := range ops[i:] {
			if other.sum.Path != path {
				continue
			}
			if j > 0 {
				w.text(",")
			}
			w.text(`"` + strings.ToLower(other.sum.Method) + `":`)
			w.node(&other.node)
		}
		w.text("}")
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

const longestName = 100

// componentNames gives components the names they have in their documents, as
// far as two do not want the same.
func componentNames(all []*component) map[*component]string {
	type key struct {
		role role
		name string
	}
	taken := map[key]bool{}
	names := map[*component]string{}
	for _, c := range all {
		name := c.name
		if !plainName.MatchString(name) || len(name) > longestName || taken[key{c.role, name}] {
			name = c.id
		}
		taken[key{c.role, name}] = true
		names[c] = name
	}
	return names
}
