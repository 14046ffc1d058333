package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// program builds the server that is judged.
func program(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "judged")
	if out, err := exec.Command("go", "build", "-o", name, "./cmd/judged").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

// listen starts the program and returns the URL that it prints.
func listen(t *testing.T, name string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// TestGoSDK lists and calls the weather tool with the official client as it
// comes, in the revision that it prefers and in those that others still speak.
func TestGoSDK(t *testing.T) {
	name := program(t)
	url := listen(t, name)
	for wish, want := range map[string]string{
		"": "2026-07-28", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "2024-11-05": "2024-11-05",
	} {
		for transport, dial := range map[string]func() mcp.Transport{
			"http":  func() mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: url} },
			"stdio": func() mcp.Transport { return &mcp.CommandTransport{Command: exec.Command(name, "mcp")} },
		} {
			t.Run(transport+" "+want, func(t *testing.T) {
				ctx, stop := context.WithTimeout(context.Background(), time.Minute)
				defer stop()
				client := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil)
				session, err := client.Connect(ctx, dial(), &mcp.ClientSessionOptions{ProtocolVersion: wish})
				if err != nil {
					t.Fatal(err)
				}
				if got := session.InitializeResult().ProtocolVersion; got != want {
					t.Errorf("the revision is %s, want %s", got, want)
				}
				judgeList(ctx, t, session)
				judgeCalls(ctx, t, session)
				if err := session.Close(); err != nil {
					t.Errorf("the server does not end well: %v", err)
				}
			})
		}
	}
}

func judgeList(ctx context.Context, t *testing.T, session *mcp.ClientSession) {
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; tool.Name == "lookup_weather_by_city" &&
			(tool.Title == "" || tool.OutputSchema == nil || a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil) {
			t.Errorf("the tool is %+v", tool)
		}
	}
	if !slices.Contains(names, "lookup_weather_by_city") || !slices.IsSorted(names) || list.NextCursor != "" {
		t.Errorf("tools: %s", names)
	}
}

// judgeCalls asks what works and, more, what does not.
func judgeCalls(ctx context.Context, t *testing.T, session *mcp.ClientSession) {
	for _, c := range []struct {
		tool      string
		arguments any
		// want is part of the text; code that of an error of the protocol.
		want    string
		isError bool
		code    int64
	}{
		{"lookup_weather_by_city", map[string]any{"city": "Omaha, Nebraska"}, `"temperature_f":47`, false, 0},
		{"lookup_weather_by_city", map[string]any{"city": "Portland, ME", "period": "NOW"}, `"Rain Likely"`, false, 0},
		{"test_simple_text", nil, "This is a simple text response for testing.", false, 0},
		{"test_custom_headers", map[string]any{"region": "us-west1", "priority": 42, "verbose": false, "note": "x"}, "note=x&priority=42&region=us-west1&verbose=false", false, 0},
		{"test_custom_headers", map[string]any{"region": " Zürich\n雪 ", "priority": -9007199254740991}, "priority=-9007199254740991&region=+Z%C3%BCrich%0A%E9%9B%AA+", false, 0},
		{"test_custom_headers", map[string]any{"region": "=?base64?x?=", "priority": 0, "verbose": nil}, "priority=0&region=%3D%3Fbase64%3Fx%3F%3D", false, 0},
		{"test_custom_headers", map[string]any{"region": "", "priority": 1}, "priority=1&region=", false, 0},
		{"test_custom_headers", map[string]any{"region": "us-west1"}, "priority: This parameter is required.", true, 0},
		{"test_custom_headers", map[string]any{"region": 7, "priority": 1.5}, "region: Must be a string", true, 0},
		{"test_custom_headers", map[string]any{"region": []string{"a"}, "priority": "high"}, "region: Must be a string", true, 0},
		{"lookup_weather_by_city", map[string]any{}, "city: This parameter is required.", true, 0},
		{"lookup_weather_by_city", map[string]any{"city": 5}, "city: Must be a string", true, 0},
		{"lookup_weather_by_city", map[string]any{"city": "Omaha", "period": "LATER"}, "Allowed: NOW, TONIGHT, TOMORROW.", true, 0},
		{"lookup_weather_by_city", map[string]any{"city": "Springfield"}, "Ask the user which one", true, 0},
		{"test_error_handling", map[string]any{}, "intentionally", true, 0},
		{"lookup_weather", map[string]any{"city": "Omaha"}, "", false, jsonrpc.CodeInvalidParams},
	} {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
		if c.code != 0 {
			if fault, ok := errors.AsType[*jsonrpc.Error](err); !ok || fault.Code != c.code {
				t.Errorf("%s %v: %v, want %d", c.tool, c.arguments, err, c.code)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", c.tool, c.arguments, err)
			continue
		}
		text := result.Content[0].(*mcp.TextContent).Text
		if result.IsError != c.isError || !strings.Contains(text, c.want) || len(result.Content) != 1 {
			t.Errorf("%s %v: error %v, %s", c.tool, c.arguments, result.IsError, text)
		}
		if structured, _ := json.Marshal(result.StructuredContent); !c.isError && len(structured) < len(`{"text":""}`) {
			t.Errorf("%s %v: structured content %s", c.tool, c.arguments, structured)
		}
	}
}
