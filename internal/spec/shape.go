package spec

import (
	"reflect"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// Why a type is dynamic, in the words of messages.
const (
	whyNoSchema      = "no schema"
	whyFreeForm      = "free-form object"
	whyContradiction = "contradictory schema"
	whyTooComplex    = "schemas combined too deeply"
	whyOpenUnion     = "union with anything"
)

// A shape is what a term allows, taken apart by kinds of JSON, so that shapes
// can be intersected (allOf) and united (oneOf, anyOf). It never changes once
// made.
type shape struct {
	// open shapes allow anything; why says where that comes from. They may
	// still demand members, as in anyOf: [{required: [a]}, {required: [b]}].
	open bool
	why  string
	// kinds in order of appearance: Bool, Int or Double, String, List, Object.
	kinds    []types.Kind
	enum     []string
	text     *types.Limits
	number   *types.Limits
	list     *types.Limits
	items    *slot
	fields   []*slot
	index    map[string]*slot
	required map[string]bool
	extra    *slot
	// closed says that no other members are allowed.
	closed bool
	// origin is the term whose object this is, as long as nothing was added.
	origin *term
}

// A slot is a place for a value inside a shape.
type slot struct {
	name     string
	term     *term
	nullable bool
	readOnly bool
	doc      string
}

func (s *shape) has(k types.Kind) bool { return slices.Contains(s.kinds, k) }

// shapeOf returns the shape of a term, nil if the term contains itself.
func (t *typist) shapeOf(n *term) *shape {
	if n.shape != nil {
		return n.shape
	}
	if n.busy {
		return nil
	}
	if n.depth > maxTermDepth || t.spent(1) {
		n.shape = &shape{open: true, why: whyTooComplex}
		return n.shape
	}
	n.busy = true
	var s *shape
	if n.join == leaf {
		s = t.leafShape(n)
	} else {
		var parts []*shape
		for _, k := range n.kids {
			if p := t.shapeOf(k); p != nil {
				parts = append(parts, p)
			}
		}
		if n.join == allOf {
			s = t.meet(n, parts)
		} else {
			s = t.unite(parts)
		}
	}
	if len(s.kinds) == 1 && s.has(types.Object) {
		own := *s
		own.origin = n
		s = &own
	}
	n.busy, n.shape = false, s
	return s
}

// leafShape combines what a schema says itself with its allOf, anyOf, oneOf.
func (t *typist) leafShape(n *term) *shape {
	s := n.schema
	parts := []*shape{t.ownShape(s)}
	for _, b := range s.AllOf {
		if p := t.branch(n, b); p != nil {
			parts = append(parts, p)
		}
	}
	for _, group := range []openapi3.SchemaRefs{s.AnyOf, s.OneOf} {
		var united []*shape
		for _, b := range group {
			if b.Value != nil && meansNull(b.Value) {
				continue
			}
			if p := t.branch(n, b); p != nil {
				united = append(united, p)
			}
		}
		if len(united) > 0 {
			parts = append(parts, t.unite(united))
		}
	}
	return t.meet(n, parts)
}

// branch is the shape of a part of a combination; a part that contains the
// whole says nothing.
func (t *typist) branch(n *term, b *openapi3.SchemaRef) *shape {
	k := t.leafOf(b)
	if k == nil {
		return nil
	}
	p := t.shapeOf(k)
	if p == nil && n.at != nil {
		t.findings.Warnf(ruleCycle, t.spanOf(n.at), "break the cycle", "the schema %q is combined from itself", n.hint)
	}
	return p
}

var kindOfType = map[string]types.Kind{
	openapi3.TypeBoolean: types.Bool, openapi3.TypeInteger: types.Int, openapi3.TypeNumber: types.Double,
	openapi3.TypeString: types.String, openapi3.TypeArray: types.List, openapi3.TypeObject: types.Object,
}

// ownShape is what the keywords of a schema say, combinations left out.
func (t *typist) ownShape(s *openapi3.Schema) *shape {
	out := &shape{required: map[string]bool{}}
	for _, name := range s.Required {
		out.required[name] = true
	}
	for _, k := range ownKinds(s) {
		out.kinds = addKind(out.kinds, k)
	}
	if len(out.kinds) == 0 && !isNull(s) {
		out.open, out.why = true, whyNoSchema
		return out
	}
	if l := limitsOf(s); l != nil {
		out.text, out.number, out.list = textLimits(l), numberLimits(l), listLimits(l)
	}
	if out.has(types.String) {
		out.enum = enumOf(s)
	}
	if out.has(types.List) {
		out.items = t.slot("", s.Items)
	}
	if out.has(types.Object) {
		t.ownFields(out, s)
	}
	return out
}

func (t *typist) ownFields(out *shape, s *openapi3.Schema) {
	out.index = make(map[string]*slot, len(s.Properties))
	for _, name := range t.propertyOrder(s) {
		p := s.Properties[name]
		f := t.slot(name, p)
		out.fields = append(out.fields, f)
		out.index[name] = f
	}
	extra := s.AdditionalProperties
	if extra.Has != nil && !*extra.Has {
		out.closed = true
	}
	if extra.Schema != nil && extra.Schema.Value != nil && !isFreeValue(extra.Schema.Value) {
		out.extra = t.slot("", extra.Schema)
	} else if out.closed {
		t.patterned(out, s)
	}
}

// patterned types the members that have no name but a pattern, where there are no
// others: as what the only pattern says, or as anything.
func (t *typist) patterned(out *shape, s *openapi3.Schema) {
	switch len(s.PatternProperties) {
	case 0:
	case 1:
		for _, of := range s.PatternProperties {
			out.extra = t.slot("", of)
		}
	default:
		out.extra = t.slot("", nil)
	}
}

// isFreeValue reports whether s allows any value, not only any object.
func isFreeValue(s *openapi3.Schema) bool { return isFree(s) && len(s.Type.Slice()) == 0 }

// propertyOrder is the order of the document, which the loader has lost.
func (t *typist) propertyOrder(s *openapi3.Schema) []string {
	var names []string
	for _, p := range t.doc.nodeOf(s.Extensions).members("properties") {
		if s.Properties[p.name] != nil {
			names = append(names, p.name)
		}
	}
	return names
}

func (t *typist) slot(name string, ref *openapi3.SchemaRef) *slot {
	f := &slot{name: name, term: t.leafOf(ref), nullable: nullable(ref, nil)}
	if ref == nil || ref.Value == nil {
		return f
	}
	f.readOnly, f.doc = ref.Value.ReadOnly, ref.Value.Description
	if f.term != nil {
		f.readOnly = f.readOnly || f.term.schema.ReadOnly
		if f.doc == "" {
			f.doc = f.term.schema.Description
		}
	}
	return f
}

// ownKinds are the kinds that a schema names, or else those that its keywords
// are about.
func ownKinds(s *openapi3.Schema) []types.Kind {
	var kinds []types.Kind
	for _, name := range s.Type.Slice() {
		if k, ok := kindOfType[name]; ok {
			kinds = append(kinds, k)
		}
	}
	switch {
	case len(s.Type.Slice()) > 0:
	case len(s.Properties) > 0 || s.AdditionalProperties.Schema != nil:
		kinds = append(kinds, types.Object)
	case s.Items != nil:
		kinds = append(kinds, types.List)
	default:
		for _, v := range s.Enum {
			switch v := v.(type) {
			case string:
				kinds = append(kinds, types.String)
			case bool:
				kinds = append(kinds, types.Bool)
			case float64:
				kinds = append(kinds, numberKind(v))
			}
		}
	}
	return kinds
}

func numberKind(f float64) types.Kind {
	if f == float64(int64(f)) {
		return types.Int
	}
	return types.Double
}

// addKind adds a kind; int and double together are double.
func addKind(kinds []types.Kind, k types.Kind) []types.Kind {
	for i, have := range kinds {
		switch {
		case have == k, have == types.Double && k == types.Int:
			return kinds
		case have == types.Int && k == types.Double:
			out := slices.Clone(kinds)
			out[i] = types.Double
			return out
		}
	}
	return append(kinds, k)
}

func enumOf(s *openapi3.Schema) []string {
	var out []string
	seen := make(map[string]bool, len(s.Enum))
	for _, v := range s.Enum {
		if text, ok := v.(string); ok && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// meet intersects shapes. Shapes that allow anything add nothing but the
// members they demand.
func (t *typist) meet(n *term, parts []*shape) *shape {
	var typed []*shape
	required := map[string]bool{}
	why := whyNoSchema
	for _, p := range parts {
		for name := range p.required {
			required[name] = true
		}
		if !p.open {
			typed = append(typed, p)
		} else if p.why != whyNoSchema {
			why = p.why
		}
	}
	if len(typed) == 0 {
		return &shape{open: true, why: why, required: required}
	}
	if len(typed) == 1 && len(required) == len(typed[0].required) {
		return typed[0]
	}
	out := &shape{kinds: typed[0].kinds, required: required, why: why}
	for _, p := range typed[1:] {
		out.kinds = commonKinds(out.kinds, p.kinds)
	}
	if len(out.kinds) == 0 && len(typed[0].kinds) > 0 {
		t.contradiction(n)
		return &shape{open: true, why: whyContradiction}
	}
	for _, p := range typed {
		out.text, out.number, out.list = stricter(out.text, p.text), stricter(out.number, p.number), stricter(out.list, p.list)
		out.enum = commonEnum(out.enum, p.enum)
		out.closed = out.closed || p.closed
	}
	out.items = t.mergeSlots(allOf, collect(typed, types.List, func(p *shape) *slot { return p.items }))
	out.extra = t.mergeSlots(allOf, collect(typed, types.Object, func(p *shape) *slot { return p.extra }))
	t.mergeFields(out, typed, allOf)
	return out
}

func (t *typist) contradiction(n *term) {
	if n.at != nil {
		t.findings.Warnf(ruleContradiction, t.spanOf(n.at), "correct the type of one branch", "the branches of %q exclude each other", n.hint)
	}
}

// unite is what any of the shapes allows.
func (t *typist) unite(parts []*shape) *shape {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &shape{}
	for i, p := range parts {
		out.required = commonNames(i == 0, out.required, p.required)
		if p.open {
			out.open, out.why = true, p.why
		}
		for _, k := range p.kinds {
			out.kinds = addKind(slices.Clip(out.kinds), k)
		}
	}
	if out.open {
		if slices.ContainsFunc(parts, func(p *shape) bool { return !p.open }) && out.why == whyNoSchema {
			out.why = whyOpenUnion
		}
		return &shape{open: true, why: out.why, required: out.required}
	}
	texts := holders(parts, types.String)
	out.text = looser(texts, func(p *shape) *types.Limits { return p.text })
	out.number = looser(holders(parts, types.Double), func(p *shape) *types.Limits { return p.number })
	out.list = looser(holders(parts, types.List), func(p *shape) *types.Limits { return p.list })
	out.enum = joinedEnum(texts)
	out.items = t.mergeSlots(anyOf, collect(parts, types.List, func(p *shape) *slot { return p.items }))
	objects := holders(parts, types.Object)
	out.required = nil
	for i, p := range objects {
		out.required = commonNames(i == 0, out.required, p.required)
	}
	out.closed = !slices.ContainsFunc(objects, func(p *shape) bool { return !p.closed })
	out.extra = t.mergeSlots(anyOf, collect(objects, types.Object, func(p *shape) *slot { return p.extra }))
	t.mergeFields(out, objects, anyOf)
	return out
}

// mergeFields unites the fields of objects; fields of one name are combined.
func (t *typist) mergeFields(out *shape, parts []*shape, how join) {
	objects := holders(parts, types.Object)
	if !out.has(types.Object) || len(objects) == 0 {
		return
	}
	if len(objects) == 1 && len(out.required) == len(objects[0].required) {
		out.fields, out.index, out.origin = objects[0].fields, objects[0].index, objects[0].origin
		return
	}
	same := map[string][]*slot{}
	var order []string
	for _, p := range objects {
		for _, f := range p.fields {
			if same[f.name] == nil {
				order = append(order, f.name)
			}
			same[f.name] = append(same[f.name], f)
		}
		if t.spent(len(p.fields)) {
			break
		}
	}
	out.index = make(map[string]*slot, len(order))
	for _, name := range order {
		f := t.mergeSlots(how, same[name])
		f.name = name
		out.fields = append(out.fields, f)
		out.index[name] = f
	}
}

// mergeSlots combines what may be in one place.
func (t *typist) mergeSlots(how join, slots []*slot) *slot {
	if len(slots) == 0 {
		return nil
	}
	if len(slots) == 1 {
		return &slot{"", slots[0].term, slots[0].nullable, slots[0].readOnly, slots[0].doc}
	}
	out := &slot{nullable: how == allOf, readOnly: how == anyOf}
	var terms []*term
	unknown := false
	counted := false
	for _, s := range slots {
		free := s.term == nil || s.term.join == leaf && isFree(s.term.schema)
		switch {
		case how == anyOf:
			out.nullable, out.readOnly = out.nullable || s.nullable, out.readOnly && s.readOnly
		case free && !s.nullable:
			out.readOnly = out.readOnly || s.readOnly
		default:
			out.nullable, out.readOnly, counted = out.nullable && s.nullable, out.readOnly || s.readOnly, true
		}
		if out.doc == "" {
			out.doc = s.doc
		}
		unknown = unknown || s.term == nil
		terms = append(terms, s.term)
	}
	if how == allOf && !counted {
		out.nullable = false
	}
	if how == anyOf && unknown {
		return out
	}
	out.term = t.combine(how, terms)
	return out
}

func holders(parts []*shape, k types.Kind) []*shape {
	var out []*shape
	for _, p := range parts {
		if p.has(k) || k == types.Double && p.has(types.Int) {
			out = append(out, p)
		}
	}
	return out
}

func collect(parts []*shape, k types.Kind, get func(*shape) *slot) []*slot {
	var out []*slot
	for _, p := range holders(parts, k) {
		if s := get(p); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// commonKinds keeps the kinds of a that b has too; of int and double, int.
func commonKinds(a, b []types.Kind) []types.Kind {
	var out []types.Kind
	for _, k := range a {
		switch {
		case slices.Contains(b, k):
			out = append(out, k)
		case k == types.Int && slices.Contains(b, types.Double), k == types.Double && slices.Contains(b, types.Int):
			out = append(out, types.Int)
		}
	}
	return out
}

// commonNames intersects what was common so far with the next set.
func commonNames(first bool, a, b map[string]bool) map[string]bool {
	if first {
		return b
	}
	out := map[string]bool{}
	for name := range a {
		if b[name] {
			out[name] = true
		}
	}
	return out
}

// commonEnum intersects two enums; nil is open. Enums without a common value
// are taken as the first: wrong documents are commoner than empty types.
func commonEnum(a, b []string) []string {
	if a == nil || b == nil {
		return append(a, b...)
	}
	in := make(map[string]bool, len(b))
	for _, v := range b {
		in[v] = true
	}
	out := slices.DeleteFunc(slices.Clone(a), func(v string) bool { return !in[v] })
	if len(out) == 0 {
		return a
	}
	return out
}

// joinedEnum unites the enums of texts; one open text opens all.
func joinedEnum(texts []*shape) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range texts {
		if p.enum == nil {
			return nil
		}
		for _, v := range p.enum {
			if !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	return out
}

// looser keeps limits that all parts share.
func looser(parts []*shape, get func(*shape) *types.Limits) *types.Limits {
	if len(parts) == 0 {
		return nil
	}
	first := get(parts[0])
	for _, p := range parts[1:] {
		if !reflect.DeepEqual(first, get(p)) {
			return nil
		}
	}
	return first
}
