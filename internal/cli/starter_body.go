package cli

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// deepBody is how deep a body is written out.
const deepBody = 5

// eagerBody is how deep optional members are asked for where there is nothing else.
const eagerBody = 2

// bodyRanks are the media types of bodies as the run time prefers them.
var bodyRanks = []string{"json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}

// bodyMedia is the representation that a body is written for, nil for none.
func bodyMedia(op *operation.Operation) *operation.Media {
	if op.Body == nil || len(op.Body.Media) == 0 {
		return nil
	}
	for _, want := range bodyRanks {
		if i := slices.IndexFunc(op.Body.Media, func(m operation.Media) bool { return strings.Contains(m.Type, want) }); i >= 0 {
			return &op.Body.Media[i]
		}
	}
	return &op.Body.Media[0]
}

// writesBody says whether a call without its body would do nothing.
func (b *binder) writesBody() bool {
	if b.op.Body == nil {
		return false
	}
	return b.op.Body.Required || b.op.Method != "GET" && b.op.Method != "DELETE" && b.op.Method != "HEAD"
}

// asksBody says whether the body will ask the caller for something.
func (b *binder) asksBody() bool {
	m := bodyMedia(b.op)
	return m != nil && m.Schema != nil && b.writesBody()
}

// requestBody binds the body: what is required of it, and where that is nothing what means most.
func (b *binder) requestBody() {
	m := bodyMedia(b.op)
	switch {
	case m == nil:
	case m.Schema == nil && strings.Contains(m.Type, "json-patch"):
		b.patchBody()
	case m.Schema == nil && b.op.Body.Required:
		b.body.line(0, "body: %s", b.bind(&slot{name: "body", doc: "The body.", t: untypedBody(m), required: true}))
	case m.Schema == nil:
	case !b.writesBody():
		first := firstVariant(m)
		b.body.comment("body", sampleType(first, deepBody-1), remark(&slot{t: first}))
	default:
		b.form = strings.Contains(m.Type, "form")
		b.wholeBody(firstVariant(m))
	}
}

// patchBody replaces one member, which is what a JSON Patch without a schema can always do.
func (b *binder) patchBody() {
	path := slot{name: "path", doc: "The member to replace, as a JSON Pointer such as /name.", t: types.StringType, required: true}
	value := slot{name: "value", doc: "The new value.", t: types.StringType, required: true}
	b.body.line(0, "body:")
	b.body.line(1, "- op: replace")
	b.body.line(1, "  path: %s", b.bind(&path))
	b.body.line(1, "  value: %s", b.bind(&value))
}

// untypedBody is what a body without a schema takes.
func untypedBody(m *operation.Media) *types.Type {
	if strings.HasPrefix(m.Type, "text/") || strings.Contains(m.Type, "json") {
		return types.StringType
	}
	return &types.Type{Kind: types.String, Limits: &types.Limits{Format: "binary"}}
}

func (b *binder) wholeBody(schema *types.Type) {
	object := schema.Variant(types.Object)
	if object != nil && len(object.Fields) > 0 {
		parts := b.members(0, "", object)
		if len(b.inputs.lines) == 0 { // what is required asks the caller for nothing
			b.eager = eagerBody
			parts = b.members(0, "", object)
		}
		if !parts.live() {
			b.body.line(0, "body: {}")
			return
		}
		b.body.line(0, "body:")
		b.body.add(1, parts)
		return
	}
	var one yamlText
	b.member(&one, 0, &slot{name: "body", doc: "The body.", t: schema, required: true})
	b.body = one
}

// members writes the members of an object: those that are required, those that are asked for, and
// the others as comments.
func (b *binder) members(depth int, within string, object *types.Type) yamlText {
	var slots []slot
	needed := false
	for _, f := range object.Fields {
		if f.ReadOnly {
			continue
		}
		slots = append(slots, slot{name: f.Name, doc: f.Doc, t: f.Type, required: f.Required, role: roleOf(f.Name, "", f.Type), within: within})
		needed = needed || f.Required
	}
	shown := b.shownMembers(slots, needed, depth)
	var out, hidden yamlText
	for i := range slots {
		s := &slots[i]
		if s.required || shown[s.name] {
			b.member(&out, depth, s)
			continue
		}
		b.line(&hidden, s.name, s, false)
	}
	out.add(0, hidden)
	return out
}

// payload are members that most calls are made for, whether a document requires them or not.
var payload = pattern.Of(`^(body|text|message|content|amount|quantity|reason|notes?|comment|title|subject|name|description|summary|prompt|question|email|due_?date|value)$`)

// shownMembers are the optional members that become inputs: those that calls are made for, and those
// that the description of the operation names. An empty body would be a call without a purpose: where
// nothing is required, there are more.
func (b *binder) shownMembers(slots []slot, needed bool, depth int) map[string]bool {
	shown := map[string]bool{}
	if needed = needed && depth >= b.eager; depth > 0 && depth >= b.eager {
		return shown
	}
	take := func(most int, is func(s *slot) bool) {
		for i := range slots {
			if s := &slots[i]; !s.required && len(shown) < most && s.fixed() == "" && is(s) {
				shown[s.name] = true
			}
		}
	}
	about := strings.ToLower(plain(b.op.Description, 2000))
	few := fewOptional
	if !needed {
		few += 2
	}
	take(few, func(s *slot) bool { return s.t.IsScalar() && payload().MatchString(snake(s.name, 80)) })
	for _, r := range []role{searching, meaning, identity} {
		if needed {
			break
		}
		take(few, func(s *slot) bool { return s.t.IsScalar() && s.role == r && mentions(about, s.name) })
		take(few, func(s *slot) bool { return s.t.IsScalar() && s.role == r && s.t.Kind != types.Bool })
		take(few, func(s *slot) bool { return s.t.IsScalar() && s.role == r })
	}
	if !needed && len(shown) == 0 { // only objects, lists and what is between programs is left
		take(1, func(s *slot) bool { return s.role < paging })
		take(1, func(*slot) bool { return true })
	}
	return shown
}

// mentions says whether a text names a member, as "PaymentIntent" or "payment intent".
func mentions(text, name string) bool {
	words := snake(name, 80)
	return strings.Contains(text, strings.ReplaceAll(words, "_", " ")) || strings.Contains(text, strings.ReplaceAll(words, "_", ""))
}

// member writes one member: what it contains, or an input.
func (b *binder) member(out *yamlText, depth int, s *slot) {
	inner, list := s.t.Variant(types.Object), false
	if elem := s.t.Variant(types.List); inner == nil && elem != nil && askedType(elem.Elem) == nil {
		inner, list = elem.Elem.Variant(types.Object), true
	}
	if m := s.t.Variant(types.Map); m != nil && inner == nil && b.form && askedType(m.Elem) != nil {
		out.line(0, "%s: %s", scalar(s.name), b.entry(s, m))
		return
	}
	if inner == nil || depth >= deepBody {
		out.line(0, "%s: %s", scalar(s.name), b.bind(s))
		return
	}
	parts := b.members(depth+1, s.name, inner)
	if (b.form || list) && !parts.live() { // a form has nothing to send of it, and a list no use of it
		outer := b.eager
		b.eager = depth + eagerBody
		parts = b.members(depth+1, s.name, inner)
		b.eager = outer
	}
	switch {
	case !parts.live() && list:
		out.line(0, "%s: [{}]", scalar(s.name))
	case !parts.live():
		out.line(0, "%s: {}", scalar(s.name))
	default:
		out.line(0, "%s:", scalar(s.name))
		if list {
			parts = parts.item()
		}
		out.add(1, parts)
	}
}

// entry binds a map in a form, which cannot be empty there: the vendor has to say what its entries
// are called.
func (b *binder) entry(s *slot, m *types.Type) string {
	value := b.bind(&slot{name: s.name, doc: s.doc, t: askedType(m.Elem), required: true, within: s.within})
	return "{name: " + value + "} # the document does not say what its entries are called: correct the name"
}
