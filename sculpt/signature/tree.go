package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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

// readTree reads exactly one JSON value.
func readTree(data []byte) (*node, error) {
	if !utf8.Valid(data) {
		return nil, &ReadError{0, "the document is not UTF-8"}
	}
	r := &treeReader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	n, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &ReadError{int(r.dec.InputOffset()), "something follows the document"}
	}
	return n, nil
}

type treeReader struct {
	data []byte
	dec  *json.Decoder
}

// start skips to the next token, so that its place is where it begins.
func (r *treeReader) start() int {
	at := int(r.dec.InputOffset())
	for at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[at]) >= 0 {
		at++
	}
	return at
}

func (r *treeReader) token() (json.Token, int, error) {
	at := r.start()
	t, err := r.dec.Token()
	if err == nil {
		return t, at, nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return nil, at, &ReadError{at, "the document is not JSON: " + syntax.Error()}
	}
	return nil, at, &ReadError{len(r.data), "the document ends too early"}
}

func (r *treeReader) value(depth int) (*node, error) {
	t, at, err := r.token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, &ReadError{at, "the document is nested too deeply"}
	}
	n := &node{offset: at, value: t}
	switch t {
	case json.Delim('{'):
		n.value, err = r.object(depth)
	case json.Delim('['):
		list := []*node{}
		for r.dec.More() {
			e, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
		n.value = list
		_, _, err = r.token()
	}
	return n, err
}

func (r *treeReader) object(depth int) (*members, error) {
	m := &members{}
	seen := map[string]bool{}
	for r.dec.More() {
		t, at, err := r.token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		if seen[name] {
			return nil, &ReadError{at, fmt.Sprintf("member %q stands there twice", name)}
		}
		seen[name] = true
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		m.names, m.nodes, m.taken = append(m.names, name), append(m.nodes, v), append(m.taken, false)
	}
	_, _, err := r.token()
	return m, err
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
