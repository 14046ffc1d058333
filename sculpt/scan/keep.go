package scan

import "unsafe"

const (
	// chunk is how much text shares an allocation in short answers.
	chunk = 4 << 10
	// longText is more text than shares an allocation with others, unless the
	// answer has several times as much.
	longText = 512
)

// text copies a string out of the window. Those of an answer are beside each other in
// chunks, each as large as all before: their number grows with the logarithm of the length
// only. What is left of a first chunk is for the next answer, since most have a few texts.
func (s *Scanner) text(b []byte) string {
	s.taken += len(b)
	if len(b) > max(longText, s.taken/4) {
		return string(b)
	}
	if s.texts.Cap()-s.texts.Len() < len(b) {
		s.texts.Reset()
		s.texts.Grow(max(chunk, s.taken))
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

// Pointer makes a reader of a pointer to what another one reads, for members of maps, elements
// that may be null, and objects inside of their own type.
func Pointer[T any](read func(*Scanner) T) func(*Scanner) *T {
	return func(s *Scanner) *T {
		v := read(s)
		s.spend(unsafe.Sizeof(v))
		p := &room(s, homeOf[T](s), 1)[0]
		*p = v
		return p
	}
}

// Nullable makes a reader as [Pointer] does, which reads a null as nil.
func Nullable[T any](read func(*Scanner) T) func(*Scanner) *T {
	there := Pointer(read)
	return func(s *Scanner) *T {
		if s.Null() {
			return nil
		}
		return there(s)
	}
}

// Pointers points to the elements of a list that was read; nil stays nil.
func Pointers[T any](s *Scanner, list []T) []*T {
	if list == nil {
		return nil
	}
	all := room(s, homeOf[*T](s), len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// The lists of one type in an answer share slabs. The first slab is what the first list
// needs, since most answers have one; where more follow there are as many as another list
// has elements, and slabs grow fast.
const (
	shortSlab = 8
	growSlab  = 4
	// steepSlab is how many elements grow fast; longer slabs are doubled.
	steepSlab = 1 << 10
	// keepOpen is how many bytes of open elements, and keepHomes of how many types,
	// a scanner keeps from one answer to the next.
	keepOpen  = 256 << 10
	keepHomes = 16
	// mostSpent is how much memory the values of lists may take for each byte of the
	// longest text: an empty object has two bytes and becomes a struct. Texts that may not
	// be long, such as the last of several pages, count as leastText.
	mostSpent = 32
	leastText = 256 << 10
)

// A home has the elements of one type. There is little code here that knows the type:
// the compiler writes it anew for each struct of a generated package.
type home[T any] struct {
	// open are the elements of lists that are being read: those of an inner list
	// follow those of the outer one. They are copied when the list ends, so that this
	// is used again and a list has the length that it needs.
	open []T
	// kept is the slab of the lists that are read, those of the answer of this number.
	kept   []T
	answer uint64
}

// homeOf finds the home of a type. Answers have lists of few types.
//
//go:noinline
func homeOf[T any](s *Scanner) *home[T] {
	for _, h := range s.homes {
		if h, ok := h.(*home[T]); ok {
			return h
		}
	}
	h := new(home[T])
	s.homes = append(s.homes, h)
	return h
}

// room is a list of n zero elements.
//
//go:noinline
func room[T any](s *Scanner, h *home[T], n int) []T {
	if h.answer != s.answer {
		h.answer, h.kept = s.answer, nil
	}
	from := len(h.kept)
	if cap(h.kept)-from < n || h.kept == nil {
		h.kept, from = make([]T, 0, slab(cap(h.kept), n)), 0
	}
	h.kept = h.kept[:from+n]
	return h.kept[from : from+n : from+n]
}

// slab is how many elements the slab after one of n has, to take least at least.
func slab(n, least int) int {
	switch {
	case n == 0:
		return least
	case n < steepSlab:
		return max(growSlab*n, least, shortSlab)
	}
	return max(2*n, least)
}

// spend counts the memory of a value, and fails where an answer takes too much. What slabs have
// left does not count: whether an answer can be read does not depend on what a scanner has kept.
func (s *Scanner) spend(size uintptr) {
	s.spent += int64(size)
	if s.maxBytes >= 0 && s.spent/mostSpent > max(s.maxBytes, leastText) {
		s.fail(TooLarge, "", "the lists have too many elements", nil)
	}
}

// forget gives up what belongs to the answer. What lists have left of their slabs is given up
// when the next ones need room.
func (s *Scanner) forget() {
	if s.texts.Cap() > chunk+chunk/4 {
		s.texts.Reset()
	}
	if len(s.homes) > keepHomes {
		clear(s.homes)
		s.homes = s.homes[:0]
	}
	s.answer++
}
