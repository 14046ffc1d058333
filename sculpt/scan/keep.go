package scan

const (
	// chunk is how much text shares an allocation, and so how much a single
	// short text can keep alive.
	chunk = 4 << 10
	// longText has an allocation of its own.
	longText = 512
)

// text copies a string out of the window. Short ones are beside each other in a
// chunk, which saves an allocation for each; chunks go on from one answer to the
// next, since most answers have a few texts.
func (s *Scanner) text(b []byte) string {
	if len(b) > longText {
		return string(b)
	}
	if s.texts.Cap()-s.texts.Len() < len(b) {
		s.texts.Reset()
		s.texts.Grow(chunk)
	}
	from := s.texts.Len()
	s.texts.Write(b)
	return s.texts.String()[from:]
}

// A slab gives pointers to values that share an allocation.
type slab[T any] struct{ free []T }

// A slab begins with one value, since most answers have one of most types, goes
// on with the size of a short list, and grows fourfold from there, up to what a few
// pointers may keep alive.
const (
	shortSlab = 8
	mostSlab  = 512
)

func (m *slab[T]) put(v T) *T {
	if len(m.free) == cap(m.free) {
		n := 1
		if cap(m.free) > 0 {
			n = more(cap(m.free))
		}
		m.free = make([]T, 0, n)
	}
	m.free = append(m.free, v)
	return &m.free[len(m.free)-1]
}

func (m *slab[T]) drop() { m.free = nil }

// A home gives pointers to values of a type of a decoder, as a slab does. It has
// no methods: a generated package has one for each of its types, and the
// compiler would write all of them for every one.
type home[T any] struct {
	first T // most answers have one value of most types
	free  []T
}

// New returns a zero value of T that shares its allocation with others of the
// same answer. The slot is a small number of its own for each type of a decoder.
func New[T any](s *Scanner, slot int) *T {
	m, ok := s.home(slot).(*home[T])
	if !ok { // the first of the answer
		m = new(home[T])
		s.homes[slot] = m
		return &m.first
	}
	if len(m.free) == cap(m.free) {
		m.free = make([]T, 0, more(cap(m.free)))
	}
	m.free = m.free[:len(m.free)+1]
	return &m.free[len(m.free)-1]
}

func (s *Scanner) home(slot int) any {
	for len(s.homes) <= slot {
		s.homes = append(s.homes, nil)
	}
	return s.homes[slot]
}

// more is how many values have room after those of a slab of n.
func more(n int) int { return min(max(4*n, shortSlab), mostSlab) }
