package compat

import (
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A pair is a parameter in both versions; one side is nil if it was added or
// removed.
type pair[P any] struct {
	old, new *P
}

// key is what parameters are paired by.
type key struct{ id, name string }

func inputKey(in *signature.Input) key    { return key{in.ID, in.Name} }
func outputKey(out *signature.Output) key { return key{out.ID, out.Name} }

// match pairs parameters by id and the rest by name. Ids come first: they
// exist for the processing of version changes (A2T 5.1), and only they can
// tell that two inputs of the same shape swapped their names. Kept and removed
// parameters come in old order, then the added ones in new order.
func match[P any](old, new []P, keyOf func(*P) key) []pair[P] {
	partner := make([]*P, len(old))
	used := make([]bool, len(new))
	join := func(same func(a, b key) bool) {
		for i := range old {
			for j := range new {
				if partner[i] == nil && !used[j] && same(keyOf(&old[i]), keyOf(&new[j])) {
					partner[i], used[j] = &new[j], true
				}
			}
		}
	}
	join(func(a, b key) bool { return a == b })
	join(func(a, b key) bool { return a.id == b.id })
	join(func(a, b key) bool { return a.name == b.name })
	pairs := make([]pair[P], 0, len(new))
	for i := range old {
		pairs = append(pairs, pair[P]{&old[i], partner[i]})
	}
	for j := range new {
		if !used[j] {
			pairs = append(pairs, pair[P]{nil, &new[j]})
		}
	}
	return pairs
}

// reordered returns the first kept parameter that comes before one that it
// used to come after, or nil.
func reordered[P any](pairs []pair[P], new []P) *P {
	position := map[*P]int{}
	for i := range new {
		position[&new[i]] = i
	}
	last := -1
	for _, p := range pairs {
		if p.old == nil || p.new == nil {
			continue
		}
		if position[p.new] < last {
			return p.new
		}
		last = position[p.new]
	}
	return nil
}

// swappedWith returns the old name of the parameter that took the old name of
// p while p took its name: the two swapped names.
func swappedWith[P any](pairs []pair[P], p pair[P], keyOf func(*P) key) string {
	was, is := keyOf(p.old).name, keyOf(p.new).name
	for _, q := range pairs {
		if q.old != nil && q.new != nil && keyOf(q.old).name == is && keyOf(q.new).name == was {
			return keyOf(q.old).name
		}
	}
	return ""
}

// takenBy returns the released name of the parameter that has the old name of
// p now, or "".
func takenBy[P any](pairs []pair[P], p pair[P], keyOf func(*P) key) string {
	for _, q := range pairs {
		if q.new != nil && q.new != p.new && keyOf(q.new).name == keyOf(p.old).name {
			return keyOf(q.new).id
		}
	}
	return ""
}
