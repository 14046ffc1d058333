// Package frontend turns one manifest and its OpenAPI documents into a typed
// program. It runs the front end from end to end:
//
//	project, findings := frontend.Load(os.DirFS("."), "examples/nws")
//	if !findings.HasErrors() {
//		files, findings := gen.Generate(project.Program, gen.Options{})
//	}
//
// Load is a pure function of the file system that it is given, which also is
// the jail: nothing outside it is read, and the network never. Paths in
// findings are those of the file system.
//
// The package imports diag, types, manifest, spec, resolve, ir, meaning, signature,
// compat and history. It may import neither the run time nor anything of the back end.
package frontend

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// ManifestName is the name of the manifest in a package folder.
const ManifestName = "sculpt.yaml"

// A Project is one package folder: its manifest and what became of it. Stages
// that did not run leave their member nil.
type Project struct {
	// Dir is the package folder and ManifestPath the manifest, as paths of the
	// file system.
	Dir, ManifestPath string
	Manifest          *manifest.Manifest
	Set               *spec.Set
	// Program is complete only if there were no errors.
	Program *ir.Program
	// History holds the releases; it is there once the program has no errors.
	History *history.History
	// rules are the rule sets of the tools.
	rules resolve.RulesOf
	// overlays are those of each api, with their texts.
	overlays map[string][]spec.Overlay
	// frozen are the releases that keep their own chain.
	frozen []*frozenPlan
	// replans say what has become of the plans of the newest releases, by tool.
	replans map[string]*compat.Replan
	// replanned are the places where those plans begin to differ.
	replanned map[string]diag.Span
	// frozenFiles are the Go files that releases write, and anchors what those
	// know of the history; misnamed are those of another Go package.
	frozenFiles map[string]string
	anchors     map[string]history.Anchor
	misnamed    map[string]bool
	// Files are the manifest and every document that was read, references to
	// further files included, sorted by path.
	Files []File
}

// A File is an input of the project.
type File struct {
	Path string
	// Digest is the SHA-256 of the text in hexadecimal, with line feeds alone
	// at the ends of lines.
	Digest string
}

// Inputs returns the digests of all files by their path from the package
// folder: what generated code is made from.
func (p *Project) Inputs() map[string]string {
	inputs := map[string]string{}
	for _, f := range p.Files {
		inputs[relative(p.Dir, f.Path)] = f.Digest
	}
	return inputs
}

// Load reads the project at name, which is a package folder or a manifest
// file inside fsys. A manifest that cannot be read ends it; anything else is
// reported together, of documents and manifest. The project is never nil and
// holds what could be built.
//
// Dates are not judged unless the options say so: what was generated yesterday
// can be generated today.
func Load(fsys fs.FS, name string, options ...Option) (*Project, diag.List) {
	p := &Project{}
	var findings diag.List
	if p.Dir, p.ManifestPath, findings = Locate(fsys, name); findings.HasErrors() {
		return p, findings
	}
	files := newRecorder(fsys)
	defer func() { p.Files = files.list() }()

	if findings = p.readManifest(fsys, files); findings.HasErrors() {
		return p, findings.Sorted()
	}
	var more diag.List
	sources, missing := documents(fsys, p.Dir, resolve.Sources(p.Manifest))
	missing = append(missing, p.readOverlays(fsys, files, sources)...)
	p.Set, more = spec.Load(files, sources)
	findings = append(append(findings, missing...), more...)
	// What a document did not give has the poisoned type, so the rest of the
	// manifest can be checked in the same run.
	// What a tool leaves unsaid means what its first release says.
	releases, unread := history.Read(fsys, path.Join(p.Dir, HistoryFolder))
	p.rules = p.rulesBy(releases)
	p.Program, more = resolve.Program(p.Manifest, p.Set, p.rules)
	if findings = append(findings, more...); p.whole(findings) {
		p.History = releases
		findings = append(append(findings, unread...), p.judge(fsys, options)...)
	}
	if choices(options).verbose {
		findings = append(findings, p.notServed()...)
	}
	return p, withoutIgnored(p.Manifest, findings).Sorted()
}

// whole reports whether the program can be held against its releases. An example
// that is wrong says nothing of what a call looks like, and must not hide a break.
func (p *Project) whole(findings diag.List) bool {
	var examples []diag.Span
	for _, t := range p.Manifest.Tools {
		for _, e := range t.Examples {
			examples = append(examples, e.Span)
		}
	}
	return !slices.ContainsFunc(findings, func(f diag.Finding) bool {
		return f.Severity == diag.Error && !slices.ContainsFunc(examples, func(e diag.Span) bool { return e.Contains(f.Span) })
	})
}

// Locate finds the manifest that name means, and the folder it is in.
func Locate(fsys fs.FS, name string) (dir, manifest string, findings diag.List) {
	clean := path.Clean(name)
	if !fs.ValidPath(clean) {
		findings.Errorf(ruleManifest, diag.Span{}, "name a package folder or its "+ManifestName, "%q is outside of the module", name)
		return "", "", findings
	}
	info, err := fs.Stat(fsys, clean)
	if err != nil {
		near := diag.DidYouMean(path.Base(clean), siblings(fsys, path.Dir(clean)))
		findings.Errorf(ruleManifest, diag.Span{File: clean}, "name a package folder or its "+ManifestName, "%q cannot be read: %s%s", clean, cause(err), near)
		return "", "", findings
	}
	if !info.IsDir() {
		return path.Dir(clean), clean, nil
	}
	manifest = path.Join(clean, ManifestName)
	if _, err := fs.Stat(fsys, manifest); errors.Is(err, fs.ErrNotExist) {
		near := diag.DidYouMean(ManifestName, siblings(fsys, clean))
		findings.Errorf(ruleManifest, diag.Span{File: manifest}, "name a package folder or its manifest", "the folder has no %s%s", ManifestName, near)
	}
	return clean, manifest, findings
}

// siblings are the names of the files in a folder, none if it cannot be read.
func siblings(fsys fs.FS, dir string) []string {
	entries, _ := fs.ReadDir(fsys, dir) // what was read before an error is as good
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// cause is the error of a file system in words that are the same on every disk.
func cause(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	return diag.Cause(err).Error()
}
