package spec

import (
	"slices"
	"strconv"
	"strings"
)

var jsonTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// schema turns n into a schema object that holds only what typing reads.
func (r *repairer) schema(n *node) {
	switch n.kind {
	case objectNode:
	case arrayNode:
		r.warn(ruleListSchema, n, "write allOf, or one schema", "is a list, expected a schema")
		elements := arrayMember("allOf", n.at, n.kids()...)
		n.kind = objectNode
		n.setKids([]node{elements})
	case boolNode:
		// A schema of JSON Schema 2020-12: true allows anything; what false
		// forbids cannot be said in types.
		n.kind, n.text = objectNode, ""
	default:
		r.warn(ruleNotSchema, n, "write a schema", "is "+n.kind.String()+", expected a schema")
		n.kind, n.text = objectNode, ""
	}
	if ref := r.link(n); ref != nil {
		r.referenceSiblings(n, ref)
		if len(n.kids()) == 1 && n.kids()[0].name == "$ref" {
			return
		}
	}
	if items := n.get("items"); items != nil && items.kind == arrayNode && n.get("type") == nil {
		// Some generators write anyOf like this: it need not be a list at all.
		r.into("items", func() {
			r.warn(ruleListSchema, items, "write anyOf, or add a type", "is a list beside no type, expected a schema")
		})
		if n.get("anyOf") == nil {
			choice := *items
			choice.name = "anyOf"
			n.set(choice)
		}
		n.remove(func(name string) bool { return name == "items" })
	}
	r.members(n, func(k *node) bool {
		check, ok := schemaKeywords[k.name]
		return ok && check(r, k)
	})
	if d := n.get("discriminator"); d != nil {
		d.name = discriminator
	}
	r.constant(n)
	r.enum(n)
	content(n)
	r.listItems(n)
	n.mark = true
}

// referenceSiblings writes a reference that says more as an allOf. In OpenAPI
// 3.0 siblings do not count; description, nullable and readOnly are kept all
// the same, because authors mean them.
func (r *repairer) referenceSiblings(n, ref *node) {
	old := r.dialect != openapi31
	var own []node
	for _, k := range n.kids() {
		switch k.name {
		case "$ref", "title", "summary":
		case "description", "nullable", "readOnly":
			own = append(own, k)
		default:
			if _, ok := schemaKeywords[k.name]; ok && !old {
				own = append(own, k)
			}
		}
	}
	if len(own) == 0 {
		n.setKids([]node{*ref})
		return
	}
	link := node{kind: objectNode, own: []node{*ref}, at: ref.at}
	for i := range own {
		if own[i].name == "allOf" && own[i].kind == arrayNode {
			own[i].setKids(append(slices.Clone(own[i].kids()), link))
			n.setKids(own)
			return
		}
	}
	n.setKids(slices.Concat(own, []node{arrayMember("allOf", ref.at, link)}))
}

// A keyword check repairs the value and says whether to keep it.
var schemaKeywords map[string]func(*repairer, *node) bool

func init() {
	text := func(r *repairer, k *node) bool { return r.expect(k, k.kind == stringNode, "a text") }
	flag := func(r *repairer, k *node) bool { return r.expect(k, k.kind == boolNode, "true or false") }
	number := func(r *repairer, k *node) bool { return r.expect(k, finite(k), "a number") }
	schemaKeywords = map[string]func(*repairer, *node) bool{
		"type":             (*repairer).typeNames,
		"format":           text,
		"pattern":          text,
		"title":            func(_ *repairer, k *node) bool { return k.kind == stringNode },
		"discriminator":    func(_ *repairer, k *node) bool { return k.kind == stringNode || k.str("propertyName") != "" },
		"contentMediaType": text, "contentEncoding": text,
		"description": func(_ *repairer, k *node) bool { return k.kind == stringNode },
		"nullable":    flag, "readOnly": flag,
		"minimum": number, "maximum": number, "multipleOf": number,
		"exclusiveMinimum": (*repairer).bound, "exclusiveMaximum": (*repairer).bound,
		"minLength": (*repairer).count, "maxLength": (*repairer).count,
		"minItems": (*repairer).count, "maxItems": (*repairer).count,
		"enum":  func(r *repairer, k *node) bool { return r.expect(k, k.kind == arrayNode, "a list") },
		"const": func(*repairer, *node) bool { return true },
		"required": func(r *repairer, k *node) bool {
			k.setKids(slices.DeleteFunc(slices.Clone(k.kids()), func(e node) bool { return e.kind != stringNode }))
			// "required: true" on a property is left over from a draft of 2010.
			return k.kind == arrayNode
		},
		"properties":           (*repairer).properties,
		"patternProperties":    (*repairer).properties,
		"additionalProperties": (*repairer).additional,
		"items":                (*repairer).items,
		"prefixItems":          (*repairer).branches,
		"allOf":                (*repairer).branches,
		"anyOf":                (*repairer).branches,
		"oneOf":                (*repairer).branches,
	}
}

// discriminator is the keyword under a name that the loader leaves alone: it refuses
// documents for mappings that lead nowhere. Swagger 2.0 has the name of the property alone.
const discriminator = "x-discriminator"

// expect warns of a keyword that has a value of the wrong kind. null means
// that nothing was said.
func (r *repairer) expect(k *node, ok bool, what string) bool {
	if !ok && k.kind != nullNode {
		r.warn(ruleKeyword, k, "write "+what, "is "+describe(k)+", expected "+what)
	}
	return ok
}

func describe(k *node) string {
	if k.kind == stringNode || k.kind == numberNode {
		return clipped(k.text)
	}
	return k.kind.String()
}

// clipped quotes a text of the document, short enough for a message.
func clipped(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "..."
	}
	return strconv.Quote(s)
}

func (r *repairer) typeNames(k *node) bool {
	switch k.kind {
	case stringNode:
		return r.expect(k, slices.Contains(jsonTypes, k.text), "a type of JSON")
	case nullNode:
		// An unquoted null in YAML means the type.
		k.kind, k.text = stringNode, "null"
		return true
	case arrayNode:
	default:
		return r.expect(k, false, "a type of JSON")
	}
	names := make([]node, 0, len(k.kids()))
	for _, name := range k.kids() {
		if name.kind == nullNode {
			name.kind, name.text = stringNode, "null"
		}
		if name.kind == stringNode && slices.Contains(jsonTypes, name.text) {
			names = append(names, name)
		} else {
			r.expect(k, false, "types of JSON")
		}
	}
	k.setKids(names)
	return len(names) > 0
}

func (r *repairer) bound(k *node) bool {
	return r.expect(k, k.kind == boolNode || finite(k), "a number or true")
}

// count accepts whole numbers, also those written 10.0.
func (r *repairer) count(k *node) bool {
	if !r.expect(k, finite(k), "a whole number") {
		return false
	}
	f, err := strconv.ParseFloat(k.text, 64)
	if !r.expect(k, err == nil && f >= 0 && f == float64(int64(f)), "a whole number") {
		return false
	}
	// 2^53 and more is no limit at all.
	k.text = strconv.FormatInt(int64(f), 10)
	return f < 1<<53
}

func (r *repairer) properties(k *node) bool {
	if !r.expect(k, k.kind == objectNode, "an object") {
		return false
	}
	r.members(k, func(p *node) bool {
		if p.kind == boolNode && p.text == "false" {
			return false
		}
		r.schema(p)
		return true
	})
	return true
}

func (r *repairer) additional(k *node) bool {
	switch k.kind {
	case boolNode:
		return true
	case objectNode:
		r.schema(k)
		return true
	}
	return r.expect(k, false, "a schema")
}

func (r *repairer) items(k *node) bool {
	if k.kind == boolNode && k.text == "false" {
		return false
	}
	if k.kind != arrayNode {
		r.schema(k)
		return true
	}
	// The tuples of old drafts: any element may be any of them.
	r.warn(ruleListSchema, k, "write one schema", "is a list, expected a schema")
	elements := arrayMember("anyOf", k.at, slices.Clone(k.kids())...)
	k.kind = objectNode
	k.setKids([]node{elements})
	r.schema(k)
	return true
}

func (r *repairer) branches(k *node) bool {
	if k.kind == objectNode {
		r.expect(k, false, "a list of schemas")
		only := *k
		only.name, only.nameAt = "", 0
		k.kind = arrayNode
		k.setKids([]node{only})
	}
	if !r.expect(k, k.kind == arrayNode, "a list of schemas") {
		return false
	}
	kept := make([]node, 0, len(k.kids()))
	for i := range k.kids() {
		b := k.kids()[i]
		if b.kind == boolNode {
			if b.text == "false" || k.name == "allOf" {
				continue
			}
		}
		r.into(strconv.Itoa(i), func() { r.schema(&b) })
		kept = append(kept, b)
	}
	k.setKids(kept)
	return len(kept) > 0
}

// constant writes const as an enum of one value. The loader would lose a const
// of null, which is a type.
func (r *repairer) constant(n *node) {
	c := n.get("const")
	if c == nil {
		return
	}
	value := *c
	value.name, value.nameAt = "", 0
	n.remove(func(name string) bool { return name == "const" || name == "enum" && value.kind != nullNode })
	switch value.kind {
	case nullNode:
		n.set(stringMember("type", "null", value.at))
	case stringNode, numberNode, boolNode:
		n.set(arrayMember("enum", value.at, value))
	}
}

// enum makes texts of the numbers in an enum of strings, and drops what
// cannot be a choice.
func (r *repairer) enum(n *node) {
	e := n.get("enum")
	if e == nil {
		return
	}
	texts := false
	if t := n.get("type"); t != nil {
		names := typeSet(t)
		texts = slices.Contains(names, "string") && !slices.Contains(names, "number") &&
			!slices.Contains(names, "integer") && !slices.Contains(names, "boolean")
	}
	kept := make([]node, 0, len(e.kids()))
	for _, v := range e.kids() {
		switch {
		case v.kind == arrayNode || v.kind == objectNode:
			continue
		case v.kind == nullNode:
		case texts:
			v.kind = stringNode
		case v.kind == numberNode && !finite(&v):
			continue
		}
		kept = append(kept, v)
	}
	e.setKids(kept)
	if len(kept) == 0 {
		n.remove(func(name string) bool { return name == "enum" })
	}
}

// identities are values of contentEncoding that encode nothing (RFC 2045, 6).
var identities = []string{"", "binary", "7bit", "8bit", "identity"}

// content writes a text that holds the bytes of a file as OpenAPI 3.0 does: of the
// media type of a text or of JSON it stays a text, and so does what is encoded.
func content(n *node) {
	media, encoding := n.str("contentMediaType"), strings.ToLower(n.str("contentEncoding"))
	encoded, t := !slices.Contains(identities, encoding), n.get("type")
	n.remove(func(name string) bool { return name == "contentEncoding" })
	if t != nil && !slices.Contains(typeSet(t), "string") {
		n.remove(func(name string) bool { return name == "contentMediaType" })
		return
	}
	if t == nil && (media != "" || encoded) && !combines(n) {
		n.set(stringMember("type", "string", n.at))
	}
	switch base, _, _ := strings.Cut(media, ";"); {
	case encoded:
		n.set(stringMember("contentEncoding", encoding, n.at))
	case base != "" && !strings.HasPrefix(base, "text/") && !strings.HasSuffix(base, "json"):
		n.set(stringMember("format", "binary", n.at))
	}
}

// combines reports whether a schema says by others what it is.
func combines(n *node) bool {
	return slices.ContainsFunc([]string{"allOf", "anyOf", "oneOf", "enum", "properties", "items"}, func(key string) bool { return n.get(key) != nil })
}

func typeSet(t *node) []string {
	if t.kind == stringNode {
		return []string{t.text}
	}
	var names []string
	for _, k := range t.kids() {
		names = append(names, k.text)
	}
	return names
}

// listItems completes list schemas: tuples become one schema for all elements,
// missing items a schema that allows anything.
func (r *repairer) listItems(n *node) {
	if prefix := n.get("prefixItems"); prefix != nil {
		elements := slices.Clone(prefix.kids())
		if items := n.get("items"); items != nil {
			rest := *items
			rest.name, rest.nameAt = "", 0
			elements = append(elements, rest)
		}
		items := objectMember("items", prefix.at, arrayMember("anyOf", prefix.at, elements...))
		items.mark = true
		n.remove(func(name string) bool { return name == "prefixItems" })
		n.set(items)
	}
	t := n.get("type")
	if t == nil || n.get("items") != nil || !slices.Contains(typeSet(t), "array") {
		return
	}
	if r.dialect != openapi31 && t.kind == stringNode {
		r.warn(ruleMissingItems, n, "add items", "is a list without items")
	}
	items := objectMember("items", n.at)
	items.mark = true
	n.set(items)
}
