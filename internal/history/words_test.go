package history_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// What is said of each accident is read by whoever has to repair the history:
// place, words, fix and what it refers to, under each policy that says something
// of its own.
func TestAccidentsInWords(t *testing.T) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(accidents)) {
		before := ""
		for _, policy := range []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe} {
			w := newWorld(t)
			w.opts.Compat.Policy = policy
			accidents[name](w)
			h, findings := history.Read(w.files, dir)
			findings = append(findings, history.Check(h, w.tools, w.opts)...)
			text := render(findings)
			if text != before {
				fmt.Fprintf(&b, "== %s, %s\n%s\n", name, policy, text)
			}
			before = text
		}
	}
	golden.Text(t, "testdata/accidents.txt", b.String())
}
