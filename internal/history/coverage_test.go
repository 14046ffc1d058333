package history_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// An answer pins what it holds and an error its code; what is null or was edited
// since pins nothing.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		answers []string
		missing string
	}{
		{nil, "inputs.a outputs.summary outputs.days"},
		{[]string{`{"outputs": {"summary": "Rain.", "days": null}}`}, "outputs.days"},
		{[]string{`{"outputs": {"summary": "", "days": []}}`}, ""},
		{[]string{`{"error": {"kind": "no_result", "code": "gone"}}`}, "outputs.summary outputs.days"},
		{[]string{`{"error": {"kind": "no_result"}}`, `{"outputs": {"summary": "Rain."}}`}, "outputs.days"},
	} {
		files, _ := rehearsed(t, c.answers...)
		h, _ := history.Read(files, dir)
		all, findings := h.Coverage(h.Tools[0])
		if len(findings) > 0 || len(all) != 1 || all[0].Version != 1 {
			t.Fatalf("%+v, %s", all, said(findings))
		}
		if got := strings.Join(all[0].Missing(), " "); got != c.missing || got != strings.Join(h.Unpinned(tool), " ") {
			t.Errorf("%v: %s is missing, want %s", c.answers, got, c.missing)
		}
		if all[0].Pinned()+len(all[0].Missing()) != len(all[0].Promises) {
			t.Errorf("%d of %d, and %v is missing", all[0].Pinned(), len(all[0].Promises), all[0].Missing())
		}
		files, _ = inPieces(t, c.answers...)
		for name, f := range files {
			files[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(f.Data), "Rain", "Snow"))}
		}
		h, _ = history.Read(files, dir)
		if got := strings.Join(h.Unpinned(tool), " "); got != "inputs.a outputs.summary outputs.days" {
			t.Errorf("%v: edited, the examples pin all but %s", c.answers, got)
		}
	}
}
