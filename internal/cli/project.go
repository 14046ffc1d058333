package cli

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// A project is a loaded package: front end and back end have run, nothing is
// written.
type project struct {
	*frontend.Project
	at *place
	// files are generated; none if there are errors.
	files []gen.File
	// leftovers are the files of a release that was killed before its record.
	leftovers []string
	// givenUp are files of before, seen from the package folder, that a new
	// release replaces or removes; see [gen.Write].
	givenUp []string
	// findings name files as the user does.
	findings diag.List
}

// load reads the package that an argument means and generates it in memory.
// Its error is that of a manifest that cannot be read; everything else is a
// finding. The caller closes the place.
func (s *session) load(arg string, options ...frontend.Option) (*project, error) {
	at, err := s.locate(arg)
	if err != nil {
		return nil, err
	}
	return at.load(options...)
}

func (p *place) load(options ...frontend.Option) (*project, error) {
	return p.readable(generate(p.fs(), p.name, p, options...))
}

// unchanged returns the folder of a package that is what it was when it was
// generated, without a finding, and that is made from the same files.
func (p *place) unchanged() (dir string, ok bool) {
	dir, manifest, findings := frontend.Locate(p.fs(), p.name)
	return dir, !findings.HasErrors() && gen.Unchanged(p.fs(), dir, manifest)
}

// sealed are the files as they are to be in the folder. Findings have to be shown
// again, so they leave no seal.
func (p *project) sealed() []gen.File {
	if len(p.findings) > 0 {
		return p.files
	}
	return gen.Sealed(p.at.fs(), p.Dir, p.ManifestPath, p.files, p.leftovers)
}

// lint is load without the files: only the findings are wanted.
func (s *session) lint(arg string, options ...frontend.Option) (*project, error) {
	at, err := s.locate(arg)
	if err != nil {
		return nil, err
	}
	loaded, findings := frontend.Load(at.fs(), at.name, options...)
	if !findings.HasErrors() {
		findings = append(findings, gen.Check(loaded.Program)...)
	}
	return at.readable(&project{Project: loaded, at: at, findings: at.relabel(findings).Sorted()})
}

// judge is load for what only has to be judged: nothing is generated, and the
// program lacks its releases.
func (s *session) judge(at *place, options ...frontend.Option) (*project, error) {
	loaded, findings := frontend.Load(at.fs(), at.name, append(options, frontend.NewestOnly())...)
	return at.readable(&project{Project: loaded, at: at, findings: at.relabel(findings).Sorted()})
}

// readable returns the project, or closes the place if it has no manifest.
func (p *place) readable(loaded *project) (*project, error) {
	if loaded.Manifest == nil {
		p.close()
		return nil, notFound(loaded.findings)
	}
	return loaded, nil
}

// locate finds the place that an argument means.
func (s *session) locate(arg string) (*place, error) {
	at, err := locate(arg)
	if err == nil {
		at.service = s.service()
	}
	return at, err
}

// generate runs front end and back end over a file system.
func generate(fsys fs.FS, name string, at *place, options ...frontend.Option) *project {
	loaded, findings := frontend.Load(fsys, name, options...)
	p := &project{Project: loaded, at: at}
	if !findings.HasErrors() {
		files, more := gen.Generate(loaded.Program, gen.Options{Guard: loaded.Promises()})
		p.files, findings = files, append(findings, more...)
	}
	if !findings.HasErrors() {
		p.freeze(loaded.Unfinished())
		p.leftovers = loaded.History.Leftovers()
	}
	p.findings = at.relabel(findings).Sorted()
	return p
}

// freeze puts frozen Go files among those of the package.
func (p *project) freeze(anchors map[string]string) {
	frozen, err := gen.Freeze(p.Program, anchors)
	if err != nil {
		panic("cli: " + err.Error()) // a program without errors can be frozen
	}
	for _, f := range frozen {
		p.files = slices.DeleteFunc(p.files, func(old gen.File) bool { return old.Name == f.Name })
	}
	p.files = append(p.files, frozen...)
}

// notFound is the failure for a file that cannot be read at all.
func notFound(findings diag.List) error {
	if len(findings) == 0 {
		return unable("", "the file cannot be read")
	}
	f := findings[0]
	text := f.Message
	if !f.Span.IsZero() {
		text = f.Span.String() + ": " + text
	}
	return unable(f.Fix, "%s", text)
}

// inside returns a path of the jail as seen from the package folder.
func (p *project) inside(name string) string {
	return strings.TrimPrefix(name, strings.TrimPrefix(p.Dir+"/", "./"))
}

// show writes the findings in a format.
func (p *project) show(w io.Writer, format string) error {
	return p.at.show(w, format, p.findings)
}

// ready loads a package for the verbs that run it: findings are talk there, and
// warnings, which lint and preview show, not wanted.
func (s *session) ready(arg string) (*project, error) {
	p, err := s.load(arg)
	if err != nil {
		return nil, err
	}
	p.findings = slices.DeleteFunc(p.findings, func(f diag.Finding) bool { return f.Severity != diag.Error })
	return p, s.refuse(p)
}

// refuse shows the findings of a project, and closes it if there are errors.
func (s *session) refuse(p *project) error {
	if err := p.show(s.stderr, "text"); err != nil {
		return err
	}
	if p.findings.HasErrors() {
		p.at.close()
		return errFound
	}
	return nil
}
