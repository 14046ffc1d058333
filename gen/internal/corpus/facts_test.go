package corpus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// TestFacts asks a server and a program in every format for every fact of the
// table. The texts of the vendor are as long as they may be and say none of
// them. What a fact changes is missing at a tool that does not have it.
func TestFacts(t *testing.T) {
	d := newDoors(t, factsOf(t))
	loud, quiet := d.tools["loud_tool"], d.tools["quiet_tool"]
	for _, s := range []*signature.Signature{loud, quiet} {
		for _, f := range signature.ToolFacts {
			if has := f.Of(s) != ""; has != (s == loud) {
				t.Fatalf("%s: %s: %q", s.Name, f.ID, f.Of(s))
			}
		}
	}
	for _, f := range signature.InputFacts {
		if !slices.ContainsFunc(loud.Inputs, func(in signature.Input) bool { return f.Of(&in) != "" }) {
			t.Fatalf("no input has %s", f.ID)
		}
	}
	d.hold(t, loud, quiet)
}

// TestFactsOfTheExamples holds the examples, whose tools differ in their inputs
// and effects, against the same table.
func TestFactsOfTheExamples(t *testing.T) {
	for _, name := range []string{"examples/nws", "examples/clinic"} {
		t.Run(name, func(t *testing.T) {
			project, findings := frontend.Load(os.DirFS(golden.Root(t)), name)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			d := newDoors(t, project.Program)
			for _, s := range d.tools {
				d.hold(t, s, nil)
			}
		})
	}
}

// factsOf loads the case.
func factsOf(t *testing.T) *ir.Program {
	t.Helper()
	manifest, err := os.ReadFile("testdata/facts/sculpt.yaml")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("testdata/facts/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const when = "Asked for it."
	joined := len(". ") + len(signature.UseWhen(when))
	text := strings.NewReplacer(
		"LONG\n", fill(1999-joined)+"\n", "WHEN\n", when+"\n", "INPUT,", fill(1999)+",",
	).Replace(string(manifest))
	project, findings := frontend.Load(fstest.MapFS{"sculpt.yaml": {Data: []byte(text)}, "shop.yaml": {Data: document}}, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return project.Program
}

// fill is a text of n characters.
func fill(n int) string { return strings.Repeat("lorem ", n)[:n-1] + "x" }

// doors are all the ways to a tool, asked once.
type doors struct {
	tools map[string]*signature.Signature
	docs  fs.FS
	set   tool.Toolset
}

func newDoors(t *testing.T, p *ir.Program) *doors {
	t.Helper()
	files, findings := gen.Export(p)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	docs := fstest.MapFS{}
	for _, f := range files {
		docs[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	d := &doors{tools: map[string]*signature.Signature{}, docs: docs, set: tool.Toolset{Handshake: tool.Handshake, Name: p.Toolkit, Docs: docs}}
	for _, one := range p.Tools {
		s := *one.Signature
		s.Notes.Deprecated, s.Notes.Restricted = one.Details.Deprecation, one.Plan.Allow != nil
		d.tools[s.Name] = &s
		served := tool.Tool{ID: s.ID, Name: s.Name, ToolName: s.ToolName, Effects: tool.Effects(s.Effects), Call: neverCalled}
		for _, v := range slices.Concat(one.Released, []*signature.Signature{one.Signature}) {
			if v.Version == len(served.Versions)+1 {
				served.Versions = append(served.Versions, versionOf(v))
			}
		}
		d.set.Tools = append(d.set.Tools, served)
	}
	return d
}

func neverCalled(context.Context, tool.Args) (tool.Result, error) { panic("nobody calls") }

func versionOf(s *signature.Signature) tool.Version {
	v := tool.Version{N: s.Version, Released: true}
	for _, in := range s.Inputs {
		v.Inputs = append(v.Inputs, tool.Param{ID: in.ID, Name: in.Name})
	}
	for _, out := range s.Outputs {
		v.Outputs = append(v.Outputs, tool.OutputSlot{ID: out.ID, Name: out.Name})
	}
	return v
}

// get asks a server.
func (d *doors) get(t *testing.T, method, path, body string, headers map[string]string, options ...serve.Option) any {
	t.Helper()
	h, err := serve.NewHandler([]tool.Toolset{d.set}, options...)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return parsed(t, w.Body.Bytes())
}

func parsed(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// A door gives the document of a tool and those of its inputs by name. What
// is required, where the schema of all inputs says it, is a member of each.
type door struct {
	name, format string
	open         func(t *testing.T, s *signature.Signature) (any, map[string]any)
}

// at follows a path of members and indexes.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[name]
		default:
			return nil
		}
	}
	return v
}

// named finds the element of a list that has a name.
func named(list any, name string) any {
	all, _ := list.([]any)
	for _, e := range all {
		if at(e, "name") == name || at(e, "function.name") == name || at(e, "tool_id") == name {
			return e
		}
	}
	return nil
}

// properties are the inputs of a schema.
func properties(schema any) map[string]any {
	out := map[string]any{}
	list, _ := at(schema, "properties").(map[string]any)
	for name, p := range list {
		property, _ := p.(map[string]any)
		required, _ := at(schema, "required").([]any)
		property["required"] = slices.Contains(required, any(name))
		out[name] = property
	}
	return out
}

// list are the inputs of a list.
func list(inputs any) map[string]any {
	out := map[string]any{}
	all, _ := inputs.([]any)
	for _, in := range all {
		out[at(in, "name").(string)] = in
	}
	return out
}

func (d *doors) all() []door {
	doors := []door{
		{"A2T", "A2T, N-ACT", d.a2t("/a2t/tools/")}, {"N-ACT", "A2T, N-ACT", d.a2t("/nact/tools/")},
		{"ATDF basic", "ATDF basic", d.atdf("?schema_version=1.0.0")}, {"ATDF enhanced", "ATDF enhanced", d.atdf("")},
		{"MCP 2025", "MCP", d.mcp("2025-11-25")}, {"MCP 2026", "MCP", d.mcp("2026-07-28")},
		{"MCP, lean", "MCP, lean", d.mcp("2025-11-25", serve.WithLeanMCP())},
		{"ATIP", "ATIP", d.atip}, {"OpenAPI", "OpenAPI", d.openapi},
		{"OTC", "OTC, OXP", d.otc(serve.OTCShape10, "tools", "input_schema.parameters")},
		{"OXP", "OTC, OXP", d.otc(serve.OTCShapeOXP10, "items", "input_schema")},
	}
	for _, f := range []struct{ name, format, tool, schema string }{
		{"openai/chat", "OpenAI", "function", "parameters"}, {"openai/chat-strict", "OpenAI, strict", "function", "parameters"},
		{"openai/responses", "OpenAI", "", "parameters"}, {"openai/responses-strict", "OpenAI, strict", "", "parameters"},
		{"gemini/parameters", "Gemini", "", "parameters"}, {"gemini/json-schema", "Gemini, JSON Schema", "", "parametersJsonSchema"},
		{"anthropic/tools", "Anthropic", "", "input_schema"}, {"anthropic/tools-strict", "Anthropic, strict", "", "input_schema"},
	} {
		doors = append(doors, door{f.name, f.format, func(t *testing.T, s *signature.Signature) (any, map[string]any) {
			doc := d.file(t, f.name+".json")
			if strings.HasPrefix(f.name, "gemini") {
				doc = at(doc, "functionDeclarations")
			}
			one := named(doc, s.Name)
			if f.tool != "" {
				one = at(one, f.tool)
			}
			return one, properties(at(one, f.schema))
		}})
	}
	return doors
}

func (d *doors) file(t *testing.T, name string) any {
	t.Helper()
	data, err := fs.ReadFile(d.docs, name)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, data)
}

func (d *doors) a2t(path string) func(*testing.T, *signature.Signature) (any, map[string]any) {
	return func(t *testing.T, s *signature.Signature) (any, map[string]any) {
		doc := d.get(t, "GET", path+s.ID, "", nil)
		return doc, list(at(doc, "input_parameters"))
	}
}

func (d *doors) otc(shape serve.OTCShape, key, schema string) func(*testing.T, *signature.Signature) (any, map[string]any) {
	return func(t *testing.T, s *signature.Signature) (any, map[string]any) {
		doc := named(at(d.get(t, "GET", "/otc/tools", "", nil, serve.WithOTCShape(shape)), key), s.Name)
		return doc, properties(at(doc, schema))
	}
}

func (d *doors) atdf(query string) func(*testing.T, *signature.Signature) (any, map[string]any) {
	return func(t *testing.T, s *signature.Signature) (any, map[string]any) {
		doc := d.get(t, "GET", "/atdf/tools/"+s.Name+query, "", nil)
		return doc, list(at(doc, "how_to_use.inputs"))
	}
}

func (d *doors) mcp(era string, options ...serve.Option) func(*testing.T, *signature.Signature) (any, map[string]any) {
	return func(t *testing.T, s *signature.Signature) (any, map[string]any) {
		headers := map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era, "Mcp-Method": "tools/list",
		}
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + era +
			`","io.modelcontextprotocol/clientCapabilities":{}}}}`
		doc := named(at(d.get(t, "POST", "/mcp", body, headers, options...), "result.tools"), s.Name)
		return doc, properties(at(doc, "inputSchema"))
	}
}

func (d *doors) atip(t *testing.T, s *signature.Signature) (any, map[string]any) {
	var out, talk bytes.Buffer
	p := toolcli.Program{Docs: d.docs}
	command := strings.ReplaceAll(s.Name, "_", "-") // by name, since commands of deprecated tools are left out otherwise
	c := toolcli.Console{Args: []string{"shop", "--agent", "--commands=" + command}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Lookup: os.LookupEnv}
	if code := p.Run(t.Context(), c); code != 0 {
		t.Fatal(talk.String())
	}
	doc := at(at(parsed(t, out.Bytes()), "commands"), command)
	return doc, list(at(doc, "options"))
}

func (d *doors) openapi(t *testing.T, s *signature.Signature) (any, map[string]any) {
	doc := d.file(t, "openapi/openapi.json")
	inputs := map[string]any{}
	schemas, _ := at(doc, "components.schemas").(map[string]any)
	for _, in := range s.Inputs {
		inputs[in.Name] = at(schemas[s.ToolName+".input."+in.Name], "properties.value")
		said, _ := at(schemas[s.ToolName+"Call"], "properties.input_parameters.description").(string)
		_, names, _ := strings.Cut(said, "Required: ")
		inputs[in.Name].(map[string]any)["required"] = slices.Contains(strings.Split(names, ", "), in.Name)
	}
	return at(at(at(doc, "paths"), "/a2t/tools/"+s.ID+":invoke"), "post"), inputs
}

// hold asks at every door for every fact of a tool. Without a tool to compare
// with, native members need only be there.
func (d *doors) hold(t *testing.T, s, without *signature.Signature) {
	t.Helper()
	table := export.Tellings()
	for _, door := range d.all() {
		doc, inputs := door.open(t, s)
		var other any
		var others map[string]any
		if without != nil {
			other, others = door.open(t, without)
		}
		cells := 0
		for i := range table {
			c := table[i]
			if c.Format != door.format {
				continue
			}
			cells++
			if c.Native == "" && c.Ours == "" && !c.Words {
				t.Errorf("%s is silent about %s", c.Format, c.Fact)
			}
			if c.Tool != nil {
				if factOf(c.Fact).Of(s) != "" {
					tells(t, door.name, &c, c.Tool(s), doc, other)
				}
				continue
			}
			for j := range s.Inputs {
				if in := &s.Inputs[j]; inputFactOf(c.Fact).Of(in) != "" {
					if in.MinLength == 0 && c.Ours == "minLength" {
						c.Ours = "" // the other half of the bounds
					}
					tells(t, door.name+" "+in.Name, &c, c.Input(in), inputs[in.Name], others[in.Name])
				}
			}
		}
		if want := len(signature.ToolFacts) + len(signature.InputFacts); cells != want {
			t.Errorf("%s has %d cells, there are %d facts", door.format, cells, want)
		}
	}
	d.page(t, s)
}

func factOf(id string) *signature.Fact {
	i := slices.IndexFunc(signature.ToolFacts, func(f signature.Fact) bool { return f.ID == id })
	return &signature.ToolFacts[i]
}

func inputFactOf(id string) *signature.InputFact {
	i := slices.IndexFunc(signature.InputFacts, func(f signature.InputFact) bool { return f.ID == id })
	return &signature.InputFacts[i]
}

// tells holds one cell against a document, and that of a tool without the fact.
func tells(t *testing.T, where string, c *export.Telling, words string, doc, other any) {
	t.Helper()
	said, _ := at(doc, "description").(string)
	if c.Words {
		unsaid, _ := at(other, "description").(string)
		if words == "" || !strings.Contains(said, words) || strings.Contains(unsaid, words) {
			t.Errorf("%s does not say %s: %q is not in %q, or is in %q", where, c.Fact, words, said[max(0, len(said)-200):], unsaid)
		}
	}
	if n := utf8.RuneCountInString(said); strings.HasPrefix(c.Format, "A2T") && n > 1999 || strings.HasPrefix(c.Format, "OpenAI") && c.Tool != nil && n > 1024 {
		t.Errorf("%s: %d characters", where, n)
	}
	for _, path := range []string{c.Native, c.Ours} {
		if path == "" {
			continue
		}
		has := at(doc, path)
		if has == nil {
			t.Errorf("%s has no %s for %s: %v", where, path, c.Fact, doc)
		}
		if other != nil && reflect.DeepEqual(has, at(other, path)) {
			t.Errorf("%s: %s is %v with and without %s", where, path, has, c.Fact)
		}
	}
}

// page looks for the facts in the page of a tool: sentences about the tool, the
// values of inputs in its tables.
func (d *doors) page(t *testing.T, s *signature.Signature) {
	t.Helper()
	data, err := fs.ReadFile(d.docs, "docs/"+s.Name+".md")
	if err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(string(data))
	has := func(fact, words string) {
		if !strings.Contains(text, words) {
			t.Errorf("the page of %s does not say %s: %q is not in\n%s", s.Name, fact, words, text)
		}
	}
	for _, f := range signature.ToolFacts {
		if f.ID == "when_to_use" {
			has(f.ID, s.WhenToUse)
			continue
		}
		has(f.ID, f.Of(s))
	}
	for _, in := range s.Inputs {
		for _, v := range in.Values {
			has("values", "| `"+v.Name+"` | "+v.Text+" |")
		}
		has("pattern", in.Pattern)
		var row string
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "| `"+in.Name+"` | ") {
				row = line
				break
			}
		}
		for _, want := range pageCells(&in) {
			if !strings.Contains(row, want) {
				t.Errorf("the page of %s: %q is not in %s", s.Name, want, row)
			}
		}
	}
}

// pageCells are what the row of an input has besides its text.
func pageCells(in *signature.Input) []string {
	var cells []string
	switch {
	case in.Required:
		cells = append(cells, "| yes |")
	case in.Default == nil:
		cells = append(cells, "| no |", "| nothing |")
	default:
		cells = append(cells, fmt.Sprintf("| `%v` |", in.Default))
	}
	switch in.Type {
	case signature.Int:
		cells = append(cells, fmt.Sprintf("| %d to %d |", in.Min, in.Max))
	case signature.String:
		cells = append(cells, fmt.Sprintf("%d characters", in.MaxLength))
	}
	return cells
}

// TestNotesOfOldVersions: a note that is written today is told of every version,
// in the body and so in its ETag, and what is locked of the version is as it was.
func TestNotesOfOldVersions(t *testing.T) {
	p := factsOf(t)
	loud := p.Tools[slices.IndexFunc(p.Tools, func(t *ir.Tool) bool { return t.Signature.Name == "loud_tool" })]
	released := *loud.Signature
	released.Notes = signature.Notes{} // records have none
	loud.Released = []*signature.Signature{&released}
	next := *loud.Signature
	next.Version = 2
	loud.Signature = &next
	digest := released.Digest()
	before := newDoors(t, p).version(t, &released)
	next.Notes.Cost = "low"
	after := newDoors(t, p).version(t, &released)
	if was, is := at(before, "effects.cost"), at(after, "effects.cost"); was != "high" || is != "low" {
		t.Errorf("version 1 says the cost %v and then %v", was, is)
	}
	at(before, "effects").(map[string]any)["cost"] = "low"
	if !reflect.DeepEqual(before, after) || released.Digest() != digest {
		t.Errorf("more than the cost of version 1 changes: %v, %v", before, after)
	}
}

func (d *doors) version(t *testing.T, s *signature.Signature) any {
	t.Helper()
	return d.get(t, "GET", fmt.Sprintf("/a2t/tools/%s/versions/%d", s.ID, s.Version), "", nil)
}
