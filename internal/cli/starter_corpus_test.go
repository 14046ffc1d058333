package cli

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Of every real document some operations: the first manifest of nearly each
// of them must be right at once. The others are refused by init, which then
// writes nothing.
func TestStarterOverCorpus(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t, "openapi"))
	names, err := fs.Glob(fsys, "*.*")
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	rules := map[string]int{}
	for _, name := range names {
		if strings.HasSuffix(name, ".md") {
			continue
		}
		summaries, findings := spec.Index(fsys, name)
		if findings.HasErrors() {
			t.Errorf("%s: %v", name, findings)
			continue
		}
		step := max(1, len(summaries)/5)
		for i := 0; i < len(summaries); i += step {
			s := summaries[i]
			st := &start{dir: ".", document: name, module: "example.com/x", pkg: "tools", api: "api"}
			set, findings := spec.Load(fsys, []spec.Source{{API: "api", File: name, Wants: []spec.Want{{Method: s.Method, Path: s.Path}}}})
			if findings.HasErrors() || len(set.APIs["api"].Operations) == 0 {
				continue
			}
			all++
			if st.needsServer(set.APIs["api"]) != nil {
				st.baseURL = "https://api.example"
			}
			text := newStarter(st, set.APIs["api"]).manifest().whole
			p := generate(&draft{FS: fsys, files: map[string][]byte{"sculpt.yaml": []byte(text)}}, "sculpt.yaml", &place{root: "/", cwd: "/"})
			if !p.findings.HasErrors() {
				right++
				continue
			}
			f := p.findings[slices.IndexFunc(p.findings, func(f diag.Finding) bool { return f.Severity == 0 })]
			rules[f.Rule.String()]++
			if rules[f.Rule.String()] <= 4 {
				t.Logf("%s %s %s: %s: %s\n%s", name, s.Method, s.Path, f.Rule.String(), f.Message, excerpt(text, f.Span.Start.Line))
			}
		}
	}
	t.Logf("%d of %d operations, refused: %v", right, all, rules)
	if all == 0 || right*100 < all*96 {
		t.Errorf("only %d of %d first manifests are right", right, all)
	}
}

func excerpt(text string, line int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-4):min(len(lines), line+3)], "\n")
}
