package cli

import "github.com/sculpt-tools/sculpt/internal/manifest"

// runSchema prints the JSON Schema of manifests, for editors.
func runSchema(c *command) error {
	_, err := c.stdout.Write(manifest.Schema())
	return err
}
