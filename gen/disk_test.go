package gen

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const goFile = header + "\npackage nws\n"

// fresh makes the generated files of a package: Go files and exports, given as
// name and content alternating, and their index.
func fresh(pairs ...string) []File {
	var files, exports []File
	for i := 0; i < len(pairs); i += 2 {
		f := File{pairs[i], []byte(pairs[i+1])}
		if name, ok := strings.CutPrefix(f.Name, exportsFolder+"/"); ok {
			exports = append(exports, File{name, f.Data})
		}
		files = append(files, f)
	}
	x := indexOf(exports)
	return append(files, File{indexPath, x.Data})
}

func weatherFiles() []File {
	return fresh("tools_gen.go", goFile, "exports/a2t/x.v1.json", "{\"a\":1}\n", "exports/docs/x.md", "# x\n")
}

// A box is a package folder on disk.
type box struct {
	t    *testing.T
	dir  string
	root *os.Root
}

func newBox(t *testing.T) *box {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &box{t, dir, root}
}

func (b *box) put(name, data string) {
	b.t.Helper()
	full := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) link(target, name string) {
	b.t.Helper()
	if err := os.Symlink(target, filepath.Join(b.dir, name)); err != nil {
		if runtime.GOOS == "windows" {
			b.t.Skip("symbolic links need a privilege on Windows")
		}
		b.t.Fatal(err)
	}
}

// content lists everything in the folder: files with their content, folders
// with a slash.
func (b *box) content() map[string]string {
	b.t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(b.dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			out[name+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			out[name] = "link"
		default:
			data, err := os.ReadFile(filepath.Join(b.dir, name))
			out[name] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

func (b *box) write(files []File) []string {
	b.t.Helper()
	changed, err := Write(b.root, files, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return changed
}

// same asserts that nothing happened.
func (b *box) same(before map[string]string) {
	b.t.Helper()
	if after := b.content(); fmt.Sprint(after) != fmt.Sprint(before) {
		b.t.Errorf("the folder changed from\n%v\nto\n%v", before, after)
	}
}

func (b *box) diff(files []File) string {
	b.t.Helper()
	all, err := Diff(b.root.FS(), files)
	if err != nil {
		b.t.Fatal(err)
	}
	return textOf(all)
}

// textOf joins the texts of changes.
func textOf(all []Change) (text string) {
	for _, c := range all {
		text += c.Text
	}
	return text
}

func TestWrite(t *testing.T) {
	b := newBox(t)
	b.put("sculpt.yaml", "mine")
	files := weatherFiles()
	if got := fmt.Sprint(b.write(files)); got != "[exports/a2t/x.v1.json exports/docs/x.md exports/index.json tools_gen.go]" {
		t.Error(got)
	}
	content := b.content()
	for _, f := range files {
		if content[f.Name] != string(f.Data) {
			t.Errorf("%s holds %q", f.Name, content[f.Name])
		}
	}
	if len(content) != len(files)+1+3 || content["sculpt.yaml"] != "mine" {
		t.Errorf("%v", content)
	}
	if b.diff(files) != "" {
		t.Error("what was written is not fresh")
	}
}

// TestUnchanged keeps the times of files that are equal: build caches look at
// them.
func TestUnchanged(t *testing.T) {
	b := newBox(t)
	files := weatherFiles()
	b.write(files)
	past := time.Unix(1_000_000_000, 0)
	for _, f := range files {
		if err := os.Chtimes(filepath.Join(b.dir, f.Name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if changed := b.write(files); len(changed) != 0 {
		t.Errorf("changed %v", changed)
	}
	files[0].Data = []byte(goFile + "\n// More.\n")
	if changed := fmt.Sprint(b.write(files)); changed != "[tools_gen.go]" {
		t.Errorf("changed %v", changed)
	}
	for i, f := range files {
		info, err := os.Stat(filepath.Join(b.dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if touched := !info.ModTime().Equal(past); touched != (i == 0) {
			t.Errorf("%s: touched is %v", f.Name, touched)
		}
	}
}

// TestLineEnds takes a checkout with other line ends for what it was made of.
func TestLineEnds(t *testing.T) {
	b := newBox(t)
	b.write(weatherFiles())
	for name, data := range b.content() {
		if !strings.HasSuffix(name, "/") {
			b.put(name, strings.ReplaceAll(data, "\n", "\r\n"))
		}
	}
	before := b.content()
	if text := b.diff(weatherFiles()); text != "" {
		t.Error(text)
	}
	b.write(weatherFiles())
	b.same(before)
	if changed := fmt.Sprint(b.write(fresh("tools_gen.go", goFile))); changed != "[exports/a2t/x.v1.json exports/docs/x.md exports/index.json]" {
		t.Error(changed)
	}
}

func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no permission bits")
	}
	b := newBox(t)
	b.put("tools_gen.go", header+"// old\n")
	if err := os.Chmod(filepath.Join(b.dir, "tools_gen.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.write(weatherFiles())
	info, err := os.Stat(filepath.Join(b.dir, "tools_gen.go"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	// A new file in a folder that is there has not the mode of the folder.
	b.write(fresh("tools_gen.go", goFile, "exports/a2t/x.v1.json", "{}\n", "exports/a2t/y.v1.json", "{}\n"))
	if info, err = os.Stat(filepath.Join(b.dir, "exports/a2t/y.v1.json")); err != nil || info.Mode().Perm()&0o111 != 0 {
		t.Error(info.Mode(), err)
	}
}

func TestStale(t *testing.T) {
	for _, c := range []struct {
		name, file, data string
		stays            bool
	}{
		{name: "Go file of ours", file: "tool_old_gen.go", data: goFile},
		{name: "Go file of ours with other line ends", file: "tool_old_gen.go", data: strings.ReplaceAll(goFile, "\n", "\r\n")},
		{name: "listed export", file: "exports/docs/x.md", data: "# x\n"},

		{name: "Go file without header", file: "tool_old_gen.go", data: "package nws\n", stays: true},
		{name: "Go file with another header", file: "api_gen.go", data: "// Code generated by protoc. DO NOT EDIT.\n", stays: true},
		{name: "header further down", file: "tool_old_gen.go", data: "// Mine.\n" + goFile, stays: true},
		{name: "header of ours, other name", file: "main.go", data: goFile, stays: true},
		{name: "file of a release", file: "released_x_gen.go", data: goFile, stays: true},
		{name: "Go file in another folder", file: "sub/tool_old_gen.go", data: goFile, stays: true},
		{name: "edited export", file: "exports/docs/x.md", data: "# x\nMine.\n", stays: true},
		{name: "unlisted export", file: "exports/mine.json", data: "{}", stays: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.write(weatherFiles())
			b.put(c.file, c.data)
			files := fresh("tools_gen.go", goFile, "exports/a2t/x.v1.json", "{\"a\":1}\n")
			changed := b.write(files)
			if _, stays := b.content()[c.file]; stays != c.stays {
				t.Errorf("stays is %v", stays)
			}
			if slices.Contains(changed, c.file) == c.stays {
				t.Errorf("changed %v", changed)
			}
			if text := b.diff(files); text != "" {
				t.Errorf("after writing there is still a difference:\n%s", text)
			}
		})
	}
}

func TestEmptyFoldersGo(t *testing.T) {
	b := newBox(t)
	b.write(weatherFiles())
	b.write(fresh("tools_gen.go", goFile))
	content := b.content()
	if _, ok := content["exports/docs/"]; ok || len(content) != 3 {
		t.Errorf("%v", content)
	}
}

// TestHostileIndex lets the index claim files that are not ours.
func TestHostileIndex(t *testing.T) {
	for _, name := range []string{"../sculpt.yaml", "../../sculpt.yaml", "/etc/hosts", `..\sculpt.yaml`, "./../sculpt.yaml", ".", "", "docs", "index.json"} {
		b := newBox(t)
		b.put("sculpt.yaml", "mine")
		b.put("exports/docs/mine.md", "mine")
		b.put(indexPath, fmt.Sprintf(`{"generator":"sculpt","files":[{"path":%q,"sha256":%q},{"path":%q}]}`, name, digest([]byte("mine")), name))
		b.write(weatherFiles())
		if c := b.content(); c["sculpt.yaml"] != "mine" || c["exports/docs/mine.md"] != "mine" || c[indexPath] == "" {
			t.Errorf("%q: %v", name, c)
		}
	}
}

func TestRefused(t *testing.T) {
	outside := t.TempDir()
	for _, c := range []struct {
		name    string
		prepare func(*box)
		want    string
	}{
		{"Go file of somebody", func(b *box) { b.put("tools_gen.go", "package nws\n") }, "tools_gen.go was not generated by sculpt"},
		{"export that is not listed", func(b *box) { b.put("exports/docs/x.md", "mine") }, "exports/docs/x.md was not written by sculpt"},
		{"export that was edited", func(b *box) { b.write(weatherFiles()); b.put("exports/docs/x.md", "mine") }, "exports/docs/x.md was edited"},
		{"edited export and new content", func(b *box) {
			b.write(fresh("exports/docs/x.md", "old"))
			b.put("exports/docs/x.md", "mine")
		}, "exports/docs/x.md was edited"},
		{"index of somebody", func(b *box) { b.put(indexPath, `{"files":[]}`) }, "exports/index.json was not written by sculpt"},
		{"index after a merge", func(b *box) { b.put(indexPath, "<<<<<<< ours\n") }, "exports/index.json was not written by sculpt"},
		{"file is a link", func(b *box) { b.put("real.go", goFile); b.link("real.go", "tools_gen.go") }, "tools_gen.go is a symbolic link"},
		{"file is a dangling link", func(b *box) { b.link("nowhere.go", "tools_gen.go") }, "tools_gen.go is a symbolic link"},
		{"folder is a link inside", func(b *box) { b.put("real/x", ""); b.link("real", "exports") }, "exports is a symbolic link"},
		{"folder is a link outside", func(b *box) { b.put("exports/x", ""); b.link(outside, "exports/docs") }, "exports/docs is a symbolic link"},
		{"folder is a file", func(b *box) { b.put("exports", "mine") }, "exports is not a folder"},
		{"file is a folder", func(b *box) { b.put("tools_gen.go/x", "mine") }, "tools_gen.go is not a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			c.prepare(b)
			before := b.content()
			changed, err := Write(b.root, weatherFiles(), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || changed != nil {
				t.Errorf("changed %v, error %v", changed, err)
			}
			b.same(before)
		})
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Error("something was written through a link")
	}
}

func TestBadNames(t *testing.T) {
	for _, name := range []string{"../x_gen.go", "/x_gen.go", "", ".", "a//b"} {
		b := newBox(t)
		if _, err := Write(b.root, []File{{name, []byte(goFile)}}, nil); err == nil {
			t.Errorf("%q was written", name)
		}
		if len(b.content()) > 0 {
			t.Errorf("%q: %v", name, b.content())
		}
	}
}

// TestAllRefusals names every file that is in the way at once.
func TestAllRefusals(t *testing.T) {
	b := newBox(t)
	b.put("tools_gen.go", "mine")
	b.put("exports/docs/x.md", "mine")
	_, err := Write(b.root, weatherFiles(), nil)
	if err == nil || !strings.Contains(err.Error(), "tools_gen.go") || !strings.Contains(err.Error(), "x.md") {
		t.Error(err)
	}
}

// TestTakenBack lets the disk refuse a later change: the earlier ones are
// undone, and no temporary file stays.
func TestTakenBack(t *testing.T) {
	refuse := change{name: "full", data: []byte("x"), mode: 0o644} // a folder that is not empty
	for _, c := range []struct {
		name string
		all  []change
	}{
		{"new file", []change{{name: "new/deep/a.json", data: []byte("new"), mode: 0o644}, refuse}},
		{"changed file", []change{{name: "old.json", data: []byte("new"), exists: true, old: []byte("old"), mode: 0o600}, refuse}},
		{"removed file", []change{{name: "old.json", exists: true, stale: true, old: []byte("old"), mode: 0o600}, refuse}},
		{"no folder", []change{{name: "old.json/x", data: []byte("new"), mode: 0o644}}},
		{"gone already", []change{{name: "a.json", data: []byte("new"), mode: 0o644}, {name: "gone", exists: true, stale: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.put("old.json", "old")
			b.put("full/x", "x")
			before := b.content()
			if err := apply(b.root, c.all); err == nil {
				t.Error("nothing failed")
			}
			b.same(before)
		})
	}
}

func TestDiff(t *testing.T) {
	disk := fstest.MapFS{}
	for _, f := range weatherFiles() {
		disk[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	if all, err := Diff(disk, weatherFiles()); len(all) > 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	disk["tools_gen.go"].Data = []byte(header + "\npackage old\n")
	disk["tool_gone_gen.go"] = &fstest.MapFile{Data: []byte(header)}
	disk["main.go"] = &fstest.MapFile{Data: []byte("package main")}
	delete(disk, "exports/docs/x.md")
	all, err := Diff(disk, weatherFiles())
	text := textOf(all)
	var kinds []string
	for _, c := range all {
		kinds = append(kinds, c.Name+" "+c.Kind.String())
	}
	if got := strings.Join(kinds, ", "); got != "exports/docs/x.md is missing, tool_gone_gen.go is left over, tools_gen.go is stale" {
		t.Error(got)
	}
	const want = "--- /dev/null\n+++ b/exports/docs/x.md\n@@ -0,0 +1 @@\n+# x\n" +
		"--- a/tool_gone_gen.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-// Code generated by sculpt. DO NOT EDIT.\n" +
		"--- a/tools_gen.go\n+++ b/tools_gen.go\n@@ -1,3 +1,3 @@\n // Code generated by sculpt. DO NOT EDIT.\n \n-package old\n+package nws\n"
	if text != want || err != nil {
		t.Errorf("%v, got\n%s\nwant\n%s", err, text, want)
	}
}

func TestDiffOfNothing(t *testing.T) {
	all, err := Diff(fstest.MapFS{}, weatherFiles())
	if err != nil || len(all) != 4 || slices.ContainsFunc(all, func(c Change) bool { return c.Kind != Missing }) {
		t.Errorf("%v\n%v", err, all)
	}
	all, err = Diff(fstest.MapFS{}, []File{{"empty_gen.go", nil}})
	if err != nil || textOf(all) != "--- /dev/null\n+++ b/empty_gen.go\n" {
		t.Errorf("%v\n%v", err, all)
	}
	b := newBox(t)
	b.link("nowhere", "tools_gen.go")
	if all, err := Diff(b.root.FS(), weatherFiles()); err == nil || len(all) > 0 {
		t.Errorf("a link gave %v, %v", all, err)
	}
}

func TestIndexNames(t *testing.T) {
	listed, ours := readIndex(indexOf([]File{{"a2t/x.v1.json", []byte("x\r\n")}}).Data)
	if !ours || len(listed) != 1 || !slices.Equal(listed[path.Join("exports", "a2t/x.v1.json")], []string{digest([]byte("x\n"))}) {
		t.Error(listed, ours)
	}
	for _, data := range []string{"", "{", "[]", "{}", `{"generator":"other","files":[{"path":"x","sha256":"y"}]}`} {
		if listed, ours := readIndex([]byte(data)); ours || listed != nil {
			t.Errorf("%q is taken for ours", data)
		}
	}
}
