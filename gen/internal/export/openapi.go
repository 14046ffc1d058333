package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Face is how a group of tools introduces itself.
type Face struct {
	// Toolkit is the name for machines, Title the one for people; Description
	// has at most 200 characters.
	Toolkit, Title, Description string
}

// OpenAPI renders the OpenAPI 3.1 description of the API that serves the
// tools: the section that the A2T draft leaves to be added. It has the A2T
// routes for any tool, and beside them an operation for each tool in its
// newest version, at the path that the tool's id makes of the invoke route, so
// that generated clients have typed calls. Paths begin with /a2t, where the
// run time mounts the protocol. Signatures that Documents refuses are not
// checked again here.
func OpenAPI(face Face, sigs []*signature.Signature) File {
	paths, schemas, sum := openapiPaths(), openapiSchemas(), sha256.New()
	var operations object
	for _, t := range sorted(sigs) {
		if t.Version != t.current {
			continue
		}
		sum.Write(Served(t.Signature, t.current))
		t = openapiColumn.told(t)
		operations = operations.with("/a2t/tools/"+t.ID+":invoke", object{{"post", openapiOperation(t)}})
		schemas = append(schemas, openapiCall(t)...)
		schemas = append(schemas, openapiResult(t)...)
	}
	title := face.Title
	if title == "" {
		title = face.Toolkit
	}
	doc := object{
		{"openapi", "3.1.0"},
		{"info", object{{"title", title}, {"description", openapiIntroduction(face)}, {"version", hex.EncodeToString(sum.Sum(nil)[:6])}}},
		{"servers", array{object{{"url", "/"}}}},
		// A server that was not closed lets everybody in.
		{"security", array{object{}, object{{"bearer", array{}}}}},
		{"tags", array{
			object{{"name", "tools"}, {"description", "The tools, each with an operation of its own."}},
			object{{"name", "a2t"}, {"description", "The routes of A2T, for any tool."}},
		}},
		{"paths", append(operations, paths...)},
		{"components", object{
			{"securitySchemes", object{{"bearer", object{{"type", "http"}, {"scheme", "bearer"}}}}},
			{"parameters", openapiParameters()}, {"responses", openapiResponses()}, {"schemas", schemas},
		}},
	}
	return File{"openapi/openapi.json", indentedJSON(doc)}
}

func openapiIntroduction(face Face) string {
	return signature.Sentences(face.Description, "Calls and answers are those of A2T (draft-rosenberg-aiproto-a2t-00): lists of names and values.")
}

// openapiOperation is the call of one tool. It is not limited to the version:
// the route without one is always the newest, as in A2T 6.
func openapiOperation(t tool) object {
	o := object{{"operationId", t.Name}, {"tags", array{"tools"}}}
	if t.Title != "" {
		o = o.with("summary", t.Title)
	} else {
		o = o.with("summary", t.ToolName)
	}
	o = o.with("description", t.Description)
	if isDeprecated(t.Signature) {
		o = o.with("deprecated", true)
	}
	return o.
		with("parameters", array{ref("parameters", "IdempotencyKey")}).
		with("requestBody", jsonBody(ref("schemas", t.ToolName+"Call"))).
		with("responses", openapiAnswers(ref("schemas", t.ToolName+"Result")))
}

// openapiCall are the schemas of the invocation of a tool (A2T 5.3). Each
// input has one of its own, so that generated clients have a name for it.
func openapiCall(t tool) object {
	var schemas object
	var items array
	for _, in := range t.Inputs {
		name := t.ToolName + ".input." + in.Name
		schemas, items = schemas.with(name, openapiPair(in.Name, inputProperty(in))), append(items, ref("schemas", name))
	}
	parameters := object{{"type", "array"}, {"description", openapiRequired(t.Inputs)}, {"minItems", len(requiredNames(t.Inputs))}, {"maxItems", len(t.Inputs)}}
	return schemas.with(t.ToolName+"Call", object{
		{"type", "object"}, {"required", array{"input_parameters"}},
		{"properties", object{
			{"name", object{{"type", "string"}, {"enum", array{t.Name}}}},
			{"input_parameters", parameters.with("items", oneOf(items))},
		}},
	})
}

func openapiRequired(inputs []signature.Input) string {
	var text strings.Builder
	text.WriteString("Each input at most once.")
	for i, name := range requiredNames(inputs) {
		if i == 0 {
			text.WriteString(" Required:")
		} else {
			text.WriteString(",")
		}
		text.WriteString(" " + name.(string))
	}
	return text.String()
}

// openapiResult are the schemas of the answer of a tool: every output once, in
// order.
func openapiResult(t tool) object {
	var schemas object
	var items array
	for _, out := range t.Outputs {
		name, p := t.ToolName+".output."+out.Name, outputProperty(out)
		if out.Optional {
			p = nullable(p)
		}
		schemas, items = schemas.with(name, openapiPair(out.Name, p)), append(items, ref("schemas", name))
	}
	parameters := object{{"type", "array"}, {"minItems", len(items)}, {"maxItems", len(items)}, {"items", oneOf(items)}}
	return schemas.with(t.ToolName+"Result", object{{"type", "object"}, {"required", array{"output_parameters"}}, {"properties", object{{"output_parameters", parameters}}}})
}

// openapiPair is the value of one parameter. Its name is an enum of one value,
// which older generators read where they do not know const.
func openapiPair(name string, schema object) object {
	return object{
		{"type", "object"}, {"required", array{"name", "value"}},
		{"properties", object{{"name", object{{"type", "string"}, {"enum", array{name}}}}, {"value", schema}}}, {"additionalProperties", false},
	}
}

func oneOf(items array) value {
	switch len(items) {
	case 0:
		return object{}
	case 1:
		return items[0]
	}
	return object{{"oneOf", items}}
}

// nullable lets a schema be null too.
func nullable(o object) object {
	at := slices.IndexFunc(o, func(m member) bool { return m.name == "type" })
	kind, single := "", false
	if at >= 0 {
		kind, single = o[at].value.(string)
	}
	if !single {
		return object{{"anyOf", array{o, object{{"type", "null"}}}}}
	}
	out := slices.Clone(o)
	out[at].value = array{kind, "null"}
	for i, m := range out {
		if names, ok := m.value.(array); ok && m.name == "enum" {
			out[i].value = append(slices.Clone(names), nil)
		}
	}
	return out
}

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

func jsonContent(media string, schema value) object {
	return object{{media, object{{"schema", schema}}}}
}

func jsonBody(schema value) object {
	return object{{"required", true}, {"content", jsonContent("application/json", schema)}}
}

// openapiAnswers are the answers of a call, with schema for the one that
// succeeds.
func openapiAnswers(schema value) object {
	o := object{{"200", object{{"description", "The outputs."}, {"content", jsonContent("application/json", schema)}}}}
	for _, status := range []int{400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504} {
		o = o.with(strconv.Itoa(status), ref("responses", "Problem"))
	}
	return o.with("default", ref("responses", "Problem"))
}
