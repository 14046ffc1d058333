package frontend

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// The files of a plan are there to be read, by their names, and nothing else is.
func TestMemory(t *testing.T) {
	m := memory{"shop.json": []byte("{}\n")}
	data, err := fs.ReadFile(m, "shop.json")
	if err != nil || string(data) != "{}\n" {
		t.Errorf("%q, %v", data, err)
	}
	info, err := fs.Stat(m, "shop.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(info.Name(), info.Size(), info.Mode(), info.ModTime().IsZero(), info.IsDir(), info.Sys()); got != "shop.json3 -r--r--r-- true false <nil>" {
		t.Error(got)
	}
	if _, err := m.Open("mall.json"); !errors.Is(err, fs.ErrNotExist) || err.Error() != "open mall.json: file does not exist" {
		t.Error(err)
	}
}

// Paths are written as somebody in the folder of a package would write them.
func TestRelative(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{".", "a", "a"}, {".", "a/b", "a/b"}, {"a", "a/b", "b"}, {"a", "a/b/c", "b/c"}, {"a/b", "a/c", "../c"}, {"a", "b/c", "../b/c"}, {"a/b", "c", "../../c"}, {"a", "ab/c", "../ab/c"}, {"a/b", "a/bc", "../bc"},
	} {
		if got := relative(c.dir, c.name); got != c.want {
			t.Errorf("%s from %s: %s, want %s", c.name, c.dir, got, c.want)
		}
	}
	for name, want := range map[string]bool{"a.yaml": true, "b/a.yml": true, "a.json": true, "a.txt": false, "sculpt.yaml": false, "b/sculpt.yaml": false, "yaml": false, "a.YAML": false} {
		if got := isDocument(name); got != want {
			t.Errorf("%s is a document: %v", name, got)
		}
	}
}

// Candidates for a document that is not there lie below the package or beside the
// missing file; hidden folders are passed over, and the search ends.
func TestCandidates(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"p/sculpt.yaml", "p/a.yaml", "p/b/c.json", "p/.git/d.yaml", "p/b/.e.yaml", "q/f.yaml", "q/g.txt", "q/h/i.yaml", "j.yaml"} {
		files[name] = &fstest.MapFile{}
	}
	for file, want := range map[string]string{
		"p/x.yaml": "a.yaml b/.e.yaml b/c.json", "q/x.yaml": "a.yaml b/.e.yaml b/c.json ../q/f.yaml", "x.yaml": "a.yaml b/.e.yaml b/c.json ../j.yaml", "r/x.yaml": "a.yaml b/.e.yaml b/c.json",
	} {
		if got := strings.Join(candidates(files, "p", file), " "); got != want {
			t.Errorf("for %s: %s, want %s", file, got, want)
		}
	}
	for i := range maxCandidates + 10 {
		files[fmt.Sprintf("many/%05d.yaml", i)] = &fstest.MapFile{}
	}
	if n := len(candidates(files, "many", "many/x.yaml")); n != maxCandidates-1 { // the folder itself was seen
		t.Errorf("%d candidates", n)
	}
	if n := len(candidates(files, "nowhere", "nowhere/x.yaml")); n != 0 {
		t.Errorf("%d candidates in no folder", n)
	}
}
