package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A choice is an output.
type choice struct {
	name, value, doc string
	optional         bool
	maxItems         int
}

const (
	// fewOutputs is how many outputs a first manifest has, fewFields how many
	// fields of the items of a list.
	fewOutputs = 5
	fewFields  = 5
	deepest    = 3
	fewItems   = 20
)

// answerOf is the type of the JSON answer, nil if there is none. missing says
// that there may be an answer without body, or null, instead.
func answerOf(op *operation.Operation) (answer *types.Type, missing bool) {
	for _, r := range op.Responses {
		if !strings.HasPrefix(r.Status, "2") {
			continue
		}
		missing = missing || len(r.Media) == 0
		if answer != nil {
			continue
		}
		nullable := false
		for _, m := range r.Media {
			if !strings.Contains(m.Type, "json") && m.Type != "*/*" {
				continue
			}
			if answer == nil || m.Type == "application/json" {
				answer, nullable = m.Schema, m.Nullable
			}
		}
		missing = missing || nullable
	}
	return answer, missing
}

// A part is a place in the answer that may hold outputs.
type part struct {
	path     string
	t        *types.Type
	optional bool
	depth    int
}

// chooseOutputs takes the first plain fields of an answer that are not for
// programs only, the outermost first, and its first list.
func chooseOutputs(answer *types.Type, missing bool) []choice {
	if answer == nil {
		return []choice{{name: "done", value: "${true}", doc: "Whether the call succeeded."}}
	}
	c := &chooser{names: map[string]bool{}}
	queue := []part{{path: "result", t: answer, optional: missing}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		switch {
		case isPlain(p.t):
			c.add(p, "result", "The answer.")
		case p.t.Kind == types.List:
			c.list(p, "items", "The items of the answer.")
		case p.t.Kind == types.Object && p.depth < deepest:
			queue = append(queue, c.object(p)...)
		}
	}
	if len(c.chosen) == 0 {
		return []choice{{name: "done", value: "${true}", doc: "Whether the call succeeded."}}
	}
	return c.chosen
}

type chooser struct {
	chosen []choice
	names  map[string]bool
	lists  int
}

// object takes the plain fields and returns the objects inside.
func (c *chooser) object(p part) []part {
	var inner []part
	for _, f := range p.t.Fields {
		if !selectable(f.Name) {
			continue
		}
		field := member(p, f)
		switch doc := fieldDoc(f); {
		case resolve.Programmatic(f.Name, f.Type) != "":
		case isPlain(f.Type):
			c.add(field, f.Name, doc)
		case f.Type.Kind == types.List:
			// A missing list is an error of the backend: an expression cannot
			// tell it from one that is late.
			if !field.optional {
				c.list(field, f.Name, doc)
			}
		case f.Type.Kind == types.Object:
			inner = append(inner, field)
		}
	}
	return inner
}

// member is a field of a part; what may be missing is reached by ".?".
func member(p part, f *types.Field) part {
	missing := !f.Required || f.Nullable || p.optional && p.depth == 0
	dot := "."
	if missing {
		dot = ".?"
	}
	return part{path: p.path + dot + f.Name, t: f.Type, optional: p.optional || missing, depth: p.depth + 1}
}

func (c *chooser) add(p part, name, doc string) {
	if len(c.chosen) < fewOutputs {
		c.chosen = append(c.chosen, choice{
			name: unused(c.names, snake(name, 60)), value: "${" + p.path + "}", doc: doc, optional: p.optional,
		})
	}
}

// list takes the first list, with a few fields of its items.
func (c *chooser) list(p part, name, doc string) {
	if c.lists > 0 || p.t.NullableElem {
		return
	}
	value := p.path
	if p.optional {
		value += ".orValue([])"
	}
	switch elem := p.t.Elem; {
	case isPlain(elem):
	case elem.Kind == types.Object:
		fields := itemFields(elem)
		if len(fields) == 0 {
			return
		}
		value += ".map(item, {" + strings.Join(fields, ", ") + "})"
	default:
		return
	}
	c.lists++
	c.chosen = append(c.chosen, choice{
		name: unused(c.names, snake(name, 60)), value: "${" + value + "}", doc: doc, optional: p.optional, maxItems: fewItems,
	})
}

func itemFields(elem *types.Type) []string {
	var fields []string
	for _, f := range elem.Fields {
		if !isPlain(f.Type) || !selectable(f.Name) || len(fields) == fewFields {
			continue
		}
		if !f.Required || f.Nullable {
			fields = append(fields, `?"`+f.Name+`": item.?`+f.Name)
			continue
		}
		fields = append(fields, `"`+f.Name+`": item.`+f.Name)
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

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reserved are the words that no expression selects a field by.
var reserved = []string{
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
	"package", "namespace", "null", "return", "true", "var", "void", "while",
}

func selectable(name string) bool {
	return identifier.MatchString(name) && !slices.Contains(reserved, name)
}

func fieldDoc(f *types.Field) string {
	if doc := plain(f.Doc, 200); doc != "" {
		return doc
	}
	return "The " + strings.ReplaceAll(snake(f.Name, 60), "_", " ") + "."
}
