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
type Option func(*options)

type options struct {
	today, ref string
	base, tip  map[string]string
	newestOnly bool
}

// On judges dates, such as the end of an accept entry, by a day (YYYY-MM-DD).
// Without it no date counts, so that the same files give the same findings on
// any day.
func On(day string) Option { return func(o *options) { o.today = day } }

// Against holds the records against copies of them: the digests where the
// branch began, at the commit ref, and at the tip of the branch that it goes
// back to. See [history.Options].
func Against(ref string, base, tip map[string]string) Option {
	return func(o *options) { o.ref, o.base, o.tip = ref, base, tip }
}

// NewestOnly leaves the released signatures out of the program: that is enough
// to judge it, and not to generate it. Of tools that did not change only the
// newest record is parsed then, so a long history costs little.
func NewestOnly() Option { return func(o *options) { o.newestOnly = true } }

// judge reads the releases of the package and holds every tool against all of
// them (A2T 5.4). The released signatures go into the program: they stay
// invocable.
func (p *Project) judge(fsys fs.FS, chosen []Option) diag.List {
	var o options
	for _, choose := range chosen {
		choose(&o)
	}
	var findings diag.List
	p.History, findings = history.Read(fsys, path.Join(p.Dir, HistoryFolder))
	findings = append(findings, history.Check(p.History, p.Sides(), history.Options{
		Compat: compat.Options{Today: o.today}, Manifest: diag.Span{File: p.ManifestPath}, Ref: o.ref, Base: o.base, Tip: o.tip,
	})...)
	for _, t := range p.Program.Tools {
		if o.newestOnly {
			break
		}
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
