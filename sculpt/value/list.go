package value

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Take returns the first n elements, all of them if there are fewer.
func Take[T any](list []T, n int64) ([]T, error) {
	if n < 0 {
		return nil, fmt.Errorf("%d is not a number of elements", n)
	}
	return list[:min(n, int64(len(list))):min(n, int64(len(list)))], nil
}

// Slice returns the elements from position from up to, not including,
// position to. Positions outside the list are errors.
func Slice[T any](list []T, from, to int64) ([]T, error) {
	switch {
	case from < 0 || to > int64(len(list)):
		return nil, fmt.Errorf("the list has %d elements, it cannot be cut from %d to %d", len(list), from, to)
	case from > to:
		return nil, fmt.Errorf("position %d is before position %d", to, from)
	}
	return list[from:to:to], nil
}

// Distinct returns the elements without repetitions, in the order of their
// first appearance.
func Distinct[T comparable](list []T) []T {
	return DistinctBy(list, func(v T) T { return v })
}

// DistinctBy is [Distinct] by the key of each element.
func DistinctBy[T any, K comparable](list []T, key func(T) K) []T {
	out := make([]T, 0, len(list))
	seen := make(map[K]struct{}, len(list))
	for _, v := range list {
		k := key(v)
		if _, twice := seen[k]; !twice {
			seen[k] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}

// DistinctFunc is [Distinct] by an equality; it compares every pair.
func DistinctFunc[T any](list []T, equal func(a, b T) bool) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if !slices.ContainsFunc(out, func(o T) bool { return equal(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// Reversed returns the elements in reverse order.
func Reversed[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// Sorted returns the elements in ascending order.
func Sorted[T cmp.Ordered](list []T) []T {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}

// SortedBy returns the elements in ascending order of their keys; elements
// with equal keys keep their order. keys[i] is the key of list[i].
func SortedBy[T any, K cmp.Ordered](list []T, keys []K) []T {
	return sortedBy(list, keys, cmp.Compare[K])
}

// SortedByTime is [SortedBy] for keys that are times.
func SortedByTime[T any](list []T, keys []time.Time) []T {
	return sortedBy(list, keys, time.Time.Compare)
}

func sortedBy[T, K any](list []T, keys []K, compare func(a, b K) int) []T {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	out := make([]T, len(list))
	for i, at := range order {
		out[i] = list[at]
	}
	return out
}

// Flatten joins the lists.
func Flatten[T any](lists [][]T) []T { return slices.Concat(lists...) }

// maxRange bounds Range: a number from outside must not become memory.
const maxRange = 1_000_000

// Range returns 0, 1, ... n-1, an error for a negative n and above a million.
func Range(n int64) ([]int64, error) {
	switch {
	case n < 0:
		return nil, fmt.Errorf("%d is not a number of elements", n)
	case n > maxRange:
		return nil, errors.New("a range has at most 1000000 elements")
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out, nil
}
