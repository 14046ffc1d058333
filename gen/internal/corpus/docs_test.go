package corpus_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

var quoted = regexp.MustCompile("(?s)<!-- from ([^ ]+) -->\n```[a-z]*\n(.*?)```")

// TestREADMEQuotes looks up every quoted line in the file that it is quoted
// from, in order, so that the README cannot drift.
func TestREADMEQuotes(t *testing.T) {
	root := golden.Root(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	quotes := quoted.FindAllStringSubmatch(string(readme), -1)
	if len(quotes) < 4 {
		t.Fatalf("only %d quotes were found", len(quotes))
	}
	for _, q := range quotes {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(q[1])))
		if err != nil {
			t.Fatal(err)
		}
		rest := string(source)
		for line := range strings.SplitSeq(strings.TrimSpace(q[2]), "\n") {
			line = strings.TrimSpace(line)
			i := strings.Index(rest, line)
			if i < 0 {
				t.Errorf("README quotes %q, which is not in %s (any more, or in this order)", line, q[1])
				continue
			}
			rest = rest[i+len(line):]
		}
	}
}

// TestEditorSchema keeps docs/sculpt.schema.json equal to what "sculpt schema"
// prints.
func TestEditorSchema(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "sculpt.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(got)) != strings.TrimSpace(string(manifest.Schema())) {
		t.Error(`docs/sculpt.schema.json is stale: run "go run ./cmd/sculpt schema > docs/sculpt.schema.json"`)
	}
}
