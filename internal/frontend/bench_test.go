package frontend_test

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// BenchmarkLint is what "sculpt lint" costs without starting the process: the
// weather manifest over its own documents, and two operations of a document
// of 7 MB.
func BenchmarkLint(b *testing.B) {
	b.Run("weather", func(b *testing.B) {
		root := os.DirFS(golden.Root(b))
		for b.Loop() {
			lint(b, root, "examples/nws")
		}
	})
	b.Run("github", func(b *testing.B) {
		document, err := os.ReadFile(golden.Shared(b, "openapi", "github.json"))
		if err != nil {
			b.Fatal(err)
		}
		fsys := fstest.MapFS{"sculpt.yaml": {Data: []byte(githubManifest)}, "github.json": {Data: document}}
		b.ReportAllocs()
		for b.Loop() {
			lint(b, fsys, ".")
		}
	})
}

func lint(b *testing.B, fsys fs.FS, path string) {
	if _, findings := frontend.Load(fsys, path); len(findings) > 0 {
		b.Fatal(findings)
	}
}

const githubManifest = `sculpt: 1
package: issues
toolkit: Issues
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis:
  github: {openapi: github.json}
tools:
  find_issues:
    version: 1
    description: Find the open issues of a repository with their labels.
    inputs:
      repo: {description: 'Owner and name, such as octocat/hello-world.', max_length: 140}
      label: {description: Only issues with this label., max_length: 50, optional: true}
    steps:
      issues:
        call: github.issues/list-for-repo
        with: {owner: '${input.repo.split("/")[0]}', repo: '${input.repo.split("/")[1]}', labels: '${input.label}', per_page: 50}
    outputs:
      issues:
        value: '${issues.filter(i, !has(i.pull_request)).map(i, {"number": i.number, "title": i.title})}'
        description: The issues.
        max_items: 20
  read_issue:
    version: 1
    description: Read one issue of a repository.
    inputs:
      repo: {description: 'Owner and name, such as octocat/hello-world.', max_length: 140}
      number: {type: int, min: 1, max: 1000000, description: The number of the issue.}
    call: github.issues/get
    with: {owner: '${input.repo.split("/")[0]}', repo: '${input.repo.split("/")[1]}', issue_number: '${input.number}'}
    outputs:
      title: {value: '${result.title}', description: Its title.}
      state: {value: '${result.state}', description: Open or closed.}
`
