package resolve_test

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// TestFront holds the programs of the whole corpus, and what is found in it
// once its manifests or its documents are damaged.
func TestFront(t *testing.T) {
	sections := front.Each(t, 10, resolved)
	for _, p := range front.Projects(t) {
		var damaged strings.Builder
		for _, d := range p.DamagedDocuments(8) {
			damaged.WriteString(d.Name + "\n" + resolved(d))
		}
		sections = append(sections, front.Section{Name: p.Name + "/documents", Text: damaged.String()})
	}
	front.Hold(t, "testdata/front.txt", sections)
}

// resolved is the program of a project, and what was found.
func resolved(p *front.Project) string {
	m, findings := manifest.Parse("sculpt.yaml", p.Manifest())
	if findings.HasErrors() {
		return ""
	}
	set, _ := spec.Load(p.FS, resolve.Sources(m))
	program, findings := resolve.Program(m, set, nil)
	return front.Dump(program) + front.Findings(p.FS, findings.Sorted())
}
