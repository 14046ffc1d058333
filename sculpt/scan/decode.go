package scan

import "slices"

// Opt reads an object with read, or a null as nil.
func Opt[T any](s *Scanner, read func(*Scanner) *T) *T {
	if s.Null() {
		return nil
	}
	return read(s)
}

// Nullable is a reader of an object that reads a null as nil, as [Opt] does.
func Nullable[T any](read func(*Scanner) *T) func(*Scanner) *T {
	return func(s *Scanner) *T { return Opt(s, read) }
}

// List reads an array with elem for each element, or a null as nil. An empty
// array gives an empty list that is not nil.
func List[T any](s *Scanner, elem func(*Scanner) T) []T {
	if s.Null() {
		return nil
	}
	list := []T{}
	for s.OpenList(); s.NextElem(); {
		list = appendFast(list, elem(s))
	}
	return list
}

// appendFast grows a list by more than append does: lists are either short or
// long, and what is left over goes with the answer.
func appendFast[T any](list []T, v T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, 4+3*len(list))
	}
	return append(list, v)
}

// First reads the first n elements of an array, or a null as nil. The others are
// passed over, or not even read where a scanner may stop early.
func First[T any](s *Scanner, n int, elem func(*Scanner) T) []T {
	if s.Null() {
		return nil
	}
	list := []T{}
	s.OpenList()
	for len(list) < n {
		if !s.NextElem() {
			return list
		}
		s.ahead = n - len(list)
		list = appendFast(list, elem(s))
		s.ahead = 0
	}
	s.passRest()
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
