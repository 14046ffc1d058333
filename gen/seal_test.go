package gen

import (
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// sealedFolder is the package p, generated and sealed, with the files of a
// module around it.
func sealedFolder(t *testing.T) fstest.MapFS {
	t.Helper()
	module := fstest.MapFS{
		"p/sculpt.yaml":             {Data: []byte("sculpt: 1\n")},
		"shared/api.yaml":           {Data: []byte("openapi: 3.0.3\n")},
		"p/history/x/v0001.json":    {Data: []byte("{}\n")},
		"p/released_x_gen.go":       {Data: []byte(goFile)},
		"p/old_gen.go":              {Data: []byte(goFile)},
		"p/history/x/v0002.json":    {Data: []byte("half")},
		"p/mine.go":                 {Data: []byte("package nws\n")},
		"p/exports/a2t/mine.v1.txt": {Data: []byte("mine")},
	}
	inputs := map[string]string{"sculpt.yaml": digest(module["p/sculpt.yaml"].Data), "../shared/api.yaml": digest(module["shared/api.yaml"].Data)}
	guard := header + "package nws\n"
	for name, sum := range inputs {
		guard += "\t\"" + name + "\": \"" + sum + "\",\n"
	}
	files := append(weatherFiles(), File{"compat_gen_test.go", []byte(guard)}, File{AttributesName, []byte(Attributes)})
	sealed := Sealed(module, "p", "p/sculpt.yaml", files, []string{"p/history/x/v0002.json"})
	for _, f := range sealed {
		module["p/"+f.Name] = &fstest.MapFile{Data: f.Data}
	}
	delete(module, "p/old_gen.go") // as Write does
	delete(module, "p/history/x/v0002.json")
	return module
}

func TestSealed(t *testing.T) {
	module := sealedFolder(t)
	if !Unchanged(module, "p", "p/sculpt.yaml") {
		t.Fatal("what was sealed has changed")
	}
	same := map[string]func(fstest.MapFS){
		"the vendor's files": func(m fstest.MapFS) {
			m["p/mine.go"].Data = []byte("package other\n")
			delete(m, "p/exports/a2t/mine.v1.txt")
		},
		"line ends":                func(m fstest.MapFS) { m["p/sculpt.yaml"].Data = []byte("sculpt: 1\r\n") },
		"line ends of the test":    func(m fstest.MapFS) { crlf(m["p/compat_gen_test.go"]) },
		"how git treats the files": func(m fstest.MapFS) { delete(m, "p/.gitattributes") },
		"another package":          func(m fstest.MapFS) { m["other/sculpt.yaml"] = &fstest.MapFile{} },
	}
	for name, change := range same {
		m := copyOf(module)
		if change(m); !Unchanged(m, "p", "p/sculpt.yaml") {
			t.Errorf("%s: it has changed", name)
		}
	}
	link := &fstest.MapFile{Mode: os.ModeSymlink, Data: []byte("x")}
	other := map[string]func(fstest.MapFS){
		"an input changed":         func(m fstest.MapFS) { m["shared/api.yaml"].Data = []byte("openapi: 3.0.4\n") },
		"an input is gone":         func(m fstest.MapFS) { delete(m, "shared/api.yaml") },
		"the manifest changed":     func(m fstest.MapFS) { m["p/sculpt.yaml"].Data = []byte("sculpt: 1 #\n") },
		"code was edited":          func(m fstest.MapFS) { m["p/tools_gen.go"].Data = []byte(goFile + "\n") },
		"code is gone":             func(m fstest.MapFS) { delete(m, "p/tools_gen.go") },
		"code was added":           func(m fstest.MapFS) { m["p/more_gen.go"] = &fstest.MapFile{Data: []byte(goFile)} },
		"code became a link":       func(m fstest.MapFS) { m["p/tools_gen.go"] = link },
		"a promise was edited":     func(m fstest.MapFS) { m["p/released_x_gen.go"].Data = []byte(goFile + "\n") },
		"a promise is gone":        func(m fstest.MapFS) { delete(m, "p/released_x_gen.go") },
		"a promise was added":      func(m fstest.MapFS) { m["p/released_y_gen.go"] = &fstest.MapFile{Data: []byte(goFile)} },
		"a document was edited":    func(m fstest.MapFS) { m["p/exports/a2t/x.v1.json"].Data = []byte("{\"a\":2}\n") },
		"a document is gone":       func(m fstest.MapFS) { delete(m, "p/exports/docs/x.md") },
		"a document became a link": func(m fstest.MapFS) { m["p/exports/docs/x.md"] = link },
		"the index was edited":     func(m fstest.MapFS) { m["p/exports/index.json"].Data = append(m["p/exports/index.json"].Data, '\n') },
		"the index is gone":        func(m fstest.MapFS) { delete(m, "p/exports/index.json") },
		"the index is damaged":     func(m fstest.MapFS) { m["p/exports/index.json"].Data = []byte("{") },
		"a record was edited":      func(m fstest.MapFS) { m["p/history/x/v0001.json"].Data = []byte("{ }\n") },
		"a record is gone":         func(m fstest.MapFS) { delete(m, "p/history/x/v0001.json") },
		"a record was added":       func(m fstest.MapFS) { m["p/history/x/v0002.json"] = &fstest.MapFile{} },
		"a record became a link":   func(m fstest.MapFS) { m["p/history/x/v0001.json"] = link },
		"something half written":   func(m fstest.MapFS) { m["p/"+temporaryName("x")] = &fstest.MapFile{} },
		"half written below":       func(m fstest.MapFS) { m["p/exports/"+temporaryName("x")] = &fstest.MapFile{} },
		"the test is gone":         func(m fstest.MapFS) { delete(m, "p/compat_gen_test.go") },
		"the test was edited":      func(m fstest.MapFS) { edit(m, "package nws", "package other") },
		"no seal":                  func(m fstest.MapFS) { edit(m, "Sealed", "Signed") },
		"another emission":         func(m fstest.MapFS) { edit(m, "Sealed: ", "Sealed: 9") },
		"a shorter seal":           func(m fstest.MapFS) { f := m["p/compat_gen_test.go"]; f.Data = f.Data[:len(f.Data)-2] },
		"a longer seal":            func(m fstest.MapFS) { f := m["p/compat_gen_test.go"]; f.Data = append(f.Data, '\n') },
	}
	for name, change := range other {
		m := copyOf(module)
		if change(m); Unchanged(m, "p", "p/sculpt.yaml") {
			t.Errorf("%s, and nothing has changed", name)
		}
	}
	if Unchanged(module, "p", "p/other.yaml") || Unchanged(module, "shared", "shared/sculpt.yaml") || Unchanged(module, "none", "none/sculpt.yaml") {
		t.Error("one package passes for another")
	}
}

// A file that another process changes while a package is generated is sealed as
// it was read, and so found by the next run.
func TestSealedAsRead(t *testing.T) {
	module := sealedFolder(t)
	guard := strings.Replace(string(module["p/compat_gen_test.go"].Data), digest(module["p/sculpt.yaml"].Data), digest([]byte("older")), 1)
	guard = guard[:strings.LastIndex(guard, sealMark)]
	files := append(weatherFiles(), File{"compat_gen_test.go", []byte(guard)})
	for _, f := range Sealed(module, "p", "p/sculpt.yaml", files, nil) {
		module["p/"+f.Name] = &fstest.MapFile{Data: f.Data}
	}
	if Unchanged(module, "p", "p/sculpt.yaml") {
		t.Error("a manifest that was not read passes for the one that was")
	}
}

// What cannot be sealed is written as it is.
func TestUnsealed(t *testing.T) {
	files := weatherFiles()
	if got := Sealed(sealedFolder(t), "p", "p/sculpt.yaml", files, nil); len(got) != len(files) {
		t.Error("a package without a test has another file")
	}
	guard := File{"compat_gen_test.go", []byte(header)}
	module := sealedFolder(t)
	module["p/history/x/link"] = &fstest.MapFile{Mode: os.ModeSymlink, Data: []byte("v0001.json")}
	for name, m := range map[string]fstest.MapFS{"no folder": {}, "a link in " + history.Folder: module} {
		for _, f := range Sealed(m, "p", "p/sculpt.yaml", append(files, guard), nil) {
			if strings.Contains(string(f.Data), "Sealed") {
				t.Errorf("%s: it is sealed", name)
			}
		}
	}
}

func copyOf(m fstest.MapFS) fstest.MapFS {
	out := maps.Clone(m)
	for name, f := range out {
		c := *f
		c.Data = append([]byte(nil), f.Data...)
		out[name] = &c
	}
	return out
}

func edit(m fstest.MapFS, old, text string) {
	f := m["p/compat_gen_test.go"]
	f.Data = []byte(strings.Replace(string(f.Data), old, text, 1))
}

func crlf(f *fstest.MapFile) {
	f.Data = []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
}
