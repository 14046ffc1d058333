package frontend

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// documents turns the documents' paths, which are relative to the manifest,
// into paths of the file system. What is not there is reported here, where
// the neighbours are known, and left out.
func documents(fsys fs.FS, dir string, sources []spec.Source) ([]spec.Source, diag.List) {
	var findings diag.List
	var found []spec.Source
	for _, s := range sources {
		list := locate(fsys, dir, &s.File, s.Span)
		if findings = append(findings, list...); len(list) == 0 {
			found = append(found, s)
		}
	}
	return found, findings
}

// locate turns the path of a document into one of the file system.
func locate(fsys fs.FS, dir string, file *string, at diag.Span) diag.List {
	var findings diag.List
	written := *file
	*file = path.Join(dir, written)
	switch {
	case strings.Contains(written, "://"):
		findings.Errorf(ruleOutside, at, "download the document and name the file", "%q is not a file: documents are never fetched", written)
	case strings.Contains(written, `\`):
		findings.Errorf(ruleOutside, at, "write "+strings.ReplaceAll(written, `\`, "/"), "paths are written with / on every system")
	case path.IsAbs(written) || !fs.ValidPath(*file):
		findings.Errorf(ruleOutside, at, "copy the document into the module", "%q is outside of the module", written)
	case !exists(fsys, *file):
		findings.Errorf(spec.RuleNotFound, at, "correct the path, it is relative to the manifest",
			"%q cannot be read: no such file%s", written, diag.DidYouMean(written, candidates(fsys, dir, *file)))
	}
	return findings
}

// readOverlays reads what changes the documents of apis, and keeps it: proposed
// documents, and those of plans, are changed alike.
func (p *Project) readOverlays(fsys fs.FS, files *recorder, sources []spec.Source) diag.List {
	var findings diag.List
	p.overlays = map[string][]spec.Overlay{}
	for i := range sources {
		s := &sources[i]
		var read []spec.Overlay
		for _, o := range s.Overlays {
			list := locate(fsys, p.Dir, &o.File, o.Span)
			if len(list) == 0 {
				var err error
				if o.Data, err = readText(files, o.File, spec.MaxBytes); err != nil {
					list.Errorf(spec.RuleNotFound, o.Span, "correct the path", "%q cannot be read: %s", o.File, cause(err))
				}
			}
			if findings = append(findings, list...); len(list) == 0 {
				read = append(read, o)
			}
		}
		s.Overlays, p.overlays[s.API] = read, read
	}
	return findings
}

// exists leaves every other fault to package spec, which says what it is.
func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
}

// maxCandidates bounds the search for a file that was meant.
const maxCandidates = 2000

// candidates lists the documents that a manifest in dir might mean instead of
// file, written as it would write them: those below the package folder and
// those beside the missing file.
func candidates(fsys fs.FS, dir, file string) []string {
	var names []string
	seen := 0
	// The walk never fails: what cannot be read is not a candidate.
	_ = fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > maxCandidates {
			return fs.SkipAll
		}
		if d.IsDir() && name != dir && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if isDocument(name) {
			names = append(names, relative(dir, name))
		}
		return nil
	})
	if beside := path.Dir(file); !below(dir, beside) {
		for _, name := range siblings(fsys, beside) {
			if isDocument(name) {
				names = append(names, relative(dir, path.Join(beside, name)))
			}
		}
	}
	return names
}

func isDocument(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return path.Base(name) != ManifestName
	}
	return false
}

func below(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// relative writes a path of the file system as seen from a folder.
func relative(dir, name string) string {
	up := ""
	for !below(dir, name) {
		dir, up = path.Dir(dir), up+"../"
	}
	if dir == "." {
		return up + name
	}
	return up + strings.TrimPrefix(name, dir+"/")
}

// notServed names what documents want others to serve: tools call operations, and
// nothing calls tools but their callers.
func (p *Project) notServed() diag.List {
	var findings diag.List
	note := func(what string, parts []spec.Named) {
		if len(parts) == 0 {
			return
		}
		var names []string
		for _, part := range parts {
			names = append(names, part.Name)
		}
		if len(parts) > 1 {
			what += "s"
		}
		findings.Add(diag.Finding{Rule: ruleNotServed, Severity: diag.Note, Span: parts[0].Span, Fix: "nothing has to be done",
			Message: fmt.Sprintf("%d %s of the document left out: %s", len(parts), what, strings.Join(names, ", "))})
	}
	seen := map[string]bool{}
	for _, a := range p.Manifest.APIs {
		if api := p.Set.APIs[a.Name.Value]; api != nil && !seen[api.File] {
			seen[api.File] = true
			note("webhook", api.Webhooks)
			note("callback", api.Callbacks)
		}
	}
	return findings
}
