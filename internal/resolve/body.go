package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

const (
	jsonMedia = "application/json"
	formMedia = "application/x-www-form-urlencoded"
	// multipartMedia is the one kind of multipart whose parts have names.
	multipartMedia = "multipart/form-data"
	rawMedia       = "application/octet-stream"
)

// body resolves body: against the request schema.
func (t *toolResolver) body(s *ir.Step, m *manifest.Step) {
	if m.Body == nil && m.Media.IsSet() {
		t.errorf(ruleWrongMedia, m.Media.Span, "remove media:, or add body:", "media: says how body: is sent, which is not there")
	}
	misplaced := func(p manifest.Pair) bool { return isMember(s.Op, p.Key.Value) }
	switch {
	case m.Body == nil && slices.ContainsFunc(m.With, misplaced):
		return // which is reported
	case m.Body == nil && s.Op.Body != nil && s.Op.Body.Required && !emptyForm(s.Op.Body):
		t.errorf(ruleUnboundBody, m.Call.Span, "add body:", "operation %s needs a request body", title(s.Op))
		return
	case m.Body == nil:
		return
	case s.Op.Body == nil:
		t.errorf(ruleUnknownBody, m.Body.Span, "remove body:", "operation %s takes no request body", title(s.Op))
		return
	}
	media := t.requestMedia(s, m)
	if media == nil {
		return
	}
	s.BodyMedia = media.Type
	to := target{typ: media.Schema}
	if media.Asserts != nil {
		to.place = operation.Place{media.Asserts}
	}
	s.Body = t.bodyNode(*m.Body, to, true, "body")
	switch base := baseMedia(media.Type); {
	case isForm(base):
		t.fields(s.Body, *m.Body, media)
	case !isJSON(base):
		s.Body.Raw = true
	}
}

func isForm(base string) bool { return base == formMedia || base == multipartMedia }

// isMember reports whether a name that is not a parameter is a member of the body.
func isMember(op *operation.Operation, name string) bool {
	if p, _ := findParam(op, name); p != nil || op.Body == nil {
		return false
	}
	for _, media := range writable(op.Body) {
		if obj := objectType(media.Schema); obj != nil && obj.Field(name) != nil {
			return true
		}
	}
	return false
}

// emptyForm recognises the closed empty forms that some documents declare on
// GET operations: nothing can be sent in them.
func emptyForm(b *operation.Body) bool {
	return len(b.Media) == 1 && baseMedia(b.Media[0].Type) == formMedia && (b.Media[0].Schema == nil || len(b.Media[0].Schema.Fields) == 0)
}

// writable lists the media types of a body that sculpt can write, the best
// first: plain JSON before its relatives, of which some documents list
// application/json-patch+json first, any of them before a form, and last what is
// sent as it is: a text or bytes.
func writable(b *operation.Body) []operation.Media {
	rank := func(media string) int {
		switch base := baseMedia(media); {
		case base == jsonMedia || base == "*/*":
			return 0
		case isJSON(base):
			return 1
		case base == formMedia:
			return 2
		case base == multipartMedia:
			return 3
		case strings.HasPrefix(base, "multipart/"), isXML(base):
			return -1
		}
		return 4
	}
	var out []operation.Media
	for want := range 5 {
		for _, m := range b.Media {
			if rank(m.Type) == want {
				m.Type = concrete(m)
				out = append(out, m)
			}
		}
	}
	return out
}

// concrete is the media type that is sent for one that may be a range.
func concrete(m operation.Media) string {
	switch {
	case !strings.Contains(m.Type, "*"):
		return m.Type
	case strings.HasPrefix(m.Type, "text/"):
		return "text/plain"
	case isJSON(baseMedia(m.Type)) && (m.Schema == nil || !isBinary(m.Schema)):
		return jsonMedia
	}
	return rawMedia
}

func isXML(base string) bool {
	return base == "application/xml" || base == "text/xml" || strings.HasSuffix(base, "+xml")
}

// requestMedia picks the media type of a body: the one that the step names, or
// the Content-Type of the api, or else the best that what is bound fits.
func (t *toolResolver) requestMedia(s *ir.Step, m *manifest.Step) *operation.Media {
	want, at, fix := m.Media, m.Body.Span, "write one of these, or leave media: out"
	if use := t.apiUses[s.API]; !want.IsSet() && use.contentType.IsSet() {
		want, fix = use.contentType, "remove the header, or write media: in the step"
		use.typed = true
	}
	if want.IsSet() {
		at = want.Span
	}
	all, kind := writable(s.Op.Body), t.bodyKind(*m.Body)
	wanted := func(o operation.Media) bool { return !want.IsSet() || baseMedia(o.Type) == baseMedia(want.Value) }
	for i := range all {
		if wanted(all[i]) && fits(all[i].Type, kind) {
			all[i].Type = cmp.Or(want.Value, all[i].Type)
			return &all[i]
		}
	}
	switch name, takes := title(s.Op), mediaNames(s.Op.Body); {
	case len(all) == 0, !slices.ContainsFunc(all, wanted) && slices.ContainsFunc(s.Op.Body.Media, wanted):
		t.errorf(manifest.RuleNotSupportedYet, at, "call an operation that takes JSON, a form, a text or bytes", "operation %s takes %s, which is not supported yet", name, takes)
	case want.IsSet():
		t.errorf(ruleWrongMedia, at, fix, "operation %s cannot be sent this body as %s: it takes %s", name, want.Value, takes)
	default:
		t.errorf(ruleWrongMedia, at, "write a body of another shape", "operation %s takes %s, which this is not", name, takes)
	}
	return nil
}

func mediaNames(b *operation.Body) string {
	var names []string
	for _, m := range b.Media {
		names = append(names, m.Type)
	}
	if names == nil {
		return "a body of no known type"
	}
	return strings.Join(names, ", ")
}

// bodyKind is the kind of what is bound: Map, List, or that of an expression.
func (t *toolResolver) bodyKind(n manifest.Node) types.Kind {
	switch {
	case n.Kind == manifest.MapNode:
		return types.Map
	case n.Kind == manifest.ListNode:
		return types.List
	case n.Scalar.Type == manifest.NullType:
		return types.Null
	}
	before := t.findings // the body is checked when its schema is known
	v := t.value(n.Scalar, t.within, nil)
	t.findings = before
	return v.Term.Type.Kind
}

// fits reports whether a media type can hold a value of a kind. A JSON Patch
// (RFC 6902) is a list; a merge patch (RFC 7396) that is not an object replaces
// the whole resource, which nobody means; a form is a map of fields.
func fits(media string, kind types.Kind) bool {
	free := kind == types.Dyn || kind == types.Invalid
	switch base := baseMedia(media); {
	case base == "application/json-patch+json":
		return kind == types.List || free
	case strings.HasSuffix(base, "merge-patch+json"):
		return kind == types.Map || kind == types.Object || free
	case isForm(base):
		return kind == types.Map
	case !isJSON(base):
		return kind != types.Map && kind != types.List && kind != types.Object && kind != types.Null
	}
	return true
}

// A target is where a node of the tree goes: its type, and what else the document says
// of it if something in it has variants.
type target struct {
	typ   *types.Type
	place operation.Place
}

func placeOfParam(p *operation.Param) operation.Place {
	if p == nil || p.Asserts == nil {
		return nil
	}
	return operation.Place{p.Asserts}
}

// bodyNode checks one node of the tree against its schema.
func (t *toolResolver) bodyNode(n manifest.Node, to target, required bool, what string) *ir.Body {
	if n.Kind != manifest.ScalarNode && to.place.Decides() != nil {
		b := t.plainNode(n, to.typ, what)
		t.choose(n, b, to.place, what)
		return b
	}
	schema := to.typ
	switch n.Kind {
	case manifest.MapNode:
		return t.bodyObject(n, to, what)
	case manifest.ListNode:
		out := &ir.Body{IsList: true}
		elem := elementType(schema)
		if schema != nil && elem == nil && schema.Kind != types.Dyn && schema.Kind != types.Invalid {
			t.errorf(ruleNotAssignable, n.Span, "write a value of that type", "%s wants %s, this is a list", what, schema)
		}
		for _, item := range n.Items {
			out.Items = append(out.Items, t.bodyNode(item, target{elem, to.place.Element()}, true, what+" element"))
		}
		return out
	}
	b := &ir.Body{IsNull: true}
	before := len(t.findings)
	if n.Scalar.Type != manifest.NullType {
		v := t.value(n.Scalar, t.within, schema)
		t.assign(v, schema, !required, what)
		b = &ir.Body{Expr: v}
	}
	if len(t.findings) == before && to.place.Decides() != nil {
		t.choose(n, b, to.place, what)
	}
	return b
}

// plainNode resolves a node whose schema has variants: which of them it fits is seen
// when all of it is resolved.
func (t *toolResolver) plainNode(n manifest.Node, schema *types.Type, what string) *ir.Body {
	out := &ir.Body{}
	switch n.Kind {
	case manifest.MapNode:
		out.IsObject = true
		obj := objectType(schema)
		for _, p := range n.Members {
			out.Members = append(out.Members, ir.BodyMember{Name: p.Key.Value, Value: t.plainNode(p.Value, plainMember(obj, p.Key.Value), "member "+p.Key.Value)})
		}
	case manifest.ListNode:
		out.IsList = true
		for _, item := range n.Items {
			out.Items = append(out.Items, t.plainNode(item, elementType(schema), what+" element"))
		}
	default:
		if out.IsNull = n.Scalar.Type == manifest.NullType; out.IsNull {
			return out
		}
		out.Expr = t.value(n.Scalar, t.within, schema)
		if isPoisoned(out.Expr) || schema == nil {
			return out
		}
		term := out.Expr.Term
		if coerced, ok := expr.Coerce(term, schema); ok && schema.Kind != types.Invalid {
			out.Expr.Term = coerced
		}
		t.exceeds(out.Expr, term, schema, what)
	}
	return out
}

func plainMember(obj *types.Type, name string) *types.Type {
	switch {
	case obj == nil:
		return nil
	case obj.Kind == types.Map:
		return obj.Elem
	case obj.Field(name) != nil:
		return obj.Field(name).Type
	}
	return obj.Extra
}

// choose reports what keeps a value from all variants of its schema.
func (t *toolResolver) choose(n manifest.Node, b *ir.Body, place operation.Place, what string) {
	if t.recorded {
		return
	}
	v := t.sentOf(n, b, what)
	f := compare(v, place)
	wrong := f.faults
	if f.state != fitsNot {
		wrong = slices.Concat(f.doubts, unknownMembers(v, &f.members))
		for _, note := range f.notes {
			t.warnf(note.rule, note.at, note.fix, "%s", note.text)
		}
	}
	for i, w := range wrong {
		if !slices.ContainsFunc(wrong[:i], func(o fault) bool { return o.at == w.at && o.text == w.text }) {
			t.errorf(w.rule, w.at, w.fix, "%s", w.text)
		}
	}
}

// unknownMembers are those that no schema knows which the value fits. Most would be
// accepted, and are slips all the same.
func unknownMembers(v *sent, n *naming) (out []fault) {
	if n == nil {
		return nil
	}
	for _, e := range v.elems {
		out = append(out, unknownMembers(e, n.elem)...)
	}
	for _, m := range v.members {
		if !n.free && len(n.names) > 0 && !slices.Contains(n.names, m.name) {
			names := slices.Compact(slices.Sorted(slices.Values(n.names)))
			out = append(out, fault{ruleUnknownMember, m.at, "use a member of the schema: " + types.FewNames(names),
				fmt.Sprintf("the %s has no member %q%s", v.what, m.name, diag.DidYouMean(m.name, names))})
			continue
		}
		out = append(out, unknownMembers(m.value, n.within[m.name])...)
	}
	return out
}

func elementType(schema *types.Type) *types.Type {
	if schema == nil {
		return nil
	}
	if l := schema.Variant(types.List); l != nil {
		return l.Elem
	}
	return nil
}

func (t *toolResolver) bodyObject(n manifest.Node, to target, what string) *ir.Body {
	schema := to.typ
	out := &ir.Body{IsObject: true}
	obj := objectType(schema)
	if schema != nil && obj == nil && schema.Kind != types.Dyn && schema.Kind != types.Invalid {
		t.errorf(ruleNotAssignable, n.Span, "write a value of that type", "%s wants %s, this is a map", what, schema)
	}
	var meant []string // what misspelt members were meant for: one finding is enough
	for _, p := range n.Members {
		member := ir.BodyMember{Name: p.Key.Value}
		typ, required := t.memberType(p.Key, obj, what)
		if typ == nil && obj != nil {
			meant = append(meant, diag.Nearest(p.Key.Value, obj.FieldNames()))
		}
		member.Value = t.bodyNode(p.Value, target{typ, to.place.Member(p.Key.Value)}, required, "member "+p.Key.Value)
		out.Members = append(out.Members, member)
	}
	if obj == nil || obj.Kind != types.Object {
		return out
	}
	for _, f := range obj.Fields {
		if f.Required && !f.ReadOnly && !written(n.Members, f.Name) && !slices.Contains(meant, f.Name) {
			t.errorf(ruleUnboundMember, n.Span, "add "+f.Name+":", "the required member %q of the %s is not bound", f.Name, what)
		}
	}
	return out
}

func objectType(schema *types.Type) *types.Type {
	if schema == nil {
		return nil
	}
	return schema.Variant(types.Object, types.Map)
}

func (t *toolResolver) memberType(key manifest.Scalar, obj *types.Type, what string) (*types.Type, bool) {
	if obj == nil {
		return nil, true
	}
	if obj.Kind == types.Map {
		return obj.Elem, false
	}
	f := obj.Field(key.Value)
	if f == nil {
		if obj.Extra == nil && len(obj.Fields) > 0 {
			names := obj.FieldNames()
			t.errorf(ruleUnknownMember, key.Span, "use a member of the schema: "+types.FewNames(names), "the %s has no member %q%s", what, key.Value, diag.DidYouMean(key.Value, names))
		}
		return obj.Extra, false
	}
	return f.Type, f.Required
}
