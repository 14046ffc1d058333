package ir_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
)

// TestFront holds the JSON form of every program of the corpus, and the
// expressions that are found in each step.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 0, func(p *front.Project) string {
		project, findings := frontend.Load(p.FS, p.Dir)
		if findings.HasErrors() {
			return ""
		}
		text := string(project.Program.JSON())
		for _, tool := range project.Program.Tools {
			for _, s := range tool.Plan.Steps {
				for _, e := range s.Exprs() {
					text += fmt.Sprintf("%s %s %q\n", tool.Signature.Name, s.ID, e.Text)
				}
			}
		}
		for _, k := range project.Program.Constants {
			text += front.Dump(k.Literal())
		}
		return text
	}))
}
