package nws

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A host is one entry of a configuration, of whichever client.
type host struct {
	Command       string
	Args          []string
	Env           map[string]string
	URL           string
	HTTPURL       string `json:"httpUrl"`
	ServerURL     string `json:"server_url"`
	Headers       map[string]string
	Authorization string
}

// TestConnect starts every configuration of docs/connect.md, as its client would:
// the program over stdin and stdout, or a server with the credential that is sent.
func TestConnect(t *testing.T) {
	page, err := os.ReadFile("../../docs/connect.md")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "nws")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/nws").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	address := guarded(t)
	started := 0
	for _, text := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		var config struct {
			MCPServers map[string]host `json:"mcpServers"`
			Servers    map[string]host
			Tools      []host
		}
		if err := json.Unmarshal([]byte(text[1]), &config); err != nil {
			t.Fatalf("%v\n%s", err, text[1])
		}
		hosts := config.Tools
		for _, list := range []map[string]host{config.MCPServers, config.Servers} {
			for _, h := range list {
				hosts = append(hosts, h)
			}
		}
		for _, h := range hosts {
			started++
			names := h.tools(t, program, address)
			if !slices.Contains(names, "get_forecast") && !slices.Contains(names, "lookup_weather_by_city") {
				t.Errorf("%+v has the tools %s", h, names)
			}
			if pinned := strings.Contains(h.URL+strings.Join(h.Args, " "), "pins"); pinned && len(names) != 1 {
				t.Errorf("%+v has the tools %s", h, names)
			}
		}
	}
	if started < 10 {
		t.Errorf("only %d configurations were started", started)
	}
}

// tools are the names of the tools that a host gets.
func (h *host) tools(t *testing.T, program, address string) []string {
	t.Helper()
	if h.Command != "" {
		return overStdio(t, program, h)
	}
	return overHTTP(t, address, h)
}

// overStdio starts the program with the arguments and the environment of a host,
// and lists its tools.
func overStdio(t *testing.T, program string, h *host) []string {
	t.Helper()
	if filepath.Base(h.Command) != "nws" || !filepath.IsAbs(h.Command) {
		t.Errorf("%s is not the program", h.Command)
	}
	cmd := exec.CommandContext(t.Context(), program, h.Args...)
	for name, value := range h.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	talk := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	}
	if _, err := io.WriteString(in, strings.Join(talk, "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var answer struct {
			Result struct{ Tools []struct{ Name string } }
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		for _, one := range answer.Result.Tools {
			names = append(names, one.Name)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	return names
}

// hostSecrets are the ways in which hosts refer to what is not in the file.
var hostSecrets = regexp.MustCompile(`\$\{[a-z:]*[A-Za-z_-]+\}|\$[A-Z_]+`)

// overHTTP lists the tools of the server at the path and query of a host, with its
// headers.
func overHTTP(t *testing.T, address string, h *host) []string {
	t.Helper()
	at, err := url.Parse(h.URL + h.HTTPURL + h.ServerURL)
	if err != nil || at.Scheme != "https" || at.Path != "/mcp" {
		t.Fatalf("%+v: %v", h, err)
	}
	server, err := client.New(client.ProtocolMCP, address+at.RequestURI(), client.WithHeader(func(_ context.Context, sent http.Header) error {
		for name, value := range h.Headers {
			sent.Set(name, hostSecrets.ReplaceAllString(value, "t0ken"))
		}
		if len(h.Headers) == 0 { // it is a member of its own, or left out where a choice is shown
			sent.Set("Authorization", "Bearer t0ken")
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := server.Tools(t.Context())
	if err != nil {
		t.Fatalf("%+v: %v", h, err)
	}
	var names []string
	for _, one := range tools {
		names = append(names, one.Name)
	}
	return names
}

// guarded is a server that wants a token.
func guarded(t *testing.T) string {
	t.Helper()
	tools, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)),
		serve.WithAuthenticator(serve.BearerTokens(map[string]tool.Principal{"t0ken": {ID: "host"}})))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}
