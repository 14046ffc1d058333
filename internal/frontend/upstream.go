package frontend

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/meaning"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Upstream resolves all chains against the proposed documents, by the names
// of their apis, and returns what would break: each finding names its tool and
// is at the place in the manifest that would be wrong. A signature that
// takes over something of a document is held against the releases again. What
// changes without harm is a note. The project must have no errors.
func Upstream(p *Project, tomorrow map[string]Replacement) diag.List {
	tomorrow = p.overlaid(tomorrow)
	set, findings := p.withDocuments(tomorrow)
	program, more := resolve.Program(p.Manifest, set, p.rules)
	findings = append(append(findings, p.unmeant(more)...), p.frozenUpstream(tomorrow)...)
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity != diag.Error })
	if len(findings) == 0 {
		next := *p
		next.Program = program // with the plans of today: what documents do to them is said below
		findings = history.Check(p.History, next.Sides(), next.Options())
		findings = slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity != diag.Error })
	}
	for i := range findings {
		if findings[i].Tool == "" {
			findings[i].Tool = p.toolAt(findings[i].Span)
		}
	}
	if len(findings) == 0 {
		findings = p.drift(program, tomorrow)
	}
	return findings.Sorted()
}

// unmeant makes errors of the warnings about tools that the documents of today do
// not give: what is new in a document of somebody else nobody has meant. Those
// that the manifest ignores stay ignored; whether all of ignore: is of use is for lint.
func (p *Project) unmeant(findings diag.List) diag.List {
	_, today := resolve.Program(p.Manifest, p.Set, p.rules)
	findings = withoutIgnored(p.Manifest, findings)
	for i := range findings {
		f := &findings[i]
		known := slices.ContainsFunc(today, func(o diag.Finding) bool {
			return o.Rule == f.Rule && o.Span == f.Span && o.Message == f.Message
		})
		if f.Severity == diag.Warning && !known && f.Rule != ruleIgnore {
			f.Severity = diag.Error
		}
	}
	return findings
}

// overlaid gives the proposed documents the overlays of their apis.
func (p *Project) overlaid(tomorrow map[string]Replacement) map[string]Replacement {
	out := map[string]Replacement{}
	for api, r := range tomorrow {
		r.overlays = p.overlays[api]
		out[api] = r
	}
	return out
}

// withDocuments loads the documents of the manifest, some of them replaced.
func (p *Project) withDocuments(tomorrow map[string]Replacement) (*spec.Set, diag.List) {
	set := &spec.Set{APIs: map[string]*spec.API{}}
	var findings diag.List
	for _, source := range resolve.Sources(p.Manifest) {
		if _, replaced := tomorrow[source.API]; !replaced {
			set.APIs[source.API] = p.Set.APIs[source.API]
			continue
		}
		source.File, source.Overlays = tomorrow[source.API].Name, tomorrow[source.API].overlays
		one, more := spec.Load(tomorrow[source.API].Files, []spec.Source{source})
		findings = append(findings, more...)
		if api := one.APIs[source.API]; api != nil {
			set.APIs[source.API] = api
		}
	}
	for name, r := range tomorrow {
		if p.Set.APIs[name] == nil {
			var names []string
			for known := range p.Set.APIs {
				names = append(names, known)
			}
			findings.Errorf(spec.RuleNotFound, diag.Span{File: r.Name}, "name an api of the manifest", "there is no api %q%s", name, diag.DidYouMean(name, names))
		}
	}
	return set, findings
}

// toolAt is the tool that a place in the manifest belongs to, "" if none.
func (p *Project) toolAt(at diag.Span) string {
	for _, t := range p.Manifest.Tools {
		if t.Span.Contains(at) {
			return t.Name.Value
		}
	}
	return ""
}

// drift reports what tools would do otherwise, and notes the operations that
// differ in nothing of that.
func (p *Project) drift(tomorrow *ir.Program, with map[string]Replacement) diag.List {
	var notes diag.List
	for i, t := range p.Program.Tools {
		changes := meaning.Compare(meaning.Tool{Program: p.Program, Tool: t}, meaning.Tool{Program: tomorrow, Tool: tomorrow.Tools[i]})
		for j, s := range t.Plan.Steps {
			for _, what := range laxer(s, tomorrow.Tools[i].Plan.Steps[j]) {
				changes = append(changes, meaning.Change{What: what, Span: s.Span})
			}
		}
		for _, c := range changes {
			notes.Add(diag.Finding{
				Rule: ruleDiffers, Severity: diag.Error, Tool: t.Signature.Name, Span: cmp.Or(c.Span, t.Span), Message: "with the proposed documents " + c.What,
				Fix: "see whether it is meant; then put the document in its place and release the tool",
			})
		}
		if len(changes) > 0 {
			continue
		}
		for j, s := range t.Plan.Steps {
			next := tomorrow.Tools[i].Plan.Steps[j]
			if _, replaced := with[s.API]; !replaced || s.Op.Digest == next.Op.Digest {
				continue
			}
			notes.Add(diag.Finding{
				Rule: ruleDrift, Severity: diag.Note, Tool: t.Signature.Name, Span: s.Span,
				Message: fmt.Sprintf("%s %s of %s changes in %s, in nothing that the step %s needs", s.Op.Method, s.Op.Path, s.API, path.Base(with[s.API].Name), s.ID),
			})
		}
	}
	return notes
}
