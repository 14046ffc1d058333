package serving

import "fmt"

// Ids of the tools of package weather.
const (
	forecastID = "ac9193d5-6a48-513a-bec3-083bfcfd7f58"
	hoursID    = "dc4f0211-0802-54f3-9468-78f29e05f0b1"
)

const (
	invocation = `{"input_parameters":[{"name":"office","value":"OAX"},{"name":"x","value":80},{"name":"y","value":60}]}`
	cell       = `{"office":"OAX","x":80,"y":60}`
	mcpCall    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_forecast","arguments":` + cell + `}}`
	path       = "/gridpoints/OAX/80,60/forecast"
	wind       = "6 mph NE"
)

var mcpHeaders = []string{"Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"}

// asks are the requests, by the name that rows have for them.
var asks = map[string]ask{
	"sculpt":        {server: "sculpt", method: "POST", path: "/a2t/tools/" + forecastID + ":invoke", body: invocation, wants: "5 mph N"},
	"sculpt-mcp":    {server: "sculpt", method: "POST", path: "/mcp", headers: mcpHeaders, body: mcpCall, wants: "5 mph N"},
	"sculpt-hourly": {server: "sculpt", method: "POST", path: "/a2t/tools/" + hoursID + ":invoke", body: invocation, wants: "5 mph N"},
	"sculpt-gzip":   {server: "sculpt-gzip", method: "POST", path: "/a2t/tools/" + hoursID + ":invoke", body: invocation, wants: "5 mph N"},
	"proxy":         {server: "proxy", method: "GET", path: path + "?units=us", wants: "5 mph"},
	"proxy-hourly":  {server: "proxy", method: "GET", path: path + "/hourly?units=us", wants: "5 mph"},
	"proxy-gzip":    {server: "proxy-gzip", method: "GET", path: path + "/hourly?units=us", wants: "5 mph"},
	"hand":          {server: "hand", method: "POST", path: "/forecast", body: cell, wants: "5 mph N"},
	"go-sdk":        {server: "go-sdk", method: "POST", path: "/", headers: mcpHeaders, body: mcpCall, wants: "5 mph N"},
	"mcp-go":        {server: "mcp-go", method: "POST", path: "/mcp", headers: mcpHeaders, body: mcpCall, wants: "5 mph N"},
}

// A figure is what one side of a row is measured by.
type figure struct {
	ask   string
	conns int
}

// A row is one goal: the most that ours may cost.
type row struct {
	id, about string
	ours      figure
	// peer is what ours is divided by; without it the figure itself counts.
	peer figure
	// of says what is compared.
	of   func(sample) float64
	unit string
	goal float64
}

func cpu(s sample) float64     { return s.cpu }
func mallocs(s sample) float64 { return s.mallocs }
func refused(s sample) float64 { return 100 * s.refused }

// rows are the goals of this package.
func rows() []row {
	var all []row
	for _, n := range []int{8, 64} {
		at := func(id, about, ours, peer string, goal float64) {
			all = append(all, row{id, fmt.Sprintf("%s, %d connections", about, n), figure{ours, n}, figure{peer, n}, cpu, "x", goal})
		}
		at("S1", "one step, 14 KB / ReverseProxy", "sculpt", "proxy", 1.30)
		at("S2", "first 12 of 160 KB / ReverseProxy", "sculpt-hourly", "proxy-hourly", 1.0)
		at("S2", "first 12 of 160 KB from gzip / ReverseProxy", "sculpt-gzip", "proxy-gzip", 0.5)
		at("S3", "one step / by hand", "sculpt", "hand", 0.40)
		at("S5", "MCP / go-sdk", "sculpt-mcp", "go-sdk", 0.10)
		at("S5", "MCP / mark3labs/mcp-go", "sculpt-mcp", "mcp-go", 0.40)
	}
	return append(all,
		row{"S7", "allocations of a call, 8 connections", figure{"sculpt", 8}, figure{}, mallocs, "", 130},
		row{"S11", "one step, 512 connections / 64", figure{"sculpt", 512}, figure{"sculpt", 64}, cpu, "x", 1.6},
		row{"S11", "refused at 512 connections", figure{"sculpt", 512}, figure{}, refused, "%", 0})
}
