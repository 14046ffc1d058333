package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// TestFront holds the checked expressions of the whole corpus, and what is
// found in it.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 4, func(p *front.Project) string {
		project, findings := frontend.Load(p.FS, p.Dir)
		text := front.Findings(p.FS, findings)
		if findings.HasErrors() {
			return text
		}
		for _, tool := range project.Program.Tools {
			text += terms(tool.Plan)
		}
		return text
	}))
}

func terms(plan *ir.Plan) (text string) {
	for _, s := range plan.Steps {
		for _, e := range s.Exprs() {
			text += e.Text + "\n" + front.Dump(e.Term)
		}
	}
	for _, l := range plan.Lets {
		text += l.Expr.Text + "\n" + front.Dump(l.Expr.Term)
	}
	for _, o := range plan.Outputs {
		text += o.Expr.Text + "\n" + front.Dump(o.Expr.Term)
	}
	return text
}

// TestFrontRandom holds what becomes of expressions at random: what is read
// is printed, checked and folded.
func TestFrontRandom(t *testing.T) {
	source := golden.NewExprSource(2, atoms)
	var sections []front.Section
	for i := range 200 {
		var all strings.Builder
		for range 50 {
			all.WriteString(judged(source.Next()))
		}
		sections = append(sections, front.Section{Name: fmt.Sprint(i), Text: all.String()})
	}
	front.Hold(t, "testdata/random.txt", sections)
}

// judged is all that the package says of a text.
func judged(text string) string {
	n, problems := expr.Parse(text)
	if problems != nil {
		return text + "\n" + front.Dump(problems)
	}
	term, problems := expr.Check(n, scope(), nil)
	return text + "\n" + expr.Print(n) + "\n" + front.Dump(expr.FreeNames(n)) + front.Dump(term) + front.Dump(problems)
}
