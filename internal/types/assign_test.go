package types_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/types"
)

func object(fields ...*types.Field) *types.Type {
	return &types.Type{Kind: types.Object, Name: "Order", Fields: fields}
}

func recordOf(fields ...*types.Field) *types.Type {
	return &types.Type{Kind: types.Object, Record: true, Fields: fields}
}

func nullable(t *types.Type) *types.Type {
	out := *t
	out.NullableElem = true
	return &out
}

// TestAssignable lists what may go where, and the reason in words where it
// may not.
func TestAssignable(t *testing.T) {
	text, num, whole := types.StringType, types.DoubleType, types.IntType
	order := object(&types.Field{Name: "title", Type: text, Required: true}, &types.Field{Name: "amount", Type: whole}, &types.Field{Name: "id", Type: text, Required: true, ReadOnly: true})
	open := object()
	either := &types.Type{Kind: types.Union, Variants: []*types.Type{whole, text}}
	for _, test := range []struct {
		name         string
		from, target *types.Type
		why          string
	}{
		{"the same", text, text, ""},
		{"whole number to number", whole, num, ""},
		{"number to whole number", num, whole, "wants int, the value is double"},
		{"text to number", text, num, "wants double, the value is string"},
		{"number to text", whole, text, "wants string, the value is int"},
		{"optional by its element", types.OptionalOf(whole), num, ""},
		{"poison", types.InvalidType, text, ""},
		{"anything", order, types.DynOf("free"), ""},
		{"untyped to text", types.DynOf("free"), text, "wants string, the type of the value is not known (free): narrow it with string(...), int(...), double(...) or bool(...)"},
		{"enum to text", types.EnumOf("a"), text, ""},
		{"text to enum", text, types.EnumOf("a"), ""}, // only its values could tell
		{"enum to wider enum", types.EnumOf("a"), types.EnumOf("a", "b"), ""},
		{"enum to narrower enum", types.EnumOf("a", "c"), types.EnumOf("a", "b"), `does not allow "c", only a, b`},
		{"to one of several", text, either, ""},
		{"to none of several", types.BoolType, either, "wants int | string, the value is bool"},
		{"several to one", either, text, "wants string, the value is int | string"},
		{"list", types.ListOf(whole), types.ListOf(num), ""},
		{"list of another type", types.ListOf(text), types.ListOf(num), "wants double, the value is string"},
		{"list with nulls", nullable(types.ListOf(text)), types.ListOf(text), "wants list(string), the value is list(optional(string))"},
		{"list to list with nulls", types.ListOf(text), nullable(types.ListOf(text)), ""},
		{"one for a list", text, types.ListOf(text), "wants list(string), the value is string"},
		{"map", types.MapOf(text, whole), types.MapOf(text, num), ""},
		{"map with other keys", types.MapOf(whole, whole), types.MapOf(text, whole), "wants map(string, int), the value is map(int, int)"},
		{"record", recordOf(&types.Field{Name: "title", Type: text}), order, ""},
		{"record without a required member", recordOf(&types.Field{Name: "amount", Type: whole}), order, `wants a member "title"`},
		{"record that may lack a required member", recordOf(&types.Field{Name: "title", Type: text, Optional: true}), order, `wants a member "title"`},
		{"record with an unknown member", recordOf(&types.Field{Name: "title", Type: text}, &types.Field{Name: "colour", Type: text}), order, `has no member "colour"`},
		{"record with a member of another type", recordOf(&types.Field{Name: "title", Type: whole}), order, "member title wants string, the value is int"},
		{"record to any object", recordOf(&types.Field{Name: "x", Type: whole}), open, ""},
	} {
		if got := types.Assignable(test.from, test.target); got != test.why {
			t.Errorf("%s: %q, want %q", test.name, got, test.why)
		}
	}
}

// TestAllows judges constants by the limits of their target.
func TestAllows(t *testing.T) {
	limited := func(kind types.Kind, l types.Limits) *types.Type { return &types.Type{Kind: kind, Limits: &l} }
	for _, test := range []struct {
		target *types.Type
		value  any
		why    string
	}{
		{types.EnumOf("a", "b"), "b", ""},
		{types.EnumOf("a", "b"), "c", `does not allow "c", only a, b`},
		{types.StringType, "anything", ""},
		{limited(types.String, types.Limits{MaxLength: new(int64(2))}), "éé", ""},
		{limited(types.String, types.Limits{MaxLength: new(int64(2))}), "ééé", "allows at most 2 characters"},
		{limited(types.String, types.Limits{MinLength: new(int64(1))}), "", "wants at least 1 characters"},
		{limited(types.Int, types.Limits{Format: "int32"}), int64(1 << 31), "is a 32-bit integer, 2147483648 does not fit"},
		{limited(types.Int, types.Limits{Format: "int32"}), int64(-1 << 31), ""},
		{limited(types.Int, types.Limits{Minimum: new(1.0)}), int64(1), ""},
		{limited(types.Int, types.Limits{Minimum: new(1.0), ExclusiveMin: true}), int64(1), "wants at least 1"},
		{limited(types.Double, types.Limits{Maximum: new(1.5)}), 1.6, "allows at most 1.5"},
		{limited(types.Double, types.Limits{MultipleOf: new(0.0001)}), 40.7833, ""},
		{limited(types.Double, types.Limits{MultipleOf: new(0.0001)}), 40.78331, "wants a multiple of 0.0001"},
		{limited(types.Int, types.Limits{MultipleOf: new(5.0)}), int64(12), "wants a multiple of 5"},
	} {
		if got := test.target.Allows(test.value); got != test.why {
			t.Errorf("%s and %v: %q, want %q", test.target, test.value, got, test.why)
		}
	}
}
