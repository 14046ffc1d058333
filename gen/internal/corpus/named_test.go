package corpus_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestNamedAPIs calls services that many vendors use, over their published
// documents: a server on this machine stands for each host, and what it read is
// what the case wants, byte for byte.
func TestNamedAPIs(t *testing.T) {
	golden.Shared(t)
	golden.NotRaced(t)
	cases := loadCases(t, "named")
	for _, c := range cases {
		c.compare(t, "want-findings.txt", render(t, c.FS, c.findings))
		if c.fails() {
			t.Errorf("%s generates nothing", c.Name)
		}
	}
	if len(cases) < 6 {
		t.Errorf("%d cases, want 6", len(cases))
	}
	compileAndRun(t, cases)
}
