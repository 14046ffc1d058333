package types_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestFront holds the types of every expression of the corpus, their schemas,
// and what they say of each other.
func TestFront(t *testing.T) {
	var all []*types.Type
	known := map[string]bool{}
	sections := front.Each(t, 0, func(p *front.Project) (text string) {
		project, findings := frontend.Load(p.FS, p.Dir)
		if findings.HasErrors() {
			return ""
		}
		for _, found := range expressionTypes(project.Program) {
			if found == nil || known[found.String()] {
				continue
			}
			known[found.String()], all = true, append(all, found)
			text += found.String() + "\n" + front.Dump(found.JSONSchema())
		}
		return text
	})
	for i, a := range all {
		text := ""
		for _, b := range all {
			text += fmt.Sprintf("%s: %t, %v, %s\n", b, types.Same(a, b), types.Join(a, b), types.Assignable(a, b))
		}
		sections = append(sections, front.Section{Name: fmt.Sprint("pairs/", i), Text: a.String() + text})
	}
	front.Hold(t, "testdata/front.txt", sections)
}

func expressionTypes(program *ir.Program) (out []*types.Type) {
	for _, tool := range program.Tools {
		for _, s := range tool.Plan.Steps {
			out = append(out, s.Answer, s.Result)
			for _, e := range s.Exprs() {
				out = append(out, e.Term.Type)
			}
		}
		for _, l := range tool.Plan.Lets {
			out = append(out, l.Expr.Term.Type)
		}
	}
	return out
}
