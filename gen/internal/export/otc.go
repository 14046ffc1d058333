package export

import (
	"strconv"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// otcDefinition is the ToolDefinition of OTC 1.0 and OXP 1.0 in dual shape:
// its input_schema is a JSON Schema, as OXP wants, and has it once more under
// parameters, as OTC wants. The run time makes the two pure shapes of it.
func otcDefinition(t tool) value {
	version := strconv.Itoa(t.Version) + ".0.0"
	parameters := inputSchema(t.Inputs)
	doc := object{
		{"id", t.Toolkit + "." + t.ToolName + "@" + version},
		{"name", t.Name},
		{"description", described(t.Signature)},
		{"version", version},
		{"input_schema", append(object{}, parameters...).with("parameters", parameters)},
		{"output_schema", outputSchema(t.Outputs)},
	}
	if r := otcRequirements(t.Needs); len(r) > 0 {
		doc = doc.with("requirements", r)
	}
	return doc
}

// otcRequirements says what the caller must bring in the context of a call.
// OTC has no word for claims: they come with the credentials of the caller.
func otcRequirements(n signature.Needs) object {
	var r object
	ids := func(key string, list []string) {
		var a array
		for _, id := range list {
			a = append(a, object{{"id", id}})
		}
		if a != nil {
			r = r.with(key, a)
		}
	}
	ids("authorization", n.Tokens)
	ids("secrets", n.Secrets)
	if n.UserID {
		r = r.with("user_id", true)
	}
	return r
}
