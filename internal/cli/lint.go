package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

func lintFlags() []cli.Flag {
	return append(gateFlags(), &cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}})
}

// runLint shows what is wrong with packages. Warnings do not fail unless
// --fail-on says so.
func runLint(c *command) error {
	format, on, err := c.judging()
	if err != nil {
		return err
	}
	options := []frontend.Option{frontend.AsOf(today())}
	if c.Bool("verbose") {
		options = append(options, frontend.Verbose())
	}
	all, err := c.several(func(arg string) (*project, error) { return c.lint(arg, options...) })
	if err != nil {
		return err
	}
	defer all.close()
	findings := all.findings()
	if err := all[0].at.show(c.stdout, format, findings); err != nil {
		return err
	}
	switch {
	case fails(findings, on):
		return errFound
	case len(findings) == 0:
		c.say("no findings")
	}
	return nil
}

// today is the day by which dates are judged: by lint and check, and nowhere
// else, so that a build does not break over night.
func today() string { return time.Now().UTC().Format(time.DateOnly) }
