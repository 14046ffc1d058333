package serving

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"

	mark "github.com/mark3labs/mcp-go/mcp"
	markserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const toolName = "get_forecast"

// officialSDK is the tool with the official SDK: typed, without sessions, with
// JSON answers, its work done as by hand.
func officialSDK(to string) http.Handler {
	client := newHandClient(to)
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1"}, &mcp.ServerOptions{Logger: slog.New(slog.DiscardHandler)})
	mcp.AddTool(s, &mcp.Tool{Name: toolName, Description: "Returns the forecast of a grid cell in half days."},
		func(ctx context.Context, _ *mcp.CallToolRequest, in cellInput) (*mcp.CallToolResult, *halfDayList, error) {
			if err := in.check(); err != nil {
				return nil, nil, err
			}
			out, err := client.forecast(ctx, in)
			return nil, out, err
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// markSDK is the same with mark3labs/mcp-go.
func markSDK(to string) http.Handler {
	client := newHandClient(to)
	s := markserver.NewMCPServer("weather", "1", markserver.WithToolCapabilities(false))
	t := mark.NewTool(toolName, mark.WithDescription("Returns the forecast of a grid cell in half days."),
		mark.WithInputSchema[cellInput](), mark.WithOutputSchema[halfDayList]())
	s.AddTool(t, mark.NewTypedToolHandler(func(ctx context.Context, _ mark.CallToolRequest, in cellInput) (*mark.CallToolResult, error) {
		if err := in.check(); err != nil {
			return mark.NewToolResultError(err.Error()), nil
		}
		out, err := client.forecast(ctx, in)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(out)
		return mark.NewToolResultStructured(out, string(text)), err
	}))
	return markserver.NewStreamableHTTPServer(s, markserver.WithStateLess(true))
}
