package frontend

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// HistoryFolder is the name of the folder with the releases, beside the
// manifest.
const HistoryFolder = history.Folder

// An Option steers how [Load] holds the tools against their releases.
type Option func(*options)

type options struct {
	today      string
	copies     Copies
	newestOnly bool
	verbose    bool
}

// AsOf judges dates, such as the end of an accept entry, by a day (YYYY-MM-DD).
// Without it no date counts, so that the same files give the same findings on
// any day.
func AsOf(day string) Option { return func(o *options) { o.today = day } }

// Copies are the records that version control has: their digests where the
// branch began and at the tip of the branch that it goes back to, the names of
// these commits, and where records lay that were moved. See [history.Options].
type Copies struct {
	Ref, Target      string
	Base, Tip, Moved map[string]string
}

// Against holds the records against copies of them.
func Against(copies Copies) Option { return func(o *options) { o.copies = copies } }

// NewestOnly leaves the released signatures out of the program: that is enough
// to judge it, and not to generate it. Of tools that did not change only the
// newest record is parsed then, so a long history costs little.
func NewestOnly() Option { return func(o *options) { o.newestOnly = true } }

// Verbose adds notes about what is left out knowingly.
func Verbose() Option { return func(o *options) { o.verbose = true } }

// judge holds every tool of the package against all of its releases (A2T 5.4). The released signatures go into the program: they stay
// invocable.
func (p *Project) judge(fsys fs.FS, chosen []Option) diag.List {
	o := choices(chosen)
	p.readFrozen(fsys)
	findings := p.checkLevels()
	opts := p.judgedBy(o)
	p.replan()
	findings = append(findings, history.Check(p.History, p.Sides(), opts)...)
	for _, t := range p.Program.Tools {
		if o.newestOnly {
			break
		}
		released, more := p.History.Signatures(t.Signature)
		t.Released, findings = released, append(findings, more...)
		t.Loosened = p.History.Loosened(p.Side(t), opts)
		findings = append(findings, p.freeze(t)...)
		findings = append(findings, p.fallBack(t)...)
		t.Signature.Notes.Deprecated = p.History.Ending(t.Signature, t.Details.Deprecation)
		for _, s := range released {
			s.Notes.Deprecated = t.Signature.Notes.Deprecated // of all versions
		}
		t.Signature.Notes.Created, t.Signature.Notes.Updated = p.History.Dates(t.Signature)
	}
	// The author of a new tool already knows it.
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity == diag.Note })
}

// rulesBy tells the rule sets of the tools, given their releases.
func (p *Project) rulesBy(releases *history.History) resolve.RulesOf {
	return func(m *manifest.Tool) string {
		return releases.Rules(&signature.Signature{ID: m.ID.Value, Name: m.Name.Value}, p.Manifest.Rules.Value)
	}
}

// rulesOf is the rule set of a tool.
func (p *Project) rulesOf(tool string) string {
	for _, m := range p.Manifest.Tools {
		if m.Name.Value == tool {
			return p.rules(m)
		}
	}
	return signature.Rules
}

// Sides returns the tools of the manifest as the compatibility rules see them.
func (p *Project) Sides() []*compat.Side {
	var sides []*compat.Side
	for _, t := range p.Program.Tools {
		sides = append(sides, p.Side(t))
	}
	return sides
}

// Side returns a tool as the compatibility rules see it, with what has become of
// the plan of its newest release.
func (p *Project) Side(t *ir.Tool) *compat.Side {
	side := Side(t)
	if side.Plan = p.replans[t.Signature.Name]; side.Plan != nil {
		side.Places = maps.Clone(side.Places)
		side.Places["plan"] = p.replanned[t.Signature.Name]
	}
	return side
}

// Side returns a tool of which nothing but the program is known.
func Side(t *ir.Tool) *compat.Side {
	side := &compat.Side{Signature: t.Signature, Span: t.Span, Places: t.Places, Details: t.Details}
	for _, a := range t.Accept {
		side.Accept = append(side.Accept, compat.Accept(a))
	}
	return side
}

// Options are those that the manifest, and the caller's own choices, judge the
// tools by.
func (p *Project) Options(chosen ...Option) history.Options { return p.judgedBy(choices(chosen)) }

func choices(chosen []Option) (o options) {
	for _, choose := range chosen {
		choose(&o)
	}
	return o
}

func (p *Project) judgedBy(o options) history.Options {
	opts := history.Options{
		Compat: compat.Options{Today: o.today}, Manifest: diag.Span{File: p.ManifestPath}, Anchors: p.anchors, Frozen: p.frozenFiles,
		Tools: map[string]compat.Options{}, Ref: o.copies.Ref, Target: o.copies.Target, Base: o.copies.Base, Tip: o.copies.Tip, Moved: o.copies.Moved,
	}
	opts.Compat.Levels, opts.Rules = p.levels(), p.Manifest.Rules.Value
	opts.Notice, _ = strconv.Atoi(p.Manifest.Notice.Value) // unset or a number, by the key table
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

// readFrozen collects the Go files that releases write and what they know of
// the history, by the names of tools. A file that cannot be read knows nothing;
// the build will say so.
func (p *Project) readFrozen(fsys fs.FS) {
	p.frozenFiles, p.anchors, p.misnamed = map[string]string{}, map[string]history.Anchor{}, map[string]bool{}
	clause := regexp.MustCompile(`(?m)^package ` + regexp.QuoteMeta(p.Program.Package) + `\r?$`)
	for _, name := range siblings(fsys, p.Dir) {
		if !strings.HasPrefix(name, "released_") || !strings.HasSuffix(name, "_gen.go") {
			continue
		}
		if data, err := readHead(fsys, path.Join(p.Dir, name)); err == nil {
			if tool, a, ok := history.FindAnchor(data); ok {
				p.frozenFiles[tool], p.anchors[tool] = name, a
				p.misnamed[tool] = !clause.Match(data)
			}
		}
	}
}

// anchorHead is how much of a frozen file is read: its anchor is before the
// promises, of which there may be many.
const anchorHead = 4 << 10

func readHead(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, anchorHead))
}

// Promises returns what the generated test holds the package against: what the
// code is made from, the releases that it knows, and the tools as they are now.
// Program and History must be there.
func (p *Project) Promises() *history.Package {
	out := &history.Package{Manifest: path.Base(p.ManifestPath), Inputs: p.Inputs(), Heads: p.Heads(), Levels: map[string]string{}}
	for rule, level := range p.levels() {
		out.Levels[rule] = level.String()
	}
	for _, t := range p.Program.Tools {
		side := p.Side(t)
		side.Details.Plan = side.PlanDigest()
		places := maps.Clone(side.Places)
		places["name"] = side.Span
		for i, a := range side.Accept {
			places[fmt.Sprintf("accept.%d", i)] = a.Span
		}
		for name, at := range places {
			places[name] = p.fromFolder(at)
		}
		out.Tools = append(out.Tools, history.Current{
			Signature: string(t.Signature.Canonical()), Contract: string(t.Signature.Contract(&side.Details)),
			Policy: t.Policy, Accept: history.EncodeAccept(side.Accept), Places: history.EncodePlaces(places),
		})
	}
	return out
}

// fromFolder names the file of a place as seen from the package folder, and not
// if it is the manifest.
func (p *Project) fromFolder(at diag.Span) diag.Span {
	if at.File == p.ManifestPath {
		at.File = ""
	} else {
		at.File = relative(p.Dir, at.File)
	}
	return at
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
// files keep, by the name of the tool. A tool that has ended has no such file
// any more.
func (p *Project) Anchors() map[string]string {
	return p.anchorsOf(func(t *history.Tool) bool { return t.Retired == nil || p.frozenFiles[t.Name] != "" })
}

// Unfinished returns the anchors of tools whose frozen file is older than their
// newest release, or is missing: a release was killed after its record. So is one
// of a package that had another name.
func (p *Project) Unfinished() map[string]string {
	return p.anchorsOf(func(t *history.Tool) bool {
		return t.Retired == nil && p.anchors[t.Name] != t.Head() || p.misnamed[t.Name]
	})
}

func (p *Project) anchorsOf(wanted func(*history.Tool) bool) map[string]string {
	anchors := map[string]string{}
	for _, t := range p.Program.Tools {
		if of := p.History.Of(t.Signature); of != nil && wanted(of) {
			anchors[t.Signature.Name] = of.Head().String(of.Name)
		}
	}
	return anchors
}
