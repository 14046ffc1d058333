package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

func TestParseWeather(t *testing.T) {
	m, list := Parse("sculpt.yaml", []byte(weather))
	for _, f := range list {
		t.Errorf("%s: %s: %s", f.Span, f.Rule.String(), f.Message)
	}
	if len(m.Tools) != 2 || len(m.APIs) != 2 || len(m.Env) != 1 || len(m.Constants) != 3 {
		t.Fatalf("got %d tools, %d apis, %d env, %d constants", len(m.Tools), len(m.APIs), len(m.Env), len(m.Constants))
	}
	tool, short := m.Tools[0], m.Tools[1]
	same := func(what string, got Scalar, want string, typ Type) {
		t.Helper()
		if got.Value != want || got.Type != typ {
			t.Errorf("%s: got %q of type %d, want %q of type %d", what, got.Value, got.Type, want, typ)
		}
	}
	same("package", m.Package, "nws", TextType)
	same("env default", m.Env[0].Default, "sculpt-example (contact@example.com)", TextType)
	same("openapi", m.APIs[0].OpenAPI, "openapi/geocoding.yaml", TextType)
	same("attempts", m.APIs[1].Retry.Attempts, "3", IntType)
	same("header", m.APIs[1].Headers[1].Value.Scalar, "${env.NWS_USER_AGENT}", TextType)
	same("state", m.Constants[0].Value.Members[3].Key, "NO", TextType)
	same("factor", m.Constants[2].Value.Scalar, "1.5e3", FloatType)
	same("tool", tool.Name, "lookup_weather_by_city", TextType)
	same("version", tool.Version, "1", IntType)
	same("tag", tool.Tags[1], "forecast", TextType)
	same("read_only", tool.Effects.ReadOnly, "true", BoolType)
	same("max_length", tool.Inputs[0].MaxLength, "100", IntType)
	same("from", tool.Inputs[0].From.Short, "geo.search.name", TextType)
	same("value", tool.Inputs[1].Values[0].Text, "The current half day.", TextType)
	same("send", tool.Inputs[1].Values[1].Send, "night", TextType)
	same("min", tool.Inputs[2].Min, "-3", IntType)
	same("in", tool.Inputs[2].From.In, "query", TextType)
	same("step", tool.Steps[1].ID, "grid", TextType)
	same("check", tool.Steps[0].Expect[1].Check, `state != "" || matches.size() == 1`, TextType)
	same("message", tool.Steps[0].Expect[1].Message, `Several US places are called "${name}". Only US places are covered.`, TextType)
	same("body", tool.Steps[1].Body.Members[0].Value.Items[2].Scalar, "null", NullType)
	same("error key", tool.Steps[1].Errors[1].Key, "503 ForecastGridExpired", TextType)
	same("retry_after", tool.Steps[1].Errors[1].RetryAfter, "10s", TextType)
	same("let", tool.Lets[2].Value.Scalar, `${places.results.filter(r, r.name == name && state == "")}`, TextType)
	same("output", tool.Outputs[0].Value, "${place.name}", TextType)
	same("enum name", tool.Outputs[1].Values[1].Name, "OVERCAST", TextType)
	same("example", tool.Examples[0].Inputs[0].Value.Scalar, "Omaha, Nebraska", TextType)
	if !short.ShortForm || len(short.Steps) != 1 || tool.ShortForm {
		t.Fatalf("the short form was not read")
	}
	same("result", short.Steps[0].ID, "result", TextType)
	same("call", short.Steps[0].Call, "geo GET /states", TextType)
}

// base is a valid manifest that cases change.
const base = `sculpt: 1
package: nws
toolkit: Weather
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis:
  geo: {openapi: geo.yaml}
tools:
  find:
    version: 1
    description: Find a place.
    call: geo.search
    with: {name: '${input.name}'}
    inputs:
      name: {description: A name.}
    outputs:
      place: {value: '${result.name}', description: The place.}
`

// A change turns base into a case; want is a line per finding.
type change struct {
	name, from, to string
	want           []string
}

func at(s string) []string { return strings.Split(s, "\n") }

var findingCases = []change{
	// Cases without findings.
	{"unchanged", "", "", nil},
	{"byte order mark", "sculpt: 1", "\ufeffsculpt: 1", nil},
	{"quoted keys", "version: 1", `"version": 1`, nil},
	{"comment with expression", "version: 1", "version: 1 # ${x", nil},
	{"literal dollar", "Find a place.", "Costs $${5 a place.", nil},
	{"plain expression", "'${input.name}'}", "'${input.name}', b: c}\n    body: ${input.name} # that", nil},
	{"empty map", "{name: '${input.name}'}", "", nil},
	{"upper case step", "call: geo.search\n    with: {name: '${input.name}'}", "steps: {thePlace: {call: geo.search}}", nil},
	{"bool of JSON", "{description: A name.}", "{description: A name., optional: true}", nil},
	{"word no as text", "{name: '${input.name}'}", "{name: no, b: 1.0.0, c: 2026-01-02, d: 4xx}", nil},
	{"long hyphenated header", "{openapi: geo.yaml}", "{openapi: geo.yaml, headers: {Accept: application/vnd.example.something-very-long-indeed+json}}", nil},
	{"inherited text", "{description: A name.}", "{from: geo.search.name}", nil},
	{"prose with lines", "Find a place.", "|\n      Find\n      a place.", nil},

	// Keys.
	{"misspelt key", "version: 1", "verison: 1", at(`9:5 unknown-key unknown key "verison", did you mean "version"?`)},
	{"unknown key at the top", "toolkit:", "colour: red\ntoolkit:", at(`3:1 unknown-key unknown key "colour"`)},
	{"word of another format", "{description: A name.}", "{description: A name., required: true}", at(`14:36 unknown-key unknown key "required", did you mean "optional"?`)},
	{"duplicate key", "version: 1", "version: 1\n    version: 2", at(`10:5 duplicate-key "version" is written twice`)},
	{"duplicate in a value", "'${input.name}'}", "'${input.name}', name: x}", at(`12:35 duplicate-key "name" is written twice`)},
	{"missing at the top", "package: nws\n", "", at(`missing-key the manifest has no "package"`)},
	{"missing in an input", "{description: A name.}", "{}", at(`14:7 missing-key "name" has no "description"`)},
	{"missing value", "{description: A name.}", "", at(`14:7 missing-key "name" has no "description"`)},
	{"no call", "    call: geo.search\n    with: {name: '${input.name}'}\n", "", at(`8:3 missing-key "find" has neither "call" nor "steps"`)},
	{"with but no call", "    call: geo.search\n", "", at(`8:3 missing-key "find" has no "call"`)},
	{"both forms", "    call: geo.search\n", "    call: geo.search\n    steps: {a: {call: geo.search}}\n", at(`11:5 two-forms "call" is on the tool, which has "steps" too
13:5 two-forms "with" is on the tool, which has "steps" too`)},
	{"later on a step", "call: geo.search", "call: geo.search\n    when: a: b", at(`12:11 quote-expression a value with ": " needs quotes`)},
	{"call and flow", "version: 1", "version: 1\n    steps: {a: {flow: b, call: geo.search, with: {}, timeout: 3s}}", at(`10:26 two-forms "call" is for a call, and the step runs a flow
10:54 two-forms "timeout" is for a call, and the step runs a flow
12:5 two-forms "call" is on the tool, which has "steps" too
13:5 two-forms "with" is on the tool, which has "steps" too`)},

	{"a picture that runs", "version: 1", "version: 1\n    image: javascript:alert(1)", at(`10:12 bad-name "javascript:alert(1)" is not the address of a picture`)},
	{"a header for a list", "{description: A name.}", "{description: A name., mcp_header: [Name]}", at(`14:36 wrong-type "mcp_header" wants text, not a list`)},
	{"a header with a blank", "{description: A name.}", "{description: A name., mcp_header: A Name}", at(`14:48 bad-name "A Name" is not the name of a header`)},
	{"a header of an output", "'${result.name}'", "'${result.name}', mcp_header: Name", at(`16:40 unknown-key unknown key "mcp_header"`)},
	{"things that are no list", "version: 1", "version: 1\n    effects: {creates: order}", at(`10:24 wrong-type "creates" wants a list, not text`)},
	{"a thing without a name", "version: 1", "version: 1\n    effects: {modifies: [order, '']}", at(`10:33 bad-name "" is empty`)},
	{"a thing between spaces", "version: 1", "version: 1\n    effects: {deletes: [' order']}", at(`10:25 bad-name " order" is not the kind of a thing`)},
	{"a thing on two lines", "version: 1", "version: 1\n    effects: {deletes: [\"or\\nder\"]}", at(`10:28 control-character "deletes" holds a line break or a tab`)},
	{"a cost in money", "version: 1", "version: 1\n    effects: {cost: 3 cents}", at(`10:21 wrong-value "cost" cannot be "3 cents", only free, low, medium, high`)},
	{"a single duration", "version: 1", "version: 1\n    effects: {duration: 5s}", at(`10:25 bad-name "5s" is not how long something mostly takes`)},
	{"a duration in numbers", "version: 1", "version: 1\n    effects: {duration: 5}", at(`10:25 wrong-type "duration" wants text, not a whole number`)},
	{"accept without a reason", "version: 1", "version: 1\n    accept: [{rule: input-removed, at: inputs.a}]", at(`10:14 missing-key "accept" has no "reason"`)},
	{"accept until some day", "version: 1", "version: 1\n    accept: [{rule: input-removed, at: inputs.a, reason: so, until: soon}]", at(`10:69 bad-name "soon" is not a date`)},
	{"a level that turns a rule off", "toolkit:", "levels: {input-default-changed: none}\ntoolkit:",
		at(`3:33 wrong-value "input-default-changed" cannot be "none", only note, warning, error`)},
	{"another policy", "toolkit:", "policy: none\ntoolkit:", at(`3:9 wrong-value "policy" cannot be "none", only a2t, letter, client-safe`)},

	// Types.
	{"text for int", "version: 1", "version: one", at(`9:14 wrong-type "version" wants a whole number, not text`)},
	{"quoted int", "version: 1", `version: "1"`, at(`9:14 wrong-type "version" wants a whole number, not text`)},
	{"float for int", "version: 1", "version: 1.0", at(`9:14 wrong-type "version" wants a whole number, not a number`)},
	{"octal", "version: 1", "version: 01", at(`9:14 wrong-type '01' means different things to different YAML readers`)},
	{"hexadecimal", "version: 1", "version: 0x1", at(`9:14 wrong-type '0x1' means different things to different YAML readers`)},
	{"underscore", "{name: '${input.name}'}", "{name: 1_000}", at(`12:18 wrong-type '1_000' means different things to different YAML readers`)},
	{"no leading digit", "{name: '${input.name}'}", "{name: .5}", at(`12:18 wrong-type '.5' means different things to different YAML readers`)},
	{"plus sign", "{name: '${input.name}'}", "{name: +1}", at(`12:18 wrong-type '+1' means different things to different YAML readers`)},
	{"capital true", "{name: '${input.name}'}", "{name: True}", at(`12:18 wrong-type 'True' means different things to different YAML readers`)},
	{"yes for a bool", "{description: A name.}", "{description: A name., optional: yes}", at(`14:46 wrong-type "optional" wants true or false, not text`)},
	{"number for text", "Find a place.", "5", at(`10:18 wrong-type "description" wants text, not a whole number`)},
	{"null for text", "Find a place.", "null", at(`10:18 wrong-type "description" wants text, not nothing`)},
	{"nothing for text", "call: geo.search", "call:", at(`11:5 wrong-type "call" wants text, not nothing`)},
	{"map for text", "Find a place.", "{a: b}", at(`10:5 wrong-type "description" wants text, not a map`)},
	{"text for list", "version: 1", "version: 1\n    tags: weather", at(`10:11 wrong-type "tags" wants a list, not text`)},
	{"list for map", "{name: '${input.name}'}", "[a]", at(`12:11 wrong-type "with" wants a map of names, not a list`)},
	{"list at the top", base, "- a\n- b\n", at("1:1 wrong-type the manifest wants a map with the keys sculpt, package, toolkit, title, description, namespace, env, apis, constants, tools, flows, ignore, include, client, rules, policy, notice, program, levels, not a list")},
	{"duration without unit", "{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: 10}", at(`6:37 wrong-type "timeout" wants a duration with its unit, not a number`)},
	{"duration of nothing", "{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: 0s}", at(`6:37 wrong-value "timeout" must be longer than nothing`)},
	{"duration in words", "{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: ten}", at(`6:37 wrong-type "timeout" wants a duration such as 10s`)},
	{"core tag", "Find a place.", "!!str 5", at(`10:18 wrong-type "!!str" is a YAML tag, which a manifest does not allow`)},
	{"complex key", "version: 1", "version: 1\n    ? [a]\n    : b", at(`10:7 wrong-type a key is a list or a map`)},

	// Values.
	{"format version", "sculpt: 1", "sculpt: 2", at(`1:9 wrong-value "sculpt" can only be 1`)},
	{"too few attempts", "{openapi: geo.yaml}", "{openapi: geo.yaml, retry: {attempts: 0}}", at(`6:46 wrong-value "attempts" must be between 1 and 3`)},
	{"huge int", "{description: A name.}", "{description: A name., max: 99999999999999999999}", at(`14:41 wrong-value 99999999999999999999 does not fit into 64 bits`)},
	{"unknown type", "{description: A name.}", "{description: A name., type: integer}", at(`14:42 wrong-value "type" cannot be "integer", only string, int, boolean`)},
	{"empty description", "Find a place.", "''", at(`10:18 wrong-value "description" is empty`)},
	{"long description", "toolkit: Weather", "toolkit: Weather\ndescription: " + strings.Repeat("x", 201), at(`4:214 too-long "description" has 201 characters, at most 200 are allowed`)},
	{"long tool description", "Find a place.", strings.Repeat("x", 2000), at(`10:2017 too-long "description" has 2000 characters, at most 1999 are allowed`)},
	{"long with when_to_use", "Find a place.", strings.Repeat("x", 1000) + "\n    when_to_use: " + strings.Repeat("y", 999), at(`11:18 too-long description and when_to_use have 2000 characters, at most 1999 are allowed`)},
	{"burden", "Find a place.", strings.Repeat("x", 1025), at(`10:18 too-long the description has 1025 characters; more than 1024 is a burden in every prompt`)},

	// Names.
	{"package with hyphen", "package: nws", "package: my-nws", at(`2:10 bad-name "my-nws" is not a package name`)},
	{"keyword as package", "package: nws", "package: func", at(`2:10 bad-name "func" cannot be the name of a package that others import`)},
	{"toolkit with space", "toolkit: Weather", "toolkit: My Weather", at(`3:10 bad-name "My Weather" is not a toolkit name`)},
	{"short namespace", "3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11", "3f0c5a52", at(`4:12 bad-name "3f0c5a52" is not a UUID`)},
	{"tool in camel case", "  find:", "  findPlace:", at(`8:3 bad-name "findPlace" is not a tool name`)},
	{"long tool name", "  find:", "  " + strings.Repeat("a", 55) + ":", at("8:3 bad-name \"" + strings.Repeat("a", 55) + "\" is too long for a tool name")},
	{"input in camel case", "      name: {description", "      Name: {description", at(`14:7 bad-name "Name" is not a name`)},
	{"enum value in lower case", "{description: A name.}", "{description: A name., values: {now: Now.}}", at(`14:45 bad-name "now" is not the name of an enum value`)},
	{"env in lower case", "apis:", "env: {key: {}}\napis:", at(`5:7 bad-name "key" is not an environment variable`)},
	{"constant with hyphen", "apis:", "constants: {a-b: 1}\napis:", at(`5:13 bad-name "a-b" is not a name for expressions`)},
	{"error case", "call: geo.search", "call: geo.search\n    errors: {40: {code: x, message: M.}}", at(`12:14 bad-name "40" is not an error case`)},
	{"auth literal", "{openapi: geo.yaml}", "{openapi: geo.yaml, auth: {key: letmein}}", at(`6:40 bad-name "letmein" is not a credential source`)},

	// Secrets.
	{"stripe key", "{openapi: geo.yaml}", "{openapi: geo.yaml, auth: {key: sk_live_abcdefgh12345678}}", at(`6:40 secret-in-manifest this value looks like a secret`)},
	{"bearer", "{openapi: geo.yaml}", "{openapi: geo.yaml, headers: {Authorization: Bearer abcdef123456}}", at(`6:53 secret-in-manifest this value looks like a secret`)},
	{"hexadecimal header", "{openapi: geo.yaml}", "{openapi: geo.yaml, headers: {X-Key: 0123456789abcdef0123456789abcdef}}", at(`6:45 secret-in-manifest this value looks like a secret`)},
	{"github token in a call", "{name: '${input.name}'}", "{name: ghp_abcdefghijklmnop1234}", at(`12:18 secret-in-manifest this value looks like a secret`)},
	{"amazon key in a constant", "apis:", "constants: {k: AKIAIOSFODNN7EXAMPLE}\napis:", at(`5:16 secret-in-manifest this value looks like a secret`)},
	{"bearer from env", "{openapi: geo.yaml}", "{openapi: geo.yaml, headers: {Authorization: 'Bearer ${env.THE_KEY}'}}", nil},

	// Quotes around expressions.
	{"colon in an expression", "call: geo.search", "call: geo.search\n    body: ${x ? y : z}", at(`12:11 quote-expression a value with ": " needs quotes`)},
	{"map in an expression", "call: geo.search", "call: geo.search\n    body: ${m.map(p, {\"n\": p.n})}", at(`12:11 quote-expression a value with ": " needs quotes`)},
	{"cut at a comment", "call: geo.search", "call: geo.search\n    body: ${x + \" #\" + y}", at(`12:11 quote-expression the value ends before " #", which starts a comment in YAML`)},
	{"flow map", "'${input.name}'", "${input.name}", at(`12:18 quote-expression text in [ ] or { } cannot hold an expression without quotes`)},
	{"flow list", "{name: '${input.name}'}", "\n      name: [a, b ${x}]", at(`13:17 quote-expression text in [ ] or { } cannot hold an expression without quotes`)},
	{"not", "call: geo.search", "call: geo.search\n    expect:\n      - check: !found\n        code: a\n        message: M.", at(`13:16 quote-expression the value starts with "!", which starts a tag in YAML`)},
	{"conditional check", "call: geo.search", "call: geo.search\n    expect:\n      - check: a ? b : c\n        code: a\n        message: M.", at(`13:16 quote-expression a value with ": " needs quotes`)},
	{"quotes inside quotes", "call: geo.search", "call: geo.search\n    body: \"${x.replace(\"a\", \"b\")}\"", at(`12:11 quote-expression the text ends at the quote inside it`)},
	{"not closed", "call: geo.search", "call: geo.search\n    body: ${x + 1", at(`12:11 quote-expression the expression "${" is not closed`)},
	{"over two lines", "call: geo.search", "call: geo.search\n    body: ${x ?\n      y : z}", at(`12:11 quote-expression the expression is not closed on this line`)},

	// YAML.
	{"anchor", "Find a place.", "&a Find", at(`10:18 yaml-alias "&a" is an anchor, which a manifest does not allow`)},
	{"alias", "Find a place.", "&a Find\n    title: *a", at(`10:18 yaml-alias "&a" is an anchor, which a manifest does not allow
11:12 yaml-alias "*a" refers to an anchor, which a manifest does not allow`)},
	{"unknown alias", "Find a place.", "*a", at(`10:18 yaml-alias a value that starts with * refers to an anchor, which a manifest does not allow`)},
	{"second document", "sculpt: 1", "sculpt: 1\n---\na: b\n---\n", at(`2:1 yaml-documents a second YAML document starts here`)},
	{"open quote", "Find a place.", "'Find", nil},
	{"colon in prose", "Find a place.", "Find: a place.", at(`10:22 yaml-syntax ": " is not allowed here`)},
	{"key without colon", "version: 1", "version 1", at(`9:5 yaml-syntax a key without ":" after it`)},
	{"open bracket", "{description: A name.}", "{description: A name.", at(`15:12 yaml-syntax a comma or the closing bracket is missing before this`)},
	{"two commas", "{description: A name.}", "{description: A name.,, optional: true}", at(`14:35 yaml-syntax a value is missing here`)},
	{"wrong indentation", "    version: 1", "   version: 1", at(`10:16 yaml-syntax ": " is not allowed here`)},
	{"tab as indentation", "    version: 1", "\tversion: 1", at(`9:1 yaml-syntax this character cannot start a value`)},
	{"markers of a merge", "    version: 1", "<<<<<<< HEAD\n    version: 1\n=======\n    version: 2\n>>>>>>> theirs", at(`9:1 yaml-syntax a merge left its markers`)},
	{"empty", base, "# nothing\n", at(`yaml-syntax the file is empty`)},
	{"not UTF-8", "Find a place.", "Find \xff", at(`10:23 yaml-syntax the byte 0xFF is not UTF-8`)},

	// Characters.
	{"NUL", "Find a place.", "Fi\x00nd", at(`10:20 control-character the manifest holds the hidden character U+0000`)},
	{"bidi", "Find a place.", "Fä\u202end", at(`10:20 control-character the manifest holds the hidden character U+202E`)},
	{"variation selector", "Find a place.", "Find\ufe01 it", at(`10:22 control-character the manifest holds the hidden character U+FE01`)},
	{"tag", "Find a place.", "Find\U000e0041 it", at(`10:22 control-character the manifest holds the hidden character U+E0041`)},
	{"filler that YAML writes", "Find a place.", `"Find\u3164"`, at(`10:23 control-character the text holds the hidden character U+3164`)},
	{"emoji", "Find a place.", "Find \u2764\ufe0f", nil},
	{"bidi in a comment", "version: 1", "version: 1 # \u2066", at(`9:18 control-character the manifest holds the hidden character U+2066`)},
	{"escaped ESC", "Find a place.", `"Find \x1b[2J"`, at(`10:24 control-character the text holds the hidden character U+001B`)},
	{"line break in a name", "call: geo.search", `call: "geo\nsearch"`, at(`11:15 control-character "call" holds a line break or a tab`)},
}

func TestParseFindings(t *testing.T) {
	failing := 0
	for _, c := range findingCases {
		if len(c.want) > 0 {
			failing++
		}
		t.Run(c.name, func(t *testing.T) {
			if c.from != "" && strings.Count(base, c.from) != 1 {
				t.Fatalf("%q is not once in the base", c.from)
			}
			src := strings.Replace(base, c.from, c.to, 1)
			_, list := Parse("f", []byte(src))
			var got []string
			for _, f := range list.Sorted() {
				line := strings.TrimPrefix(fmt.Sprintf("%s %s %s", f.Span, f.Rule.String(), f.Message), "f:")
				got = append(got, strings.TrimPrefix(line, "f "))
			}
			if c.name == "open quote" {
				if len(got) != 1 || !strings.Contains(got[0], "yaml-syntax") {
					t.Errorf("got %q", got)
				}
				return
			}
			if g, w := strings.Join(got, "\n"), strings.Join(c.want, "\n"); g != w {
				t.Errorf("got:\n%s\nwant:\n%s", g, w)
			}
		})
	}
	if failing*10 < len(findingCases)*4 {
		t.Errorf("only %d of %d cases fail", failing, len(findingCases))
	}
}

func TestFixes(t *testing.T) {
	cases := []struct{ from, to, fix string }{
		{"call: geo.search", "call: geo.search\n    body: ${x ? 'y' : z}", "write '${x ? ''y'' : z}'"},
		{"call: geo.search", "call: geo.search\n    body: ${x + \" #\" + y}", `write '${x + " #" + y}'`},
		{"call: geo.search", "call: geo.search\n    body: \"${x.replace(\"a\", \"b\")}\"", `write '${x.replace("a", "b")}'`},
		{"call: geo.search", "call: geo.search\n    body: ${x ?\n      y : z}", "write '${x ? y : z}'"},
		{"'${input.name}'", "${input.name}", "write '${input.name}'"},
		{"'${input.name}'", "a ${x} b ${y}", "write 'a ${x} b ${y}'"},
		{"call: geo.search", "call: geo.search\n    expect: [{check: !found, code: a, message: M.}]", "write '!found'"},
		{"call: geo.search", "call: geo.search\n    body: ${x + \" #\" + y} # why", `write '${x + " #" + y}'`},
		{"  find:", "  findPlace:", "write lower-case words with _ between, at most 54 characters: find_place"},
		{"{description: A name.}", "{description: A name., optional: Yes}", "write true"},
		{"{description: A name.}", "{description: A name., type: bool}", "write boolean"},
		{"toolkit: Weather", "toolkit: My Weather", "write letters, digits and _ only: My_Weather"},
		{"version: 1", `version: "1"`, "write 1 without quotes"},
		{"Find a place.", "404", "write '404'"},
		{"{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: 10}", "write 10s for seconds"},
		{"{description: A name.}", "{description: A name., type int}", "write type: int"},
		{"{description: A name.}", "{description: A name., or more: 5}", "the keys here are id, type, description, optional, default, max_length, min_length, pattern, min, max, values, mcp_header, from"},
		{"{description: A name.}", "{description: A name, or a part of it.}", "a comma between braces ends a text: write quotes around the whole text"},
	}
	for _, c := range cases {
		_, list := Parse("f", []byte(strings.Replace(base, c.from, c.to, 1)))
		if len(list) != 1 {
			t.Errorf("%s: got %d findings: %v", c.to, len(list), list)
			continue
		}
		if c.fix != "" && list[0].Fix != c.fix {
			t.Errorf("%s: got fix %q, want %q", c.to, list[0].Fix, c.fix)
		}
	}
}

func TestLimits(t *testing.T) {
	bombs := map[string]string{
		"too-large":   strings.Repeat("#", MaxSize+1),
		"too-deep":    "a: " + strings.Repeat("[", 150) + strings.Repeat("]", 150),
		"yaml-syntax": strings.Repeat("{", 1<<20),
	}
	for rule, src := range bombs {
		_, list := Parse("f", []byte(src))
		found := false
		for _, f := range list {
			found = found || f.Rule.String() == rule || f.Rule.String() == "too-deep"
		}
		if !found {
			t.Errorf("%s: got %v", rule, list)
		}
	}
}

// TestLongLine is quadratic if positions are counted from the line start.
func TestLongLine(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("constants: {ä: [")
	for b.Len() < MaxSize/4 {
		b.WriteString("'ü', ")
	}
	b.WriteString("x]}")
	if _, list := Parse("f", b.Bytes()); len(list) == 0 {
		t.Error("no findings")
	}
}

func TestRulesCoverFindings(t *testing.T) {
	known := map[string]bool{}
	for _, r := range Rules {
		if known[r.ID.String()] || r.Summary == "" || r.Why == "" || r.Fix == "" {
			t.Errorf("rule %q is twice or incomplete", r.ID)
		}
		known[r.ID.String()] = true
	}
	for _, src := range []string{"", "a", "- a", "a: !b c", "a: &x b", "a: ${x", "sculpt: x", weather[:900]} {
		_, list := Parse("f", []byte(src))
		for _, f := range list {
			if !known[f.Rule.String()] {
				t.Errorf("unknown rule %q", f.Rule.String())
			}
		}
	}
}

func TestSecretStaysPrivate(t *testing.T) {
	const secret = "sk_live_abcdefgh12345678"
	src := []byte(strings.Replace(base, "{openapi: geo.yaml}", "{openapi: geo.yaml, auth: {key: "+secret+"}}", 1))
	_, list := Parse("f", src)
	var b bytes.Buffer
	if err := diag.Text(&b, list, func(string) []byte { return src }); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), secret) || !strings.Contains(b.String(), "secret-in-manifest") {
		t.Errorf("got %s", b.String())
	}
}

// TestBombs reads files that cost a lot if anything is counted twice.
func TestBombs(t *testing.T) {
	golden.NotRaced(t)
	const size = MaxSize / 8
	fill := func(piece string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, piece, i)
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"keys": fill("k%07d: 1\n"), "blocks": fill("k%07d: |\n"), "quoted": fill("k%07d: 'a\n  b'\n"), "flow": fill("k%07d: {a: [b, \"c\"]}\n"),
		"expressions": fill("k%07d: ${${${\n"), "comments": fill("k%07d: 1\n# comment\n"), "kept": fill("k%07d: |+\n\n\n  \n"),
		"one expression": "apis: {a: {headers: {b: '" + strings.Repeat("${x}", size/4) + "'}}}",
		"one block":      "a: |\n" + strings.Repeat("  x\n", size/4),
		"one blank":      "a: |+\n" + strings.Repeat("\n", size),
		"one list":       "a:\n" + strings.Repeat("- x\n", size/4),
	} {
		start := time.Now()
		Parse("f", []byte(src))
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %s", name, took)
		}
	}
	if _, list := Parse("f", []byte("a: ["+strings.Repeat("x,", maxNodes)+"]")); len(list) != 1 || list[0].Rule.String() != "too-large" {
		t.Errorf("got %d findings for too many values", len(list))
	}
}
