package corpus_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const documentsHead = `# Published documents

Written by ` + "`make documents`" + ` on %s: every operation of %d published OpenAPI documents as a tool with one call, with values that are made from the
document. An operation is usable if openapi3filter, or where it cannot read the request a reader of our own, accepts what is sent against the
document, with its origin and the credential that it names, and if the tool that is generated and compiled reads a value of the answer. An answer
without a value, such as 204 or an object without members, says that the call ended well.

- *all bound*: the same call is sent as documented with all of its parameters and members of the body.
- *not read*: what is sent is accepted, and the answer has a form that nothing can be read of.
- *refused*: sculpt says with a finding that it cannot make the call. *wrong*: what is sent is not what the document says.

| document | operations | usable | %% | all bound | not read | refused | wrong |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

// writeDocuments writes the page of the rates: names of documents and numbers.
func writeDocuments(t *testing.T, runs []*documentRun, total *documentTally) {
	var b strings.Builder
	fmt.Fprintf(&b, documentsHead, time.Now().UTC().Format(time.DateOnly), len(runs))
	for _, r := range runs {
		b.WriteString(r.tally.row())
	}
	b.WriteString(total.row())
	if len(total.places) > 0 {
		b.WriteString("\n## Refused\n\n| document | place | rule |\n| --- | --- | --- |\n" + strings.Join(total.places, "\n") + "\n")
	}
	b.WriteString("\n## What openapi3filter does not read\n\nThese requests have the reader of our own as their only judge.\n\n| what it does not know | requests |\n| --- | ---: |\n")
	for _, why := range slices.Sorted(maps.Keys(total.unjudged)) {
		fmt.Fprintf(&b, "| %s | %d |\n", why, total.unjudged[why])
	}
	if err := os.WriteFile(filepath.Join(golden.Root(t), "docs", "documents.md"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c *documentTally) row() string {
	rate := "-"
	if c.all > 0 {
		rate = fmt.Sprintf("%.1f", 100*float64(c.usable)/float64(c.all))
	}
	return fmt.Sprintf("| %s | %d | %d | %s | %d | %d | %d | %d |\n", c.name, c.all, c.usable, rate, c.whole, c.beyond, c.refused, c.wrong)
}

// mostAllocated is what three operations of any document may allocate, in bytes.
const mostAllocated = 100 << 20

// TestThreeOperations generates a package for three operations of each document,
// however large it is, and bounds what is allocated for it.
func TestThreeOperations(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t))
	for _, file := range golden.Documents(t, fsys) {
		t.Run(path.Base(file), func(t *testing.T) {
			all, findings := spec.Index(fsys, file)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			if len(all) < 3 {
				return
			}
			tools := ""
			for i, s := range []spec.Summary{all[0], all[len(all)/2], all[len(all)-1]} {
				tools += fmt.Sprintf("  t%d: {version: 1, description: d, steps: {s: {call: %s}}, outputs: {o: {value: '${true}', description: d}}}\n", i, jsonText("a "+s.Method+" "+s.Path))
			}
			text := callsManifest(0, "  a: {openapi: "+jsonText(file)+", base_url: 'https://own.example'}\n", tools)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			m, findings := manifest.Parse("sculpt.yaml", []byte(text))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			set, _ := spec.Load(fsys, resolve.Sources(m))
			if p, _, findings := planned(text, set); !findings.HasErrors() {
				if _, err := golang.Emit(p); err != nil {
					t.Fatal(err)
				}
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			n := after.TotalAlloc - before.TotalAlloc
			if t.Logf("%d MB in %v", n>>20, took.Round(time.Millisecond)); n > mostAllocated {
				t.Errorf("%d bytes are allocated for three operations", n)
			}
		})
	}
}
