package subschema

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/strictjson"
)

// A document is a schema with what its references mean.
type document struct {
	root any
	// rebased documents have an $id inside: what "#" means depends on the place.
	rebased bool
}

// read reads a schema; nothing at all is any value. A member that is there twice
// is an error: readers disagree about which of them counts.
func read(raw json.RawMessage) (*document, error) {
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" {
		return &document{root: true}, nil
	}
	root, err := strictjson.Read(raw, mostDepth)
	if err != nil {
		return nil, err
	}
	return &document{root: root, rebased: rebased(root, true)}, nil
}

// mostDepth is deeper than any schema that somebody wrote.
const mostDepth = 200

// rebased reports whether a value below the top has an $id.
func rebased(v any, top bool) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return rebased(one, false) })
	case map[string]any:
		for name, one := range v {
			if name == "$id" && !top || rebased(one, false) {
				return true
			}
		}
	}
	return false
}

// annotations change nothing of what is valid.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "example": true, "deprecated": true, "readOnly": true,
	"writeOnly": true, "$comment": true, "$schema": true, "$id": true, "id": true, "$defs": true, "definitions": true, "$anchor": true,
	"contentEncoding": true, "contentMediaType": true,
}

func isAnnotation(key string) bool { return annotations[key] || strings.HasPrefix(key, "x-") }

// assertions are the keywords of a schema that decide something, sorted.
func assertions(s map[string]any) []string {
	var keys []string
	for key := range s {
		if !isAnnotation(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// only reports whether a keyword alone decides.
func only(s map[string]any, key string) bool {
	keys := assertions(s)
	return len(keys) == 1 && keys[0] == key
}

// follow resolves references and combinations of one part; ok is false where that
// is not possible.
func (doc *document) follow(s any) (any, bool) {
	for range 64 {
		m, isObject := s.(map[string]any)
		if !isObject {
			return s, true
		}
		if ref, refers := m["$ref"]; refers {
			text, _ := ref.(string)
			target, found := doc.target(text)
			if !found || !only(m, "$ref") {
				return s, false
			}
			s = target
			continue
		}
		inner := soleBranch(m)
		if inner == nil {
			return s, true
		}
		s = inner
	}
	return s, false
}

// soleBranch is the schema that a combination of one schema stands for.
func soleBranch(m map[string]any) any {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if list, ok := m[key].([]any); ok && len(list) == 1 && only(m, key) {
			return list[0]
		}
	}
	return nil
}

// target is what a local reference names.
func (doc *document) target(ref string) (any, bool) {
	path, local := strings.CutPrefix(ref, "#")
	path, err := url.PathUnescape(path)
	if !local || doc.rebased || err != nil || path != "" && path[0] != '/' {
		return nil, false
	}
	at := doc.root
	if path == "" {
		return at, true
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]; !ok {
			return nil, false
		}
	}
	return at, true
}

func properties(s map[string]any) map[string]any {
	m, _ := s["properties"].(map[string]any)
	return m
}

func textsAt(s map[string]any, key string) []string {
	var texts []string
	list, _ := s[key].([]any)
	for _, v := range list {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// numberOf reads a number exactly, nil for anything else. One with an exponent of
// many digits would take all memory.
func numberOf(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > 100 {
		return nil
	}
	if at := strings.IndexAny(string(n), "eE"); at >= 0 && len(n)-at > 5 {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}

// allTypes are those that a value without a stated type may have; an integer is a
// number.
var allTypes = []string{"array", "boolean", "null", "number", "object", "string"}

// typesOf lists what a schema lets in by its type alone, sorted.
func typesOf(s map[string]any) []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		types := textsAt(s, "type")
		slices.Sort(types)
		if slices.Contains(types, "number") {
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
		return types
	}
	return allTypes
}

// wellFormed reports whether the keywords that decide here are written as JSON Schema
// has them: one that a validator would pass over must not count as anything.
func wellFormed(s map[string]any) bool {
	texts := func(v any) bool {
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(one any) bool { _, isText := one.(string); return !isText })
	}
	for key, v := range s {
		ok := true
		switch key {
		case "type":
			_, single := v.(string)
			ok = single || texts(v)
		case "required":
			ok = texts(v)
		case "properties", "patternProperties":
			_, ok = v.(map[string]any)
		case "enum", "anyOf", "oneOf", "allOf":
			_, ok = v.([]any)
		case "pattern", "format":
			_, ok = v.(string)
		case "uniqueItems":
			_, ok = v.(bool)
		}
		if !ok {
			return false
		}
	}
	return true
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
