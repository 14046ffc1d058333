package resolve

import (
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// The budget of a tool adds up what the run time does. The front end does not
// import the run time, so the figures are written twice and held together here.
func TestBudgetKnowsTheRunTime(t *testing.T) {
	if defaultCallTime != upstream.DefaultCallTime || defaultAttempts != upstream.MaxAttempts || callsAtOnce != upstream.EachAtOnce || defaultDeadline != serve.DefaultDeadline {
		t.Error("the figures of budget.go are not those of the run time")
	}
}
