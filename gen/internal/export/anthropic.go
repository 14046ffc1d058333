package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// anthropicTool is a tool of the messages API.
func anthropicTool(t tool) value {
	doc := object{{"name", t.Name}, {"description", t.Description}, {"input_schema", inputSchema(t.Inputs)}}
	var examples array
	for _, e := range t.Examples {
		examples = append(examples, exampleInputs(t.Signature, e))
	}
	if examples != nil {
		doc = doc.with("input_examples", examples)
	}
	return doc
}

// exampleInputs writes the inputs of an example in the order of the signature.
func exampleInputs(s *signature.Signature, e signature.Example) object {
	o := object{}
	for _, in := range s.Inputs {
		if v, ok := e.Inputs[in.Name]; ok {
			o = o.with(in.Name, v)
		}
	}
	return o
}

// anthropicStrict has the subset of strict mode, in the form that the official
// SDK would give it: no bounds, which are said in words, and no type beside an
// enum.
func anthropicStrict(t tool) value {
	properties := object{}
	for _, in := range t.Inputs {
		p := object{{"type", jsonTypes[in.Type]}}
		if in.Type == signature.Enum {
			p = object{{"enum", valueNames(in.Values)}}
		}
		properties = properties.with(in.Name, p.with("description", in.Description))
	}
	return object{
		{"name", t.Name}, {"description", t.Description}, {"strict", true},
		{"input_schema", closed(objectOf(properties, requiredNames(t.Inputs)))},
	}
}
