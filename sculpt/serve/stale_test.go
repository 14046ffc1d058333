package serve_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestStaleDocuments: a document that differs from its table in one place keeps a
// server from starting, and the error says which file it is.
func TestStaleDocuments(t *testing.T) {
	const a2t, otc, mcp = "a2t/lookup_weather_by_city.v1.json", "otc/lookup_weather_by_city.v1.json", "mcp/lookup_weather_by_city.v1.json"
	const atdf, lean = "atdf/lookup_weather_by_city.enhanced.json", "mcp/lookup_weather_by_city.lean.json"
	said := map[string]error{}
	for name, c := range map[string]struct{ file, old, text string }{
		"a2t: no JSON":            {a2t, "{", "["},
		"a2t: id":                 {a2t, lookupID, reportID},
		"a2t: name":               {a2t, `"name": "lookup_weather_by_city"`, `"name": "lookup"`},
		"a2t: version":            {a2t, `"version": 1`, `"version": 2`},
		"a2t: current version":    {a2t, `"currentVersion": 2`, `"currentVersion": 1`},
		"a2t: input":              {a2t, `"name": "day"`, `"name": "hour"`},
		"a2t: one input less":     {a2t, `"input_parameters"`, `"parameters"`},
		"a2t: output":             {a2t, `"name": "temperature_f"`, `"name": "temperature_c"`},
		"a2t: one output less":    {a2t, `"output_parameters"`, `"parameters"`},
		"a2t: kind":               {a2t, `"version": 1`, `"version": "1"`},
		"otc: no JSON":            {otc, "{", "["},
		"otc: kind":               {otc, `"version": "1.0.0"`, `"version": 1`},
		"otc: id":                 {otc, "@1.0.0", "@2.0.0"},
		"otc: name":               {otc, `"name": "lookup_weather_by_city"`, `"name": "lookup"`},
		"otc: version":            {otc, `"version": "1.0.0"`, `"version": "1.0.1"`},
		"otc: shape":              {otc, `"parameters": {`, `"arguments": {`},
		"otc: shape of another":   {otc, `"input_schema": {`, `"input_schema": [], "input": {`},
		"mcp: kind":               {mcp, `"name": "lookup_weather_by_city"`, `"name": 1`},
		"mcp: name":               {mcp, `"name": "lookup_weather_by_city"`, `"name": "lookup"`},
		"mcp: input":              {mcp, `"day": {`, `"hour": {`},
		"mcp: one input more":     {mcp, `"day": {`, `"hour": {}, "day": {`},
		"mcp: output":             {mcp, `"temperature_f": {`, `"temperature_c": {`},
		"mcp: one output more":    {mcp, `"temperature_f": {`, `"temperature_c": {}, "temperature_f": {`},
		"mcp: header":             {mcp, `"day": {`, `"day": {"x-mcp-header": "Day",`},
		"atdf: kind":              {atdf, `"tool_id":"`, `"tool_id":1,"id":"`},
		"atdf: id":                {atdf, `"tool_id":"`, `"tool_id":"x`},
		"atdf: input":             {atdf, `"name":"day"`, `"name":"hour"`},
		"atdf: no inputs":         {atdf, `"inputs":`, `"in":`},
		"lean: no JSON":           {lean, "{", "["},
		"lean: kind":              {lean, `"name": "lookup_weather_by_city"`, `"name": 1`},
		"lean: name":              {lean, `"name": "lookup_weather_by_city"`, `"name": "lookup"`},
		"nothing is wrong at all": {a2t, "{", "{"},
	} {
		set := newWeather(t).toolset()
		docs := documentsOf(&set)
		for _, one := range set.Tools {
			docs["mcp/"+one.Name+".lean.json"] = docs["mcp/"+one.Name+".v1.json"]
		}
		text := string(docs[c.file].Data)
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: %s has no %s", name, c.file, c.old)
		}
		docs[c.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, c.old, c.text, 1))}
		set.Docs = docs
		_, said[name] = serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet), serve.WithLeanMCP())
	}
	compareSaid(t, "stale.txt", said)
}

// TestRefusedTools: every fault of a table is told at once, each with its tool and
// version, and names are as long as A2T allows, not longer.
func TestRefusedTools(t *testing.T) {
	said := map[string]error{}
	for name, change := range map[string]func(*tool.Toolset){
		"everything": func(s *tool.Toolset) {
			one := &s.Tools[0]
			one.Name, one.ID, one.ToolName, one.Call, one.Sunset = "Lookup Weather", "0", "look up", nil, "tomorrow"
			one.Versions[0].N, one.Versions[0].Released = 2, false
			one.Versions[1].Inputs = append(one.Versions[1].Inputs, one.Versions[1].Inputs[0])
		},
		"the first day is no day": func(s *tool.Toolset) { s.Tools[0].Deprecated, s.Tools[0].Sunset = "soon", "2027-01-01" },
		"254 characters":          func(s *tool.Toolset) { s.Tools[0].Name = strings.Repeat("n", 254) },
		"255 characters":          func(s *tool.Toolset) { s.Tools[0].Name = strings.Repeat("n", 255) },
		"a handshake":             func(s *tool.Toolset) { s.Handshake = 1 },
		"two tools": func(s *tool.Toolset) {
			s.Tools[1].Call = nil
			s.Tools[2].Versions = nil
		},
		"no documents": func(s *tool.Toolset) { s.Tools[0].ToolName = "" },
	} {
		set := newWeather(t).toolset()
		change(&set)
		if set.Docs = documentsOf(&set); name == "no documents" {
			set.Docs = nil
		}
		_, said[name] = serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	}
	compareSaid(t, "tools.txt", said)
}
