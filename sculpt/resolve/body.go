package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/ir"
	"github.com/sculpt-tools/sculpt/sculpt/manifest"
	"github.com/sculpt-tools/sculpt/sculpt/operation"
	"github.com/sculpt-tools/sculpt/sculpt/types"
)

const (
	jsonMedia = "application/json"
	formMedia = "application/x-www-form-urlencoded"
)

// body resolves body: against the request schema.
func (t *toolResolver) body(s *ir.Step, m *manifest.Step) {
	misplaced := func(p manifest.Pair) bool { return isMember(s.Op, p.Key.Value) }
	switch {
	case m.Body == nil && slices.ContainsFunc(m.With, misplaced):
		return // which is reported
	case m.Body == nil && s.Op.Body != nil && s.Op.Body.Required && !emptyForm(s.Op.Body):
		t.errorf("unbound-body", m.Call.Span, "add body:", "operation %s needs a request body", title(s.Op))
		return
	case m.Body == nil:
		return
	case s.Op.Body == nil:
		t.errorf("unknown-body", m.Body.Span, "remove body:", "operation %s takes no request body", title(s.Op))
		return
	}
	media := bodyMedia(s.Op.Body)
	if media == nil {
		t.errorf("not-supported-yet", m.Body.Span, "call an operation that takes JSON or a form", "%s", unsupportedBody(s.Op.Body))
		return
	}
	s.BodyMedia = media.Type
	if baseMedia(media.Type) == formMedia && m.Body.Kind != manifest.MapNode {
		t.errorf("wrong-type", m.Body.Span, "write name: value for each field", "a form is a map of fields")
		return
	}
	s.Body = t.bodyNode(*m.Body, media.Schema, true, "body")
	if baseMedia(media.Type) == formMedia {
		t.flatForm(s.Body, *m.Body)
	}
}

// isMember reports whether a name that is no parameter is a member of the body.
func isMember(op *operation.Operation, name string) bool {
	if p, _ := findParam(op, name); p != nil || op.Body == nil {
		return false
	}
	media := bodyMedia(op.Body)
	if media == nil {
		return false
	}
	obj := objectType(media.Schema)
	return obj != nil && obj.Field(name) != nil
}

// unsupportedBody says which types a body would have to have.
func unsupportedBody(b *operation.Body) string {
	if len(b.Media) == 0 {
		return "the document names no type for the body"
	}
	return "bodies of type " + b.Media[0].Type + " are not supported yet"
}

// emptyForm recognises the closed empty forms that some documents declare on
// GET operations: nothing can be sent in them.
func emptyForm(b *operation.Body) bool {
	return len(b.Media) == 1 && baseMedia(b.Media[0].Type) == formMedia && (b.Media[0].Schema == nil || len(b.Media[0].Schema.Fields) == 0)
}

// bodyMedia prefers plain JSON to its relatives, of which some documents list
// application/json-patch+json first, and any of them to a form.
func bodyMedia(b *operation.Body) *operation.Media {
	if m := pickMedia(b.Media, ""); m != nil {
		if strings.Contains(m.Type, "*") {
			m = &operation.Media{Type: jsonMedia, Schema: m.Schema}
		}
		return m
	}
	for i := range b.Media {
		if m := &b.Media[i]; baseMedia(m.Type) == formMedia {
			return m
		}
	}
	return nil
}

// bodyNode checks one node of the tree against its schema.
func (t *toolResolver) bodyNode(n manifest.Node, schema *types.Type, required bool, what string) *ir.Body {
	switch n.Kind {
	case manifest.MapNode:
		return t.bodyObject(n, schema, what)
	case manifest.ListNode:
		out := &ir.Body{IsList: true}
		elem := elementType(schema)
		if schema != nil && elem == nil && schema.Kind != types.Dyn && schema.Kind != types.Invalid {
			t.errorf("not-assignable", n.Span, "write a value of that type", "%s wants %s, this is a list", what, schema)
		}
		for _, item := range n.Items {
			out.Items = append(out.Items, t.bodyNode(item, elem, true, what+" element"))
		}
		return out
	}
	if n.Scalar.Type == manifest.NullType {
		return &ir.Body{IsNull: true}
	}
	v := t.value(n.Scalar, t.within, schema)
	t.assign(v, schema, !required, what)
	return &ir.Body{Expr: v}
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

func (t *toolResolver) bodyObject(n manifest.Node, schema *types.Type, what string) *ir.Body {
	out := &ir.Body{IsObject: true}
	obj := objectType(schema)
	if schema != nil && obj == nil && schema.Kind != types.Dyn && schema.Kind != types.Invalid {
		t.errorf("not-assignable", n.Span, "write a value of that type", "%s wants %s, this is a map", what, schema)
	}
	var meant []string // what misspelt members were meant for: one finding is enough
	for _, p := range n.Members {
		member := ir.BodyMember{Name: p.Key.Value}
		typ, required := t.memberType(p.Key, obj, what)
		if typ == nil && obj != nil {
			meant = append(meant, diag.Nearest(p.Key.Value, obj.FieldNames()))
		}
		member.Value = t.bodyNode(p.Value, typ, required, "member "+p.Key.Value)
		out.Members = append(out.Members, member)
	}
	if obj == nil || obj.Kind != types.Object {
		return out
	}
	for _, f := range obj.Fields {
		if f.Required && !f.ReadOnly && !written(n.Members, f.Name) && !slices.Contains(meant, f.Name) {
			t.errorf("unbound-member", n.Span, "add "+f.Name+":", "the required member %q of the %s is not bound", f.Name, what)
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
			t.errorf("unknown-member", key.Span, "use a member of the schema: "+types.FewNames(names), "the %s has no member %q%s", what, key.Value, diag.DidYouMean(key.Value, names))
		}
		return obj.Extra, false
	}
	return f.Type, f.Required
}

// flatForm refuses nested values in a form; OpenAPI leaves their spelling to
// encoding rules that few servers share.
func (t *toolResolver) flatForm(b *ir.Body, n manifest.Node) {
	for i, m := range b.Members {
		typ := types.StringType
		if m.Value.Expr != nil {
			typ = m.Value.Expr.Term.Type
		}
		if typ.Kind == types.Optional {
			typ = typ.Elem
		}
		nested := m.Value.IsObject || m.Value.IsList || m.Value.IsNull
		if nested || !typ.IsScalar() && typ.Kind != types.Invalid || slices.Contains([]types.Kind{types.Bytes}, typ.Kind) {
			if at := n.Members[i].Value.Span; !slices.ContainsFunc(t.findings, func(f diag.Finding) bool { return f.Span == at }) {
				t.errorf("not-supported-yet", at, "write name[key]: value as a field of its own", "a field of a form is one plain value")
			}
		}
	}
}
