package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// openaiChat is a tool of the chat completions API. Without strict nothing but
// the keywords that every back end reads is used; the rest is said in words.
func openaiChat(t tool) value {
	return object{{"type", "function"}, {"function", object{
		{"name", t.Name}, {"description", t.Description}, {"parameters", openaiPlain(t.Inputs)},
	}}}
}

func openaiChatStrict(t tool) value {
	return object{{"type", "function"}, {"function", object{
		{"name", t.Name}, {"description", t.Description}, {"strict", true}, {"parameters", openaiStrict(t.Inputs)},
	}}}
}

// openaiResponses is a tool of the responses API. That API takes a tool which
// does not say strict for a strict one if it can, and its optional inputs for
// required ones, so false is written.
func openaiResponses(t tool) value { return openaiResponse(t, false, openaiPlain(t.Inputs)) }

func openaiResponsesStrict(t tool) value { return openaiResponse(t, true, openaiStrict(t.Inputs)) }

func openaiResponse(t tool, strict bool, parameters object) value {
	return object{
		{"type", "function"}, {"name", t.Name}, {"description", t.Description}, {"strict", strict},
		{"parameters", parameters}, {"output_schema", outputSchema(t.Outputs)},
	}
}

func openaiPlain(inputs []signature.Input) object {
	properties := object{}
	for _, in := range inputs {
		p := object{{"type", jsonTypes[in.Type]}, {"description", in.Description}}
		if in.Type == signature.Enum {
			p = p.with("enum", valueNames(in.Values))
		}
		properties = properties.with(in.Name, p)
	}
	return closed(objectOf(properties, requiredNames(inputs)))
}

// openaiStrict is the schema of strict mode: every property is required, and
// an optional one may be null. null is in the enum too: its values are all
// that the grammar lets the model write.
func openaiStrict(inputs []signature.Input) object {
	properties, required := object{}, array{}
	for _, in := range inputs {
		properties = properties.with(in.Name, openaiStrictProperty(in))
		required = append(required, in.Name)
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

func openaiStrictProperty(in signature.Input) object {
	var p object
	if kind := jsonTypes[in.Type]; in.Required {
		p = object{{"type", kind}}
	} else {
		p = object{{"type", array{kind, "null"}}}
	}
	switch in.Type {
	case signature.Enum:
		names := valueNames(in.Values)
		if !in.Required {
			names = append(names, nil)
		}
		p = p.with("enum", names)
	case signature.Int:
		p = p.with("minimum", in.Min).with("maximum", in.Max)
	case signature.String:
		if in.Pattern != "" {
			p = p.with("pattern", in.Pattern)
		}
	}
	return p.with("description", in.Description)
}
