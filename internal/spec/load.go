package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// A loader reads one api. Its findings are in the order they were met.
type loader struct {
	*reader
	file     string
	root     *node
	dialect  dialect
	findings diag.List
	// steps counts the references followed.
	steps int
	// reported holds the duplicate keys that were reported.
	reported map[pos]bool
}

// openRoot reads the document with its overlays and finds out its dialect. named
// is the place that names it.
func (l *loader) openRoot(named diag.Span, overlays []Overlay) bool {
	_, doc := l.open(l.file)
	if f := doc.err; f != nil {
		at := f.at
		if at.IsZero() {
			at = named
		}
		if at.IsZero() {
			at = diag.Span{File: l.file}
		}
		l.findings.Errorf(f.rule, at, f.fix, "%s", f.message)
		return false
	}
	l.root = doc.root
	if !l.overlays(overlays) {
		return false
	}
	var ok bool
	l.dialect, ok = l.detect(doc.root)
	if ok {
		l.checkTop()
	}
	return ok
}

// api runs the passes for one source.
func (l *loader) api(source Source) *API {
	if !l.openRoot(source.Span, source.Overlays) {
		return nil
	}
	entries := l.entries()
	info := l.root.get("info")
	if v := info.get("version"); v != nil && v.kind == numberNode {
		l.findings.Warnf(ruleInfoVersion, l.valueSpan(v), `write "`+v.text+`"`, "info.version is a number, expected a text")
	}
	api := &API{
		Name: source.API, File: source.File, Title: info.str("title"), Server: l.rootServer(),
		All: summaries(entries), Digest: l.docs[0].digest, Schemes: map[string]*operation.Scheme{},
	}
	api.Webhooks, api.Callbacks = l.namesIn(l.root.get("webhooks"), ""), l.callbacks(entries)
	s := &slicer{loader: l, byRef: map[string]*component{}}
	schemes := l.schemes()
	if schemes != nil && schemes.kind == objectNode {
		for i := range schemes.kids() {
			s.scheme(&schemes.kids()[i])
		}
	}
	ops := s.slice(l.choose(source.Wants, entries))
	for _, op := range ops {
		op.server = l.operationServer(op)
		op.digest = op.canonicalSum()
	}
	if l.dialect == swagger2 {
		s.convert(ops)
	}
	s.repair(ops)
	s.build(api, ops)
	return api
}

// callbacks are those of all operations.
func (l *loader) callbacks(entries []entry) []Named {
	var out []Named
	for _, e := range entries {
		if e.fault == nil {
			out = append(out, l.namesIn(e.op.get("callbacks"), " of "+cmp.Or(e.sum.ID, e.sum.Method+" "+e.sum.Path))...)
		}
	}
	return out
}

// namesIn lists the members of an object.
func (l *loader) namesIn(n *node, of string) []Named {
	if n == nil || n.kind != objectNode {
		return nil
	}
	var out []Named
	for i := range n.kids() {
		if !isExtension(n.kids()[i].name) {
			out = append(out, Named{n.kids()[i].name + of, l.spanOf(&n.kids()[i])})
		}
	}
	return out
}

// rootServer is the first server of the document.
func (l *loader) rootServer() operation.Server {
	if l.dialect == swagger2 {
		return operation.Server{URL: l.swaggerURL(nil)}
	}
	return firstServer(l.root.list("servers"))
}

// operationServer is the first server that applies to the operation; the slicer
// has put it there.
func (l *loader) operationServer(op *slicedOperation) operation.Server {
	if l.dialect == swagger2 {
		return operation.Server{URL: l.swaggerURL(&op.node)}
	}
	return firstServer(op.node.list("servers"))
}

// build gives all operations to the loader at once. If it refuses them, each
// is tried alone, so that one costs no other.
func (s *slicer) build(api *API, ops []*slicedOperation) {
	doc, err := s.load(ops)
	if err == nil {
		b := &builder{typist: newTypist(s.loader, doc), api: api.Name}
		api.Operations, api.Schemes = b.operations(), b.schemes()
		return
	}
	for _, op := range ops {
		doc, err := s.load([]*slicedOperation{op})
		if err != nil {
			reason, _, _ := strings.Cut(err.Error(), "\n")
			s.findings.Errorf(ruleBrokenOperation, op.sum.Span, "fix the document", "the operation cannot be read: %s", reason)
			continue
		}
		b := &builder{typist: newTypist(s.loader, doc), api: api.Name}
		api.Operations = append(api.Operations, b.operations()...)
		api.Schemes = b.schemes()
	}
}

// choose finds the wanted operations, each once for every answer it is given.
func (l *loader) choose(wants []Want, entries []entry) []entry {
	var chosen []entry
	type choice struct {
		at      int
		variant string
	}
	taken := map[choice]bool{}
	for _, w := range wants {
		var found []int
		for i, e := range entries {
			if w.fits(e.sum.ID, e.sum.Method, e.sum.Path) || w.ID == "" && e.sum.Method == "" && e.sum.Path == w.Path {
				found = append(found, i)
			}
		}
		switch {
		case len(found) == 0:
			l.unknown(w, entries)
		case len(found) > 1:
			e := entries[found[1]].sum
			l.findings.Add(diag.Finding{Rule: ruleAmbiguous, Span: w.Span, Fix: "write " + entries[found[0]].sum.Method + " " + entries[found[0]].sum.Path,
				Message: "two operations have the id \"" + w.ID + `"`,
				Related: []diag.Related{{Span: entries[found[0]].sum.Span, Text: "the first"}, {Span: e.Span, Text: "the second: " + e.Method + " " + e.Path}}})
		case entries[found[0]].fault != nil:
			f := entries[found[0]].fault
			l.findings.Errorf(f.rule, f.at, f.fix, "%s", f.message)
		case !taken[choice{found[0], w.Answer.variant()}]:
			taken[choice{found[0], w.Answer.variant()}] = true
			if e, ok := l.override(entries[found[0]], w.Answer); ok {
				chosen = append(chosen, e)
			}
		}
	}
	return chosen
}

// unknown reports a want that the document does not have.
func (l *loader) unknown(w Want, entries []entry) {
	var names []string
	for _, e := range entries {
		if e.sum.ID != "" {
			names = append(names, e.sum.ID)
		}
		if e.sum.Method != "" {
			names = append(names, e.sum.Method+" "+e.sum.Path)
		}
	}
	name := w.String()
	near := diag.DidYouMean(name, names)
	fix := "take an operation of " + l.file
	if near != "" {
		fix = "write " + diag.Nearest(name, names)
	} else if i := slices.IndexFunc(entries, func(e entry) bool { return e.fault != nil }); i >= 0 {
		// Its id may be in a file that is missing.
		fix += "; " + entries[i].fault.message
	}
	l.findings.Errorf(ruleUnknownOperation, w.Span, fix, "%q is not an operation of %q%s", name, l.file, near)
}
