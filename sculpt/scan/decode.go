package scan

import (
	"math"
	"unsafe"
)

// Opt reads a value with read, or a null as none.
func Opt[T any](s *Scanner, read func(*Scanner) T) Optional[T] {
	if s.Null() {
		return Optional[T]{}
	}
	v := read(s)
	return Optional[T]{v, s.err == nil}
}

// List reads an array with elem for each element, or a null as nil. An empty
// array gives an empty list that is not nil.
func List[T any](s *Scanner, elem func(*Scanner) T) []T { return First(s, math.MaxInt, elem) }

// First reads the first n elements of an array, or a null as nil. The others are
// passed over, or not even read where a scanner may stop early.
func First[T any](s *Scanner, n int, elem func(*Scanner) T) []T {
	if s.Null() {
		return nil
	}
	h := homeOf[T](s)
	from := len(h.open) // elem may read lists of the same type, which are gone again after it
	for s.OpenList(); ; {
		if len(h.open)-from == n {
			s.passRest()
			break
		}
		if !s.NextElem() {
			break
		}
		v := elem(s)
		s.spend(unsafe.Sizeof(v))
		if at := len(h.open); at == cap(h.open) {
			h.open = append(make([]T, 0, slab(at, shortSlab)), h.open...)
		}
		h.open = append(h.open, v)
	}
	read := h.open[from:]
	if from == 0 && cap(read)*int(unsafe.Sizeof(*new(T))) > keepOpen { // too much to be kept
		h.open = nil
		return read[:len(read):len(read)] //nolint:modernize // one function less for each type
	}
	list := room(s, h, len(read))
	copy(list, read)
	clear(read)
	h.open = h.open[:from]
	return list
}

// Map reads an object as a map with elem for each member, or a null as nil.
func Map[T any](s *Scanner, elem func(*Scanner) T) map[string]T {
	if s.Null() {
		return nil
	}
	m := map[string]T{}
	for s.Open(); s.NextAny(); {
		key := s.Key()
		m[key] = elem(s)
	}
	return m
}
