package export_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var update = flag.Bool("update", false, "rewrite the texts of testdata")

// TestBytes fixes the bytes of a definition with every part there is.
func TestBytes(t *testing.T) {
	s := &signature.Signature{
		ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: "find_book", Toolkit: "Library", ToolName: "FindBook", Version: 3,
		Title: "Find", Description: "Find a book <fast> & well", WhenToUse: "The user wants a book.",
		Inputs: []signature.Input{
			{ID: "q", Name: "q", Type: signature.String, Description: "Words.", Required: true, MinLength: 2, MaxLength: 9, Pattern: `^\w+$`},
			{ID: "n", Name: "n", Type: signature.Int, Description: "How many.", Min: -5, Max: 5, Default: int64(3)},
			{ID: "all", Name: "all", Type: signature.Boolean, Description: "Also lent ones.", Default: false},
			{ID: "by", Name: "by", Type: signature.Enum, Description: "The order", Values: []signature.Value{{Name: "TITLE", Text: "By title"}, {Name: "YEAR", Text: "By year."}}, Default: "YEAR"},
		},
		Outputs: []signature.Output{
			{ID: "state", Name: "state", Type: signature.Enum, Description: "Its state.", Values: []signature.Value{{Name: "FREE", Text: "To be had."}}, Optional: true},
			{ID: "price", Name: "price", Type: signature.JSON, Description: "The price.", Schema: types.DoubleType},
			{ID: "marks", Name: "marks", Type: signature.JSON, Description: "Marks by name.", Schema: types.MapOf(types.StringType, types.EnumOf("good", "bad"))},
		},
		Needs: signature.Needs{UserID: true, Secrets: []string{"PIN"}, Tokens: []string{"library"}},
	}
	properties := `"properties":{"q":{"type":"string","description":"Words.","minLength":2,"maxLength":9,"pattern":"^\\w+$"},` +
		`"n":{"type":"integer","description":"How many.","minimum":-5,"maximum":5,"default":3},` +
		`"all":{"type":"boolean","description":"Also lent ones.","default":false},` +
		`"by":{"type":"string","description":"The order. TITLE: By title. YEAR: By year.","enum":["TITLE","YEAR"],"default":"YEAR"}},` +
		`"required":["q"],"additionalProperties":false`
	want := `{"id":"Library.FindBook@3.0.0","name":"find_book","description":"Find a book <fast> & well. Use it when the user wants a book. This cannot be undone. Calling twice is not the same as once.","version":"3.0.0",` +
		`"input_schema":{"type":"object",` + properties + `,"parameters":{"type":"object",` + properties + `}},` +
		`"output_schema":{"type":"object","properties":{"state":{"type":"string","description":"Its state. FREE: To be had.","enum":["FREE"]},` +
		`"price":{"type":"number","description":"The price."},` +
		`"marks":{"type":"object","description":"Marks by name.","additionalProperties":{"type":"string"}}},` +
		`"required":["price","marks"],"additionalProperties":false},` +
		`"requirements":{"authorization":[{"id":"library"}],"secrets":[{"id":"PIN"}],"user_id":true}}` + "\n"
	if got := string(documents(t, s)["otc/find_book.v3.json"]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestMCPHeaders: the documents of MCP name the headers that repeat inputs, and
// no other does; what is locked has none, what a release records has them.
func TestMCPHeaders(t *testing.T) {
	v1, v2 := weather()
	plain := documents(t, v1, v2)
	bare := string(v2.Contract(nil))
	v2.Inputs[0].MCPHeader, v2.Inputs[1].MCPHeader, v2.Inputs[2].MCPHeader = "City", "is-\u0026`", "Hours-Ahead"
	named := documents(t, v1, v2)
	const newest = "mcp/lookup_weather_by_city.v2.json"
	const lean = "mcp/lookup_weather_by_city.lean.json"
	for name, data := range named {
		if name != newest && name != lean && !bytes.Equal(data, plain[name]) {
			t.Errorf("%s changes with a header: %s", name, data)
		}
	}
	if strings.Count(string(named[lean]), `"x-mcp-header":`) != 3 {
		t.Errorf("the lean document has not all headers: %s", named[lean])
	}
	with, without := string(named[newest]), string(plain[newest])
	const header = `"x-mcp-header":`
	for _, want := range []string{`"maxLength":80,` + header + `"City"}`, `"enum":["TODAY","TOMORROW"],` + header + "\"is-\u0026`\"}", `"maximum":156,` + header + `"Hours-Ahead"}`} {
		if !strings.Contains(with, want) {
			t.Errorf("%s is missing in %s", want, with)
		}
	}
	if strings.Count(with, header) != 3 || strings.Contains(without, header) || len(named) != len(plain) {
		t.Errorf("with headers: %s\nwithout: %s", with, without)
	}
	if got := string(v2.Contract(nil)); got == bare || !strings.Contains(got, `"mcp_header":"Hours-Ahead"`) || strings.Contains(string(v2.Canonical()), "Hours-Ahead") {
		t.Errorf("the record has no header, or the promise has one: %s", got)
	}
}

// TestMCPHints states every hint, for every kind of effect.
func TestMCPHints(t *testing.T) {
	for _, c := range []struct {
		name, title string
		effects     signature.Effects
		want        string
	}{
		{"reads", "", signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true}`},
		{"adds", "Add", signature.Effects{}, `{"title":"Add","readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":true}`},
		{"replaces", "", signature.Effects{Idempotent: true, Destructive: true}, `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":true}`},
		{"deletes", "", signature.Effects{Destructive: true, Billable: true}, `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`},
		{"reads and cannot destroy", "", signature.Effects{ReadOnly: true, Destructive: true}, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,"openWorldHint":true}`},
	} {
		s, _ := weather()
		s.Title, s.Effects = c.title, c.effects
		got := string(documents(t, s)["mcp/lookup_weather_by_city.v1.json"])
		if !strings.HasSuffix(got, `,"annotations":`+c.want+"}\n") || strings.Contains(got, `"title"`) != (c.title != "") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestVersions writes the newest version into every A2T document of a tool.
func TestVersions(t *testing.T) {
	v1, v2 := weather()
	files := documents(t, v2, v1)
	if n := len(files) - 11; n != 6 { // 11 are one for all versions
		t.Errorf("%d files for versions", n)
	}
	for _, n := range []int{1, 2} {
		data := files[fmt.Sprintf("a2t/lookup_weather_by_city.v%d.json", n)]
		if !strings.Contains(string(data), fmt.Sprintf(`"version":%d,`, n)) || !strings.HasSuffix(string(data), "\"currentVersion\":2}\n") {
			t.Errorf("version %d: %s", n, data)
		}
	}
}

func TestWhenToUse(t *testing.T) {
	for _, c := range []struct{ description, when, want string }{
		{"Do it.", "", "Do it."},
		{"Do it.", "Somebody asks.", "Do it. Use it when somebody asks."},
		{"Do it", "Somebody asks", "Do it. Use it when somebody asks"},
		{"Do it!", "Somebody asks.", "Do it! Use it when somebody asks."},
		{"Do it.", "When somebody asks.", "Do it. Use it when somebody asks."},
		{"Do it.", "use it for questions.", "Do it. use it for questions."},
		{"Do it.", "Users ask.", "Do it. Use it when: Users ask."},
		{"Do it. Somebody asks.", "Somebody asks.", "Do it. Somebody asks."}, // once
	} {
		v1, _ := weather()
		v1.Description, v1.WhenToUse = c.description, c.when
		got := string(documents(t, v1)["otc/lookup_weather_by_city.v1.json"])
		if !strings.Contains(got, `"description":"`+c.want+`","version"`) {
			t.Errorf("%q and %q: %s", c.description, c.when, got)
		}
	}
}

// TestLimits changes one thing of a tool that is fine.
func TestLimits(t *testing.T) {
	type sig = signature.Signature
	long := func(n int) string { return strings.Repeat("ä", n) }
	values := func(names ...string) (out []signature.Value) {
		for _, n := range names {
			out = append(out, signature.Value{Name: n, Text: "A value."})
		}
		return out
	}
	var said strings.Builder
	for _, c := range []struct {
		name   string
		change func(*sig)
		// want is the severity, rule and part of the message; "" is not a finding.
		want string
	}{
		{"nothing", func(*sig) {}, ""},
		{"id of 255", func(s *sig) { s.Inputs[0].ID = long(255) }, ""},
		{"input name of 64", func(s *sig) { s.Inputs[0].Name = strings.Repeat("n", 64) }, ""},
		{"value name of 255", func(s *sig) { s.Inputs[1].Values[0].Name = strings.Repeat("N", 255) }, ""},
		{"joined description of 1999", func(s *sig) { s.Description, s.WhenToUse = long(1900), "When"+long(80) }, ""},
		{"input of 1024", func(s *sig) { s.Inputs[0].Description = long(1024) }, ""},
		{"one length", func(s *sig) { s.Inputs[0].MinLength, s.Inputs[0].MaxLength = 1, 1 }, ""},
		{"one number", func(s *sig) {
			s.Inputs[1] = signature.Input{ID: "n", Name: "n", Type: signature.Int, Description: "N.", Min: 1, Max: 1}
		}, ""},
		{"input name of 65", func(s *sig) { s.Inputs[0].Name = strings.Repeat("n", 65) }, `error not-exportable: "nnn`},
		{"value name of 256", func(s *sig) { s.Inputs[1].Values[0].Name = strings.Repeat("N", 256) }, `error not-exportable: "NNN`},
		{"negative length", func(s *sig) { s.Inputs[0].MinLength = -1 }, "error not-exportable: no text has from -1 to"},
		{"description of 1999", func(s *sig) { s.Description = long(1999) }, ""},
		{"name of 64", func(s *sig) { s.Name = strings.Repeat("n", 64) }, ""},
		{"value text of 900", func(s *sig) { s.Inputs[1].Values[0].Text = long(900) }, ""},
		{"no inputs", func(s *sig) { s.Inputs = nil }, ""},
		{"version 12", func(s *sig) { s.Version = 12 }, ""},
		{"json without schema", func(s *sig) { s.Outputs[0].Type = signature.JSON }, ""},
		{"a device in two words", func(s *sig) { s.Name = "com1_state" }, ""},

		{"description of 2000", func(s *sig) { s.Description = long(2000) }, "error too-long: the description has 2000 characters, at most 1999"},
		{"joined description", func(s *sig) { s.Description, s.WhenToUse = long(1900), "When"+long(94) }, "error too-long: the description with when_to_use has 2000"},
		{"no description", func(s *sig) { s.Description = "" }, "error not-exportable: the description is empty"},
		{"description of a blank", func(s *sig) { s.Inputs[0].Description = " " }, "error not-exportable: the description of input "},
		{"values join to more than 1024", func(s *sig) { s.Inputs[1].Values[0].Text = long(1000) }, "warning too-long: the description of input day with its values has 1112"},
		{"long description of an input", func(s *sig) { s.Inputs[0].Description = long(1025) }, "warning too-long: the description of input city with its values has 1025"},
		{"description of an output of 2000", func(s *sig) { s.Outputs[0].Description = long(2000) }, "error too-long: the description of output temperature_f has 2000"},
		{"value text of 2001", func(s *sig) { s.Inputs[1].Values[0].Text = long(2001) }, "error too-long: the text of value TODAY of input day has 2001 characters, at most 2000"},
		{"name of 65", func(s *sig) { s.Name = strings.Repeat("n", 65) }, "error not-exportable: the tool name has 65"},
		{"spaced name", func(s *sig) { s.Name = "Lookup Weather" }, `error not-exportable: "Lookup Weather" is not a tool name`},
		{"name leads elsewhere", func(s *sig) { s.Name = "../evil" }, `error not-exportable: "../evil" is not a tool name`},
		{"device", func(s *sig) { s.Name = "nul" }, `error not-exportable: "nul" is the name of a device`},
		{"no UUID", func(s *sig) { s.ID = "1" }, `error not-exportable: "1" is not a tool id`},
		{"toolkit of two words", func(s *sig) { s.Toolkit = "US Weather" }, `error not-exportable: "US Weather.LookupWeatherByCity" is not an OTC tool id`},
		{"version 0", func(s *sig) { s.Version = 0 }, "error not-exportable: 0 is not a version"},
		{"tag twice", func(s *sig) { s.Tags = []string{"a", "a"} }, `error not-exportable: the tag "a"`},
		{"empty tag", func(s *sig) { s.Tags = []string{""} }, `error not-exportable: the tag ""`},
		{"input in capitals", func(s *sig) { s.Inputs[0].Name = "City" }, `error not-exportable: "City" is not the name of an input`},
		{"input id missing", func(s *sig) { s.Inputs[0].ID = "" }, `error not-exportable: "" is not the id of an input`},
		{"input id too long", func(s *sig) { s.Inputs[0].ID = long(256) }, `error not-exportable: "ää`},
		{"two inputs of one name", func(s *sig) { s.Inputs[1].Name = "city" }, `error not-exportable: two inputs have the id "day" or the name "city"`},
		{"two outputs of one id", func(s *sig) { s.Outputs[1].ID = "temperature_f" }, `error not-exportable: two outputs have the id "temperature_f"`},
		{"json input", func(s *sig) { s.Inputs[0].Type = signature.JSON }, `error not-exportable: input city cannot have the type "json"`},
		{"number output", func(s *sig) { s.Outputs[0].Type = "number" }, `error not-exportable: output temperature_f cannot have the type "number"`},
		{"no outputs", func(s *sig) { s.Outputs = nil }, "error not-exportable: the tool has no output"},
		{"no length", func(s *sig) { s.Inputs[0].MaxLength = 0 }, "error not-exportable: no text has from 0 to 0 characters"},
		{"bounds of a text cross", func(s *sig) { s.Inputs[0].MinLength = 81 }, "error not-exportable: no text has from 81 to 80 characters"},
		{"bounds of a number cross", func(s *sig) {
			s.Inputs[1] = signature.Input{ID: "n", Name: "n", Type: signature.Int, Description: "N.", Min: 1}
		}, "error not-exportable: no number is from 1 to 0"},
		{"pattern", func(s *sig) { s.Inputs[0].Pattern = "(" }, "error not-exportable: the pattern of input city"},
		{"enum without values", func(s *sig) { s.Inputs[1].Values = nil }, "error not-exportable: input day is of type enum and has 0 values"},
		{"string with values", func(s *sig) { s.Outputs[1].Values = values("A") }, "error not-exportable: output short_forecast is of type string and has 1 values"},
		{"value in lower case", func(s *sig) { s.Inputs[1].Values = values("today") }, `error not-exportable: "today" of input day is not the name of a value`},
		{"value twice", func(s *sig) { s.Inputs[1].Values = values("A", "A") }, `error not-exportable: input day has the value "A" twice`},
		{"value without text", func(s *sig) { s.Inputs[1].Values[0].Text = "" }, "error not-exportable: the text of value TODAY of input day is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := weather()
			s.Inputs[1].Values = append([]signature.Value{}, s.Inputs[1].Values...)
			c.change(s)
			files, findings := export.Documents([]*signature.Signature{s})
			judgeFindings(t, findings, c.want, s.Name)
			for _, f := range findings {
				fmt.Fprintf(&said, "%s: %s[%s]: %s\n\tfix: %s\n", c.name, f.Severity, f.Rule, f.Message, f.Fix)
			}
			if (files == nil) != findings.HasErrors() {
				t.Errorf("%d files with %v", len(files), findings)
			}
		})
	}
	compareText(t, "testdata/limits.txt", said.String())
}

// compareText holds a text against a file, or writes it.
func compareText(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || got != string(want) {
		t.Errorf("%s differs, run with -update and read it (%v):\n%s", name, err, cmp.Diff(string(want), got))
	}
}

func judgeFindings(t *testing.T, findings diag.List, want, tool string) {
	t.Helper()
	if want == "" {
		if len(findings) > 0 {
			t.Errorf("findings: %v", findings)
		}
		return
	}
	found := false
	for _, f := range findings {
		found = found || strings.HasPrefix(f.Severity.String()+" "+f.Rule.String()+": "+f.Message, want)
		if f.Tool != tool || f.Fix == "" {
			t.Errorf("without tool or fix: %+v", f)
		}
	}
	if !found {
		t.Errorf("want %q in %v", want, findings)
	}
}

func TestTwice(t *testing.T) {
	v1, _ := weather()
	files, findings := export.Documents([]*signature.Signature{v1, v1})
	judgeFindings(t, findings, "error not-exportable: version 1 of tool lookup_weather_by_city is there twice", v1.Name)
	if files != nil {
		t.Error("there are files")
	}
	if files, findings := export.Documents(nil); files != nil || findings != nil {
		t.Error("nothing gave", files, findings)
	}
}
