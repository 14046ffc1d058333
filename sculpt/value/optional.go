package value

import (
	"cmp"
	"slices"
)

// Optional values have the form that can be nil: a pointer for scalars and
// records, the value itself for objects, lists and maps.

// Ptr returns a pointer to a copy of v: the optional that is there.
//
//go:fix inline
func Ptr[T any](v T) *T { return new(v) }

// Or returns what p points to, or other if p is nil.
func Or[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

// NonZero returns a pointer to a copy of v, or nil if v is the zero value.
func NonZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Entry returns a pointer to a copy of m[key], or nil if there is none.
func Entry[K comparable, V any](m map[K]V, key K) *V {
	if v, ok := m[key]; ok {
		return &v
	}
	return nil
}

// HasKey reports whether m has key.
func HasKey[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}

// Keys returns the keys of m in ascending order, so that what is made of them
// does not depend on chance. Bool keys are false, true.
func Keys[K comparable, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	if texts, ok := any(keys).([]string); ok {
		slices.Sort(texts)
		return keys
	}
	compare := compareKeys
	if _, mixed := any(keys).([]any); mixed {
		compare = compareMixedKeys
	}
	slices.SortFunc(keys, func(a, b K) int { return compare(any(a), any(b)) })
	return keys
}

func compareKeys(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case bool:
		return CompareBool(a, b.(bool))
	}
	return 0
}

// compareMixedKeys orders numbers before bools before texts.
func compareMixedKeys(a, b any) int {
	if c, ok := compareNumbers(a, b); ok {
		return c
	}
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return cmp.Compare(x, y)
		}
	case bool:
		if y, ok := b.(bool); ok {
			return CompareBool(x, y)
		}
	}
	return cmp.Compare(keyRank(a), keyRank(b))
}

func keyRank(k any) int {
	switch k.(type) {
	case string:
		return 2
	case bool:
		return 1
	}
	return 0
}

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// First returns a pointer to the first element of list, nil if it is empty.
func First[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// Last returns a pointer to the last element of list, nil if it is empty.
func Last[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// FirstOrNil returns the first element of a list whose elements can be nil
// themselves, nil if it is empty.
func FirstOrNil[T any](list []T) T {
	var none T
	if len(list) == 0 {
		return none
	}
	return list[0]
}

// LastOrNil is FirstOrNil for the last element.
func LastOrNil[T any](list []T) T {
	var none T
	if len(list) == 0 {
		return none
	}
	return list[len(list)-1]
}

// Greatest returns the greatest of its arguments; it needs one at least.
func Greatest[T cmp.Ordered](values ...T) T { return slices.Max(values) }

// Least returns the least of its arguments; it needs one at least.
func Least[T cmp.Ordered](values ...T) T { return slices.Min(values) }

// Head returns at most the first n elements of list.
func Head[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// Texts returns the text form of every element.
func Texts[T any](list []T, text func(T) string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text(v)
	}
	return out
}
