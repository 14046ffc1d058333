package spec

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// fill builds the type of a term from its shape.
func (t *typist) fill(n *term) {
	s := t.shapeOf(n)
	switch {
	case s == nil || s.open:
		why := whyNoSchema
		if s != nil {
			why = s.why
		}
		*n.typ = *types.DynOf(why)
	case len(s.kinds) == 0:
		*n.typ = *types.NullType
	case len(s.kinds) == 1:
		*n.typ = *t.single(n, s, s.kinds[0])
	default:
		n.typ.Kind = types.Union
		for _, k := range s.kinds {
			n.typ.Variants = append(n.typ.Variants, t.variant(n, s, k))
		}
	}
}

// variant is the part of a union that has one kind. An object that is a
// component's own stays that component's type.
func (t *typist) variant(n *term, s *shape, k types.Kind) *types.Type {
	if k != types.Object {
		return t.single(n, s, k)
	}
	if s.origin != nil && s.origin != n && len(s.fields) > 0 {
		return t.typeOf(s.origin, n.hint)
	}
	object := t.single(n, s, k)
	if object.Kind == types.Dyn {
		return types.MapOf(types.StringType, object)
	}
	return object
}

func (t *typist) single(n *term, s *shape, k types.Kind) *types.Type {
	switch k {
	case types.Bool:
		return &types.Type{Kind: types.Bool}
	case types.Int, types.Double:
		return &types.Type{Kind: k, Limits: s.number}
	case types.String:
		return &types.Type{Kind: types.String, Enum: s.enum, Limits: s.text}
	case types.List:
		list := &types.Type{Kind: types.List, Limits: s.list, Elem: types.DynOf(whyNoSchema)}
		if s.items != nil {
			list.Elem, list.NullableElem = t.typeOf(s.items.term, n.hint+"Item"), s.items.nullable
		}
		return list
	}
	return t.object(n, s)
}

func (t *typist) object(n *term, s *shape) *types.Type {
	if len(s.fields) == 0 {
		if s.extra != nil {
			m := types.MapOf(types.StringType, t.typeOf(s.extra.term, n.hint+"Value"))
			m.NullableElem = s.extra.nullable
			return m
		}
		if !s.closed {
			return types.DynOf(whyFreeForm)
		}
	}
	o := &types.Type{Kind: types.Object, Name: n.hint, Fields: make([]*types.Field, 0, len(s.fields))}
	prefix := typeName(n.hint)
	for _, f := range s.fields {
		o.Fields = append(o.Fields, &types.Field{
			Name: f.name, Type: t.typeOf(f.term, prefix+typeName(f.name)), Required: s.required[f.name],
			Nullable: f.nullable, ReadOnly: f.readOnly, Doc: f.doc,
		})
	}
	if s.extra != nil {
		o.Extra = t.typeOf(s.extra.term, n.hint+"Value")
	}
	if !s.closed {
		o.Fields = append(o.Fields, demanded(s, o.Extra)...)
	}
	return o
}

// demanded are members that must be there although no property says what they
// are.
func demanded(s *shape, extra *types.Type) []*types.Field {
	var out []*types.Field
	for _, name := range slices.Sorted(maps.Keys(s.required)) {
		if s.index[name] != nil {
			continue
		}
		f := &types.Field{Name: name, Type: extra, Required: true}
		if extra == nil {
			f.Type = types.DynOf(whyNoSchema)
		}
		out = append(out, f)
	}
	return out
}

// typeName writes any name as one readable word: point_geo-json is PointGeoJson.
func typeName(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	if b.Len() > 100 {
		// Names grow with nesting; nobody reads more than this.
		return string([]rune(b.String())[:min(100, len([]rune(b.String())))])
	}
	return b.String()
}

// limitsOf collects the assertions of a schema; nil if there are none.
func limitsOf(s *openapi3.Schema) *types.Limits {
	l := types.Limits{
		MinLength: positive(s.MinLength), MaxLength: whole(s.MaxLength), Pattern: s.Pattern,
		MinItems: positive(s.MinItems), MaxItems: whole(s.MaxItems),
		Minimum: s.Min, Maximum: s.Max, MultipleOf: s.MultipleOf, Format: s.Format,
		MediaType: s.ContentMediaType, Encoding: s.ContentEncoding,
	}
	l.Minimum, l.ExclusiveMin = bound(s.Min, s.ExclusiveMin, func(a, b float64) bool { return a >= b })
	l.Maximum, l.ExclusiveMax = bound(s.Max, s.ExclusiveMax, func(a, b float64) bool { return a <= b })
	if l == (types.Limits{}) {
		return nil
	}
	return &l
}

func positive(n uint64) *int64 {
	if n == 0 {
		return nil
	}
	return whole(&n)
}

func whole(n *uint64) *int64 {
	if n == nil || *n > math.MaxInt64 {
		return nil
	}
	v := int64(*n)
	return &v
}

// bound joins a bound with its exclusive form: true beside it in OpenAPI 3.0,
// a number of its own in 3.1.
func bound(value *float64, exclusive openapi3.ExclusiveBound, tighter func(a, b float64) bool) (*float64, bool) {
	if exclusive.Value != nil && (value == nil || tighter(*exclusive.Value, *value)) {
		return exclusive.Value, true
	}
	return value, value != nil && exclusive.Bool != nil && *exclusive.Bool
}

func textLimits(l *types.Limits) *types.Limits {
	return limits(types.Limits{MinLength: l.MinLength, MaxLength: l.MaxLength, Pattern: l.Pattern, Format: l.Format,
		MediaType: l.MediaType, Encoding: l.Encoding})
}

func numberLimits(l *types.Limits) *types.Limits {
	return limits(types.Limits{Minimum: l.Minimum, Maximum: l.Maximum, ExclusiveMin: l.ExclusiveMin,
		ExclusiveMax: l.ExclusiveMax, MultipleOf: l.MultipleOf, Format: l.Format})
}

func listLimits(l *types.Limits) *types.Limits {
	return limits(types.Limits{MinItems: l.MinItems, MaxItems: l.MaxItems})
}

func limits(l types.Limits) *types.Limits {
	if l == (types.Limits{}) {
		return nil
	}
	return &l
}

// stricter keeps the tighter of two sets of limits, limit by limit.
func stricter(a, b *types.Limits) *types.Limits {
	if a == nil || b == nil || reflect.DeepEqual(a, b) {
		if a == nil {
			return b
		}
		return a
	}
	out := *a
	out.MinLength, out.MaxLength = larger(a.MinLength, b.MinLength), smaller(a.MaxLength, b.MaxLength)
	out.MinItems, out.MaxItems = larger(a.MinItems, b.MinItems), smaller(a.MaxItems, b.MaxItems)
	if b.Minimum != nil && (a.Minimum == nil || *b.Minimum > *a.Minimum || *b.Minimum == *a.Minimum && b.ExclusiveMin) {
		out.Minimum, out.ExclusiveMin = b.Minimum, b.ExclusiveMin
	}
	if b.Maximum != nil && (a.Maximum == nil || *b.Maximum < *a.Maximum || *b.Maximum == *a.Maximum && b.ExclusiveMax) {
		out.Maximum, out.ExclusiveMax = b.Maximum, b.ExclusiveMax
	}
	if a.MultipleOf == nil {
		out.MultipleOf = b.MultipleOf
	}
	if a.Pattern == "" {
		out.Pattern = b.Pattern
	}
	out.Format, out.MediaType, out.Encoding = cmp.Or(a.Format, b.Format), cmp.Or(a.MediaType, b.MediaType), cmp.Or(a.Encoding, b.Encoding)
	return &out
}

func larger(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func smaller(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// isEmptyObject reports whether nothing can be sent in a value of the type.
func isEmptyObject(u *types.Type) bool {
	return u != nil && u.Kind == types.Object && len(u.Fields) == 0 && u.Extra == nil
}

// reservedHeaders are set by HTTP itself or by security; OpenAPI says that
// parameters of these names are to be ignored.
var reservedHeaders = []string{"accept", "content-type", "authorization"}

func isReservedHeader(name string) bool {
	return slices.Contains(reservedHeaders, strings.ToLower(name))
}
