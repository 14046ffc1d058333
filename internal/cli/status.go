package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// runStatus prints one line a tool: what is released, and what a release would
// change; with --coverage what the examples of the releases pin.
func runStatus(c *command) error {
	if c.Bool("coverage") {
		return runCoverage(c)
	}
	if c.IsSet("min") || c.IsSet("format") {
		return unable("sculpt status --coverage --min 80", "--min and --format are about --coverage")
	}
	p, err := c.load(c.Args().First())
	if err != nil {
		return err
	}
	defer p.at.close()
	if p.Program == nil || p.History == nil {
		if err := p.show(c.stdout, "text"); err != nil {
			return err
		}
		return errFound
	}
	for _, t := range p.Program.Tools {
		c.print("%s\t%s%s", t.Signature.Name, standing(p, t), lifecycle(p.History, t, today()))
	}
	for _, t := range p.History.Tools {
		if kept := slices.ContainsFunc(p.Program.Tools, func(tool *ir.Tool) bool { return p.History.Of(tool.Signature) == t }); !kept && t.Retired != nil {
			c.print("%s\tv%d released; retired, ended on %s", t.Name, t.Version(), t.Retired.Sunset)
		}
	}
	if p.findings.HasErrors() {
		if err := p.show(c.stderr, "text"); err != nil {
			return err
		}
		return errFound
	}
	return nil
}

// lifecycle says in which state of its life a tool is, and what is announced of
// its end; "" for a tool of which nothing is.
func lifecycle(h *history.History, t *ir.Tool, today string) string {
	d, folder := t.Signature.Notes.Deprecated, h.Of(t.Signature)
	words := d.Words()
	state := "deprecated"
	switch {
	case words == "":
		return ""
	case d.Sunset != "" && d.Sunset <= today:
		state = "ended"
	case folder != nil && folder.Retired != nil:
		state = "retired"
	case d.Since > today:
		state = "active"
	}
	if folder != nil && folder.Retired == nil && folder.Announced() != d {
		words += " Not recorded yet: run sculpt release."
	}
	return "; " + state + ": " + words
}

// standing says where a tool is between its releases.
func standing(p *project, t *ir.Tool) string {
	newest, side := newestRelease(t), p.Side(t)
	switch {
	case newest == 0:
		return "v1 pending: new"
	case t.Signature.Version == newest && side.Plan != nil && len(side.Plan.Changes) > 0:
		return fmt.Sprintf("v%d released; it does its work in another way now: %s", newest, strings.Join(side.Plan.Changes, "; "))
	case t.Signature.Version == newest:
		return fmt.Sprintf("v%d released", newest)
	}
	folder := p.History.Of(t.Signature)
	changes := compat.Compare(released(folder, folder.Newest), side, compat.Options{})
	words := make([]string, 0, len(changes))
	for _, change := range changes {
		words = append(words, change.String())
	}
	if len(words) == 0 {
		words = []string{"no change"}
	}
	return fmt.Sprintf("v%d released, v%d pending: %s", newest, t.Signature.Version, strings.Join(words, ", "))
}
