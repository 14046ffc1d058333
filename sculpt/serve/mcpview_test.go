package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A client that pins sees and calls exactly what it pinned: texts, inputs and
// outputs of that version, also on a server that is lean otherwise.
func TestMCPPins(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	set := newWeather(t).toolset()
	for i := range set.Tools {
		name := set.Tools[i].Name
		set.Docs.(fstest.MapFS)["mcp/"+name+".lean.json"] = &fstest.MapFile{Data: []byte(`{"name":"` + name + `","lean":true}`)}
	}
	for _, options := range [][]serve.Option{nil, {serve.WithLeanMCP()}} {
		h, err := serve.NewHandler([]tool.Toolset{set}, append(options, serve.WithLogger(quiet))...)
		if err != nil {
			t.Fatal(err)
		}
		runCases(t, h, []wireCase{
			{"pinned list", "POST /mcp?pins=lookup_weather_by_city@1", list, 200, `result.tools.#=1 | result.tools.0.name="lookup_weather_by_city" | result.tools.0.inputSchema.properties.hours? | result.tools.0.outputSchema.properties.periods? | result.tools.0.outputSchema.type="object"`},
			{"newest, pinned", "POST /mcp?pins=lookup_weather_by_city@2", list, 200, `result.tools.0.lean? | result.tools.0.outputSchema.properties.periods.type="array"`},
			{"two pins", "POST /mcp?pins=report_storm@1,lookup_weather_by_city@2", list, 200, `result.tools.#=2 | result.tools.0.name="lookup_weather_by_city" | result.tools.1.name="report_storm"`},
			{"two keys", "POST /mcp?pins=report_storm@1&pins=lookup_weather_by_city@2", list, 200, `result.tools.#=2`},
			{"call", "POST /mcp?pins=lookup_weather_by_city@1", legacyCall("lookup_weather_by_city", `{"city":"Omaha"}`), 200, `result.isError=false | result.structuredContent={"short_forecast":"Sunny","temperature_f":80}`},
			{"call of the newest", "POST /mcp?pins=lookup_weather_by_city@2", legacyCall("lookup_weather_by_city", `{"city":"Omaha"}`), 200, `result.isError=false | result.structuredContent.temperature_f=80 | result.structuredContent.periods.#=1`},
			{"newer input", "POST /mcp?pins=lookup_weather_by_city@1", legacyCall("lookup_weather_by_city", `{"city":"Omaha","hours":3}`), 200, `result.isError=true`},
			{"not pinned", "POST /mcp?pins=lookup_weather_by_city@1", legacyCall("report_storm", `{"place":"Omaha"}`), 200, `error.code=-32602 | error.message="There is no tool \"report_storm\"."`},
			{"no such tool", "POST /mcp?pins=nothing@1", list, 400, `error.code=-32600 | error.message="There is no tool \"nothing\". A pin is tool@version."`},
			{"no such version", "POST /mcp?pins=report_storm@9", list, 400, `error.message="The tool report_storm has no such version; its current version is 1. A pin is report_storm@1."`},
			{"no version", "POST /mcp?pins=report_storm", list, 400, `error.code=-32600`},
			{"two versions", "POST /mcp?pins=lookup_weather_by_city@1,lookup_weather_by_city@2", list, 400, `error.message="The tool lookup_weather_by_city is pinned to two versions."`},
			{"nothing pinned", "POST /mcp?pins=", list, 400, `error.code=-32600`},
			{"pins and tags", "POST /mcp?pins=report_storm@1&tags=weather", list, 400, `error.message="pins says which tools are listed: it goes without tools and tags."`},
			{"too long", "POST /mcp?tags=" + strings.Repeat("x", 9000), list, 400, `error.message="The query is too long."`},
			{"tools", "POST /mcp?tools=report_storm", list, 200, `result.tools.#=1 | result.tools.0.name="report_storm"`},
			{"tags", "POST /mcp?tags=weather,read_only", list, 200, `result.tools.#=1 | result.tools.0.name="lookup_weather_by_city"`},
			{"tools and tags", "POST /mcp?tags=weather&tools=read_mailbox", list, 200, `result.tools=[]`},
			{"unknown tag", "POST /mcp?tags=none", list, 400, `error.message="No tool has the tag \"none\"."`},
			{"unknown name", "POST /mcp?tools=none", list, 400, `error.message="There is no tool \"none\"."`},
			{"all", "POST /mcp?session=1", list, 200, `result.tools.#=3`},
		})
	}
}

// More views than are kept are all answered, each with its own tool.
func TestMCPManyViews(t *testing.T) {
	set := newWeather(t).toolset()
	storm := set.Tools[slices.IndexFunc(set.Tools, func(t tool.Tool) bool { return t.Name == "report_storm" })]
	set.Tools = nil
	for i := range 100 {
		one := storm
		one.Name, one.ToolName, one.ID = fmt.Sprintf("storm%d", i), fmt.Sprintf("Storm%d", i), fmt.Sprintf("11111111-2222-5333-8444-%012d", i)
		set.Tools = append(set.Tools, one)
	}
	set.Docs = documentsOf(&set)
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		name := fmt.Sprintf("storm%d", i%100)
		c := wireCase{name, "POST /mcp?pins=" + name + "@1", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, `result.tools.#=1 | result.tools.0.name="` + name + `"`}
		c.check(t, c.send(h))
	}
}

// Stdio takes the same, and does not begin with less than was chosen.
func TestStdioPins(t *testing.T) {
	set := newWeather(t).toolset()
	h := stdioHandler(t, set)
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" + legacyCall("report_storm", `{"place":"Omaha"}`))
	if err := serve.Stdio(context.Background(), h, url.Values{"pins": {"lookup_weather_by_city@1"}}, in, &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, `"inputSchema"`) != 1 || !strings.Contains(text, `There is no tool \"report_storm\"`) {
		t.Errorf("pinned on stdio: %s", text)
	}
	err := serve.Stdio(context.Background(), h, url.Values{"pins": {"lookup_weather_by_city@7"}}, strings.NewReader(""), &out)
	if err == nil || !strings.Contains(err.Error(), "no such version") {
		t.Errorf("a pin that is not there: %v", err)
	}
}
