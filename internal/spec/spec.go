// Package spec reads OpenAPI documents and gives the wanted operations as
// package operation's plain data, with types of package types.
//
// Real documents are broken in places that nobody needs, and large. So the
// wanted operations are cut out first, with all that they refer to; what was
// cut out is repaired where its meaning is clear, with a warning; only then
// kin-openapi sees it. Order and positions come from our own tree, because the
// loader keeps neither.
//
//	set, findings := spec.Load(fsys, []spec.Source{{
//		API: "nws", File: "openapi/nws.json",
//		Wants: []spec.Want{{ID: "point"}, {Method: "GET", Path: "/alerts/active"}},
//	}})
//	op := set.Operation("nws", spec.Want{ID: "point"})
//
// Load is a pure function of the files. References to other files are followed
// inside the file system only, references to the network never.
//
// The package imports diag, types and operation of this module. It is the only
// one that imports kin-openapi; nothing of kin-openapi appears in its API.
package spec

import (
	"io/fs"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// A Source names one document and what is wanted of it.
type Source struct {
	// API is the name of the api in the manifest.
	API string
	// File is the path of the document inside the file system.
	File string
	// Span is the place in the manifest that names the document.
	Span diag.Span
	// Overlays change the document, in this order.
	Overlays []Overlay
	Wants    []Want
}

// A Want names an operation: by ID, or by Method and Path as the document
// writes it. If ID is given, it alone counts.
type Want struct {
	ID           string
	Method, Path string
	// Answer replaces the answers that the document gives; nil keeps them.
	Answer *Override
	// Span is the place in the manifest that names the operation.
	Span diag.Span
}

// A Set holds what was loaded, by the name of the api.
type Set struct {
	APIs map[string]*API
}

// An API is one document with the wanted operations.
type API struct {
	Name, File, Title string
	// Server is the first server of the document.
	Server operation.Server
	// Schemes are the security schemes of the document by name.
	Schemes map[string]*operation.Scheme
	// Operations are the wanted ones, in the order they were wanted, each once
	// for every answer that it is given.
	Operations []*operation.Operation
	// All lists every operation of the document in its order.
	All []Summary
	// Webhooks and Callbacks are what the document wants others to serve: nothing
	// comes of them.
	Webhooks, Callbacks []Named
	// Digest is the SHA-256 of the bytes of the file.
	Digest string
}

// A Named is a part of a document that has a name.
type Named struct {
	Name string
	Span diag.Span
}

// A Summary tells one operation of a document from the others.
type Summary struct {
	// ID is the operationId, "" if the document gives none.
	ID string
	// Method is upper case.
	Method, Path string
	Summary      string
	// Tags are the groups that the document puts the operation in.
	Tags []string
	Span diag.Span
}

// Operation returns a loaded operation of an api, by ID or by method and path,
// or nil.
func (s *Set) Operation(api string, w Want) *operation.Operation {
	if s == nil || s.APIs[api] == nil {
		return nil
	}
	for _, op := range s.APIs[api].Operations {
		if w.fits(op.ID, op.Method, op.Path) && op.Variant == w.Answer.variant() {
			return op
		}
	}
	return nil
}

func (w Want) fits(id, method, path string) bool {
	if w.ID != "" {
		return w.ID == id
	}
	return path == w.Path && strings.EqualFold(method, w.Method)
}

// String is how messages call what is wanted.
func (w Want) String() string {
	if w.ID != "" {
		return w.ID
	}
	return strings.ToUpper(w.Method) + " " + w.Path
}

// Load reads the documents and builds the wanted operations. It returns what
// it could build; an api is missing from the set only if its document cannot
// be read at all.
func Load(fsys fs.FS, sources []Source) (*Set, diag.List) {
	set := &Set{APIs: map[string]*API{}}
	var findings diag.List
	for _, source := range sources {
		l := &loader{reader: newReader(fsys), file: source.File}
		if api := l.api(source); api != nil {
			set.APIs[source.API] = api
		}
		findings = append(findings, l.findings...)
	}
	return set, findings.Sorted()
}

// Index lists every operation of a document.
func Index(fsys fs.FS, file string) ([]Summary, diag.List) {
	l := &loader{reader: newReader(fsys), file: file}
	if !l.openRoot(diag.Span{}, nil) {
		return nil, l.findings
	}
	return summaries(l.entries()), l.findings
}

func summaries(entries []entry) []Summary {
	var out []Summary
	for _, e := range entries {
		if e.sum.Method != "" {
			out = append(out, e.sum)
		}
	}
	return out
}
