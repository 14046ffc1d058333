package expr_test

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestFront holds the checked expressions of the whole corpus, and what is
// found in it.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 4, func(p *front.Project) string {
		project, findings := frontend.Load(p.FS, p.Dir)
		var out strings.Builder
		out.WriteString(front.Findings(p.FS, findings))
		if findings.HasErrors() {
			return out.String()
		}
		for _, tool := range project.Program.Tools {
			terms(&out, tool.Plan)
		}
		return out.String()
	}))
}

func terms(out *strings.Builder, plan *ir.Plan) {
	add := func(e *ir.Expr) {
		text := front.Dump(e.Term)
		if len(text) > 1<<20 { // it has its types at every place
			text = fmt.Sprintf("%x\n", sha256.Sum256([]byte(text)))
		}
		out.WriteString(e.Text + "\n" + text)
	}
	for _, s := range plan.Steps {
		for _, e := range s.Exprs() {
			add(e)
		}
	}
	for _, l := range plan.Lets {
		add(l.Expr)
	}
	for _, o := range plan.Outputs {
		add(o.Expr)
	}
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
func judged(text string) string { return judgedIn(text, scope()) }

func judgedIn(text string, s *expr.Scope) string {
	n, problems := expr.Parse(text)
	if problems != nil {
		return text + "\n" + front.Dump(problems)
	}
	term, problems := expr.Check(n, s, nil)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%s\n", text, expr.Print(n))
	for _, name := range expr.FreeNames(n) {
		fmt.Fprintf(&out, "%s %d ", name.Name, name.Start)
	}
	shape(&out, term)
	for _, p := range problems {
		fmt.Fprintf(&out, "%+v\n", p)
	}
	if problems == nil && term.Type.Kind == types.Bool {
		facts := fmt.Sprint(expr.Facts(term, true), expr.Facts(term, false))
		outcome, why := expr.Outcome(term)
		fmt.Fprintln(&out, address.ReplaceAllString(facts, "@"), outcome, why)
	}
	return out.String()
}

// address is how facts name a declaration.
var address = regexp.MustCompile(`0x[0-9a-f]+`)

// shape writes a term in short.
func shape(out *strings.Builder, t *expr.Term) {
	if t == nil {
		out.WriteByte('-')
		return
	}
	fmt.Fprintf(out, "(%d %v %d:%d %s %T%v %v %t", t.Op, t.Type, t.Start, t.End, t.Name, t.Lit, t.Lit, t.Opts, t.EmptyOK)
	for _, d := range []*expr.Decl{t.Decl, t.Var, t.Var2} {
		if d != nil {
			fmt.Fprintf(out, " %s %v", d.Name, d.Type)
			shape(out, d.Literal)
		}
	}
	for _, a := range slices.Concat(t.Args, []*expr.Term{t.Body, t.Body2}) {
		shape(out, a)
	}
	out.WriteByte(')')
}
