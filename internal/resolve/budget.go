package resolve

import (
	"cmp"
	"time"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

// What the run time does where the manifest says nothing, and the longest that
// a caller can be expected to wait.
const (
	defaultCallTime = 10 * time.Second
	defaultAttempts = 3
	callsAtOnce     = 8
	mostPages       = 20
	defaultDeadline = 30 * time.Second
	longestDeadline = time.Minute
	manyCalls       = 50
)

// budget computes what a call of the tool may cost at worst, and gives a tool
// that states no deadline one that its steps can keep.
func (t *toolResolver) budget() {
	b := &t.plan.Budget
	ends := map[*ir.Step]time.Duration{}
	for _, s := range newOrdering(t.plan.Steps).sorted {
		calls := 1
		switch {
		case s.Each != nil:
			calls = s.Each.Max
		case s.Collect != nil:
			calls = mostPages
		case s.Poll != nil:
			calls += int(s.Poll.Max / s.Poll.Every)
		}
		b.Calls += calls
		b.Attempts += calls * t.attempts(s)
		var start time.Duration
		for _, d := range s.After {
			start = max(start, ends[d])
		}
		ends[s] = start + t.callTime(s)*time.Duration(rounds(s))
		b.Time = max(b.Time, ends[s])
	}
	if t.plan.Deadline == 0 && b.Time > defaultDeadline {
		t.plan.Deadline = min(b.Time, longestDeadline)
	}
}

// deadline is how long a call of the tool may take; the plan leaves out what
// is the default of the run time.
func (t *toolResolver) deadline() time.Duration { return cmp.Or(t.plan.Deadline, defaultDeadline) }

// rounds is how often the calls of a step follow each other.
func rounds(s *ir.Step) int {
	switch {
	case s.Each == nil:
		return 1
	case s.Effect != ir.Read:
		return s.Each.Max
	}
	return (s.Each.Max + callsAtOnce - 1) / callsAtOnce
}

// callTime bounds a call with all its attempts, all pages of a list, or all that
// wait for something.
func (t *toolResolver) callTime(s *ir.Step) time.Duration {
	if s.Poll != nil {
		return s.Poll.Max
	}
	var api time.Duration
	if a := t.apiByID[s.API]; a != nil {
		api = a.Timeout
	}
	return cmp.Or(s.Timeout, api, defaultCallTime)
}

func (t *toolResolver) attempts(s *ir.Step) int {
	if s.Effect == ir.Unsafe {
		return 1
	}
	api := 0
	if a := t.apiByID[s.API]; a != nil {
		api = a.Attempts
	}
	return cmp.Or(s.Attempts, api, defaultAttempts)
}

// overBudget warns of tools that cost too much at worst.
func (t *toolResolver) overBudget() {
	b := t.plan.Budget
	if b.Calls > manyCalls {
		t.warnf(ruleTooManyCalls, t.m.Name.Span, "lower max:, or split the tool", "one call of %s may make %d calls to its backends", t.sig.Name, b.Calls)
	}
	at, deadline := t.m.Name.Span, t.deadline()
	if t.m.Timeout.IsSet() {
		at = t.m.Timeout.Span
	}
	if b.Time > deadline && !t.m.ShortForm {
		t.warnf(ruleOverDeadline, at, "give its steps shorter timeouts, or the tool a longer one", "the steps of %s may take %v one after the other, and the tool ends after %v", t.sig.Name, b.Time, deadline)
	}
}
