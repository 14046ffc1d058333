package resolve

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// stepEffects computes what a call may do from its steps, and makes the calls of
// a tool that is declared more dangerous as dangerous: nobody knows which of them
// it is, except for those that state an effect with a reason.
func (t *toolResolver) stepEffects() {
	e := signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}
	var changing []*ir.Step
	for _, s := range t.plan.Steps {
		if s.Effect != ir.Read {
			changing = append(changing, s)
			e.ReadOnly, e.Reversible = false, false
			e.Destructive = e.Destructive || s.Op == nil || s.Op.Method != http.MethodPost
		}
		if s.Effect == ir.Unsafe {
			e.Idempotent = false
		}
	}
	if effect := t.declaredEffect(&e); effect != ir.Read {
		for _, s := range t.plan.Steps {
			if s.Because != "" || s.Effect == ir.Unsafe {
				continue
			}
			if e.ReadOnly && t.declaredToChange() {
				changing = append(changing, s)
			}
			s.Effect = effect
		}
	}
	t.sig.Effects = e
	t.repeats(changing)
	t.unknownOutcomes()
}

// declaredEffect is what the manifest declares the calls of a tool to do where
// that is more than its steps do by themselves, else [ir.Read]. What is read for
// money is only read all the same, but must not be read twice.
func (t *toolResolver) declaredEffect(e *signature.Effects) ir.CallEffect {
	m := t.m.Effects
	changes := e.ReadOnly && t.declaredToChange()
	once := changes && m.Idempotent.Value != "true" || e.Idempotent && m.Idempotent.Value == "false"
	e.Idempotent = e.Idempotent && !once
	switch {
	case once || m.Billable.Value == "true":
		return ir.Unsafe
	case changes:
		return ir.Idempotent
	}
	return ir.Read
}

// declaredToChange reports whether the manifest says that a call changes something.
func (t *toolResolver) declaredToChange() bool {
	return t.m.Effects.ReadOnly.Value == "false" || t.m.Effects.Destructive.Value == "true"
}

// effects holds what the manifest states against the effects of the steps,
// which it may only make more cautious. Errors of the tool begin after before.
func (t *toolResolver) effects(before int) {
	certain := !t.findings[before:].HasErrors()
	e, m := t.sig.Effects, t.m.Effects
	t.cautious(m.ReadOnly, &e.ReadOnly, false)
	if m.Idempotent.Value == "true" && !e.Idempotent && t.differs.what != "" {
		t.errorf(ruleWrongEffect, m.Idempotent.Span, t.differs.fix, "a second call is not the same as the first: %s", t.differs.what)
	} else {
		t.cautious(m.Idempotent, &e.Idempotent, false)
	}
	t.cautious(m.Reversible, &e.Reversible, e.ReadOnly || !m.Reversible.IsSet())
	t.cautious(m.Destructive, &e.Destructive, true)
	t.cautious(m.Billable, &e.Billable, true)
	t.sig.Effects = e
	t.eachOnce(m.Creates, m.Modifies, m.Deletes)
	if m.Cost.Value == "free" && e.Billable {
		t.errorf(ruleWrongEffect, m.Cost.Span, "write low, medium or high, or remove billable: true", "the tool is billable, so a call is not free")
	}
	t.typical(certain)
	t.things(e)
}

// eachOnce refuses lists that say the same twice.
func (t *toolResolver) eachOnce(lists ...[]manifest.Scalar) {
	for _, list := range lists {
		seen := map[string]bool{}
		for _, s := range list {
			if seen[s.Value] {
				t.errorf(ruleWrongEffect, s.Span, "remove it", "%q is there twice", s.Value)
			}
			seen[s.Value] = true
		}
	}
}

// things holds what a call creates, changes and deletes against its effects.
// Lists that all contradict one effect are one mistake. What an unknown flow
// would do is not known; an unknown operation counts as destructive.
func (t *toolResolver) things(e signature.Effects) {
	flows := t.flowNames()
	if slices.ContainsFunc(t.m.Steps, func(s *manifest.Step) bool { return s.Flow.IsSet() && !slices.Contains(flows, s.Flow.Value) }) {
		return
	}
	m := &t.m.Effects
	var first manifest.Scalar
	var words []string
	for _, l := range []struct {
		word  string
		items []manifest.Scalar
	}{{"creates", m.Creates}, {"modifies", m.Modifies}, {"deletes", m.Deletes}} {
		if len(l.items) > 0 {
			words = append(words, l.word)
			if !first.IsSet() {
				first = l.items[0]
			}
		}
	}
	switch {
	case e.ReadOnly && len(words) > 0:
		fix := "state read_only: false"
		if len(m.Deletes) > 0 {
			fix += " and destructive: true"
		}
		t.errorf(ruleWrongEffect, first.Span, fix+", or remove "+strings.Join(words, ": and ")+":", "the tool only reads, so it %s nothing", words[0])
	case len(m.Deletes) > 0 && !e.Destructive:
		t.errorf(ruleWrongEffect, m.Deletes[0].Span, "state destructive: true", "a tool that deletes something is destructive")
	}
}

var (
	typicalForm = regexp.MustCompile(`^([0-9]+)-([0-9]+)([smh])$`)
	units       = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}
)

// typical checks how long a call mostly takes. The deadline is certain only in
// a tool without errors: it may depend on all steps. Numbers that are too large
// for 64 bits count as the largest, which is beyond every deadline.
func (t *toolResolver) typical(certain bool) {
	s := t.m.Effects.Duration
	parts := typicalForm.FindStringSubmatch(s.Value)
	if parts == nil {
		return // package manifest has reported it
	}
	from, to, unit := parts[1], parts[2], parts[3]
	least, _ := strconv.ParseUint(from, 10, 64)
	most, _ := strconv.ParseUint(to, 10, 64)
	switch deadline := t.deadline(); {
	case least > most:
		t.errorf(ruleWrongEffect, s.Span, "write "+to+"-"+from+unit, "%q ends before it begins", s.Value)
	case certain && most > uint64(deadline/units[unit]):
		t.errorf(ruleWrongEffect, s.At(len(from)+1, len(s.Value)), "write a shorter time, or give the tool a longer timeout:", "a call of the tool ends after %v", deadline)
	}
}

// cautious applies a stated effect; careful is the value that warns more.
func (t *toolResolver) cautious(s manifest.Scalar, effect *bool, careful bool) {
	if !s.IsSet() {
		return
	}
	stated := s.Value == "true"
	if stated != *effect && stated != careful {
		t.errorf(ruleWrongEffect, s.Span, "state effect: with because: at the step that is milder than its method", "the steps of the tool say %v here", *effect)
		return
	}
	*effect = stated
}

// needs lists what the plan wants of the caller.
func (t *toolResolver) needs() {
	n := &t.sig.Needs
	for _, e := range t.allExprs() {
		e.Term.Walk(func(x *expr.Term) bool {
			if x.Op == expr.OpRef && x.Decl.Role == expr.RoleCaller {
				switch text, _ := x.Lit.(string); x.Decl.Name {
				case "caller.user_id":
					n.UserID = true
				case "caller.secret":
					n.Secrets = append(n.Secrets, text)
				}
			}
			// A claim that is read with [?...] may be missing.
			if x.Op == expr.OpIndex && x.Args[0].Op == expr.OpRef && x.Args[0].Decl.Name == "caller.claims" {
				if key, ok := x.Args[1].Lit.(string); ok {
					n.Claims = append(n.Claims, key)
				}
			}
			return true
		})
	}
	n.UserID = n.UserID || slices.ContainsFunc(t.plan.Steps, t.forUser)
	for _, list := range []*[]string{&n.Secrets, &n.Claims} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// forUser reports whether a step is sent with what a user has agreed to.
func (t *toolResolver) forUser(s *ir.Step) bool {
	api := t.apiByID[s.API]
	return api != nil && slices.ContainsFunc(api.Credentials, func(c ir.Credential) bool {
		return c.FromUser() && slices.Contains(s.Schemes, c.Scheme.Name)
	})
}
