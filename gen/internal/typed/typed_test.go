package typed_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/gen/internal/typed"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// weather serves the tools of the example over their recorded answers.
func weather(t *testing.T) *httptest.Server {
	t.Helper()
	recorded, err := replay.Open(os.DirFS(filepath.Join(golden.Root(t), "examples/nws/replay")))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// serviceAt reads the tools of a server.
func serviceAt(t *testing.T, p client.Protocol, address string) *typed.Service {
	t.Helper()
	server, err := client.New(p, address)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := server.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &typed.Service{Protocol: p, Address: address, Tools: tools}
}

// kept is the description of a tool.
func kept(t *testing.T, p client.Protocol, document any) *client.Tool {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	one, err := client.ReadTool(p, text)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func goSource(t *testing.T, s *typed.Service, pkg string) string {
	t.Helper()
	source, err := s.Go(pkg)
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

func typeScript(t *testing.T, s *typed.Service) string {
	t.Helper()
	source, err := s.TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// Callers of a server that was sculpted are compiled, vetted and called over A2T, OTC
// and MCP; what they may not send does not leave the program.
func TestGoCalls(t *testing.T) {
	server := weather(t)
	m := golden.NewModule(t)
	for pkg, p := range map[string]client.Protocol{"a2t": client.ProtocolA2T, "otc": client.ProtocolOTC, "mcp": client.ProtocolMCP} {
		m.Write(pkg+"/tools.go", goSource(t, serviceAt(t, p, server.URL+"/"+pkg), pkg))
	}
	m.Write("main.go", strings.ReplaceAll(goCaller, "SERVER", server.URL))
	if out, err := m.Go("vet", "./..."); err != nil {
		t.Fatal(out, err)
	}
	got, err := m.Go("run", ".")
	want := "a2t Omaha 47 Mostly Sunny\notc Omaha 47 Mostly Sunny\nmcp Omaha 47 Mostly Sunny\n" +
		"true period not_allowed [NOW TONIGHT TOMORROW]\nfalse no_result 422\ntrue 0\n"
	if err != nil || got != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

const goCaller = `package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"vendor.example/tools/a2t"
	"vendor.example/tools/mcp"
	"vendor.example/tools/otc"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	ctx := context.Background()
	a := must(a2t.NewClient("SERVER/a2t"))
	// A2T does not promise that an output is there.
	x := must(a.LookupWeatherByCity(ctx, a2t.LookupWeatherByCityInput{City: "Omaha, Nebraska", Period: new(a2t.LookupWeatherByCityPeriodNOW)}))
	fmt.Println("a2t", *x.Place, *x.TemperatureF, *x.Summary)
	y := must(must(otc.NewClient("SERVER/otc")).LookupWeatherByCity(ctx, otc.LookupWeatherByCityInput{City: "Omaha, Nebraska"}))
	fmt.Println("otc", y.Place, y.TemperatureF, y.Summary)
	z := must(must(mcp.NewClient("SERVER/mcp")).LookupWeatherByCity(ctx, mcp.LookupWeatherByCityInput{City: "Omaha, Nebraska"}))
	fmt.Println("mcp", z.Place, z.TemperatureF, z.Summary)

	_, err := a.LookupWeatherByCity(ctx, a2t.LookupWeatherByCityInput{City: "Omaha, Nebraska", Period: new(a2t.LookupWeatherByCityPeriod("YESTERDAY"))})
	wrong := err.(*client.Error)
	fmt.Println(wrong.Local, wrong.Fault.Issues[0].Param, wrong.Fault.Issues[0].Code, wrong.Fault.Issues[0].Allowed)
	_, err = a.LookupWeatherByCity(ctx, a2t.LookupWeatherByCityInput{City: "Zzyzxburg"})
	none, _ := errors.AsType[*client.Error](err)
	fmt.Println(none.Local, none.Fault.Kind, none.Status)
	_, err = a.LookupWeatherByCity(ctx, a2t.LookupWeatherByCityInput{City: "Omaha, Nebraska"}, func(c *client.Call) { c.Arguments["nonsense"] = true })
	odd, _ := errors.AsType[*client.Error](err)
	fmt.Println(odd.Local, odd.Status)
}
`

// hostile texts try to leave a comment, a string or an identifier.
var hostile = []string{
	"*/ evil(); /*", "\n//go:embed /etc/passwd\n", "+build ignore", "//go:build ignore", "`\"'\\", "\u2028evil()\u2029", "\u202e\u2066\x00\x7f\r\n\t", "${evil}",
	"@ts-ignore", "@internal", "\n@deprecated\n", "type", "class", "then", "constructor", "__proto__", "func", "", " ", "1", "日本", "%s%d%!", "</script>",
	"Client", "NewClient", "Address", "client", "json", "string", "a", "A", "a_input", "a-input", "-", "a,omitempty", "\\u002a/", "toString",
	"Deprecated: nothing", "\ufeff", "export", "_", "_a", "a_v1", strings.Repeat("long ", 3000), "//nolint:all", "/// <reference path=\"/etc/passwd\" />",
}

// strange is a service of which every name and text is hostile, with tools and
// members that differ in nothing but what identifiers cannot say.
func strange(t *testing.T, p client.Protocol) *typed.Service {
	t.Helper()
	s := &typed.Service{Protocol: p, Address: "https://tools.example/\"*/`"}
	for i, text := range hostile {
		name := text
		if name == "" {
			name = "\"" // without a name no tool can be read
		}
		var inputs []any
		properties := map[string]any{}
		for j, other := range hostile {
			if other == "" {
				other = "\\"
			}
			if slices.Contains(hostile[:j], other) {
				continue
			}
			inputs = append(inputs, map[string]any{"name": other, "id": fmt.Sprint(j), "description": text, "required": j%2 == 0, "type": "enum",
				"allowed-values": []any{map[string]any{"name": text, "description": other}, map[string]any{"name": other, "description": text}}})
			properties[other] = map[string]any{"description": text, "type": "object", "required": []string{text}, "properties": map[string]any{
				text: map[string]any{"type": []string{"string", "null"}, "enum": []any{text, other, nil}}, other: map[string]any{"type": "array", "items": map[string]any{"type": "integer"}}}}
		}
		schema := map[string]any{"type": "object", "properties": properties, "required": []string{text}}
		document := map[string]any{"toolId": fmt.Sprint(i), "name": name, "description": text, "version": 1, "input_parameters": inputs, "output_parameters": inputs,
			"deprecated": map[string]any{"sunset": text, "use": text}}
		if p != client.ProtocolA2T {
			document = map[string]any{"id": "Kit." + fmt.Sprint(i), "name": name, "description": text, "version": "1.2." + fmt.Sprint(i), "input_schema": schema, "output_schema": schema}
		}
		s.Tools = append(s.Tools, kept(t, p, document))
	}
	return s
}

// Whatever a server writes, what is made of it compiles, passes vet and declares
// nothing but what tools are made into; and it is printable.
func TestHostileTexts(t *testing.T) {
	golden.NotRaced(t)
	m := golden.NewModule(t)
	m.Write("doc.go", "package tools\n")
	for pkg, p := range map[string]client.Protocol{"a2t": client.ProtocolA2T, "otc": client.ProtocolOTC} {
		s := strange(t, p)
		source := goSource(t, s, pkg)
		m.Write(pkg+"/tools.go", source)
		f, err := parser.ParseFile(token.NewFileSet(), "tools.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		methods := 0
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() {
				methods++
			}
		}
		if methods != len(s.Tools) {
			t.Errorf("%d methods for %d tools", methods, len(s.Tools))
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if !strings.HasPrefix(c.Text, "// ") && c.Text != "//" || strings.HasPrefix(c.Text, "// +") {
					t.Errorf("a comment is %q", c.Text)
				}
			}
		}
		slices.Reverse(s.Tools)
		if again := goSource(t, s, pkg); again != source {
			t.Error("the order of the server changes what is written")
		}
		module := typeScript(t, s)
		for _, text := range []string{source, module} {
			if i := strings.IndexFunc(text, func(r rune) bool {
				return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0x202e || r == 0xfeff
			}); i >= 0 {
				t.Errorf("there is a hidden character: %q", text[max(0, i-40):i+10])
			}
		}
		if open, shut := strings.Count(module, "/**"), strings.Count(module, "*/"); open != shut {
			t.Errorf("%d comments begin and %d end", open, shut)
		}
	}
	if out, err := m.Go("vet", "./..."); err != nil {
		t.Error(out, err)
	}
}

// An older version has its number in its name, another tool of the same name a
// number, and a tool that is named twice one method.
func TestNames(t *testing.T) {
	one := func(id, name string, version int) *client.Tool {
		return kept(t, client.ProtocolA2T, map[string]any{"toolId": id, "name": name, "version": version})
	}
	s := &typed.Service{Protocol: client.ProtocolA2T, Tools: []*client.Tool{one("b", "get", 1), one("a", "get", 1), one("a", "get", 3), one("a", "get", 3), one("c", "delete", 1)}}
	for source, want := range map[string][]string{
		goSource(t, s, "x"): {") Get(", ") GetV1(", ") Get2(", ") Delete("},
		typeScript(t, s):    {"  get(", "  getV1(", "  get2(", "  delete("},
	} {
		for _, name := range want {
			if strings.Count(source, name) != 1 {
				t.Errorf("%s is there %d times in\n%s", name, strings.Count(source, name), source)
			}
		}
	}
}

// The types of a schema of somebody else, and what of it has none.
func TestShapes(t *testing.T) {
	document := map[string]any{"id": "Shop.Find", "name": "find", "version": "2.1.0", "input_schema": json.RawMessage(`{"type":"object","required":["filter","far"],"properties":{
		"filter":{"type":"object","required":["of"],"properties":{"of":{"type":"string","enum":["x","y"]},"most":{"type":["number","null"]},"deep":{"type":"object","properties":{"n":{"type":"integer"}}}}},
		"far":{"$ref":"#/$defs/a"},"tags":{"type":"array","items":{"type":"string"}},"open":{"type":"object"},"odd":{"type":"object","properties":{"a":{"type":"string"},"A":{"type":"string"}}},
		"several":{"type":["string","integer"]}}}`)}
	s := &typed.Service{Protocol: client.ProtocolOTC, Tools: []*client.Tool{kept(t, client.ProtocolOTC, document)}}
	source, module := strings.Join(strings.Fields(goSource(t, s, "x")), " "), typeScript(t, s)
	for _, want := range []string{
		"Filter FindFilter ", "Far any ", "Tags []string ", "Open any ", "Odd any ", "Several any ", "Of FindFilterOf `json:\"of\"`", "Most *float64 `json:\"most,omitempty\"`",
		"Deep *FindFilterDeep `json:\"deep,omitempty\"`", `FindFilterOfX FindFilterOf = "x"`, "(*client.Result, error)",
	} {
		if !strings.Contains(source, want) {
			t.Errorf("%q is not in\n%s", want, source)
		}
	}
	for _, want := range []string{
		`"filter": { "deep"?: { "n"?: number | null } | null; "most"?: number | null; "of": "x" | "y" };`, `"far": unknown;`, `"tags"?: readonly (string)[] | null;`,
		`"odd"?: { "A"?: string | null; "a"?: string | null } | null;`, `"several"?: unknown;`, `id: "Shop.Find@2.1.0"`, "Promise<Record<string, unknown>>",
	} {
		if !strings.Contains(module, want) {
			t.Errorf("%q is not in\n%s", want, module)
		}
	}
}

// Outputs against the signature are an error and no zero values.
func TestBrokenOutputs(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"result":{"success":true,"value":%s}}`, r.Header.Get("X-Value"))
	}
	server := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(server.Close)
	s := &typed.Service{Protocol: client.ProtocolOTC, Tools: []*client.Tool{kept(t, client.ProtocolOTC, map[string]any{
		"id": "Kit.Get", "name": "get", "version": "1.0.0", "output_schema": json.RawMessage(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"w":{"enum":["x"],"type":"string"}}}`),
	})}}
	m := golden.NewModule(t)
	m.Write("tools/tools.go", goSource(t, s, "tools"))
	m.Write("main.go", strings.ReplaceAll(brokenCaller, "SERVER", server.URL))
	got, err := m.Go("run", ".")
	if want := "7 true <nil>\n5 false <nil>\ntrue bad_backend\ntrue bad_backend\ntrue bad_backend\n"; err != nil || got != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

const brokenCaller = `package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"vendor.example/tools/tools"
)

func main() {
	for _, value := range []string{` + "`{\"n\":7,\"w\":\"x\"}`, `{\"n\":5,\"w\":null}`, `{\"n\":null}`, `{\"n\":\"7\"}`, `{\"n\":7,\"w\":\"z\"}`" + `} {
		c, err := tools.NewClient("SERVER", client.WithHeader(func(_ context.Context, h http.Header) error {
			h.Set("X-Value", value)
			return nil
		}))
		if err != nil {
			panic(err)
		}
		out, err := c.Get(context.Background(), tools.GetInput{})
		if err != nil {
			fmt.Println(out == nil, err.(*client.Error).Fault.Kind)
			continue
		}
		fmt.Println(out.N, out.W != nil && *out.W == tools.GetOutputWX, err)
	}
}
`

// What cannot be written is said.
func TestRefusals(t *testing.T) {
	mcp := kept(t, client.ProtocolMCP, map[string]any{"name": "x"})
	if _, err := (&typed.Service{Protocol: client.ProtocolMCP, Tools: []*client.Tool{mcp}}).TypeScript(); err == nil {
		t.Error("a module for MCP")
	}
	for _, pkg := range []string{"", "main", "_", "func", "a b", "Upper", "x\nimport"} {
		if _, err := (&typed.Service{Protocol: client.ProtocolMCP, Tools: []*client.Tool{mcp}}).Go(pkg); err == nil {
			t.Errorf("a package %q", pkg)
		}
	}
	if _, err := (&typed.Service{Protocol: client.ProtocolMCP}).Go("x"); err == nil {
		t.Error("a client of nothing")
	}
}
