// Package sculpt is the generator as a library: it loads the manifest of a
// package folder with its documents and releases, generates the package in
// memory, and checks it against what was released.
//
//	project, findings := sculpt.Load(os.DirFS("."), "weather")
//	files, more := project.Generate()
//
// The command line does more, and is what most programs should call. This package
// is not stable yet: its names may change in any version. It writes nothing.
package sculpt

import (
	"io/fs"
	"slices"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// A Severity says how much a [Finding] matters.
type Severity uint8

const (
	// SeverityError keeps anything from being generated.
	SeverityError Severity = iota
	// SeverityWarning is about what works and is probably not meant.
	SeverityWarning
	// SeverityNote tells of a change that harms nobody.
	SeverityNote
)

// A Place is a part of a file. Lines and columns count from 1, columns in
// characters; all of them are 0 for a file as a whole.
type Place struct {
	File                       string
	Line, Col, EndLine, EndCol int
}

// A Related place explains a [Finding].
type Related struct {
	Place Place
	Text  string
}

// A Finding is one mistake, or one thing to know.
type Finding struct {
	// Rule is the stable id of the rule, in words: "unknown-field".
	Rule     string
	Severity Severity
	Message  string
	Place    Place
	// Fix says what to do, in words to follow or text to paste.
	Fix     string
	Related []Related
	// Tool names the tool concerned, where there is one.
	Tool string
}

// A File is a generated file; its name is relative to the package folder, with
// slashes.
type File struct {
	Name string
	Data []byte
}

// A Tool is what a manifest promises of one tool.
type Tool struct {
	Name    string
	Version int
	// Released lists the versions that callers rely on, ascending.
	Released []int
}

// An Option steers [Load] and [Check].
type Option struct{ of frontend.Option }

// AsOf judges dates, such as the end of an accept entry, by a day (YYYY-MM-DD).
// Without it no date counts, so that the same files always give the same
// findings.
func AsOf(day string) Option { return Option{frontend.AsOf(day)} }

// A Project is a package folder that was loaded.
type Project struct {
	fsys   fs.FS
	loaded *frontend.Project
	// sound says that nothing keeps the package from being generated, quiet that
	// nothing was found at all.
	sound, quiet bool
}

// Load reads the project at name, which is a package folder or a manifest file
// inside fsys; fsys should be the root of the Go module, since nothing outside of
// it is read. All mistakes are found in one run. The project is never nil and
// holds what could be built.
func Load(fsys fs.FS, name string, options ...Option) (*Project, []Finding) {
	loaded, findings := frontend.Load(fsys, name, internal(options)...)
	return &Project{fsys, loaded, !findings.HasErrors(), len(findings) == 0}, published(findings)
}

// Check reports how the manifest at name would break callers of its releases, and
// what else keeps it from being judged.
func Check(fsys fs.FS, name string, options ...Option) []Finding {
	_, findings := frontend.Load(fsys, name, append(internal(options), frontend.NewestOnly())...)
	return published(slices.DeleteFunc(findings, func(f diag.Finding) bool {
		_, compatibility := compat.RuleOf(f.Rule.String())
		return !compatibility && f.Severity != diag.Error
	}))
}

// Generate makes all files of the package, sorted by name. There are none if the
// manifest has errors, of which Load tells, or if generating finds more.
func (p *Project) Generate() ([]File, []Finding) {
	if !p.sound {
		return nil, nil
	}
	files, findings := gen.Generate(p.loaded.Program, gen.Options{Guard: p.loaded.Promises()})
	if p.quiet && len(findings) == 0 {
		files = gen.Sealed(p.fsys, p.loaded.Dir, p.loaded.ManifestPath, files, p.loaded.History.Leftovers())
	}
	var out []File
	for _, f := range files {
		out = append(out, File(f))
	}
	return out, published(findings)
}

// Tools lists the tools of the manifest by name, as far as it could be read.
func (p *Project) Tools() []Tool {
	if p.loaded.Program == nil {
		return nil
	}
	var out []Tool
	for _, t := range p.loaded.Program.Tools {
		tool := Tool{Name: t.Signature.Name, Version: t.Signature.Version}
		for _, released := range t.Released {
			tool.Released = append(tool.Released, released.Version)
		}
		out = append(out, tool)
	}
	return out
}

// Inputs returns the SHA-256 digests of all files that were read, in hexadecimal,
// by their path from the package folder.
func (p *Project) Inputs() map[string]string { return p.loaded.Inputs() }

func internal(options []Option) []frontend.Option {
	var out []frontend.Option
	for _, o := range options {
		out = append(out, o.of)
	}
	return out
}

var severities = map[diag.Severity]Severity{diag.Error: SeverityError, diag.Warning: SeverityWarning, diag.Note: SeverityNote}

func published(findings diag.List) []Finding {
	var out []Finding
	for _, f := range findings.Sorted() {
		finding := Finding{
			Rule: f.Rule.String(), Severity: severities[f.Severity], Message: f.Message, Place: placeOf(f.Span), Fix: f.Fix, Tool: f.Tool,
		}
		for _, r := range f.Related {
			finding.Related = append(finding.Related, Related{placeOf(r.Span), r.Text})
		}
		out = append(out, finding)
	}
	return out
}

func placeOf(s diag.Span) Place {
	return Place{s.File, s.Start.Line, s.Start.Col, s.End.Line, s.End.Col}
}
