package meaning

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// What an expression relies on of a type, and all that can be seen of one that is
// passed on: in one order, and no further than a circle.
func TestShapes(t *testing.T) {
	union := &types.Type{Kind: types.Union, Variants: []*types.Type{types.StringType, types.ListOf(types.IntType), types.IntType}}
	nullable := types.ListOf(types.StringType)
	nullable.NullableElem = true
	record := &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{{Name: "b", Type: types.IntType}, {Name: "a", Type: types.StringType}}}
	loop := &types.Type{Kind: types.Object}
	loop.Fields = []*types.Field{{Name: "next", Type: loop}, {Name: "all", Type: types.ListOf(loop)}, {Name: "id", Type: types.IntType}}
	open := &types.Type{Kind: types.Object, Extra: types.BoolType}
	for _, c := range []struct {
		of           *types.Type
		shape, whole string
	}{
		{nil, "", ""}, {types.IntType, "int", "int"}, {types.ListOf(types.IntType), "list(int false)", "list(int false)of int"}, {nullable, "list(string true)", "list(string true)of string"}, {types.OptionalOf(types.BoolType), "optional(bool false)", "optional(bool false)of bool"},
		{types.MapOf(types.StringType, types.ListOf(types.IntType)), "map(string list(int false) false)", "map(string list(int false) false)of list(int false)of int"}, {union, "int|list|string", "int|list(int false)of int|string"},
		{record, "record(b a)", `{"a": string, "b": int }`}, {loop, "object", `{"all": list(object false)of , "id": int, "next":  }`}, {open, "object", "{ bool}"},
	} {
		if got := shape(c.of); got != c.shape {
			t.Errorf("shape %q, want %q", got, c.shape)
		}
		if got := whole(c.of); got != c.whole {
			t.Errorf("whole %q, want %q", got, c.whole)
		}
	}
}

// A text that is too long is cut around what differs in it, on one line.
func TestClip(t *testing.T) {
	long := strings.Repeat("a", most) + "X" + strings.Repeat("b", most)
	for _, c := range []struct {
		text   string
		around int
		want   string
	}{
		{"", 0, ""}, {" a\n  b\t", 0, "a b"}, {strings.Repeat("é", most), most, strings.Repeat("é", most)}, {long, 0, long[:most] + "..."}, {long, most / 3, long[:most] + "..."}, {long, most/3 + 1, "..." + long[1:most+1] + "..."},
		{long, most, "..." + long[most-most/3:2*most-most/3] + "..."}, {long, 2 * most, "..." + long[most+1:]}, {long, 9 * most, "..." + long[most+1:]}, {long[:most+1], 9 * most, "..." + long[1:most+1]},
	} {
		if got := clip(c.text, c.around); got != c.want {
			t.Errorf("%.20q around %d: %q, want %q", c.text, c.around, got, c.want)
		}
	}
}

// Constants are written in one order, and texts know where they part.
func TestLiterals(t *testing.T) {
	for want, v := range map[string]any{
		`{"a": [1, "x", <nil>], "b": 1.5}`: ir.Map{Keys: []string{"b", "a"}, Values: []any{1.5, []any{int64(1), "x", nil}}}, "[]": []any{}, "{}": ir.Map{}, `"a\"b"`: `a"b`, "true": true,
	} {
		if got := literal(v); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 0}, {"abc", "abd", 2}, {"ab", "abc", 2}, {"éa", "éb", 1}, {"x", "y", 0}} {
		if got := apart(c.a, c.b); got != c.want {
			t.Errorf("%q and %q part after %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if sum("a", "b") == sum("ab") || sum("a", "") == sum("a") || sum(strings.Repeat("a", 300)) == sum(strings.Repeat("a", 301)) {
		t.Error("lists of texts share a digest")
	}
}
