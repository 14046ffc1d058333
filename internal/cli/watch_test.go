package cli

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"
)

// Everything that a build is made from is looked at, and nothing that it makes.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	seen := []string{
		"tools/sculpt.yaml", "tools/extra.yaml", "tools/own.go", "tools/released_find_gen.go", "tools/openapi/a.yaml", "tools/replay/1.json",
		"tools/history/find/v0001.json", "documents/shared.yaml",
	}
	unseen := []string{
		"tools/tools_gen.go", "tools/exports/a.json", "tools/.git/index", "tools/.own.go.swp", "tools/cmd/tools/main.go", "tools/node_modules/a/b.js",
		"tools/other/sculpt.yaml", "tools/other/own.go", "tools/module/go.mod", "documents/unused.yaml", "else/own.go",
	}
	for _, name := range slices.Concat(seen, unseen) {
		write(name, "1")
	}
	given := flag.NewFlagSet("preview", flag.ContinueOnError)
	if err := given.Parse([]string{filepath.Join(dir, "tools", "sculpt.yaml")}); err != nil {
		t.Fatal(err)
	}
	v := &preview{command: &command{&session{}, cli.NewContext(nil, given, nil)}, watch: true}
	v.read = []string{filepath.Join(dir, "documents", "shared.yaml"), filepath.Join(dir, "documents", "missing.yaml")}
	var want []string
	for _, name := range seen {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	slices.Sort(want)
	for _, root := range []string{"", dir} {
		v.root, v.dir = root, "tools"
		if got := slices.Sorted(maps.Keys(v.look())); !slices.Equal(got, want) {
			t.Errorf("with root %q: %q, want %q", root, got, want)
		}
	}
	before := v.look()
	for _, name := range unseen {
		write(name, "22")
	}
	if now := v.look(); now.differs(before) != "" {
		t.Errorf("%s counts", now.differs(before))
	}
	for _, name := range seen {
		before := v.look()
		write(name, "22")
		if now := v.look(); now.differs(before) != filepath.Join(dir, filepath.FromSlash(name)) {
			t.Errorf("%s: %q has changed", name, now.differs(before))
		}
	}
	before = v.look()
	write("documents/missing.yaml", "")
	if err := os.Remove(filepath.Join(dir, "tools", "own.go")); err != nil {
		t.Fatal(err)
	}
	if now := v.look(); now.differs(before) == "" || len(now) != len(before) {
		t.Error("a new file and one that is gone do not count")
	}
	if got := (sight{"a": {size: 1}, "b": {size: 2}}).with(sight{"b": {size: 3}, "c": {size: 4}}); !maps.Equal(got, sight{"a": {size: 1}, "b": {size: 3}}) {
		t.Errorf("%v", got)
	}
	v.watch = false
	if len(v.look()) != 0 {
		t.Error("without watch nothing is looked at")
	}
}
