package history_test

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// opened counts how often each file is opened.
type opened struct {
	fs.FS
	count map[string]int
}

func (o opened) Open(name string) (fs.File, error) {
	o.count[path.Base(name)]++
	return o.FS.Open(name)
}

func (o opened) Sub(dir string) (fs.FS, error) {
	sub, err := fs.Sub(o.FS, dir)
	return opened{sub, o.count}, err
}

// TestOlderRecords: older records are read for their digest, and a second time
// only for a tool with a pending change.
func TestOlderRecords(t *testing.T) {
	plan := []byte("{}\n")
	for _, c := range []struct {
		what   string
		change func(side *compat.Side)
		want   int
	}{
		{"nothing pending", func(*compat.Side) {}, 1},
		{"a plan that nobody made yet", func(side *compat.Side) { side.Details.Plan = "" }, 1},
		{"another plan", func(side *compat.Side) { side.Details.Plan = digest([]byte("x")) }, 2},
		{"another text", func(side *compat.Side) { side.Signature.Description = "Get it." }, 2},
		{"an accept entry", func(side *compat.Side) { side.Accept = []compat.Accept{{Rule: "input-removed", At: "inputs.a"}} }, 2},
	} {
		w := newWorld(t)
		side := draft(4, "a", "b", "c")
		side.Details.Plan = digest(plan)
		w.releaseInPieces(side)
		w.files[path.Join(dir, tool, "v0004.plan.json")] = &fstest.MapFile{Data: plan}
		c.change(side)
		files := opened{w.files, map[string]int{}}
		h, list := history.Read(files, dir)
		if len(list) > 0 {
			t.Fatal(render(list))
		}
		history.Check(h, w.tools, w.opts)
		if got := files.count["v0001.json"]; got != c.want {
			t.Errorf("%s: v0001.json was opened %d times, want %d", c.what, got, c.want)
		}
	}
}

// TestReadFromDisk: a real folder, which is listed by names alone, gives the
// findings of one in memory.
func TestReadFromDisk(t *testing.T) {
	for _, c := range []struct {
		what, add, want string
	}{
		{"nothing", "", ""},
		{"notes of people", "README.md", ""},
		{"a folder in place of a record", "v0004.json/x", name(4) + ": error[history-unreadable]: a folder is where the record should be"},
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

// TestLeftoversOfEditors: what editors, merges and patches leave beside records
// is not a release.
func TestLeftoversOfEditors(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"v0001.json.orig", "v0001.json.rej", "v0001.json~", "v0002.json.bak", ".v0001.json.swp", "v0001.json.swp", ".DS_Store", "examples/v0001-x.json.orig", "examples/v0001-x.json~"} {
		w.files[path.Join(dir, tool, name)] = &fstest.MapFile{Data: []byte("x")}
	}
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	w.files[path.Join(dir, tool, "v0001 (copy).json")] = &fstest.MapFile{Data: []byte("x")}
	if list := w.check(); len(list) != 1 || list[0].Rule != compat.RuleHistoryConflict {
		t.Error(render(list))
	}
}
