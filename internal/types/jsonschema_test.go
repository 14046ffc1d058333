package types_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/types"
)

func field(name string, t *types.Type) *types.Field { return &types.Field{Name: name, Type: t} }

func record(fields ...*types.Field) *types.Type {
	return &types.Type{Kind: types.Object, Record: true, Fields: fields}
}

func of(kind string) *types.Schema { return &types.Schema{Types: []string{kind}} }

func TestJSONSchema(t *testing.T) {
	zero := int64(0)
	nullElem := types.ListOf(types.IntType)
	nullElem.NullableElem = true
	nullMap := types.MapOf(types.StringType, types.EnumOf("a"))
	nullMap.NullableElem = true
	union := func(v ...*types.Type) *types.Type { return &types.Type{Kind: types.Union, Variants: v} }
	nullUnion := types.ListOf(union(types.BoolType, types.NullType))
	nullUnion.NullableElem = true
	schemaObject := &types.Type{Kind: types.Object, Name: "Book", Fields: []*types.Field{
		{Name: "b", Type: types.StringType, Required: true, Doc: "The b."},
		{Name: "a", Type: types.DoubleType, Nullable: true},
	}, Extra: types.BoolType}
	limited := &types.Type{Kind: types.Int, Limits: &types.Limits{Minimum: new(float64)}}

	for _, c := range []struct {
		name string
		t    *types.Type
		want *types.Schema
	}{
		{"bool", types.BoolType, of("boolean")},
		{"int", types.IntType, of("integer")},
		{"uint", types.UintType, &types.Schema{Types: []string{"integer"}, Minimum: &zero}},
		{"double", types.DoubleType, of("number")},
		{"null", types.NullType, of("null")},
		{"string", types.StringType, of("string")},
		{"enum", types.EnumOf("a", "b"), &types.Schema{Types: []string{"string"}, Enum: []string{"a", "b"}}},
		{"timestamp", types.TimestampType, &types.Schema{Types: []string{"string"}, Format: "date-time"}},
		{"list", types.ListOf(types.StringType), &types.Schema{Types: []string{"array"}, Items: of("string")}},
		{"list with nulls", nullElem, &types.Schema{Types: []string{"array"}, Items: &types.Schema{Types: []string{"integer", "null"}}}},
		{"map of enums with nulls", nullMap, &types.Schema{Types: []string{"object"}, Extra: &types.Schema{AnyOf: []*types.Schema{
			{Types: []string{"string"}, Enum: []string{"a"}}, of("null")}}}},
		{"union", union(types.StringType, types.ListOf(types.IntType)), &types.Schema{AnyOf: []*types.Schema{
			of("string"), {Types: []string{"array"}, Items: of("integer")}}}},
		{"union of one", union(types.StringType), of("string")},
		{"union that has null already", nullUnion, &types.Schema{Types: []string{"array"}, Items: &types.Schema{AnyOf: []*types.Schema{of("boolean"), of("null")}}}},
		{"optional", types.OptionalOf(types.IntType), &types.Schema{Types: []string{"integer", "null"}}},
		{"record", record(field("z", types.StringType), field("a", types.OptionalOf(types.IntType)), &types.Field{Name: "b", Type: types.BoolType, Optional: true}),
			&types.Schema{Types: []string{"object"}, Required: []string{"z"}, Properties: []types.Property{{"z", of("string")}, {"a", of("integer")}, {"b", of("boolean")}}}},
		{"object of a document", schemaObject, &types.Schema{Types: []string{"object"}, Required: []string{"b"}, Extra: of("boolean"), Properties: []types.Property{
			{"b", &types.Schema{Types: []string{"string"}, Description: "The b."}}, {"a", &types.Schema{Types: []string{"number", "null"}}}}}},
		// What has no schema means any value; what nobody checks is no promise.
		{"invalid", types.InvalidType, &types.Schema{}},
		{"unknown", types.DynOf("free-form object"), &types.Schema{}},
		{"nothing", nil, &types.Schema{}},
		{"field without type", record(field("a", nil)), &types.Schema{Types: []string{"object"}, Required: []string{"a"}, Properties: []types.Property{{"a", &types.Schema{}}}}},
		{"list of unknown", types.ListOf(types.DynOf("")), &types.Schema{Types: []string{"array"}, Items: &types.Schema{}}},
		{"limits", limited, of("integer")},
		{"empty record", record(), of("object")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.t.JSONSchema()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestJSONSchemaEnds gives it types that never end, or end far too late.
func TestJSONSchemaEnds(t *testing.T) {
	self := &types.Type{Kind: types.Object, Name: "Node"}
	self.Fields = []*types.Field{field("value", types.IntType), field("children", types.ListOf(self)), field("next", self)}
	want := &types.Schema{Types: []string{"object"}, Properties: []types.Property{
		{"value", of("integer")}, {"children", &types.Schema{Types: []string{"array"}, Items: of("object")}}, {"next", of("object")}}}
	if diff := cmp.Diff(want, self.JSONSchema()); diff != "" {
		t.Error(diff)
	}

	loop := &types.Type{Kind: types.List}
	loop.Elem = loop
	deep := types.StringType
	for range 10_000 {
		deep = types.ListOf(deep)
	}
	wide := types.StringType // 2^40 leaves, if nobody counts
	for range 40 {
		wide = record(field("l", wide), field("r", wide))
	}
	variants := &types.Type{Kind: types.Union}
	variants.Variants = []*types.Type{types.StringType, types.ListOf(variants), types.MapOf(types.StringType, variants)}
	for name, typ := range map[string]*types.Type{"loop": loop, "deep": deep, "wide": wide, "variants": variants} {
		if n := size(typ.JSONSchema()); n > 20_000 {
			t.Errorf("%s: the schema has %d parts", name, n)
		}
	}
}

func size(s *types.Schema) int {
	if s == nil {
		return 0
	}
	n := 1 + size(s.Items) + size(s.Extra)
	for _, p := range s.Properties {
		n += size(p.Schema)
	}
	for _, v := range s.AnyOf {
		n += size(v)
	}
	return n
}

// TestJSONSchemaLeavesTypesAlone asks twice: a builder that writes into shared
// parts gives another answer the second time.
func TestJSONSchemaLeavesTypesAlone(t *testing.T) {
	e := types.EnumOf("a")
	l := types.ListOf(e)
	l.NullableElem = true
	r := record(field("l", l), &types.Field{Name: "e", Type: e, Nullable: true}, &types.Field{Name: "u", Type: types.UintType, Nullable: true})
	first := r.JSONSchema()
	if diff := cmp.Diff(first, r.JSONSchema()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(of("integer").Types, types.UintType.JSONSchema().Types); diff != "" {
		t.Error("the schema of uint was changed: " + diff)
	}
}
