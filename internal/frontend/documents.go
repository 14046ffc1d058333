package frontend

import (
	"errors"
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
		written := s.File
		s.File = path.Join(dir, written)
		switch {
		case strings.Contains(written, "://"):
			findings.Errorf(ruleOutside, s.Span, "download the document and name the file", "%q is not a file: documents are never fetched", written)
		case strings.Contains(written, `\`):
			findings.Errorf(ruleOutside, s.Span, "write "+strings.ReplaceAll(written, `\`, "/"), "paths are written with / on every system")
		case path.IsAbs(written) || !fs.ValidPath(s.File):
			findings.Errorf(ruleOutside, s.Span, "copy the document into the module", "%q is outside of the module", written)
		case !exists(fsys, s.File):
			findings.Errorf(spec.RuleNotFound, s.Span, "correct the path, it is relative to the manifest",
				"%q cannot be read: no such file%s", written, diag.DidYouMean(written, candidates(fsys, dir, s.File)))
		default:
			found = append(found, s)
		}
	}
	return found, findings
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
