package spec

import (
	"slices"
	"strings"
)

// swaggerURL puts the server of a Swagger 2.0 document together; "" if it
// names no host. The slicer has put the schemes that count into the operation.
func (l *loader) swaggerURL(op *node) string {
	host := l.root.str("host")
	if host == "" {
		return ""
	}
	schemes := op.list("schemes")
	if op == nil {
		schemes = l.root.list("schemes")
	}
	scheme := "https"
	if len(schemes) > 0 && !slices.ContainsFunc(schemes, func(n node) bool { return n.text == "https" }) {
		scheme = schemes[0].text
	}
	return absolute(scheme + "://" + host + "/" + strings.TrimPrefix(l.root.str("basePath"), "/"))
}

// swaggerFlows are the names that the flows of Swagger 2.0 have in OpenAPI 3.
var swaggerFlows = map[string]string{"": "clientCredentials", "application": "clientCredentials", "accessCode": "authorizationCode", "password": "password", "implicit": "implicit"}

// convert turns a slice of a Swagger 2.0 document into OpenAPI 3. It works on
// our own tree and not on kin-openapi's: positions survive, and wrong keywords
// are still there for the repair.
func (s *slicer) convert(ops []*slicedOperation) {
	root := s.rootServer().URL
	for _, op := range ops {
		s.convertOperation(&op.node)
		if at := op.node.at; op.server.URL != "" && op.server.URL != root {
			op.node.set(arrayMember("servers", at, objectMember("", at, stringMember("url", op.server.URL, at))))
		}
	}
	for _, c := range s.components {
		if c.role == schemeRole && c.node.str("type") == "basic" {
			c.node.setKids([]node{stringMember("type", "http", c.node.at), stringMember("scheme", "basic", c.node.at)})
		}
		if token := c.node.str("tokenUrl"); c.role == schemeRole && token != "" {
			at := c.node.at
			c.node.set(objectMember("flows", at, objectMember(swaggerFlows[c.node.str("flow")], at, stringMember("tokenUrl", token, at))))
		}
	}
}

// whole returns what n refers to in the slice, with n's key.
func (s *slicer) whole(n node) node {
	for range maxHops {
		ref, ok := refOf(&n)
		if !ok || s.byRef[ref.text] == nil {
			break
		}
		to := s.byRef[ref.text].node
		to.name, to.nameAt = n.name, n.nameAt
		n = to
	}
	return n
}

func (s *slicer) convertOperation(op *node) {
	consumes, produces := mediaTypes(op.list("consumes")), mediaTypes(op.list("produces"))
	var params, form []node
	var body *node
	for _, p := range op.list("parameters") {
		p = s.whole(p)
		switch p.str("in") {
		case "body":
			b := bodyOf(p, consumes)
			body = &b
		case "formData":
			form = append(form, p)
		default:
			params = append(params, convertParameter(p))
		}
	}
	if body == nil && len(form) > 0 {
		b := formOf(form, consumes)
		body = &b
	}
	responses := op.get("responses")
	if responses != nil && responses.kind == objectNode {
		kids := slices.Clone(responses.kids())
		for i := range kids {
			kids[i] = convertResponse(s.whole(kids[i]), produces)
		}
		responses.setKids(kids)
	}
	op.remove(func(name string) bool { return name == "parameters" || name == "requestBody" })
	if len(params) > 0 {
		op.set(arrayMember("parameters", op.at, params...))
	}
	if body != nil {
		op.set(*body)
	}
}

// mediaTypes defaults to JSON: documents that say nothing mean that.
func mediaTypes(list []node) []string {
	var out []string
	for _, n := range list {
		if n.kind == stringNode && !slices.Contains(out, n.text) {
			out = append(out, n.text)
		}
	}
	if len(out) == 0 {
		return []string{"application/json"}
	}
	return out
}

func contentOf(at pos, types []string, media ...node) node {
	content := objectMember("content", at)
	for _, t := range types {
		content.setKids(append(content.kids(), objectMember(t, at, slices.Clone(media)...)))
	}
	return content
}

func bodyOf(p node, consumes []string) node {
	body := objectMember("requestBody", p.at, boolMember("required", p.flag("required"), p.at))
	if schema := p.get("schema"); schema != nil {
		body.setKids(append(body.kids(), contentOf(p.at, consumes, *schema)))
	}
	return body
}

// formOf makes one body of all form parameters.
func formOf(form []node, consumes []string) node {
	at := form[0].at
	media := "application/x-www-form-urlencoded"
	for _, c := range consumes {
		if strings.HasPrefix(c, "multipart/") {
			media = c
			break
		}
	}
	properties, required, encoding := objectMember("properties", at), arrayMember("required", at), objectMember("encoding", at)
	for _, p := range form {
		name := p.str("name")
		if p.str("type") == "file" && !strings.HasPrefix(media, "multipart/") {
			media = "multipart/form-data"
		}
		schema := schemaOf(p)
		schema.name, schema.nameAt = name, p.get("name").where()
		if d := p.get("description"); d != nil {
			schema.setKids(append(schema.kids(), *d))
		}
		properties.setKids(append(properties.kids(), schema))
		if p.flag("required") {
			required.setKids(append(required.kids(), node{kind: stringNode, text: name, at: p.at}))
		}
		if p.str("type") == "array" {
			style, explode := collection(p.str("collectionFormat"), "form")
			encoding.setKids(append(encoding.kids(), objectMember(name, p.at, stringMember("style", style, p.at), boolMember("explode", explode, p.at))))
		}
	}
	schema := objectMember("schema", at, stringMember("type", "object", at), properties, required)
	body := objectMember("requestBody", at, boolMember("required", len(required.kids()) > 0, at))
	body.setKids(append(body.kids(), contentOf(at, []string{media}, schema, encoding)))
	return body
}

// valueKeys are the members of a parameter that describe its value.
var valueKeys = []string{
	"type", "format", "items", "enum", "pattern", "nullable", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"multipleOf", "minLength", "maxLength", "minItems", "maxItems",
}

// schemaOf collects the keywords of a parameter that describe its value.
func schemaOf(p node) node {
	schema := objectMember("schema", p.at)
	for _, k := range p.kids() {
		if slices.Contains(valueKeys, k.name) {
			schema.setKids(append(schema.kids(), k))
		}
	}
	return fileSchema(schema)
}

// fileSchema writes the type "file" as OpenAPI 3 does.
func fileSchema(schema node) node {
	if schema.str("type") == "file" {
		schema.setKids([]node{stringMember("type", "string", schema.at), stringMember("format", "binary", schema.at)})
	}
	return schema
}

func convertParameter(p node) node {
	if p.kind != objectNode {
		// The repair reports it.
		return p
	}
	out := p
	out.setKids(nil)
	for _, key := range []string{"name", "in", "description", "required"} {
		if m := p.get(key); m != nil {
			out.setKids(append(out.kids(), *m))
		}
	}
	out.setKids(append(out.kids(), schemaOf(p)))
	if p.str("type") == "array" {
		usual := "form"
		if in := p.str("in"); in == "path" || in == "header" {
			usual = "simple"
		}
		style, explode := collection(p.str("collectionFormat"), usual)
		out.setKids(append(out.kids(), stringMember("style", style, p.at), boolMember("explode", explode, p.at)))
	}
	return out
}

// collection says in the words of OpenAPI 3 how elements are joined. Tabs have
// no word there, so they get one.
func collection(format, usual string) (style string, explode bool) {
	switch format {
	case "ssv":
		return "spaceDelimited", false
	case "pipes":
		return "pipeDelimited", false
	case "tsv":
		return "tabDelimited", false
	case "multi":
		return usual, true
	}
	return usual, false
}

func convertResponse(r node, produces []string) node {
	schema := r.get("schema")
	if schema == nil {
		return r
	}
	s := fileSchema(*schema)
	r.setKids([]node{contentOf(r.at, produces, s)})
	return r
}
