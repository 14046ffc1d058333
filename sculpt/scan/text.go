package scan

import "unicode/utf8"

// Text reads a string.
func (s *Scanner) Text() string {
	if s.peek() != '"' {
		s.Wrong("a string")
		return ""
	}
	return s.text(s.str(s.pos + 1))
}

// OptText reads a string or null.
func (s *Scanner) OptText() Optional[string] {
	if s.Null() {
		return Optional[string]{}
	}
	t := s.Text()
	return Optional[string]{t, s.err == nil}
}

// str reads a string whose first byte after the quote is at i. The result is
// a piece of the window or of scratch and dies with the next read.
func (s *Scanner) str(i int) []byte {
	j := plain(s.buf, i)
	if j < len(s.buf) && s.buf[j] == '"' {
		s.pos = j + 1
		return s.buf[i:j]
	}
	s.scratch = s.scratch[:0]
	for {
		s.scratch = append(s.scratch, s.buf[i:j]...)
		switch r, next, ok := s.odd(j); {
		case !ok:
			return nil
		case r == quote:
			s.pos = next
			return s.scratch
		case r == refilled:
			i = next
		default:
			s.scratch = utf8.AppendRune(s.scratch, r)
			i = next
		}
		j = plain(s.buf, i)
	}
}

// skipString checks a string whose first byte after the quote is at i.
func (s *Scanner) skipString(i int) {
	for {
		i = plain(s.buf, i)
		if i < len(s.buf) && s.buf[i] == '"' {
			s.pos = i + 1
			return
		}
		r, next, ok := s.odd(i)
		if !ok {
			return
		}
		if i = next; r == quote {
			s.pos = i
			return
		}
	}
}

const (
	quote    rune = -1
	refilled rune = -2
)

// odd reads what stopped plain at i: the closing quote, an escape, a character
// outside ASCII, or the end of the window. It returns the index after it.
func (s *Scanner) odd(i int) (r rune, next int, ok bool) {
	if i >= len(s.buf) {
		if i, ok = s.fill(i); !ok {
			s.pos = i
			s.end()
		}
		return refilled, i, ok
	}
	switch c := s.buf[i]; {
	case c == '"':
		return quote, i + 1, true
	case c == '\\':
		return s.escape(i)
	case c < 0x20:
		s.pos = i
		s.syntax("a string without control characters")
		return 0, 0, false
	}
	i = s.ensure(i, utf8.UTFMax)
	r, n := utf8.DecodeRune(s.buf[i:])
	if r == utf8.RuneError && n <= 1 {
		s.pos = i
		s.fail(Syntax, "", "the text is not UTF-8", nil)
		return 0, 0, false
	}
	return r, i + n, true
}

var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads the escape sequence at i. Lone surrogates are refused: they
// have no UTF-8 form, and replacing them would change a value silently.
func (s *Scanner) escape(i int) (r rune, next int, ok bool) {
	i = s.ensure(i, 2)
	s.pos = i
	if len(s.buf)-i < 2 {
		s.pos = len(s.buf)
		s.end()
		return 0, 0, false
	}
	if c := s.buf[i+1]; c != 'u' {
		if escapes[c] == 0 {
			s.fail(Syntax, "an escape sequence", describe(c), nil)
			return 0, 0, false
		}
		return rune(escapes[c]), i + 2, true
	}
	i = s.ensure(i, 6)
	if r, ok = s.hex(i); !ok {
		return 0, 0, false
	}
	if r < 0xD800 || r > 0xDFFF {
		return r, i + 6, true
	}
	i = s.ensure(i, 12)
	if s.err != nil {
		return 0, 0, false
	}
	s.pos = i
	if r >= 0xDC00 || len(s.buf)-i < 8 || s.buf[i+6] != '\\' || s.buf[i+7] != 'u' {
		s.fail(Syntax, "", "half of a surrogate pair", nil)
		return 0, 0, false
	}
	low, ok := s.hex(i + 6)
	if !ok {
		return 0, 0, false
	}
	if low < 0xDC00 || low > 0xDFFF {
		s.fail(Syntax, "", "half of a surrogate pair", nil)
		return 0, 0, false
	}
	return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, i + 12, true
}

// hex reads the four digits of the \u escape at i.
func (s *Scanner) hex(i int) (r rune, ok bool) {
	s.pos = i
	for j := i + 2; j < i+6; j++ {
		if j >= len(s.buf) {
			s.pos = len(s.buf)
			s.end()
			return 0, false
		}
		c := s.buf[j]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			s.pos = j
			s.fail(Syntax, "four hexadecimal digits", describe(c), nil)
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
