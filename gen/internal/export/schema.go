package export

import (
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var jsonTypes = map[signature.Type]string{
	signature.String: "string", signature.Enum: "string", signature.Int: "integer", signature.Boolean: "boolean",
}

// inputSchema is the JSON Schema of a tool's inputs. Bounds are always
// written, so that no reader depends on defaults (A2T 6.1).
func inputSchema(inputs []signature.Input) object { return inputsWith(inputs, inputProperty) }

// inputsWith is the schema of inputs with the properties that a format writes.
func inputsWith(inputs []signature.Input, property func(signature.Input) object) object {
	return closed(openInputs(inputs, property))
}

// openInputs is the schema of inputs that does not say that there are no others.
func openInputs(inputs []signature.Input, property func(signature.Input) object) object {
	properties := object{}
	var required array
	for _, in := range inputs {
		properties = properties.with(in.Name, property(in))
		if in.Required {
			required = append(required, in.Name)
		}
	}
	return objectOf(properties, required)
}

// objectOf makes an object schema. Draft 4 forbids an empty required, so it is
// left out.
func objectOf(properties object, required array) object {
	o := object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		o = o.with("required", required)
	}
	return o
}

// closed makes an object schema that allows nothing else.
func closed(o object) object { return o.with("additionalProperties", false) }

func inputProperty(in signature.Input) object {
	o := object{{"type", jsonTypes[in.Type]}, {"description", in.Description}}
	switch in.Type {
	case signature.String:
		if in.MinLength > 0 {
			o = o.with("minLength", in.MinLength)
		}
		o = o.with("maxLength", in.MaxLength)
		if in.Pattern != "" {
			o = o.with("pattern", in.Pattern)
		}
	case signature.Int:
		o = o.with("minimum", in.Min).with("maximum", in.Max)
	case signature.Enum:
		o = o.with("enum", valueNames(in.Values))
	}
	if in.Default != nil {
		o = o.with("default", in.Default)
	}
	return o
}

// outputSchema is the JSON Schema of a tool's outputs. An optional output that
// the backend did not give is left out of the answer, so it is not required.
func outputSchema(outputs []signature.Output) object {
	properties := object{}
	var required array
	for _, out := range outputs {
		properties = properties.with(out.Name, outputProperty(out))
		if !out.Optional {
			required = append(required, out.Name)
		}
	}
	return closed(objectOf(properties, required))
}

func outputProperty(out signature.Output) object {
	description := withValues(out.Description, out.Values)
	switch {
	case out.Type == signature.Enum:
		return object{{"type", "string"}, {"description", description}, {"enum", valueNames(out.Values)}}
	case out.Type != signature.JSON:
		return object{{"type", jsonTypes[out.Type]}, {"description", description}}
	case out.Schema == nil:
		return object{{"description", description}}
	}
	s := out.Schema.JSONSchema()
	s.Description = description
	return schema(s)
}

func valueNames(values []signature.Value) array {
	a := array{}
	for _, v := range values {
		a = append(a, v.Name)
	}
	return a
}

// schema writes a schema in the dialect of JSON Schema 2020-12. Enums inside a
// json output are left out: they are what the backend's document says today,
// a backend that sends a new value tomorrow would make every answer invalid,
// and nobody maps the values. An output with values: is another matter.
func schema(s *types.Schema) object {
	o := object{}
	switch len(s.Types) {
	case 0:
	case 1:
		o = o.with("type", s.Types[0])
	default:
		o = o.with("type", texts(s.Types))
	}
	if s.Description != "" {
		o = o.with("description", s.Description)
	}
	if s.Format != "" {
		o = o.with("format", s.Format)
	}
	if s.Minimum != nil {
		o = o.with("minimum", *s.Minimum)
	}
	if s.Items != nil {
		o = o.with("items", schema(s.Items))
	}
	if s.Properties != nil {
		properties := object{}
		for _, p := range s.Properties {
			properties = properties.with(p.Name, schema(p.Schema))
		}
		o = o.with("properties", properties)
	}
	if len(s.Required) > 0 {
		o = o.with("required", texts(s.Required))
	}
	if s.Extra != nil {
		o = o.with("additionalProperties", schema(s.Extra))
	}
	if s.AnyOf != nil {
		var variants array
		for _, v := range s.AnyOf {
			variants = append(variants, schema(v))
		}
		o = o.with("anyOf", variants)
	}
	return o
}
