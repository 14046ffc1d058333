package serve_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// ending is the weather server on a day, with report_storm deprecated from
// 2027-03-01 on and ended from 2027-09-01 on.
func ending(t *testing.T, day string, options ...serve.Option) http.Handler {
	t.Helper()
	set := newWeather(t).toolset()
	report := &set.Tools[2]
	report.Deprecated, report.Sunset, report.Use = "2027-03-01", "2027-09-01", "lookup_weather_by_city"
	set.Docs = documentsOf(&set)
	now, err := time.Parse(time.RFC3339, day)
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, append([]serve.Option{serve.WithLogger(quiet), serve.WithClock(func() time.Time { return now })}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return golden.Judged(t, h)
}

const (
	stormA2T = `{"input_parameters":[{"name":"place","value":"Omaha"}]}`
	stormOTC = `{"request":{"tool_id":"Weather.ReportStorm@1.0.0","call_id":"c","input":{"place":"Omaha"}}}`
	stormMCP = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_storm","arguments":{"place":"Omaha"}}}`
	listMCP  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	// told is what headers say of the tool in any protocol.
	told = "Deprecation: @1803859200 | Sunset: Wed, 01 Sep 2027 00:00:00 GMT | "
	gone = "The tool report_storm has ended on 2027-09-01. Use lookup_weather_by_city instead."
)

func successor(prefix string) string {
	return told + "Link: <" + prefix + "/tools/" + lookupID + `>; rel="successor-version"`
}

// TestLifecycle asks every protocol before a tool is deprecated, while it is,
// and after its end.
func TestLifecycle(t *testing.T) {
	served := []wireCase{
		{"A2T", "POST /a2t/tools/" + reportID + ":invoke", stormA2T, 200, successor("/a2t")},
		{"A2T, a version", "POST /a2t/tools/" + reportID + "/versions/1:invoke", stormA2T, 200, successor("/a2t")},
		{"A2T, a wrong call", "POST /a2t/tools/" + reportID + ":invoke", invocation(), 422, successor("/a2t")},
		{"A2T document", "GET /a2t/tools/" + reportID, "", 200, successor("/a2t")},
		{"A2T versions", "GET /a2t/tools/" + reportID + "/versions", "", 200, successor("/a2t")},
		{"A2T, the document of a version", "GET /a2t/tools/" + reportID + "/versions/1", "", 200, successor("/a2t")},
		{"A2T list", "GET /a2t/tools", "", 200, `items.2.name="report_storm" | Deprecation: `},
		{"A2T list by tag", "GET /a2t/tools?tag=weather", "", 200, `items.1.name="report_storm"`},
		{"N-ACT", "POST /nact/tools/" + reportID + ":invoke", stormA2T, 200, successor("/nact")},
		{"OTC", "POST /otc/tools/call", stormOTC, 200, `result.success=true | ` + successor("/a2t")},
		{"OTC list", "GET /otc/tools", "", 200, `tools.2.name="report_storm" | items.2.name="report_storm"`},
		{"OTC history", "GET /otc/tools?versions=all", "", 200, `tools.3.name="report_storm"`},
		{"OTC list by URL", "GET /otc/tools?$schema=https://opentoolcalling.org/1.0/schema", "", 200, `tools.2.name="report_storm"`},
		{"ATDF document", "GET /atdf/tools/report_storm", "", 200, successor("/atdf")},
		{"ATDF list", "GET /atdf/tools", "", 200, `tools.2.tool_id="report_storm"`},
		{"MCP", "POST /mcp", stormMCP, 200, `result.isError=false`},
		{"MCP list", "POST /mcp", listMCP, 200, `result.tools.2.name="report_storm"`},
		{"another tool", "GET /a2t" + lookupPath, "", 200, `Deprecation:  | Sunset:  | Link: `},
	}
	problem := `code="unknown_tool" | reason="tool_ended" | retryable=false | detail="` + gone + `" | toolId="` + reportID + `" | `
	ended := []wireCase{
		{"A2T", "POST /a2t/tools/" + reportID + ":invoke", stormA2T, 410, problem + successor("/a2t")},
		{"A2T, a version", "POST /a2t/tools/" + reportID + "/versions/1:invoke", stormA2T, 410, problem + successor("/a2t")},
		{"A2T document", "GET /a2t/tools/" + reportID, "", 410, problem + successor("/a2t")},
		{"A2T versions", "GET /a2t/tools/" + reportID + "/versions", "", 410, problem + successor("/a2t")},
		{"A2T, the document of a version", "GET /a2t/tools/" + reportID + "/versions/1", "", 410, problem + successor("/a2t")},
		{"A2T list", "GET /a2t/tools", "", 200, `items.1.name="read_mailbox" | items.2?`},
		{"A2T list by tag", "GET /a2t/tools?tag=weather", "", 200, `items.0.name="lookup_weather_by_city" | items.1?`},
		{"N-ACT", "POST /nact/tools/" + reportID + ":invoke", stormA2T, 410, problem + successor("/nact")},
		{"OTC", "POST /otc/tools/call", stormOTC, 410, `message="` + gone + `" | ` + successor("/a2t")},
		{"OTC list", "GET /otc/tools", "", 200, `tools.1.name="read_mailbox" | tools.2? | items.2?`},
		{"OTC history", "GET /otc/tools?versions=all", "", 200, `tools.2.name="read_mailbox" | tools.3?`},
		{"OTC list by URL", "GET /otc/tools?$schema=https://opentoolcalling.org/1.0/schema", "", 200, `tools.2?`},
		{"ATDF document", "GET /atdf/tools/report_storm", "", 410, `errors.0.code="tool_ended" | errors.0.detail="` + gone + `" | ` + successor("/atdf")},
		{"ATDF list", "GET /atdf/tools", "", 200, `tools.1.tool_id="read_mailbox" | tools.2?`},
		{"MCP", "POST /mcp", stormMCP, 200, `result.isError=true | result.content.0.text="` + gone + `"`},
		{"MCP list", "POST /mcp", listMCP, 200, `result.tools.1.name="read_mailbox" | result.tools.2?`},
		{"another tool", "GET /a2t" + lookupPath, "", 200, `Deprecation:  | Sunset:  | Link: `},
	}
	for _, c := range []struct {
		day  string
		want []wireCase
	}{
		{"2027-01-01T12:00:00Z", served},
		{"2027-08-31T23:59:59Z", served},
		{"2027-09-01T00:00:00Z", ended},
	} {
		t.Run(c.day, func(t *testing.T) { runCases(t, ending(t, c.day), c.want) })
	}
}

// TestLifecyclePasses: lists change while the server runs, and a cursor of
// before does not skip a tool.
func TestLifecyclePasses(t *testing.T) {
	set := newWeather(t).toolset()
	set.Tools[0].Sunset, set.Tools[2].Sunset = "2027-02-01", "2027-01-01"
	now := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet), serve.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	cursor := ""
	for _, c := range []struct {
		months int
		facts  string
	}{{0, `items.2.name="report_storm"`}, {1, `items.1.name="read_mailbox" | items.2?`}, {2, `items.0.name="read_mailbox" | items.1?`}} {
		now = time.Date(2026, time.Month(12+c.months), 1, 0, 0, 0, 0, time.UTC)
		list := wireCase{c.facts, "GET /a2t/tools", "", 200, c.facts}
		list.check(t, list.send(h))
		if cursor != "" {
			stale := wireCase{"cursor", "GET /a2t/tools?pageLimit=1&pageCursor=" + cursor, "", 400, `code="invalid_cursor"`}
			stale.check(t, stale.send(h))
		}
		var page struct{ Paging struct{ Next string } }
		first := wireCase{request: "GET /a2t/tools?pageLimit=1"}
		if err := json.Unmarshal(first.send(h).Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		cursor = page.Paging.Next
	}
}

// TestLifecycleElsewhere: the link needs a place with a document of the tool to
// use instead, and a day that does not exist is found at start.
func TestLifecycleElsewhere(t *testing.T) {
	call := wireCase{"OTC alone", "POST /otc/tools/call", stormOTC, 200, told + "Link: "}
	call.check(t, call.send(ending(t, "2027-04-01T00:00:00Z", serve.WithProtocols(serve.ProtocolOTC))))
	call = wireCase{"moved", "POST /otc/tools/call", stormOTC, 200, successor("/agents")}
	call.check(t, call.send(ending(t, "2027-04-01T00:00:00Z", serve.WithPrefix(serve.ProtocolA2T, "/agents"))))
	call = wireCase{"not served", "POST /otc/tools/call", stormOTC, 200, told + "Link: "}
	call.check(t, call.send(ending(t, "2027-04-01T00:00:00Z", serve.WithEffects(func(e tool.Effects) bool { return !e.ReadOnly }))))
	set := newWeather(t).toolset()
	set.Tools[0].Sunset = "2027-02-30"
	if _, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet)); err == nil {
		t.Error("a day that does not exist is served")
	}
	if _, err := serve.NewHandler([]tool.Toolset{newWeather(t).toolset()}, serve.WithClock(nil)); err == nil {
		t.Error("no clock is a clock")
	}
}
