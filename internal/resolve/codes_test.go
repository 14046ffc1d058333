package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A case that stands for a missing answer is no error that callers could get.
func TestCodes(t *testing.T) {
	plan := &ir.Plan{Steps: []*ir.Step{{
		Expect: []*ir.Expect{{Failure: ir.Failure{Code: "none"}}},
		Errors: []*ir.ErrorCase{{Missing: true}, {Failure: ir.Failure{Code: "gone"}}, {Failure: ir.Failure{Code: "none"}}},
	}}}
	if diff := cmp.Diff([]string{"gone", "none"}, codes(plan)); diff != "" {
		t.Error(diff)
	}
}
