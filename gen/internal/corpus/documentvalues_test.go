package corpus_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp/syntax"
	"slices"
	"strings"
)

// A valueMaker makes values that schemas of a document allow. It reads the
// document alone, so that it does not share a mistake with package spec.
type valueMaker struct {
	schemas tree
	// pick chooses among the variants of unions: a value may be allowed by more
	// of them than it should.
	pick int
	// wide binds what is optional as well, where a value begins.
	wide bool
	// answer makes what comes back: all members of the upper levels.
	answer bool
	// form says that what is empty cannot be written.
	form bool
	// made is how many values there are: no two are equal.
	made int
	// below are the schemas that are being made, for those that hold themselves.
	below []string
}

const deepestValue = 8

// open follows a reference; what is said beside it counts as well.
func (m *valueMaker) open(v any) (schema tree, name string) {
	schema, _ = v.(tree)
	for range deepestValue {
		ref, ok := schema["$ref"].(string)
		if !ok {
			break
		}
		name = path.Base(ref)
		target, _ := m.schemas[name].(tree)
		beside := maps.Clone(schema)
		delete(beside, "$ref")
		schema = merged(target, beside)
	}
	return schema, name
}

// whole is a schema with its allOf in it, and one variant of its union.
func (m *valueMaker) whole(v any, depth int) tree {
	schema, _ := m.open(v)
	if depth > 2*deepestValue {
		return schema
	}
	all, _ := schema["allOf"].([]any)
	out := maps.Clone(schema)
	delete(out, "allOf")
	for _, part := range all {
		out = merged(out, m.whole(part, depth+1))
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		variants, _ := out[key].([]any)
		if len(variants) == 0 {
			continue
		}
		delete(out, key)
		out = m.variant(out, variants, depth)
	}
	return out
}

// variant is a schema with one of its variants: the first that is not a null, or
// one of the next.
func (m *valueMaker) variant(schema tree, variants []any, depth int) tree {
	by, _ := schema["discriminator"].(tree)
	mapping, _ := by["mapping"].(tree)
	keys := map[string]string{}
	for key, ref := range mapping {
		if name := path.Base(fmt.Sprint(ref)); keys[name] == "" || key < keys[name] {
			keys[name] = key
		}
	}
	variants = slices.DeleteFunc(slices.Clone(variants), func(v any) bool {
		s, name := m.open(v)
		return s["type"] == "null" || slices.Equal(enumOf(s), []any{nil}) || len(keys) > 0 && keys[name] == ""
	})
	if len(variants) == 0 {
		return schema
	}
	chosen := variants[m.pick%len(variants)]
	_, name := m.open(chosen)
	variant := m.whole(chosen, depth+1)
	out := merged(schema, variant)
	delete(out, "discriminator")
	if by == nil || name == "" {
		return out
	}
	property := fmt.Sprint(by["propertyName"])
	said, _ := variant["properties"].(tree)
	if all := enumOf(m.whole(said[property], depth+1)); len(all) == 0 || slices.Contains(all, any(keys[name])) {
		out = merged(out, tree{"properties": tree{property: tree{"enum": []any{cmp.Or(keys[name], name)}}}})
	}
	return merged(out, tree{"required": []any{property}})
}

// merged is what two schemas say together.
func merged(a, b tree) tree {
	out := tree{}
	maps.Copy(out, a)
	for k, v := range b {
		switch had := out[k].(type) {
		case tree:
			if more, ok := v.(tree); ok && k == "properties" {
				both := maps.Clone(had)
				for name, p := range more {
					if was, ok := both[name].(tree); ok && p != nil {
						if said, ok := p.(tree); ok {
							p = tree{"allOf": []any{was, said}}
						}
					}
					both[name] = p
				}
				v = both
			}
		case []any:
			more, ok := v.([]any)
			switch {
			case ok && k == "required":
				v = append(slices.Clone(had), more...)
			case ok && k == "enum":
				v = slices.DeleteFunc(slices.Clone(more), func(v any) bool { return !slices.Contains(had, v) })
			}
		}
		out[k] = v
	}
	return out
}

func enumOf(schema tree) []any {
	if c, ok := schema["const"]; ok {
		return []any{c}
	}
	list, _ := schema["enum"].([]any)
	return list
}

// kindOf is the type of a schema, guessed where it has none.
func kindOf(schema tree) string {
	switch t := schema["type"].(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if one != "null" {
				return fmt.Sprint(one)
			}
		}
	}
	switch {
	case schema["properties"] != nil, schema["additionalProperties"] != nil, schema["required"] != nil:
		return "object"
	case schema["items"] != nil:
		return "array"
	}
	return ""
}

func number(schema tree, key string) (float64, bool) {
	switch n := schema[key].(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case uint64:
		return float64(n), true
	}
	return 0, false
}

// value makes a value of a schema.
func (m *valueMaker) value(v any, depth int) any {
	if _, name := m.open(v); name != "" {
		m.below = append(m.below, name)
		defer func() { m.below = m.below[:len(m.below)-1] }()
	}
	schema := m.whole(v, 0)
	m.made++
	if all := slices.DeleteFunc(slices.Clone(enumOf(schema)), func(v any) bool { return v == nil }); len(all) > 0 {
		return all[m.made%len(all)]
	}
	switch kindOf(schema) {
	case "boolean":
		return true
	case "integer":
		return int64(m.number(schema, 3))
	case "number":
		return m.number(schema, 2.5)
	case "array":
		return m.list(schema, depth)
	case "object":
		return m.object(schema, depth)
	case "file":
		return "content of the file"
	}
	return m.text(schema)
}

// number is near a wish, between the bounds.
func (m *valueMaker) number(schema tree, n float64) float64 {
	n += float64(m.made % 4)
	least, low := number(schema, "minimum")
	if schema["exclusiveMinimum"] == true {
		least++
	}
	if at, ok := number(schema, "exclusiveMinimum"); ok {
		least, low = at+1, true
	}
	most, high := number(schema, "maximum")
	if schema["exclusiveMaximum"] == true {
		most--
	}
	if at, ok := number(schema, "exclusiveMaximum"); ok {
		most, high = at-1, true
	}
	if low {
		n = max(n, least)
	}
	if high {
		n = min(n, most)
	}
	if step, ok := number(schema, "multipleOf"); ok && step >= 1 {
		n = math.Ceil(n/step) * step
	}
	return n
}

func (m *valueMaker) list(schema tree, depth int) any {
	least, _ := number(schema, "minItems")
	n := max(1, int(least))
	if most, ok := number(schema, "maxItems"); m.wide && n < 2 && (!ok || most >= 2) {
		n = 2
	}
	out := []any{}
	if depth > deepestValue && least == 0 {
		return out
	}
	for range 4 * min(n, 100) {
		v := m.value(schema["items"], depth+1)
		if len(out) < n && !slices.ContainsFunc(out, func(o any) bool { return jsonText(o) == jsonText(v) }) {
			out = append(out, v)
		}
	}
	return out
}

// object has the required members, and where a value begins all of them if the
// maker is wide, some if it would be empty otherwise.
func (m *valueMaker) object(schema tree, depth int) any {
	out := tree{}
	properties, _ := schema["properties"].(tree)
	add := func(name string) {
		p, _ := m.open(properties[name])
		if _, made := out[name]; !made && (m.answer || p["readOnly"] != true) && !(m.answer && p["writeOnly"] == true) {
			out[name] = m.value(properties[name], depth+1)
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		add(fmt.Sprint(name))
	}
	least, _ := number(schema, "minProperties")
	if depth == 0 || m.form || m.answer {
		least = max(least, 1)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		_, ref := m.open(properties[name])
		all := m.wide && depth == 0 || m.answer && depth < 3
		if all && !slices.Contains(m.below, ref) || len(out) < int(least) {
			add(name)
		}
	}
	if _, free := schema["additionalProperties"].(bool); len(out) < int(least) && schema["additionalProperties"] != false {
		if out["some"] = "member"; !free && schema["additionalProperties"] != nil {
			out["some"] = m.value(schema["additionalProperties"], depth+1)
		}
	}
	return out
}

// formats are texts of formats that are checked.
var formats = map[string]string{
	"date": "2026-01-0%d", "date-time": "2026-01-0%dT08:30:00Z", "uuid": "3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b1%d", "email": "a%d@b.example",
	"uri": "https://b.example/%d", "url": "https://b.example/%d", "ipv4": "192.0.2.%d", "ipv6": "2001:db8::%d", "hostname": "b%d.example",
	"byte": "YWJj", "base64": "YWJj", "uri-reference": "/b/%d", "time": "08:30:0%dZ", "duration": "PT%dM", "binary": "content %d",
}

func (m *valueMaker) text(schema tree) string {
	text := fmt.Sprintf("value-%d", m.made)
	if format, ok := formats[fmt.Sprint(schema["format"])]; ok {
		text = format
		if strings.Contains(format, "%d") {
			text = fmt.Sprintf(format, 1+m.made%9)
		}
	}
	least, _ := number(schema, "minLength")
	if pattern, ok := schema["pattern"].(string); ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			text = m.matching(re.Simplify(), int(least))
		}
	}
	if n := int(least); n > len(text) && n < 5000 {
		text += strings.Repeat("v", n-len(text))
	}
	if most, ok := number(schema, "maxLength"); ok && int(most) < len(text) {
		text = text[len(text)-int(most):]
	}
	return text
}

// matching is a text that a pattern matches, of some length if it can be.
func (m *valueMaker) matching(re *syntax.Regexp, length int) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, want := range []string{"a0A-1", "b1B-2", "c2C_3"}[m.made%3] {
			for i := 0; i < len(re.Rune); i += 2 {
				if re.Rune[i] <= want && want <= re.Rune[i+1] {
					return string(want)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture:
		return m.matching(re.Sub[0], length)
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		one, n := m.matching(re.Sub[0], 0), max(re.Min, 1)
		if one != "" {
			n = max(n, (length+len(one)-1)/len(one))
		}
		if re.Op == syntax.OpRepeat && re.Max >= 0 {
			n = min(n, re.Max)
		}
		return strings.Repeat(one, n)
	case syntax.OpAlternate:
		return m.matching(re.Sub[m.made%len(re.Sub)], length)
	case syntax.OpConcat:
		var out strings.Builder
		for _, sub := range re.Sub {
			out.WriteString(m.matching(sub, length))
		}
		return out.String()
	}
	return ""
}

// body is a value for the best media type of a body: JSON, a form, or what else
// there is, which is a text.
func (m *valueMaker) body(body tree) any {
	content, _ := body["content"].(tree)
	rank := func(media string) int {
		base, _, _ := strings.Cut(media, ";")
		switch {
		case base == "application/json", base == "*/*":
			return 0
		case strings.HasSuffix(base, "+json") && !strings.Contains(base, "json-patch"):
			return 1
		case strings.Contains(base, "json"):
			return 2
		case base == "application/x-www-form-urlencoded":
			return 3
		case base == "multipart/form-data":
			return 4
		}
		return 5
	}
	names := slices.SortedFunc(maps.Keys(content), func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	if len(names) == 0 {
		return tree{"some": "member"}
	}
	media, _ := content[names[0]].(tree)
	m.form = rank(names[0]) == 3 || rank(names[0]) == 4
	if media["schema"] == nil && rank(names[0]) < 5 {
		return tree{"some": "member"}
	}
	return m.value(media["schema"], 0)
}
