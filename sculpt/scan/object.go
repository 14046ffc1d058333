package scan

import "slices"

// push opens a level below the next value, whose bracket is consumed.
func (s *Scanner) push(array bool) {
	if s.depth >= s.maxDepth {
		s.fail(TooDeep, "", "the text nests too deep", nil)
		return
	}
	s.pos++
	if s.depth < cap(s.frames) {
		s.frames = s.frames[:s.depth+1]
	} else {
		s.frames = append(s.frames[:s.depth], frame{})
	}
	f := &s.frames[s.depth]
	f.seen, f.at, f.index, f.last = 0, -1, -1, 0
	f.array, f.first, f.named = array, true, false
	f.met, f.wanted = 0, -1
	f.any, f.few = nil, f.few[:0]
	clear(f.more)
	s.depth++
}

// top returns the innermost open level if it is of the wanted kind.
func (s *Scanner) top(array bool) *frame {
	if s.err != nil || s.stopped {
		return nil
	}
	if s.depth == 0 || s.frames[s.depth-1].array != array {
		s.fail(Syntax, "", "the decoder reads members or elements of what it has not opened", nil)
		return nil
	}
	f := &s.frames[s.depth-1]
	// A decoder that does not read a value passes over it.
	if f.at == s.base+int64(s.pos) {
		s.Skip()
	}
	return f
}

// Open enters an object.
func (s *Scanner) Open() {
	if s.peek() != '{' {
		s.Wrong("an object")
		return
	}
	s.push(false)
}

// OpenList enters an array.
func (s *Scanner) OpenList() {
	if s.peek() != '[' {
		s.Wrong("a list")
		return
	}
	s.push(true)
}

// NextElem moves to the next element of the array that is open. At the end it
// consumes the bracket and returns false, as at an error.
func (s *Scanner) NextElem() bool {
	f := s.top(true)
	if f == nil {
		return false
	}
	if _, more := s.part(f, ']', "',' or the end of the list"); !more {
		return false
	}
	f.index++
	f.at = s.base + int64(s.pos)
	return s.Kind() != None
}

// part moves behind the comma that is before the next element or member,
// and returns its first byte. At the end it consumes the bracket, which closes
// the level.
func (s *Scanner) part(f *frame, end byte, want string) (c byte, more bool) {
	c = s.peek()
	switch {
	case c == end:
		s.pos++
		s.depth--
		return 0, false
	case f.first:
		f.first = false
	case c == ',':
		s.pos++
		c = s.peek()
	default:
		s.syntax(want)
		return 0, false
	}
	return c, true
}

// member moves to the quote of the next member name.
func (s *Scanner) member(f *frame) bool {
	c, more := s.part(f, '}', "',' or the end of the object")
	if more && c != '"' {
		s.syntax("a member name")
		return false
	}
	return more
}

// Next moves to the next member of the open object whose name is in keys, and
// passes over all others, checking them. A wanted name that comes twice is a
// [Duplicate] error. At the end it consumes the brace and returns false, as at
// an error.
func (s *Scanner) Next(keys *Keys) bool {
	f := s.top(false)
	if f == nil {
		return false
	}
	f.wanted = len(keys.names)
	if s.early && s.complete() {
		s.stop()
		return false
	}
	for {
		f.named = false
		at := s.find(f, keys)
		switch {
		case at == noMember:
			return false
		case at < 0:
			s.Skip()
			if s.err != nil {
				return false
			}
			continue
		}
		f.key, f.named = keys.names[at], true
		if f.mark(at) {
			s.fail(Duplicate, "one member of this name", "a second one", nil)
			return false
		}
		s.key = f.key
		return s.stand(f)
	}
}

// find moves to the value of the next member and returns the index of its name
// in keys, -1 if it is not wanted, or noMember.
func (s *Scanner) find(f *frame, keys *Keys) int {
	b, i := s.buf, s.pos
	t := keys.tag.of(f.first)
	for j := s.joins.meet(b, i, f.last, t); j != nil; j = s.joins.meet(b, i, f.last, t) {
		i += int(j.size)
		f.first, f.last = false, j.name
		end := -1
		if j.at < 0 {
			end = scalarEnd(b, i)
		}
		if end < 0 {
			s.pos = i
			return int(j.at)
		}
		i, t = end, keys.tag
	}
	s.pos = i
	next := space(b, i)
	if next < len(b) && b[next] == '}' {
		s.pos = next + 1
		s.depth--
		return noMember
	}
	if name, value := member(b, next, f.first); value >= 0 {
		at := keys.find(name)
		f.last = s.joins.learn(b[i:value], name, f.last, t, at)
		f.first = false
		s.pos = value
		return at
	}
	if !s.member(f) {
		return noMember
	}
	name := s.str(s.pos + 1)
	at := keys.find(name)
	f.last = hash(name)
	if !s.colon() || s.peek() == 0 && s.err != nil {
		return noMember
	}
	return at
}

const noMember = -2

// stand remembers that the decoder is at the value of a member.
func (s *Scanner) stand(f *frame) bool {
	if s.Kind() == None {
		return false
	}
	f.at = s.base + int64(s.pos)
	return true
}

// mark notes the key and reports whether it was there before.
func (f *frame) mark(at int) bool {
	word := &f.seen
	if at >= 64 {
		n := at>>6 - 1
		for len(f.more) <= n {
			f.more = append(f.more, 0)
		}
		word = &f.more[n]
	}
	bit := uint64(1) << (at & 63)
	twice := *word&bit != 0
	*word |= bit
	f.met++
	return twice
}

// NextAny moves to the next member of the open object, whatever its name. Any
// name that comes twice is a [Duplicate] error.
func (s *Scanner) NextAny() bool {
	f := s.top(false)
	if f == nil {
		return false
	}
	f.named = false
	if !s.member(f) {
		return false
	}
	name := s.text(s.str(s.pos + 1))
	if s.err != nil || !s.colon() {
		return false
	}
	f.key, f.named = name, true
	if !f.add(name) {
		s.fail(Duplicate, "one member of this name", "a second one", nil)
		return false
	}
	s.key = name
	return s.stand(f)
}

// fewNames is how many names are compared one by one.
const fewNames = 8

// add notes a member name and reports whether it is new.
func (f *frame) add(name string) bool {
	if _, twice := f.any[name]; twice || slices.Contains(f.few, name) {
		return false
	}
	if len(f.few) < fewNames {
		f.few = append(f.few, name)
		return true
	}
	if f.any == nil {
		f.any = make(map[string]struct{})
	}
	f.any[name] = struct{}{}
	return true
}

// Key returns the name of the member that Next or NextAny moved to. It is
// valid until the next of these calls, also of inner objects.
func (s *Scanner) Key() string { return s.key }
