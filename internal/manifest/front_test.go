package manifest_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

// TestFront holds what is read of every manifest of the corpus, and what is
// found in it once it is damaged.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 60, func(p *front.Project) string {
		m, findings := manifest.Parse("sculpt.yaml", p.Manifest())
		text := front.Findings(p.FS, findings.Sorted())
		if findings.HasErrors() {
			return text
		}
		for _, tool := range m.Tools {
			text += fmt.Sprintf("%s\n", m.Excerpt(tool.Name.Value))
		}
		return text + front.Dump(m)
	}))
}
