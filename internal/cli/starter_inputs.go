package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A binder makes inputs of what an operation requires.
type binder struct {
	s  *starter
	op *operation.Operation
	// names are the inputs so far.
	names              map[string]bool
	inputs, with, body yamlText
	// scalarBody is a body without members.
	scalarBody string
}

// What is assumed where the document sets no bound.
const (
	assumedLength = 200
	assumedInt    = 1<<31 - 1
)

// parameters binds the required parameters. The others are the vendor's
// choice: what a tool does not need, it hides.
func (b *binder) parameters() {
	for _, p := range b.op.Params {
		if !p.Required || b.isCredential(p) {
			continue
		}
		key, places := p.Name, 0
		for _, other := range b.op.Params {
			if other.Name == p.Name {
				places++
			}
		}
		if places > 1 {
			key = string(p.In) + "." + p.Name
		}
		from := ""
		if places == 1 && isInput(p.Type) && !strings.Contains(p.Name, ".") && !strings.Contains(b.s.callOf(b.op), " ") {
			from = b.s.callOf(b.op) + "." + p.Name
		}
		b.with.line(0, "%s: %s", scalar(key), b.bind(p.Name, p.Description, p.Type, from))
	}
}

// isInput says whether an input can take the type over.
func isInput(t *types.Type) bool {
	return t.Kind == types.Int || t.Kind == types.Bool || t.Kind == types.String
}

func (b *binder) isCredential(p *operation.Param) bool {
	for _, c := range b.s.auth {
		if scheme := b.s.doc.Schemes[c.scheme]; scheme.In == p.In && strings.EqualFold(scheme.Param, p.Name) {
			return true
		}
	}
	return false
}

// requestBody binds the required members of a required JSON or form body.
func (b *binder) requestBody() {
	if b.op.Body == nil || !b.op.Body.Required || len(b.op.Body.Media) == 0 {
		return
	}
	media := b.op.Body.Media[0]
	for _, m := range b.op.Body.Media {
		if strings.Contains(m.Type, "json") {
			media = m
			break
		}
	}
	if media.Schema == nil {
		return
	}
	object := media.Schema.Variant(types.Object)
	if object == nil {
		if media.Schema.IsScalar() {
			b.scalarBody = b.bind("body", "The body.", media.Schema, "")
		}
		return
	}
	b.body = b.members(0, object)
	if len(b.body.lines) == 0 {
		b.optionalMembers(object)
	}
}

// deepBody is how deep a body is written out.
const deepBody = 5

// members returns the required members of an object.
func (b *binder) members(depth int, object *types.Type) yamlText {
	var out yamlText
	for _, f := range object.Fields {
		if f.Required && !f.ReadOnly {
			b.member(&out, depth, f)
		}
	}
	return out
}

// member writes one member: what it contains, or an input.
func (b *binder) member(out *yamlText, depth int, f *types.Field) {
	inner, list := f.Type.Variant(types.Object), false
	if elem := f.Type.Variant(types.List); inner == nil && elem != nil && elem.Elem.Kind != types.Union {
		inner, list = elem.Elem.Variant(types.Object), true
	}
	if inner == nil && f.Type.Kind == types.Dyn && f.Type.Why == "free-form object" {
		inner = types.MapOf(types.StringType, f.Type)
	}
	if inner == nil {
		inner = f.Type.Variant(types.Map)
	}
	if inner == nil || depth == deepBody {
		out.line(0, "%s: %s", scalar(f.Name), b.bind(f.Name, f.Doc, f.Type, ""))
		return
	}
	if inner.Kind == types.Map {
		out.line(0, "%s: {}", scalar(f.Name))
		return
	}
	parts := b.members(depth+1, inner)
	switch {
	case len(parts.lines) == 0 && list:
		out.line(0, "%s: [{}]", scalar(f.Name))
	case len(parts.lines) == 0:
		out.line(0, "%s: {}", scalar(f.Name))
	default:
		out.line(0, "%s:", scalar(f.Name))
		if list {
			parts = parts.item()
		}
		out.add(1, parts)
	}
}

// optionalMembers binds the first plain members where none is required: an
// empty body would be a call without a purpose.
func (b *binder) optionalMembers(object *types.Type) {
	for _, f := range object.Fields {
		if len(b.body.lines) < 3 && !f.ReadOnly && f.Type.IsScalar() {
			b.member(&b.body, deepBody, f)
		}
	}
}

// bind declares an input for a value of a type and returns the YAML of the
// expression that makes the value of it. A type with one possible value needs
// no input.
func (b *binder) bind(wire, text string, t *types.Type, from string) string {
	if len(t.Enum) == 1 {
		return scalar(t.Enum[0])
	}
	name := unused(b.names, snake(wire, 60))
	b.inputs.line(0, "%s:", name)
	doc := plain(text, 300)
	if doc == "" {
		doc = "The " + strings.ReplaceAll(name, "_", " ") + "."
	}
	at := "input." + name
	var value string
	if t.Kind == types.List {
		value = "[" + b.plainInput(at, t.Elem, "") + "]"
	} else {
		value = b.plainInput(at, t, from)
	}
	b.inputs.line(1, "description: %s", scalar(doc))
	return scalar("${" + value + "}")
}

// plainInput writes type and bounds of a scalar input. It returns the
// expression for the value: inputs have no fractions, so they come as text.
func (b *binder) plainInput(at string, t *types.Type, from string) string {
	limits := t.Limits
	if limits == nil {
		limits = &types.Limits{}
	}
	switch t.Kind {
	case types.Int, types.Uint:
		b.intInput(t, limits, from)
	case types.Bool:
		b.inputs.line(1, "type: boolean")
	case types.Double:
		b.inputs.line(1, "max_length: 24")
		b.inputs.line(1, `pattern: '^-?[0-9]+(\.[0-9]+)?$'`)
		return "double(" + at + ")"
	default:
		if len(t.Enum) > 0 {
			b.enumInput(t.Enum)
			break
		}
		b.stringInput(limits, from)
	}
	return at
}

func (b *binder) stringInput(limits *types.Limits, from string) {
	longest := int64(assumedLength)
	if limits.MaxLength != nil {
		longest = min(*limits.MaxLength, 1000)
	}
	if limits.MinLength != nil {
		longest = max(longest, *limits.MinLength)
	}
	// A pattern that Go does not know cannot be inherited.
	if _, err := regexp.Compile(limits.Pattern); from != "" && err == nil {
		b.inputs.line(1, "from: %s", scalar(from))
	}
	b.inputs.line(1, "max_length: %d", max(longest, 1))
}

func (b *binder) intInput(t *types.Type, limits *types.Limits, from string) {
	if from != "" && t.Kind == types.Int {
		b.inputs.line(1, "from: %s", scalar(from))
	} else {
		b.inputs.line(1, "type: int")
	}
	least, most := int64(0), int64(assumedInt)
	if limits.Minimum != nil {
		least = int64(*limits.Minimum)
		if limits.ExclusiveMin {
			least++
		}
	}
	if limits.Maximum != nil {
		most = int64(*limits.Maximum)
		if limits.ExclusiveMax {
			most--
		}
	}
	guess := ""
	if limits.Minimum == nil || limits.Maximum == nil {
		guess = " # the document does not say: correct the bounds"
	}
	b.inputs.line(1, "min: %d", least)
	b.inputs.line(1, "max: %d%s", max(most, least), guess)
}

// enumInput writes the values out, so that each can be given a text.
func (b *binder) enumInput(wires []string) {
	b.inputs.line(1, "values:")
	used := map[string]bool{}
	for _, wire := range wires {
		name := unused(used, enumName(wire))
		text := plain(wire, 80)
		if text == "" {
			text = "empty"
		}
		b.inputs.line(2, "%s: {text: %s, send: %s}", name, singleQuoted("The value "+text+"."), singleQuoted(wire))
	}
}

var notUpper = regexp.MustCompile(`[^A-Z0-9]+`)

// enumName makes the A2T name of a wire value.
func enumName(wire string) string {
	name := strings.Trim(notUpper.ReplaceAllString(strings.ToUpper(wire), "_"), "_")
	if name == "" {
		return "NONE"
	}
	if name[0] >= '0' && name[0] <= '9' {
		return "N" + name
	}
	return name
}

func singleQuoted(text string) string {
	return fmt.Sprintf("'%s'", strings.ReplaceAll(text, "'", "''"))
}
