package cli

import (
	"time"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// runLint shows what is wrong with packages. Warnings do not fail unless
// --fail-on says so.
func runLint(c *command) error {
	format, on, err := c.judging()
	if err != nil {
		return err
	}
	all, err := c.several(func(arg string) (*project, error) { return c.lint(arg, frontend.AsOf(today())) })
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
