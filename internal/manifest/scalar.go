package manifest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

const quotedStyle = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
const blockStyle = yaml.LiteralStyle | yaml.FoldedStyle

// newScalar gives a scalar node its type and the places of its bytes.
func newScalar(src *source, n *yaml.Node) Scalar {
	s := Scalar{Value: n.Value, Type: TextType}
	if n.Style&(quotedStyle|blockStyle) == 0 {
		s.Type = plainType(n.Value)
	}
	start := src.offset(n.Line, n.Column)
	t := retrace(src.text, start, n)
	if t == nil {
		// Never seen; a wrong place inside the text would be worse than the
		// start of the scalar.
		s.Span = src.span(start, min(start+1, len(src.text)))
		s.places = make([]diag.Pos, len(s.Value)+1)
		for i := range s.places {
			s.places[i] = s.Span.Start
		}
		return s
	}
	s.Span = src.span(start, t.end)
	if n.Style&(quotedStyle|blockStyle) == 0 && src.text[start:t.end] == s.Value {
		return s
	}
	s.places = src.positions(append(t.at, t.last))
	return s
}

// retrace decodes a scalar again, noting where each byte comes from. The
// parser's own result decides: nil when the two differ.
func retrace(text string, start int, n *yaml.Node) *tracer {
	t := &tracer{text: text, off: start}
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0:
		t.single()
	case n.Style&yaml.DoubleQuotedStyle != 0:
		t.double()
	case n.Style&blockStyle != 0:
		return retraceBlock(text, start, n)
	default:
		t.plain(n.Value)
	}
	if string(t.out) != n.Value {
		return nil
	}
	return t
}

// retraceBlock finds the indentation of a block scalar. An indicator counts
// from a parent that is not known here, so the depth that yields the parser's
// value is the right one; all depths agree on the places of line breaks.
func retraceBlock(text string, start int, n *yaml.Node) *tracer {
	literal := n.Style&yaml.LiteralStyle != 0
	try := func(depth int) *tracer {
		t := &tracer{text: text, off: start, longest: len(n.Value)}
		t.block(depth, literal)
		if string(t.out) != n.Value {
			return nil
		}
		return t
	}
	if t := try(blockDepth(text, start, n.Value)); t != nil {
		return t
	}
	for depth := range 2 * maxDepth {
		if t := try(depth); t != nil {
			return t
		}
	}
	return nil
}

// blockDepth guesses the indentation: that of the first line with text in the
// file less that of the first line with text in the value.
func blockDepth(text string, start int, value string) int {
	_, body, _ := strings.Cut(text[start:], "\n")
	return max(0, firstIndent(body)-firstIndent(value))
}

func firstIndent(text string) int {
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeft(line, " "); strings.TrimSpace(rest) != "" {
			return len(line) - len(rest)
		}
	}
	return 0
}

// A tracer decodes one scalar and keeps the offset of each decoded byte.
type tracer struct {
	text string
	off  int
	out  []byte
	at   []int
	// last is the offset one after the last byte, end the end of the scalar
	// with its quotes.
	last, end int
	// longest bounds out while depths are tried: a wrong one may run on to the
	// end of the file.
	longest int
}

func (t *tracer) emit(s string, at int) {
	t.out = append(t.out, s...)
	for range len(s) {
		t.at = append(t.at, at)
	}
}

func (t *tracer) copyRune() {
	_, size := utf8.DecodeRuneInString(t.text[t.off:])
	t.emit(t.text[t.off:t.off+size], t.off)
	t.off += size
}

func (t *tracer) peek(i int) byte {
	if t.off+i < len(t.text) {
		return t.text[t.off+i]
	}
	return 0
}

// breakLen returns the length of the line break at the cursor, or 0.
func (t *tracer) breakLen() int {
	switch {
	case t.peek(0) == '\n':
		return 1
	case t.peek(0) == '\r' && t.peek(1) == '\n':
		return 2
	}
	return 0
}

func (t *tracer) atSpace() bool {
	c := t.peek(0)
	return c == ' ' || c == '\t' || t.breakLen() > 0
}

func (t *tracer) plain(value string) {
	for len(t.out) < len(value) && t.off < len(t.text) {
		if t.atSpace() {
			t.fold(false)
			continue
		}
		t.copyRune()
	}
	t.last, t.end = t.off, t.off
}

func (t *tracer) single() {
	for t.off++; t.off < len(t.text); {
		switch {
		case t.atSpace():
			t.fold(false)
		case t.peek(0) != '\'':
			t.copyRune()
		case t.peek(1) == '\'':
			t.emit("'", t.off)
			t.off += 2
		default:
			t.last, t.end = t.off, t.off+1
			return
		}
	}
}

func (t *tracer) double() {
	for t.off++; t.off < len(t.text); {
		switch {
		case t.atSpace():
			t.fold(false)
		case t.peek(0) == '"':
			t.last, t.end = t.off, t.off+1
			return
		case t.peek(0) == '\\':
			t.escape()
		default:
			t.copyRune()
		}
	}
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r",
	'e': "\x1b", ' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

func (t *tracer) escape() {
	at := t.off
	t.off++
	if n := t.breakLen(); n > 0 {
		t.off += n
		t.fold(true)
		return
	}
	c := t.peek(0)
	t.off++
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		t.emit(escapes[c], at)
		return
	}
	end := min(t.off+digits, len(t.text))
	code, _ := strconv.ParseUint(t.text[t.off:end], 16, 32)
	t.emit(string(rune(code)), at)
	t.off = end
}

// fold reads a run of white space. A run with one line break is a space, with
// more all breaks but the first; after an escaped break nothing is dropped and
// no space is made.
func (t *tracer) fold(escaped bool) {
	start := t.off
	var breaks []int
	for t.atSpace() {
		if n := t.breakLen(); n > 0 {
			breaks = append(breaks, t.off)
			t.off += n
			continue
		}
		t.off++
	}
	switch {
	case escaped:
	case len(breaks) == 0:
		for i := start; i < t.off; i++ {
			t.emit(t.text[i:i+1], i)
		}
		return
	case len(breaks) == 1:
		t.emit(" ", start)
		return
	default:
		breaks = breaks[1:]
	}
	for _, at := range breaks {
		t.emit("\n", at)
	}
}

// block mirrors the parser's reading of | and > with lines indented by depth.
func (t *tracer) block(depth int, literal bool) {
	chomp := byte(0)
	for t.off++; t.peek(0) == '+' || t.peek(0) == '-' || t.peek(0) >= '0' && t.peek(0) <= '9'; t.off++ {
		if t.peek(0) == '+' || t.peek(0) == '-' {
			chomp = t.peek(0)
		}
	}
	t.last, t.end = t.off, t.off
	for t.off < len(t.text) && t.breakLen() == 0 {
		t.off++
	}
	t.off += t.breakLen()

	lead := -1 // the offset of the break before this line, if one is pending
	var trail []int
	column := t.blockBreaks(depth, &trail)
	leadBlank := false
	for column == depth && t.off < len(t.text) && len(t.out) <= t.longest {
		blank := t.peek(0) == ' ' || t.peek(0) == '\t'
		switch {
		case lead < 0:
		case !literal && !leadBlank && !blank:
			if len(trail) == 0 {
				t.emit(" ", lead)
			}
		default:
			t.emit("\n", lead)
		}
		t.emitBreaks(trail)
		lead, trail, leadBlank = -1, trail[:0], blank
		line := t.off
		for t.off < len(t.text) && t.breakLen() == 0 && len(t.out) <= t.longest {
			t.copyRune()
		}
		t.last, t.end = t.off, t.off
		if t.off < len(t.text) || strings.Trim(t.text[line:t.off], " \t") == "" {
			lead = t.off
		}
		t.off += t.breakLen()
		column = t.blockBreaks(depth, &trail)
	}
	if chomp != '-' && lead >= 0 {
		t.emit("\n", lead)
	}
	if chomp == '+' {
		t.emitBreaks(trail)
	}
}

func (t *tracer) emitBreaks(offs []int) {
	for _, at := range offs {
		t.emit("\n", at)
	}
}

// blockBreaks eats indentation and empty lines and returns how many spaces of
// the last line were eaten.
func (t *tracer) blockBreaks(depth int, breaks *[]int) int {
	for {
		column := 0
		for column < depth && t.peek(0) == ' ' {
			t.off++
			column++
		}
		if n := t.breakLen(); n > 0 {
			*breaks = append(*breaks, t.off)
			t.off += n
			continue
		}
		if t.off >= len(t.text) && column > 0 {
			// The parser counts a last line of spaces as an empty line.
			*breaks = append(*breaks, t.off)
		}
		return column
	}
}

var (
	jsonInt   = pattern.Of(`^-?(0|[1-9][0-9]*)$`)
	jsonFloat = pattern.Of(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	// oddNumber is what some YAML reader or other takes for a number.
	oddNumber = pattern.Of(`^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$|^[-+]?0[xob][0-9A-Fa-f_]+$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$`)
	oddWord   = pattern.Of(`^(~|Null|NULL|True|TRUE|False|FALSE)$`)
)

// plainType is the type of an unquoted scalar: the YAML 1.2 core schema, but
// numbers and words in their JSON spelling only.
func plainType(v string) Type {
	switch {
	case v == "" || v == "null":
		return NullType
	case v == "true" || v == "false":
		return BoolType
	case jsonInt().MatchString(v):
		return IntType
	case jsonFloat().MatchString(v):
		return FloatType
	}
	return TextType
}

// isOdd reports whether readers of YAML disagree about an unquoted scalar.
func isOdd(v string) bool {
	return oddWord().MatchString(v) || oddNumber().MatchString(v) && !jsonFloat().MatchString(v)
}
