package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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
		for e := range events([]byte(stream)) {
			all = append(all, string(e))
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%q: %q, want %q", stream, got, want)
		}
	}
}

// TestHeldStream: an answer is read when it is there, though its stream stays open.
func TestHeldStream(t *testing.T) {
	old := &oldMCP{t: t}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		old.ServeHTTP(w, r)
		if len(old.methods) > 3 {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}))
	defer s.Close()
	server, err := New(ProtocolMCP, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tools, err := server.Tools(ctx)
	if err != nil || len(tools) != 2 {
		t.Errorf("%v %v", tools, err)
	}
	if r, err := server.Invoke(ctx, tools[1], Call{Arguments: map[string]any{"list": []any{1, 2}}}); err != nil || string(r.Document()) != `{"sum":3}` {
		t.Errorf("%+v %v", r, err)
	}
}

// TestOpenOnce: callers that come at the same time agree on the era once, and a
// session that the server has lost is begun anew, once.
func TestOpenOnce(t *testing.T) {
	old := &oldMCP{t: t}
	var mu sync.Mutex
	lose := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if lose && r.Header.Get("Mcp-Session-Id") != "" {
			lose = false
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		old.ServeHTTP(w, r)
	}))
	defer s.Close()
	server, err := New(ProtocolMCP, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	all := func() {
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				if tools, err := server.Tools(t.Context()); err != nil || len(tools) != 2 {
					t.Errorf("%v %v", tools, err)
				}
			})
		}
		group.Wait()
	}
	all()
	mu.Lock()
	lose = true
	mu.Unlock()
	if _, err := server.Tools(t.Context()); err != nil {
		t.Error(err)
	}
	all()
	begun := 0
	for _, method := range old.methods {
		if method == "initialize" {
			begun++
		}
	}
	if begun != 2 {
		t.Errorf("it was initialized %d times: %q", begun, old.methods[:min(len(old.methods), 40)])
	}
}
