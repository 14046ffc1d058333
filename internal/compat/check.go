package compat

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Check holds a new version against every released one: history is sorted by
// version and must not be empty. Each cause is one finding, against the oldest
// release that it breaks; notes are given against the newest release only.
// What a release has changed already, with or without an accept entry, is not
// reported again for the releases before it.
func Check(history []*Side, next *Side, opts Options) diag.List {
	return judge(history, next, opts).findings
}

// Changes returns what a release of next would record: every change that a
// caller of some release lives through and that no release has recorded yet.
func Changes(history []*Side, next *Side, opts Options) []Change {
	return judge(history, next, opts).changes
}

// Accepted returns the accept entries of next that let a break pass which no
// release has recorded yet: a release of next is made under them.
func Accepted(history []*Side, next *Side, opts Options) []Accept {
	return judge(history, next, opts).accepted
}

// Loosened returns the parts of a tool, such as "inputs.city", that differ from
// a release in ways that the policy or an accept entry allows, and in no other
// way, sorted. What guards them more strictly than the policy has to let go.
func Loosened(history []*Side, next *Side, opts Options) []string {
	v := judge(history, next, opts)
	parts := map[string]bool{}
	for i, c := range v.changes {
		for _, place := range []string{c.Place, c.new} {
			if kept, seen := parts[part(place)]; place != "" && (!seen || kept) {
				parts[part(place)] = v.allowed[i]
			}
		}
	}
	maps.DeleteFunc(parts, func(_ string, allowed bool) bool { return !allowed })
	return slices.Sorted(maps.Keys(parts))
}

// part is the part of the tool that a place lies in: its first two names.
func part(place string) string {
	names := strings.SplitN(place, ".", 3)
	return strings.Join(names[:min(2, len(names))], ".")
}

// verdict is the outcome of a check.
type verdict struct {
	changes []Change
	// allowed says for each change whether it is not an error.
	allowed  []bool
	accepted []Accept
	findings diag.List
}

func judge(history []*Side, next *Side, opts Options) verdict {
	var v verdict
	used := make([]bool, len(next.Accept))
	for _, c := range gather(history, next, opts) {
		oldest := history[slices.IndexFunc(history, func(s *Side) bool { return s.Version() == c.From[0] })]
		open := unaccepted(history, next, &c, used, opts.Today)
		v.changes = append(v.changes, c)
		v.allowed = append(v.allowed, c.Level < Error || len(open) == 0)
		if c.Level == None || len(open) == 0 {
			continue
		}
		if open[0] != c.From[0] {
			oldest = history[slices.IndexFunc(history, func(s *Side) bool { return s.Version() == open[0] })]
		}
		c.spread(open)
		v.findings.Add(c.finding(next, oldest))
	}
	for i, a := range next.Accept {
		if used[i] || a.Rule == RuleBehaviourChanged.String() && spent(history, &a) == never {
			v.accepted = append(v.accepted, a)
		}
	}
	v.findings = append(v.findings, acceptFindings(history, next, used, opts.Today)...)
	return v
}

// gather compares next with all releases and joins what has one cause.
func gather(history []*Side, next *Side, opts Options) []Change {
	type cause struct {
		Ref
		part string
	}
	var out []Change
	index := map[cause]int{}
	newest := len(history) - 1
	for i, old := range history {
		for _, c := range Compare(old, next, opts) {
			row := &Rules[rank(c.rule)]
			if i < newest && (c.Level < Warning || row.newest || known(history[i+1:], c.Ref)) {
				continue
			}
			k := cause{c.Ref, c.Part}
			at, seen := index[k]
			if !seen {
				index[k] = len(out)
				out = append(out, c)
				continue
			}
			out[at].spread(append(out[at].From, c.From...))
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return rank(a.rule) - rank(b.rule) })
	return out
}

// rank is the row of a rule: changes are listed in the order of the catalogue,
// whatever release they were found against.
func rank(id diag.RuleID) int {
	return slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == id })
}

// known reports whether one of the releases recorded the change.
func known(later []*Side, ref Ref) bool {
	return slices.ContainsFunc(later, func(s *Side) bool {
		return slices.Contains(s.Known, ref) || slices.ContainsFunc(s.Accepted, func(a Accept) bool { return a.ref() == ref })
	})
}

// unaccepted returns the releases that no accept entry of the manifest speaks
// for. Entries count for errors and warnings; a note needs none.
func unaccepted(history []*Side, next *Side, c *Change, used []bool, today string) []int {
	var open []int
	for _, v := range c.From {
		covered := false
		for i := range next.Accept {
			a := &next.Accept[i]
			if a.ref() != c.Ref || a.Since > v || v >= spent(history, a) || c.Level < Warning {
				continue
			}
			used[i] = true
			covered = covered || a.Reason != "" && !expired(a, today)
		}
		if !covered {
			open = append(open, v)
		}
	}
	return open
}

// spent returns the first release that was made under the entry: from there on
// the entry says nothing any more, a further break needs one of its own.
func spent(history []*Side, a *Accept) int {
	for _, s := range history {
		if slices.ContainsFunc(s.Accepted, func(b Accept) bool { return a.same(&b) }) {
			return s.Version()
		}
	}
	return never
}

// never is later than every release.
const never = math.MaxInt

func expired(a *Accept, today string) bool { return a.Until != "" && today != "" && today > a.Until }

// acceptFindings reports entries that cannot do what they are there for.
// Those that a release was made under have done their work and may stay.
func acceptFindings(history []*Side, next *Side, used []bool, today string) diag.List {
	var list diag.List
	for i := range next.Accept {
		a := &next.Accept[i]
		if spent(history, a) != never {
			continue
		}
		at := a.Span
		if at.IsZero() {
			at = next.Span
		}
		rule, exists := RuleOf(a.Rule)
		add := func(id diag.RuleID, fix, format string, args ...any) {
			list.Add(diag.Finding{Rule: id, Span: at, Fix: fix, Message: fmt.Sprintf(format, args...), Tool: next.Signature.Name})
		}
		switch {
		case !exists:
			add(RuleAcceptUnused, "delete it, or take the rule id from the finding", "there is no rule %q to accept%s", a.Rule, diag.DidYouMean(a.Rule, IDs()))
		case rule.Class == History:
			add(ruleAcceptNotAllowed, "delete it and fix the history", "%s cannot be accepted; what is released is locked (A2T 6.1)", a.Rule)
		case a.Reason == "":
			add(ruleAcceptWithoutReason, "say why callers can live with it", "this accept entry (%s) gives no reason; the record of the release keeps it", a.ref())
		case a.Rule == RuleBehaviourChanged.String() && !expired(a, today): // whether it matches is seen when the examples are called
			if newest := history[len(history)-1].Version(); next.Version() <= newest {
				add(ruleAcceptUnrecorded, fmt.Sprintf("version: %d, then \"sculpt release --tool %s\"", newest+1, next.Signature.Name),
					"this accept entry (%s) is in no record: it changes what v%d answers, and nothing says since when and why", a.ref(), newest)
			}
		case expired(a, today):
			add(ruleAcceptExpired, "fix the break, or agree on a later date", "this accept entry (%s) ended on %s", a.ref(), a.Until)
		case !used[i]:
			add(RuleAcceptUnused, "delete it", "this accept entry (%s) matches nothing", a.ref())
		}
	}
	return list
}

// IDs returns the ids of all rules.
func IDs() []string {
	var ids []string
	for i := range Rules {
		ids = append(ids, Rules[i].ID.String())
	}
	return ids
}
