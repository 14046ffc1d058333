package scan

// Skip checks the next value and passes over it.
func (s *Scanner) Skip() {
	switch c := s.peek(); c {
	case '{', '[':
		s.skipDeep(&s.trail, 0)
	default:
		s.skipScalar(c)
	}
}

// skipScalar skips a value that begins with c.
func (s *Scanner) skipScalar(c byte) {
	if s.pos < len(s.buf) {
		if end := scalarEnd(s.buf, s.pos); end >= 0 {
			s.pos = end
			return
		}
	}
	switch c {
	case '"':
		s.skipString(s.pos + 1)
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

// trailLevels is how many levels a trail holds.
const trailLevels = 64

// A trail is the way from the value that is skipped to where the scanner is.
type trail struct {
	// level counts the open lists and objects; objects has a bit for each that
	// says whether it is an object, the innermost in the lowest.
	level, limit int
	objects      uint64
	// ended: a value or the bracket of an object came last, else a value begins.
	// first: the list or object is empty so far.
	ended, first bool
	// names has for each level the hash of the last member name; a list has that
	// of the member that it is.
	names [trailLevels + 1]uint32
}

func (t *trail) push(object bool) {
	t.level++
	t.objects <<= 1
	t.ended, t.first = object, true
	if object {
		t.objects |= 1
		t.names[t.level] = 0
	} else {
		t.names[t.level] = t.names[t.level-1]
	}
}

func (t *trail) pop() {
	t.level--
	t.objects >>= 1
	t.ended, t.first = true, false
}

// last tells where in the texts of its kind the innermost object is: equal
// names are common in objects of different members.
func (t *trail) last() uint32 { return t.names[t.level-1]*31 + t.names[t.level] }

// skipDeep skips a list or an object; above it are as many open levels as the
// frames and over say. It recurs once for 64 levels.
func (s *Scanner) skipDeep(t *trail, over int) {
	t.limit = min(s.maxDepth-s.depth-over, trailLevels)
	t.level, t.objects, t.ended, t.first = 0, 0, false, false
	if s.depth > 0 {
		t.names[0] = s.frames[s.depth-1].last
	}
	for s.err == nil {
		s.pos = s.run(t, s.buf, s.pos)
		switch {
		case !t.ended:
			s.begin(t, over)
		case t.level == 0:
			return
		default:
			s.proceed(t)
		}
	}
}

// begin reads the start of a value, all of it if it is a scalar.
func (s *Scanner) begin(t *trail, over int) {
	c := s.peek()
	switch {
	case c == ']' && t.first:
		s.pos++
		t.pop()
	case c != '{' && c != '[':
		s.skipScalar(c)
		t.ended, t.first = true, false
	case t.level < t.limit:
		s.pos++
		t.push(c == '{')
	case t.limit == trailLevels:
		s.skipDeep(new(trail), over+t.level)
		t.ended, t.first = true, false
	default:
		s.fail(TooDeep, "", "the text nests too deep", nil)
	}
}

// proceed reads what is between two values, or the end of a list or object.
func (s *Scanner) proceed(t *trail) {
	end, what := byte(']'), "list"
	if t.objects&1 != 0 {
		end, what = '}', "object"
	}
	c := s.peek()
	switch {
	case c == end:
		s.pos++
		t.pop()
		return
	case t.first:
	case c == ',':
		s.pos++
	default:
		s.syntax("',' or the end of the " + what)
		return
	}
	if end == '}' {
		s.skipKey()
	}
	t.ended, t.first = false, false
}

// run skips as far as possible. It is one loop with its state in registers: the
// same in functions for each state takes a quarter more time.
func (s *Scanner) run(t *trail, b []byte, i int) int {
	ended, first := t.ended, t.first
loop:
	for i < len(b) {
		c := b[i]
		if !ended {
			switch {
			case c == '{' || c == '[':
				if t.level >= t.limit {
					break loop
				}
				t.push(c == '{')
				i, ended, first = space(b, i+1), c == '{', true
			case c == ']' && first:
				t.pop()
				i, ended, first = i+1, true, false
			default:
				end := scalarEnd(b, i)
				if end < 0 {
					break loop
				}
				i, ended, first = end, true, false
			}
			continue
		}
		if t.level == 0 {
			break
		}
		object := t.objects&1 != 0
		if object && c != '}' {
			if j := s.joins.meet(b, i, t.last(), skipped.of(first)); j != nil {
				t.names[t.level] = j.name
				i, ended, first = i+int(j.size), false, false
				continue
			}
		}
		next := space(b, i)
		switch {
		case next >= len(b):
			break loop
		case b[next] == '}' && object, b[next] == ']' && !object:
			t.pop()
			i, first = next+1, false
		case object:
			name, value := member(b, next, first)
			if value < 0 {
				break loop
			}
			t.names[t.level] = s.joins.learn(b[i:value], name, t.last(), skipped.of(first), -1)
			i, ended, first = value, false, false
		case b[next] == ',':
			i, ended = space(b, next+1), false
		default:
			break loop
		}
	}
	t.ended, t.first = ended, first
	return i
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
