package export

import (
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// geminiParameters is a function declaration with the schema of Google's own
// (an OpenAPI subset). It answers a key that it does not know with 400 for the
// whole request, so lengths, which its SDKs write as texts, and patterns, which no model is
// documented to read, are said in words.
func geminiParameters(t tool) value {
	doc := geminiHead(t)
	if len(t.Inputs) == 0 {
		return doc // an object without properties is refused
	}
	properties, ordering := object{}, array{}
	for _, in := range t.Inputs {
		properties, ordering = properties.with(in.Name, geminiProperty(in)), append(ordering, in.Name)
	}
	parameters := object{{"type", "OBJECT"}, {"properties", properties}}
	if required := requiredNames(t.Inputs); required != nil {
		parameters = parameters.with("required", required)
	}
	return doc.with("parameters", parameters.with("propertyOrdering", ordering))
}

func geminiHead(t tool) object {
	return object{{"name", t.Name}, {"description", t.Description}}
}

func geminiProperty(in signature.Input) object {
	p := object{{"type", strings.ToUpper(jsonTypes[in.Type])}}
	switch in.Type {
	case signature.Enum:
		p = p.with("enum", valueNames(in.Values))
	case signature.Int:
		p = p.with("minimum", in.Min).with("maximum", in.Max)
	}
	return p.with("description", in.Description)
}

// geminiJSONSchema is a function declaration with real JSON Schemas.
func geminiJSONSchema(t tool) value {
	return geminiHead(t).with("parametersJsonSchema", inputSchema(t.Inputs)).with("responseJsonSchema", outputSchema(t.Outputs))
}
