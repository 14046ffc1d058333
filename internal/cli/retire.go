package cli

import (
	"cmp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

func retireFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "sunset"}, &cli.StringFlag{Name: "use"}, &cli.StringFlag{Name: "date"}}
}

// runRetire writes the tombstone of a tool: the day from which on it need not
// be served any more. Until then every version stays invocable (A2T 5.4).
func runRetire(c *command) error {
	if len(c.positional()) == 0 {
		return unable(`run "sculpt retire --help"`, "a tool is missing: sculpt retire [PACKAGE] TOOL --sunset YYYY-MM-DD")
	}
	where, tool, given, err := splitCall(c.positional(), c.Command.Name)
	if err != nil {
		return err
	}
	if len(given) > 0 {
		return unable(`run "sculpt retire --help"`, "%q is no tool", given[0])
	}
	if c.String("sunset") == "" {
		return unable("add --sunset YYYY-MM-DD: callers need time", "the day on which %q ends is missing", tool)
	}
	p, err := c.load(where)
	if err != nil {
		return err
	}
	defer p.at.close()
	if p.findings.HasErrors() {
		if err := p.show(c.stdout, "text"); err != nil {
			return err
		}
		return errFound
	}
	var names []string
	for _, t := range p.History.Tools {
		names = append(names, t.Name)
	}
	if !slices.Contains(names, tool) {
		return unable("a tool that was never released is simply taken out of the manifest", "no release of %q is recorded%s", tool, diag.DidYouMean(tool, names))
	}
	if use := c.String("use"); use != "" && !slices.Contains(names, use) {
		return unable("name a released tool", "no release of %q is recorded%s", use, diag.DidYouMean(use, names))
	}
	stone, err := p.History.Retire(tool, cmp.Or(c.String("date"), today()), c.String("sunset"), c.String("use"))
	if err != nil {
		return unable("", "%s", err)
	}
	root, err := p.at.jail.OpenRoot(p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	defer root.Close()
	if _, err := gen.Write(root, append(p.files, gen.File{Name: p.inside(stone.Name), Data: stone.Data})); err != nil {
		return unable("", "nothing was written: %s", err)
	}
	c.print("%s", p.at.shown(stone.Name))
	c.say("every version of %s stays callable until %s; then take it out of %s and generate", tool, c.String("sunset"), p.at.shown(p.ManifestPath))
	return nil
}
