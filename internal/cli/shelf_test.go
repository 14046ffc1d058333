package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// shelfCommand starts a server of tools that were not made here, on loopback, and
// puts its address into $SHELF: shelf DIR. It answers with the files of the folder
// as they are at that moment, so a script changes what is served by copying one
// over another: GET /a/b is a/b.json, with the status and headers of a/b.head; POST
// /m is MCP with the tools of m.json. What /locked has wants the token t0ken.
func shelfCommand(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	var address string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/locked") && r.Header.Get("Authorization") != "Bearer t0ken" {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+address+`/metadata"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(r.URL.Path, "/")))
		if r.Method == http.MethodPost {
			shelfMCP(w, r, name+".json")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		status := http.StatusOK
		body, err := os.ReadFile(name + ".json")
		if err != nil {
			status, body = http.StatusNotFound, []byte(`{"title":"There is no such thing."}`)
		}
		if head, err := os.ReadFile(name + ".head"); err == nil {
			for line := range strings.Lines(string(head)) {
				if field, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
					w.Header().Set(field, value)
					continue
				}
				_, _ = fmt.Sscan(line, &status)
			}
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}))
	address = service.URL
	ts.Defer(service.Close)
	ts.Setenv("SHELF", address)
}

// shelfMCP is the least that the revisions with initialize want.
func shelfMCP(w http.ResponseWriter, r *http.Request, file string) {
	text, err := os.ReadFile(file)
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err != nil || json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch m.Method {
	case "initialize":
		text = []byte(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stranger","version":"1"}}`)
	case "tools/list":
	case "notifications/initialized":
		w.WriteHeader(http.StatusAccepted)
		return
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
}
