package serve_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	mcpPost   = "POST /mcp"
	modernTag = "2026-07-28"
	meta      = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// rpc is a request; params may be empty.
func rpc(method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `"` + params + `}`
}

func legacyCall(tool, arguments string) string {
	return rpc("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

func modernCall(tool, arguments string) string {
	return rpc("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`,`+meta+`}`)
}

func city(name string) string { return `{"city":"` + name + `"}` }

// modernHeaders are what 2026-07-28 wants beside the body.
func modernHeaders(method, name string) []string {
	headers := []string{"MCP-Protocol-Version: " + modernTag, "Mcp-Method: " + method}
	if name != "" {
		headers = append(headers, "Mcp-Name: "+name)
	}
	return headers
}

const lookup = "lookup_weather_by_city"

// TestMCPLegacy speaks the revisions that begin with initialize.
func TestMCPLegacy(t *testing.T) {
	h, _ := newServer(t)
	initialize := func(version string) string {
		return rpc("initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`)
	}
	runCases(t, h, []wireCase{
		{"initialize", mcpPost, initialize("2025-11-25"), 200, `id=7 | result.protocolVersion="2025-11-25" | result.serverInfo.name="weather" | result.capabilities={"tools":{}} | Mcp-Session-Id: `},
		{"initialize 2025-06-18", mcpPost, initialize("2025-06-18"), 200, `result.protocolVersion="2025-06-18"`},
		{"initialize 2025-03-26", mcpPost, initialize("2025-03-26"), 200, `result.protocolVersion="2025-03-26"`},
		{"initialize 2024-11-05", mcpPost, initialize("2024-11-05"), 200, `result.protocolVersion="2024-11-05"`},
		{"initialize of the future", mcpPost, initialize("2031-01-01"), 200, `result.protocolVersion="2025-11-25"`},
		{"initialize of the era without", mcpPost, initialize("2026-07-28"), 200, `result.protocolVersion="2025-11-25"`},
		{"initialize without version", mcpPost, rpc("initialize", `{"capabilities":{}}`), 200, `error.code=-32602`},
		{"initialized", mcpPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ``},
		{"unknown notification", mcpPost, `{"jsonrpc":"2.0","method":"notifications/other","params":[1]}`, 202, ``},
		{"an answer to nothing", mcpPost, `{"jsonrpc":"2.0","id":1,"result":{}}`, 202, ``},
		{"an error to nothing", mcpPost, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, 202, ``},
		{"ping", mcpPost, rpc("ping", ""), 200, `id=7 | result={}`},
		{"list", mcpPost, rpc("tools/list", "{}"), 200, `result.tools.#=3 | result.tools.0.name="lookup_weather_by_city" | result.tools.2.name="report_storm" | result.resultType? | result.ttlMs? | result.nextCursor? | Content-Type: application/json | Cache-Control: no-store`},
		{"list without params", mcpPost, rpc("tools/list", ""), 200, `result.tools.0.annotations={"destructiveHint":false,"idempotentHint":true,"openWorldHint":true,"readOnlyHint":true,"title":"Weather by city"}`},
		{"list with null", mcpPost, rpc("tools/list", "null"), 200, `result.tools.#=3`},
		{"first page", mcpPost, rpc("tools/list", `{"cursor":""}`), 200, `result.tools.#=3`},
		{"page of nothing", mcpPost, rpc("tools/list", `{"cursor":"x"}`), 200, `error.code=-32602 | error.message="The cursor is not valid."`},
		{"cursor of another type", mcpPost, rpc("tools/list", `{"cursor":1}`), 200, `error.code=-32602`},
		{"params in a list", mcpPost, rpc("tools/list", `[]`), 200, `error.code=-32602 | id=7`},
		{"prompts", mcpPost, rpc("prompts/list", ""), 200, `result={"prompts":[]}`},
		{"templates", mcpPost, rpc("resources/templates/list", ""), 200, `result={"resourceTemplates":[]}`},
		{"unknown method", mcpPost, rpc("tools/delete", ""), 200, `error.code=-32601 | id=7`},
		{"logging", mcpPost, rpc("logging/setLevel", `{"level":"info"}`), 200, `error.code=-32601`},
		{"upper case", mcpPost, rpc("TOOLS/LIST", ""), 200, `error.code=-32601`},
		{"discover says nothing of its revision", mcpPost, rpc("server/discover", ""), 400, `error.code=-32602`},

		{"call", mcpPost, legacyCall(lookup, city("Omaha")), 200, `id=7 | result.isError=false | result.structuredContent.temperature_f=80 | result.structuredContent.periods.0.name="Today" | result.resultType? | result._meta?`},
		{"no arguments needed, null given", mcpPost, rpc("tools/call", `{"name":"`+lookup+`","arguments":null}`), 200, `result.isError=true | result.content.0.text="Some input parameters are invalid: city: This parameter is required."`},
		{"optional output", mcpPost, legacyCall("report_storm", `{"place":"Omaha"}`), 200, `result.isError=false | result.structuredContent.note?`},
		{"unknown tool", mcpPost, legacyCall("lookup_weather", `{}`), 200, `error.code=-32602 | result?`},
		{"name of OTC", mcpPost, legacyCall("Weather.LookupWeatherByCity", `{}`), 200, `error.code=-32602`},
		{"version in the name", mcpPost, legacyCall(lookup+"@1", `{}`), 200, `error.code=-32602`},
		{"no name", mcpPost, rpc("tools/call", `{"arguments":{}}`), 200, `error.code=-32602`},
		{"name is a number", mcpPost, rpc("tools/call", `{"name":1}`), 200, `error.code=-32602`},
		{"arguments are a text", mcpPost, legacyCall(lookup, `"{}"`), 200, `error.code=-32602`},
		{"arguments are a list", mcpPost, legacyCall(lookup, `[]`), 200, `error.code=-32602`},
		{"call without params", mcpPost, rpc("tools/call", ""), 200, `error.code=-32602`},

		{"missing input", mcpPost, legacyCall(lookup, `{}`), 200, `result.isError=true | result.structuredContent? | result.content.#=1`},
		{"wrong type", mcpPost, legacyCall(lookup, `{"city":5}`), 200, `result.isError=true | result.content.0.text="Some input parameters are invalid: city: Must be a string, but is a whole number."`},
		{"not allowed", mcpPost, legacyCall(lookup, `{"city":"x","day":"TODAI"}`), 200, `result.isError=true | result.content.0.text="Some input parameters are invalid: day: \"TODAI\" is not one of the allowed values. Did you mean \"TODAY\"? Allowed: TODAY, TOMORROW."`},
		{"two mistakes", mcpPost, legacyCall(lookup, `{"day":"TODAY","town":"x","hours_ahead":999}`), 200, `result.isError=true | result.content.0.text="Some input parameters are invalid: town: There is no such parameter. hours_ahead: Must be from 0 to 156. city: This parameter is required."`},
		{"no result", mcpPost, legacyCall(lookup, city("Nowhere")), 200, `result.isError=true | result.content.0.text="No city named Nowhere was found. Check the spelling of the city and add the state."`},
		{"down", mcpPost, legacyCall(lookup, city("Downtown")), 200, `result.isError=true | result.content.0.text="The backend is not available at the moment. Try again in 7 s."`},
		{"limited", mcpPost, legacyCall(lookup, city("Limited")), 200, `result.isError=true | Retry-After: `},
		{"slow", mcpPost, legacyCall(lookup, city("Slow")), 200, `result.isError=true | result.content.0.text="The backend did not answer in time. Try again later."`},
		{"garbage", mcpPost, legacyCall(lookup, city("Garbage")), 200, `result.isError=true | result.content.0.text="The backend gave an answer that this tool cannot use."`},
		{"panic", mcpPost, legacyCall(lookup, city("Panic")), 200, `result.isError=true | result.content.0.text="The server failed. It is not the fault of the inputs."`},
		{"secret text", mcpPost, legacyCall(lookup, city("Plain")), 200, `result.isError=true | result.content.0.text="The server failed. It is not the fault of the inputs."`},
		{"unknown outcome", mcpPost, legacyCall("report_storm", `{"place":"Brokenville"}`), 200, `result.isError=true | result.content.0.text="It is not known whether the call took effect. Check before you repeat it. Do not repeat the call. Find out first whether it took effect."`},
		{"needs more of its caller", mcpPost, legacyCall("read_mailbox", `{}`), 200, `result.isError=true | result.content.0.text="This tool needs a user id of its caller."`},
	})
}

// TestMCPModern speaks 2026-07-28: no session, and headers that repeat the body.
func TestMCPModern(t *testing.T) {
	h, _ := newServer(t)
	type headers = []string
	with := func(version, method, name string) headers {
		return headers{"MCP-Protocol-Version: " + version, "Mcp-Method: " + method, "Mcp-Name: " + name}
	}
	call, list := modernCall(lookup, city("Omaha")), rpc("tools/list", `{`+meta+`}`)
	other := strings.ReplaceAll(list, modernTag, "1900-01-01")
	for _, c := range []struct {
		wireCase
		headers headers
	}{
		{wireCase{"discover", mcpPost, rpc("server/discover", `{`+meta+`}`), 200, `result.supportedVersions.0="2026-07-28" | result.ttlMs=3600000 | result.resultType="complete"`}, modernHeaders("server/discover", "")},
		{wireCase{"list", mcpPost, list, 200, `result.tools.#=3 | result.ttlMs=300000 | result.cacheScope="public" | result.resultType="complete" | result.nextCursor?`}, modernHeaders("tools/list", "")},
		{wireCase{"name in lower case", mcpPost, list, 200, `result.tools.#=3`}, headers{"mcp-protocol-version: " + modernTag, "mcp-method: tools/list"}},
		{wireCase{"session is passed over", mcpPost, list, 200, `Mcp-Session-Id: `}, append(modernHeaders("tools/list", ""), "Mcp-Session-Id: x")},
		{wireCase{"call", mcpPost, call, 200, `result.resultType="complete" | result.isError=false | result.structuredContent.temperature_f=80 | result._meta={"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"2.0.0"}}`}, modernHeaders("tools/call", lookup)},
		{wireCase{"name in Base64", mcpPost, call, 200, `result.isError=false`}, modernHeaders("tools/call", "=?base64?bG9va3VwX3dlYXRoZXJfYnlfY2l0eQ==?=")},
		{wireCase{"bad arguments", mcpPost, modernCall(lookup, `{}`), 200, `result.isError=true | result.resultType="complete" | error?`}, modernHeaders("tools/call", lookup)},
		{wireCase{"down", mcpPost, modernCall(lookup, city("Downtown")), 200, `result.isError=true`}, modernHeaders("tools/call", lookup)},
		{wireCase{"notification", mcpPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, 202, ``}, modernHeaders("notifications/cancelled", "")},
		{wireCase{"templates", mcpPost, rpc("resources/templates/list", `{`+meta+`}`), 200, `result.resourceTemplates=[] | result.ttlMs=300000`}, modernHeaders("resources/templates/list", "")},

		{wireCase{"name in bad Base64", mcpPost, call, 400, `error.code=-32020 | id=7`}, modernHeaders("tools/call", "=?base64?bG9va3VwX3dlYXRoZXJfYnlfY2l0eQ?=")},
		{wireCase{"unknown tool", mcpPost, modernCall("nothing", `{}`), 400, `error.code=-32602 | error.message="There is no tool \"nothing\"."`}, modernHeaders("tools/call", "nothing")},
		{wireCase{"no tool", mcpPost, rpc("tools/call", `{`+meta+`}`), 400, `error.code=-32602`}, modernHeaders("tools/call", "")},
		{wireCase{"bad cursor", mcpPost, rpc("tools/list", `{"cursor":"x",`+meta+`}`), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"initialize", mcpPost, rpc("initialize", `{`+meta+`}`), 404, `error.code=-32601 | id=7`}, modernHeaders("initialize", "")},
		{wireCase{"ping", mcpPost, rpc("ping", `{`+meta+`}`), 404, `error.code=-32601`}, modernHeaders("ping", "")},
		{wireCase{"subscriptions", mcpPost, rpc("subscriptions/listen", `{`+meta+`}`), 404, `error.code=-32601`}, modernHeaders("subscriptions/listen", "")},
		{wireCase{"unknown method", mcpPost, rpc("a/b", `{`+meta+`}`), 404, `error.code=-32601`}, modernHeaders("a/b", "")},
		{wireCase{"no _meta", mcpPost, rpc("tools/list", `{}`), 400, `error.code=-32602 | id=7`}, modernHeaders("tools/list", "")},
		{wireCase{"no params", mcpPost, rpc("tools/list", ``), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"_meta is a list", mcpPost, rpc("tools/list", `{"_meta":[]}`), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"no version in _meta", mcpPost, rpc("tools/list", `{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}`), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"no capabilities", mcpPost, strings.Replace(list, `,"io.modelcontextprotocol/clientCapabilities":{}`, "", 1), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"capabilities are a list", mcpPost, strings.Replace(list, `Capabilities":{}`, `Capabilities":[]`, 1), 400, `error.code=-32602`}, modernHeaders("tools/list", "")},
		{wireCase{"no header at all", mcpPost, list, 400, `error.code=-32020`}, nil},
		{wireCase{"no header of the version", mcpPost, list, 400, `error.code=-32020`}, headers{"Mcp-Method: tools/list"}},
		{wireCase{"other version in the header", mcpPost, list, 400, `error.code=-32020`}, with("2025-11-25", "tools/list", "")},
		{wireCase{"other version in the body", mcpPost, other, 400, `error.code=-32020`}, modernHeaders("tools/list", "")},
		{wireCase{"unknown version in both", mcpPost, other, 400, `error.code=-32022 | error.data.requested="1900-01-01" | error.data.supported.0="2026-07-28" | id=7`}, with("1900-01-01", "tools/list", "")},
		{wireCase{"unknown version in the header", mcpPost, rpc("tools/list", ""), 400, `error.code=-32022`}, with("2019-01-01", "tools/list", "")},
		{wireCase{"empty version", mcpPost, rpc("tools/list", ""), 400, `error.code=-32020`}, headers{"MCP-Protocol-Version: "}},
		{wireCase{"no method in the header", mcpPost, list, 400, `error.code=-32020`}, headers{"MCP-Protocol-Version: " + modernTag}},
		{wireCase{"other method in the header", mcpPost, list, 400, `error.code=-32020`}, modernHeaders("prompts/list", "")},
		{wireCase{"method in upper case", mcpPost, list, 400, `error.code=-32020`}, modernHeaders("TOOLS/LIST", "")},
		{wireCase{"no tool in the header", mcpPost, call, 400, `error.code=-32020`}, modernHeaders("tools/call", "")},
		{wireCase{"other tool in the header", mcpPost, call, 400, `error.code=-32020`}, modernHeaders("tools/call", "report_storm")},
		{wireCase{"batch", mcpPost, `[` + list + `]`, 400, `error.code=-32600`}, modernHeaders("tools/list", "")},
	} {
		recordingOf(t).run(t, h, &c.wireCase, c.headers)
	}
	twice := httptest.NewRequest("POST", "/mcp", strings.NewReader(call))
	twice.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {modernTag}, "Mcp-Method": {"tools/call"},
		"Mcp-Name": {lookup, "report_storm"}}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, twice)
	if rec.Code != 400 || !strings.Contains(rec.Body.String(), "-32020") {
		t.Errorf("two names in headers: %d %s", rec.Code, rec.Body)
	}
}

// TestMCPHostile sends what no client sends.
func TestMCPHostile(t *testing.T) {
	h, _ := newServer(t)
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	call := func(arguments string) string { return legacyCall(lookup, arguments) }
	runCases(t, h, []wireCase{
		{"nothing", mcpPost, ` `, 400, `error.code=-32700 | id?`},
		{"no JSON", mcpPost, `{"jsonrpc"`, 400, `error.code=-32700 | id?`},
		{"two messages", mcpPost, rpc("ping", "") + rpc("ping", ""), 400, `error.code=-32700`},
		{"text", mcpPost, `"ping"`, 400, `error.code=-32600`},
		{"null", mcpPost, `null`, 400, `error.code=-32600`},
		{"no version of JSON-RPC", mcpPost, `{"id":1,"method":"ping"}`, 400, `error.code=-32600 | id=1`},
		{"old JSON-RPC", mcpPost, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, 400, `error.code=-32600`},
		{"JSON-RPC as a number", mcpPost, `{"jsonrpc":2.0,"id":1,"method":"ping"}`, 400, `error.code=-32600`},
		{"no method", mcpPost, `{"jsonrpc":"2.0","id":1}`, 400, `error.code=-32600`},
		{"method is a list", mcpPost, `{"jsonrpc":"2.0","id":1,"method":["ping"]}`, 400, `error.code=-32600`},
		{"method in another case", mcpPost, `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, 400, `error.code=-32600`},
		{"null id", mcpPost, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"fraction as id", mcpPost, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"exponent as id", mcpPost, `{"jsonrpc":"2.0","id":1e999999999,"method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"object as id", mcpPost, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"long id", mcpPost, `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"huge id", mcpPost, `{"jsonrpc":"2.0","id":` + strings.Repeat("9", 5000) + `,"method":"ping"}`, 400, `error.code=-32600 | id?`},
		{"odd id", mcpPost, `{"jsonrpc":"2.0","id":"a\"\u0001<b>","method":"ping"}`, 200, `id="a\"\u0001\u003cb\u003e"`},
		{"negative id", mcpPost, `{"jsonrpc":"2.0","id":-3,"method":"ping"}`, 200, `id=-3`},
		{"empty id", mcpPost, `{"jsonrpc":"2.0","id":"","method":"ping"}`, 200, `id=""`},
		{"member twice", mcpPost, `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, 400, `error.code=-32600`},
		{"argument twice", mcpPost, call(`{"city":"a","city":"b"}`), 400, `error.code=-32600 | id=7`},
		{"deep argument", mcpPost, call(deep), 400, `error.code=-32600 | id=7`},
		{"deep member of a newer client", mcpPost, rpc("tools/list", deep), 400, `error.code=-32600`},
		{"long number", mcpPost, call(`{"city":"a","hours_ahead":` + strings.Repeat("1", 400) + `}`), 200, `error.code=-32602`},
		{"great exponent", mcpPost, call(`{"city":"a","hours_ahead":1e3000000}`), 200, `error.code=-32602`},
		{"object for a text", mcpPost, call(`{"city":{"a":[1,2,{"b":null}]}}`), 200, `result.isError=true`},
		{"lone surrogate", mcpPost, call(`{"city":"\ud800"}`), 400, `error.code=-32700`},
		{"bad UTF-8", mcpPost, call("{\"city\":\"\xff\"}"), 400, `error.code=-32700`},
		{"NUL", mcpPost, call(`{"city\u0000":"x"}`), 200, `result.isError=true`},
		{"long argument", mcpPost, call(`{"city":"` + strings.Repeat("x", 200000) + `"}`), 200, `result.isError=true`},
		{"long body", mcpPost, call(`{"city":"` + strings.Repeat("x", 300000) + `"}`), 413, `error.code=-32000 | id?`},
		{"forty unknown arguments", mcpPost, call(`{` + manyArguments(40) + `}`), 200, `result.isError=true`},
		{"empty batch", mcpPost, `[]`, 400, `error.code=-32600`},
		{"long batch", mcpPost, `[` + strings.Repeat(rpc("ping", "")+",", 32) + rpc("ping", "") + `]`, 400, `error.code=-32600`},
		{"batch of batches", mcpPost, `[[` + rpc("ping", "") + `]]`, 200, `0.error.code=-32600 | #=1`},
		{"batch that initializes", mcpPost, `[` + rpc("initialize", `{"protocolVersion":"2025-03-26"}`) + `]`, 200, `0.error.code=-32600 | 0.id=7`},
		{"batch", mcpPost, `[` + rpc("ping", "") + `,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"b","method":"x"},` + call(city("Omaha")) + `]`, 200, `#=3 | 0.result={} | 1.error.code=-32601 | 1.id="b" | 2.result.isError=false`},
		{"batch of notifications", mcpPost, `[{"jsonrpc":"2.0","method":"notifications/x"}]`, 202, ``},

		{"get", "GET /mcp", "", 405, `Allow: POST, OPTIONS | error.code=-32000`},
		{"delete", "DELETE /mcp", "", 405, `Allow: POST, OPTIONS`},
		{"put", "PUT /mcp", "{}", 405, ``},
		{"options", "OPTIONS /mcp", "", 204, `Allow: POST, OPTIONS | Access-Control-Allow-Origin: `},
		{"below", "POST /mcp/sse", "{}", 404, ``},
		{"slash", "POST /mcp/", "{}", 404, ``},
	})
	ping := &wireCase{"", mcpPost, rpc("ping", ""), 0, ``}
	for _, c := range []struct {
		header string
		status int
	}{
		{"Accept: application/json, text/event-stream", 200},
		{"Accept: */*", 200},
		{"Accept: text/event-stream", 406},
		{"Content-Type: application/json; charset=utf-8", 200},
		{"Content-Type: text/plain", 415},
		{"Content-Type: application/x-www-form-urlencoded", 415},
		{"Content-Encoding: gzip", 415},
		{"Origin: http://example.com", 200}, // httptest calls this host
		{"Origin: https://evil.example", 403},
		{"Origin: null", 403},
		{"Origin: http://example.com.evil.example", 403},
		{"Sec-Fetch-Site: cross-site", 403},
		{"Sec-Fetch-Site: same-origin", 200},
	} {
		ping.status = c.status
		t.Run(c.header, func(t *testing.T) { ping.check(t, ping.send(h, c.header)) })
	}
}

func manyArguments(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"a%d":[{}]`, i))
	}
	return strings.Join(parts, ",")
}

// TestMCPRebinding: a page whose own name means this machine sends its Origin
// and a Host that agrees with it.
func TestMCPRebinding(t *testing.T) {
	for _, c := range []struct {
		name, host, origin string
		options            []serve.Option
		status             int
	}{
		{"a program", "127.0.0.1:80", "", nil, 200},
		{"a program behind a proxy", "tools.example", "", nil, 200},
		{"a local page", "localhost:80", "http://localhost:80", nil, 200},
		{"a trusted page", "127.0.0.1:80", "https://app.example", []serve.Option{serve.WithOrigins("https://app.example")}, 200},
		{"a trusted page through a proxy that keeps the Host", "tools.example", "https://app.example", []serve.Option{serve.WithOrigins("https://other.example", "https://app.example")}, 200},
		{"a page of the Host itself through a proxy", "tools.example", "http://tools.example", nil, 403},
		{"rebound", "evil.example", "http://evil.example", nil, 403},
		{"another port", "localhost:80", "http://localhost:81", nil, 403},
		{"a page that is not trusted", "127.0.0.1:80", "https://evil.example", []serve.Option{serve.WithOrigins("https://app.example")}, 403},
	} {
		h, _ := newServer(t, c.options...)
		server := httptest.NewServer(h)
		if status := pingFrom(t, server.URL, c.host, c.origin); status != c.status {
			t.Errorf("%s: status %d, want %d", c.name, status, c.status)
		}
		server.Close()
	}
	if _, err := serve.NewHandler([]tool.Toolset{newWeather(t).toolset()}, serve.WithOrigins("app.example")); err == nil {
		t.Error("an origin without scheme is accepted")
	}
}

// pingFrom pings with a Host and, unless it is "", an Origin, and returns the
// status of the answer.
func pingFrom(t *testing.T, base, host, origin string) int {
	t.Helper()
	r, err := http.NewRequest("POST", base+"/mcp", strings.NewReader(rpc("ping", "")))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// TestMCPBehindRun: Run has looked at Host and Origin, with names and origins
// that the handler does not know.
func TestMCPBehindRun(t *testing.T) {
	h, _ := newServer(t, serve.WithOrigins("https://app.example"))
	bound := make(chan net.Addr, 1)
	done := make(chan error, 1)
	ctx := t.Context()
	go func() {
		done <- serve.Run(ctx, "127.0.0.1:0", h, serve.RunOptions{AllowAnonymous: true, Hosts: []string{"tools.example"}, DrainDelay: -1,
			Bound: func(a net.Addr) { bound <- a }})
	}()
	address := (<-bound).String()
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"tools.example", "https://app.example", 200},
		{"tools.example", "https://tools.example", 200},
		{"tools.example", "https://evil.example", 403},
		{"evil.example", "https://evil.example", 403},
		{"evil.example", "", 403},
	} {
		if status := pingFrom(t, "http://"+address, c.host, c.origin); status != c.status {
			t.Errorf("%s from %q: status %d, want %d", c.host, c.origin, status, c.status)
		}
	}
}

// TestMCPAuthentication: a closed server tells strangers nothing, and caches
// for one caller only.
func TestMCPAuthentication(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthenticator(keys()))
	list := rpc("tools/list", `{`+meta+`}`)
	runCases(t, h, []wireCase{
		{"list", mcpPost, list, 401, `error.code=-32000 | WWW-Authenticate: ApiKey realm="tools" | result?`},
		{"call", mcpPost, legacyCall(lookup, city("Omaha")), 401, `error.code=-32000`},
		{"garbage", mcpPost, `{`, 401, ``},
	}, modernHeaders("tools/list", "")...)
	known := append(modernHeaders("tools/list", ""), "X-API-Key: secret-1")
	runCases(t, h, []wireCase{{"known", mcpPost, list, 200, `result.cacheScope="private"`}}, known...)
	runCases(t, h, []wireCase{
		{"a user without token", mcpPost, legacyCall("read_mailbox", `{}`), 200, `result.isError=true | result.content.0.text="This tool needs the secret PIN of its caller."`},
	}, "X-API-Key: secret-2")
}

// TestOAuthResource: a client that is refused learns where to get a token.
func TestOAuthResource(t *testing.T) {
	issuers := []string{"https://auth.example.com"}
	h, _ := newServer(t, serve.WithAuthenticator(keys()), serve.WithOAuthResource("https://weather.example.com/mcp", issuers, "weather.read"))
	const place = "/.well-known/oauth-protected-resource/mcp"
	runCases(t, h, []wireCase{
		{"refused", mcpPost, rpc("ping", ""), 401, `WWW-Authenticate: Bearer resource_metadata="https://weather.example.com` + place + `", scope="weather.read"`},
		{"other protocols keep theirs", "GET /a2t/tools", "", 401, `WWW-Authenticate: ApiKey realm="tools"`},
		{"post", "POST " + place, "{}", 405, `Allow: GET, HEAD, OPTIONS`},
		{"below", "GET " + place + "/x", "", 404, ``},
		{"another resource", "GET /.well-known/oauth-protected-resource", "", 404, ``},
	})
	for _, option := range []serve.Option{
		serve.WithOAuthResource("weather.example.com", issuers), serve.WithOAuthResource("http://weather.example.com/mcp", issuers),
		serve.WithOAuthResource("https://weather.example.com/mcp#x", issuers), serve.WithOAuthResource("https://weather.example.com/mcp", nil),
		serve.WithOAuthResource("https://weather.example.com/mcp", []string{"ftp://x"}), serve.WithOAuthResource("https://weather.example.com/mcp", issuers, "a b"),
		serve.WithOAuthResource("https://me@weather.example.com/mcp", issuers),
	} {
		if _, err := serve.NewHandler([]tool.Toolset{newWeather(t).toolset()}, option); err == nil {
			t.Error("a faulty resource is accepted")
		}
	}
	plain, _ := serve.NewHandler([]tool.Toolset{newWeather(t).toolset()}, serve.WithOAuthResource("https://weather.example.com/mcp", issuers, "weather.read"))
	rec := (&wireCase{request: "GET " + place}).send(plain)
	var got, want any
	raw, err := os.ReadFile(filepath.Join(golden.Shared(t, "protocols", "golden", "mcp"), "protected-resource-metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(rec.Body.Bytes(), &got)
	if err := json.Unmarshal(raw, &want); err != nil || !cmp.Equal(want, got) {
		t.Errorf("%v: %d %s", err, rec.Code, rec.Body)
	}
}

// TestMCPGolden compares with the documents of the weather tool.
func TestMCPGolden(t *testing.T) {
	dir := golden.Shared(t, "protocols", "golden", "mcp")
	w := newWeather(t)
	set := w.toolset()
	set.Tools = set.Tools[:1]
	server, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	h := golden.Judged(t, server)
	for file, c := range map[string]struct {
		body    string
		headers []string
	}{
		"initialize-result-2025-11-25.json": {rpc("initialize", `{"protocolVersion":"2025-11-25"}`), nil},
		"discover-result-2026-07-28.json":   {rpc("server/discover", `{`+meta+`}`), modernHeaders("server/discover", "")},
		"tools-list-result-2026-07-28.json": {rpc("tools/list", `{`+meta+`}`), modernHeaders("tools/list", "")},
		"call-result-2026-07-28.json":       {modernCall(lookup, `{"city":"Omaha"}`), modernHeaders("tools/call", lookup)},
		"call-result-error-2026-07-28.json": {modernCall(lookup, `{"city":"Omahaa"}`), modernHeaders("tools/call", lookup)},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		var want, got any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		post := wireCase{request: mcpPost, body: c.body}
		_ = json.Unmarshal(post.send(h, c.headers...).Body.Bytes(), &got)
		result, _ := look(got, "result")
		if diff := cmp.Diff(want, result); diff != "" {
			t.Errorf("%s: (-golden +ours)\n%s", file, diff)
		}
	}
}

// TestMCPText: the text of a result is its structured content, whatever stands
// in it.
func TestMCPText(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	for _, value := range []string{`"a\"b\\c\n\u2028<é😀>"`, `""`, `"\u0000\ud83d\ude00"`, "[1,\n\t{\"x\":[]}]", `null`, `1e3`} {
		set.Tools[0].Call = fixedOutput(value)
		h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
		if err != nil {
			t.Fatal(err)
		}
		call := wireCase{request: mcpPost, body: legacyCall(lookup, city("x"))}
		var doc, text any
		if err := json.Unmarshal(call.send(h).Body.Bytes(), &doc); err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		said, _ := look(doc, "result.content.0.text")
		structured, _ := look(doc, "result.structuredContent")
		if err := json.Unmarshal([]byte(fmt.Sprint(said)), &text); err != nil || !cmp.Equal(text, structured) {
			t.Errorf("%s: text %v, content %v, %v", value, said, structured, err)
		}
	}
}

// TestMCPStale: a document that belongs to another version is found at start.
func TestMCPStale(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"input gone", `"city"`, `"town"`},
		{"other tool", `"name": "lookup_weather_by_city"`, `"name": "x"`},
		{"output gone", `"periods": {`, `"times": {`},
		{"no JSON", `{`, `(`},
	} {
		set := newWeather(t).toolset()
		docs := documentsOf(&set)
		file := docs["mcp/lookup_weather_by_city.v2.json"]
		file.Data = []byte(strings.ReplaceAll(string(file.Data), c.old, c.new))
		set.Docs = docs
		if _, err := serve.NewHandler([]tool.Toolset{set}); err == nil || !strings.Contains(err.Error(), "mcp/lookup_weather_by_city.v2.json") {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := serve.NewHandler([]tool.Toolset{set}, serve.WithProtocols(serve.ProtocolA2T)); err != nil {
			t.Errorf("%s, without MCP: %v", c.name, err)
		}
	}
	set := newWeather(t).toolset()
	docs := documentsOf(&set)
	delete(docs, "mcp/report_storm.v1.json")
	set.Docs = docs
	if _, err := serve.NewHandler([]tool.Toolset{set}); err == nil || !strings.Contains(err.Error(), "its document is missing, run \"sculpt generate\" again") {
		t.Errorf("missing document: %v", err)
	}
}

// TestMCPSideBySide is for the race detector.
func TestMCPSideBySide(t *testing.T) {
	h, _ := newServer(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				name := fmt.Sprintf("City %d %d", i, j)
				call := wireCase{"", mcpPost, `[` + legacyCall(lookup, city(name)) + `,` + legacyCall(lookup, `{}`) + `]`, 200, `0.result.isError=false | 1.result.isError=true`}
				call.check(t, call.send(h))
			}
		})
	}
	all.Wait()
}
