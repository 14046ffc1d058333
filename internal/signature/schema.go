package signature

import (
	"bytes"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// schemaJSON writes the schema of a json output. Package gen/export has its
// own writer: that one follows the dialects of protocols, this one must never
// change (A2T 6.1).
func schemaJSON(s *types.Schema) object {
	o := object{}
	switch len(s.Types) {
	case 0:
	case 1:
		o.text("type", s.Types[0])
	default:
		o.texts("type", s.Types)
	}
	o.text("description", s.Description)
	o.text("format", s.Format)
	o.texts("enum", s.Enum)
	if s.Minimum != nil {
		o.any("minimum", *s.Minimum)
	}
	if s.Items != nil {
		o.add("items", schemaJSON(s.Items).bytes())
	}
	if len(s.Properties) > 0 {
		p := object{}
		for _, property := range s.Properties {
			p.add(property.Name, schemaJSON(property.Schema).bytes())
		}
		o.add("properties", p.bytes())
	}
	o.texts("required", s.Required)
	if s.Extra != nil {
		o.add("additionalProperties", schemaJSON(s.Extra).bytes())
	}
	if len(s.AnyOf) > 0 {
		var parts [][]byte
		for _, v := range s.AnyOf {
			parts = append(parts, schemaJSON(v).bytes())
		}
		o.add("anyOf", slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]")))
	}
	return o
}

// ParseSchema reads a JSON Schema in the keywords of [types.Schema]. Any other
// keyword is an error of type [*ReadError].
func ParseSchema(data []byte) (*types.Schema, error) {
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	s := r.schema(root)
	return s, r.failure()
}

func (r *reader) schema(n *node) *types.Schema {
	s := &types.Schema{}
	r.object(n, "a schema", func(m *members) {
		if t := m.take("type"); t != nil {
			if _, ok := t.value.(string); ok {
				s.Types = []string{r.textOf(t, "type")}
			} else {
				m.taken[slices.Index(m.names, "type")] = false
				s.Types = r.texts(m, "type")
			}
		}
		s.Description, s.Format, s.Enum = r.text(m, "description"), r.text(m, "format"), r.texts(m, "enum")
		s.Minimum = r.number(m, "minimum")
		if items := m.take("items"); items != nil {
			s.Items = r.schema(items)
		}
		r.properties(m, s)
		s.Required = r.texts(m, "required")
		if extra := m.take("additionalProperties"); extra != nil {
			s.Extra = r.schema(extra)
		}
		r.list(m, "anyOf", func(v *node) { s.AnyOf = append(s.AnyOf, r.schema(v)) })
	})
	return s
}

func (r *reader) properties(m *members, s *types.Schema) {
	n := m.take("properties")
	if n == nil {
		return
	}
	r.object(n, "properties", func(m *members) {
		for i, name := range m.names {
			m.taken[i] = true
			s.Properties = append(s.Properties, types.Property{Name: name, Schema: r.schema(m.nodes[i])})
		}
	})
}

// typeOf makes a type whose schema is s, so that a released version can be
// exported like a current one.
func typeOf(s *types.Schema) *types.Type {
	if len(s.AnyOf) > 0 {
		u := &types.Type{Kind: types.Union}
		for _, v := range s.AnyOf {
			u.Variants = append(u.Variants, typeOf(v))
		}
		return u
	}
	kind, nullable := "", false
	for _, t := range s.Types {
		if t == "null" && len(s.Types) > 1 {
			nullable = true
			continue
		}
		kind = t
	}
	t := typeOfKind(kind, s)
	if nullable {
		return types.OptionalOf(t)
	}
	return t
}

func typeOfKind(kind string, s *types.Schema) *types.Type {
	switch kind {
	case "null":
		return types.NullType
	case "boolean":
		return types.BoolType
	case "number":
		return types.DoubleType
	case "integer":
		if s.Minimum != nil {
			return types.UintType
		}
		return types.IntType
	case "string":
		return textType(s)
	case "array":
		if s.Items == nil {
			return types.ListOf(nil)
		}
		return types.ListOf(typeOf(s.Items))
	case "object":
		return objectType(s)
	}
	return types.DynOf("any value")
}

func textType(s *types.Schema) *types.Type {
	switch {
	case s.Format == "byte":
		return types.BytesType
	case s.Format == "date-time":
		return types.TimestampType
	case len(s.Enum) > 0:
		return types.EnumOf(s.Enum...)
	}
	return types.StringType
}

func objectType(s *types.Schema) *types.Type {
	if len(s.Properties) == 0 && s.Extra != nil {
		return types.MapOf(types.StringType, typeOf(s.Extra))
	}
	t := &types.Type{Kind: types.Object}
	for _, p := range s.Properties {
		f := &types.Field{Name: p.Name, Type: typeOf(p.Schema), Doc: p.Schema.Description, Required: slices.Contains(s.Required, p.Name)}
		if f.Type.Kind == types.Optional {
			f.Type, f.Nullable = f.Type.Elem, true
		}
		t.Fields = append(t.Fields, f)
	}
	if s.Extra != nil {
		t.Extra = typeOf(s.Extra)
	}
	return t
}
