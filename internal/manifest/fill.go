package manifest

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// stepOfTool is the id of the step that is written directly on its tool.
const stepOfTool = "result"

// fill copies a checked tree into a manifest.
func (m *Manifest) fill(root *Node) {
	m.root = root
	decode(reflect.ValueOf(m).Elem(), Scalar{}, root)
	tools := root.member("tools")
	for i, t := range m.Tools {
		shortForm(t, &tools.Members[i].Value)
	}
}

// judge reports what only several keys of a tool together can get wrong.
func (m *Manifest) judge(tools []*Tool, list *diag.List) {
	for _, t := range tools {
		checkDescription(t, list)
	}
}

// member returns the value of a key, nil where it was not written.
func (n *Node) member(name string) *Node {
	if i := n.find(name); i >= 0 {
		return &n.Members[i].Value
	}
	return nil
}

// find returns the index of a key, -1 where it was not written.
func (n *Node) find(name string) int {
	return slices.IndexFunc(n.Members, func(p Pair) bool { return p.Key.Value == name })
}

// shortForm makes the step of a tool that has its call written directly on it.
func shortForm(t *Tool, v *Node) {
	if v.member("call") == nil || v.member("steps") != nil {
		return
	}
	t.ShortForm = true
	// The tool's name is the nearest thing to an id that the user wrote.
	id := t.Name
	id.Value, id.places = stepOfTool, make([]diag.Pos, len(stepOfTool)+1)
	for i := range id.places {
		id.places[i] = id.Span.Start
	}
	step := &Step{}
	decode(reflect.ValueOf(step).Elem(), id, v)
	t.Steps = []*Step{step}
}

// checkDescription measures what protocols without a field for when_to_use
// will carry.
func checkDescription(t *Tool, list *diag.List) {
	n := utf8.RuneCountInString(t.Description.Value)
	if t.WhenToUse.IsSet() {
		n += 1 + utf8.RuneCountInString(t.WhenToUse.Value)
	}
	at, what := t.Description.Span, "the description has"
	if t.WhenToUse.IsSet() {
		at, what = t.WhenToUse.Span, "description and when_to_use have"
	}
	f := diag.Finding{Rule: ruleTooLong, Span: at, Tool: t.Name.Value, Fix: "say what the tool does and when to use it, nothing more"}
	switch {
	case utf8.RuneCountInString(t.Description.Value) > mostDescription:
		// Reported with the key itself.
		return
	case n > mostDescription:
		f.Message = fmt.Sprintf("%s %d characters, at most %d are allowed", what, n, mostDescription)
	case n > goodDescription:
		f.Severity = diag.Warning
		f.Message = fmt.Sprintf("%s %d characters; more than %d is a burden in every prompt", what, n, goodDescription)
	default:
		return
	}
	list.Add(f)
}
