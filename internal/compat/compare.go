package compat

import (
	"fmt"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Options steer a comparison. The zero value is the default.
type Options struct {
	Policy Policy
	// Today is the date (YYYY-MM-DD) that accept entries are judged by; ""
	// judges no dates.
	Today string
	// Levels are those of single rules, instead of what the policy says. A
	// level that a rule does not allow counts for nothing.
	Levels map[string]Level
}

// Level is the level of a rule under the options; eased says that the
// circumstance of its eased levels holds.
func (o *Options) Level(r *Rule, eased bool) Level {
	if l, ok := o.Levels[r.ID.String()]; ok && r.Allows(l) {
		return l
	}
	if eased {
		return r.Eased.Of(o.Policy)
	}
	return r.Levels.Of(o.Policy)
}

// A Change is something that differs between two versions of a tool.
type Change struct {
	Ref
	// Part is the member at the place that changed, such as "max"; it only
	// tells where to point.
	Part  string
	Level Level
	// Tool is the released name of the tool.
	Tool string
	// From lists the released versions that differ, oldest first; To is the
	// new version.
	From []int
	To   int
	// What happened, why it matters to callers and how to fix it, in words.
	What, Why, Fix string
	// Witness is a value that the old version accepted and the new one
	// rejects, as JSON; "" if there is none or none was found.
	Witness string
	// new is the place in the words of the new version, where that differs.
	new string
	why text
	// rule is the id of the row that found it.
	rule diag.RuleID
	// breaks says that it is an error under every policy.
	breaks bool
}

// Message returns the words of the finding: what; why.
func (c *Change) Message() string {
	if c.Why == "" {
		return c.What
	}
	return c.What + "; " + c.Why
}

// A text is a format with arguments. The verb {callers} stands for the
// releases that are concerned, which are known only when all are compared.
type text struct {
	format string
	args   []any
}

func textf(format string, args ...any) text { return text{format, args} }

func (t text) of(versions []int) string {
	if len(t.args) == 0 {
		return strings.ReplaceAll(t.format, "{callers}", versionRange(versions))
	}
	return fmt.Sprintf(strings.ReplaceAll(t.format, "{callers}", versionRange(versions)), t.args...)
}

// versionRange writes versions as v1, v1..v3 or v1, v3.
func versionRange(versions []int) string {
	var b strings.Builder
	for i := 0; i < len(versions); i++ {
		first := i
		for i+1 < len(versions) && versions[i+1] == versions[i]+1 {
			i++
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(versionName(versions[first]))
		if i > first {
			fmt.Fprintf(&b, "..v%d", versions[i])
		}
	}
	return b.String()
}

// comparison is the state of one run of all rules over two versions.
type comparison struct {
	old, new *signature.Signature
	was, is  *signature.Details
	// plan is what has become of the old plan.
	plan    Replan
	inputs  []pair[signature.Input]
	outputs []pair[signature.Output]
	rule    *Rule
	options *Options
	changes []Change
}

// Compare lists every change between a released version and a newer one, of
// every level, None included, in the order of the catalogue. It looks at
// nothing but the two sides.
func Compare(old, new *Side, opts Options) []Change {
	c := &comparison{old: filled(old.Signature), new: filled(new.Signature), was: &old.Details, is: &new.Details, options: &opts}
	c.plan.Digest = new.PlanDigest()
	if new.Plan != nil {
		c.plan = *new.Plan
	}
	c.inputs = match(c.old.Inputs, c.new.Inputs, inputKey)
	c.outputs = match(c.old.Outputs, c.new.Outputs, outputKey)
	for i := range Rules {
		if c.rule = &Rules[i]; c.rule.check != nil {
			c.rule.check(c)
		}
	}
	return c.changes
}

// add reports a change under the rule that is running.
func (c *comparison) add(ch Change) {
	ch.rule, ch.Rule, ch.Tool = c.rule.ID, c.rule.ID.String(), c.old.Name
	ch.From, ch.To = []int{c.old.Version}, c.new.Version
	is := ch.Level == eased
	ch.Level = c.options.Level(c.rule, is)
	mildest := Options{Policy: ClientSafe, Levels: c.options.Levels}
	ch.breaks = mildest.Level(c.rule, is) == Error
	ch.spread(ch.From)
	c.changes = append(c.changes, ch)
}

// eased in the level of a reported change asks for the eased levels of the
// row: its circumstance holds.
const eased Level = 255

// spread says of which releases a change speaks.
func (c *Change) spread(from []int) {
	c.From, c.Why = from, c.why.of(from)
}

// finding renders a change.
func (c *Change) finding(next *Side, oldest *Side) diag.Finding {
	place := c.Place
	if c.new != "" {
		place = c.new
	}
	f := diag.Finding{
		Rule: c.rule, Severity: c.Level.Severity(), Message: c.Message(), Span: next.place(place, c.Part), Fix: c.Fix + c.exits(),
		Tool: c.Tool, Place: c.Place, Version: c.From[0],
	}
	if !oldest.Span.IsZero() {
		f.Related = []diag.Related{{Span: oldest.Span, Text: "released here"}}
	}
	return f
}

// exits lists the legal ways to live with a break, after the one that takes it
// back: the reason of an accept entry is for its author to write.
func (c *Change) exits() string {
	if c.Level < Error {
		return ""
	}
	policy := ""
	if !c.breaks {
		policy = "the next version under policy: client-safe, as no call breaks, "
	}
	return fmt.Sprintf("; else, since a version may only add (A2T 5.4): %sa new tool and \"sculpt retire %s --sunset YYYY-MM-DD\", or accept: [{rule: %s, at: %s, reason: \"\"}] with a reason",
		policy, c.Tool, c.Rule, c.Place)
}

// v writes the number of the old version.
func (c *comparison) v() string { return versionName(c.old.Version) }

// versionName is how messages call a version; 0 is a tool without versions, as
// somebody kept it.
func versionName(n int) string {
	if n == 0 {
		return "the pinned one"
	}
	return fmt.Sprintf("v%d", n)
}
