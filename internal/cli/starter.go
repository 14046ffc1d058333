package cli

import (
	"crypto/rand"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// schemaName is the file that editors find the manifest's schema in.
const schemaName = "sculpt.schema.json"

// A starter makes a first manifest: one tool for each operation, with what the
// operation cannot do without as inputs and a few plain fields as outputs.
// The rest is the vendor's work, so it is short and simple on purpose.
type starter struct {
	*start
	doc *spec.API
	// auth are the security schemes that the operations need, env their
	// variables.
	auth []credential
	// env are variables that parameters are bound to.
	env  []credential
	used map[string]bool
	// lists are operations that may list what others get.
	lists []*operation.Operation
	text  yamlText
}

type credential struct{ scheme, env, text string }

// starterText is the manifest, and what would be added to one that exists.
type starterText struct{ whole, added string }

func newStarter(st *start, doc *spec.API) *starter {
	s := &starter{start: st, doc: doc, used: map[string]bool{}, lists: st.lists}
	for _, op := range slices.Concat(doc.Operations, chained(doc.Operations, st.lists)) {
		for _, name := range s.alternative(op) {
			s.need(name)
		}
	}
	return s
}

// chained are the operations that list what others get.
func chained(ops, lists []*operation.Operation) []*operation.Operation {
	var out []*operation.Operation
	for _, op := range ops {
		if c := chainOf(op, lists); c != nil {
			out = append(out, c.list)
		}
	}
	return out
}

// alternative is what an operation wants of its caller: the first of its
// alternatives that a manifest can satisfy, else the first.
func (s *starter) alternative(op *operation.Operation) []string {
	for _, schemes := range op.Security {
		if !slices.ContainsFunc(schemes, func(name string) bool { return !resolve.Sendable(s.doc.Schemes[name]) }) {
			return schemes
		}
	}
	if len(op.Security) > 0 {
		return op.Security[0]
	}
	return nil
}

// need notes a security scheme with the variable for its secret.
func (s *starter) need(name string) {
	scheme := s.doc.Schemes[name]
	if !resolve.Sendable(scheme) || slices.ContainsFunc(s.auth, func(c credential) bool { return c.scheme == name }) {
		return
	}
	env := strings.ToUpper(s.api) + "_TOKEN"
	if scheme.Type == "apiKey" {
		env = strings.ToUpper(s.api) + "_KEY"
	}
	if slices.ContainsFunc(s.auth, func(c credential) bool { return c.env == env }) {
		env = strings.ToUpper(s.api + "_" + snake(name, 40))
	}
	text := "Credential of the security scheme " + plain(name, 60) + "."
	if scheme.HTTP == "basic" {
		text = "User and password for the security scheme " + plain(name, 60) + ", with a colon between."
	}
	s.auth = append(s.auth, credential{name, env, text})
}

// manifest writes everything down.
func (s *starter) manifest() starterText {
	t := &s.text
	t.line(0, "# yaml-language-server: $schema=%s", schemaName)
	t.line(0, "# Texts come from the document: read them, and write for the model that will.")
	t.line(0, "sculpt: 1")
	t.line(0, "package: %s", s.pkg)
	t.line(0, "toolkit: %s", toolkitName(s.pkg))
	if title := plain(s.doc.Title, 80); title != "" {
		t.line(0, "title: %s", scalar(title))
	}
	t.line(0, "namespace: %s # written once: the ids of the tools come from it", newNamespace())
	head := t.take()
	for _, op := range s.doc.Operations {
		s.tool(op)
	}
	tools := t.take()
	s.environment()
	s.apis()
	t.line(0, "tools:")
	added := t.take() + tools
	return starterText{whole: head + added, added: added}
}

// newNamespace returns a random UUID.
func newNamespace() string {
	id, err := uuid.NewRandomFromReader(rand.Reader)
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return id.String()
}

func (s *starter) environment() {
	all := slices.Concat(s.auth, s.env)
	if len(all) == 0 {
		return
	}
	s.text.line(0, "env:")
	for _, c := range all {
		s.text.line(1, "%s:", c.env)
		s.text.line(2, "description: %s", scalar(c.text))
	}
}

func (s *starter) apis() {
	t := &s.text
	t.line(0, "apis:")
	t.line(1, "%s:", s.api)
	t.line(2, "openapi: %s", scalar(relativePath(s.dir, s.document)))
	if s.baseURL != "" {
		t.line(2, "base_url: %s", scalar(s.baseURL))
	}
	if len(s.auth) > 0 {
		t.line(2, "auth:")
		for _, c := range s.auth {
			t.line(3, "%s: env:%s", scalar(c.scheme), c.env)
		}
	}
}

// relativePath is a path of the jail as seen from a folder of it.
func relativePath(dir, file string) string {
	seen, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(file))
	if err != nil {
		return file
	}
	return path.Clean(filepath.ToSlash(seen))
}

// tool writes the tool of one operation, in the short form with one call, or with the call before
// it that finds its id.
func (s *starter) tool(op *operation.Operation) {
	t := &s.text
	b := &binder{s: s, op: op, names: map[string]bool{}, boundTo: map[string]string{}}
	found := chainOf(op, s.lists)
	if found != nil {
		found.bind(b)
	}
	b.request()
	for _, v := range b.env {
		s.variable(v)
	}
	t.line(1, "%s:", s.toolName(op))
	t.line(2, "version: 1")
	if title := plain(op.Summary, 60); title != "" {
		t.line(2, "title: %s", scalar(title))
	}
	t.line(2, "description: %s", scalar(describe(op)))
	if len(b.inputs.lines) > 0 {
		t.line(2, "inputs:")
		t.add(3, b.inputs)
	}
	depth := 2
	if found != nil {
		found.steps(s, b)
		depth = 4
	}
	t.line(depth, "call: %s", scalar(s.callOf(op)))
	if len(b.with.lines) > 0 {
		t.line(depth, "with:")
		t.add(depth+1, b.with)
	}
	t.add(depth, b.body)
	t.line(2, "outputs:")
	for _, o := range chooseOutputs(op, "result") {
		s.output(o)
	}
}

func (s *starter) output(o choice) {
	t := &s.text
	t.line(3, "%s:", o.name)
	t.line(4, "value: %s", scalar(o.value))
	t.line(4, "description: %s", scalar(o.doc))
	if o.optional {
		t.line(4, "optional: true")
	}
	if o.maxItems > 0 {
		t.line(4, "max_items: %d", o.maxItems)
	}
}

// variable declares a variable that a parameter is bound to.
func (s *starter) variable(v credential) {
	if !slices.ContainsFunc(s.env, func(c credential) bool { return c.env == v.env }) {
		s.env = append(s.env, v)
	}
}

// toolName makes a name of the operation that no other tool has.
func (s *starter) toolName(op *operation.Operation) string {
	base := snake(op.ID, 48)
	if op.ID == "" {
		base = snake(op.Method+" "+op.Path, 48)
	}
	return unused(s.used, base)
}

// unused numbers a name until nobody has it, and takes it.
func unused(used map[string]bool, base string) string {
	name := base
	for n := 2; used[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	used[name] = true
	return name
}

func describe(op *operation.Operation) string {
	for _, text := range []string{op.Description, op.Summary} {
		if text = plain(text, 300); text != "" {
			return text
		}
	}
	return "Calls " + op.Method + " " + plain(op.Path, 100) + "."
}

// callOf is the address of an operation in a manifest.
func (s *starter) callOf(op *operation.Operation) string {
	same := 0
	for _, other := range s.doc.All {
		if other.ID == op.ID {
			same++
		}
	}
	if op.ID == "" || same > 1 || strings.ContainsAny(op.ID, " \t") {
		return op.API + " " + op.Method + " " + op.Path
	}
	return op.API + "." + op.ID
}
