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

const (
	leastSlab = 4
	mostSlab  = 64
)

func (m *slab[T]) put(v T) *T {
	if len(m.free) == cap(m.free) {
		m.free = make([]T, 0, min(max(2*cap(m.free), leastSlab), mostSlab))
	}
	m.free = append(m.free, v)
	return &m.free[len(m.free)-1]
}
