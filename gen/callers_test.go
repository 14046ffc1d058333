package gen_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// rich is a package with every form that a manifest can have, edited.
func rich(t *testing.T, edits ...string) *ir.Program {
	t.Helper()
	const dir = "internal/corpus/testdata/rich/"
	files := fstest.MapFS{}
	for _, name := range []string{"sculpt.yaml", "shop.yaml"} {
		data, err := os.ReadFile(dir + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: []byte(strings.NewReplacer(edits...).Replace(string(data)))}
	}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return p.Program
}

// Callers of a package's own tools are there where the manifest wants them, with a
// method for each tool and a reader for every struct of an answer.
func TestCallers(t *testing.T) {
	for edit, want := range map[string]bool{"sculpt: 1\n": false, "sculpt: 1\nclient: true\n": true, "sculpt: 1\nclient: false\n": false} {
		files, findings := gen.Generate(rich(t, "sculpt: 1\n", edit), gen.Options{})
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		there := false
		for _, f := range files {
			if f.Name == "client_gen.go" {
				there = true
				golden.Text(t, "testdata/client.txt", string(f.Data))
			}
		}
		if there != want {
			t.Errorf("%q: callers are there: %v", edit, there)
		}
	}
}

// What a registry is told of a program, with all that it can be told, and with the
// least.
func TestServerJSON(t *testing.T) {
	var b strings.Builder
	for _, l := range []gen.Listing{
		{Name: "com.example/rich", Version: "1.2.3", Description: "A shop.", Bundle: "https://shop.example/rich.mcpb", Digest: "00ff", Remotes: []string{"https://shop.example/mcp", "https://eu.shop.example/mcp"}},
		{Name: "com.example/rich", Version: "1.2.3", Remotes: []string{"https://shop.example/mcp"}}, {Name: "com.example/rich", Version: "1.2.3", Description: strings.Repeat("A very long description. ", 10)},
	} {
		for _, p := range []*ir.Program{rich(t), load(t, "library", manifest)} {
			f := gen.ServerJSON(p, l)
			b.WriteString("== " + f.Name + "\n" + string(f.Data) + "\n")
		}
	}
	golden.Text(t, "testdata/server.txt", b.String())
}
