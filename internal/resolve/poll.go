package resolve

import (
	"cmp"
	"slices"
	"time"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// pollEvery is the time between two calls where the manifest states none,
// leastEvery the shortest that it may state.
const (
	pollEvery  = 2 * time.Second
	leastEvery = 100 * time.Millisecond
)

// poll resolves how long a call is made again. Its condition reads what those of
// collect: read.
func (t *toolResolver) poll(s *ir.Step, m *manifest.Step) {
	p := m.Poll
	if p == nil {
		return
	}
	answer := &expr.Decl{Name: s.Decl.Name, Role: expr.RoleStep, Type: s.Answer, Value: s}
	if s.Answer == nil {
		answer.Type = types.InvalidType
	}
	t.steps[answer] = s
	s.Poll = &ir.Poll{
		Answer: answer, Until: t.bare(p.Until, t.ofAnswer(answer), types.BoolType),
		Every: cmp.Or(t.duration(p.Every), pollEvery), Max: cmp.Or(t.duration(p.Max), defaultDeadline),
	}
	if s.Op == nil {
		return
	}
	if s.Effect != ir.Read {
		t.errorf(ruleWrongEffect, p.Span, "add effect: read with because:, if the call only reads", "poll: makes the call again and again, and %s changes something", s.Op.Method)
	}
	if s.Poll.Every < leastEvery {
		t.errorf(ruleWrongDuration, p.Every.Span, "write 1s or more", "every: asks more than ten times a second")
	}
	if s.Poll.Every >= s.Poll.Max {
		t.errorf(ruleWrongDuration, p.Max.Span, "write a longer time, or a shorter every:", "max: is no longer than the %v between two calls", s.Poll.Every)
	}
	t.pollAlone(s, m)
}

// pollAlone reports what does not go together with asking again.
func (t *toolResolver) pollAlone(s *ir.Step, m *manifest.Step) {
	p := m.Poll
	ofStep := func(d *expr.Decl) bool { return t.steps[d] == s }
	if until := s.Poll.Until; !isPoisoned(until) && !slices.ContainsFunc(until.Term.Refs(), ofStep) {
		t.errorf(ruleWrongPoll, span(until), "write a condition on "+s.Decl.Name+", which is the answer here", "until: reads nothing of the answer, so asking again changes nothing")
	}
	switch {
	case m.ForEach.IsSet() || m.Collect != nil:
		t.errorf(ruleWrongPoll, p.Span, "move poll: into a step of its own", "a step has one of for_each:, collect: and poll:")
	case m.Cache.IsSet():
		t.errorf(ruleWrongPoll, m.Cache.Span, "remove cache:", "an answer that is used again is the same one again")
	case t.m.Effects.Billable.Value == "true":
		t.errorf(ruleWrongPoll, p.Span, "remove poll:, or billable: true", "the tool is billable, so its calls are made once")
	}
}
