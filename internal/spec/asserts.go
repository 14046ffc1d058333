package spec

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// choosing returns the assertions of what is sent, nil where no value of it has to
// choose between variants: its type says all then.
func (t *typist) choosing(ref *openapi3.SchemaRef) *operation.Assertions {
	if a := t.assertions(ref); a != nil && a.HasChoices() {
		return a
	}
	return nil
}

// assertions reads a schema keyword by keyword, nil for no schema.
func (t *typist) assertions(ref *openapi3.SchemaRef) *operation.Assertions {
	if ref == nil || ref.Value == nil {
		return nil
	}
	s := ref.Value
	if known := t.asserts[s]; known != nil {
		return known
	}
	n := t.doc.nodeOf(s.Extensions)
	a := &operation.Assertions{Name: s.Title, ReadOnly: s.ReadOnly, Doc: s.Description, Required: s.Required, Limits: limitsOf(s)}
	if c := t.names[n]; c != nil && n != nil {
		a.Name = c.name
	}
	t.asserts[s] = a
	if t.spent(1) {
		return a
	}
	for _, k := range ownKinds(s) {
		a.Kinds = addKind(a.Kinds, k)
	}
	a.Null = nullable(ref, nil) || isFree(s) && len(s.Type.Slice()) == 0
	if isNull(s) {
		a.Kinds, a.Null = []types.Kind{}, true
		return a
	}
	for _, v := range s.Enum {
		if v != nil {
			a.Values = append(a.Values, v)
		}
	}
	t.assertMembers(a, s)
	a.Items = t.assertions(s.Items)
	for _, b := range s.AllOf {
		if part := t.assertions(b); part != nil {
			a.All = append(a.All, part)
		}
	}
	t.choice(a, n, s.AnyOf, false)
	t.choice(a, n, s.OneOf, true)
	return a
}

func (t *typist) assertMembers(a *operation.Assertions, s *openapi3.Schema) {
	for _, name := range t.propertyOrder(s) {
		a.Properties = append(a.Properties, operation.Property{Name: name, Value: t.assertions(s.Properties[name])})
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.PatternProperties)) {
		a.Patterns = append(a.Patterns, operation.Property{Name: pattern, Value: t.assertions(s.PatternProperties[pattern])})
	}
	extra := s.AdditionalProperties
	a.Closed = extra.Has != nil && !*extra.Has
	if a.Extra = t.assertions(extra.Schema); extra.Has != nil && *extra.Has {
		a.Extra = &operation.Assertions{}
	}
}

// choice adds a oneOf or anyOf. A bare nullable: true in it stands for null.
func (t *typist) choice(a *operation.Assertions, n *node, group openapi3.SchemaRefs, one bool) {
	c := &operation.Choice{One: one}
	d := n.get(discriminator)
	c.Property = d.str("propertyName")
	if d != nil && d.text != "" {
		c.Property = d.text
	}
	mapping := membersOf(d.get("mapping"))
	c.Mapped = len(mapping) > 0
	for _, b := range group {
		switch {
		case b == nil || b.Value == nil:
			continue
		case meansNull(b.Value):
			c.Variants, c.Keys = append(c.Variants, &operation.Assertions{Kinds: []types.Kind{}, Null: true}), append(c.Keys, nil)
			continue
		}
		v := t.assertions(b)
		c.Variants = append(c.Variants, v)
		c.Keys = append(c.Keys, t.keysOf(b, mapping))
	}
	if slices.ContainsFunc(c.Variants, func(v *operation.Assertions) bool { return !v.IsNull() }) {
		a.Choices = append(a.Choices, c)
	}
}

// keysOf are the values of a discriminator that choose a variant: those that are mapped
// to it, and the name of its component.
func (t *typist) keysOf(b *openapi3.SchemaRef, mapping []node) []string {
	c := t.doc.components[path.Base(b.Ref)]
	if c == nil {
		c = t.names[t.doc.nodeOf(reduce(b.Value).Extensions)]
	}
	if c == nil {
		return nil
	}
	keys := []string{}
	for i := range mapping {
		m := &mapping[i]
		name := m.text[strings.LastIndexAny(m.text, "/#")+1:]
		if to, f := t.resolve(m, nil); f == nil && strings.ContainsAny(m.text, "/#.") {
			if t.key(to) == t.key(c.from) {
				keys = append(keys, m.name)
			}
		} else if cmp.Or(name, m.text) == c.name {
			keys = append(keys, m.name)
		}
	}
	return append(keys, c.name)
}
