package scan

import "math"

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
	from := len(h.open)
	s.OpenList()
	for range n {
		if !s.NextElem() {
			return finish(s, h, from)
		}
		add(s, h, elem(s))
	}
	s.passRest()
	return finish(s, h, from)
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
