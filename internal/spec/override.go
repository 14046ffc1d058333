package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// An Override says what the answer of a wanted operation is where the document
// does not, or says it wrongly.
type Override struct {
	// Statuses are keys of the operation's responses: the answer is one of
	// those. Some services report failures with status 200, in the form that
	// they document for "default".
	Statuses []string
	// Schema is the schema of the answer as JSON; references lead into the
	// document.
	Schema string
	// Span is the place in the manifest that says so.
	Span diag.Span
}

// variant tells the operation with this answer from the one as documented.
func (o *Override) variant() string {
	if o == nil {
		return ""
	}
	return strings.Join(o.Statuses, " ") + o.Schema
}

// override replaces the answers of an operation by the stated one, or reports
// why that cannot be.
func (l *loader) override(e entry, o *Override) (entry, bool) {
	if o == nil {
		return e, true
	}
	responses := e.op.get("responses")
	at := e.op.at
	if responses != nil {
		at = responses.at
	}
	status, media := l.success(responses)
	schema, ok := l.overrideSchema(responses, o, at)
	if !ok {
		return e, false
	}
	schema.name = "schema"
	answer := objectMember(status, at, stringMember("description", "", at), objectMember("content", at, objectMember(media, at, schema)))
	if l.dialect == swagger2 {
		answer = objectMember(status, at, stringMember("description", "", at), schema)
	}
	op := *e.op
	op.setKids(slices.Clone(op.kids()))
	op.set(objectMember("responses", at, answer))
	e.op, e.variant = &op, o.variant()
	return e, true
}

// success returns the status of the first success and the media type that a
// stated schema is about: JSON, unless it has a table alone.
func (l *loader) success(responses *node) (status, media string) {
	status, media = "200", "application/json"
	for i := range membersOf(responses) {
		r := &responses.kids()[i]
		if !strings.HasPrefix(r.name, "2") {
			continue
		}
		if to, f := l.follow(r); f == nil {
			if m := cmp.Or(jsonMember(to), tableMember(to)); m != nil {
				return r.name, m.name
			}
		}
		return r.name, media
	}
	return status, media
}

func membersOf(n *node) []node {
	if n == nil || n.kind != objectNode {
		return nil
	}
	return n.kids()
}

// jsonMember returns the first JSON representation of a response.
func jsonMember(response *node) *node { return mediaMember(response, "json") }

// tableMember returns the first representation of a response as CSV, whose rows a
// schema may describe.
func tableMember(response *node) *node { return mediaMember(response, "/csv") }

func mediaMember(response *node, word string) *node {
	content := response.get("content")
	for i := range membersOf(content) {
		if strings.Contains(content.kids()[i].name, word) {
			return &content.kids()[i]
		}
	}
	return nil
}

// overrideSchema is the schema of the stated answer.
func (l *loader) overrideSchema(responses *node, o *Override, at pos) (node, bool) {
	if o.Schema != "" {
		schema, err := jsonTree(0, o.Schema)
		if err != nil {
			l.findings.Errorf(ruleSyntax, o.Span, "write a schema", "%s", err.message)
			return node{}, false
		}
		schema.place(l.manifestPos(o.Span))
		return *schema, true
	}
	var schemas []node
	for _, status := range o.Statuses {
		schema := l.documented(responses, status)
		if schema == nil {
			l.noAnswer(responses, status, o.Span)
			return node{}, false
		}
		named := *schema
		named.name = ""
		schemas = append(schemas, named)
	}
	if len(schemas) == 1 {
		return schemas[0], true
	}
	return objectMember("", at, arrayMember("oneOf", at, schemas...)), true
}

// documented is the schema that the document gives for a status.
func (l *loader) documented(responses *node, status string) *node {
	for i := range membersOf(responses) {
		if !strings.EqualFold(responses.kids()[i].name, status) {
			continue
		}
		to, f := l.follow(&responses.kids()[i])
		if f != nil {
			return nil
		}
		if l.dialect == swagger2 {
			return to.get("schema")
		}
		return jsonMember(to).get("schema")
	}
	return nil
}

func (l *loader) noAnswer(responses *node, status string, at diag.Span) {
	var names []string
	for _, r := range membersOf(responses) {
		if l.documented(responses, r.name) != nil {
			names = append(names, r.name)
		}
	}
	fix := "write a schema in its place"
	if len(names) > 0 {
		fix = "use one of: " + strings.Join(names, ", ")
	}
	l.findings.Errorf(ruleUnknownAnswer, at, fix, "the operation documents no JSON answer for %q", status)
}

// manifestPos is the place of text that is in the manifest, of which only
// the name is known here. References in it start at the document.
func (l *loader) manifestPos(at diag.Span) pos {
	l.docs = append(l.docs, &document{file: at.File, root: l.root, inline: true})
	return linePos(len(l.docs)-1, at.Start.Line, at.Start.Col)
}

// place gives a tree that is in no file the place of another.
func (n *node) place(at pos) {
	n.at, n.nameAt = at, 0
	for i := range n.kids() {
		n.kids()[i].place(at)
	}
}
