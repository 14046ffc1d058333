package corpus_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A documentCall is a tool of a generated package, the answer that its operation
// gets, and what the tool should make of it.
type documentCall struct {
	Tool, Status, MediaType string
	Answer, Want            any
	// Raw is the body of an answer that is not JSON.
	Raw     *string
	request *wireRequest
	title   string
}

// read adds a tool that reads the answer of a usable operation to the manifest of
// its document.
func (r *documentRun) read(s spec.Summary, sample *sample, o outcome) {
	doc := sample.doc
	c := &documentCall{Tool: fmt.Sprintf("t%d", len(r.calls)), Status: doc.status, MediaType: strings.Replace(doc.mediaType, "*/*", "application/json", 1), Want: true, request: o.request, title: s.Method + " " + s.Path}
	output := "true"
	if doc.status == "" && len(doc.others) > 0 {
		output = c.other(o.step, doc.others)
	}
	for pick := 0; pick < 8 && doc.status != "" && output == "true"; pick++ {
		maker := &valueMaker{schemas: doc.schemas, answer: true, pick: pick}
		c.Answer = plainJSON(maker.value(doc.answer, 0))
		if path, want := leafOf(c.Answer, o.step.Decl.Type); path != "" {
			output, c.Want = path, want
		}
	}
	if output == "true" && doc.status != "" && o.step.Decl.Type.Opaque {
		r.tally.beyond++
		return
	}
	if output == "true" && doc.status != "" {
		r.t.Logf("EMPTY %s %s has nothing to read in %.200s of type %s", s.Method, s.Path, jsonText(c.Answer), o.step.Decl.Type)
	}
	home := sample.home("*")
	if r.homes[home] == "" {
		r.homes[home] = fmt.Sprintf("a%d", len(r.homes))
		r.apis.WriteString(sample.home(r.homes[home]))
	}
	text := sample.tool(c.Tool, r.homes[home], output)
	single := callsManifest(len(sample.auth), sample.home("a"), sample.tool("t", "a", output))
	if _, _, findings := planned(single, r.set); findings.HasErrors() {
		r.refuse(sample.op, firstError(findings))
		r.t.Logf("REFUSED answer %s %s: %v", s.Method, s.Path, findings[0])
		return
	}
	r.tally.usable++
	r.schemes = max(r.schemes, len(sample.auth))
	r.tools.WriteString(text)
	r.calls = append(r.calls, c)
}

// other makes an answer that is not JSON, and returns what a tool reads of it. What
// cannot be read is refused where it is read.
func (c *documentCall) other(step *ir.Step, media []string) (output string) {
	text, optional := "a text", step.Decl.Type.Kind == types.Optional
	c.Status, c.MediaType = "200", media[0]
	if at := slices.IndexFunc(media, func(m string) bool { return strings.HasPrefix(step.Accept, m) }); at >= 0 {
		c.MediaType = media[at]
	}
	c.MediaType = strings.NewReplacer("*/*", "application/octet-stream", "/*", "/x").Replace(c.MediaType)
	output, c.Want = "s", any(text)
	switch step.Form {
	case ir.CSVAnswer:
		text, output, c.Want = "a,b\n1,2\n", "s.size()", json.Number("1")
		if optional {
			output = "s.orValue([]).size()"
		}
	case ir.BinaryAnswer:
		output, c.Want = "s.size", json.Number("6")
		if optional {
			output = "s.?size"
		}
	}
	c.Raw = &text
	return output
}

func firstError(findings diag.List) string {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return f.Rule.String()
		}
	}
	return ""
}

// A place is a value within an answer, with its type and the way to it.
type place struct {
	value any
	typ   *types.Type
	path  string
}

// leafOf finds a plain value of an answer, the outermost first.
func leafOf(answer any, t *types.Type) (string, any) {
	dot, optional := ".", t.Kind == types.Optional
	if optional {
		t, dot = t.Elem, ".?"
	}
	queue := []place{{answer, t, "s"}}
	for n := 0; len(queue) > 0 && n < 5000; n++ {
		p := queue[0]
		queue = queue[1:]
		switch v := p.value.(type) {
		case nil:
		case []any:
			if list := p.typ.Variant(types.List); len(v) > 0 && (list != nil || p.typ.Kind == types.Dyn) {
				at := "[0]"
				if optional {
					at = "[?0]"
				}
				queue = append(queue, place{v[0], elemOf(list, p.typ), p.path + at})
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if t := memberOf(p.typ, key); t != nil && key != "" && !strings.ContainsAny(key, "`\n\\") {
					queue = append(queue, place{v[key], t, p.path + dot + "`" + key + "`"})
				}
			}
		default:
			if optional && !p.typ.IsScalar() {
				continue // narrowing takes no optional
			}
			if path := narrowed(&p); path != "" {
				return path, v
			}
		}
	}
	return "", nil
}

func elemOf(list, t *types.Type) *types.Type {
	if list == nil {
		return t
	}
	return list.Elem
}

func memberOf(t *types.Type, key string) *types.Type {
	if t.Kind == types.Dyn {
		if t.Opaque {
			return nil
		}
		return t
	}
	if o := t.Variant(types.Object); o != nil {
		if f := o.Field(key); f != nil {
			return f.Type
		}
		return nil
	}
	if m := t.Variant(types.Map); m != nil {
		return m.Elem
	}
	return nil
}

// narrowed is the expression for a plain value, "" where its type has none of its
// kind.
func narrowed(p *place) string {
	var kinds []types.Kind
	switch v := p.value.(type) {
	case string:
		kinds = []types.Kind{types.String}
	case bool:
		kinds = []types.Kind{types.Bool}
	case float64:
		if kinds = []types.Kind{types.Double}; v == float64(int64(v)) {
			kinds = []types.Kind{types.Int, types.Double}
		}
	}
	for _, k := range kinds {
		switch {
		case p.typ.Kind == k:
			return p.path
		case p.typ.Kind == types.Dyn && !p.typ.Opaque, p.typ.Variant(k) != nil:
			return narrowers[k] + "(" + p.path + ")"
		}
	}
	return ""
}

// runDocuments generates a package for each document, compiles and vets all of
// them, and calls every tool: it sends what was judged, and reads the answer.
func runDocuments(t *testing.T, fsys fs.FS, runs []*documentRun) {
	if os.Getenv("SCULPT_DOCUMENTS") != "all" {
		runs = slices.DeleteFunc(slices.Clone(runs), func(r *documentRun) bool { return !slices.Contains(compiledDocuments, r.tally.name) })
	}
	m := golden.NewModule(t)
	var imports, cases strings.Builder
	for i, r := range runs {
		if len(r.calls) == 0 {
			continue
		}
		p := r.generate(t, fsys, m, fmt.Sprintf("d%d", i))
		fmt.Fprintf(&imports, "\td%d \"vendor.example/tools/d%d\"\n", i, i)
		fmt.Fprintf(&cases, "\trun(\"d%d\", func(rt http.RoundTripper) (tool.Toolset, error) {\n\t\tcfg, err := d%d.ConfigFromEnv(lookup)\n", i, i)
		for _, a := range p.APIs {
			fmt.Fprintf(&cases, "\t\tcfg.%s.Transport = rt\n", a.Field)
		}
		fmt.Fprintf(&cases, "\t\tif err != nil {\n\t\t\treturn tool.Toolset{}, err\n\t\t}\n\t\ttools, err := d%d.New(cfg)\n\t\tif err != nil {\n\t\t\treturn tool.Toolset{}, err\n\t\t}\n\t\treturn tools.Toolset(), nil\n\t})\n", i)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "documents.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	m.Write("run/main.go", strings.NewReplacer("\t// imports\n", imports.String(), "\t// cases\n", cases.String()).Replace(string(text)))
	if _, err := m.Go("vet", "./..."); err != nil {
		t.Fatal(err)
	}
	out, err := m.Go("run", "./run")
	if err != nil {
		t.Fatal(err)
	}
	compareCalls(t, runs, out)
}

// compiledDocuments are those whose tools the gate compiles and calls.
var compiledDocuments = []string{"nws-3.8.1.yaml", "stripe.json", "kubernetes-swagger2.json", "box.json", "museum.yaml", "openai.yaml"}

func (r *documentRun) generate(t *testing.T, fsys fs.FS, module *golden.Module, name string) *plan.Package {
	text := callsManifest(r.schemes, r.apis.String(), r.tools.String())
	m, findings := manifest.Parse("sculpt.yaml", []byte(text))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	set, _ := spec.Load(fsys, resolve.Sources(m))
	p, _, findings := planned(text, set)
	if findings.HasErrors() {
		t.Fatalf("%s: %v", r.tally.name, findings)
	}
	files, err := golang.Emit(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		module.Write(name+"/"+f.Name, string(f.Data))
	}
	module.Write(name+"/exports/documents.json", "{}")
	module.Write("run/"+name+".json", jsonText(r.calls))
	return p
}

// A calledTool is what the program says of a call.
type calledTool struct {
	Package, Tool, Method, URL, MediaType, Body, Error string
	Output                                             json.RawMessage
}

func compareCalls(t *testing.T, runs []*documentRun, out string) {
	calls := map[string]*documentCall{}
	for i, r := range runs {
		for _, c := range r.calls {
			calls[fmt.Sprintf("d%d %s", i, c.Tool)] = c
		}
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 1<<20)
	called := 0
	for lines.Scan() {
		var got calledTool
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err, lines.Text())
		}
		called++
		if c := calls[got.Package+" "+got.Tool]; c != nil {
			if wrong := c.compare(&got); wrong != "" {
				t.Errorf("%s %s: %s", got.Package, c.title, wrong)
			}
		}
	}
	if t.Logf("%d tools of %d are called", called, len(calls)); called != len(calls) {
		t.Errorf("%d calls of %d tools", called, len(calls))
	}
}

// compare says in what a call differs from what was judged and what was answered.
func (c *documentCall) compare(got *calledTool) string {
	want, _, _ := strings.Cut(c.request.URL, "?")
	target, _, _ := strings.Cut(got.URL, "?")
	multipart := strings.HasPrefix(got.MediaType, "multipart/")
	switch {
	case got.Error != "":
		return fmt.Sprintf("%s, from %s", got.Error, jsonText(c.Answer))
	case got.Method != c.request.Method || target != want:
		return got.Method + " " + target + " is called instead of " + want
	case !multipart && (got.Body != c.request.Body || got.MediaType != c.request.Header.Get("Content-Type")):
		return "sends " + got.MediaType + " " + got.Body + " instead of " + c.request.Body
	}
	var read any
	if err := json.Unmarshal(got.Output, &read); err != nil || !bytes.Equal([]byte(jsonText(read)), []byte(jsonText(c.Want))) {
		return fmt.Sprintf("reads %s instead of %s", got.Output, jsonText(c.Want))
	}
	return ""
}
