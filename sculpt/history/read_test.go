package history_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/history"
)

// TestReadFromDisk: a real folder, which is listed by names alone, gives the
// findings of one in memory.
func TestReadFromDisk(t *testing.T) {
	for _, c := range []struct {
		what, add, want string
	}{
		{"nothing", "", ""},
		{"notes of people", "README.md", ""},
		{"a folder in place of a record", "v0004.json/x", name(4) + ": error[history-unreadable]: a folder stands where the record should be"},
		{"a folder that looks like a copy", "v0003 (copy).json/x", ""},
		{"a copy", "v0003 (copy).json", dir + "/" + tool + "/v0003 (copy).json: error[history-conflict]: this is a second record of v3"},
		{"a short number", "v4.json", dir + "/" + tool + "/v4.json: error[history-unreadable]: records are named like v0004.json"},
		{"a long number", "v00004.json", dir + "/" + tool + "/v00004.json: error[history-unreadable]: records are named like v0004.json"},
		{"a number that no record has", "v99999999999999999999.json", dir + "/" + tool + "/v99999999999999999999.json: error[history-unreadable]: no version has this number"},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t)
			if c.add != "" {
				w.files[dir+"/"+tool+"/"+c.add] = &fstest.MapFile{Data: []byte("x")}
			}
			root := t.TempDir()
			if err := os.CopyFS(root, w.files); err != nil {
				t.Fatal(err)
			}
			_, memory := history.Read(w.files, dir)
			_, disk := history.Read(os.DirFS(root), dir)
			first := func(list diag.List) string {
				line, _, _ := strings.Cut(render(list), "\n")
				return line
			}
			if got := first(memory); len(memory) > 1 || got != c.want {
				t.Errorf("in memory:\n%s", got)
			}
			if got := first(disk); len(disk) > 1 || got != c.want {
				t.Errorf("on disk:\n%s", got)
			}
		})
	}
}
