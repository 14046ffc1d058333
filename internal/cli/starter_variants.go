package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// firstVariant is the type of what a body is if it takes the first variant of each
// choice: the type of the body alone unites them.
func firstVariant(m *operation.Media) *types.Type {
	if m.Asserts == nil || m.Schema == nil {
		return m.Schema
	}
	v := variantMaker{made: map[string]*types.Type{}}
	return v.of(m.Schema, operation.Place{m.Asserts})
}

// A variantMaker makes types of first variants, each once, so that those that hold
// themselves end.
type variantMaker struct {
	made map[string]*types.Type
	// chosen says that the place is in a variant; outside of them types are as they are.
	chosen bool
}

func (v *variantMaker) of(union *types.Type, place operation.Place) *types.Type {
	if len(place) == 0 || !v.chosen && !slices.ContainsFunc(place, (*operation.Assertions).HasChoices) {
		return union
	}
	var same strings.Builder
	for _, a := range place {
		fmt.Fprintf(&same, " %p", a)
	}
	key := same.String()
	parts, keys := place.First()
	if kinds := kindsOf(parts); !v.chosen && !slices.Contains(kinds, types.Object) && !slices.Contains(kinds, types.List) {
		return union
	}
	switch known := v.made[key]; {
	case known == nil:
	case known.Kind == types.Invalid && !slices.Equal(kindsOf(parts), []types.Kind{types.Object}):
		return union // what holds itself without an object between cannot be written down
	default:
		return known
	}
	out := &types.Type{}
	v.made[key] = out
	outer := v.chosen
	v.chosen = outer || place.Decides() != nil
	*out = *v.fill(union, parts, keys)
	v.chosen = outer
	return out
}

// kindsOf are the kinds that the first of the parts allows which says so.
func kindsOf(parts []*operation.Assertions) []types.Kind {
	for _, a := range parts {
		if a.Kinds != nil {
			return a.Kinds
		}
	}
	return nil
}

func (v *variantMaker) fill(union *types.Type, parts []*operation.Assertions, keys map[string]string) *types.Type {
	kinds := kindsOf(parts)
	var limits *types.Limits
	for _, a := range parts {
		if limits == nil {
			limits = a.Limits
		}
	}
	if len(kinds) != 1 {
		return union
	}
	of := union.Variant(kinds[0])
	if of == nil {
		of = &types.Type{Kind: kinds[0]}
	}
	switch kinds[0] {
	case types.Object:
		return v.object(union, parts, keys)
	case types.List:
		var items operation.Place
		for _, a := range parts {
			if a.Items != nil {
				items = append(items, a.Items)
			}
		}
		elem := types.DynOf("no schema")
		if of.Elem != nil {
			elem = of.Elem
		}
		return &types.Type{Kind: types.List, Elem: v.of(elem, items), Limits: limits}
	}
	return &types.Type{Kind: kinds[0], Enum: textsOf(parts), Limits: limits}
}

// textsOf are the texts that all parts allow, nil for any.
func textsOf(parts []*operation.Assertions) (texts []string) {
	for _, a := range parts {
		var own []string
		for _, value := range a.Values {
			if text, ok := value.(string); ok && (texts == nil || slices.Contains(texts, text)) {
				own = append(own, text)
			}
		}
		if own != nil {
			texts = own
		}
	}
	return texts
}

func (v *variantMaker) object(union *types.Type, parts []*operation.Assertions, keys map[string]string) *types.Type {
	of := union.Variant(types.Object)
	out := &types.Type{Kind: types.Object}
	if of != nil {
		out.Name = of.Name
	}
	add := func(name string) *types.Field {
		if f := out.Field(name); f != nil {
			return f
		}
		f := &types.Field{Name: name, Type: types.DynOf("no schema")}
		if of != nil && of.Field(name) != nil {
			*f = *of.Field(name)
			f.Required = false
		}
		var place operation.Place
		for _, a := range parts {
			place = append(place, a.Member(name)...)
		}
		f.Type = v.of(f.Type, place)
		if key := keys[name]; key != "" && (f.Type.Kind != types.String || f.Type.Enum == nil || slices.Contains(f.Type.Enum, key)) {
			f.Type, f.Required = types.EnumOf(key), true
		}
		for _, a := range place {
			f.ReadOnly = f.ReadOnly || a.ReadOnly
		}
		out.Fields = append(out.Fields, f)
		return f
	}
	for _, a := range parts {
		for _, p := range a.Properties {
			add(p.Name)
		}
		for _, name := range a.Required {
			add(name).Required = true
		}
	}
	if len(out.Fields) > 0 {
		return out
	}
	for _, a := range parts {
		if a.Extra != nil {
			return types.MapOf(types.StringType, v.of(types.DynOf("no schema"), operation.Place{a.Extra}))
		}
	}
	return types.DynOf(freeForm)
}

// variantLines says of each variant that a value at a place may take what it is called
// and what it requires.
func variantLines(place operation.Place) []string {
	c := place.Decides()
	if c == nil {
		return nil
	}
	var out []string
	for i, a := range c.Variants {
		if a.IsNull() {
			continue
		}
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("variant %d", i+1)
		}
		var required []string
		parts, _ := operation.Place{a}.First()
		for _, part := range parts {
			required = append(required, part.Required...)
		}
		if len(c.Keys[i]) > 0 && c.Property != "" {
			required = slices.DeleteFunc(required, func(name string) bool { return name == c.Property })
			required = append([]string{c.Property + " " + c.Keys[i][0]}, required...)
		}
		if len(required) > 0 {
			name += ": " + types.FewNames(slices.Compact(required))
		}
		out = append(out, plain(name, 200))
	}
	return out
}
