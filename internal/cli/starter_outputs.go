package cli

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// freeForm is why nothing is known of a value that is an object all the same.
const freeForm = "free-form object"

// A choice is an output.
type choice struct {
	name, value, doc string
	optional         bool
	maxItems         int
	// worth orders what could be an output, at is its place in the answer.
	worth, at int
	// within is the member that holds what is read.
	within string
}

const (
	// fewOutputs is how many outputs a first manifest has at most, fewFields how many
	// fields the items of a list.
	fewOutputs = 8
	fewFields  = 6
	// deepest is how many objects lie around an output.
	deepest  = 4
	fewItems = 20
)

// A part is a place in the answer that may hold outputs.
type part struct {
	path     string
	t        *types.Type
	optional bool
	depth    int
	// name and doc are those of the member, "" for the whole answer; within is the
	// name of the member that holds it.
	name, doc, within string
}

// chooseOutputs takes the best list of an answer and the best of its plain fields. Only an answer
// of which nothing can be read says that the call ended well, and nothing else.
func chooseOutputs(op *operation.Operation, root string) []choice {
	answer, missing := resolve.Answer(op)
	if answer.Opaque {
		return []choice{{name: "done", value: "${true}", doc: "Whether the call succeeded."}}
	}
	c := &chooser{root: root, seen: map[*types.Type]bool{}}
	queue := []part{{path: root, t: answer, optional: missing}}
	for len(queue) > 0 {
		p := queue[0]
		queue = append(queue[1:], c.look(p)...)
	}
	return c.best()
}

// A chooser collects what could be an output.
type chooser struct {
	// root is the step that is read.
	root                   string
	scalars, lists, others []choice
	seen                   map[*types.Type]bool
	count                  int
}

// best are the outputs, in the order of the document, with the list at the end.
func (c *chooser) best() []choice {
	byWorth := func(a, b choice) int { return cmp.Compare(b.worth, a.worth) }
	slices.SortStableFunc(c.scalars, byWorth)
	slices.SortStableFunc(c.lists, byWorth)
	chosen := c.scalars[:min(len(c.scalars), fewOutputs)]
	if len(c.lists) > 0 {
		chosen = append(slices.Clone(c.scalars[:min(len(c.scalars), fewOutputs-1)]), c.lists[0])
	}
	useful := slices.DeleteFunc(slices.Clone(chosen), func(o choice) bool { return o.worth <= 0 })
	switch {
	case len(useful) > 0:
		chosen = useful
	case len(chosen) > 0:
		chosen = chosen[:1]
	case len(c.others) > 0:
		chosen = c.others[:1]
	default:
		return []choice{{name: "http_status", value: "${http." + c.root + ".status}", doc: "The status of the answer: the document names nothing in it."}}
	}
	slices.SortStableFunc(chosen, func(a, b choice) int { return cmp.Compare(a.at, b.at) })
	names := map[string]bool{}
	for i := range chosen {
		name := snake(chosen[i].name, 60)
		if names[name] && chosen[i].within != "" {
			name = snake(chosen[i].within+"_"+chosen[i].name, 60)
		}
		chosen[i].name = unused(names, name)
	}
	return chosen
}

// add notes an output. A deep one is worth less than one that the answer shows at once.
func (c *chooser) add(into *[]choice, p part, o choice) {
	if o.name = p.name; o.name == "" {
		o.name = "result"
	}
	if o.doc = p.doc; o.doc == "" {
		o.doc = "The " + strings.ReplaceAll(snake(o.name, 60), "_", " ") + "."
	}
	o.within = p.within
	c.count++
	o.at, o.worth, o.value = c.count, o.worth-p.depth, "${"+o.value+"}"
	*into = append(*into, o)
}

// look takes what a part is, and returns the parts inside of it.
func (c *chooser) look(p part) []part {
	t := p.t
	if t.Kind == types.Union {
		if t = t.Variant(types.Object); t == nil || p.depth > 0 && askedType(p.t) != nil {
			c.union(p)
			return nil
		}
	}
	switch t.Kind {
	case types.String, types.Int, types.Uint, types.Bool, types.Double:
		worth := 1
		if p.name != "" {
			worth = worthOf(p.name, t)
		}
		c.add(&c.scalars, p, choice{value: p.path, optional: p.optional, worth: worth})
	case types.List:
		c.list(p)
	case types.Map:
		c.mapping(p)
	case types.Object:
		return c.object(p, t)
	case types.Dyn:
		c.unknown(p)
	}
	return nil
}

// object returns the members of an object, or what it has beside them.
func (c *chooser) object(p part, t *types.Type) []part {
	if p.depth >= deepest || c.seen[t] {
		return nil
	}
	c.seen[t] = true
	var inner []part
	for _, f := range t.Fields {
		if selectable(f.Name) {
			inner = append(inner, member(p, f))
		}
	}
	if len(inner) == 0 && t.Extra != nil {
		extra := part{path: "extra(" + p.path + ")", t: types.MapOf(types.StringType, t.Extra), depth: p.depth, name: p.name, doc: p.doc}
		if !p.optional {
			c.mapping(extra)
		}
	}
	return inner
}

// member is a field of a part; what may be missing is reached by ".?".
func member(p part, f *types.Field) part {
	missing := !f.Required || f.Nullable || p.optional && p.depth == 0
	return part{
		path: p.path + step(f.Name, missing), t: f.Type, optional: p.optional || missing, depth: p.depth + 1, name: f.Name, doc: fieldDoc(f), within: p.name,
	}
}

// step is how an expression goes to a member.
func step(name string, missing bool) string {
	dot := "."
	if missing {
		dot = ".?"
	}
	if !identifier().MatchString(name) || slices.Contains(reserved, name) {
		name = "`" + name + "`"
	}
	return dot + name
}

// union takes the text of a value that may be of several kinds, where nothing better is there.
func (c *chooser) union(p part) {
	if p.t.Variant(types.List) != nil && p.depth == 0 {
		c.add(&c.others, p, choice{value: "size(" + orEmpty(p) + ")", worth: -9})
	}
}

// orEmpty is a list or map that is empty where it is missing.
func orEmpty(p part) string {
	switch {
	case !p.optional:
		return p.path
	case p.t.Kind == types.Map:
		return p.path + ".orValue({})"
	}
	return p.path + ".orValue([])"
}

// list takes a list with a few fields of its items.
func (c *chooser) list(p part) {
	value, elem := orEmpty(p), p.t.Elem
	for elem.Kind == types.List { // rows of rows
		value, elem = value+".flatten()", elem.Elem
	}
	if p.t.NullableElem {
		value += ".filter(item, item != null)"
	}
	worth := listWorth(p)
	if elem.Kind == types.Union && elem.Variant(types.Object) != nil {
		elem = elem.Variant(types.Object)
	}
	switch elem.Kind {
	case types.String, types.Int, types.Uint, types.Bool, types.Double:
		if resolve.Programmatic(p.name, elem) != "" {
			worth = -5
		}
	case types.Object:
		fields := fieldsAt(elem, "item", fewFields, p.t.NullableElem)
		if len(fields) == 0 {
			c.add(&c.others, p, choice{value: "size(" + orEmpty(p) + ")"})
			return
		}
		worth += 10
		value += ".map(item, {" + strings.Join(fields, ", ") + "})"
	default:
		c.add(&c.others, p, choice{value: "size(" + orEmpty(p) + ")"})
		return
	}
	c.add(&c.lists, p, choice{value: value, maxItems: fewItems, worth: worth})
}

// listWorth says how likely a list is what the operation is for.
func listWorth(p part) int {
	switch {
	case p.depth == 0:
		return 30
	case envelope().MatchString(p.name):
		return 20
	case worthOf(p.name, p.t) < 0:
		return 1
	}
	return 10
}

var envelope = pattern.Of(`(?i)^(data|items?|results?|entries|records|rows|list|values|features|hits|elements|objects|nodes|content|@graph)$`)

// mapping takes a map as a list of its names and values.
func (c *chooser) mapping(p part) {
	at := orEmpty(p)
	elem := p.t.Elem
	if elem.Kind == types.Union && elem.Variant(types.Object) != nil {
		elem = elem.Variant(types.Object)
	}
	var fields []string
	switch elem.Kind {
	case types.String, types.Int, types.Uint, types.Bool, types.Double:
		if !p.t.NullableElem {
			fields = []string{`"value": ` + at + `[name]`}
		}
	case types.Object:
		if !p.t.NullableElem {
			fields = fieldsAt(elem, at+"[name]", fewFields-1, false)
		}
	}
	fields = append([]string{`"name": name`}, slices.DeleteFunc(fields, func(f string) bool {
		return strings.HasPrefix(strings.TrimPrefix(f, "?"), `"name"`)
	})...)
	worth := 5
	if p.name != "" {
		worth = min(worth, worthOf(p.name, p.t))
	}
	c.add(&c.lists, p, choice{value: at + ".map(name, {" + strings.Join(fields, ", ") + "})", maxItems: fewItems, worth: worth})
}

// unknown takes what can be told of a value that the document says nothing of: the names of its
// members, where it is known to be an object.
func (c *chooser) unknown(p part) {
	if p.t.Opaque || p.optional || p.t.Why != freeForm {
		return
	}
	c.add(&c.others, p, choice{value: p.path + ".map(name, string(name))", maxItems: fewItems})
}

// An itemField is a plain member of an item, perhaps inside of another member.
type itemField struct {
	key, text string
	worth, at int
}

// fieldsAt are the members of a record that is made of an object: its best plain fields, in the order
// of the document.
func fieldsAt(elem *types.Type, at string, most int, nullable bool) []string {
	fields := plainFields(nil, elem, fieldsOf{at: at, nullable: nullable})
	slices.SortStableFunc(fields, func(a, b itemField) int { return cmp.Compare(b.worth, a.worth) })
	fields = fields[:min(len(fields), most)]
	if i := slices.IndexFunc(fields, func(f itemField) bool { return f.worth <= 0 }); i >= 0 {
		fields = fields[:max(i, 1)]
	}
	slices.SortStableFunc(fields, func(a, b itemField) int { return cmp.Compare(a.at, b.at) })
	var out []string
	keys := map[string]bool{}
	for _, f := range fields {
		if !keys[f.key] {
			keys[f.key] = true
			out = append(out, f.text)
		}
	}
	return out
}

// fieldsOf is an object whose fields are looked at.
type fieldsOf struct {
	// at is the object as an expression, before what the names of its fields begin with.
	at, before string
	// optional says that the object may be missing, nullable that it may be null.
	optional, nullable bool
	depth              int
}

// plainFields lists the plain fields of an object and of the objects in it.
func plainFields(fields []itemField, t *types.Type, of fieldsOf) []itemField {
	const deepestField = 2
	for _, f := range t.Fields {
		if !selectable(f.Name) {
			continue
		}
		missing := !f.Required || f.Nullable || of.nullable
		path, inner := of.at+step(f.Name, missing), f.Type
		if !isPlain(inner) {
			if inner.Kind == types.Object && of.depth < deepestField {
				fields = plainFields(fields, inner, fieldsOf{at: path, before: of.before + f.Name + "_", optional: of.optional || missing, depth: of.depth + 1})
			}
			continue
		}
		key := snake(of.before+f.Name, 60)
		text := `"` + key + `": ` + path
		if of.optional || missing {
			text = "?" + text
		}
		fields = append(fields, itemField{key, text, worthOf(f.Name, inner) - 3*of.depth, len(fields)})
	}
	return fields
}

func isPlain(t *types.Type) bool {
	switch t.Kind {
	case types.String, types.Int, types.Bool, types.Double:
		return true
	}
	return false
}

// worths say by the name of a field how much it tells a person; the first that fits counts.
var worths = []struct {
	worth int
	words func() *regexp.Regexp
}{
	{-5, pattern.Of(`^(url|uri|href|self|link|object|etag|node_id|livemode|kind|api_version|resource_version|next|previous|prev|cursor|ok|success|schema|context|locale|gravatar_id|.*_(url|uri|href|link|etag|sha|hash|token|cursor|avatar|icon|image)|.*cursor.*|sha|hash|token|icon|image|avatar|thumbnail|permalink|xmlns|version|nonce|signature|secret|password|metadata|b64.*|.*base64.*|took|elapsed|generation_?time.*|.*_ms|sid|.*_(sid|secret)|.*_version)$`)},
	{12, pattern.Of(`^(name|title|display_?name|full_?name|headline|subject|label|summary|text|message|short_name|place_name|forecast|.*short_forecast)$`)},
	{10, pattern.Of(`^(description|status|state|type|category|amount|total|price|balance|currency|value|temperature.*|result|answer|reason|address|formatted_address|city|country|email|content|body|phase|probability.*|quantity|severity|event|instruction)$`)},
	{8, pattern.Of(`(amount|price|total|cost|balance|currency|status|state|name|title|temperature|latitude|longitude|^lat$|^lon$|^lng$|count|quantity|description|message|address|phone|rate|score|speed|level|size|duration|distance)`)},
	{7, pattern.Of(`(^|_)(date|time|at|on|start|end|created|updated|due|expires|expiration|from|until|since|begin|timestamp|day|year)($|_)`)},
}

// worthOf says how much a field tells a person.
func worthOf(name string, t *types.Type) int {
	words := snake(name, 80)
	if resolve.Programmatic(name, t) != "" || len(t.Enum) == 1 {
		return -5
	}
	for _, w := range worths {
		if w.words().MatchString(words) {
			return w.worth
		}
	}
	if t.Kind == types.Bool {
		return 3
	}
	return 5
}

var (
	identifier = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*$`)
	quotable   = pattern.Of(`^[A-Za-z0-9_.@/: -]+$`)
)

// reserved are the words that no expression selects a field by without quotes.
var reserved = []string{
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
	"package", "namespace", "null", "return", "true", "var", "void", "while",
}

func selectable(name string) bool { return quotable().MatchString(name) }

func fieldDoc(f *types.Field) string {
	if doc := plain(f.Doc, 200); doc != "" {
		return doc
	}
	return "The " + strings.ReplaceAll(snake(f.Name, 60), "_", " ") + "."
}
