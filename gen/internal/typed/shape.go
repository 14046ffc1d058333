package typed

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A kind is what JSON a value is.
type kind uint8

const (
	anything kind = iota
	text
	integer
	number
	truth
	choice
	list
	object
)

// A shape is the type of a value as far as languages have types for it: bounds and
// patterns are for the server, and for the signature in Go.
type shape struct {
	kind     kind
	nullable bool
	values   []constant
	item     *shape
	fields   []field
}

// A constant is one of a choice, with its text.
type constant struct{ name, about string }

// A field is an input, an output or a member of an object.
type field struct {
	wire, about string
	// optional fields may be missing or null.
	optional bool
	shape    *shape
}

var kinds = map[tool.Type]kind{tool.TypeString: text, tool.TypeInt: integer, tool.TypeBoolean: truth, tool.TypeEnum: choice}

func inputsOf(t *client.Tool) []field {
	var fields []field
	for i := range t.Inputs {
		in := &t.Inputs[i]
		f := field{wire: in.Name, about: in.Description, optional: !in.Required, shape: shapeOf(in.Type, in.Values, in.Schema)}
		for i := range f.shape.values {
			f.shape.values[i].about = in.Texts[f.shape.values[i].name]
		}
		fields = append(fields, f)
	}
	return fields
}

// outputsOf reads outputs. A2T has no word for one that is always there, so each of
// its may be null.
func outputsOf(t *client.Tool) []field {
	unsaid := t.Protocol == client.ProtocolA2T || t.Protocol == client.ProtocolNACT
	var fields []field
	for i := range t.Outputs {
		out := &t.Outputs[i]
		one := shapeOf(out.Type, out.Values, out.Schema)
		fields = append(fields, field{wire: out.Name, about: out.Description, optional: out.Optional || one.nullable || unsaid, shape: one})
	}
	return fields
}

// shapeOf is a type of A2T, or what a schema says where that is another one.
func shapeOf(kind tool.Type, values []string, schema json.RawMessage) *shape {
	k, plain := kinds[kind]
	if !plain {
		return ofSchema(schema, 0)
	}
	s := &shape{kind: k}
	if k == choice {
		if s.values = choices(values); s.values == nil {
			s.kind = text
		}
	}
	return s
}

func choices(names []string) []constant {
	var values []constant
	for _, name := range names {
		if !slices.ContainsFunc(values, func(v constant) bool { return v.name == name }) {
			values = append(values, constant{name: name})
		}
	}
	return values
}

// deepest bounds how far a schema is followed; below it everything is anything.
const deepest = 8

// A schema is as much of a JSON Schema as has a type. What else it says narrows
// that type, but for $ref, which may mean anything.
type schema struct {
	Ref        *string         `json:"$ref"`
	Type       json.RawMessage `json:"type"`
	Enum       []json.RawMessage
	Nullable   json.RawMessage
	Items      json.RawMessage
	Properties json.RawMessage
	Required   json.RawMessage
}

func ofSchema(raw json.RawMessage, depth int) *shape {
	var s schema
	if depth > deepest || json.Unmarshal(raw, &s) != nil || s.Ref != nil {
		return &shape{}
	}
	word, nullable := s.word()
	_ = json.Unmarshal(s.Nullable, &nullable)
	one := &shape{nullable: nullable}
	switch word {
	case "string":
		one.kind = text
		if one.values = s.choices(); one.values != nil {
			one.kind = choice
		}
	case "integer":
		one.kind = integer
	case "number":
		one.kind = number
	case "boolean":
		one.kind = truth
	case "array":
		one.kind, one.item = list, ofSchema(s.Items, depth+1)
	case "object":
		if one.fields = s.members(depth); one.fields != nil {
			one.kind = object
		}
	}
	return one
}

// word is the one type of a schema, "" for none or several, and whether null is
// one more.
func (s *schema) word() (word string, nullable bool) {
	var words []string
	if json.Unmarshal(s.Type, &word) == nil {
		return word, false
	}
	if json.Unmarshal(s.Type, &words) != nil {
		return "", false
	}
	nullable = slices.Contains(words, "null")
	words = slices.DeleteFunc(words, func(w string) bool { return w == "null" })
	if len(words) != 1 {
		return "", false
	}
	return words[0], nullable
}

// choices are the values of an enum of texts, nil for any other.
func (s *schema) choices() []constant {
	var names []string
	for _, raw := range s.Enum {
		var name *string
		switch err := json.Unmarshal(raw, &name); {
		case err != nil:
			return nil
		case name != nil:
			names = append(names, *name)
		}
	}
	return choices(names)
}

// members are those that an object names, in the order of their names; nil where
// it names none.
func (s *schema) members(depth int) []field {
	var properties map[string]json.RawMessage
	var required []string
	if json.Unmarshal(s.Properties, &properties) != nil {
		return nil
	}
	_ = json.Unmarshal(s.Required, &required)
	var fields []field
	for name, raw := range properties {
		var told struct{ Description json.RawMessage }
		f := field{wire: name, shape: ofSchema(raw, depth+1)}
		if json.Unmarshal(raw, &told) == nil {
			_ = json.Unmarshal(told.Description, &f.about)
		}
		f.optional = f.shape.nullable || !slices.Contains(required, name)
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.wire, b.wire) })
	return fields
}
