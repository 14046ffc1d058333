package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/manifest"
)

func schemaFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "format", Value: "json"}}
}

// runSchema prints the JSON Schema of manifests, for editors, or the same for
// people.
func runSchema(c *command) error {
	format, err := c.format("json", "markdown")
	if err != nil {
		return err
	}
	text := manifest.Schema()
	if format == "markdown" {
		text = manifest.Reference()
	}
	_, err = c.stdout.Write(text)
	return err
}
