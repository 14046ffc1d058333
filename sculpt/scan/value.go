package scan

// Null consumes a null and reports it; another value stays where it is.
func (s *Scanner) Null() bool {
	if s.peek() != 'n' {
		return false
	}
	s.literal("null")
	return s.err == nil
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	switch s.peek() {
	case 't':
		s.literal("true")
		return s.err == nil
	case 'f':
		s.literal("false")
	default:
		s.Wrong("a boolean")
	}
	return false
}

// OptBool reads true, false or null.
func (s *Scanner) OptBool() Optional[bool] {
	if s.Null() {
		return Optional[bool]{}
	}
	v := s.Bool()
	return Optional[bool]{v, s.err == nil}
}

func (s *Scanner) literal(text string) {
	if rest := s.buf[s.pos:]; len(rest) >= len(text) && string(rest[:len(text)]) == text {
		s.pos += len(text)
		return
	}
	i := s.ensure(s.pos, len(text))
	s.pos = i
	for j := range len(text) {
		if i+j >= len(s.buf) {
			s.pos = len(s.buf)
			s.end()
			return
		}
		if s.buf[i+j] != text[j] {
			s.pos = i + j
			s.syntax(text)
			return
		}
	}
	s.pos = i + len(text)
}

// maxParts bounds how many values one value of any kind may hold: each costs
// several times its text in memory.
const maxParts = 1 << 18

// Any reads a value of any kind: nil, bool, int64, float64, string, []any or
// map[string]any. A number that is an integer of 64 bits becomes an int64, also
// 60.0 and 6e1; any other becomes the nearest float64.
func (s *Scanner) Any() any {
	parts := 0
	return s.any(&parts)
}

func (s *Scanner) any(parts *int) any {
	if *parts++; *parts > maxParts {
		s.fail(TooLarge, "", "the value has too many parts", nil)
		return nil
	}
	switch s.Kind() {
	case Null:
		s.Null()
	case Bool:
		return s.Bool()
	case Number:
		return s.anyNumber()
	case String:
		return s.Text()
	case Array:
		list := []any{}
		for s.OpenList(); s.NextElem(); {
			list = append(list, s.any(parts))
		}
		return list
	case Object:
		m := map[string]any{}
		for s.Open(); s.NextAny(); {
			key := s.Key()
			m[key] = s.any(parts)
		}
		return m
	}
	return nil
}

// Raw checks the next value and returns a copy of it without the white space
// between its tokens. Strings and numbers keep their spelling.
func (s *Scanner) Raw() []byte {
	s.peek()
	if s.err != nil {
		return nil
	}
	s.rec, s.mark, s.recording = s.rec[:0], s.pos, true
	s.Skip()
	s.recording = false
	if s.err != nil {
		return nil
	}
	s.rec = append(s.rec, s.buf[s.mark:s.pos]...)
	return compact(s.rec)
}

// compact copies valid JSON text without white space.
func compact(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		switch b[i] {
		case ' ', '\n', '\r', '\t':
			i++
			continue
		case '"':
			start := i
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			i++
			out = append(out, b[start:i]...)
		default:
			out = append(out, b[i])
			i++
		}
	}
	return out
}
