package diag_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
)

// TestFront holds every finding of the corpus in every format.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 4, func(p *front.Project) string {
		_, findings := frontend.Load(p.FS, p.Dir)
		var b strings.Builder
		source := func(name string) []byte {
			data, _ := fs.ReadFile(p.FS, name) // a finding may be about a missing file
			return data
		}
		for _, err := range []error{
			diag.Text(&b, findings, source), diag.JSON(&b, findings), diag.GitHub(&b, findings), diag.SARIF(&b, findings, expr.Rules),
			diag.Markdown(&b, findings), diag.JUnit(&b, findings),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		return b.String()
	}))
}
