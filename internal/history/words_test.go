package history_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// What is said of each accident is read by whoever has to repair the history:
// place, words, fix and what it refers to, under each policy that says something
// of its own.
func TestAccidentsInWords(t *testing.T) { inWords(t, "testdata/accidents.txt", accidents) }

// inWords holds what is said of each event, unless it is the same as under the
// policy before.
func inWords(t *testing.T, file string, events map[string]func(*world)) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(events)) {
		before := ""
		for _, policy := range []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe} {
			w := newWorld(t)
			w.opts.Compat.Policy = policy
			events[name](w)
			h, findings := history.Read(w.files, dir)
			findings = append(findings, history.Check(h, w.tools, w.opts)...)
			text := render(findings)
			if text != before {
				fmt.Fprintf(&b, "== %s, %s\n%s\n", name, policy, text)
			}
			before = text
		}
	}
	golden.Text(t, file, b.String())
}

// Of tools whose records cannot be read nothing more is said: they have no id
// that another one could have.
func TestUnreadableToolsShareNoID(t *testing.T) {
	w := newWorld(t)
	for v := 1; v <= 3; v++ {
		w.files[strings.Replace(name(v), tool, "twin", 1)] = w.files[name(v)]
	}
	broken := maps.Clone(w.files)
	for file := range broken {
		if strings.HasPrefix(file, dir+"/") {
			broken[file] = &fstest.MapFile{Data: []byte("{")}
		}
	}
	for files, want := range map[*fstest.MapFS]int{&w.files: 1, &broken: 0} {
		h, findings := history.Read(*files, dir)
		got := 0
		for _, f := range append(findings, history.Check(h, w.tools, w.opts)...) {
			if f.Rule == compat.RuleToolIDTaken {
				got++
			}
		}
		if got != want {
			t.Errorf("%d tools have the id of another one, want %d", got, want)
		}
	}
}
