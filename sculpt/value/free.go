package value

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"slices"
	"time"
	"unicode/utf8"
)

// Values of unknown type, as scan.Scanner.Any reads them and as expressions
// make them: nil for null and absent, bool, int64, uint64, float64, string,
// []byte, time.Time, time.Duration, []any, map[string]any, and map[any]any for
// keys of several types, which have the form that Key gives them.

// A whyError is the error of a function that knows its class.
type whyError struct {
	why  Why
	text string
}

func (e *whyError) Error() string { return e.text }

func errKind(want string) error {
	return &whyError{WrongKind, "is not " + want + " in this answer"}
}

// Member returns a member of an object: nil if it is absent or null, or if x
// itself is nil; an error if x is not an object.
func Member(x any, name string) (any, error) {
	switch m := x.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return m[name], nil
	case map[any]any:
		return m[name], nil
	}
	return nil, errKind("an object")
}

// At returns an element of a list by its index, or of an object by its key:
// nil if there is none or x is nil, an error if x is neither.
func At(x, key any) (any, error) {
	switch m := x.(type) {
	case nil:
		return nil, nil
	case map[any]any:
		return m[Key(key)], nil
	case map[string]any:
		name, _ := key.(string)
		return m[name], nil
	case []any:
		i, ok := Key(key).(int64)
		if !ok {
			return nil, errKind("an object")
		}
		if i < 0 || i >= int64(len(m)) {
			return nil, nil
		}
		return m[i], nil
	}
	return nil, errKind("a list")
}

// noKey stands for what cannot be a key; no map has it.
type noKey struct{}

// Key brings a map key to the form in which keys that are equal are one:
// numbers without a fraction become int64 where they fit. What can be no key
// becomes one that no map has.
func Key(k any) any {
	switch k := k.(type) {
	case []any, []byte, map[string]any, map[any]any:
		return noKey{}
	case uint64:
		if k <= math.MaxInt64 {
			return int64(k)
		}
	case float64:
		if i, err := IntOf(k); err == nil && float64(i) == k {
			return i
		}
	}
	return k
}

// Elements returns the elements of a list, or the keys of an object in
// ascending order.
func Elements(x any) ([]any, error) {
	switch m := x.(type) {
	case []any:
		return m, nil
	case map[string]any:
		return Anys(Keys(m)), nil
	case map[any]any:
		return Keys(m), nil
	case nil:
		return nil, &whyError{Missing, "is missing"}
	}
	return nil, errKind("a list")
}

// SizeOf returns the length of a text in code points, or of a list or object.
func SizeOf(x any) (int64, error) {
	if s, ok := x.(string); ok {
		return int64(utf8.RuneCountInString(s)), nil
	}
	if m, ok := x.(map[string]any); ok {
		return int64(len(m)), nil
	}
	list, err := Elements(x)
	return int64(len(list)), err
}

func narrow[T any](x any, want string) (T, error) {
	v, ok := x.(T)
	switch {
	case ok:
		return v, nil
	case x == nil:
		return v, &whyError{Missing, "is missing"}
	}
	return v, errKind(want)
}

// AsInt takes an integer out of a value of unknown type: 60.0 is one, 1.5 and
// "60" are not.
func AsInt(x any) (int64, error) {
	if i, ok := Key(x).(int64); ok {
		return i, nil
	}
	return narrow[int64](x, "an integer")
}

// AsUint takes an integer that is not negative out of a value of unknown type.
func AsUint(x any) (uint64, error) {
	switch v := Key(x).(type) {
	case int64:
		return UintOfInt(v)
	case uint64:
		return v, nil
	}
	return narrow[uint64](x, "an integer")
}

// AsDouble takes a number out of a value of unknown type.
func AsDouble(x any) (float64, error) {
	switch v := x.(type) {
	case int64:
		return float64(v), nil
	case uint64:
		return float64(v), nil
	}
	return narrow[float64](x, "a number")
}

// AsText takes a text out of a value of unknown type.
func AsText(x any) (string, error) { return narrow[string](x, "text") }

// AsBool takes a bool out of a value of unknown type.
func AsBool(x any) (bool, error) { return narrow[bool](x, "a boolean") }

// Equal compares two values of unknown type: numbers by value whatever their
// type, lists and objects part by part.
func Equal(a, b any) bool {
	if c, ok := compareNumbers(a, b); ok {
		return c == 0
	}
	switch x := a.(type) {
	case []byte:
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case map[string]any, map[any]any:
		return equalMaps(x, b)
	case float64: // compareNumbers leaves NaN, which equals nothing
		return false
	}
	switch b.(type) {
	case []byte, time.Time, []any, map[string]any, map[any]any:
		return false
	}
	return a == b
}

func equalMaps(a, b any) bool {
	x, okX := anyKeys(a)
	y, okY := anyKeys(b)
	if !okX || !okY || len(x) != len(y) {
		return false
	}
	for k, v := range x {
		if w, ok := y[k]; !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}

func anyKeys(x any) (map[any]any, bool) {
	switch m := x.(type) {
	case map[any]any:
		return m, true
	case map[string]any:
		return AnyKeys(m), true
	}
	return nil, false
}

// AnyKeys returns a map with keys and values of any type.
func AnyKeys[K comparable, V any](m map[K]V) map[any]any {
	out := make(map[any]any, len(m))
	for k, v := range m {
		out[Key(k)] = v
	}
	return out
}

// compareNumbers compares numbers of any type by their exact value; ok is
// false if one is not a number or NaN.
func compareNumbers(a, b any) (c int, ok bool) {
	if x, isInt := a.(int64); isInt {
		if y, isInt := b.(int64); isInt {
			return cmp.Compare(x, y), true
		}
	}
	x, okX := exact(a)
	y, okY := exact(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Cmp(y), true
}

func exact(v any) (*big.Float, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Float).SetInt64(v), true
	case uint64:
		return new(big.Float).SetUint64(v), true
	case float64:
		if !math.IsNaN(v) {
			return big.NewFloat(v), true
		}
	}
	return nil, false
}

// In reports whether v is an element of the list or a key of the object x.
func In(v, x any) (bool, error) {
	if m, ok := x.(map[string]any); ok {
		name, isText := v.(string)
		_, found := m[name]
		return isText && found, nil
	}
	list, err := Elements(x)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list, func(e any) bool { return Equal(e, v) }), nil
}

// GreatestAny returns the greatest of some numbers of any type, the first of
// equal ones; it needs one at least.
func GreatestAny(numbers ...any) any { return slices.MaxFunc(numbers, compareAny) }

// LeastAny returns the least of some numbers of any type.
func LeastAny(numbers ...any) any { return slices.MinFunc(numbers, compareAny) }

// compareAny puts NaN first, as cmp.Compare does.
func compareAny(a, b any) int {
	if c, ok := compareNumbers(a, b); ok {
		return c
	}
	x, _ := AsDouble(a)
	y, _ := AsDouble(b)
	return cmp.Compare(x, y)
}
