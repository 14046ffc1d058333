package resolve

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// notes fills in what documents tell beside the promise of the tool.
func (t *toolResolver) notes() {
	m := &t.m.Notes
	n := signature.Notes{
		Author: m.Author.Value, Category: m.Category.Value, Homepage: m.Homepage.Value, Success: strings.TrimSpace(m.Success.Value),
		Prerequisites: signature.Prerequisites{Tools: trimmed(m.Prerequisites.Tools), Conditions: trimmed(m.Prerequisites.Conditions)},
		Feedback:      signature.Feedback{Progress: trimmed(m.Feedback.Progress), Completion: trimmed(m.Feedback.Completion)},
		Failures:      failuresOf(t.plan), Deadline: t.deadline(),
	}
	e := &t.m.Effects
	n.Creates, n.Modifies, n.Deletes = trimmed(e.Creates), trimmed(e.Modifies), trimmed(e.Deletes)
	n.Cost, n.Typical = e.Cost.Value, e.Duration.Value
	for _, l := range m.Localization {
		n.Localization = append(n.Localization, signature.Localization{
			Language: l.Language.Value, Description: strings.TrimSpace(l.Description.Value), WhenToUse: strings.TrimSpace(l.WhenToUse.Value),
		})
	}
	slices.SortFunc(n.Localization, func(a, b signature.Localization) int { return cmp.Compare(a.Language, b.Language) })
	n.Deprecated = t.announced()
	for _, s := range m.Prerequisites.Tools {
		t.knownTool(s, "tool %s cannot be called before itself", "name a tool of this package, or write it under conditions:")
	}
	t.sig.Notes = n
}

// knownTool wants the name of another tool of the package.
func (t *toolResolver) knownTool(s manifest.Scalar, itself, fix string) {
	var names []string
	for _, other := range t.resolver.m.Tools {
		names = append(names, other.Name.Value)
	}
	switch {
	case s.Value == t.sig.Name:
		t.errorf(ruleUnknownTool, s.Span, "remove it", itself, s.Value)
	case !slices.Contains(names, s.Value):
		t.errorf(ruleUnknownTool, s.Span, fix, "there is no tool %q%s", s.Value, diag.DidYouMean(s.Value, names))
	}
}

// announced is what the manifest says of the end of the tool.
func (t *toolResolver) announced() signature.Deprecation {
	d := &t.m.Deprecated
	if d.Use.IsSet() {
		t.knownTool(d.Use, "tool %s cannot be used instead of itself", "name a tool of this package, or leave it out")
	}
	for _, day := range []manifest.Scalar{d.Since, d.Sunset} {
		if _, err := time.Parse(time.DateOnly, day.Value); day.IsSet() && err != nil {
			t.errorf(ruleWrongDate, day.Span, "write a day of the calendar", "there is no day %s", day.Value)
		}
	}
	if d.Sunset.IsSet() && d.Sunset.Value <= d.Since.Value {
		t.errorf(ruleWrongDate, d.Sunset.Span, "write a day after "+d.Since.Value, "the tool would end on %s and be deprecated from %s on", d.Sunset.Value, d.Since.Value)
	}
	return signature.Deprecation{Since: d.Since.Value, Sunset: d.Sunset.Value, Use: d.Use.Value}
}

func trimmed(list []manifest.Scalar) []string {
	var out []string
	for _, s := range list {
		out = append(out, strings.TrimSpace(s.Value))
	}
	return out
}

// failuresOf lists the errors that the manifest gives a tool: of each code the
// first text.
func failuresOf(plan *ir.Plan) []signature.Failure {
	var list []signature.Failure
	add := func(f *ir.Failure) {
		if f.Code == "" || f.Message == nil || slices.ContainsFunc(list, func(g signature.Failure) bool { return g.Code == f.Code }) {
			return
		}
		list = append(list, signature.Failure{Code: f.Code, Text: beforehand(f.Message.Text)})
	}
	for _, s := range plan.Steps {
		for _, e := range s.Expect {
			add(&e.Failure)
		}
		for _, e := range s.Errors {
			add(&e.Failure)
		}
	}
	return list
}

// beforehand is a text as far as it is known before a call. Expressions must
// not show: they name fields of backends.
func beforehand(text string) string {
	parsed, _ := expr.ParseTemplate(text) // problems are reported where the text is resolved
	var b strings.Builder
	for _, p := range parsed.Parts {
		if p.Expr == nil {
			b.WriteString(p.Text)
		} else {
			b.WriteString("…")
		}
	}
	return strings.TrimSpace(b.String())
}
