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

// A slab grows fast, since a list has far more elements than the objects around
// it, up to what a few pointers may keep alive.
const (
	growSlab = 8
	mostSlab = 512
)

func (m *slab[T]) put(v T) *T {
	if len(m.free) == cap(m.free) {
		m.free = make([]T, 0, min(max(growSlab*cap(m.free), 1), mostSlab))
	}
	m.free = append(m.free, v)
	return &m.free[len(m.free)-1]
}

func (m *slab[T]) drop() { m.free = nil }

// New returns a zero value of T that shares its allocation with others of the
// same answer. The slot is a small number of its own for each type of a decoder.
func New[T any](s *Scanner, slot int) *T {
	for len(s.structs) <= slot {
		s.structs = append(s.structs, nil)
	}
	m, ok := s.structs[slot].(*slab[T])
	if !ok { // the scanner has served another package
		m = new(slab[T])
		s.structs[slot] = m
	}
	var zero T
	return m.put(zero)
}
