package serve_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const storm = "report_storm"

// mirroring are the weather tools with inputs that headers repeat: those of
// report_storm, and the day of the newest version of the forecast. ran counts
// the calls that got as far as a chain.
func mirroring(t *testing.T) (set tool.Toolset, ran *int) {
	t.Helper()
	set, ran = newWeather(t).toolset(), new(int)
	for i := range set.Tools {
		set.Tools[i].Call = func(ctx context.Context, args tool.Args) (tool.Result, error) {
			*ran++
			return echo(ctx, args)
		}
	}
	forecast := set.Tools[0].Versions
	forecast[0].Inputs[0].MCPHeader = "Town"
	forecast[1].Inputs[1].MCPHeader = "Day"
	inputs := set.Tools[2].Versions[0].Inputs
	inputs[0].MCPHeader, inputs[1].MCPHeader, inputs[2].MCPHeader = "Place", "SEVERITY", "is-Confirmed"
	set.Docs = documentsOf(&set)
	return set, ran
}

func coded(text string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// TestMCPMirrors: headers of 2026-07-28 say what the arguments say, or the tool
// does not run.
func TestMCPMirrors(t *testing.T) {
	set, ran := mirroring(t)
	own, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	h := golden.Judged(t, own)
	const omaha, fine, refused, model = `{"place":"Omaha"}`, `result.isError=false`, `error.code=-32020 | id=7 | result?`, `result.isError=true`
	long := strings.Repeat("é", 5000)
	for _, c := range []struct {
		name, tool, arguments string
		headers               []string
		facts                 string
	}{
		{"text", storm, omaha, []string{"Mcp-Param-Place: Omaha"}, fine},
		{"header in lower case", storm, omaha, []string{"mcp-param-place: Omaha"}, fine},
		{"header in upper case", storm, omaha, []string{"MCP-PARAM-PLACE: Omaha"}, fine},
		{"white space around it", storm, omaha, []string{"Mcp-Param-Place:  \tOmaha "}, fine},
		{"commas and blanks", storm, `{"place":"Omaha, NE  x"}`, []string{"Mcp-Param-Place: Omaha, NE  x"}, fine},
		{"plain text in Base64", storm, omaha, []string{"Mcp-Param-Place: " + coded("Omaha")}, fine},
		{"text beyond ASCII", storm, `{"place":"Zürich 雪"}`, []string{"Mcp-Param-Place: " + coded("Zürich 雪")}, fine},
		{"escapes in the body", storm, `{"place":"Z\u00fcrich"}`, []string{"Mcp-Param-Place: " + coded("Zürich")}, fine},
		{"lines", storm, `{"place":"a\r\nX-Evil: b"}`, []string{"Mcp-Param-Place: " + coded("a\r\nX-Evil: b")}, fine},
		{"text that looks like Base64", storm, `{"place":"=?base64?x?="}`, []string{"Mcp-Param-Place: " + coded("=?base64?x?=")}, fine},
		{"Base64 without the first mark", storm, `{"place":"T21haGE="}`, []string{"Mcp-Param-Place: T21haGE="}, fine},
		{"Base64 without the last mark", storm, `{"place":"=?base64?T21haGE="}`, []string{"Mcp-Param-Place: =?base64?T21haGE="}, fine},
		{"marks that overlap", storm, `{"place":"=?base64?="}`, []string{"Mcp-Param-Place: =?base64?="}, fine},
		{"the mark in upper case", storm, `{"place":"=?BASE64?T21haGE=?="}`, []string{"Mcp-Param-Place: =?BASE64?T21haGE=?="}, fine},
		{"numbers and booleans", storm, `{"place":"Omaha","severity":3,"confirmed":false}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3", "Mcp-Param-Is-Confirmed: false"}, fine},
		{"number with a fraction of zeros", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3.0"}, fine},
		{"number in Base64", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: " + coded("3")}, fine},
		{"null is absent", storm, `{"place":"Omaha","severity":null}`, []string{"Mcp-Param-Place: Omaha"}, fine},
		{"a header of another tool", storm, omaha, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Day: TODAY", "Mcp-Param-Town: x"}, fine},
		{"an input without a header", lookup, `{"city":"Omaha"}`, nil, fine},
		{"an enum", lookup, `{"city":"Omaha","day":"TODAY"}`, []string{"Mcp-Param-Day: TODAY"}, fine},
		{"the header of an older version", lookup, `{"city":"Omaha"}`, []string{"Mcp-Param-Town: Lincoln"}, fine},

		{"missing", storm, omaha, nil, refused + ` | error.message="The header Mcp-Param-Place is missing, which repeats the argument place."`},
		{"without Mcp-Param-", storm, omaha, []string{"Place: Omaha"}, refused},
		{"one of two is missing", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha"}, refused},
		{"false is missing", storm, `{"place":"Omaha","confirmed":false}`, []string{"Mcp-Param-Place: Omaha"}, refused},
		{"empty header", storm, omaha, []string{"Mcp-Param-Place: "}, refused},
		{"other text", storm, omaha, []string{"Mcp-Param-Place: Lincoln"}, refused + ` | error.message="The header Mcp-Param-Place is \"Lincoln\", the body says \"Omaha\"."`},
		{"other case", storm, omaha, []string{"Mcp-Param-Place: omaha"}, refused},
		{"more text", storm, omaha, []string{"Mcp-Param-Place: Omaha, Lincoln"}, refused},
		{"other text in Base64", storm, omaha, []string{"Mcp-Param-Place: " + coded("Lincoln")}, refused},
		{"Base64 of Base64", storm, omaha, []string{"Mcp-Param-Place: " + coded(coded("Omaha"))}, refused},
		{"no padding", storm, `{"place":"Hello"}`, []string{"Mcp-Param-Place: =?base64?SGVsbG8?="}, refused + ` | error.message="The header Mcp-Param-Place is not valid Base64."`},
		{"odd letters", storm, `{"place":"Hello"}`, []string{"Mcp-Param-Place: =?base64?SGVs!!!bG8=?="}, refused},
		{"loose last bits", storm, `{"place":"Hello"}`, []string{"Mcp-Param-Place: =?base64?SGVsbG9=?="}, refused},
		{"Base64 for URLs", storm, `{"place":"a?>~b"}`, []string{"Mcp-Param-Place: =?base64?YT8-fmI=?="}, refused},
		{"bad Base64 for an empty text", storm, `{"place":""}`, []string{"Mcp-Param-Place: =?base64?!?="}, refused},
		{"blanks that a header loses", storm, `{"place":" Omaha "}`, []string{"Mcp-Param-Place:  Omaha "}, refused},
		{"UTF-8 as it is", storm, `{"place":"Zürich"}`, []string{"Mcp-Param-Place: Zürich"}, refused + ` | error.message="The header Mcp-Param-Place has characters that come in Base64 only."`},
		{"control characters as they are", storm, `{"place":"a\u0001b"}`, []string{"Mcp-Param-Place: a\x01b"}, refused},
		{"no UTF-8 in Base64", storm, omaha, []string{"Mcp-Param-Place: " + coded("\xff\xfe")}, refused},
		{"long header", storm, omaha, []string{"Mcp-Param-Place: " + coded(long)}, refused},
		{"other number", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 4"}, refused},
		{"number with a sign", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: +3"}, refused},
		{"number with a zero before it", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 03"}, refused},
		{"number with a fraction", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3.01"}, refused},
		{"number with an exponent", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3e0"}, refused},
		{"no number", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: ."}, refused},
		{"number that wraps around", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 18446744073709551619"}, refused},
		{"endless number", storm, `{"place":"Omaha","severity":3}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: " + strings.Repeat("3", 9000)}, refused},
		{"other boolean", storm, `{"place":"Omaha","confirmed":true}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Is-Confirmed: false"}, refused},
		{"boolean in upper case", storm, `{"place":"Omaha","confirmed":true}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Is-Confirmed: True"}, refused},
		{"boolean as a number", storm, `{"place":"Omaha","confirmed":true}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Is-Confirmed: 1"}, refused},
		{"header without an argument", storm, omaha, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3"}, refused + ` | error.message="The header Mcp-Param-Severity is \"3\", the body has no argument severity."`},
		{"header of the default", storm, omaha, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 1"}, refused},
		{"header for null", storm, `{"place":"Omaha","severity":null}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: null"}, refused},
		{"empty header without an argument", storm, omaha, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: "}, refused},
		{"other enum value", lookup, `{"city":"Omaha","day":"TODAY"}`, []string{"Mcp-Param-Day: TOMORROW"}, refused},
		{"argument in another case", storm, `{"Place":"Omaha"}`, []string{"Mcp-Param-Place: Omaha"}, refused},

		// What a model did wrong, and the client repeated, the model learns.
		{"nothing at all", storm, `{}`, nil, model},
		{"number for a text", storm, `{"place":5}`, []string{"Mcp-Param-Place: 5"}, model},
		{"text for a number", storm, `{"place":"Omaha","severity":"high"}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: high"}, model},
		{"list for a text", storm, `{"place":["Omaha"]}`, []string{"Mcp-Param-Place: Omaha"}, model},
		{"list without a header", storm, `{"place":["Omaha"]}`, nil, model},
		{"fraction for a number", storm, `{"place":"Omaha","severity":3.5}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 3.5"}, model},
		{"number beyond the bounds", storm, `{"place":"Omaha","severity":9}`, []string{"Mcp-Param-Place: Omaha", "Mcp-Param-Severity: 9"}, model},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, runs := 200, 0
			switch {
			case c.facts == fine:
				runs = 1
			case strings.HasPrefix(c.facts, refused):
				status = 400
			}
			*ran = 0
			wire := wireCase{c.name, mcpPost, modernCall(c.tool, c.arguments), status, c.facts}
			wire.check(t, wire.send(h, append(modernHeaders("tools/call", c.tool), c.headers...)...))
			if *ran != runs {
				t.Errorf("the tool ran %d times, want %d", *ran, runs)
			}
		})
	}
}

// TestMCPMirrorTwice: of two values a gateway could read one and we the other.
func TestMCPMirrorTwice(t *testing.T) {
	set, ran := mirroring(t)
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range [][]string{{"Omaha", "Lincoln"}, {"Omaha", "Omaha"}, {"Omaha", ""}} {
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(modernCall(storm, `{"place":"Omaha"}`)))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {modernTag}, "Mcp-Method": {"tools/call"},
			"Mcp-Name": {storm}, "Mcp-Param-Place": values}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code != 400 || !strings.Contains(rec.Body.String(), "-32020") || !strings.Contains(rec.Body.String(), "more than once") || *ran != 0 {
			t.Errorf("%q: %d %s", values, rec.Code, rec.Body)
		}
	}
}

// TestMCPMirrorsOfOthers: clients of older revisions, those over stdin and
// stdout and those of other protocols know nothing of the headers.
func TestMCPMirrorsOfOthers(t *testing.T) {
	set, ran := mirroring(t)
	h := stdioHandler(t, set)
	for _, version := range []string{"", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		for _, lines := range [][]string{nil, {"Mcp-Param-Place: Lincoln"}, {"Mcp-Param-Place: =?base64?!?="}} {
			if version != "" {
				lines = append(lines, "MCP-Protocol-Version: "+version)
			}
			c := wireCase{version, mcpPost, legacyCall(storm, `{"place":"Omaha"}`), 200, `result.isError=false`}
			c.check(t, c.send(h, lines...))
		}
	}
	*ran = 0
	c := wireCase{"A2T", "POST /a2t" + reportPath + ":invoke", invocation("place", "Omaha"), 200, ``}
	c.check(t, c.send(h, "Mcp-Param-Place: Lincoln"))
	answers, _ := talk(t, h, strings.NewReader(modernCall(storm, `{"place":"Omaha"}`)))
	if isError, _ := look(answers["7"], "result.isError"); isError != false || *ran != 2 {
		t.Errorf("over A2T and stdin: %d calls, %v", *ran, answers)
	}
}

// TestMCPPlainHeaders: method and revision never come in Base64: a gateway that
// compares them as they are would be passed by.
func TestMCPPlainHeaders(t *testing.T) {
	h, _ := newServer(t)
	list := rpc("tools/list", `{`+meta+`}`)
	for _, lines := range [][]string{
		{"MCP-Protocol-Version: " + modernTag, "Mcp-Method: " + coded("tools/list")},
		{"MCP-Protocol-Version: " + coded(modernTag), "Mcp-Method: tools/list"},
		{"MCP-Protocol-Version: " + modernTag, "Mcp-Method: tools/list\xa0"},
	} {
		c := wireCase{lines[0], mcpPost, list, 400, `error.code=-32020`}
		c.check(t, c.send(h, lines...))
	}
}

// TestMCPMirrorsAtStart: what clients would leave out, and a document that
// tells of other headers than the table, do not start.
func TestMCPMirrorsAtStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(inputs []tool.Param)
		docs   func(text string) string
		want   string
	}{
		{"as it is", nil, nil, ""},
		{"every character of a token", func(in []tool.Param) { in[0].MCPHeader = "a!#$%&'*+-.^_`|~9Z" }, nil, ""},
		{"blank", func(in []tool.Param) { in[0].MCPHeader = "My Place" }, nil, `"My Place" is not the name of a header for input place`},
		{"colon", func(in []tool.Param) { in[0].MCPHeader = "Place:Name" }, nil, "is not the name"},
		{"line", func(in []tool.Param) { in[0].MCPHeader = "Place\r\nX" }, nil, "is not the name"},
		{"beyond ASCII", func(in []tool.Param) { in[0].MCPHeader = "Orté" }, nil, "is not the name"},
		{"long", func(in []tool.Param) { in[0].MCPHeader = strings.Repeat("x", 65) }, nil, "is not the name"},
		{"twice", func(in []tool.Param) { in[0].MCPHeader = "Severity" }, nil, "two inputs have the header Mcp-Param-Severity"},
		{"twice but for the case", func(in []tool.Param) { in[2].MCPHeader = "pLACE" }, nil, "two inputs have the header Mcp-Param-Place"},
		{"document without one", nil, func(s string) string { return strings.Replace(s, `"x-mcp-header": "Place"`, `"x-other": ""`, 1) }, "generate"},
		{"document with another one", nil, func(s string) string { return strings.Replace(s, `"Place"`, `"place"`, 1) }, "generate"},
		{"document with a list", nil, func(s string) string { return strings.Replace(s, `"Place"`, `["Place"]`, 1) }, "generate"},
		{"document with an empty one", func(in []tool.Param) { in[0].MCPHeader = "" }, func(s string) string {
			return strings.Replace(s, `"maxLength": 40`, `"maxLength": 40, "x-mcp-header": ""`, 1)
		}, "generate"},
	} {
		set, _ := mirroring(t)
		if c.change != nil {
			c.change(set.Tools[2].Versions[0].Inputs)
		}
		docs := documentsOf(&set)
		if file := docs["mcp/report_storm.v1.json"]; c.docs != nil {
			text := c.docs(string(file.Data))
			if text == string(file.Data) {
				t.Fatalf("%s: nothing changes in %s", c.name, text)
			}
			file.Data = []byte(text)
		}
		set.Docs = docs
		_, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
