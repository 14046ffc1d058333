package frontend

import (
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

// A frozenPlan is the plan of a release that keeps its own chain.
type frozenPlan struct {
	tool    string
	version int
	plan    *history.Plan
	at      diag.Span
}

// name is how positions in the plan are written.
func (f *frozenPlan) name() string { return fmt.Sprintf("v%04d.plan.json", f.version) }

// freeze gives a tool the chains of the releases that keep their own.
func (p *Project) freeze(t *ir.Tool) diag.List {
	var findings diag.List
	for _, n := range p.frozenVersions(t) {
		version, _ := strconv.Atoi(n.Value) // the key table allows integers only
		f := &frozenPlan{tool: t.Signature.Name, version: version, at: n.Span}
		bad := func(fix, format string, args ...any) {
			findings.Add(diag.Finding{Rule: ruleFreeze, Tool: f.tool, Span: f.at, Fix: fix, Message: fmt.Sprintf(format, args...)})
		}
		if slices.ContainsFunc(t.Frozen, func(done *ir.Frozen) bool { return done.Version == version }) {
			bad("delete one of them", "v%d is there twice", version)
			continue
		}
		if !slices.ContainsFunc(p.released(t), func(v int) bool { return v == version }) {
			bad("freeze a released version", "v%d of %q is not released: a version that is being prepared runs the chain of the manifest", version, f.tool)
			continue
		}
		plan, list := p.History.Plan(p.History.Of(t.Signature).Name, version)
		if findings = append(findings, list...); plan == nil {
			if len(list) == 0 {
				bad("take it out of the list", "v%d of %q was released without a plan", version, f.tool)
			}
			continue
		}
		f.plan = plan
		program, list := loadPlan(f.name(), plan, nil)
		list = slices.DeleteFunc(list, func(d diag.Finding) bool { return d.Severity != diag.Error })
		if len(list) > 0 {
			bad("use the version of sculpt that released it, or take it out of the list", "the plan of v%d of %q cannot be used any more: %s", version, f.tool, list[0].Message)
			continue
		}
		if gone := p.gone(program); gone != "" {
			bad("keep it in the manifest", "v%d of %q needs %s, which the manifest does not have any more", version, f.tool, gone)
			continue
		}
		old := program.Tools[0]
		old.Plan.Allow = t.Plan.Allow
		t.Frozen = append(t.Frozen, &ir.Frozen{
			Version: version, Effects: old.Signature.Effects, Plan: old.Plan, Inputs: old.Signature.Inputs, Outputs: old.Signature.Outputs, Constants: program.Constants,
		})
		p.frozen = append(p.frozen, f)
	}
	return findings
}

// frozenVersions is what the manifest says of a tool.
func (p *Project) frozenVersions(t *ir.Tool) []manifest.Scalar {
	for _, m := range p.Manifest.Tools {
		if m.Name.Value == t.Signature.Name {
			return m.Freeze
		}
	}
	return nil
}

func (p *Project) released(t *ir.Tool) []int {
	var versions []int
	for _, s := range t.Released {
		versions = append(versions, s.Version)
	}
	return versions
}

// gone names what an old program reads of the package that is not there now.
func (p *Project) gone(old *ir.Program) string {
	for _, a := range old.APIs {
		if !slices.ContainsFunc(p.Program.APIs, func(b *ir.API) bool { return a.Name == b.Name }) {
			return "the api " + strconv.Quote(a.Name)
		}
	}
	for _, a := range old.APIs {
		now := p.Program.APIs[slices.IndexFunc(p.Program.APIs, func(b *ir.API) bool { return a.Name == b.Name })]
		for _, v := range a.Variables {
			if !slices.ContainsFunc(now.Variables, func(w ir.ServerVariable) bool { return v.Name == w.Name }) {
				return "the server variable " + strconv.Quote(v.Name) + " of api " + a.Name
			}
		}
	}
	for _, e := range old.Env {
		if !slices.ContainsFunc(p.Program.Env, func(f *ir.Env) bool { return e.Name == f.Name }) {
			return "the variable " + e.Name
		}
	}
	return ""
}

// frozenUpstream resolves the frozen chains against proposed documents.
func (p *Project) frozenUpstream(tomorrow map[string]Replacement) diag.List {
	var findings diag.List
	for _, f := range p.frozen {
		_, list := loadPlan(path.Base(f.name()), f.plan, tomorrow)
		for _, d := range list {
			if d.Severity == diag.Error {
				findings.Add(diag.Finding{
					Rule: d.Rule, Tool: f.tool, Span: f.at, Fix: "take it out of the list, so that it runs the chain of today",
					Message: fmt.Sprintf("the chain that v%d keeps would break: %s", f.version, d.Message),
				})
			}
		}
	}
	return findings
}
