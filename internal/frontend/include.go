package frontend

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

// readManifest reads the manifest with the files that it includes.
func (p *Project) readManifest(fsys fs.FS, files *recorder) diag.List {
	var findings diag.List
	src, err := readText(files, p.ManifestPath, manifest.MaxSize)
	if err != nil {
		findings.Errorf(ruleManifest, diag.Span{File: p.ManifestPath}, "", "the manifest cannot be read: %s", cause(err))
		return findings
	}
	p.Manifest, findings = manifest.Parse(p.ManifestPath, src)
	if len(p.Manifest.Includes) == 0 {
		return findings
	}
	parts, more := p.readParts(fsys, files, manifest.MaxSize-len(src))
	return append(append(findings, more...), p.Manifest.Include(parts)...)
}

// readText reads a file up to a limit, and one byte more, so that package
// manifest can tell.
func readText(fsys fs.FS, name string, limit int) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("it is a folder")
	}
	return io.ReadAll(io.LimitReader(f, int64(limit)+1))
}

// readParts reads what the manifest includes, as long as there is room.
func (p *Project) readParts(fsys fs.FS, files *recorder, room int) ([]manifest.Part, diag.List) {
	var parts []manifest.Part
	var findings diag.List
	first := map[string]diag.Span{path.Base(p.ManifestPath): {}}
	for _, written := range p.Manifest.Includes {
		at, name := written.Span, path.Clean(written.Value)
		file := path.Join(p.Dir, name)
		old, twice := first[name]
		switch {
		case strings.Contains(written.Value, "://"):
			findings.Errorf(ruleInclude, at, "download the file and name it", "%q is not a file: parts are never fetched", written.Value)
			continue
		case strings.Contains(written.Value, `\`):
			findings.Errorf(ruleInclude, at, "write "+strings.ReplaceAll(written.Value, `\`, "/"), "paths are written with / on every system")
			continue
		case strings.Contains(name, "/") || name == "." || name == "..":
			findings.Errorf(ruleInclude, at, "move the file into the folder of the manifest", "%q is not in the folder of the manifest", written.Value)
			continue
		case twice && old.IsZero():
			findings.Errorf(ruleInclude, at, "remove it", "the manifest includes itself")
			continue
		case twice:
			findings.Add(diag.Finding{
				Rule: ruleInclude, Span: at, Fix: "remove it", Message: "this file is included already", Related: []diag.Related{{Span: old, Text: "first here"}},
			})
			continue
		}
		first[name] = at
		if room < 0 {
			continue // that it is too much is reported for the file before
		}
		src, err := readText(files, file, room)
		if err != nil {
			findings.Errorf(ruleInclude, at, "correct the path, it is relative to the manifest",
				"%q cannot be read: %s%s", written.Value, cause(err), diag.DidYouMean(written.Value, candidates(fsys, p.Dir, file)))
			continue
		}
		room -= len(src)
		parts = append(parts, manifest.Part{File: file, Src: src, At: at})
	}
	return parts, findings
}
