package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Limits of combined schemas. All operations of the
// largest known documents together need a thirtieth of them.
const (
	maxTerms     = 100_000
	maxWork      = 1_000_000
	maxTermDepth = 6
)

// A term names a type before it is built: one schema of the document, or the
// combination of several. Fields, elements and the like are terms, built one
// after the other from a queue, so that recursive schemas need no recursion.
type term struct {
	id   int
	join join
	// schema is that of a leaf.
	schema *openapi3.Schema
	kids   []*term
	// depth counts how often "all of" and "any of" alternate below.
	depth int
	// hint is what the type is called: the name of the component, or the name
	// that the first place that uses it suggests.
	hint   string
	typ    *types.Type
	queued bool
	shape  *shape
	// busy says that the shape is being made; meeting the term again then
	// means that the schema contains itself.
	busy bool
	at   *node
}

type join uint8

const (
	leaf join = iota
	allOf
	anyOf
)

// A typist builds the types of one small document.
type typist struct {
	*loader
	doc    *smallDocument
	leaves map[*openapi3.Schema]*term
	joined map[string]*term
	names  map[*node]*component
	queue  []*term
	// unknown stands for what is not looked at once the limits are passed.
	unknown *term
	work    int
	warned  bool
	// asserts are those of schemas of requests.
	asserts map[*openapi3.Schema]*operation.Assertions
}

func newTypist(l *loader, doc *smallDocument) *typist {
	t := &typist{loader: l, doc: doc, leaves: map[*openapi3.Schema]*term{}, joined: map[string]*term{}, names: map[*node]*component{}, asserts: map[*openapi3.Schema]*operation.Assertions{}}
	for _, c := range doc.components {
		t.names[&c.node] = c
	}
	t.unknown = &term{id: -1, schema: &openapi3.Schema{}, typ: &types.Type{}, shape: &shape{open: true, why: whyTooComplex}}
	return t
}

func (t *typist) newTerm() *term {
	return &term{id: len(t.leaves) + len(t.joined), typ: &types.Type{}}
}

// leafOf returns the term of a schema, with wrappers that say nothing removed:
// an allOf of one reference is the referenced type. It is nil for no schema.
func (t *typist) leafOf(ref *openapi3.SchemaRef) *term {
	if ref == nil || ref.Value == nil {
		return nil
	}
	s := reduce(ref.Value)
	if known, ok := t.leaves[s]; ok {
		return known
	}
	n := t.newTerm()
	n.schema, n.at = s, t.doc.nodeOf(s.Extensions)
	if c := t.names[n.at]; c != nil && n.at != nil {
		n.hint = c.name
	}
	t.leaves[s] = n
	return n
}

// reduce follows schemas that only wrap one other.
func reduce(s *openapi3.Schema) *openapi3.Schema {
	for range maxHops {
		next := wrapped(s)
		if next == nil {
			break
		}
		s = next
	}
	return s
}

// wrapped returns the only schema that s combines, if s says nothing else.
func wrapped(s *openapi3.Schema) *openapi3.Schema {
	if !saysNothing(s) {
		return nil
	}
	var only *openapi3.Schema
	for i, group := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
		for _, b := range group {
			if b == nil || b.Value == nil || (i == 0 && isFree(b.Value)) || (i > 0 && meansNull(b.Value)) {
				continue
			}
			if only != nil && only != b.Value {
				return nil
			}
			only = b.Value
		}
	}
	return only
}

// saysNothing reports whether s itself asserts nothing that typing needs,
// beyond being an object.
func saysNothing(s *openapi3.Schema) bool {
	for _, name := range s.Type.Slice() {
		if name != openapi3.TypeObject && name != openapi3.TypeNull {
			return false
		}
	}
	return len(s.Properties) == 0 && len(s.Required) == 0 && len(s.Enum) == 0 && s.Items == nil &&
		s.AdditionalProperties.Schema == nil && limitsOf(s) == nil
}

// isFree reports whether s allows any object or any value.
func isFree(s *openapi3.Schema) bool {
	return saysNothing(s) && len(s.AllOf) == 0 && len(s.AnyOf) == 0 && len(s.OneOf) == 0 &&
		!(len(s.Type.Slice()) == 1 && s.Type.Is(openapi3.TypeNull))
}

// isNull reports whether s allows null only. An enum of nulls says so beside any type.
func isNull(s *openapi3.Schema) bool {
	if s.Type.Is(openapi3.TypeNull) {
		return true
	}
	return len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v any) bool { return v != nil })
}

// meansNull reports whether s stands for null in a oneOf or anyOf. Strictly a bare
// nullable: true allows anything there, but then the other variants would say nothing:
// generators write it where OpenAPI 3.0 has no type for null.
func meansNull(s *openapi3.Schema) bool {
	return isNull(s) || s.Nullable && isFreeValue(s)
}

// combine returns the term for all or any of some terms.
func (t *typist) combine(how join, kids []*term) *term {
	if t.spent(len(kids)) {
		return t.unknown
	}
	kids = t.flatten(how, kids)
	if t.spent(len(kids)) {
		return t.unknown
	}
	switch len(kids) {
	case 0:
		return nil
	case 1:
		return kids[0]
	}
	sorted := slices.Clone(kids)
	slices.SortFunc(sorted, func(a, b *term) int { return cmp.Compare(a.id, b.id) })
	var key strings.Builder
	key.WriteByte("lab"[how])
	for _, k := range sorted {
		key.WriteString(strconv.Itoa(k.id))
		key.WriteByte(' ')
	}
	if known, ok := t.joined[key.String()]; ok {
		return known
	}
	n := t.newTerm()
	n.join, n.kids, n.at = how, kids, kids[0].at
	for _, k := range kids {
		n.depth = max(n.depth, k.depth+1)
	}
	t.joined[key.String()] = n
	return n
}

func (t *typist) flatten(how join, kids []*term) []*term {
	var out []*term
	seen := map[*term]bool{}
	add := func(k *term) {
		if !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	for _, k := range kids {
		switch {
		case k == nil:
		case k.join == how:
			for _, inner := range k.kids {
				add(inner)
			}
		default:
			add(k)
		}
	}
	if how == allOf && len(out) > 1 {
		// Free-form and typed is typed.
		typed := slices.DeleteFunc(slices.Clone(out), func(k *term) bool { return k.join == leaf && isFree(k.schema) })
		if len(typed) == 0 {
			return out[:1]
		}
		return typed
	}
	return out
}

// spent counts work and reports whether the limits are passed.
func (t *typist) spent(units int) bool {
	t.work += units
	over := t.work > maxWork || len(t.leaves)+len(t.joined) > maxTerms
	if over && !t.warned {
		t.warned = true
		t.findings.Warnf(ruleTooComplex, diag.Span{File: t.file}, "simplify nested oneOf, anyOf and allOf",
			"the schemas are combined in too many ways; the rest of them is taken as unknown")
	}
	return over
}

// typeOf returns the type of a term; it is filled by build.
func (t *typist) typeOf(n *term, hint string) *types.Type {
	if n == nil {
		return types.DynOf(whyNoSchema)
	}
	if n.hint == "" {
		n.hint = hint
	}
	if !n.queued {
		n.queued = true
		t.queue = append(t.queue, n)
	}
	return n.typ
}

// build fills all types that were asked for.
func (t *typist) build() {
	var built []*types.Type
	for len(t.queue) > 0 {
		n := t.queue[0]
		t.queue = t.queue[1:]
		t.fill(n)
		built = append(built, n.typ)
	}
	cutCycles(built)
}

// cutCycles makes types that contain themselves without an object between
// dynamic: they could neither be written down nor stored.
func cutCycles(all []*types.Type) {
	const (
		open = 1 + iota
		done
	)
	state := map[*types.Type]int{}
	var visit func(*types.Type)
	visit = func(u *types.Type) {
		if u == nil || u.Kind == types.Object || state[u] == done {
			return
		}
		if state[u] == open {
			why := "recursive list"
			switch u.Kind {
			case types.Union:
				why = "recursive union"
			case types.Map:
				why = "recursive map"
			}
			*u = *types.DynOf(why)
			state[u] = done
			return
		}
		state[u] = open
		visit(u.Elem)
		for _, v := range u.Variants {
			visit(v)
		}
		state[u] = done
	}
	for _, u := range all {
		visit(u)
	}
}

// nullable reports whether a schema allows null. seen cuts cycles.
func nullable(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool) bool {
	if ref == nil || ref.Value == nil || seen[ref.Value] {
		return false
	}
	s := ref.Value
	if s.Nullable || s.Type.Includes(openapi3.TypeNull) || slices.Contains(s.Enum, nil) {
		return true
	}
	if len(s.Type.Slice()) > 0 || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 {
		return false
	}
	if seen == nil {
		seen = map[*openapi3.Schema]bool{}
	}
	seen[s] = true
	counted := false
	for _, b := range s.AllOf {
		if b.Value == nil || isFree(b.Value) && !nullable(b, seen) {
			continue
		}
		counted = true
		if !nullable(b, seen) {
			return false
		}
	}
	for _, group := range []openapi3.SchemaRefs{s.AnyOf, s.OneOf} {
		if len(group) == 0 {
			continue
		}
		counted = true
		if !slices.ContainsFunc(group, func(b *openapi3.SchemaRef) bool { return nullable(b, seen) }) {
			return false
		}
	}
	return counted
}
