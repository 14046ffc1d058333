package cli

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A shownValue is a parameter, or a place in a body or an answer, as a manifest names it.
type shownValue struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	In       string   `json:"in,omitempty"`
	Required bool     `json:"required,omitempty"`
	Missing  bool     `json:"may_be_missing,omitempty"`
	Values   []string `json:"values,omitempty"`
	Text     string   `json:"text,omitempty"`
	// Variants are what a value that is sent may be, each with what it requires.
	Variants []string `json:"variants,omitempty"`
	// Members of a list are those of an item.
	Members []*shownValue `json:"members,omitempty"`
	// More says that members are left out: see --depth.
	More bool `json:"more,omitempty"`
}

// A shownOperation is what "sculpt operations SPEC ID" prints as JSON.
type shownOperation struct {
	Call        string        `json:"call"`
	Method      string        `json:"method"`
	Path        string        `json:"path"`
	Summary     string        `json:"summary,omitempty"`
	Description string        `json:"description,omitempty"`
	Tags        []string      `json:"tags,omitempty"`
	Deprecated  bool          `json:"deprecated,omitempty"`
	Tokens      int           `json:"tokens"`
	With        []*shownValue `json:"with,omitempty"`
	Media       string        `json:"media,omitempty"`
	Body        *shownValue   `json:"body,omitempty"`
	Answer      *shownValue   `json:"answer,omitempty"`
}

// showOperation prints one operation as a tree.
func (c *command) showOperation(at *place, api string, w spec.Want, format string) error {
	set, findings := spec.Load(newJailFS(at.jail), []spec.Source{{API: api, File: at.name, Wants: []spec.Want{w}}})
	doc := set.APIs[api]
	if doc == nil || len(doc.Operations) == 0 {
		if err := diag.Text(c.stderr, at.relabel(findings), at.source); err != nil {
			return err
		}
		return errFound
	}
	op := doc.Operations[0]
	shown := treeOf(doc, op, c.Int("depth"))
	if format == "json" {
		return c.printJSON(shown)
	}
	c.print("%s", diag.Escape(op.Method+" "+op.Path))
	for _, text := range []string{shown.Summary, shown.Description} {
		if text != "" {
			c.print("  %s", diag.Escape(text))
		}
	}
	if shown.Deprecated {
		c.print("  deprecated")
	}
	c.print("call: %s", diag.Escape(shown.Call))
	c.tree("with:", shown.With)
	if shown.Body != nil {
		c.tree("body: "+shown.Media, []*shownValue{shown.Body})
	}
	if shown.Answer != nil {
		c.tree("answer:", []*shownValue{shown.Answer})
	}
	return nil
}

// tree prints values with their members further in.
func (c *command) tree(title string, values []*shownValue) {
	if len(values) == 0 {
		return
	}
	c.print("%s", diag.Escape(title))
	var walk func(values []*shownValue, indent string)
	walk = func(values []*shownValue, indent string) {
		for _, v := range values {
			c.print("%s%s", indent, diag.Escape(v.line()))
			for _, one := range v.Variants {
				c.print("%s  | %s", indent, diag.Escape(one))
			}
			walk(v.Members, indent+"  ")
		}
	}
	walk(values, "  ")
}

// line is a value as text.
func (v *shownValue) line() string {
	parts := []string{v.Type}
	if v.In != "" {
		parts = append(parts, v.In)
	}
	if v.Required {
		parts = append(parts, "required")
	}
	if len(v.Values) > 0 {
		parts = append(parts, "one of "+types.FewNames(v.Values))
	}
	text := v.Name + "  " + strings.Join(parts, ", ")
	if v.More {
		text += " {...}"
	}
	if v.Text != "" {
		text += ": " + v.Text
	}
	return text
}

// treeOf describes an operation as a manifest names its parts.
func treeOf(doc *spec.API, op *operation.Operation, depth int) *shownOperation {
	s := &starter{start: &start{api: doc.Name}, doc: doc}
	out := &shownOperation{
		Call: s.callOf(op), Method: op.Method, Path: op.Path, Summary: plain(op.Summary, 200), Description: plain(op.Description, 1000),
		Deprecated: op.Deprecated, Tokens: tokensOf(op),
	}
	if i := slices.IndexFunc(doc.All, func(s spec.Summary) bool { return s.Method == op.Method && s.Path == op.Path }); i >= 0 {
		out.Tags = doc.All[i].Tags
	}
	t := &treeMaker{depth: depth, places: map[*shownValue]operation.Place{}}
	for _, k := range (&binder{s: s, op: op}).parameters() {
		v := t.value(k.key, k.t, k.doc)
		v.In, v.Required = inOf(op, k.name), k.required
		t.place(v, k.asserts)
		t.members(v, k.t, 1)
		out.With = append(out.With, v)
	}
	if m := bodyMedia(op); m != nil && m.Schema != nil {
		out.Media, out.Body = m.Type, t.value("body", m.Schema, "")
		out.Body.Required = op.Body.Required
		t.place(out.Body, m.Asserts)
		t.members(out.Body, m.Schema, 0)
	}
	if answer, missing := resolve.Answer(op); !answer.Opaque {
		t.answer = true
		out.Answer = t.value("result", answer, "")
		out.Answer.Missing = missing
		t.members(out.Answer, answer, 0)
	}
	return out
}

func inOf(op *operation.Operation, name string) string {
	for _, p := range op.Params {
		if p.Name == name {
			return string(p.In)
		}
	}
	return ""
}

// A treeMaker goes through types.
type treeMaker struct {
	depth int
	// answer says that the names are those of expressions, and not those under body:.
	answer bool
	// above are the types that hold the one that is looked at.
	above []*types.Type
	// places are those of values that are sent and hold variants.
	places map[*shownValue]operation.Place
}

// place notes the variants of a value that is sent.
func (t *treeMaker) place(v *shownValue, assertions ...*operation.Assertions) {
	if place := slices.DeleteFunc(operation.Place(assertions), func(a *operation.Assertions) bool { return a == nil }); len(place) > 0 {
		t.places[v], v.Variants = place, variantLines(place)
	}
}

// memberPlace is that of a member, as any of the variants of an object has it.
func memberPlace(place operation.Place, name string) operation.Place {
	for _, a := range place.Any() {
		if of := a.Member(name); len(of) > 0 {
			return of
		}
	}
	return nil
}

func (t *treeMaker) value(name string, typ *types.Type, doc string) *shownValue {
	v := &shownValue{Name: name, Type: typ.String(), Text: plain(doc, 160)}
	if len(typ.Enum) > 0 {
		v.Values = typ.Enum
	} else if typ.Elem != nil {
		v.Values = typ.Elem.Enum
	}
	return v
}

// members adds what is in a value: members of an object, or of the items of a list.
func (t *treeMaker) members(v *shownValue, typ *types.Type, depth int) {
	at, place := v.Name, t.places[v]
	for typ.Variant(types.Object) == nil && typ.Variant(types.List, types.Map) != nil {
		if typ.Variant(types.List) != nil {
			place = place.Element()
		} else {
			place = place.Member("")
		}
		v.Variants = append(v.Variants, variantLines(place)...)
		typ = typ.Variant(types.List, types.Map).Elem
		at = "item"
	}
	object := typ.Variant(types.Object)
	if object == nil || len(object.Fields) == 0 {
		return
	}
	if depth >= t.depth || slices.Contains(t.above, object) {
		v.More = true
		return
	}
	t.above = append(t.above, object)
	for _, f := range object.Fields {
		if f.ReadOnly && !t.answer {
			continue
		}
		name := f.Name
		if t.answer {
			name = at + step(f.Name, !f.Required || f.Nullable)
		}
		m := t.value(name, f.Type, f.Doc)
		m.Required, m.Missing = f.Required && !t.answer, t.answer && (!f.Required || f.Nullable)
		t.place(m, memberPlace(place, f.Name)...)
		t.members(m, f.Type, depth+1)
		v.Members = append(v.Members, m)
	}
	t.above = t.above[:len(t.above)-1]
}
