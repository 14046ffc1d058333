package cli

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// The manifests that the examples of keys come from have no finding, and the code
// that is generated of them compiles.
func TestReferenceManifests(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(filepath.Join(golden.Root(t), "internal", "manifest"))
	m := golden.NewModule(t)
	for _, dir := range []string{"reference", "reference/released"} {
		p := generate(fsys, dir, &place{root: "/", cwd: "/"}, frontend.AsOf("2026-11-22"))
		if len(p.findings) > 0 {
			t.Errorf("%s: %v", dir, p.findings)
			continue
		}
		for _, f := range p.files {
			m.Write(path.Join(dir, f.Name), string(f.Data))
		}
	}
	if out, err := m.Go("vet", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
