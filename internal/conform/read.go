package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// object, array and text read a value as one of their kind; the zero value
// means that it is not.
func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func array(v any) []any { l, _ := v.([]any); return l }

func text(v any) string { s, _ := v.(string); return s }

// kindOf is the JSON kind of a value.
func kindOf(v any) string {
	switch n := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case json.Number:
		if _, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return "integer"
		}
	}
	return "number"
}

// whole reads an integer.
func whole(v any) (int64, bool) {
	n, isNumber := v.(json.Number)
	if !isNumber {
		return 0, false
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}

// quoted shows a value in short.
func quoted(v any) string {
	const most = 60
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(raw) > most {
		return string([]rune(string(raw))[:most/2]) + "…"
	}
	return string(raw)
}

// without copies an object less some members.
func without(m map[string]any, names ...string) map[string]any {
	rest := maps.Clone(m)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// differsIn names the first member, by name, in which two objects differ.
func differsIn(a, b map[string]any) string {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !reflect.DeepEqual(a[name], b[name]) {
			return name
		}
	}
	return ""
}

// A member is what an object should have.
type member struct {
	name, kind string
	optional   bool
}

// lacks fails for members that are absent or of another kind.
func (l *look) lacks(at string, m map[string]any, members []member) {
	for _, want := range members {
		v, there := m[want.name]
		if !there {
			if !want.optional {
				l.fail("%s has no %s", at, want.name)
			}
			continue
		}
		if got := kindOf(v); want.kind != "" && got != want.kind && (want.kind != "number" || got != "integer") {
			l.fail("%s: %s is not of kind %s", at, want.name, want.kind)
		}
	}
}

// repeats fails for texts that occur twice.
func (l *look) repeats(at, what string, texts []string) {
	seen := map[string]bool{}
	for _, t := range texts {
		if seen[t] {
			l.fail("%s: %s %q is there twice", at, what, t)
		}
		seen[t] = true
	}
}

// misfits says where a value does not fit a JSON Schema, in the words that
// tools use of it; "" means that nothing was found.
func misfits(at string, schema map[string]any, v any) string {
	if wanted := schema["type"]; wanted != nil && !isOneOf(wanted, v) {
		return at + " is " + kindOf(v) + ", the schema has " + quoted(wanted)
	}
	if allowed := array(schema["enum"]); allowed != nil && !slices.ContainsFunc(allowed, func(a any) bool { return reflect.DeepEqual(a, v) }) {
		return at + " is not in the enum of the schema"
	}
	properties := object(schema["properties"])
	if m := object(v); m != nil {
		for _, name := range array(schema["required"]) {
			if _, there := m[text(name)]; !there {
				return at + " has no " + text(name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if properties[name] == nil && schema["additionalProperties"] == false {
				return at + " has the member " + name + ", which the schema does not allow"
			}
			if wrong := misfits(at+"."+name, object(properties[name]), m[name]); wrong != "" {
				return wrong
			}
		}
	}
	for i, e := range array(v) {
		if wrong := misfits(at+"["+strconv.Itoa(i)+"]", object(schema["items"]), e); wrong != "" {
			return wrong
		}
	}
	return ""
}

// isOneOf reports whether a value is of a type of JSON Schema, or one of a list.
func isOneOf(types, v any) bool {
	is := func(t string) bool {
		kind := kindOf(v)
		return kind == t || t == "number" && kind == "integer"
	}
	if one := text(types); one != "" {
		return is(one)
	}
	return slices.ContainsFunc(array(types), func(t any) bool { return is(text(t)) })
}

// unlike makes a value that a JSON type does not take.
func unlike(kind string) any {
	if kind == "string" || kind == "enum" {
		return map[string]any{"not": "a text"}
	}
	return "not " + strings.TrimSpace("of kind "+kind)
}

// at names an element of an array.
func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
