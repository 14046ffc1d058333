package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A jsonPath is a query of RFC 9535, which overlays name their targets by. Names
// after a dot may hold a hyphen, which the RFC wants in brackets: extensions of
// OpenAPI have one, and the overlay specification writes them so.
type jsonPath struct {
	// current says that the query begins at @, the node that a filter judges.
	current  bool
	segments []pathSegment
}

// A pathSegment selects among the children of a node, or of all that is below.
type pathSegment struct {
	descend   bool
	selectors []selector
}

type selectorKind uint8

const (
	byName selectorKind = iota
	byIndex
	bySlice
	byFilter
	anyChild
)

type selector struct {
	kind selectorKind
	name string
	// index is that of byIndex; first, last and step are those of a slice, nil
	// where they are left out.
	index             int
	first, last, step *int
	filter            *condition
}

// singular says that a query can give one node at most, which a comparison
// needs (RFC 9535, 2.3.5.1).
func (p *jsonPath) singular() bool {
	for _, s := range p.segments {
		if s.descend || len(s.selectors) != 1 || s.selectors[0].kind > byIndex {
			return false
		}
	}
	return true
}

// A condition is a node of a filter. op is one of || && ! ( == != < <= > >=,
// "query" for the existence of nodes, "call" for a function.
type condition struct {
	op          string
	left, right *condition
	operands    [2]operand
	query       *jsonPath
	call        *pathCall
}

// An operand of a comparison is a literal, a query for one node, or a call.
type operand struct {
	literal *node
	query   *jsonPath
	call    *pathCall
}

// A pathCall is a call of one of the functions of RFC 9535, 2.4.
type pathCall struct {
	name string
	args []operand
}

// pathFunctions lists how many arguments each function takes, whether these are
// nodes instead of values, and whether the result is a truth.
var pathFunctions = map[string]struct {
	args         int
	nodes, truth bool
}{
	"length": {1, false, false}, "count": {1, true, false}, "value": {1, true, false},
	"match": {2, false, true}, "search": {2, false, true},
}

// A pathError is what is wrong with a query, and at which byte.
type pathError struct {
	at   int
	text string
}

func (e *pathError) Error() string { return e.text }

// parsePath parses a query that begins at the root of a document.
func parsePath(text string) (*jsonPath, *pathError) {
	p := &pathParser{text: text}
	path := p.path()
	if p.err == nil && p.i < len(p.text) {
		p.fail("expected the end, or a segment such as .name or [0]")
	}
	if p.err == nil && path.current {
		p.i = 0
		p.fail("a target begins with $")
	}
	return path, p.err
}

type pathParser struct {
	text  string
	i     int
	depth int
	err   *pathError
}

// mostNested bounds the parentheses and filters inside each other.
const mostNested = 50

func (p *pathParser) fail(text string) {
	if p.err == nil {
		p.err = &pathError{min(p.i, len(p.text)), text}
	}
	p.i = len(p.text) // nothing more can be read
}

func (p *pathParser) blanks() {
	for p.i < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.i]) >= 0 {
		p.i++
	}
}

// take skips a text that comes next, after blanks.
func (p *pathParser) take(text string) bool {
	at := p.i
	p.blanks()
	if strings.HasPrefix(p.text[p.i:], text) {
		p.i += len(text)
		return true
	}
	p.i = at
	return false
}

func (p *pathParser) want(text string) {
	if !p.take(text) {
		p.blanks()
		p.fail("expected " + text)
	}
}

func (p *pathParser) path() *jsonPath {
	path := &jsonPath{}
	switch {
	case p.take("$"):
	case p.take("@"):
		path.current = true
	default:
		p.fail("a query begins with $")
	}
	for p.err == nil {
		s, more := p.segment()
		if !more {
			break
		}
		path.segments = append(path.segments, s)
	}
	return path
}

func (p *pathParser) segment() (s pathSegment, more bool) {
	switch {
	case p.take(".."):
		s.descend = true
		if !p.take("[") {
			s.selectors = []selector{p.shorthand()}
			return s, p.err == nil
		}
	case p.take("."):
		s.selectors = []selector{p.shorthand()}
		return s, p.err == nil
	case !p.take("["):
		return s, false
	}
	for {
		s.selectors = append(s.selectors, p.selector())
		if !p.take(",") {
			break
		}
	}
	p.want("]")
	return s, p.err == nil
}

func (p *pathParser) shorthand() selector {
	if strings.HasPrefix(p.text[p.i:], "*") {
		p.i++
		return selector{kind: anyChild}
	}
	start := p.i
	for p.i < len(p.text) {
		c, size := utf8.DecodeRuneInString(p.text[p.i:])
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
		if !letter && (p.i == start || c != '-' && (c < '0' || c > '9')) {
			break
		}
		p.i += size
	}
	if p.i == start {
		p.fail(`expected a name; one that is no word is written as ['...']`)
	}
	return selector{name: p.text[start:p.i]}
}

func (p *pathParser) selector() selector {
	switch p.blanks(); {
	case p.take("*"):
		return selector{kind: anyChild}
	case p.take("?"):
		return selector{kind: byFilter, filter: p.or()}
	case p.quoteNext():
		return selector{name: p.quoted()}
	}
	first := p.integer()
	if !p.take(":") {
		if first == nil {
			p.fail("expected a name in quotes, an index, *, or ? and a condition")
			return selector{}
		}
		return selector{kind: byIndex, index: *first}
	}
	s := selector{kind: bySlice, first: first, last: p.integer()}
	if p.take(":") {
		s.step = p.integer()
	}
	return s
}

func (p *pathParser) quoteNext() bool {
	return p.i < len(p.text) && (p.text[p.i] == '\'' || p.text[p.i] == '"')
}

// integer reads an index, nil for none.
func (p *pathParser) integer() *int {
	p.blanks()
	start := p.i
	for p.i < len(p.text) && (p.text[p.i] == '-' && p.i == start || p.text[p.i] >= '0' && p.text[p.i] <= '9') {
		p.i++
	}
	if p.i == start {
		return nil
	}
	n, err := strconv.Atoi(p.text[start:p.i])
	if err != nil || strconv.Itoa(n) != p.text[start:p.i] {
		p.i = start
		p.fail("expected a whole number")
		return nil
	}
	return &n
}

// quoted reads a text in single or double quotes (RFC 9535, 2.3.1.1).
func (p *pathParser) quoted() string {
	start, quote := p.i, p.text[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.text) {
		c := p.text[p.i]
		p.i++
		switch {
		case c == quote:
			return b.String()
		case c < ' ':
			p.i--
			p.fail("a control character is written as an escape")
			return ""
		case c != '\\':
			b.WriteByte(c)
		case !p.escape(&b, quote):
			return ""
		}
	}
	p.i = start
	p.fail("the quote is not closed")
	return ""
}

var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '/': '/', '\\': '\\'}

func (p *pathParser) escape(b *strings.Builder, quote byte) bool {
	if p.i < len(p.text) {
		c := p.text[p.i]
		if plain, ok := escapes[c]; ok || c == quote {
			if !ok {
				plain = c
			}
			p.i++
			b.WriteByte(plain)
			return true
		}
		if c == 'u' && p.unicode(b) {
			return true
		}
	}
	p.i--
	p.fail("unknown escape")
	return false
}

// unicode reads u and four digits, twice for a pair of surrogates.
func (p *pathParser) unicode(b *strings.Builder) bool {
	rest := p.text[p.i-1:]
	for _, size := range []int{12, 6} {
		if len(rest) < size {
			continue
		}
		if text, err := strconv.Unquote(`"` + rest[:size] + `"`); err == nil && size == 6 {
			b.WriteString(text)
			p.i += size - 1
			return true
		}
		if size == 12 {
			high, errHigh := strconv.ParseUint(rest[2:6], 16, 16)
			low, errLow := strconv.ParseUint(strings.TrimPrefix(rest[6:12], `\u`), 16, 16)
			if errHigh == nil && errLow == nil && high>>10 == 0x36 && low>>10 == 0x37 {
				b.WriteRune(rune(0x10000 + (high&0x3ff)<<10 + low&0x3ff))
				p.i += size - 1
				return true
			}
		}
	}
	return false
}

func (p *pathParser) or() *condition {
	if p.depth++; p.depth > mostNested {
		p.fail("the condition is nested too deep")
	}
	defer func() { p.depth-- }()
	c := p.and()
	for p.err == nil && p.take("||") {
		c = &condition{op: "||", left: c, right: p.and()}
	}
	return c
}

func (p *pathParser) and() *condition {
	c := p.basic()
	for p.err == nil && p.take("&&") {
		c = &condition{op: "&&", left: c, right: p.basic()}
	}
	return c
}

// basic reads a condition without && and ||.
func (p *pathParser) basic() *condition {
	if p.take("!") {
		start := p.i
		c := p.basic()
		if c != nil && p.err == nil && c.op != "(" && c.op != "query" && c.op != "call" {
			p.i = start
			p.fail("! stands before parentheses, a query or a function")
		}
		return &condition{op: "!", left: c}
	}
	if p.take("(") {
		c := p.or()
		p.want(")")
		return &condition{op: "(", left: c}
	}
	start := p.i
	left := p.operand()
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if p.err == nil && p.take(op) {
			c := &condition{op: op, operands: [2]operand{left, {}}}
			p.comparable(left, start)
			start = p.i
			c.operands[1] = p.operand()
			p.comparable(c.operands[1], start)
			return c
		}
	}
	switch {
	case p.err != nil:
	case left.query != nil:
		return &condition{op: "query", query: left.query}
	case left.call != nil && pathFunctions[left.call.name].truth:
		return &condition{op: "call", call: left.call}
	default:
		p.fail("expected a comparison")
	}
	return &condition{op: "query", query: &jsonPath{}}
}

// comparable refuses what has not one value.
func (p *pathParser) comparable(o operand, at int) {
	switch {
	case p.err != nil:
	case o.query != nil && !o.query.singular():
		p.i = at
		p.fail("a comparison needs a query that selects one node at most")
	case o.call != nil && pathFunctions[o.call.name].truth:
		p.i = at
		p.fail(o.call.name + "() is true or false, and not compared")
	}
}

func (p *pathParser) operand() operand {
	p.blanks()
	rest := p.text[p.i:]
	switch {
	case rest == "":
		p.fail("the condition is not complete")
	case rest[0] == '$' || rest[0] == '@':
		return operand{query: p.path()}
	case p.quoteNext():
		return operand{literal: &node{kind: stringNode, text: p.quoted()}}
	case rest[0] == '-' || rest[0] >= '0' && rest[0] <= '9':
		return operand{literal: p.number()}
	}
	for word, kind := range map[string]kind{"true": boolNode, "false": boolNode, "null": nullNode} {
		if strings.HasPrefix(rest, word) {
			p.i += len(word)
			return operand{literal: &node{kind: kind, text: word}}
		}
	}
	return p.function()
}

func (p *pathParser) number() *node {
	start := p.i
	for p.i < len(p.text) && strings.IndexByte("+-.0123456789eE", p.text[p.i]) >= 0 {
		p.i++
	}
	text := p.text[start:p.i]
	if tree, err := jsonTree(0, text); err != nil || tree.kind != numberNode {
		p.i = start
		p.fail("expected a number")
	}
	return &node{kind: numberNode, text: text}
}

func (p *pathParser) function() operand {
	start := p.i
	for p.i < len(p.text) && (p.text[p.i] >= 'a' && p.text[p.i] <= 'z' || p.text[p.i] == '_') {
		p.i++
	}
	call := &pathCall{name: p.text[start:p.i]}
	f, known := pathFunctions[call.name]
	if !known || !strings.HasPrefix(p.text[p.i:], "(") {
		p.i = start
		p.fail("expected a query, a literal, or one of the functions length, count, match, search, value")
		return operand{}
	}
	p.i++
	for p.err == nil {
		at := p.i
		arg := p.operand()
		if f.nodes && arg.query == nil {
			p.i = at
			p.fail(call.name + "() takes a query")
		}
		if !f.nodes {
			p.comparable(arg, at)
		}
		call.args = append(call.args, arg)
		if !p.take(",") {
			break
		}
	}
	p.want(")")
	if p.err == nil && len(call.args) != f.args {
		p.i = start
		p.fail(call.name + "() takes " + strconv.Itoa(f.args) + " of what is in its parentheses")
	}
	return operand{call: call}
}
