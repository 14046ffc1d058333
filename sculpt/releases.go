package sculpt

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/compat"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/history"
	"github.com/sculpt-tools/sculpt/sculpt/ir"
)

// HistoryFolder is the name of the folder with the releases, beside the
// manifest.
const HistoryFolder = history.Folder

// judge reads the releases of the package and holds every tool against all of
// them (A2T 5.4). The released signatures go into the program: they stay
// invocable.
func (p *Project) judge(fsys fs.FS, today string) diag.List {
	var findings diag.List
	p.History, findings = history.Read(fsys, path.Join(p.Dir, HistoryFolder))
	p.anchors = readAnchors(fsys, p.Dir)
	findings = append(findings, history.Check(p.History, p.Sides(), p.Options(today))...)
	for _, t := range p.Program.Tools {
		released, more := p.History.Signatures(t.Signature)
		t.Released, findings = released, append(findings, more...)
		t.Loosened = p.History.Loosened(Side(t), p.Options(today))
		findings = append(findings, p.freeze(t)...)
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
	side := &compat.Side{Signature: t.Signature, Span: t.Span, Places: t.Places, Details: t.Details}
	for _, a := range t.Accept {
		side.Accept = append(side.Accept, compat.Accept(a))
	}
	return side
}

// Options are those that the manifest judges its tools by. Today (YYYY-MM-DD)
// is the day that accept entries and sunsets are judged on; "" judges no dates.
func (p *Project) Options(today string) history.Options {
	opts := history.Options{
		Manifest: diag.Span{File: p.ManifestPath}, Anchors: p.anchors, Compat: compat.Options{Today: today}, Tools: map[string]compat.Options{},
	}
	var err error
	if opts.Compat.Policy, err = compat.ParsePolicy(p.Manifest.Policy.Value); err != nil {
		panic("sculpt: " + err.Error()) // the key table allows no other
	}
	for _, t := range p.Program.Tools {
		own := opts.Compat
		if own.Policy, err = compat.ParsePolicy(t.Policy); err != nil {
			panic("sculpt: " + err.Error()) // nor here
		}
		opts.Tools[t.Signature.Name] = own
	}
	return opts
}

// readAnchors collects what the Go files that releases write know of the
// history. A file that cannot be read knows nothing; the build will say so.
func readAnchors(fsys fs.FS, dir string) map[string]history.Anchor {
	anchors := map[string]history.Anchor{}
	for _, name := range siblings(fsys, dir) {
		if !strings.HasPrefix(name, "released_") || !strings.HasSuffix(name, "_gen.go") {
			continue
		}
		if data, err := fs.ReadFile(fsys, path.Join(dir, name)); err == nil {
			if tool, a, ok := history.FindAnchor(data); ok {
				anchors[tool] = a
			}
		}
	}
	return anchors
}

// Promises returns what the generated test holds the package against: what the
// code is made from, the releases that it knows, and the tools as they are now.
// Program and History must be there.
func (p *Project) Promises() *history.Package {
	out := &history.Package{Manifest: path.Base(p.ManifestPath), Inputs: p.Inputs(), Heads: p.Heads()}
	for _, t := range p.Program.Tools {
		side := Side(t)
		places := maps.Clone(side.Places)
		places["name"] = side.Span
		for i, a := range side.Accept {
			places[fmt.Sprintf("accept.%d", i)] = a.Span
		}
		out.Tools = append(out.Tools, history.Current{
			Signature: string(t.Signature.Canonical()), Contract: string(t.Signature.Contract(&side.Details)),
			Policy: t.Policy, Accept: history.EncodeAccept(side.Accept), Places: history.EncodePlaces(places),
		})
	}
	return out
}

// Heads returns the newest release of each tool, by the name of its folder in
// the history.
func (p *Project) Heads() map[string]history.Anchor {
	heads := map[string]history.Anchor{}
	for _, t := range p.History.Tools {
		heads[t.Name] = t.Head()
	}
	return heads
}

// Anchors returns the newest release of each tool in the form that frozen Go
// files keep, by the name of the tool.
func (p *Project) Anchors() map[string]string {
	anchors := map[string]string{}
	for _, t := range p.Program.Tools {
		if of := p.History.Of(t.Signature); of != nil {
			anchors[t.Signature.Name] = of.Head().String(of.Name)
		}
	}
	return anchors
}

// Ended returns the tools that were retired and are not in the manifest any
// more, by the names of their folders.
func (p *Project) Ended() []string {
	var ended []string
	for _, t := range p.History.Tools {
		served := slices.ContainsFunc(p.Program.Tools, func(tool *ir.Tool) bool { return p.History.Of(tool.Signature) == t })
		if t.Retired != nil && !served {
			ended = append(ended, t.Name)
		}
	}
	return ended
}

// Accepts returns the accept entries of all tools, by their names.
func (p *Project) Accepts() map[string][]compat.Accept {
	entries := map[string][]compat.Accept{}
	for _, t := range p.Program.Tools {
		entries[t.Signature.Name] = Side(t).Accept
	}
	return entries
}
