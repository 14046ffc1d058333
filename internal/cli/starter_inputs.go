package cli

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A binder binds what an operation takes: what it requires, and of the rest what a caller
// can say something of. All others are lines to uncomment.
type binder struct {
	s  *starter
	op *operation.Operation
	// names are the inputs so far.
	names        map[string]bool
	inputs, with yamlText
	// body is the value of body: with its key.
	body yamlText
	// env are variables that a parameter is bound to.
	env []credential
	// known are expressions for parameters that another step has the value of.
	known map[string]string
	// boundTo are the values of the parameters, by name.
	boundTo map[string]string
	// eager is how deep optional members are asked for where nothing is required, and form
	// says that the body is one, which cannot send what is empty.
	eager int
	form  bool
}

// What is assumed where the document sets no bound.
const (
	assumedLength = 200
	assumedInt    = 1<<31 - 1
)

// fewOptional is how many optional values of one place a model is asked for.
const fewOptional = 4

// request binds parameters and body.
func (b *binder) request() {
	slots := b.parameters()
	shown := b.chosen(slots)
	for _, k := range slots {
		b.line(&b.with, k.key, &k.slot, shown[k.key])
	}
	b.requestBody()
}

// A keyed slot is a parameter with its key under with:.
type keyed struct {
	slot
	key     string
	asserts *operation.Assertions
}

// parameters lists the parameters, but those that carry a credential of auth: and those that the
// path has in its query already.
func (b *binder) parameters() []keyed {
	var list []keyed
	fixed, _ := url.ParseQuery(b.op.Query) // what cannot be read is a finding of the document
	for _, p := range b.op.Params {
		if b.isCredential(p) || p.In == operation.Query && fixed.Has(p.Name) {
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
		list = append(list, keyed{slot{
			name: p.Name, doc: p.Description, t: p.Type, required: p.Required, role: roleOf(p.Name, p.In, p.Type), from: from,
		}, key, p.Asserts})
	}
	return list
}

// chosen are the optional parameters that become inputs: those that searching needs, and
// where there is nothing else to say to a reading call, what means most.
func (b *binder) chosen(slots []keyed) map[string]bool {
	shown := map[string]bool{}
	asked := b.asksBody()
	pick := func(r role, most int) {
		for _, k := range slots {
			if !k.required && k.role == r && len(shown) < most && k.fixed() == "" && isAskable(k.t) {
				shown[k.key] = true
			}
		}
	}
	for _, k := range slots {
		asked = asked || k.required && k.role != access && k.fixed() == ""
	}
	pick(searching, fewOptional)
	for _, r := range []role{meaning, identity} {
		if !asked && len(shown) == 0 {
			pick(r, fewOptional)
		}
	}
	return shown
}

// isAskable says whether an input can become a value of the type.
func isAskable(t *types.Type) bool {
	if t.Kind == types.List {
		return askedType(t.Elem) != nil
	}
	return askedType(t) != nil
}

// askedType is the scalar that is asked for, nil where there is none.
func askedType(t *types.Type) *types.Type {
	return t.Variant(types.String, types.Int, types.Uint, types.Double, types.Bool, types.Bytes, types.Timestamp, types.Duration)
}

// line writes a slot: bound if it is required or shown, else as a comment.
func (b *binder) line(out *yamlText, key string, s *slot, shown bool) {
	switch {
	case b.known[s.name] != "":
		out.line(0, "%s: %s", scalar(key), b.known[s.name])
	case s.required || shown:
		b.boundTo[s.name] = b.bind(s)
		out.line(0, "%s: %s", scalar(key), b.boundTo[s.name])
	default:
		out.comment(key, sampleOf(s), remark(s))
	}
}

// remark says what a line that is left out would send.
func remark(s *slot) string {
	text := s.t.String()
	if name, ok := roleNames[s.role]; ok {
		text += ", " + name
	}
	if len(s.t.Enum) > 1 {
		text += " of " + types.FewNames(s.t.Enum)
	}
	if doc := plain(s.doc, 120); doc != "" {
		text += ": " + doc
	}
	return plain(text, 240)
}

// isInput says whether an input can take the type over.
func isInput(t *types.Type) bool {
	return t.Kind == types.Int || t.Kind == types.Bool || t.Kind == types.String
}

func (b *binder) isCredential(p *operation.Param) bool {
	for _, c := range b.s.auth {
		if scheme := b.s.doc.Schemes[c.scheme]; scheme != nil && scheme.In == p.In && strings.EqualFold(scheme.Param, p.Name) {
			return true
		}
	}
	return false
}

// bind declares an input for a slot and returns the YAML of the expression that makes the
// value of it. What has one possible value, or is between programs, needs no input.
func (b *binder) bind(s *slot) string {
	if value := s.fixed(); value != "" {
		return value
	}
	if s.role == access && s.t.Kind == types.String {
		return b.secret(s)
	}
	elem, list := s.t, false
	if s.t.Kind == types.List {
		elem, list = s.t.Elem, true
	}
	asked := askedType(elem)
	if asked == nil {
		return emptyOf(s.t)
	}
	name := b.inputName(s)
	b.inputs.line(0, "%s:", name)
	doc := plain(s.doc, 300)
	if doc == "" {
		doc = "The " + strings.ReplaceAll(name, "_", " ") + "."
	}
	b.inputs.line(1, "description: %s", scalar(doc))
	from := s.from
	if list {
		from = ""
	}
	at := "input." + name
	if !s.required {
		at = "x"
	}
	value := b.plainInput(at, asked, from)
	if list {
		value = "[" + value + "]"
	}
	switch {
	case s.required:
		return scalar("${" + value + "}")
	case value == at:
		value = "input.?" + name
	default:
		value = "input.?" + name + ".optMap(x, " + value + ")"
	}
	b.inputs.line(1, "optional: true")
	return scalar("${" + value + "}")
}

// inputName is the name of the input for a slot; one that is taken gets the member before it.
func (b *binder) inputName(s *slot) string {
	name := snake(s.name, 60)
	if b.names[name] && s.within != "" {
		name = snake(s.within+"_"+s.name, 60)
	}
	return unused(b.names, name)
}

// secret binds a credential that the document has as a parameter.
func (b *binder) secret(s *slot) string {
	env := strings.ToUpper(b.s.api + "_" + snake(s.name, 40))
	b.env = append(b.env, credential{env: env, text: "The " + plain(s.name, 60) + " that calls are sent with."})
	return scalar("${env." + env + "}")
}

// plainInput writes type and bounds of a scalar input. It returns the expression for the value
// at a place: inputs have no fractions and no bytes, so these come as text.
func (b *binder) plainInput(at string, t *types.Type, from string) string {
	limits := t.Limits
	if limits == nil {
		limits = &types.Limits{}
	}
	switch {
	case t.Kind == types.Int || t.Kind == types.Uint:
		b.intInput(t, limits, from)
	case t.Kind == types.Bool:
		b.inputs.line(1, "type: boolean")
	case t.Kind == types.Double:
		b.inputs.line(1, "max_length: 24")
		b.inputs.line(1, `pattern: '^-?[0-9]+(\.[0-9]+)?$'`)
		return "double(" + at + ")"
	case len(t.Enum) > 0:
		b.enumInput(t.Enum)
	case t.Kind == types.Bytes || limits.Format == "binary":
		b.inputs.line(1, "max_length: %d # the file in Base64", longestFile)
		return "base64.decode(" + at + ")"
	default:
		b.stringInput(limits, from)
	}
	return at
}

// longestFile is how many characters of Base64 a first manifest takes.
const longestFile = 1 << 20

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

var notUpper = pattern.Of(`[^A-Z0-9]+`)

// enumName makes the A2T name of a wire value.
func enumName(wire string) string {
	name := strings.Trim(notUpper().ReplaceAllString(strings.ToUpper(wire), "_"), "_")
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
