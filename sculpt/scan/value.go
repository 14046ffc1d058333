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

// OptBool reads true or false, nil for null.
func (s *Scanner) OptBool() *bool {
	if s.Null() {
		return nil
	}
	v := s.Bool()
	if s.err != nil {
		return nil
	}
	return &v
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

// Skip checks the next value and passes over it.
func (s *Scanner) Skip() {
	switch s.peek() {
	case '"':
		s.skipString(s.pos + 1)
	case '{', '[':
		s.skipDeep()
	default:
		s.skipScalar(s.peek())
	}
}

// skipScalar skips a value that begins with c.
func (s *Scanner) skipScalar(c byte) {
	switch c {
	case 'n':
		s.literal("null")
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.number(false)
	default:
		s.syntax("a value")
	}
}

// skipDeep skips an array or object without recursion: one bit per level says
// whether it is an object.
func (s *Scanner) skipDeep() {
	var objects [maxDepth/64 + 1]uint64
	level := 0
	for {
		// A value starts here.
		c := s.peek()
		switch c {
		case '{', '[':
			level++
			if s.depth+level > s.maxDepth {
				s.fail(TooDeep, "", "the text nests too deep", nil)
				return
			}
			s.pos++
			bit := uint64(1) << (level & 63)
			if c == '{' { //nolint:nestif // one loop instead of recursion
				objects[level>>6] |= bit
				if s.peek() != '}' {
					if !s.skipKey() {
						return
					}
					continue
				}
			} else {
				objects[level>>6] &^= bit
				if s.peek() != ']' {
					continue
				}
			}
			s.pos++
			level--
		case '"':
			s.skipString(s.pos + 1)
		default:
			s.skipScalar(c)
		}
		// A value ended here.
		for {
			if level == 0 || s.err != nil {
				return
			}
			object := objects[level>>6]>>(level&63)&1 != 0
			c := s.peek()
			if c == ',' {
				s.pos++
				if object && !s.skipKey() {
					return
				}
				break
			}
			if object && c != '}' || !object && c != ']' {
				s.syntax("',' or the end of the " + map[bool]string{true: "object", false: "list"}[object])
				return
			}
			s.pos++
			level--
		}
	}
}

// skipKey passes over a member name and its colon.
func (s *Scanner) skipKey() bool {
	if s.peek() != '"' {
		s.syntax("a member name")
		return false
	}
	s.skipString(s.pos + 1)
	return s.colon()
}

func (s *Scanner) colon() bool {
	if s.peek() == ':' {
		s.pos++
		return true
	}
	s.syntax("':'")
	return false
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
