package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// TestOdd holds what is read of a document with what hardly anybody writes: all
// that is understood of it, and all that is found.
func TestOdd(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"odd.yaml", "odd.json"} {
		fsys := fstest.MapFS{name: {Data: []byte(file(t, name))}}
		summaries, findings := spec.Index(fsys, name)
		source := spec.Source{API: "odd", File: name}
		for _, s := range summaries {
			source.Wants = append(source.Wants, spec.Want{Method: s.Method, Path: s.Path})
		}
		set, more := spec.Load(fsys, []spec.Source{source})
		excerpt, last := spec.Excerpt(fsys, source)
		all.WriteString("== " + name + "\n" + front.Findings(fsys, findings) + front.Dump(summaries) + front.Findings(fsys, more) + front.Dump(set) + string(excerpt) + "\n" + front.Findings(fsys, last))
	}
	golden.Text(t, "testdata/odd.txt", all.String())
}
