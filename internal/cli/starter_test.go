package cli

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

var updateStarters = flag.Bool("starters", false, "rewrite testdata/starters.txt")

// starterDocuments are the documents of the project that init is tried on.
var starterDocuments = []string{
	"examples/nws/openapi/geocoding.yaml", "examples/nws/openapi/nws.yaml", "testdata/openapi/library.yaml", "testdata/cases/shop.yaml",
	"internal/cli/testdata/places/openapi.yaml", "internal/cli/rules/openapi.yaml",
	"internal/spec/testdata/documents/modern.yaml", "internal/spec/testdata/documents/swagger.yaml",
}

var anyNamespace = regexp.MustCompile(`namespace: [0-9a-f-]{36}`)

// TestStarters compares the first manifests of all operations of the project's own
// documents with testdata/starters.txt, together with what is found in them.
// Read the difference before you accept it with -starters.
func TestStarters(t *testing.T) {
	var out strings.Builder
	for _, name := range starterDocuments {
		fsys, base := os.DirFS(filepath.Join(golden.Root(t), path.Dir(name))), path.Base(name)
		summaries, findings := spec.Index(fsys, base)
		if findings.HasErrors() {
			t.Fatalf("%s: %v", name, findings)
		}
		for i, s := range summaries {
			fmt.Fprintf(&out, "=== %s: %s %s\n", name, s.Method, s.Path)
			st := &start{dir: ".", document: base, module: "example.com/x", pkg: "tools", api: "api"}
			doc, findings := st.load(fsys, summaries, []spec.Want{{Method: s.Method, Path: s.Path}})
			if findings.HasErrors() || len(doc.Operations) == 0 {
				fmt.Fprintln(&out, "(cannot be read)")
				continue
			}
			if st.needsServer(doc.Operations[0]) != nil {
				st.baseURL = "https://api.example"
			}
			text := newStarter(st, doc).manifest()
			p := generate(&draft{FS: fsys, files: map[string][]byte{"sculpt.yaml": []byte(text.whole)}}, "sculpt.yaml", &place{root: "/", cwd: "/"})
			out.WriteString(anyNamespace.ReplaceAllString(text.whole, "namespace: <new>"))
			for _, f := range p.findings {
				fmt.Fprintf(&out, "--- %s: %s[%s]: %s\n", f.Span, f.Severity, f.Rule, f.Message)
			}
			if i == 0 {
				fmt.Fprintf(&out, "--- where there is a manifest already:\n%s", text.added)
			}
		}
	}
	const file = "testdata/starters.txt"
	if *updateStarters {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
