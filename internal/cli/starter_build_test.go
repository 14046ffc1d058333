package cli

import (
	"fmt"
	"os"
	"path"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// What is generated of first manifests builds: an operation of each published document, all in one
// module, because the compiler is what takes the time.
func TestStarterBuilds(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t))
	m := golden.NewModule(t)
	built := 0
	for i, name := range golden.Documents(t, fsys) {
		summaries, findings := spec.Index(fsys, name)
		if findings.HasErrors() || len(summaries) == 0 {
			continue
		}
		s := summaries[len(summaries)/2]
		st := &start{dir: ".", document: name, module: "example.com/x", pkg: fmt.Sprintf("tools%d", i), api: "api", baseURL: "https://api.example"}
		doc, findings := st.load(fsys, summaries, []spec.Want{{Method: s.Method, Path: s.Path}})
		if findings.HasErrors() || len(doc.Operations) == 0 {
			continue
		}
		files := map[string][]byte{frontend.ManifestName: []byte(newStarter(st, doc).manifest().whole)}
		p := generate(&draft{FS: fsys, files: files}, frontend.ManifestName, &place{root: "/", cwd: "/"})
		if p.findings.HasErrors() {
			continue // TestStarterOverCorpus counts them
		}
		for _, f := range p.files {
			m.Write(path.Join(st.pkg, f.Name), string(f.Data))
		}
		built++
	}
	if out, err := m.Go("vet", "./..."); err != nil || built < 20 {
		t.Errorf("%d packages: %v\n%s", built, err, out)
	}
}
