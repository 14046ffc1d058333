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

// An Optional is a value that may be missing: a member that is not there, or is
// null, which means the same to a chain.
type Optional[T any] struct {
	Value   T
	Present bool
}

// Pointer points to the value, nil for one that is missing.
func (o *Optional[T]) Pointer() *T {
	if !o.Present {
		return nil
	}
	return &o.Value
}

// Or returns the value, or the other one where it is missing.
func (o *Optional[T]) Or(other T) T {
	if o.Present {
		return o.Value
	}
	return other
}

// Pointers makes a reader whose nil is a missing value of another one, for elements of lists
// and maps. Its values share allocations.
func Pointers[T any](read func(*Scanner) Optional[T]) func(*Scanner) *T {
	var free []T
	return func(s *Scanner) *T {
		v := read(s)
		if !v.Present {
			return nil
		}
		if len(free) == cap(free) {
			free = make([]T, 0, min(max(growScalar*cap(free), 1), mostSlab))
		}
		free = append(free, v.Value)
		return &free[len(free)-1]
	}
}

// Values that share an allocation begin with one, since most answers have one of
// most types, and grow fast from there, since lists have far more: scalars, which are
// small, faster than structs. mostSlab is what a few pointers may keep alive.
const (
	shortSlab  = 8
	growScalar = 8
	growStruct = 4
	mostSlab   = 512
)

// A home gives pointers to values of a type of a decoder. It has no methods: a
// generated package has one for each of its types, and the compiler would write all
// of them for every one.
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
		m.free = make([]T, 0, s.more(cap(m.free)))
	}
	m.free = m.free[:len(m.free)+1]
	return &m.free[len(m.free)-1]
}

func (s *Scanner) home(slot int) any {
	s.room, s.ahead = s.ahead, 0 // what is inside of the value is not of the list
	for len(s.homes) <= slot {
		s.homes = append(s.homes, nil)
	}
	return s.homes[slot]
}

// more is how many structs have room after those of a slab of n: as many as a
// bounded list still takes, if that is what the next one is for.
func (s *Scanner) more(n int) int {
	if s.room > 0 {
		return min(s.room, mostSlab)
	}
	return min(max(growStruct*n, shortSlab), mostSlab)
}
