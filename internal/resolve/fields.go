package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

const deepObject = "deepObject"

// A shape is what matters of a value to the styles of OpenAPI.
type shape uint8

const (
	// unknownShape is reported already, or for the run time to see.
	unknownShape shape = iota
	nullShape
	textShape
	// listShape and objectShape hold texts alone, deepList and deepMap more.
	listShape
	objectShape
	deepList
	deepMap
)

var shapeNames = [...]string{
	nullShape: "a null", textShape: "a plain value", listShape: "a list", objectShape: "an object",
	deepList: "a list that holds lists or objects", deepMap: "an object that holds lists or objects",
}

func (s shape) plain() bool { return s == unknownShape || s == textShape }

func shapeOfType(t *types.Type) shape { return shapeWithin(t, 16) }

// shapeWithin looks no deeper than some levels: the types of answers may hold
// themselves, and have no writer as a whole.
func shapeWithin(t *types.Type, levels int) shape {
	switch {
	case levels == 0, t.Kind == types.Object && !t.Record:
		return unknownShape
	case t.Kind == types.Optional:
		return shapeWithin(t.Elem, levels)
	}
	switch t.Kind {
	case types.List:
		return listOf(shapeWithin(t.Elem, levels-1))
	case types.Map:
		return objectOf(shapeWithin(t.Elem, levels-1))
	case types.Object:
		var of []shape
		for _, f := range t.Fields {
			of = append(of, shapeWithin(f.Type, levels-1))
		}
		return objectOf(of...)
	case types.Null:
		return nullShape
	}
	if t.IsScalar() {
		return textShape
	}
	return unknownShape
}

func shapeOf(b *ir.Body) shape {
	var of []shape
	switch {
	case b.IsNull:
		return nullShape
	case b.Expr != nil:
		return shapeOfType(b.Expr.Term.Type)
	case b.IsList:
		for _, i := range b.Items {
			of = append(of, shapeOf(i))
		}
		return listOf(of...)
	}
	for _, m := range b.Members {
		of = append(of, shapeOf(m.Value))
	}
	return objectOf(of...)
}

func listOf(elems ...shape) shape { return whole(listShape, deepList, elems) }

func objectOf(members ...shape) shape { return whole(objectShape, deepMap, members) }

// whole is flat where all parts are plain; a null inside is the first to tell.
func whole(flat, deep shape, parts []shape) shape {
	switch {
	case slices.Contains(parts, nullShape):
		return nullShape
	case slices.ContainsFunc(parts, func(s shape) bool { return !s.plain() }):
		return deep
	}
	return flat
}

// undefined says why OpenAPI has no form for a value of a shape in a style, "" if
// it has. Brackets in brackets it leaves open; those who read them agree.
func undefined(in operation.In, style string, explode bool, s shape) string {
	delimited := style == "spaceDelimited" || style == "pipeDelimited" || style == "tabDelimited"
	known := delimited || style == "form" || style == deepObject || in == operation.Query && style == "simple"
	switch in {
	case operation.Path:
		known = style == "simple" || style == "label" || style == "matrix" || delimited
	case operation.Header:
		known = style == "simple" || delimited
	case operation.Cookie:
		known = style == "form" || delimited
	}
	switch {
	case s == unknownShape:
		return ""
	case s == nullShape:
		return "has no null: only a JSON document has"
	case !known:
		return "has no style " + style + " there"
	case s == textShape:
		return ""
	case in == operation.Cookie && explode:
		return "has no form in a cookie with explode: true for " + shapeNames[s]
	case style == deepObject:
		return ""
	case s == deepList, s == deepMap, s == objectShape && delimited && (explode || in != operation.Query):
		return fmt.Sprintf("has no form in style %s for %s", style, shapeNames[s])
	}
	return ""
}

// styled is a style with its flags, as RFC 6570 marks them.
func styled(style string, explode, reserved bool) string {
	if explode {
		style += "*"
	}
	if reserved {
		style += "+"
	}
	return style
}

// parameter settles how the value of a parameter is written, or says why not.
func (t *toolResolver) parameter(b *ir.Binding, at diag.Span) {
	p := b.Param
	if b.JSON {
		return
	}
	var s shape
	if b.Parts != nil {
		s = shapeOf(b.Parts)
	} else {
		s = shapeOfType(b.Value.Term.Type)
	}
	why := undefined(p.In, p.Style, p.Explode, s)
	if p.Media != "" {
		if why = ""; s > textShape || s == nullShape {
			why = "is a text of the type " + p.Media
		}
	}
	if why != "" {
		t.errorf(ruleNoWireForm, at, "bind a plain value or a flat list, or have the document say style: deepObject", "parameter %s (%s) %s", p.Name, p.In, why)
		return
	}
	if plain := s == textShape && p.Style != "label" && p.Style != "matrix"; p.Media == "" && !plain {
		b.Style = styled(p.Style, p.Explode, p.AllowReserved && p.In == operation.Query)
	}
}

// fields settles how the members of a form or multipart body are written.
func (t *toolResolver) fields(b *ir.Body, n manifest.Node, media *operation.Media) {
	var out []ir.BodyMember
	for i, whole := range b.Members {
		at := n.Members[i].Value.Span
		for _, m := range eachFile(whole, media) {
			field, why := fieldOf(&m, media)
			m.Field = field
			out = append(out, m)
			if why != "" && !slices.ContainsFunc(t.findings, func(f diag.Finding) bool { return f.Span == at }) {
				t.errorf(ruleNoWireForm, at, "bind a value of another shape, or leave the field out", "field %s %s", m.Name, why)
			}
		}
	}
	b.Members = out
}

// eachFile makes a part of each file of a list that the manifest writes out: they
// share the name of the field (OpenAPI 3.1.1, 4.14.5). Others stay as they are.
func eachFile(m ir.BodyMember, media *operation.Media) []ir.BodyMember {
	e := encodingOf(media, m.Name)
	if baseMedia(media.Type) != multipartMedia || !m.Value.IsList || shapeOf(m.Value) != listShape || len(m.Value.Items) == 0 {
		return []ir.BodyMember{m}
	}
	var parts []ir.BodyMember
	for _, item := range m.Value.Items {
		parts = append(parts, ir.BodyMember{Name: m.Name, Value: item})
	}
	if !slices.ContainsFunc(parts, func(p ir.BodyMember) bool { return isFile(&p, &e, media.Schema) }) {
		return []ir.BodyMember{m}
	}
	return parts
}

// filesInList reports whether an expression gives a list of files.
func filesInList(m *ir.BodyMember, media *operation.Media) bool {
	if m.Value.Expr == nil {
		return false
	}
	list := m.Value.Expr.Term.Type.Variant(types.List)
	if list == nil || list.Elem == nil {
		return false
	}
	field := fieldType(media.Schema, m.Name)
	return list.Elem.Variant(types.Bytes) != nil || field != nil && isBinary(field)
}

// unsent reports whether a value that the manifest writes out has nothing in it, so
// that a form has no field for it.
func unsent(b *ir.Body) bool {
	return !b.IsNull && b.Expr == nil && len(b.Items) == 0 && len(b.Members) == 0
}

// fieldType is what the schema of a form says of a field, of its elements for a list;
// nil for nothing.
func fieldType(schema *types.Type, name string) *types.Type {
	obj := objectType(schema)
	if obj == nil || obj.Field(name) == nil {
		return nil
	}
	t := obj.Field(name).Type
	if list := t.Variant(types.List); list != nil {
		return list.Elem
	}
	return t
}

func isRequired(schema *types.Type, name string) bool {
	obj := objectType(schema)
	return obj != nil && obj.Field(name) != nil && obj.Field(name).Required
}

// fieldOf chooses the form of a field by what the document says of it: its
// style, else its media type. A document that says neither means text, a field
// for each element of a list, and JSON for what is nested; where it writes other
// fields of the body with brackets, it means these.
func fieldOf(m *ir.BodyMember, media *operation.Media) (ir.Field, string) {
	e, multi, s := encodingOf(media, m.Name), baseMedia(media.Type) == multipartMedia, shapeOf(m.Value)
	held := contentOf(fieldType(media.Schema, m.Name))
	nested := s == objectShape || s == deepMap || s == deepList
	style := e.Style
	if style == "" && e.ContentType == "" && s > textShape && slices.ContainsFunc(media.Encoding, func(e operation.Encoding) bool { return e.Style == deepObject }) {
		style, e.Explode = deepObject, true
	}
	if style == "" && e.AllowReserved {
		style, e.Explode = "form", true
	}
	json := style == "" && (isJSON(e.ContentType) || e.ContentType == "" && (s == objectShape || s == deepMap))
	switch {
	case s == nullShape:
		return ir.Field{}, "has no null: only a JSON document has"
	case unsent(m.Value) && !json && isRequired(media.Schema, m.Name):
		return ir.Field{}, "is required, and of what is empty a form has nothing to send"
	case style == "" && multi && filesInList(m, media):
		return ir.Field{}, "is a list of files of a length that nobody knows: write them out, as [a, b]"
	case style == "" && multi && s == textShape && isFile(m, &e, media.Schema):
		return ir.Field{File: true, Type: cmp.Or(concreteType(e.ContentType), concreteType(held.MediaType), rawMedia)}, ""
	case style == "" && isJSON(e.ContentType):
		return ir.Field{JSON: true, Type: e.ContentType}, ""
	case style == "" && e.ContentType != "" && !(s.plain() && (multi || baseMedia(e.ContentType) == "text/plain")):
		return ir.Field{}, "has the type " + e.ContentType + ", which " + shapeNames[s] + " cannot be written as"
	case style == "" && s.plain() && held.Encoding == "":
		return ir.Field{Type: cmp.Or(concreteType(e.ContentType), concreteType(held.MediaType))}, ""
	case style == "" && s.plain():
		return ir.Field{Type: concreteType(e.ContentType)}, ""
	case style == "" && s == deepList:
		return ir.Field{Style: "json"}, ""
	case style == "" && nested:
		return ir.Field{JSON: true, Type: jsonMedia}, ""
	case style == "":
		style, e.Explode = "form", true
	case s.plain() && !e.AllowReserved && known(style):
		return ir.Field{}, ""
	}
	return ir.Field{Style: styled(style, e.Explode, e.AllowReserved)}, undefined(operation.Query, style, e.Explode, s)
}

// known reports whether a field may have a style.
func known(style string) bool { return undefined(operation.Query, style, true, textShape) == "" }

// encodingOf is what the document says of a field.
func encodingOf(media *operation.Media, name string) operation.Encoding {
	if k := slices.IndexFunc(media.Encoding, func(e operation.Encoding) bool { return e.Name == name }); k >= 0 {
		return media.Encoding[k]
	}
	return operation.Encoding{Name: name}
}

// isFile reports whether a part is a file: its schema is binary, its value bytes,
// or its type is that of a file.
func isFile(m *ir.BodyMember, e *operation.Encoding, schema *types.Type) bool {
	f := fieldType(schema, m.Name)
	switch {
	case contentOf(f).Encoding != "":
		return false // the text is what the document wants, and bytes become one
	case m.Value.Expr.Term.Type.Variant(types.Bytes) != nil, f != nil && isBinary(f):
		return true
	}
	base := baseMedia(e.ContentType)
	return e.ContentType != "" && !isJSON(base) && !strings.HasPrefix(base, "text/")
}

func isBinary(t *types.Type) bool {
	text := t.Variant(types.String)
	return text != nil && text.Limits != nil && text.Limits.Format == "binary"
}

// contentOf is what the schema of a field, nil for none, says of the content of a text.
func contentOf(field *types.Type) types.Limits {
	if field == nil || field.Variant(types.String) == nil || field.Variant(types.String).Limits == nil {
		return types.Limits{}
	}
	return *field.Variant(types.String).Limits
}

// concreteType is the media type of a part: the first that the document names, ""
// where all are ranges.
func concreteType(contentTypes string) string {
	for one := range strings.SplitSeq(contentTypes, ",") {
		if one = strings.TrimSpace(one); one != "" && !strings.Contains(one, "*") {
			return one
		}
	}
	return ""
}
