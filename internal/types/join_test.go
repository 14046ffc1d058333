package types

import (
	"strings"
	"testing"
)

// Types that are the same may stand for one another in both branches of a
// condition, and the result stays as closed as both are.
func TestSameAndJoin(t *testing.T) {
	record := func(name string, f *Type, optional bool) *Type {
		return &Type{Kind: Object, Record: true, Fields: []*Field{{Name: name, Type: f, Optional: optional}}}
	}
	union := func(variants ...*Type) *Type { return &Type{Kind: Union, Variants: variants} }
	one := record("a", IntType, false)
	for _, c := range []struct {
		name string
		a, b *Type
		same bool
	}{
		{"scalars", IntType, IntType, true}, {"other scalars", IntType, StringType, false}, {"enums", EnumOf("a"), EnumOf("b"), true},
		{"unions", union(IntType, StringType), union(IntType, EnumOf("a")), true}, {"unions in another order", union(IntType, StringType), union(StringType, IntType), false},
		{"smaller unions", union(IntType, StringType), union(IntType), false},
		{"records", one, record("a", IntType, false), true}, {"records of other names", one, record("b", IntType, false), false},
		{"records of other types", one, record("a", StringType, false), false}, {"records with an optional", one, record("a", IntType, true), false},
		{"lists", ListOf(IntType), ListOf(IntType), true}, {"lists of others", ListOf(IntType), ListOf(BoolType), false},
		{"maps", MapOf(StringType, IntType), MapOf(StringType, IntType), true}, {"maps of other keys", MapOf(StringType, IntType), MapOf(IntType, IntType), false},
	} {
		if Same(c.a, c.b) != c.same || Same(c.b, c.a) != c.same {
			t.Errorf("%s: same %t", c.name, !c.same)
		}
	}
	for _, c := range []struct {
		a, b *Type
		want string
	}{
		{EnumOf("a", "b"), EnumOf("c", "b"), "a b c"}, {EnumOf("a"), EnumOf("a"), "a"}, {EnumOf("a"), StringType, ""}, {StringType, EnumOf("a"), ""},
	} {
		joined := Join(c.a, c.b)
		if got := strings.Join(joined.Enum, " "); joined.Kind != String || got != c.want {
			t.Errorf("%v and %v are %q, want %q", c.a.Enum, c.b.Enum, got, c.want)
		}
	}
	if Join(IntType, IntType) != IntType || Join(one, record("a", IntType, false)) != one {
		t.Error("what is the same became another type")
	}
	if got := OptionalOf(IntType); got.Kind != Optional || got.Elem != IntType || OptionalOf(got) != got {
		t.Errorf("%+v", got)
	}
	twelve := strings.Fields("a b c d e f g h i j k l")
	if got := FewNames(twelve); got != "a, b, c, d, e, f, g, h, i, j, k, l" || FewNames(append(twelve, "m")) != got+", ..." || FewNames(nil) != "" {
		t.Error(got)
	}
}
