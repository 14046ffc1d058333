package corpus_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

const repositories = `{"atip":{"version":"0.6"},"name":"hub","version":"1","description":"Work with repositories.","commands":{
	"pr":{"description":"Work with pull requests.","commands":{
		"merge":{"description":"Merge a pull request.","effects":{"destructive":true,"reversible":false,"idempotent":false,"cost":{"billable":true}},
			"arguments":[{"name":"number","type":"integer","description":"Number of it."},{"name":"into","type":"directory","description":"Where to.","required":false}],
			"options":[
				{"name":"method","flags":["-m","--method"],"type":"enum","enum":["squash","rebase"],"description":"How to merge."},
				{"name":"label","flags":["-l"],"type":"array","description":"Labels to set."},
				{"name":"quiet","flags":["-q","--quiet"],"type":"boolean","description":"Say nothing.","required":true},
				{"name":"link","flags":["--link"],"type":"url","variadic":true,"description":"What to link."}]},
		"list":{"description":"List pull requests.","effects":{"network":false,"filesystem":{"write":false},"idempotent":true}}}},
	"close_all":{"description":"Close all.","effects":{"network":false,"filesystem":{}}},
	"auth":{"description":"Log in.","effects":{"reversible":true},"commands":{}}}}`

// bridged gives the functions of a document by name, and the names in order.
func bridged(t *testing.T, doc string, strict bool) (map[string]golden.Function, []string) {
	t.Helper()
	functions, err := golden.BridgeATIP([]byte(doc), strict)
	if err != nil {
		t.Fatal(err)
	}
	byName, names := map[string]golden.Function{}, []string{}
	for _, f := range functions {
		byName[f.Name], names = f, append(names, f.Name)
	}
	return byName, names
}

func TestBridgeATIP(t *testing.T) {
	functions, names := bridged(t, repositories, false)
	if want := []string{"hub_pr_merge", "hub_pr_list", "hub_close_all", "hub_auth"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	for name, want := range map[string]string{
		"hub_pr_merge":  "Merge a pull request. [⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE | ⚠️ NOT IDEMPOTENT | 💰 BILLABLE]",
		"hub_pr_list":   "List pull requests. [🔒 READ-ONLY]",
		"hub_close_all": "Close all.", // what is not said of writing is not denied
		"hub_auth":      "Log in.",
	} {
		if got := functions[name].Description; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	const loose = `{"type":"object","additionalProperties":false,"required":["number","quiet"],"properties":{
		"number":{"type":"integer","description":"Number of it."},
		"into":{"type":"string","description":"Where to. (directory path)"},
		"method":{"type":"string","enum":["squash","rebase"],"description":"How to merge."},
		"label":{"type":"array","description":"Labels to set."},
		"quiet":{"type":"boolean","description":"Say nothing."},
		"link":{"type":"string","description":"What to link. (URL)"}}}`
	sameParameters(t, functions["hub_pr_merge"], loose)
	sameParameters(t, functions["hub_pr_list"], `{"type":"object","additionalProperties":false,"required":[],"properties":{}}`)
	functions, _ = bridged(t, repositories, true)
	sameParameters(t, functions["hub_pr_merge"], strings.NewReplacer(
		`["number","quiet"]`, `["number","into","method","label","quiet","link"]`,
		`"string"`, `["string","null"]`, `"array"`, `["array","null"]`).Replace(loose))
}

func sameParameters(t *testing.T, f golden.Function, want string) {
	t.Helper()
	var parameters map[string]any
	if err := json.Unmarshal([]byte(want), &parameters); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f.Parameters, parameters) {
		t.Errorf("%s: %v, want %v", f.Name, f.Parameters, parameters)
	}
}

// TestBridgeATIPLimit cuts descriptions so that the flags stay.
func TestBridgeATIPLimit(t *testing.T) {
	const flags = " [⚠️ NOT IDEMPOTENT]"
	length := func(s string) int { return len(utf16.Encode([]rune(s))) }
	for _, c := range []struct {
		text, effects, want string
	}{
		{strings.Repeat("a", 1024), `{}`, strings.Repeat("a", 1024)},
		{strings.Repeat("a", 1025), `{}`, strings.Repeat("a", 1020) + "..."},
		{strings.Repeat("a", 1024-length(flags)), `{"idempotent":false}`, strings.Repeat("a", 1024-length(flags)) + flags},
		{strings.Repeat("a", 1025-length(flags)), `{"idempotent":false}`, strings.Repeat("a", 1021-length(flags)) + "..." + flags},
		{strings.Repeat("🌧", 600), `{"idempotent":false}`, ""},
	} {
		doc := `{"atip":"0.1","name":"a","version":"1","description":"b","commands":{"c":{"description":"` + c.text + `","effects":` + c.effects + `}}}`
		functions, _ := bridged(t, doc, false)
		got := functions["a_c"].Description
		if c.want != "" && got != c.want || length(got) > 1024 || c.effects != "{}" && !strings.HasSuffix(got, flags) {
			t.Errorf("%d units with %s: %q", length(c.text), c.effects, got)
		}
	}
}

func TestBridgeATIPRefuses(t *testing.T) {
	for _, doc := range []string{
		"", "[]", `{"name":"a","version":"1","description":"b"}`, `{"atip":"0.1","version":"1","description":"b"}`,
		`{"atip":"0.1","name":"a","description":"b"}`, `{"atip":"0.1","name":"a","version":"1"}`,
		`{"atip":"0.1","name":"a","version":"1","description":"b","commands":[]}`,
		`{"atip":"0.1","name":"a","version":"1","description":"b","commands":{"c":{"commands":7}}}`,
		`{"atip":"0.1","name":"a","version":"1","description":"b","commands":{"c":7}}`,
	} {
		if got, err := golden.BridgeATIP([]byte(doc), false); err == nil {
			t.Errorf("%s gives %v", doc, got)
		}
		if got, err := golden.ArgvATIP([]byte(doc), "a_c", nil); err == nil {
			t.Errorf("%s runs %q", doc, got)
		}
	}
}

func TestArgvATIP(t *testing.T) {
	for _, c := range []struct{ function, args, want string }{
		{"hub_pr_list", `{}`, "hub pr list"},
		{"hub_pr_list", `{"number":1}`, "hub pr list"}, // not its own: the executor warns and leaves it out
		{"hub_pr_merge", `{"method":"squash","number":7}`, "hub pr merge 7 --method squash"},
		{"hub_pr_merge", `{"number":null,"method":null,"quiet":false}`, "hub pr merge"},
		{"hub_pr_merge", `{"quiet":true,"number":-2147483648,"into":"x"}`, "hub pr merge -2147483648 x --quiet"},
		{"hub_pr_merge", `{"label":["a","b"],"number":100000000000000000000}`, "hub pr merge 100000000000000000000 -l a -l b"},
		{"hub_pr_merge", `{"label":[],"number":1e3}`, "hub pr merge 1000"},
		{"hub_pr_merge", `{"link":["x","y"],"number":0.5}`, "hub pr merge 0.5 --link x --link y"},
		{"hub_pr_merge", `{"link":"x","method":true}`, "hub pr merge --method true --link x"}, // nothing is validated
		{"hub_pr", `{}`, "hub pr"}, // a group is found, too
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.args), &args); err != nil {
			t.Fatal(err)
		}
		argv, err := golden.ArgvATIP([]byte(repositories), c.function, args)
		if got := strings.Join(argv, " "); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v, want %q", c.function, c.args, got, err, c.want)
		}
	}
	argv, err := golden.ArgvATIP([]byte(repositories), "hub_pr_merge", map[string]any{"number": 12, "into": "a b", "method": json.Number("3")})
	if want := []string{"hub", "pr", "merge", "12", "a b", "--method", "3"}; err != nil || !slices.Equal(argv, want) {
		t.Errorf("%q, %v", argv, err)
	}
}

// TestArgvATIPRefuses has the traps of the reference executor, and values that
// have no form in a command line.
func TestArgvATIPRefuses(t *testing.T) {
	for _, c := range []struct {
		function string
		args     map[string]any
		message  string
	}{
		{"hub_close_all", nil, `there is no "close"`}, // the bridge gives this name
		{"hub", nil, "none of tool"},
		{"gh_pr_list", nil, `none of tool "hub"`},
		{"hub_pr_list_all", nil, `there is no "all"`},
		{"hub_pr_create", nil, `there is no "create"`},
		{"hub_", nil, `there is no ""`},
		{"hub_pr_merge", map[string]any{"method": map[string]any{}}, `"method"`},
		{"hub_pr_merge", map[string]any{"number": []any{"1"}}, `"number"`},
		{"hub_pr_merge", map[string]any{"method": 1e21}, "no decimal form"},
		{"hub_pr_merge", map[string]any{"label": []any{nil}}, `"label"`},
		{"hub_pr_merge", map[string]any{"number": json.Number("1e999")}, `"number"`},
	} {
		argv, err := golden.ArgvATIP([]byte(repositories), c.function, c.args)
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s %v: %q, %v", c.function, c.args, argv, err)
		}
	}
	snake := strings.Replace(repositories, `"hub"`, `"my_hub"`, 1)
	functions, _ := bridged(t, snake, false)
	for name := range functions {
		if argv, err := golden.ArgvATIP([]byte(snake), name, nil); err == nil {
			t.Errorf("%s of a tool with _ in its name runs %q", name, argv)
		}
	}
	flagless := strings.Replace(repositories, `["-l"]`, `[]`, 1)
	if argv, err := golden.ArgvATIP([]byte(flagless), "hub_pr_merge", map[string]any{"label": "x"}); err == nil {
		t.Errorf("an option without flags runs %q", argv)
	}
}

// TestAgentATIPUpstream plays the agent over documents that others wrote.
func TestAgentATIPUpstream(t *testing.T) {
	read := func(parts ...string) string {
		doc, err := os.ReadFile(golden.Shared(t, append([]string{"protocols"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	weather := read("golden", "atip", "weather.json")
	functions, names := bridged(t, weather, false)
	if !slices.Equal(names, []string{"weather_lookup-weather-by-city"}) || strings.Contains(functions[names[0]].Description, "[") {
		t.Errorf("%v", functions)
	}
	argv, err := golden.ArgvATIP([]byte(weather), names[0], map[string]any{"hours_ahead": 3.0, "city": "Omaha, Nebraska", "day": nil})
	if want := []string{"weather", "lookup-weather-by-city", "--city", "Omaha, Nebraska", "--hours-ahead", "3"}; err != nil || !slices.Equal(argv, want) {
		t.Errorf("%q, %v", argv, err)
	}
	// A command without a name ends up as an empty word.
	argv, err = golden.ArgvATIP([]byte(read("atip", "upstream-examples", "minimal.json")), "hello_", map[string]any{"name": "Ann"})
	if want := []string{"hello", "", "Ann"}; err != nil || !slices.Equal(argv, want) {
		t.Errorf("%q, %v", argv, err)
	}
	gh := read("atip", "upstream-examples", "gh.json")
	_, names = bridged(t, gh, true)
	if len(names) < 100 || !slices.Contains(names, "gh_pr_create") || slices.Contains(names, "gh_pr") {
		t.Errorf("%d functions of gh: %q", len(names), names)
	}
	for _, name := range names {
		if argv, err := golden.ArgvATIP([]byte(gh), name, nil); err != nil || strings.Join(argv, "_") != name {
			t.Errorf("%s: %q, %v", name, argv, err)
		}
	}
}
