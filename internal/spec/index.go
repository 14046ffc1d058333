package spec

import (
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// methods are the operations that a path item may hold.
var methods = map[string]bool{
	"get": true, "put": true, "post": true, "delete": true, "options": true,
	"head": true, "patch": true, "trace": true, "query": true,
}

// A dialect is the family of versions that a document is written in.
type dialect uint8

const (
	swagger2 dialect = iota
	openapi30
	openapi31
)

// An entry is one operation of the document, before anything is built.
type entry struct {
	sum Summary
	// op and item are the operation and its path item, references followed.
	op, item *node
	// variant is that of the Override that was applied.
	variant string
	// fault is why the operation cannot be read, if it cannot.
	fault *fault
}

// detect finds out what the document is written in.
func (l *loader) detect(root *node) (dialect, bool) {
	version := root.get("openapi")
	if version == nil {
		version = root.get("swagger")
	}
	if version == nil || version.kind != stringNode && version.kind != numberNode {
		l.findings.Errorf(ruleNotOpenAPI, diag.Span{File: l.file, Start: diag.Pos{Line: 1, Col: 1}}, "name an OpenAPI document",
			`the document has no "openapi" or "swagger" version at its top`)
		return 0, false
	}
	switch v := version.text; {
	case v == "2.0" || v == "2":
		return swagger2, true
	case v == "3.0" || v == "3" || strings.HasPrefix(v, "3.0."):
		return openapi30, true
	case v == "3.1" || strings.HasPrefix(v, "3.1."):
		return openapi31, true
	case strings.HasPrefix(v, "3."):
		l.findings.Add(diag.Finding{Rule: ruleVersion, Severity: diag.Note, Span: l.valueSpan(version), Fix: "use 3.1 if something is missing",
			Message: `OpenAPI "` + v + `" is read like 3.1; parts that are new in it are left out`})
		return openapi31, true
	default:
		l.findings.Errorf(ruleVersion, l.valueSpan(version), "use OpenAPI 3.0 or 3.1", "OpenAPI %q is not known", v)
		return 0, false
	}
}

// entries lists the operations in document order. Operations that stand in
// other files are read, because their ids do.
func (l *loader) entries() []entry {
	var all []entry
	paths := l.root.get("paths")
	if paths == nil || paths.kind != objectNode {
		return nil
	}
	for i := range paths.kids() {
		p := &paths.kids()[i]
		if isExtension(p.name) {
			continue
		}
		item, f := l.follow(p)
		if f != nil {
			all = append(all, entry{sum: Summary{Path: p.name, Span: l.spanOf(p)}, fault: f})
			continue
		}
		for j := range item.kids() {
			member := &item.kids()[j]
			method := strings.ToLower(member.name)
			if !methods[method] {
				continue
			}
			e := entry{item: item, sum: Summary{Method: strings.ToUpper(method), Path: p.name, Span: l.spanOf(member)}}
			e.op, e.fault = l.follow(member)
			if e.fault == nil && e.op.kind != objectNode {
				e.fault = &fault{ruleBrokenOperation, e.op.kind.String() + " is where an operation belongs", "write an operation object", l.spanOf(member)}
			}
			if e.fault == nil {
				e.sum.ID, e.sum.Summary, e.sum.Tags = e.op.str("operationId"), e.op.str("summary"), tagsOf(e.op)
			}
			all = append(all, e)
		}
	}
	return all
}

// tagsOf are the tags of an operation.
func tagsOf(op *node) []string {
	var tags []string
	for _, t := range op.list("tags") {
		if t.kind == stringNode {
			tags = append(tags, t.text)
		}
	}
	return tags
}
