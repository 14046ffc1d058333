package signature

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A ReadError says what is wrong with a document and where. Offset counts the
// bytes before the mistake.
type ReadError struct {
	Offset int
	Reason string
}

// Error returns the reason; the place is for callers that know the file.
func (e *ReadError) Error() string { return e.Reason }

// A node is a JSON value with its place. Locked documents are read through
// nodes and not through reflection, because a duplicate or an unknown member
// must be an error with a place (A2T 6.1: no part may change, so no part may
// be overlooked).
type node struct {
	offset int
	// value is nil, bool, string, json.Number, []*node or *members.
	value any
}

// members are the members of an object in the order of the document.
type members struct {
	names []string
	nodes []*node
	taken []bool
}

// maxDepth bounds nesting: schemas of json outputs end at 32 levels.
const maxDepth = 100

// readTree reads exactly one JSON value. The grammar is checked first, so that
// the rest need not look for mistakes in it.
func readTree(data []byte) (*node, error) {
	if !utf8.Valid(data) {
		return nil, &ReadError{0, "the document is not UTF-8"}
	}
	if !json.Valid(data) {
		return nil, notJSON(data)
	}
	r := &treeReader{data: data}
	n := r.value(0)
	if r.err != nil {
		return nil, r.err
	}
	return n, nil
}

// notJSON says why a document is not JSON.
func notJSON(data []byte) *ReadError {
	var v json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &v); !errors.As(err, &syntax) {
		return &ReadError{0, "the document is not JSON"}
	}
	// The offset is that of the byte after the mistake.
	return &ReadError{max(0, int(syntax.Offset)-1), "the document is not JSON: " + syntax.Error()}
}

// treeReader walks over valid JSON.
type treeReader struct {
	data []byte
	at   int
	err  *ReadError
}

// skip goes to the next token.
func (r *treeReader) skip() {
	for r.at < len(r.data) { // the end is only met after an error
		switch r.data[r.at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			r.at++
		default:
			return
		}
	}
}

func (r *treeReader) value(depth int) *node {
	r.skip()
	n := &node{offset: r.at}
	if depth > maxDepth && r.err == nil {
		r.err = &ReadError{r.at, "the document is nested too deeply"}
	}
	if r.err != nil {
		return n
	}
	switch r.data[r.at] {
	case '{':
		n.value = r.object(depth)
	case '[':
		r.at++
		list := []*node{}
		for r.skip(); r.err == nil && r.data[r.at] != ']'; r.skip() {
			list = append(list, r.value(depth+1))
		}
		r.at++
		n.value = list
	case '"':
		n.value = r.text()
	case 't':
		n.value, r.at = true, r.at+len("true")
	case 'f':
		n.value, r.at = false, r.at+len("false")
	case 'n':
		r.at += len("null")
	default:
		start := r.at
		for r.at < len(r.data) && strings.IndexByte("+-.0123456789Ee", r.data[r.at]) >= 0 {
			r.at++
		}
		n.value = json.Number(r.data[start:r.at])
	}
	return n
}

// text reads a string; most have nothing to unescape.
func (r *treeReader) text() string {
	start := r.at
	plain := true
	for r.at++; r.data[r.at] != '"'; r.at++ {
		if r.data[r.at] == '\\' {
			plain = false
			r.at++
		}
	}
	r.at++
	if plain {
		return string(r.data[start+1 : r.at-1])
	}
	var s string
	if err := json.Unmarshal(r.data[start:r.at], &s); err != nil && r.err == nil {
		r.err = &ReadError{start, "the document is not JSON: " + err.Error()}
	}
	return s
}

func (r *treeReader) object(depth int) *members {
	m := &members{}
	seen := map[string]bool{}
	r.at++
	for r.skip(); r.err == nil && r.data[r.at] != '}'; r.skip() {
		at := r.at
		name := r.text()
		if seen[name] && r.err == nil {
			r.err = &ReadError{at, fmt.Sprintf("member %q is there twice", name)}
		}
		seen[name] = true
		m.names, m.nodes, m.taken = append(m.names, name), append(m.nodes, r.value(depth+1)), append(m.taken, false)
	}
	r.at++
	return m
}

// A reader takes members out of nodes and keeps the first mistake, so that
// the code that reads a document is a list of its members.
type reader struct {
	err *ReadError
}

func (r *reader) failf(n *node, format string, args ...any) {
	if r.err == nil {
		r.err = &ReadError{n.offset, fmt.Sprintf(format, args...)}
	}
}

// failure avoids a typed nil in an error.
func (r *reader) failure() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// object reads the members of n with read and complains about what is left.
func (r *reader) object(n *node, what string, read func(m *members)) {
	m, ok := n.value.(*members)
	if !ok {
		r.failf(n, "%s must be an object", what)
		return
	}
	read(m)
	for i, name := range m.names {
		if !m.taken[i] {
			r.failf(m.nodes[i], "%s has the unknown member %q", what, name)
		}
	}
}

// list calls read for each element of the member, if it is there.
func (r *reader) list(m *members, name string, read func(n *node)) {
	n := m.take(name)
	if n == nil {
		return
	}
	list, ok := n.value.([]*node)
	if !ok {
		r.failf(n, "%q must be a list", name)
		return
	}
	for _, e := range list {
		read(e)
	}
}

// take returns a member, once.
func (m *members) take(name string) *node {
	for i, n := range m.names {
		if n == name {
			m.taken[i] = true
			return m.nodes[i]
		}
	}
	return nil
}

// pass takes members that say nothing new.
func (m *members) pass(names []string) {
	for _, name := range names {
		m.take(name)
	}
}

func (r *reader) text(m *members, name string) string {
	n := m.take(name)
	if n == nil {
		return ""
	}
	return r.textOf(n, name)
}

func (r *reader) textOf(n *node, name string) string {
	s, ok := n.value.(string)
	if !ok {
		r.failf(n, "%q must be a text", name)
	}
	return s
}

func (r *reader) texts(m *members, name string) []string {
	var out []string
	r.list(m, name, func(n *node) { out = append(out, r.textOf(n, name)) })
	return out
}

// flag returns a boolean member, or missing where it is left out.
func (r *reader) flag(m *members, name string, missing bool) bool {
	n := m.take(name)
	if n == nil {
		return missing
	}
	b, ok := n.value.(bool)
	if !ok {
		r.failf(n, "%q must be true or false", name)
	}
	return b
}

// number returns an integer member, or nil where it is left out.
func (r *reader) number(m *members, name string) *int64 {
	n := m.take(name)
	if n == nil {
		return nil
	}
	if text, ok := n.value.(json.Number); ok {
		if i, err := strconv.ParseInt(text.String(), 10, 64); err == nil {
			return &i
		}
	}
	r.failf(n, "%q must be an integer", name)
	return nil
}

// scalar returns a text, an integer or a boolean.
func (r *reader) scalar(n *node, name string) any {
	switch v := n.value.(type) {
	case string, bool:
		return v
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i
		}
	}
	r.failf(n, "%q must be a text, an integer or a boolean", name)
	return nil
}
