package corpus_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// A required text that states no least length has one: every format says so, in
// its own word for it or in words.
func TestEmptyTextIsDescribed(t *testing.T) {
	d := newDoors(t, factsOf(t))
	s := d.tools["quiet_tool"]
	if in := s.Inputs[0]; in.Name != "code" || !in.Required || in.MinLength != 1 {
		t.Fatalf("%+v", in)
	}
	for _, door := range d.all() {
		_, inputs := door.open(t, s)
		for _, c := range export.Tellings() {
			if c.Format != door.format || c.Fact != "length" {
				continue
			}
			said, _ := at(inputs["code"], "description").(string)
			member := strings.Replace(c.Native, "maxLength", "minLength", 1)
			if strings.HasPrefix(c.Format, "A2T") {
				member = c.Ours
			}
			switch {
			case member != "" && at(inputs["code"], member) != 1.0:
				t.Errorf("%s: %s is %v", door.name, member, at(inputs["code"], member))
			case member == "" && !strings.Contains(said, "At least 1 character."):
				t.Errorf("%s says %q", door.name, said)
			}
		}
	}
}

// The server refuses an empty text in the same words, whatever the caller speaks.
func TestEmptyTextIsRefused(t *testing.T) {
	d := newDoors(t, factsOf(t))
	set := d.set
	set.Tools = nil
	for _, one := range d.set.Tools {
		if one.Name == "quiet_tool" {
			set.Tools = []tool.Tool{one}
		}
	}
	s := d.tools["quiet_tool"]
	set.Tools[0].Call = func(context.Context, tool.Args) (tool.Result, error) {
		t.Error("the call went through")
		return nil, nil
	}
	inputs := set.Tools[0].Versions[0].Inputs
	for i := range inputs { // code, which the callers send, and two that they leave out
		in := &s.Inputs[i]
		inputs[i] = tool.Param{ID: in.ID, Name: in.Name, Type: tool.TypeString, Required: i == 0, MinLength: in.MinLength, MaxLength: in.MaxLength}
	}
	const words = "Must have at least 1 character, but has 0."
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quiet_tool","arguments":{"code":""}META}}`
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	a2t := `{"input_parameters":[{"name":"code","value":""}]}`
	for _, c := range []struct {
		door, path, body string
		option           serve.Option
	}{
		{"A2T", "/a2t/tools/" + s.ID + ":invoke", a2t, nil}, {"N-ACT", "/nact/tools/" + s.ID + ":invoke", a2t, nil},
		{"OTC", "/otc/tools/call", `{"request":{"tool_id":"Shop.QuietTool","input":{"code":""}}}`, nil},
		{"OXP", "/otc/tools/call", `{"request":{"tool_id":"Shop.QuietTool","input":{"code":""}}}`, serve.WithOTCShape(serve.OTCShapeOXP10)},
		{"MCP 2025", "/mcp", strings.Replace(call, "META", "", 1), nil}, {"MCP 2026", "/mcp", strings.Replace(call, "META", meta, 1), nil},
	} {
		options := []serve.Option{}
		if c.option != nil {
			options = append(options, c.option)
		}
		h, err := serve.NewHandler([]tool.Toolset{set}, options...)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		if era, ok := strings.CutPrefix(c.door, "MCP "); ok {
			version := map[string]string{"2025": "2025-11-25", "2026": "2026-07-28"}[era]
			for name, value := range map[string]string{"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": "quiet_tool"} {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), words) {
			t.Errorf("%s: %d %s", c.door, w.Code, w.Body)
		}
	}
	var out, talk bytes.Buffer
	program := toolcli.Program{Docs: d.docs, Handler: func() (http.Handler, error) { return serve.NewHandler([]tool.Toolset{set}) }}
	console := toolcli.Console{Args: []string{"shop", "quiet-tool", "--code=", "--kind=k", "--count=1"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Lookup: os.LookupEnv}
	if code := program.Run(t.Context(), console); code == 0 || !strings.Contains(out.String()+talk.String(), words) {
		t.Errorf("the program: %d %s%s", code, &out, &talk)
	}
}
