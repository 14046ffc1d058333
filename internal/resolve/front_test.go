package resolve_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// TestFront holds the programs of the whole corpus, and what is found in it
// once it is damaged.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 10, func(p *front.Project) string {
		m, findings := manifest.Parse("sculpt.yaml", p.Manifest())
		if findings.HasErrors() {
			return ""
		}
		set, _ := spec.Load(p.FS, resolve.Sources(m))
		program, findings := resolve.Program(m, set)
		return front.Dump(program) + front.Findings(p.FS, findings.Sorted())
	}))
}
