package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Case is one archive of a folder of testdata:
//
//	sculpt.yaml        the manifest
//	*.yaml             its documents; shop.yaml of testdata/cases stands in for
//	                   one that the archive does not hold
//	documents.txt      documents that lie elsewhere, one per line: the name in
//	                   the case, and the path in the project (examples/...) or
//	                   in the shared test data
//	want-findings.txt  what is found, as the command line shows it
//	want/<file>        generated files, where the text itself matters
//	replay/*.json      exchanges, or
//	answers.txt        what a server on this machine answers, one JSON per line, and
//	calls.txt          calls of the tools: a name and its inputs as JSON, with
//	want-calls.txt     what is sent upstream and what is answered
//
// A case whose findings hold an error generates nothing; any other has to
// compile.
type Case struct {
	Name, Path string
	Archive    *txtar.Archive
	FS         fstest.MapFS
}

// Cases reads every case of a folder of testdata.
func Cases(t testing.TB, folder string) []*Case {
	t.Helper()
	testdata := filepath.Join(Root(t), "testdata")
	paths, err := filepath.Glob(filepath.Join(testdata, folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s (%v)", folder, err)
	}
	shop := read(t, filepath.Join(testdata, "cases", "shop.yaml"))
	var cases []*Case
	for _, p := range paths {
		archive, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		c := &Case{Name: strings.TrimSuffix(filepath.Base(p), ".txtar"), Path: p, Archive: archive}
		c.FS = fstest.MapFS{"shop.yaml": {Data: shop}}
		for _, f := range archive.Files {
			c.FS[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		c.addDocuments(t)
		cases = append(cases, c)
	}
	return cases
}

// addDocuments reads what documents.txt names.
func (c *Case) addDocuments(t testing.TB) {
	t.Helper()
	list := c.FS["documents.txt"]
	if list == nil {
		return
	}
	for line := range strings.Lines(string(list.Data)) {
		name, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		path := filepath.Join(Root(t), filepath.FromSlash(from))
		if !strings.HasPrefix(from, "examples/") {
			path = Shared(t, filepath.FromSlash(from))
		}
		c.FS[name] = &fstest.MapFile{Data: read(t, path)}
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Part returns a file of the archive, nil where there is none.
func (c *Case) Part(name string) []byte {
	for _, f := range c.Archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
