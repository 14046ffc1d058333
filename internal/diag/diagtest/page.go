package diagtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Page fails the test for each rule that docs/rules.md does not describe in the
// words of its table: that page is where people look a rule up.
func Page(t *testing.T, rules []diag.Rule) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(rootOf(t, "."), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		_, entry, found := strings.Cut(string(raw), "\n### "+r.ID.String()+"\n\n"+start(r.Summary))
		entry, _, _ = strings.Cut(entry, "\n### ")
		if !found || !strings.Contains(entry, "\n- Why: "+start(r.Why)) || !strings.Contains(entry, "\n- Fix: "+start(r.Fix)) {
			t.Errorf("docs/rules.md does not have the words of %s", r.ID)
		}
	}
}

// start is how the page begins a text, which may be only a part of a sentence.
func start(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
