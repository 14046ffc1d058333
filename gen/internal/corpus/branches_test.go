package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// branchesManifest has five steps: one, two branches of two behind it.
const branchesManifest = `sculpt: 1
package: branches
toolkit: Test
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: shop.yaml}}
tools:
  branches:
    version: 1
    description: Two branches.
    inputs: {name: {description: Name., max_length: 9}}
    steps:
      start: {call: shop.find_place, with: {name: '${input.name}'}}
      left: {call: shop.get_item, with: {id: '${start.total}'}}
      left_end: {call: shop.get_item, with: {id: '${left.id}'}}
      right: {call: shop.get_item, with: {id: '${start.total + 1}'}}
      right_end: {call: shop.get_item, with: {id: '${right.id}'}}
    outputs:
      answer: {value: '${left_end.name} and ${right_end.name}', description: Both.}
`

// branchesModule holds the generated package with its test and benchmark.
func branchesModule(t testing.TB) *golden.Module {
	t.Helper()
	shop, err := os.ReadFile(filepath.Join(golden.Root(t), "testdata", "cases", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	test, err := os.ReadFile(filepath.Join("testdata", "branches_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, files, findings := buildProgram(fstest.MapFS{"shop.yaml": {Data: shop}, "sculpt.yaml": {Data: []byte(branchesManifest)}}, ".")
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	m := golden.NewModule(t)
	for _, f := range files {
		m.Write("branches/"+f.Name, string(f.Data))
	}
	// The generated test holds the package against what it was made from.
	m.Write("branches/sculpt.yaml", branchesManifest)
	m.Write("branches/shop.yaml", string(shop))
	m.Write("branches/branches_test.go", string(test))
	return m
}

// TestBranchesCostTheLongestPath runs the test of the generated package.
func TestBranchesCostTheLongestPath(t *testing.T) {
	if out, err := branchesModule(t).Go("test", "./branches"); err != nil {
		t.Error(out, err)
	}
}

// BenchmarkBranches runs the benchmark of the generated package: what a call
// costs beside the longest path of its calls, and beside their sum.
func BenchmarkBranches(b *testing.B) {
	m := branchesModule(b)
	for b.Loop() {
		out, err := m.Go("test", "-run", "^$", "-bench", ".", "./branches")
		if err != nil {
			b.Fatal(out, err)
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "Benchmark") {
				b.Log(strings.TrimSpace(line))
			}
		}
	}
}
