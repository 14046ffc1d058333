package spec

import (
	"strconv"
	"strings"
)

// A kind is the JSON kind of a node.
type kind uint8

const (
	nullNode kind = iota
	boolNode
	numberNode
	stringNode
	arrayNode
	objectNode
)

// String returns the kind as messages name it.
func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// A pos is a place in one of the files of a reader, packed into a word because
// big documents have a million nodes: 14 bits file, then a byte offset (JSON)
// or 25 bits line and 25 bits column (YAML). Zero means nowhere.
type pos uint64

const (
	posBits  = 50
	lineBits = 25
	lineMax  = 1<<lineBits - 1

	offsetMask = 1<<posBits - 1
)

func offsetPos(file, offset int) pos { return pos(file)<<posBits | pos(offset) }

func linePos(file, line, col int) pos {
	return pos(file)<<posBits | pos(min(line, lineMax))<<lineBits | pos(min(col, lineMax))
}

func (p pos) file() int { return int(p >> posBits) }

// A node is a value of a document with its place. Members of an object are
// nodes with a name; both kinds of children keep the order of the document.
type node struct {
	// name and nameAt are the key of an object member.
	name string
	// text is the value of a string, the digits of a number, or true.
	text string
	// own are the children, unless they are still in the text of rest, from the
	// offset restAt.
	own  []node
	rest *source
	at   pos
	// nameAt is zero for elements and for members made by a repair.
	nameAt pos
	restAt uint32
	kind   kind
	// dup marks an object that holds the same key twice.
	dup bool
	// mark asks for a node number when the document is written for the loader.
	mark bool
}

// kids are the children: members or elements.
func (n *node) kids() []node {
	if n.rest != nil {
		n.read()
	}
	return n.own
}

func (n *node) setKids(kids []node) { n.own, n.rest = kids, nil }

// hasTwins reports whether an object holds the same key twice.
func (n *node) hasTwins() bool {
	n.kids()
	return n.dup
}

// get returns the member of that name, the first if there are two, or nil.
func (n *node) get(name string) *node {
	if n == nil || n.kind != objectNode {
		return nil
	}
	for i := range n.kids() {
		if n.kids()[i].name == name {
			return &n.kids()[i]
		}
	}
	return nil
}

// str returns the text of the string member of that name, or "".
func (n *node) str(name string) string {
	if m := n.get(name); m != nil && m.kind == stringNode {
		return m.text
	}
	return ""
}

// flag reports whether the member of that name is true.
func (n *node) flag(name string) bool {
	m := n.get(name)
	return m != nil && m.kind == boolNode && m.text == "true"
}

// list returns the elements of the array member of that name.
func (n *node) list(name string) []node {
	if m := n.get(name); m != nil && m.kind == arrayNode {
		return m.kids()
	}
	return nil
}

// members returns the members of the object member of that name.
func (n *node) members(name string) []node {
	if m := n.get(name); m != nil && m.kind == objectNode {
		return m.kids()
	}
	return nil
}

// set replaces or appends the member v.name.
func (n *node) set(v node) {
	for i := range n.kids() {
		if n.kids()[i].name == v.name {
			n.kids()[i] = v
			return
		}
	}
	n.setKids(append(n.kids(), v))
}

// remove deletes the members for which drop says so. It never writes to the
// children in place: they may be shared with the source tree.
func (n *node) remove(drop func(name string) bool) {
	kept := make([]node, 0, len(n.kids()))
	for _, k := range n.kids() {
		if !drop(k.name) {
			kept = append(kept, k)
		}
	}
	n.setKids(kept)
}

// where is the place of a member that the document has: that of its key.
func (n *node) where() pos {
	if n == nil {
		return 0
	}
	return n.nameAt
}

func stringMember(name, text string, at pos) node {
	return node{name: name, kind: stringNode, text: text, at: at}
}

func boolMember(name string, value bool, at pos) node {
	return node{name: name, kind: boolNode, text: strconv.FormatBool(value), at: at}
}

func objectMember(name string, at pos, kids ...node) node {
	return node{name: name, kind: objectNode, own: kids, at: at}
}

func arrayMember(name string, at pos, kids ...node) node {
	return node{name: name, kind: arrayNode, own: kids, at: at}
}

// refOf returns the reference that n is, if it is one. A property may be
// called "$ref" too; then its value is not a string.
func refOf(n *node) (*node, bool) {
	r := n.get("$ref")
	if r == nil || r.kind != stringNode {
		return nil, false
	}
	return r, true
}

// isExtension reports whether the key is one of OpenAPI's x- extensions.
func isExtension(name string) bool { return strings.HasPrefix(name, "x-") }

// pointerEscape makes a JSON pointer segment of a key.
func pointerEscape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

func pointerUnescape(segment string) string {
	return strings.ReplaceAll(strings.ReplaceAll(segment, "~1", "/"), "~0", "~")
}

// child follows one segment of a JSON pointer.
func (n *node) child(segment string) *node {
	switch n.kind {
	case objectNode:
		return n.get(segment)
	case arrayNode:
		i, err := strconv.Atoi(segment)
		if err != nil || i < 0 || i >= len(n.kids()) {
			return nil
		}
		return &n.kids()[i]
	}
	return nil
}
