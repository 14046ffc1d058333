package sculpt

import (
	"io/fs"
	"path"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/compat"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/history"
	"github.com/sculpt-tools/sculpt/sculpt/ir"
	"github.com/sculpt-tools/sculpt/sculpt/signature"
)

// HistoryFolder is the name of the folder with the releases, beside the
// manifest.
const HistoryFolder = "history"

// An Option steers how [Load] holds the tools against their releases.
type Option func(*history.Options)

// On judges dates, such as the end of an accept entry, by a day (YYYY-MM-DD).
// Without it no date counts, so that the same files give the same findings on
// any day.
func On(day string) Option { return func(o *history.Options) { o.Compat.Today = day } }

// Against holds the records against copies of them: the digests where the
// branch began, at the commit ref, and at the tip of the branch that it goes
// back to. See [history.Options].
func Against(ref string, base, tip map[string]string) Option {
	return func(o *history.Options) { o.Ref, o.Base, o.Tip = ref, base, tip }
}

// judge reads the releases of the package and holds every tool against all of
// them (A2T 5.4). The released signatures go into the program: they stay
// invocable.
func (p *Project) judge(fsys fs.FS, options []Option) diag.List {
	var findings diag.List
	opts := history.Options{Manifest: diag.Span{File: p.ManifestPath}}
	for _, o := range options {
		o(&opts)
	}
	p.History, findings = history.Read(fsys, path.Join(p.Dir, HistoryFolder))
	findings = append(findings, history.Check(p.History, p.Sides(), opts)...)
	for _, t := range p.Program.Tools {
		released, more := p.History.Signatures(t.Signature)
		t.Released, findings = released, append(findings, more...)
	}
	// That a tool is new is no news to who wrote it.
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity == diag.Note })
}

// Sides returns the tools of the manifest as the compatibility rules see them.
func (p *Project) Sides() []*compat.Side {
	var sides []*compat.Side
	for _, t := range p.Program.Tools {
		sides = append(sides, Side(t))
	}
	return sides
}

// Side returns a tool as the compatibility rules see it.
func Side(t *ir.Tool) *compat.Side {
	return &compat.Side{
		Signature: t.Signature, Span: t.Span, Places: t.Places,
		Details: signature.Details{Network: len(t.Plan.Steps) > 0, Errors: codes(t.Plan)},
	}
}

// codes lists the codes of the errors that the manifest gives a tool.
func codes(plan *ir.Plan) []string {
	var out []string
	for _, s := range plan.Steps {
		for _, e := range s.Expect {
			out = append(out, e.Code)
		}
		for _, e := range s.Errors {
			out = append(out, e.Code)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
