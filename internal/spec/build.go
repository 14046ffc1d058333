package spec

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/operation"
)

// A builder makes operations of a small document.
type builder struct {
	*typist
	api string
}

// operations builds all operations of the small document.
func (b *builder) operations() []*operation.Operation {
	var out []*operation.Operation
	for i, cut := range b.doc.ops {
		item := b.doc.Paths.Value("/" + strconv.Itoa(i))
		if item == nil || item.Post == nil {
			continue
		}
		out = append(out, b.operation(cut, item.Post))
	}
	b.build()
	for _, op := range out {
		dropEmptyBody(op)
	}
	return out
}

// dropEmptyBody removes the bodies of GET and HEAD that can hold nothing: some
// generators write an empty form there, and sending it confuses servers.
func dropEmptyBody(op *operation.Operation) {
	if op.Body == nil || op.Method != "GET" && op.Method != "HEAD" {
		return
	}
	if !slices.ContainsFunc(op.Body.Media, func(m operation.Media) bool { return m.Schema != nil && !isEmptyObject(m.Schema) }) {
		op.Body = nil
	}
}

func (b *builder) operation(cut *slicedOperation, from *openapi3.Operation) *operation.Operation {
	sum := cut.entry.sum
	op := &operation.Operation{
		API: b.api, ID: sum.ID, Method: sum.Method, Path: sum.Path, Server: cut.server,
		Summary: from.Summary, Description: from.Description, Deprecated: from.Deprecated,
		Span: sum.Span, Digest: cut.digest, Variant: cut.variant,
	}
	word := typeName(sum.ID)
	if word == "" {
		word = typeName(strings.ToLower(sum.Method) + " " + sum.Path)
	}
	for _, ref := range from.Parameters {
		if p := b.parameter(ref, word); p != nil {
			op.Params = append(op.Params, p)
		}
	}
	b.matchPath(op)
	if ref := from.RequestBody; ref != nil && ref.Value != nil {
		op.Body = &operation.Body{Required: ref.Value.Required, Span: op.Span}
		if n := b.doc.nodeOf(ref.Value.Extensions); n != nil {
			op.Body.Span = b.spanOf(n)
			op.Body.Media = b.media(n, ref.Value.Content, word+"Body")
			for i := range op.Body.Media {
				op.Body.Media[i].Asserts = b.choosing(ref.Value.Content[op.Body.Media[i].Type].Schema)
			}
		}
	}
	op.Responses = b.responses(cut, from.Responses, word)
	op.Security = alternatives(from.Security)
	return op
}

// responses are in the order of the document.
func (b *builder) responses(cut *slicedOperation, from *openapi3.Responses, word string) []*operation.Response {
	var out []*operation.Response
	for _, member := range cut.node.members("responses") {
		ref := from.Value(member.name)
		if ref == nil || ref.Value == nil {
			continue
		}
		r := &operation.Response{Status: status(member.name), Span: b.spanOf(&member)}
		hint := word + "Response"
		if !strings.HasPrefix(r.Status, "2") {
			hint += typeName(r.Status)
		}
		// What several operations share has a name of its own: that of the first
		// would depend on which is wanted first.
		if c := b.doc.components[path.Base(ref.Ref)]; c != nil {
			hint = strings.TrimSuffix(typeName(c.name), "Response") + "Response"
		}
		if n := b.doc.nodeOf(ref.Value.Extensions); n != nil {
			r.Media = b.media(n, ref.Value.Content, hint)
		}
		out = append(out, r)
	}
	return out
}

// status writes ranges in upper case: 4XX.
func status(s string) string {
	if s == "default" {
		return s
	}
	return strings.ToUpper(s)
}

// media lists representations in the order of the document.
func (b *builder) media(n *node, content openapi3.Content, hint string) []operation.Media {
	var out []operation.Media
	for _, member := range n.members("content") {
		from := content[member.name]
		if from == nil {
			continue
		}
		m := operation.Media{Type: member.name}
		if t := b.leafOf(from.Schema); t != nil {
			m.Schema, m.Nullable = b.typeOf(t, hint), nullable(from.Schema, nil)
		}
		for _, e := range member.members("encoding") {
			enc := from.Encoding[e.name]
			if enc == nil {
				continue
			}
			p := operation.Encoding{Name: e.name, ContentType: enc.ContentType, Style: enc.Style, AllowReserved: enc.AllowReserved}
			p.Explode = enc.Explode != nil && *enc.Explode || enc.Explode == nil && (enc.Style == "" || enc.Style == "form" || enc.Style == "deepObject")
			if p.Style == "" && enc.Explode != nil {
				p.Style = "form" // the style is then said, instead of a media type
			}
			m.Encoding = append(m.Encoding, p)
		}
		out = append(out, m)
	}
	return out
}

// parameter builds one parameter; nil for reserved and incomplete ones.
func (b *builder) parameter(ref *openapi3.ParameterRef, word string) *operation.Param {
	if ref == nil || ref.Value == nil {
		return nil
	}
	from := ref.Value
	n := b.doc.nodeOf(from.Extensions)
	method, err := from.SerializationMethod()
	if err != nil || from.Name == "" {
		b.findings.Warnf(ruleParameter, b.spanOf(n), "give it a name, and path, query, header or cookie as its place",
			"the parameter %q has no name or no known place (in)", from.Name)
		return nil
	}
	in := operation.In(from.In)
	if in == operation.Header && isReservedHeader(from.Name) {
		return nil
	}
	p := &operation.Param{
		Name: from.Name, In: in, Required: from.Required || in == operation.Path, Description: from.Description,
		Style: method.Style, Explode: method.Explode, AllowReserved: from.AllowReserved, Span: b.spanOf(n),
	}
	schema := from.Schema
	if content := n.members("content"); schema == nil && len(content) > 0 && from.Content[content[0].name] != nil {
		p.Media, schema = content[0].name, from.Content[content[0].name].Schema
	}
	p.Type, p.Asserts = b.typeOf(b.leafOf(schema), word+typeName(p.Name)), b.choosing(schema)
	return p
}

// alternatives turns security requirements into lists of scheme names, nil
// where there are no requirements at all.
func alternatives(from *openapi3.SecurityRequirements) [][]string {
	if from == nil {
		return nil
	}
	out := [][]string{}
	for _, requirement := range *from {
		names := make([]string, 0, len(requirement))
		for name := range requirement {
			names = append(names, name)
		}
		slices.Sort(names)
		out = append(out, names)
	}
	return out
}

// schemes builds the security schemes of the api.
func (b *builder) schemes() map[string]*operation.Scheme {
	out := map[string]*operation.Scheme{}
	for id, ref := range b.doc.Components.SecuritySchemes {
		c := b.doc.components[id]
		if c == nil || ref == nil || ref.Value == nil {
			continue
		}
		s := ref.Value
		out[c.name] = &operation.Scheme{
			Name: c.name, Type: s.Type, In: operation.In(s.In), Param: s.Name, HTTP: strings.ToLower(s.Scheme), TokenURL: tokenURL(c.from.node),
			AuthorizationURL: authorizationURL(c.from.node),
		}
	}
	return out
}

// tokenURL is the token endpoint of a scheme as its document writes it: that of
// the flow for programs, else that of another one, which is the same mostly.
func tokenURL(scheme *node) string {
	found := scheme.str("tokenUrl") // Swagger 2.0
	for _, flow := range []string{"password", "authorizationCode", "clientCredentials"} {
		if text := scheme.get("flows").get(flow).str("tokenUrl"); text != "" {
			found = text
		}
	}
	return absolute(found)
}

// authorizationURL is where users agree to an access token.
func authorizationURL(scheme *node) string {
	found := scheme.str("authorizationUrl") // Swagger 2.0
	for _, flow := range []string{"implicit", "authorizationCode"} {
		if text := scheme.get("flows").get(flow).str("authorizationUrl"); text != "" {
			found = text
		}
	}
	return absolute(found)
}
