package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// oldMCP speaks the revisions with initialize: it has sessions and answers in
// streams of events, with a message of its own before each answer.
type oldMCP struct {
	t       *testing.T
	methods []string
}

func (s *oldMCP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Cursor    string
			Name      string
			Arguments json.RawMessage
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		s.t.Error(err)
	}
	s.methods = append(s.methods, m.Method)
	session := r.Header.Get("Mcp-Session-Id")
	result := ""
	switch m.Method {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", "s-1")
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
	case "server/discover":
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
		return
	case "notifications/initialized":
		w.WriteHeader(http.StatusAccepted)
		return
	case "tools/list":
		result = `{"tools":[{"name":"first","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}],"nextCursor":"2"}`
		if m.Params.Cursor == "2" {
			result = `{"tools":[{"name":"add.up","inputSchema":{"type":"object","properties":{"list":{"type":"array","items":{"type":"integer"}}},"required":["list"]}}]}`
		}
	case "tools/call":
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"sum of"},{"type":"image","data":"AA"},{"type":"text","text":%q}],"structuredContent":{"sum":3}}`, m.Params.Arguments)
		if m.Params.Name == "first" {
			result = `{"content":[{"type":"text","text":"It is closed."}],"isError":true}`
		}
	}
	if m.Method != "initialize" && m.Method != "server/discover" && (session != "s-1" || r.Header.Get("MCP-Protocol-Version") != "2025-06-18") {
		s.t.Errorf("%s: session %q, revision %q", m.Method, session, r.Header.Get("MCP-Protocol-Version"))
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	fmt.Fprintf(w, "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\r\n\r\n: a comment\n\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":%s,\"result\":%s}\n\n", m.ID, result)
}

// TestOldMCP lists and calls a server of an older revision, which was not made
// with sculpt.
func TestOldMCP(t *testing.T) {
	old := &oldMCP{t: t}
	s := httptest.NewServer(old)
	defer s.Close()
	server, err := New(ProtocolMCP, s.URL+"/mcp")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := server.Tools(t.Context())
	if err != nil || len(tools) != 2 {
		t.Fatalf("%v %v", tools, err)
	}
	add := tools[1]
	if add.Name != "add.up" || add.Inputs[0].Type != tool.TypeJSON || !add.Inputs[0].Required || add.Effects != nil || !tools[0].readOnly() {
		t.Errorf("%+v", add)
	}
	if err := add.Validate(nil); tool.KindOf(err) != tool.KindInvalidInput {
		t.Errorf("a required list is not missed: %v", err)
	}
	r, err := server.Invoke(t.Context(), add, Call{Arguments: map[string]any{"list": []any{1, 2}}})
	if err != nil || r.Text != "sum of\n{\"list\":[1,2]}" || string(r.Document()) != `{"sum":3}` {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := server.Invoke(t.Context(), tools[0], Call{}); tool.KindOf(err) != tool.KindRejected || !strings.Contains(err.Error(), "It is closed.") {
		t.Errorf("%v", err)
	}
	want := []string{"server/discover", "initialize", "notifications/initialized", "tools/list", "tools/list", "tools/call", "tools/call"}
	if !slices.Equal(old.methods, want) {
		t.Errorf("%q", old.methods)
	}
}

// TestEvents splits streams as the standard of HTML has it.
func TestEvents(t *testing.T) {
	for stream, want := range map[string]string{
		"":                                 "",
		"data: a\n\n":                      "a",
		"data:a\ndata: b\n\ndata:  c\n\n":  "a\nb| c",
		"id: 1\nevent: x\ndata: a\r\n\r\n": "a",
		": hi\n\ndata: a":                  "a",
		"data:\n\n":                        "",
	} {
		var all []string
		for _, e := range events([]byte(stream)) {
			all = append(all, string(e))
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%q: %q, want %q", stream, got, want)
		}
	}
}
