package cli

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt"
	"github.com/sculpt-tools/sculpt/sculpt/compat"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

func checkFlags() []cli.Flag { return append(gateFlags(), &cli.StringFlag{Name: "against"}) }

// runCheck holds the tools against their releases, and with --against the
// releases against those of a commit. It writes nothing and asks no network.
func runCheck(c *command) error {
	format, err := c.format(formats...)
	if err != nil {
		return err
	}
	on, err := c.failOn()
	if err != nil {
		return err
	}
	at, err := c.locate(c.Args().First())
	if err != nil {
		return err
	}
	options := []sculpt.Option{sculpt.On(today())}
	compared := ""
	if c.IsSet("against") {
		copies, err := copiesAt(at.folder(), c.String("against"))
		if err != nil {
			at.close()
			return err
		}
		options = append(options, sculpt.Against(copies.from, copies.base, copies.tip))
		compared = ", held against " + countOf(len(copies.base), "record") + " of " + copies.from
	}
	p, err := c.judge(at, options...)
	if err != nil {
		return err
	}
	defer p.at.close()
	// What has nothing to do with releases is for lint to say, unless it keeps
	// the tools from being judged.
	p.findings = slices.DeleteFunc(p.findings, func(f diag.Finding) bool {
		_, compatibility := compat.RuleOf(f.Rule)
		return !compatibility && f.Severity != diag.Error
	})
	if err := p.show(c.stdout, format); err != nil {
		return err
	}
	if fails(p.findings, on) {
		return errFound
	}
	releases := 0
	for _, t := range p.History.Tools {
		releases += len(t.Releases)
	}
	c.say("%s, %s%s: no caller breaks", countOf(len(p.Program.Tools), "tool"), countOf(releases, "release"), compared)
	return nil
}
