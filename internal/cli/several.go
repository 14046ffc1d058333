package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// A projects is what one run looks at: at least one package.
type projects []*project

// several loads the packages that the arguments name, the current folder if
// there are none. The caller closes them.
func (c *command) several(load func(arg string) (*project, error)) (projects, error) {
	args := c.positional()
	if len(args) == 0 {
		args = []string{""}
	}
	var all projects
	for _, arg := range args {
		p, err := load(arg)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (all projects) close() {
	for _, p := range all {
		p.at.close()
	}
}

// findings are those of all packages, and what is wrong with them together.
func (all projects) findings() diag.List {
	var out diag.List
	for _, p := range all {
		out = append(out, p.findings...)
	}
	return append(out, all.twins()...).Sorted()
}

// twins finds tools of two packages that have one id, as they do with the same
// namespace and name: callers would reach one or the other (A2T 6.1).
func (all projects) twins() diag.List {
	type owner struct {
		p    *project
		span diag.Span
	}
	var list diag.List
	owners := map[string]owner{}
	for _, p := range all {
		if p.Program == nil {
			continue
		}
		for _, t := range p.Program.Tools {
			at := p.at.relabelSpan(t.Span)
			first, taken := owners[t.Signature.ID]
			switch {
			case !taken:
				owners[t.Signature.ID] = owner{p, at}
			case first.p != p && first.span.File != at.File: // within a package it is found already
				list.Add(diag.Finding{
					Rule: compat.RuleToolIDTaken, Tool: t.Signature.Name, Span: at, Fix: "choose another name, or a namespace: of its own",
					Message: fmt.Sprintf("%q has the id of a tool of %s", t.Signature.Name, first.p.at.shown(first.p.Dir)),
					Related: []diag.Related{{Span: first.span, Text: "this tool has it"}},
				})
			}
		}
	}
	return list
}

// ruleNotCarried is the rule of a history that others do not get.
var ruleNotCarried = diag.ID("history-not-carried")

// uncarried finds files of the history that git leaves out, and links, of which
// it keeps no more than where they lead: a clone would lack the releases. Outside
// of a repository nothing is known.
func uncarried(p *project) diag.List {
	var list diag.List
	report := func(name, fix, format string, args ...any) {
		list.Add(diag.Finding{Rule: ruleNotCarried, Span: diag.Span{File: p.at.shown(name)}, Fix: fix, Message: fmt.Sprintf(format, args...)})
	}
	dir := path.Join(p.Dir, frontend.HistoryFolder)
	links := false
	_ = fs.WalkDir(newJailFS(p.at.jail), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read is a finding of the history
		}
		if d.Type()&fs.ModeSymlink != 0 || name == dir && p.at.isLink(dir) { // a walk follows the link that it begins with
			links = true
			report(name, "put there what it leads to", "this is a link, and the releases belong into the package")
		}
		return nil
	})
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	repo := &repository{ctx: ctx, dir: p.at.folder()}
	out, err := repo.run("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", frontend.HistoryFolder+"/")
	if err != nil || links {
		return list // no repository, or no git
	}
	ignored := slices.DeleteFunc(strings.Split(out, "\x00"), func(name string) bool { return path.Ext(name) != ".json" })
	if len(ignored) > 0 {
		first := path.Join(p.Dir, cmp.Or(slices.Sorted(slices.Values(ignored))...))
		report(first, `add them with "git add -f `+quoteWords(p.at.shown(dir))+`", or change .gitignore`, "git ignores %s of the history: a clone lacks these releases", countOf(len(ignored), "file"))
	}
	return list
}
