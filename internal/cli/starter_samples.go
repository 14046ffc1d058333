package cli

import (
	"math"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// sampleOf is a value that the type of a slot allows, as YAML on one line: what a commented line
// sends once it is uncommented.
func sampleOf(s *slot) string {
	if value := s.fixed(); value != "" {
		return value
	}
	return sampleType(s.t, 0)
}

// emptyOf is the value with nothing in it, for what no input is made of.
func emptyOf(t *types.Type) string { return sampleType(t, deepBody) }

// sampleType writes a value of a type; from deepBody on only what is required of it.
func sampleType(t *types.Type, depth int) string {
	switch t.Kind {
	case types.Union:
		if plain := askedType(t); plain != nil && sampleType(plain, depth) != "''" {
			return sampleType(plain, depth)
		}
		return sampleType(t.Variants[0], depth)
	case types.Bool:
		return "true"
	case types.Int, types.Uint, types.Double:
		return sampleNumber(t)
	case types.List:
		return sampleList(t, depth)
	case types.Object:
		return sampleObject(t, depth)
	case types.Map:
		return "{}"
	case types.Dyn:
		if t.Why == freeForm {
			return "{}"
		}
	}
	return sampleText(t)
}

// sampleList has one element, or as many as the schema wants.
func sampleList(t *types.Type, depth int) string {
	n := int64(0)
	if depth < deepBody {
		n = 1
	}
	if t.Limits != nil && t.Limits.MinItems != nil {
		n = max(n, min(*t.Limits.MinItems, 20))
	}
	if t.Limits != nil && t.Limits.MaxItems != nil {
		n = min(n, *t.Limits.MaxItems)
	}
	items := make([]string, n)
	for i := range items {
		items[i] = sampleType(t.Elem, depth+1)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// sampleObject has what is required.
func sampleObject(t *types.Type, depth int) string {
	const deepestSample = 3 * deepBody
	var parts []string
	for _, f := range t.Fields {
		if f.Required && !f.ReadOnly && depth < deepestSample {
			parts = append(parts, singleQuoted(f.Name)+": "+sampleType(f.Type, depth+1))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// sampleNumber is the smallest number from 1 on that is allowed, or the greatest.
func sampleNumber(t *types.Type) string {
	n, step, l := 1.0, 1.0, t.Limits
	if l == nil {
		l = &types.Limits{}
	}
	if l.MultipleOf != nil && *l.MultipleOf > 0 {
		n, step = *l.MultipleOf, *l.MultipleOf
	}
	if l.Minimum != nil {
		n = max(n, math.Ceil(*l.Minimum/step)*step)
		if l.ExclusiveMin && n <= *l.Minimum {
			n += step
		}
	}
	if l.Maximum != nil {
		n = min(n, *l.Maximum)
	}
	if t.Kind == types.Double {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatInt(int64(n), 10)
}

// formatSamples are texts of the formats that services check.
var formatSamples = map[string]string{
	"date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z", "uuid": "3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11",
	"email": "ann@example.com", "uri": "https://example.com", "url": "https://example.com", "byte": "AAAA", "ipv4": "192.0.2.1", "hostname": "example.com",
}

func sampleText(t *types.Type) string {
	if len(t.Enum) > 0 {
		return singleQuoted(t.Enum[0])
	}
	if t.Limits == nil {
		return "'text'"
	}
	text := formatSamples[t.Limits.Format]
	if text == "" {
		text = "text"
	}
	if t.Limits.MinLength != nil && int64(len(text)) < *t.Limits.MinLength {
		text += strings.Repeat("x", int(min(*t.Limits.MinLength, 1000))-len(text))
	}
	if t.Limits.MaxLength != nil && int64(len(text)) > *t.Limits.MaxLength {
		text = text[:max(*t.Limits.MaxLength, 0)]
	}
	return singleQuoted(text)
}
