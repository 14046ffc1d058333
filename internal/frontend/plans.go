package frontend

import (
	"bytes"
	"io/fs"
	"path"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Plan returns how a tool does its work: what a release keeps beside its
// record. The project must have no errors.
func (p *Project) Plan(fsys fs.FS, tool string) (*history.Plan, diag.List) {
	plan := &history.Plan{Manifest: p.Manifest.Excerpt(tool), Rules: p.rulesOf(tool)}
	m, findings := manifest.Parse(p.ManifestPath, plan.Manifest)
	if findings.HasErrors() {
		return nil, findings
	}
	for _, source := range resolve.Sources(m) {
		written := source.File
		source.File, source.Overlays = path.Join(p.Dir, written), p.overlays[source.API]
		document, more := spec.Excerpt(fsys, source)
		if document == nil {
			return nil, more
		}
		plan.Documents = append(plan.Documents, history.Document{
			API: source.API, File: written, Operations: p.digests(tool, source.API), Around: p.around(tool, source.API), OpenAPI: document,
		})
	}
	return plan, nil
}

// digests are those of the operations of an api that a tool calls.
func (p *Project) digests(tool, api string) map[string]string {
	out := map[string]string{}
	for _, t := range p.Program.Tools {
		if t.Signature.Name != tool {
			continue
		}
		for _, s := range t.Plan.Steps {
			if s.API == api {
				out[s.Op.Method+" "+s.Op.Path] = s.Op.Digest
			}
		}
	}
	return out
}

// loadPlan resolves the plan of a release, over its own documents. Other
// documents stand in for those that replace names by api.
func loadPlan(name string, plan *history.Plan, replace map[string]Replacement) (*ir.Program, diag.List) {
	m, findings := manifest.Parse(name, plan.Manifest)
	if findings.HasErrors() {
		return nil, findings
	}
	files := memory{}
	for _, d := range plan.Documents {
		files[d.API+".json"] = d.OpenAPI
	}
	set := &spec.Set{APIs: map[string]*spec.API{}}
	for _, source := range resolve.Sources(m) {
		var from fs.FS = files
		if r, ok := replace[source.API]; ok {
			from, source.File, source.Overlays = r.Files, r.Name, r.overlays
		} else {
			source.File = source.API + ".json"
		}
		one, more := spec.Load(from, []spec.Source{source})
		findings = append(findings, more...)
		if one.APIs[source.API] != nil {
			set.APIs[source.API] = one.APIs[source.API]
		}
	}
	program, more := resolve.Plan(m, set, plan.Rules, plan.Plain)
	return program, append(findings, more...)
}

// A Replacement is a document that stands in for that of an api.
type Replacement struct {
	Files fs.FS
	Name  string
	// overlays are those of the api, which change this document as well.
	overlays []spec.Overlay
}

// memory is a file system of a few files.
type memory map[string][]byte

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	data, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{bytes.NewReader(data), memoryInfo{path.Base(name), int64(len(data))}}, nil
}

type memoryFile struct {
	*bytes.Reader
	info memoryInfo
}

// Close implements fs.File.
func (f *memoryFile) Close() error { return nil }

// Stat implements fs.File.
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }

type memoryInfo struct {
	name string
	size int64
}

// Name implements fs.FileInfo.
func (i memoryInfo) Name() string { return i.name }

// Size implements fs.FileInfo.
func (i memoryInfo) Size() int64 { return i.size }

// Mode implements fs.FileInfo.
func (i memoryInfo) Mode() fs.FileMode { return 0o444 }

// ModTime implements fs.FileInfo.
func (i memoryInfo) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (i memoryInfo) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (i memoryInfo) Sys() any { return nil }
