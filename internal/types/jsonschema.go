package types

// A Schema is a JSON Schema (2020-12) in the keywords that every protocol
// understands, in the order of the document it came from. It has no $ref:
// OTC 1.0 excludes references and definitions. Encoding it belongs to
// gen/export, because protocols differ in dialect.
type Schema struct {
	// Types lists the JSON types; none means any value.
	Types       []string
	Description string
	Format      string
	Enum        []string
	// Minimum is set for what can never be negative.
	Minimum *int64
	// Items is the element of an array.
	Items *Schema
	// Properties of an object, in document order; Required names those that
	// are always there.
	Properties []Property
	Required   []string
	// Extra is the schema of members that Properties does not name; nil means
	// that nothing is said about them.
	Extra *Schema
	// AnyOf lists alternatives; nothing else is set beside it.
	AnyOf []*Schema
}

// A Property is a member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Bounds of a schema. Without references a recursive type has to end
// somewhere, and shared parts multiply.
const (
	maxSchemaDepth = 32
	maxSchemaNodes = 4096
)

// JSONSchema returns the schema of the values of t as they are in JSON.
// Limits are left out: nobody checks answers against them, and a schema must
// not promise what nobody checks. Types that contain themselves end in a plain
// object.
func (t *Type) JSONSchema() *Schema {
	b := &schemaBuilder{under: map[*Type]bool{}}
	return b.schema(t)
}

type schemaBuilder struct {
	// under holds the objects that are being described, outermost first.
	under map[*Type]bool
	depth int
	nodes int
}

var scalarSchemas = map[Kind]Schema{
	Null:      {Types: []string{"null"}},
	Bool:      {Types: []string{"boolean"}},
	Int:       {Types: []string{"integer"}},
	Uint:      {Types: []string{"integer"}, Minimum: new(int64)},
	Double:    {Types: []string{"number"}},
	Bytes:     {Types: []string{"string"}, Format: "byte"},
	Timestamp: {Types: []string{"string"}, Format: "date-time"},
	Duration:  {Types: []string{"string"}},
}

func (b *schemaBuilder) schema(t *Type) *Schema {
	if t == nil {
		return &Schema{}
	}
	b.nodes++
	b.depth++
	defer func() { b.depth-- }()
	switch t.Kind {
	case String:
		return &Schema{Types: []string{"string"}, Enum: t.Enum}
	case Optional:
		return nullable(b.schema(t.Elem))
	case List:
		if b.full() {
			return &Schema{Types: []string{"array"}}
		}
		return &Schema{Types: []string{"array"}, Items: b.element(t)}
	case Map:
		if b.full() {
			return &Schema{Types: []string{"object"}}
		}
		return &Schema{Types: []string{"object"}, Extra: b.element(t)}
	case Object:
		return b.object(t)
	case Union:
		return b.union(t)
	}
	s := scalarSchemas[t.Kind] // Dyn and Invalid: any value
	return &s
}

func (b *schemaBuilder) full() bool { return b.depth > maxSchemaDepth || b.nodes > maxSchemaNodes }

func (b *schemaBuilder) element(t *Type) *Schema {
	s := b.schema(t.Elem)
	if t.NullableElem {
		s = nullable(s)
	}
	return s
}

// object describes records by what is always there, objects of a schema by
// what their schema requires.
func (b *schemaBuilder) object(t *Type) *Schema {
	s := &Schema{Types: []string{"object"}}
	if b.under[t] || b.full() {
		return s
	}
	b.under[t] = true
	defer delete(b.under, t)
	for _, f := range t.Fields {
		typ, optional := f.Type, f.Optional
		if typ != nil && typ.Kind == Optional {
			typ, optional = typ.Elem, true // missing members are left out, not null
		}
		p := b.schema(typ)
		if f.Nullable {
			p = nullable(p)
		}
		p.Description = f.Doc
		s.Properties = append(s.Properties, Property{f.Name, p})
		if t.Record && !optional || !t.Record && f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	if t.Extra != nil {
		s.Extra = b.schema(t.Extra)
	}
	return s
}

func (b *schemaBuilder) union(t *Type) *Schema {
	s := &Schema{}
	for _, v := range t.Variants {
		if b.full() {
			return &Schema{}
		}
		s.AnyOf = append(s.AnyOf, b.schema(v))
	}
	if len(s.AnyOf) == 1 {
		return s.AnyOf[0]
	}
	return s
}

// nullable lets null in.
func nullable(s *Schema) *Schema {
	switch {
	case len(s.AnyOf) > 0:
		for _, v := range s.AnyOf {
			if len(v.Types) == 1 && v.Types[0] == "null" {
				return s
			}
		}
		s.AnyOf = append(s.AnyOf, &Schema{Types: []string{"null"}})
	case len(s.Enum) > 0:
		// An enum of texts excludes null whatever the type says.
		return &Schema{AnyOf: []*Schema{s, {Types: []string{"null"}}}}
	case len(s.Types) == 1 && s.Types[0] != "null":
		s.Types = []string{s.Types[0], "null"}
	}
	return s
}
