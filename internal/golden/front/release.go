package front

import (
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// Release returns the records of a release of all tools that have none.
func Release(t testing.TB, p *Project) fstest.MapFS {
	t.Helper()
	project, findings := frontend.Load(p.FS, p.Dir)
	if findings.HasErrors() {
		t.Fatal(p.Name, findings)
	}
	out := fstest.MapFS{}
	for _, tool := range project.Program.Tools {
		if tool.Signature.Version > 1 || project.History.Of(tool.Signature) != nil {
			continue
		}
		record, err := project.History.Next(frontend.Side(tool), history.Options{}, "2026-11-21", history.Evidence{})
		if err != nil {
			t.Fatal(err)
		}
		out[record.Name] = &fstest.MapFile{Data: record.Data}
	}
	return out
}
