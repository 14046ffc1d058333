package compat

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// schema is one of a single type.
func schema(typ string) *types.Schema { return &types.Schema{Types: []string{typ}} }

func list(items *types.Schema) *types.Schema {
	return &types.Schema{Types: []string{"array"}, Items: items}
}

// object has members that are always there, and its optional ones.
func object(required []types.Property, optional ...types.Property) *types.Schema {
	s := &types.Schema{Types: []string{"object"}, Properties: required}
	for _, p := range required {
		s.Required = append(s.Required, p.Name)
	}
	s.Properties = append(s.Properties, optional...)
	return s
}

func members(name string, s *types.Schema) []types.Property {
	return []types.Property{{Name: name, Schema: s}}
}

// TestMisread reads an old schema against a new one: what a reader of the old
// one may fail on, with the path to it.
func TestMisread(t *testing.T) {
	text, number, whole, anyValue := schema("string"), schema("number"), schema("integer"), &types.Schema{}
	date, counted, few := schema("string"), schema("integer"), schema("string")
	date.Format, counted.Minimum, few.Enum = "date", new(int64(0)), []string{"a", "b"}
	more := schema("string")
	more.Enum = []string{"a", "b", "c"}
	either := &types.Schema{AnyOf: []*types.Schema{text, whole}}
	named := object(members("name", text))
	open := object(nil)
	open.Extra = text
	openWhole := object(nil)
	openWhole.Extra = whole
	for _, c := range []struct {
		name     string
		old, new *types.Schema
		want     string
	}{
		{"the same", named, named, ""},
		{"nothing was said", anyValue, text, ""},
		{"nothing is said any more", text, anyValue, "it may now be anything"},
		{"another type", text, whole, "it was string and may now be integer"},
		{"whole numbers are numbers", number, whole, ""},
		{"numbers are not whole", whole, number, "it was integer and may now be number"},
		{"an alternative more", text, either, "it was string and may now be integer"},
		{"an alternative less", either, text, ""},
		{"an alternative that neither was", either, schema("boolean"), "it was integer and may now be boolean"},
		{"no format", date, text, "it no longer has the format date"},
		{"no minimum", counted, whole, "it may now be less than 0"},
		{"any text", few, text, "it may now be any text"},
		{"another text", few, more, `it may now be "c"`},
		{"fewer texts", more, few, ""},
		{"a list of other elements", list(text), list(whole), "[] was string and may now be integer"},
		{"a list of anything", list(text), list(nil), "it may now hold anything"},
		{"a member gone", named, object(members("title", text)), `it lost its member "name"`},
		{"a member that may be missing", named, object(nil, members("name", text)...), `member "name" of it may now be missing`},
		{"a new member", named, object(members("name", text), members("title", text)...), ""},
		{"a member of another type", named, object(members("name", whole)), "name was string and may now be integer"},
		{"a member of a member", object(members("to", named)), object(members("to", object(nil, members("name", text)...))), `member "name" of to may now be missing`},
		{"a member of an element", object(members("all", list(named))), object(members("all", list(object(members("title", text))))), `all[] lost its member "name"`},
		{"further members of another type", open, openWhole, "* was string and may now be integer"},
		{"a listed one among them", open, object(members("n", whole)), "n was string and may now be integer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := misread(c.old, c.new, ""); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
