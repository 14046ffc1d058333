package corpus_test

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestNeeds builds what vendors want to say about real services, each need a
// tool over the published document: nothing to complain about, and calls that
// go well and calls that fail.
func TestNeeds(t *testing.T) {
	golden.NotRaced(t)
	cases := loadCases(t, "needs")
	if len(cases) != 15 {
		t.Errorf("%d needs, want 15", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			c.test(t)
			for _, f := range c.findings {
				if f.Span.File == "sculpt.yaml" {
					t.Errorf("the manifest is right, and has a finding: %s %s", f.Rule.String(), f.Message)
				}
			}
			calls := "\n" + string(c.Part("want-calls.txt"))
			if !strings.Contains(calls, "\n< ") || !strings.Contains(calls, "\n! ") {
				t.Errorf("want a call that answers and one that fails:%s", calls)
			}
		})
	}
	compileAndRun(t, cases)
}
