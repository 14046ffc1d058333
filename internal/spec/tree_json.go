package spec

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A syntaxError is the reason why a file is not a tree.
type syntaxError struct {
	rule         diag.RuleID
	message, fix string
	at           pos
}

// jsonTree parses JSON with a scanner of its own: unescaped strings share the
// memory of the file, which encoding/json tokens cannot do, and that is three
// quarters of the time and memory on documents of several megabytes.
func jsonTree(file int, text string) (*node, *syntaxError) {
	p := &jsonParser{source: &source{text: text, file: file}}
	p.space()
	var root node
	if err := p.value(&root, 1); err != nil {
		return nil, err
	}
	p.space()
	if p.i < len(p.text) {
		if c := p.text[p.i]; c == '{' || c == '[' {
			return nil, &syntaxError{ruleSeveralDocuments, "a second document starts here", "keep one document in each file", offsetPos(file, p.i)}
		}
		return nil, p.fail("text after the end of the document")
	}
	return &root, nil
}

// A source is a JSON text that was found to be valid.
type source struct {
	text string
	file int
}

// eagerDepth is how deep the tree of a document is made at once: its paths and the
// members of its operations and components. What is below is checked, and made
// when it is asked for: of a large document that is a small part.
const eagerDepth = 5

// read makes the children of a node that are still text.
func (n *node) read() {
	p := &jsonParser{source: n.rest, i: int(n.restAt), all: true}
	whole := node{}
	if err := p.value(&whole, 1); err != nil {
		panic("spec: a text is no longer valid: " + err.message)
	}
	n.own, n.dup, n.rest = whole.own, whole.dup, nil
}

type jsonParser struct {
	*source
	i int
	// all: every value becomes a node at once. skims: none does.
	all, skims bool
	// passed is what is passed over.
	passed node
	// stack collects the children of all open values; a finished one copies
	// its own away, so that every slice has the exact size.
	stack []node
}

func (p *jsonParser) fail(message string) *syntaxError {
	return &syntaxError{ruleSyntax, "invalid JSON: " + message, "fix the JSON", offsetPos(p.file, min(p.i, len(p.text)))}
}

func (p *jsonParser) space() {
	for p.i < len(p.text) {
		switch p.text[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *jsonParser) value(n *node, depth int) *syntaxError {
	if p.i >= len(p.text) {
		return p.fail("unexpected end of the file")
	}
	n.at = offsetPos(p.file, p.i)
	if depth > maxDepth {
		return tooDeep(n.at)
	}
	switch c := p.text[p.i]; c {
	case '{', '[':
		return p.structure(n, depth)
	case '"':
		n.kind = stringNode
		var err *syntaxError
		n.text, err = p.str()
		return err
	case 't':
		n.kind = boolNode
		return p.word(n, "true")
	case 'f':
		n.kind = boolNode
		return p.word(n, "false")
	case 'n':
		return p.word(n, "null")
	default:
		n.kind = numberNode
		return p.number(n)
	}
}

// structure reads an object or a list, or passes over it and remembers where it is.
func (p *jsonParser) structure(n *node, depth int) *syntaxError {
	begin, later := p.i, !p.all && !p.skims && depth == eagerDepth
	p.skims = p.skims || later
	var err *syntaxError
	if p.text[p.i] == '{' {
		n.kind = objectNode
		err = p.object(n, depth)
	} else {
		n.kind = arrayNode
		err = p.array(n, depth)
	}
	if later {
		p.skims, n.rest, n.restAt = false, p.source, uint32(begin)
	}
	return err
}

func (p *jsonParser) word(n *node, word string) *syntaxError {
	if !strings.HasPrefix(p.text[p.i:], word) {
		return p.fail("unexpected character")
	}
	p.i += len(word)
	n.text = word
	return nil
}

func (p *jsonParser) number(n *node) *syntaxError {
	end := jsonNumber(p.text[p.i:])
	if end == 0 {
		return p.fail("unexpected character")
	}
	n.text = p.text[p.i : p.i+end]
	p.i += end
	return nil
}

// jsonNumber returns the length of the JSON number that s starts with, or 0.
func jsonNumber(s string) int {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return 0
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

// list reads the children between brackets; item reads one of them.
func (p *jsonParser) list(n *node, end byte, item func(*node) *syntaxError) *syntaxError {
	p.i++
	base := len(p.stack)
	p.space()
	if p.i < len(p.text) && p.text[p.i] == end {
		p.i++
		return nil
	}
	for {
		kid := &p.passed
		if !p.skims {
			kid = new(node)
		}
		if err := item(kid); err != nil {
			return err
		}
		if !p.skims {
			p.stack = append(p.stack, *kid)
		}
		p.space()
		if p.i >= len(p.text) {
			return p.fail("unexpected end of the file")
		}
		c := p.text[p.i]
		if c != ',' && c != end {
			return p.fail("expected a comma or " + string(end))
		}
		p.i++
		if c == end {
			break
		}
		p.space()
	}
	if !p.skims {
		n.own = append(make([]node, 0, len(p.stack)-base), p.stack[base:]...)
		clear(p.stack[base:])
		p.stack = p.stack[:base]
	}
	return nil
}

func (p *jsonParser) array(n *node, depth int) *syntaxError {
	return p.list(n, ']', func(kid *node) *syntaxError { return p.value(kid, depth+1) })
}

func (p *jsonParser) object(n *node, depth int) *syntaxError {
	err := p.list(n, '}', func(kid *node) *syntaxError {
		if p.i >= len(p.text) || p.text[p.i] != '"' {
			return p.fail("expected a key in double quotes")
		}
		at := offsetPos(p.file, p.i)
		name, err := p.str()
		if err != nil {
			return err
		}
		p.space()
		if p.i >= len(p.text) || p.text[p.i] != ':' {
			return p.fail("expected a colon")
		}
		p.i++
		p.space()
		kid.name, kid.nameAt = name, at
		return p.value(kid, depth+1)
	})
	if err == nil {
		n.dup = hasDuplicate(n.kids())
	}
	return err
}

// hasDuplicate looks for two members of one name.
func hasDuplicate(kids []node) bool {
	if len(kids) <= 8 {
		for i := range kids {
			for j := range i {
				if kids[i].name == kids[j].name {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]struct{}, len(kids))
	for i := range kids {
		seen[kids[i].name] = struct{}{}
	}
	return len(seen) < len(kids)
}

func (p *jsonParser) str() (string, *syntaxError) {
	p.i++
	start := p.i
	for p.i < len(p.text) {
		switch c := p.text[p.i]; {
		case c == '"':
			p.i++
			return p.text[start : p.i-1], nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail("control character in a string")
		}
		p.i++
	}
	return "", p.fail("the string has no end")
}

// escaped reads the rest of a string that holds an escape.
func (p *jsonParser) escaped(start int) (string, *syntaxError) {
	var buf []byte
	if !p.skims {
		buf = []byte(p.text[start:p.i])
	}
	for p.i < len(p.text) {
		switch c := p.text[p.i]; {
		case c == '"':
			p.i++
			return string(buf), nil
		case c < ' ':
			return "", p.fail("control character in a string")
		case c != '\\':
			if !p.skims {
				buf = append(buf, c)
			}
			p.i++
		default:
			r, size := unescape(p.text[p.i:])
			if size == 0 {
				return "", p.fail("unknown escape in a string")
			}
			if !p.skims {
				buf = utf8.AppendRune(buf, r)
			}
			p.i += size
		}
	}
	return "", p.fail("the string has no end")
}

var simpleEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns the character that s, starting with a backslash, means, and
// the length of the escape; 0 if it is none.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if s[1] != 'u' {
		if r, ok := simpleEscapes[s[1]]; ok {
			return r, 2
		}
		return 0, 0
	}
	r, ok := hex4(s[2:])
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if low, ok := hex4(s[8:]); ok {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				return full, 12
			}
		}
	}
	return utf8.RuneError, 6
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
