package history_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// TestFront holds the records of every tool of the corpus, and what is found
// where a file of a history is damaged, renamed or removed.
func TestFront(t *testing.T) {
	sections := front.Each(t, 0, func(p *front.Project) (text string) {
		if _, findings := frontend.Load(p.FS, p.Dir); findings.HasErrors() {
			return ""
		}
		records := front.Release(t, p)
		for _, name := range slices.Sorted(maps.Keys(records)) {
			text += name + "\n" + string(records[name].Data)
		}
		return text
	})
	w := newWorld(t)
	worlds := map[string]fstest.MapFS{"made": w.files}
	for _, p := range front.Projects(t) {
		if p.Name == "weather" {
			worlds[p.Name] = p.FS
		}
	}
	for _, name := range slices.Sorted(maps.Keys(worlds)) {
		sections = append(sections, damagedHistory(t, w, name, worlds[name])...)
	}
	front.Hold(t, "testdata/front.txt", sections)
}

// damagedHistory reads a history with one file wrong, over and over.
func damagedHistory(t *testing.T, w *world, world string, files fstest.MapFS) (out []front.Section) {
	t.Helper()
	add := func(name string, changed fstest.MapFS) {
		h, findings := history.Read(changed, dir)
		text := front.Findings(changed, findings) + front.Dump(h)
		findings = history.Check(h, w.tools, w.opts)
		out = append(out, front.Section{Name: world + "/" + name, Text: text + front.Findings(changed, findings)})
	}
	add("whole", files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, dir+"/") {
			continue
		}
		for i, text := range front.Damage(name, string(files[name].Data), 40) {
			changed := maps.Clone(files)
			changed[name] = &fstest.MapFile{Data: []byte(text)}
			add(fmt.Sprintf("%s#%d", name, i), changed)
		}
		for i, to := range []string{"", path.Dir(name) + "/v0009.json", path.Dir(name) + "/notes.txt", dir + "/other/" + path.Base(name)} {
			changed := maps.Clone(files)
			delete(changed, name)
			if to != "" {
				changed[to] = files[name]
			}
			add(fmt.Sprintf("%s@%d", name, i), changed)
		}
	}
	return out
}
