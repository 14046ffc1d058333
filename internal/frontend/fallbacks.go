package frontend

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// fallBack gives a tool the fallbacks of its releases: what their callers get
// for values of enums that are newer than what they know. A record does not
// hold them, so they come from the plan beside it, and only where the chain of
// today has such values.
func (p *Project) fallBack(t *ir.Tool) diag.List {
	var findings diag.List
	for _, s := range t.Released {
		if !outgrown(s, t.Signature) {
			continue
		}
		plan, list := p.History.Plan(p.History.Of(t.Signature).Name, s.Version)
		if findings = append(findings, list...); plan == nil {
			continue
		}
		if t.Fallbacks == nil {
			t.Fallbacks = map[int]map[string]string{}
		}
		t.Fallbacks[s.Version] = plan.Fallbacks()
	}
	return findings
}

// outgrown reports whether an enum output of a release can have other values
// now.
func outgrown(release, now *signature.Signature) bool {
	return slices.ContainsFunc(release.Outputs, func(old signature.Output) bool {
		if old.Type != signature.Enum {
			return false
		}
		at := slices.IndexFunc(now.Outputs, func(o signature.Output) bool { return o.Name == old.Name })
		if at < 0 {
			return false
		}
		return now.Outputs[at].Type != signature.Enum || slices.ContainsFunc(now.Outputs[at].Values, func(v signature.Value) bool {
			return !slices.ContainsFunc(old.Values, func(o signature.Value) bool { return o.Name == v.Name })
		})
	})
}
