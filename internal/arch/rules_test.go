package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// declares finds packages that declare ids of rules, judges those that hold
// them against what is reported.
var (
	declares = regexp.MustCompile(`\bdiag\.ID\("`)
	judges   = regexp.MustCompile(`\bdiagtest\.Rules\(t, "\."\)`)
)

// Every package that declares ids of rules tests that they are documented and
// reported.
func TestRulesAreJudged(t *testing.T) {
	found := 0
	for _, p := range list(t) {
		if slices.Contains(testOnly, p.name()) || !anyMatches(t, p.Dir, p.GoFiles, declares) {
			continue
		}
		found++
		if !anyMatches(t, p.Dir, slices.Concat(p.TestGoFiles, p.XTestGoFiles), judges) {
			t.Errorf("%s declares rule ids, and none of its tests calls diagtest.Rules", p.name())
		}
	}
	if found < 5 {
		t.Errorf("only %d packages with rules were found in %s: the pattern does not fit any more", found, golden.Root(t))
	}
}

func anyMatches(t *testing.T, dir string, files []string, pattern *regexp.Regexp) bool {
	t.Helper()
	return slices.ContainsFunc(files, func(name string) bool {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return pattern.Match(data)
	})
}
