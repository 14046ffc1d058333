package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Schema returns the JSON Schema (draft-07) of manifests, and of the files that
// they include, for editors. It is
// made from [Keys]: same keys, same texts. What a schema cannot say, such as
// that a tool has a call or steps, only [Parse] checks.
func Schema() []byte {
	root := schemaOf(table)
	// A file without "sculpt" is one that a manifest includes: it has less, and
	// nothing is required.
	root["if"] = object{"required": []string{"sculpt"}}
	root["then"] = object{"required": root["required"]}
	root["else"] = object{"propertyNames": object{"enum": partTable.names}}
	delete(root, "required")
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "sculpt manifest"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		panic(err) // strings, numbers, lists and maps only
	}
	return b.Bytes()
}

type object = map[string]any

func schemaOf(l *level) object {
	k := l.key
	if k.Status == Later {
		// Editors know the key, do not offer it and mark its use.
		return object{"description": "Not supported yet: " + lowerFirst(k.Text), "not": object{}, "doNotSuggest": true}
	}
	s := typeSchema(l, k.Type)
	if k.Short != "" {
		s = object{"anyOf": []object{typeSchema(l, k.Short), s}}
	}
	s["description"] = k.Text
	if n := exampleOf(k.Path); n != nil && k.Path != "" && l.isLeaf() {
		s["examples"] = []any{plain(n)}
	}
	return s
}

// plain is an example as JSON.
func plain(n *yaml.Node) any {
	var out any
	if err := n.Decode(&out); err != nil {
		panic(err) // it was read from text
	}
	return texts(out)
}

// texts turns keys such as 404 into text, which JSON wants.
func texts(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := object{}
		for k, e := range v {
			out[fmt.Sprint(k)] = texts(e)
		}
		return out
	case map[string]any:
		for k, e := range v {
			v[k] = texts(e)
		}
	case []any:
		for i, e := range v {
			v[i] = texts(e)
		}
	}
	return v
}

func typeSchema(l *level, typ KeyType) object {
	k := l.key
	switch typ {
	case Object:
		return objectSchema(l)
	case Map:
		s := object{"type": []string{"object", "null"}, "additionalProperties": schemaOf(l.below["*"])}
		if k.Form != nil {
			s["propertyNames"] = formSchema(k.Form)
		}
		return s
	case List:
		return object{"type": []string{"array", "null"}, "items": schemaOf(l.below["*"])}
	case Int:
		s := object{"type": "integer"}
		if k.Least != minInt {
			s["minimum"] = k.Least
		}
		if k.Most > 0 {
			s["maximum"] = k.Most
		}
		return s
	case Bool:
		return object{"type": "boolean"}
	case Duration:
		return object{"type": "string", "pattern": `^\+?([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h))+$`}
	case Literal:
		return object{"type": []string{"string", "number", "boolean"}}
	case Expression:
		return object{"type": []string{"string", "number", "boolean"}}
	case Any:
		return object{}
	}
	return textSchema(k, typ)
}

func textSchema(k *Key, typ KeyType) object {
	s := object{"type": "string"}
	if len(k.Values) > 0 {
		s["enum"] = k.Values
	}
	if k.Longest > 0 {
		s["maxLength"] = k.Longest
	}
	switch {
	case k.Form != nil:
		s["pattern"] = k.Form.Pattern
		if k.Form.Longest > 0 {
			s["maxLength"] = k.Form.Longest
		}
	case typ == Line:
		s["pattern"] = `^[^\n\t]*$`
	case k.Required:
		s["pattern"] = `[^ \t\n\r]`
	}
	return s
}

func formSchema(f *Form) object {
	s := object{"pattern": f.Pattern}
	if f.Longest > 0 {
		s["maxLength"] = f.Longest
	}
	return s
}

func objectSchema(l *level) object {
	properties := object{}
	var required []string
	for name, below := range l.below {
		properties[name] = schemaOf(below)
	}
	for _, name := range l.names {
		if k := l.below[name].key; k.Required && k.Unless == "" {
			required = append(required, name)
		}
	}
	s := object{"type": []string{"object", "null"}, "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["type"], s["required"] = "object", required
	}
	return s
}
