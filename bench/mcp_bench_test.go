package bench

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

const weatherCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"b","version":"1"}},` +
	`"name":"lookup_weather_by_city","arguments":{"city":"Omaha, Nebraska"}}}`

// BenchmarkSDK calls one tool over our endpoint and over a server of the
// official Go SDK, stateless and with JSON answers, that runs the same chain
// behind the same validator. Neither opens a socket. The ratio is of the
// medians of interleaved runs, and has most of the chain in both of its sides.
func BenchmarkSDK(b *testing.B) {
	recorded, err := replay.Open(os.DirFS("../examples/nws/replay"))
	if err != nil {
		b.Fatal(err)
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		b.Fatal(err)
	}
	set := tools.Toolset()
	ours, err := serve.NewHandler([]tool.Toolset{set}, serve.WithUnreleased(), serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		b.Fatal(err)
	}
	handlers := map[string]http.Handler{"sculpt": ours, "go-sdk": sdkServer(b, set)}
	for _, name := range []string{"sculpt", "go-sdk"} {
		if w := callWeather(handlers[name]); w.Code != 200 || !strings.Contains(w.Body.String(), `"temperature_f":47`) {
			b.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				callWeather(handlers[name])
			}
		})
	}
	b.Run("ratio", func(b *testing.B) {
		var ratios []float64
		for b.Loop() {
			ratios = append(ratios, float64(timeCalls(ours))/float64(timeCalls(handlers["go-sdk"])))
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "x-go-sdk")
		b.ReportMetric(0, "ns/op")
	})
}

func sdkServer(b *testing.B, set tool.Toolset) http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, Logger: slog.New(slog.DiscardHandler)})
	raw, err := fs.ReadFile(nws.Docs(), "mcp/lookup_weather_by_city.v3.json")
	if err != nil {
		b.Fatal(err)
	}
	var tool mcp.Tool
	if err := json.Unmarshal(raw, &tool); err != nil {
		b.Fatal(err)
	}
	s.AddTool(&tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args map[string]any
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
			return nil, err
		}
		result, err := serve.Invoke(ctx, set, tool.Name, 0, args)
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil //nolint:nilerr // the failure of a tool is a result (MCP)
		}
		values := map[string]json.RawMessage{}
		for _, o := range result {
			values[o.Name] = o.JSON
		}
		text, err := json.Marshal(values)
		return &mcp.CallToolResult{StructuredContent: values, Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, err
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func callWeather(h http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(weatherCall))
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "lookup_weather_by_city"} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func timeCalls(h http.Handler) time.Duration {
	start := time.Now()
	for range 20 {
		callWeather(h)
	}
	return time.Since(start)
}
