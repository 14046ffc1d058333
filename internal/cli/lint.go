package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

var formats = []string{"text", "json"}

func lintFlags() []cli.Flag { return []cli.Flag{&cli.StringFlag{Name: "format", Value: "text"}} }

// format returns the value of --format.
func (c *command) format() (string, error) {
	f := c.String("format")
	for _, known := range formats {
		if f == known {
			return f, nil
		}
	}
	return "", unable("write --format text or --format json", "unknown format %q%s", f, diag.DidYouMean(f, formats))
}

// today is the date in UTC, which is the same for everybody.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

// runLint shows what is wrong with a package. Warnings do not fail.
func runLint(c *command) error {
	format, err := c.format()
	if err != nil {
		return err
	}
	p, err := c.loadOn(c.Args().First(), today())
	if err != nil {
		return err
	}
	defer p.at.close()
	if err := p.show(c.stdout, format); err != nil {
		return err
	}
	switch {
	case p.findings.HasErrors():
		return errFound
	case len(p.findings) == 0:
		c.say("no findings")
	}
	return nil
}
