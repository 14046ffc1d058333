package scan

// Opt reads an object with read, or a null as nil.
func Opt[T any](s *Scanner, read func(*Scanner) *T) *T {
	if s.Null() {
		return nil
	}
	return read(s)
}

// List reads an array with elem for each element, or a null as nil. An empty
// array gives an empty list that is not nil.
func List[T any](s *Scanner, elem func(*Scanner) T) []T {
	if s.Null() {
		return nil
	}
	list := []T{}
	for s.OpenList(); s.NextElem(); {
		list = append(list, elem(s))
	}
	return list
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
		list = append(list, elem(s))
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
