package corpus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/corpus"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestSums compares everything that is generated with what was generated before,
// or writes it down. The packages of the back end compare their parts of it.
func TestSums(t *testing.T) {
	if *update {
		name := filepath.Join(golden.Root(t), filepath.FromSlash(corpus.SumsFile))
		if err := os.WriteFile(name, []byte(corpus.Sums(t)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	corpus.Check(t, func(string) bool { return true })
}
