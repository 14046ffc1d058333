package cli

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/sculpt"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

// A project is a loaded package: front end and back end have run, nothing is
// written.
type project struct {
	*sculpt.Project
	at *place
	// files are generated; none if there are errors.
	files []gen.File
	// findings name files as the user does.
	findings diag.List
}

// load reads the package that an argument means and generates it in memory.
// Its error is that of a manifest that cannot be read; everything else is a
// finding. The caller closes the place.
func (s *session) load(arg string) (*project, error) { return s.loadOn(arg, "") }

// loadOn is load on a day, which dates in the manifest and in the history are
// judged on; "" judges none.
func (s *session) loadOn(arg, today string) (*project, error) {
	at, err := locate(arg)
	if err != nil {
		return nil, err
	}
	p := generate(at.jail.FS(), at.name, at, today)
	if p.Manifest == nil {
		at.close()
		return nil, notFound(p.findings)
	}
	return p, nil
}

// generate runs front end and back end over a file system.
func generate(fsys fs.FS, name string, at *place, today string) *project {
	loaded, findings := sculpt.LoadOn(fsys, name, today)
	p := &project{Project: loaded, at: at}
	if !findings.HasErrors() {
		files, more := gen.Generate(loaded.Program, gen.Options{Guard: loaded.Promises()})
		p.files, findings = files, append(findings, more...)
	}
	p.findings = at.relabel(findings).Sorted()
	return p
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
	if format == "json" {
		return diag.JSON(w, p.findings)
	}
	return diag.Text(w, p.findings, p.at.source)
}

// ready loads a package for the verbs that run it: findings are talk there,
// and warnings, which lint shows, only wanted while somebody works on the
// manifest.
func (s *session) ready(arg string, warnings bool) (*project, error) {
	p, err := s.load(arg)
	if err != nil {
		return nil, err
	}
	if !warnings {
		p.findings = slices.DeleteFunc(p.findings, func(f diag.Finding) bool { return f.Severity != diag.Error })
	}
	if err := p.show(s.stderr, "text"); err != nil {
		return nil, err
	}
	if p.findings.HasErrors() {
		p.at.close()
		return nil, errFound
	}
	return p, nil
}
