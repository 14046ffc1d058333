package nws_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// mirrored is what all 58 operations of the service are as tools of
// openapi-mcp-generator: bytes of tools/list, and 15,158 tokens of o200k_base.
const mirrored = 49_177

// TestLeanList: the lean list has at most 1.0 % of the tokens of the mirrored
// service for each tool (746 for five were counted), which is 1.35 % of its bytes.
func TestLeanList(t *testing.T) {
	var lean, whole struct {
		Result struct{ Tools []json.RawMessage }
	}
	ask(t, leanHandler(t, serve.WithLeanMCP()), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, &lean)
	ask(t, leanHandler(t), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, &whole)
	n := len(lean.Result.Tools)
	if n != 5 || len(whole.Result.Tools) != n {
		t.Fatal(n, len(whole.Result.Tools))
	}
	bytes := 0
	for i, one := range lean.Result.Tools {
		bytes += len(one)
		for _, word := range []string{"outputSchema", "title"} {
			if strings.Contains(string(one), `"`+word+`"`) || !strings.Contains(string(whole.Result.Tools[i]), `"`+word+`"`) {
				t.Errorf("%s: %s\n%s", word, one, whole.Result.Tools[i])
			}
		}
	}
	if most := n * mirrored * 135 / 10_000; bytes > most {
		t.Errorf("%d tools have %d bytes, at most %d are wanted", n, bytes, most)
	}
}

// A call is answered as it is where the list is whole, and inputs that the lean
// schema does not forbid are still refused.
func TestLeanCalls(t *testing.T) {
	for _, arguments := range []string{`{"city":"Omaha, Nebraska"}`, `{"city":"Omaha, Nebraska","town":"Omaha"}`, `{}`} {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_weather_by_city","arguments":` + arguments + `}}`
		var lean, whole any
		ask(t, leanHandler(t, serve.WithLeanMCP()), call, &lean)
		ask(t, leanHandler(t), call, &whole)
		a, _ := json.Marshal(lean)
		b, _ := json.Marshal(whole)
		if string(a) != string(b) || strings.Contains(string(a), `"isError":true`) != (arguments != `{"city":"Omaha, Nebraska"}`) {
			t.Errorf("%s gives\n%s\nand where the list is lean\n%s", arguments, b, a)
		}
	}
}

func leanHandler(t *testing.T, options ...serve.Option) http.Handler {
	t.Helper()
	tools := toolsOver(t, recorded(t))
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, options...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(t *testing.T, h http.Handler, body string, into any) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
}
