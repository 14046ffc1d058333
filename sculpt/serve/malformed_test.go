package serve_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// TestMalformedBodies: what callers are told of a body that is wrong in one way,
// over each protocol.
func TestMalformedBodies(t *testing.T) {
	h, _ := newServer(t)
	bodies := hostileBodies()
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		body := bodies[name]
		runCases(t, h, []wireCase{{name + ", A2T", "POST /a2t" + lookupPath + ":invoke", body, 400, ``}})
		if name == "deep and open" {
			continue // it is as deep as the others, and long
		}
		runCases(t, h, []wireCase{{name + ", MCP", mcpPost, strings.Replace(body, "input_parameters", "params", 1), 400, ``}})
	}
}

// TestMalformedCalls: the members of a call over OTC, at their edges.
func TestMalformedCalls(t *testing.T) {
	h, _ := newServer(t)
	const mailbox = "Weather.ReadMailbox"
	context := func(members string) string { return otcCall(mailbox, `{}`, `"context":{`+members+`}`) }
	call := func(more string) string {
		return otcCall("Weather.LookupWeatherByCity", `{"city":"x"}`, more)
	}
	number := func(literal string) string {
		return otcCall("Weather.LookupWeatherByCity", `{"city":"x","hours_ahead":`+literal+`}`)
	}
	runCases(t, h, []wireCase{
		{"no request", callPath, `{}`, 400, ``},
		{"the request is a list", callPath, `{"request":[]}`, 400, ``},
		{"no tool", callPath, `{"request":{}}`, 400, ``},
		{"unknown member", callPath, call(`"inputs":{}`), 400, ``},
		{"two mistakes", callPath, call(`"first":1,"second":2`), 400, ``},
		{"call id of 255", callPath, call(`"call_id":"` + strings.Repeat("x", 255) + `"`), 200, ``},
		{"call id of 256", callPath, call(`"call_id":"` + strings.Repeat("x", 256) + `"`), 400, ``},
		{"trace id of 256", callPath, call(`"trace_id":"` + strings.Repeat("x", 256) + `"`), 400, ``},
		{"user id of 256", callPath, context(`"user_id":"` + strings.Repeat("x", 256) + `"`), 400, ``},
		{"context is a text", callPath, call(`"context":"x"`), 400, ``},
		{"context has more", callPath, call(`"context":{"locale":{"a":[1]},"user_id":null,"secrets":null,"authorization":null}`), 200, ``},
		{"secret without id", callPath, context(`"secrets":[{"value":"1"}]`), 400, ``},
		{"secret without value", callPath, context(`"secrets":[{"id":"PIN"}]`), 400, ``},
		{"secret twice", callPath, context(`"secrets":[{"id":"PIN","value":"1"},{"id":"PIN","value":"2"}]`), 400, ``},
		{"token without token", callPath, context(`"authorization":[{"id":"mail","value":"x"}]`), 400, ``},
		{"secret with more", callPath, context(`"user_id":"u","secrets":[{"id":"PIN","value":"1","scope":{}}],"authorization":[{"id":"mail","token":"t","more":1}]`), 200, ``},
		{"32 digits", callPath, number(strings.Repeat("9", 32)), 422, ``},
		{"33 digits", callPath, number(strings.Repeat("9", 33)), 400, ``},
		{"digits of the exponent", callPath, number(strings.Repeat("9", 30) + "e100"), 422, ``},
		{"exponent 308", callPath, number("1e308"), 422, ``},
		{"exponent 309", callPath, number("1e309"), 400, ``},
		{"exponent -308", callPath, number("1E-308"), 422, ``},
		{"exponent -309", callPath, number("1E-309"), 400, ``},
		{"list of versions", "GET /otc/tools?versions=some", "", 400, ``},
		{"schema in a body", "GET /otc/tools", `{"a":[{"$schema":"x"}],"$schema":"urn:oxp:1.0"}`, 200, ``},
		{"another schema in a body", "GET /otc/tools", `{"$schema":"urn:oxp:9.0"}`, 400, ``},
		{"a body that is no JSON", "GET /otc/tools", `{"$schema":"urn:oxp:9.0"`, 200, ``},
		{"a body with more after it", "GET /otc/tools", `{"$schema":"urn:oxp:9.0"}x`, 200, ``},
		{"a body that is a list", "GET /otc/tools", `["$schema"]`, 200, ``},
	})
}

// TestUnknownPlaces: what is asked of a place that does not exist.
func TestUnknownPlaces(t *testing.T) {
	h, _ := newServer(t, serve.WithPublicDiscovery())
	runCases(t, h, []wireCase{
		{"below a tool", "GET /a2t" + lookupPath + "/other", "", 404, ``},
		{"below versions", "GET /a2t" + lookupPath + "/other/1", "", 404, ``},
		{"too deep", "GET /a2t" + lookupPath + "/versions/1/2/3", "", 404, ``},
		{"not tools", "GET /a2t/tool/" + lookupID, "", 404, ``},
		{"unknown tool by its version", "GET /a2t/tools/" + strings.Replace(lookupID, "6", "7", 1) + "/versions/1", "", 404, ``},
		{"unknown version", "POST /a2t" + lookupPath + "/versions/7:invoke", invocation("city", "x"), 404, ``},
		{"ATDF", "GET /atdf/nothing", "", 404, ``},
		{"ATDF tool", "GET /atdf/tools/nothing", "", 404, ``},
		{"ATDF version", "GET /atdf/tools?schema_version=3.0.0", "", 400, ``},
		{"MCP", "POST /mcp/more", rpc("ping", ""), 404, ``},
		{"MCP by GET", "GET /mcp", "", 405, ``},
	})
}
