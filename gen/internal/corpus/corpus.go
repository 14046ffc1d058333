// Package corpus tests the back end as a whole, over the cases of testdata and
// the packages of the project, and lends them to the tests of its parts: a part
// whose own tests do not notice a change is a part that nobody can edit.
//
//	func TestCorpus(t *testing.T) { corpus.Check(t, corpus.IsGo) }
//
// It is imported by tests only.
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// packages are built beside the cases, by their folders: what is released, and
// what holds every form that a manifest can have.
var packages = []string{"examples/nws", "examples/clinic", "bench/fixture", "gen/internal/corpus/testdata/rich"}

// Build makes everything that the back end makes of the cases and packages, by
// case and name: the digests of what a package is made from, its files, below "released" those of the same
// package after two releases, and below "broken" what stands in for one.
func Build(t testing.TB) map[string]string {
	t.Helper()
	golden.NotRaced(t) // one thing after the other, and a lot of it
	out := map[string]string{}
	for _, c := range golden.Cases(t, "cases") {
		build(t, out, c.Name, c.FS, ".")
	}
	root := os.DirFS(golden.Root(t))
	for _, dir := range packages {
		build(t, out, path.Base(dir), root, dir)
	}
	return out
}

func build(t testing.TB, out map[string]string, name string, fsys fs.FS, dir string) {
	t.Helper()
	project, findings := frontend.Load(fsys, dir)
	out[name+"/inputs"] = fmt.Sprint(project.Inputs())
	if findings.HasErrors() {
		f, err := gen.Broken(&ir.Program{Package: "broken"}, findings)
		if err != nil {
			t.Fatal(err)
		}
		out[name+"/broken/"+f.Name] = string(f.Data)
		return
	}
	files, more := gen.Generate(project.Program, gen.Options{Guard: project.Promises()})
	findings = append(findings, more...)
	add(out, name, files, findings)
	if findings.HasErrors() {
		return
	}
	anchors := release(project.Program)
	files, findings = gen.Generate(project.Program, gen.Options{})
	frozen, err := gen.Freeze(project.Program, anchors)
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f gen.File) bool { return path.Ext(f.Name) != ".go" })
	add(out, name+"/released", append(files, frozen...), findings)
}

func add(out map[string]string, name string, files []gen.File, findings diag.List) {
	for _, f := range files {
		out[name+"/"+f.Name] = string(f.Data)
	}
	for _, f := range findings {
		out[name+"/findings"] += fmt.Sprintf("%s: %s[%s]: %s: %s\n", f.Span, f.Severity, f.Rule, f.Message, f.Fix)
	}
}

// release makes a program one whose tools were released twice and changed
// since: the first release knew one input less, the second one has a chain of
// its own and narrower texts.
func release(program *ir.Program) (anchors map[string]string) {
	anchors = map[string]string{}
	for _, t := range program.Tools {
		first, second := *t.Signature, *t.Signature
		first.Inputs = slices.Clone(first.Inputs[:max(0, len(first.Inputs)-1)])
		first.Version, second.Version = 1, 2
		second.Inputs = slices.Clone(second.Inputs)
		for i := range second.Inputs {
			second.Inputs[i].MaxLength /= 2
			second.Inputs[i].Default = nil
		}
		t.Released, t.Signature.Version = []*signature.Signature{&first, &second}, 3
		t.Frozen = append(t.Frozen, &ir.Frozen{Version: 2, Effects: second.Effects, Plan: t.Plan, Inputs: second.Inputs, Outputs: second.Outputs})
		anchors[t.Signature.Name] = t.Signature.Name + " v2 of the corpus"
	}
	return anchors
}
