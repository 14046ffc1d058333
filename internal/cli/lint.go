package cli

import (
	"time"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// runLint shows what is wrong with a package. Warnings do not fail unless
// --fail-on says so.
func runLint(c *command) error {
	format, err := c.format(formats...)
	if err != nil {
		return err
	}
	on, err := c.failOn()
	if err != nil {
		return err
	}
	p, err := c.lint(c.Args().First(), frontend.AsOf(today()))
	if err != nil {
		return err
	}
	defer p.at.close()
	if err := p.show(c.stdout, format); err != nil {
		return err
	}
	switch {
	case fails(p.findings, on):
		return errFound
	case len(p.findings) == 0:
		c.say("no findings")
	}
	return nil
}

// today is the day by which dates are judged: by lint and check, and nowhere
// else, so that a build does not break over night.
func today() string { return time.Now().UTC().Format(time.DateOnly) }
