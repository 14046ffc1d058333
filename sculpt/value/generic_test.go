package value

import (
	"math"
	"reflect"
	"testing"
)

// What generic code needs of typed values: the same elements, as copies.
func TestValuesOfAnyType(t *testing.T) {
	texts, counts := []string{"a", "b"}, map[string]int64{"a": 1, "b": 2}
	for _, c := range []struct{ got, want any }{
		{Anys(texts), []any{"a", "b"}}, {Anys([]int64(nil)), []any{}},
		{AnyMap(counts), map[string]any{"a": int64(1), "b": int64(2)}}, {AnyMap(map[string]string(nil)), map[string]any{}},
		{AnyKeys(counts), map[any]any{"a": int64(1), "b": int64(2)}},
		{AnyKeys(map[uint64]string{7: "x", math.MaxUint64: "y"}), map[any]any{int64(7): "x", uint64(math.MaxUint64): "y"}},
		{AnyKeys(map[any]bool(nil)), map[any]any{}},
		{TextOfUint(math.MaxUint64), "18446744073709551615"}, {TextOfUint(0), "0"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%#v, want %#v", c.got, c.want)
		}
	}
}

// Keys that are equal numbers are one key, whatever their Go type; what cannot
// be a key is found in no map.
func TestKeysAreOne(t *testing.T) {
	for _, c := range []struct{ in, want any }{
		{int64(3), int64(3)}, {uint64(3), int64(3)}, {3.0, int64(3)}, {math.Copysign(0, -1), int64(0)}, {uint64(math.MaxInt64), int64(math.MaxInt64)},
		{uint64(math.MaxInt64) + 1, uint64(math.MaxInt64) + 1}, {3.5, 3.5}, {math.Inf(1), math.Inf(1)}, {1e300, 1e300}, {"3", "3"}, {true, true}, {nil, nil},
		{[]any{}, noKey{}}, {[]byte{}, noKey{}}, {map[string]any{}, noKey{}}, {map[any]any{}, noKey{}},
	} {
		if got := Key(c.in); got != c.want {
			t.Errorf("%#v has the key %#v, want %#v", c.in, got, c.want)
		}
	}
}
