package cli

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A chain finds the id that an operation wants in the answer of another: the caller gives the
// name that the list has beside the id.
type chain struct {
	list *operation.Operation
	// param is the parameter of the operation that is found, as GET /pets/{petId} has it.
	param string
	// items is the list as an expression, id and label the expressions for both of one item.
	items, id, label string
	// name is the member that holds the label, thing what one item is called.
	name, thing string
}

// listStep is the step that lists.
const listStep = "listed"

// listOf is the path that an operation for one thing continues: /pets of /pets/{petId}.
func listOf(method, path string) (list, param string, ok bool) {
	at := strings.LastIndex(path, "/{")
	if method != "GET" || at <= 0 || !strings.HasSuffix(path, "}") || strings.Count(path[at:], "{") != 1 {
		return "", "", false
	}
	return path[:at], path[at+2 : len(path)-1], true
}

// listsFor are the operations that list what wanted ones get.
func listsFor(all []spec.Summary, wants []spec.Want) []spec.Want {
	var out []spec.Want
	for _, s := range all {
		list, _, ok := listOf(s.Method, s.Path)
		if !ok || !slices.ContainsFunc(wants, func(w spec.Want) bool { return w.ID != "" && w.ID == s.ID || w.Method == s.Method && w.Path == s.Path }) {
			continue
		}
		if slices.ContainsFunc(all, func(o spec.Summary) bool { return o.Method == "GET" && o.Path == list }) {
			out = append(out, spec.Want{Method: "GET", Path: list})
		}
	}
	return out
}

// chainOf is the chain for an operation, nil unless another one without doubt lists what it gets:
// the same path before the id, the same schema, the id under the same name, and a name beside it.
func chainOf(op *operation.Operation, lists []*operation.Operation) *chain {
	path, param, ok := listOf(op.Method, op.Path)
	at := slices.IndexFunc(lists, func(l *operation.Operation) bool { return l.Method == "GET" && l.Path == path })
	if !ok || at < 0 || lists[at].Body != nil || !sameNeeds(op, lists[at], param) {
		return nil
	}
	p := op.Params[slices.IndexFunc(op.Params, func(p *operation.Param) bool { return p.Name == param && p.In == operation.Path })]
	one, _ := resolve.Answer(op)
	answer, missing := resolve.Answer(lists[at])
	items, elem := itemsOf(part{path: listStep, t: answer, optional: missing})
	if roleOf(p.Name, p.In, p.Type) != identity || one.Kind != types.Object || elem == nil || elem.Name == "" || elem.Name != one.Name {
		return nil
	}
	id, label := idOf(elem, param), labelOf(elem)
	if id == nil || label == nil || id.Type.Kind != p.Type.Kind {
		return nil
	}
	c := &chain{list: lists[at], param: param, items: items, name: label.Name, thing: strings.ReplaceAll(snake(elem.Name, 40), "_", " ")}
	c.id, c.label = step(id.Name, false), step(label.Name, false)
	if !label.Required || label.Nullable {
		c.label = step(label.Name, true) + `.orValue("")`
	}
	return c
}

// sameNeeds says whether a list asks for nothing that the operation for one thing does not ask for.
func sameNeeds(op, list *operation.Operation, param string) bool {
	found := false
	for _, p := range op.Params {
		found = found || p.Name == param && p.In == operation.Path
	}
	for _, p := range list.Params {
		if p.Required && !slices.ContainsFunc(op.Params, func(o *operation.Param) bool { return o.Name == p.Name && o.In == p.In && o.Required }) {
			return false
		}
	}
	return found
}

// itemsOf finds the only list of objects in an answer, the answer itself or a member of it.
func itemsOf(p part) (items string, elem *types.Type) {
	if p.t.Kind == types.List && p.t.Elem.Kind == types.Object && !p.t.NullableElem {
		return orEmpty(p), p.t.Elem
	}
	if p.t.Kind != types.Object {
		return "", nil
	}
	for _, f := range p.t.Fields {
		if f.Type.Kind != types.List || !identifier().MatchString(f.Name) {
			continue
		}
		if elem != nil {
			return "", nil
		}
		if items, elem = itemsOf(member(p, f)); elem == nil {
			return "", nil
		}
	}
	return items, elem
}

// idOf is the member with the id: under the name of the parameter, or "id" where that says whose.
func idOf(elem *types.Type, param string) *types.Field {
	if f := elem.Field(param); f != nil {
		return f
	}
	words := snake(param, 80)
	if words == "id" || words == snake(elem.Name, 80)+"_id" {
		return elem.Field("id")
	}
	return nil
}

// labelOf is the member that people call a thing by, nil if there is none.
func labelOf(elem *types.Type) *types.Field {
	for _, name := range []string{"name", "title", "display_name", "displayName", "label", "subject", "email"} {
		if f := elem.Field(name); f != nil && f.Type.Kind == types.String && len(f.Type.Enum) == 0 {
			return f
		}
	}
	return nil
}

// bind makes the input for the label, and notes where the id comes from.
func (c *chain) bind(b *binder) {
	c.name = unused(b.names, snake(c.name, 60))
	b.inputs.line(0, "%s:", c.name)
	b.inputs.line(1, "description: %s", scalar("The "+strings.ReplaceAll(c.name, "_", " ")+" of the "+plain(c.thing, 40)+", exactly as listed."))
	b.inputs.line(1, "max_length: %d", assumedLength)
	b.known = map[string]string{c.param: scalar("${" + c.items + ".filter(item, " + c.matches() + ")[0]" + c.id + "}")}
}

func (c *chain) matches() string { return "item" + c.label + " == input." + c.name }

// steps writes both calls. The parameters of the list that the operation has too get what that gets.
func (c *chain) steps(s *starter, b *binder) {
	t := &s.text
	t.line(2, "steps:")
	t.line(3, "%s: # the caller knows no %s: it is found by the name, in one page of this list; more pages want collect:", listStep, plain(c.param, 60))
	t.line(4, "call: %s", scalar(s.callOf(c.list)))
	l := &binder{s: s, op: c.list, names: map[string]bool{}}
	var with yamlText
	for _, k := range l.parameters() {
		if bound := b.boundTo[k.name]; k.required && bound != "" {
			with.line(0, "%s: %s", scalar(k.key), bound)
		} else if !k.required {
			l.line(&with, k.key, &k.slot, false)
		}
	}
	if len(with.lines) > 0 {
		t.line(4, "with:")
		t.add(5, with)
	}
	t.line(4, "expect:")
	t.line(5, "- check: %s", scalar(c.items+".exists_one(item, "+c.matches()+")"))
	t.line(6, "code: not_one")
	t.line(6, "message: %s", scalar(`There is not exactly one `+plain(c.thing, 40)+` with the `+strings.ReplaceAll(c.name, "_", " ")+` "${input.`+c.name+`}".`))
	t.line(3, "result:")
}
