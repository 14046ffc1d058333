package frontend_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
)

// TestFront holds all that is found in the corpus, releases included, and what
// becomes of it.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 4, func(p *front.Project) string {
		project, findings := frontend.Load(p.FS, p.Dir, frontend.AsOf("2026-11-22"))
		text := front.Findings(p.FS, findings) + front.Dump(project.Inputs())
		if !findings.HasErrors() {
			text += front.Dump(project.Promises()) + front.Dump(project.Program.JSON())
		}
		return text
	}))
}
