package nws_test

import (
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/conform"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestConforms: the example misses no MUST and no SHOULD of any protocol in any
// shape, with calls that are answered and, where the protocol keeps them apart
// from refusals, one whose tool fails.
func TestConforms(t *testing.T) {
	tools := toolsOver(t, recorded(t))
	invoke := []conform.Invocation{
		{Tool: "lookup_weather_by_city", Inputs: map[string]any{"city": "Omaha, Nebraska"}},
		{Tool: "list_active_alerts_by_state", Inputs: map[string]any{"state": "NE"}},
	}
	fails := append(slices.Clone(invoke), conform.Invocation{Tool: "lookup_weather_by_city", Inputs: map[string]any{"city": "Zzyzxburg"}})
	for _, c := range []struct {
		protocol string
		shape    serve.OTCShape
		path     string
		invoke   []conform.Invocation
	}{
		{"a2t", serve.OTCShapeDual, "/a2t", invoke}, {"nact", serve.OTCShapeDual, "/nact", invoke}, {"atdf", serve.OTCShapeDual, "/atdf", nil},
		{"otc", serve.OTCShapeDual, "/otc", fails}, {"otc", serve.OTCShape10, "/otc", fails}, {"otc", serve.OTCShapeOXP10, "/otc", fails},
		{"oxp", serve.OTCShapeDual, "/otc", fails}, {"oxp", serve.OTCShape10, "/otc", fails}, {"oxp", serve.OTCShapeOXP10, "/otc", fails},
	} {
		h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)), serve.WithOTCShape(c.shape),
			serve.WithProtocols(serve.ProtocolA2T, serve.ProtocolNACT, serve.ProtocolOTC, serve.ProtocolATDF))
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		base, err := url.Parse(server.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		report, err := conform.Server(t.Context(), c.protocol, base, conform.Options{Invoke: c.invoke})
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		missesNothing(t, report)
	}
}

// missesNothing wants no clause that fails, and a verdict for most of them.
func missesNothing(t *testing.T, report *conform.Report) {
	t.Helper()
	for _, x := range report.Results {
		if x.Verdict == conform.Fail {
			t.Errorf("%s: %s: %s", x.ID, x.Gist, x.Saw)
		} else if x.Verdict == conform.NotChecked && x.Unchecked == "" {
			t.Logf("%s is not checked: %s", x.ID, x.Saw)
		}
	}
	if n := report.Count(); n.Passed < 10 {
		t.Errorf("%s: only %d clauses pass", report.Protocol, n.Passed)
	}
}

// TestProgramsConform builds the programs of the examples, and sculpt, and judges
// them by ATIP.
func TestProgramsConform(t *testing.T) {
	for _, pkg := range []string{"./examples/nws/cmd/nws", "./examples/clinic/cmd/clinic", "./cmd/sculpt"} {
		program := filepath.Join(t.TempDir(), filepath.Base(pkg))
		build := exec.Command("go", "build", "-o", program, pkg)
		build.Dir = golden.Root(t)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		report, err := conform.Program(t.Context(), program)
		if err != nil {
			t.Fatal(err)
		}
		missesNothing(t, report)
	}
}
