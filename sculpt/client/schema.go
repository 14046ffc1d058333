package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func containsAll(have, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(have, w) })
}

// An objectSchema is the JSON Schema of the arguments or outputs of a tool, with
// its properties in the order of the text.
type objectSchema struct {
	Required   []string
	Properties properties
}

type properties []property

type property struct {
	name string
	raw  json.RawMessage
}

func (p *properties) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return errors.New("it is not an object")
	}
	for d.More() {
		if len(*p) == mostParameters {
			return &tooManyError{mostParameters, "inputs or outputs"}
		}
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := property{}
		one.name, _ = name.(string) // a decoder reads nothing else there
		if slices.ContainsFunc(*p, func(o property) bool { return o.name == one.name }) {
			return fmt.Errorf("there are two members %q", one.name)
		}
		if err := d.Decode(&one.raw); err != nil {
			return err
		}
		*p = append(*p, one)
	}
	return nil
}

// readSchema reads the schema of an object; nothing at all is an object without
// properties.
func readSchema(raw json.RawMessage) (objectSchema, error) {
	var s objectSchema
	if len(raw) == 0 || string(raw) == "null" {
		return s, nil
	}
	err := json.Unmarshal(raw, &s)
	return s, err
}

// A plain schema is one of those that the types of A2T cover. Every other key but
// annotations makes it another one.
type plainSchema struct {
	Type                 string
	Description          string
	Enum                 []json.RawMessage
	Minimum, Maximum     *json.Number
	MinLength, MaxLength *int
	Pattern              *string
	Default              json.RawMessage
}

// plainKeys are the keys that a plain schema may have; annotations change nothing
// of what is valid.
var plainKeys = map[string]bool{
	"type": true, "description": true, "enum": true, "minimum": true, "maximum": true, "minLength": true, "maxLength": true, "pattern": true,
	"default": true, "title": true, "examples": true, "example": true, "deprecated": true, "$comment": true,
}

// readInputs reads the properties of a schema as inputs.
func readInputs(raw json.RawMessage) ([]Input, error) {
	s, err := readSchema(raw)
	if err != nil {
		return nil, err
	}
	var inputs []Input
	for _, p := range s.Properties {
		in := Input{Schema: p.raw, Param: tool.Param{ID: p.name, Name: p.name, Type: tool.TypeJSON, Required: slices.Contains(s.Required, p.name)}}
		in.read(p.raw)
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// read fills in what a plain schema says; any other leaves the type as it is.
func (in *Input) read(raw json.RawMessage) {
	var s plainSchema
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return // true, or nothing that can be read
	}
	_ = json.Unmarshal(keys["description"], &in.Description)
	for key := range keys {
		if !plainKeys[key] && !strings.HasPrefix(key, "x-") {
			return
		}
	}
	if json.Unmarshal(raw, &s) != nil {
		return
	}
	switch {
	case s.Type == "string" && s.Enum != nil:
		for _, v := range s.Enum {
			var name string
			if json.Unmarshal(v, &name) != nil {
				in.Values = nil
				return
			}
			in.addValue(name, "")
		}
		in.Type = tool.TypeEnum
	case s.Enum != nil:
		return
	case s.Type == "string":
		if s.Pattern != nil {
			pattern, err := regexp.Compile(*s.Pattern)
			if err != nil {
				return
			}
			in.Pattern = pattern
		}
		in.Type, in.MinLength, in.MaxLength = tool.TypeString, bound(s.MinLength), bound(s.MaxLength)
	case s.Type == "boolean":
		in.Type = tool.TypeBoolean
	case s.Type == "integer":
		least, ok := integer(s.Minimum, math.MinInt64)
		most, also := integer(s.Maximum, math.MaxInt64)
		if !ok || !also {
			return
		}
		in.Type, in.Min, in.Max = tool.TypeInt, least, most
	default:
		return
	}
	in.Default = plainDefault(in.Type, s.Default)
}

func bound(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func integer(n *json.Number, none int64) (int64, bool) {
	if n == nil {
		return none, true
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}

// readOutputs reads the properties of a schema as outputs.
func readOutputs(raw json.RawMessage) ([]Output, error) {
	s, err := readSchema(raw)
	if err != nil {
		return nil, err
	}
	var outputs []Output
	for _, p := range s.Properties {
		var in Input
		in.read(p.raw)
		kind := in.Type
		if kind == 0 {
			kind = tool.TypeJSON
		}
		outputs = append(outputs, Output{Schema: p.raw, Description: in.Description, OutputSlot: tool.OutputSlot{
			ID: p.name, Name: p.name, Type: kind, Optional: !slices.Contains(s.Required, p.name), Values: in.Values,
		}})
	}
	return outputs, nil
}

// OutputsOf reads what a tool gave as outputs: the members of an object in the order
// of its text, or one output "value" for any other JSON; none for null. Two members
// of one name are an error.
func OutputsOf(value json.RawMessage) ([]tool.Output, error) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || present(value) == nil {
		return nil, nil
	}
	if value[0] != '{' {
		return []tool.Output{{Name: "value", JSON: value}}, nil
	}
	var list properties
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, err
	}
	var outputs []tool.Output
	for _, p := range list {
		outputs = append(outputs, tool.Output{Name: p.name, JSON: present(p.raw)})
	}
	return outputs, nil
}
