package corpus_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sculpt-tools/sculpt/internal/cli"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const oneToolCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_weather_by_city","arguments":{"city":"CITY"},META}}`

const oneToolPath = "/a2t/tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11:invoke"

func otcCall(version, city, day string) string {
	return `{"request":{"call_id":"123e4567-e89b-12d3-a456-426614174000","tool_id":"Weather.LookupWeatherByCity` + version +
		`","input":{"city":"` + city + `","day":"` + day + `"}}}`
}

// oneToolAnswers are documents that a running server gives: the request, and
// the member of its answer that has to equal the document.
var oneToolAnswers = []struct{ document, method, path, body, member string }{
	{"a2t/list.json", "GET", "/a2t/tools", "", ""},
	{"a2t/versions.json", "GET", "/a2t/tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11/versions", "", ""},
	{"a2t/invoke-response-v1.json", "POST", "/a2t/tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11/versions/1:invoke",
		`{"input_parameters":[{"name":"city","value":"Omaha"}]}`, ""},
	{"a2t/invoke-response-v2.json", "POST", "/a2t/tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11:invoke",
		`{"input_parameters":[{"name":"city","value":"Omaha"}]}`, ""},
	{"a2t/problem-404.json", "GET", "/a2t/tools/unknown", "", ""},
	{"a2t/problem-422.json", "POST", oneToolPath, `{"input_parameters":[{"name":"city","value":"Omaha"},{"name":"day","value":"YESTERDAY"}]}`, ""},
	{"a2t/problem-503.json", "POST", oneToolPath, `{"input_parameters":[{"name":"city","value":"Busytown"}]}`, ""},
	{"otc/call-response.json", "POST", "/otc/tools/call", otcCall("@2", "Omaha, Nebraska", "TOMORROW"), ""},
	{"otc/call-tool-error.json", "POST", "/otc/tools/call", otcCall("@2", "Omahaa", "TOMORROW"), ""},
	{"otc/validation-error.json", "POST", "/otc/tools/call", otcCall("@2", "Omaha", "YESTERDAY"), ""},
	{"otc/server-error-unknown-version.json", "POST", "/otc/tools/call", otcCall("@9.0.0", "Omaha", "TOMORROW"), ""},
	{"otc/list-dual.json", "GET", "/otc/tools", "", ""},
	{"otc/list-otc-1.0.json", "GET", "/otc/tools?$schema=otc://1.0", "", ""},
	{"otc/list-oxp-1.0.json", "GET", "/otc/tools?$schema=urn:oxp:1.0", "", ""},
	{"atdf/error.json", "POST", "/weather", `{"city":"Omaha","day":"YESTERDAY"}`, ""},
	{"mcp/initialize-result-2025-11-25.json", "POST", "/mcp",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, "result"},
	{"mcp/discover-result-2026-07-28.json", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{META}}`, "result"},
	{"mcp/tools-list-result-2026-07-28.json", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}}`, "result"},
	{"mcp/call-result-2026-07-28.json", "POST", "/mcp", strings.Replace(oneToolCall, "CITY", "Omaha", 1), "result"},
	{"mcp/call-result-error-2026-07-28.json", "POST", "/mcp", strings.Replace(oneToolCall, "CITY", "Omahaa", 1), "result"},
}

// TestOneTool writes one manifest, releases it twice, and holds what is
// exported and what is served against the documents of the same tool that were
// written by hand, and judged, without sculpt.
func TestOneTool(t *testing.T) {
	documents := golden.Shared(t, "protocols", "golden")
	m := golden.NewModule(t)
	archive, err := txtar.ParseFile("testdata/onetool.txtar")
	if err != nil {
		t.Fatal(err)
	}
	manifests := map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "v") {
			manifests[f.Name] = string(f.Data)
			continue
		}
		m.Write(f.Name, string(f.Data))
	}
	for _, release := range []struct{ manifest, date string }{{"v1.yaml", "2026-01-01"}, {"v2.yaml", "2026-02-01"}} {
		m.Write("weather/sculpt.yaml", manifests[release.manifest])
		for _, args := range [][]string{{"generate"}, {"release", "--date", release.date}} {
			var talk bytes.Buffer
			if code := cli.Main(append(args, filepath.Join(m.Dir, "weather")), strings.NewReader(""), &talk, &talk, os.LookupEnv); code != 0 {
				t.Fatalf("%s %s: exit code %d\n%s", args[0], release.manifest, code, &talk)
			}
		}
	}
	exports := exportsOf(t, filepath.Join(m.Dir, "weather"))
	for file, document := range map[string]string{
		"a2t/lookup_weather_by_city.v1.json": "a2t/signature-v1.json", "a2t/lookup_weather_by_city.v2.json": "a2t/signature-v2.json",
		"mcp/lookup_weather_by_city.v2.json": "mcp/tool.json",
	} {
		compareJSON(t, document, readJSON(t, filepath.Join(documents, document)), exportedJSON(t, exports, file))
	}
	compareExports(t, documents, exports)
	compareProgram(t, documents, m)
	answers := askOneTool(t, m)
	for i, c := range oneToolAnswers {
		got := answers[i]
		if c.member != "" {
			got = got.(map[string]any)[c.member]
		}
		want := readJSON(t, filepath.Join(documents, c.document))
		if c.document == "otc/validation-error.json" { // OTC says it in the words of the other protocols
			want.(map[string]any)["parameter_errors"] = map[string]any{"day": `"YESTERDAY" is not one of the allowed values. Allowed: TODAY, TOMORROW.`}
		}
		if c.document == "atdf/error.json" {
			golden.JudgeATDF(t, got.(map[string]any))
		}
		notOfTheCall(want)
		notOfTheCall(got)
		compareJSON(t, c.document, want, got)
	}
}

// notOfTheCall makes equal what differs from one answer to the next, and from
// one server to the other: how long, when, which, and where the kind of an error
// of ATDF is explained. A tool error of OTC has the word of the manifest too.
func notOfTheCall(doc any) {
	m := doc.(map[string]any)
	if result, ok := m["result"].(map[string]any); ok {
		delete(result, "duration")
		if e, ok := result["error"].(map[string]any); ok {
			delete(e, "code")
		}
	}
	meta, ok := m["meta"].(map[string]any)
	if !ok {
		return
	}
	meta["timestamp"] = "now"
	for _, e := range m["errors"].([]any) {
		m := e.(map[string]any)
		m["instance"], m["type"] = "this one", m["code"]
	}
}

// compareExports holds the function formats and the descriptors against their
// documents. Those of ATDF say of two errors beforehand what the answers of MCP
// and A2T say of a call, in other words, which one manifest cannot: these texts
// are those of the manifest.
func compareExports(t *testing.T, documents string, exports fs.FS) {
	t.Helper()
	for file, document := range map[string]string{
		"openai/chat.json": "openai-chat", "openai/chat-strict.json": "openai-chat-strict", "openai/responses-strict.json": "openai-responses-strict",
		"gemini/parameters.json": "gemini", "gemini/json-schema.json": "gemini-json-schema",
		"anthropic/tools.json": "anthropic", "anthropic/tools-strict.json": "anthropic-strict",
	} {
		got := exportedJSON(t, exports, file)
		if o, ok := got.(map[string]any); ok {
			got = o["functionDeclarations"]
		}
		want := readJSON(t, filepath.Join(documents, "functions", document+".json"))
		compareJSON(t, document, []any{want}, got)
	}
	for _, level := range []string{"basic", "enhanced"} {
		want := readJSON(t, filepath.Join(documents, "atdf", level+".json"))
		got := exportedJSON(t, exports, "atdf/lookup_weather_by_city."+level+".json")
		outputs := func(doc any) map[string]any {
			return doc.(map[string]any)["how_to_use"].(map[string]any)["outputs"].(map[string]any)
		}
		failures := outputs(want)["failure"].([]any)
		failures[0].(map[string]any)["description"] = "No city named … was found."
		failures[1].(map[string]any)["description"] = "The forecast service did not answer."
		compareJSON(t, "atdf/"+level, want, got)
		golden.JudgeATDF(t, got.(map[string]any))
	}
}

// compareProgram holds the description of the program, and what the program
// says of a part of itself, against their documents. These have another
// description than the answers of MCP, which one manifest cannot give.
func compareProgram(t *testing.T, documents string, m *golden.Module) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(golden.Root(t), "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m.Write("go.sum", string(sums))
	exported, err := fs.ReadFile(exportsOf(t, filepath.Join(m.Dir, "weather")), "atip/atip.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Go("build", "-o", "bin/weather", "./cmd/weather"); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(filepath.Join(m.Dir, "bin", "weather"), "--agent", "--commands=lookup-weather-by-city")
	program.Env = []string{}
	answer, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	for document, raw := range map[string][]byte{"atip/weather.json": exported, "atip/weather-partial.json": answer} {
		var got map[string]any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		want := readJSON(t, filepath.Join(documents, document)).(map[string]any)
		want["description"] = "Weather tools for US cities."
		compareJSON(t, document, want, any(got))
		golden.JudgeATIP(t, raw)
	}
}

// askOneTool sends the requests to the compiled package.
func askOneTool(t *testing.T, m *golden.Module) []any {
	t.Helper()
	var in bytes.Buffer
	for _, c := range oneToolAnswers {
		header := map[string]string{"Content-Type": "application/json"}
		if strings.Contains(c.body, "META") {
			var asked struct {
				Method string
				Params struct{ Name string }
			}
			c.body = strings.Replace(c.body, "META", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`, 1)
			if err := json.Unmarshal([]byte(c.body), &asked); err != nil {
				t.Fatal(err)
			}
			header["MCP-Protocol-Version"], header["Mcp-Method"], header["Mcp-Name"] = "2026-07-28", asked.Method, asked.Params.Name
		}
		request := map[string]any{"Method": c.method, "Path": c.path, "Header": header}
		if c.body != "" {
			request["Body"] = json.RawMessage(c.body)
		}
		if err := json.NewEncoder(&in).Encode(request); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Go("build", "-o", "ask.exe", "./ask"); err != nil {
		t.Fatal(err)
	}
	ask := exec.Command(filepath.Join(m.Dir, "ask.exe"))
	var out, talk bytes.Buffer
	ask.Stdin, ask.Stdout, ask.Stderr = &in, &out, &talk
	if err := ask.Run(); err != nil {
		t.Fatalf("%v: %s", err, &talk)
	}
	var answers []any
	for line := range bytes.Lines(out.Bytes()) {
		var doc any
		if err := json.Unmarshal(line, &doc); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, doc)
	}
	if len(answers) != len(oneToolAnswers) {
		t.Fatalf("%d answers to %d requests", len(answers), len(oneToolAnswers))
	}
	return answers
}

// exportsOf are the wire documents of a package.
func exportsOf(t *testing.T, dir string) fs.FS {
	t.Helper()
	bundle, err := os.ReadFile(filepath.Join(dir, "exports", "documents.json"))
	if err != nil {
		t.Fatal(err)
	}
	return tool.Documents(string(bundle))
}

func readJSON(t *testing.T, name string) any {
	t.Helper()
	return exportedJSON(t, os.DirFS(filepath.Dir(name)), filepath.Base(name))
}

func exportedJSON(t *testing.T, exports fs.FS, name string) (doc any) {
	t.Helper()
	raw, err := fs.ReadFile(exports, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

// unsaid takes out what the documents that were written by hand do not say of
// the tool: see TestFacts for that.
func unsaid(doc any) any {
	return golden.Unsaid(golden.Drafted(doc), append(golden.WeatherWords, "Cost: free.", "Mostly takes 1-5s.", "Between 0 and 156.")...)
}

func compareJSON(t *testing.T, document string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(unsaid(want), unsaid(got)); diff != "" {
		t.Errorf("%s: (-golden +ours)\n%s", document, diff)
	}
}
