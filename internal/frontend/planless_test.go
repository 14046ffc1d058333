package frontend_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// A release whose plan is not there, or is not what was released, keeps no chain,
// and what is wrong comes first, where it can be repaired.
func TestFreezeWithoutPlan(t *testing.T) {
	planless := fstest.MapFS{"sculpt.yaml": {Data: []byte(first)}, "shop.yaml": {Data: []byte(frozenDocument)}}
	p, _ := frontend.Load(planless, ".")
	record, err := p.History.Next(frontend.Side(p.Program.Tools[0]), history.Options{}, "2026-11-01", history.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	planless[record.Name] = &fstest.MapFile{Data: record.Data}
	const file = "history/find/v0001.json"
	edited := released(t)
	edited[file] = &fstest.MapFile{Data: bytes.Replace(edited[file].Data, []byte(`"outputs":{"kind"`), []byte(`"outputs":{"kinds"`), 1)}
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"released without one": {planless, `sculpt.yaml:10:14 freeze-impossible "find": v1 of "find" was released without a plan (take it out of the list)`},
		"edited":               {edited, `history/find/v0001.json:30:11 history-tampered "find": the plan of v1 is not the one that was released (restore it: git checkout $(git log --diff-filter=A --format=%h -- history/find/v0001.json | tail -1) -- history/find)`},
	} {
		p, findings := frontend.Load(with(c.files, "    version: 1\n", frozenTwo+"[1]\n"), ".")
		if got, _, _ := strings.Cut(told(findings), "\n"); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
		if name == "released without one" && len(findings) != 1 {
			t.Errorf("%s: %v", name, findings)
		}
		if n := len(p.Program.Tools[0].Frozen); n > 0 {
			t.Errorf("%s: %d chains are kept", name, n)
		}
	}
}
