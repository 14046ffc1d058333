// Package guide is a package of two tools with at least one of every part that a
// plan has, and edits of it: those that make a tool do something else, each with
// what is said of it, and those that do not.
//
// It is for tests. The package imports the standard library only.
package guide

import (
	"embed"
	"fmt"
	"strings"
	"testing/fstest"
)

//go:embed *.yaml
var files embed.FS

// Files returns the package with some edits: file, old text, new text each.
func Files(edits ...string) (fstest.MapFS, error) {
	out := fstest.MapFS{}
	for _, name := range []string{"sculpt.yaml", "guide.yaml", "orders.yaml"} {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text := string(data)
		for i := 0; i+2 < len(edits); i += 3 {
			if edits[i] != name {
				continue
			}
			if !strings.Contains(text, edits[i+1]) {
				return nil, fmt.Errorf("%s does not contain %q", name, edits[i+1])
			}
			text = strings.ReplaceAll(text, edits[i+1], edits[i+2])
		}
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out, nil
}
