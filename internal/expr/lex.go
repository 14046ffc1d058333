package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tEnd tokenKind = iota
	tName
	tQuotedName // `radar-station`
	tInt
	tUint
	tFloat
	tString
	tBytes
	tPunct
)

type token struct {
	kind       tokenKind
	text       string // punctuation, name, or the text of a number
	value      string // decoded string or bytes
	start, end int
}

// lexer turns source text into tokens. It keeps going to its first error.
type lexer struct {
	src  string
	pos  int
	fail *Problem
}

var punctuation = []string{
	"&&", "||", "==", "!=", "<=", ">=", ".?", "[?", "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", "+", "-", "*", "/", "%", "<", ">", "!",
}

func (l *lexer) errorf(start, end int, fix, format string, args ...any) token {
	if l.fail == nil {
		l.fail = &Problem{Rule: ruleSyntax, Start: start, End: end, Message: fmt.Sprintf(format, args...), Fix: fix}
	}
	l.pos = len(l.src)
	return token{kind: tEnd, start: start, end: end}
}

func (l *lexer) next() token {
	l.skipSpace()
	start := l.pos
	if start >= len(l.src) {
		return token{kind: tEnd, start: start, end: start}
	}
	c := l.src[start]
	switch {
	case l.stringPrefix() > 0:
		return l.str(l.stringPrefix())
	case isNameStart(c):
		for l.pos < len(l.src) && isNamePart(l.src[l.pos]) {
			l.pos++
		}
		return token{kind: tName, text: l.src[start:l.pos], start: start, end: l.pos}
	case c == '`':
		end := strings.IndexByte(l.src[start+1:], '`')
		if end <= 0 {
			return l.errorf(start, start+1, "close it with another `", "a quoted name is not closed")
		}
		l.pos = start + end + 2
		return token{kind: tQuotedName, text: l.src[start+1 : l.pos-1], start: start, end: l.pos}
	case isDigit(c) || c == '.' && start+1 < len(l.src) && isDigit(l.src[start+1]):
		return l.number()
	}
	return l.punct()
}

func (l *lexer) punct() token {
	start := l.pos
	rest := l.src[start:]
	for _, p := range punctuation {
		if strings.HasPrefix(rest, p) {
			l.pos += len(p)
			return token{kind: tPunct, text: p, start: start, end: l.pos}
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch r {
	case '=':
		return l.errorf(start, start+1, "use == to compare", "unexpected character '='")
	case '&', '|':
		return l.errorf(start, start+1, fmt.Sprintf("write %c%c", r, r), "unexpected character '%c'", r)
	}
	return l.errorf(start, start+size, "remove it", "unexpected character %q", r)
}

func (l *lexer) skipSpace() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			l.pos++
		case strings.HasPrefix(l.src[l.pos:], "//"):
			end := strings.IndexByte(l.src[l.pos:], '\n')
			if end < 0 {
				end = len(l.src) - l.pos
			}
			l.pos += end
		default:
			return
		}
	}
}

func isNameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isNamePart(c byte) bool  { return isNameStart(c) || isDigit(c) }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }
func isHex(c byte) bool       { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func (l *lexer) digits(ok func(byte) bool) int {
	start := l.pos
	for l.pos < len(l.src) && ok(l.src[l.pos]) {
		l.pos++
	}
	return l.pos - start
}

func (l *lexer) number() token {
	start, kind := l.pos, tInt
	if strings.HasPrefix(l.src[start:], "0x") || strings.HasPrefix(l.src[start:], "0X") {
		l.pos += 2
		if l.digits(isHex) == 0 {
			return l.errorf(start, l.pos, "write hexadecimal digits after 0x", "the number has no digits")
		}
	} else {
		l.digits(isDigit)
		if l.pos+1 < len(l.src) && l.src[l.pos] == '.' && isDigit(l.src[l.pos+1]) {
			l.pos++
			l.digits(isDigit)
			kind = tFloat
		}
		if l.exponent() {
			kind = tFloat
		}
	}
	text := l.src[start:l.pos]
	if kind == tInt && l.pos < len(l.src) && l.src[l.pos]|0x20 == 'u' {
		l.pos++
		kind = tUint
	}
	if l.pos < len(l.src) && isNamePart(l.src[l.pos]) {
		return l.errorf(start, l.pos+1, "put a space or an operator between", "a name runs into a number")
	}
	return token{kind: kind, text: text, start: start, end: l.pos}
}

func (l *lexer) exponent() bool {
	if l.pos >= len(l.src) || l.src[l.pos]|0x20 != 'e' {
		return false
	}
	save := l.pos
	l.pos++
	if l.pos < len(l.src) && (l.src[l.pos] == '+' || l.src[l.pos] == '-') {
		l.pos++
	}
	if l.digits(isDigit) == 0 {
		l.pos = save
		return false
	}
	return true
}

// stringPrefix returns the length of a string's prefix and quote, 0 if no
// string starts here.
func (l *lexer) stringPrefix() int {
	i := l.pos
	for i < len(l.src) && i < l.pos+2 && strings.IndexByte("rRbB", l.src[i]) >= 0 {
		i++
	}
	if i >= len(l.src) || l.src[i] != '"' && l.src[i] != '\'' {
		return 0
	}
	prefix := strings.ToLower(l.src[l.pos:i])
	if prefix == "rr" || prefix == "bb" {
		return 0
	}
	return i - l.pos + 1
}

func (l *lexer) str(prefix int) token {
	start := l.pos
	head := strings.ToLower(l.src[start : start+prefix-1])
	quote := l.src[start+prefix-1 : start+prefix]
	if strings.HasPrefix(l.src[start+prefix-1:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	l.pos = start + prefix - 1 + len(quote)
	raw, bytes := strings.Contains(head, "r"), strings.Contains(head, "b")
	var b strings.Builder
	for !strings.HasPrefix(l.src[l.pos:], quote) {
		if l.pos >= len(l.src) || len(quote) == 1 && (l.src[l.pos] == '\n' || l.src[l.pos] == '\r') {
			return l.errorf(start, min(start+prefix, len(l.src)), "close it with "+quote, "a string is not closed")
		}
		if l.src[l.pos] == '\\' && !raw {
			if !l.escape(&b, bytes) {
				return token{kind: tEnd, start: start, end: start}
			}
			continue
		}
		b.WriteByte(l.src[l.pos])
		l.pos++
	}
	l.pos += len(quote)
	kind := tString
	if bytes {
		kind = tBytes
	}
	return token{kind: kind, value: b.String(), start: start, end: l.pos}
}

var simpleEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'"': '"', '\'': '\'', '\\': '\\', '?': '?', '`': '`',
}

func (l *lexer) escape(b *strings.Builder, bytes bool) bool {
	start := l.pos
	if start+1 >= len(l.src) {
		l.errorf(start, start+1, `write \\ for a backslash`, "a string ends in a backslash")
		return false
	}
	c := l.src[start+1]
	if s, ok := simpleEscapes[c]; ok {
		b.WriteByte(s)
		l.pos += 2
		return true
	}
	width, base := 0, 16
	switch {
	case c == 'x' || c == 'X':
		width = 2
	case c == 'u' && !bytes:
		width = 4
	case c == 'U' && !bytes:
		width = 8
	case c >= '0' && c <= '3':
		width, base = 3, 8
	}
	digits := start + 2
	if base == 8 {
		digits = start + 1
	}
	code, ok := number(l.src, digits, width, base)
	if width == 0 || !ok || !bytes && (code > utf8.MaxRune || code >= 0xD800 && code < 0xE000) {
		l.errorf(start, min(start+2, len(l.src)), `write \\ for a backslash`, "unknown escape in a string")
		return false
	}
	l.pos = digits + width
	if bytes {
		b.WriteByte(byte(code))
	} else {
		b.WriteRune(rune(code))
	}
	return true
}

func number(src string, start, width, base int) (int, bool) {
	if start+width > len(src) {
		return 0, false
	}
	n := 0
	for _, c := range []byte(src[start : start+width]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if isDigit(c) {
			d = int(c - '0')
		}
		if d < 0 || d >= base {
			return 0, false
		}
		n = n*base + d
	}
	return n, true
}
