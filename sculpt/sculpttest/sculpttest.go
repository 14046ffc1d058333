// Package sculpttest holds a generated package against its releases, and against
// what it was generated from. The generated test compat_gen_test.go calls it:
//
//	func TestSculptCompat(t *testing.T) {
//		sculpttest.Test(t, &sculpttest.Package{
//			Manifest: "sculpt.yaml",
//			Files:    os.DirFS("."),
//			Read:     os.ReadFile,
//		})
//	}
//
// It imports the standard library and internal/history only, since vendors' tests
// import it.
package sculpttest

import (
	"encoding/json"
	"io/fs"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// A T is what [Test] needs of *testing.T: importing package testing would put
// its flags into programs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// A Package is what a generated package knows of itself: what it was made
// from, and what it promises.
type Package struct {
	// Manifest is the name of the manifest in the package folder.
	Manifest string
	// Inputs are the digests of the manifest and of all documents, Code those
	// of the generated files: SHA-256 in hexadecimal, over lines that end in a
	// line feed. Paths begin at the package folder.
	Inputs, Code map[string]string
	// Heads are the newest releases that the code was generated with, by the
	// name of the tool.
	Heads map[string]Anchor
	// Levels are the levels that the manifest gives single rules, by their ids.
	Levels map[string]string
	// Tools are those of the manifest.
	Tools []Current
	// Files is the package folder; Read reads a file that may lie outside of
	// it.
	Files fs.FS
	Read  func(name string) ([]byte, error)
	// Call answers an example with the chain of the package, from recorded
	// answers; nil calls none.
	Call func(*Example) ([]byte, error)
}

// An Anchor names the newest release of a tool.
type Anchor struct {
	Version int
	// Digest is sha256: and the SHA-256 of its record in hexadecimal.
	Digest string
}

// A Current is a tool as the generated code serves it, in the form of records.
type Current struct {
	// Signature and Contract are the two halves of what is locked.
	Signature, Contract string
	// Policy is the name of the policy, Accept the accept entries in the form
	// of records.
	Policy, Accept string
	// Places has the place of each part in the manifest: "inputs.city
	// 12:7-12:11", a line each.
	Places string
}

// An Example is a recorded call of a release.
type Example struct {
	// Tool is the name that the tool has now.
	Tool    string
	Version int
	// Inputs is a JSON object.
	Inputs json.RawMessage
	// Exchanges are replay files, one for each request.
	Exchanges []json.RawMessage
}

// Test holds a generated package against its history and against what it was
// generated from, and fails the test with what "sculpt check" would report, in
// the words of the command line.
//
// It reads the history as it is on disk, and not as it was when the code was
// generated: a record that was added, edited or deleted since is a finding.
func Test(t T, p *Package) {
	t.Helper()
	history.Test(t, p.internal())
}

// internal is the package as the check sees it.
func (p *Package) internal() *history.Package {
	out := &history.Package{
		Manifest: p.Manifest, Inputs: p.Inputs, Code: p.Code, Levels: p.Levels, Files: p.Files, Read: p.Read,
		Heads: make(map[string]history.Anchor, len(p.Heads)),
	}
	for tool, a := range p.Heads {
		out.Heads[tool] = history.Anchor(a)
	}
	for _, t := range p.Tools {
		out.Tools = append(out.Tools, history.Current(t))
	}
	if p.Call != nil {
		out.Call = func(e *history.Example) ([]byte, error) {
			return p.Call(&Example{Tool: e.Tool, Version: e.Version, Inputs: e.Inputs, Exchanges: e.Exchanges})
		}
	}
	return out
}
