package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// A witness is a test that notes what it would fail with.
type witness struct {
	testing.TB
	said []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

// lintLines gives findings as "severity rule path".
func lintLines(t *testing.T, doc []byte) []string {
	t.Helper()
	findings, err := golden.LintATIP(doc)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.Severity+" "+f.Rule+" "+f.Path)
		if f.Message == "" {
			t.Errorf("%v has no message", f)
		}
	}
	return lines
}

// atipFixtures has what the reference linter finds in its own fixtures.
var atipFixtures = map[string][]string{
	"lint-fixtures/valid/complete.json": nil,
	"lint-fixtures/valid/minimal.json":  nil,
	"lint-fixtures/invalid/bad-description.json": {
		"warn description-quality /commands/another/description", "warn description-quality /commands/placeholder/description",
		"warn description-quality /commands/test/description",
		"warn description-quality /description", "warn description-quality /description"}, // short, and a placeholder
	"lint-fixtures/invalid/destructive-missing-reversible.json": {
		"warn destructive-needs-reversible /commands/delete/effects", "warn destructive-needs-reversible /commands/purge/effects"},
	"lint-fixtures/invalid/duplicate-flags.json": {"error no-duplicate-flags /commands/test/options/1/flags"},
	"lint-fixtures/invalid/inconsistent-naming.json": {
		"warn consistent-naming /commands/create_item", "warn consistent-naming /commands/listItems"},
	"lint-fixtures/invalid/invalid-effects-values.json": {
		"error valid-effects-values /commands/test/effects/cost/billable", "error valid-effects-values /commands/test/effects/cost/estimate",
		"error valid-effects-values /commands/test/effects/destructive", "error valid-effects-values /commands/test/effects/idempotent",
		"error valid-effects-values /commands/test/effects/network"},
	"lint-fixtures/invalid/missing-required-fields.json": {
		"error no-missing-required-fields /commands/test/arguments/0/type",
		"error no-missing-required-fields /commands/test/options/0/type", "error no-missing-required-fields /commands/test/options/1/enum"},
	"lint-fixtures/invalid/no-empty-effects.json": {
		"warn no-empty-effects /commands/create", "warn no-empty-effects /commands/delete"},
	"lint-fixtures/fixable/add-effects-copy.json":    {"warn no-empty-effects /commands/list/effects"},
	"lint-fixtures/fixable/add-effects.json":         nil,
	"lint-fixtures/fixable/auto-fix-reversible.json": {"warn destructive-needs-reversible /commands/delete/effects"},
	// A command without a name has no kebab-case.
	"upstream-examples/minimal.json": {
		"warn consistent-naming /commands/", "warn description-quality /commands//description"},
}

// TestLintATIPFixtures holds the judge against the fixtures of the linter that
// it stands for.
func TestLintATIPFixtures(t *testing.T) {
	dir := golden.Shared(t, "protocols", "atip")
	for file, want := range atipFixtures {
		doc, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		if got := lintLines(t, doc); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	for _, folder := range []string{"valid", "invalid", "fixable"} {
		files, err := filepath.Glob(filepath.Join(dir, "lint-fixtures", folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, files, err)
		}
		for _, file := range files {
			if _, known := atipFixtures["lint-fixtures/"+folder+"/"+filepath.Base(file)]; !known {
				t.Errorf("what is found in %s is not stated", file)
			}
		}
	}
}

// TestJudgeATIP holds documents that are known to be right against the judge,
// and some that are known to be wrong.
func TestJudgeATIP(t *testing.T) {
	dir := golden.Shared(t, "protocols")
	for file, right := range map[string]bool{
		"golden/atip/weather.json": true, "golden/atip/weather-partial.json": true,
		"atip/upstream-examples/gh.json": true, "atip/upstream-examples/minimal.json": true,
		"atip/lint-fixtures/valid/complete.json": true, "atip/lint-fixtures/valid/minimal.json": true,
		"atip/lint-fixtures/invalid/duplicate-flags.json":         false, // valid to the schema
		"atip/lint-fixtures/invalid/missing-required-fields.json": false,
		"atip/upstream-examples/registry-manifest.json":           false, // no description of a tool
	} {
		doc, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		w := &witness{TB: t}
		if golden.JudgeATIP(w, doc); (len(w.said) == 0) != right {
			t.Errorf("%s: %q", file, w.said)
		}
		if strings.HasPrefix(file, "golden/") {
			want := []string{"warn consistent-naming /commands/lookup-weather-by-city/options/2/name"}
			if got := lintLines(t, doc); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", file, got, want)
			}
		}
	}
}

// TestJudgeATIPSchema has documents in which only the schema finds a fault.
func TestJudgeATIPSchema(t *testing.T) {
	golden.Shared(t)
	const right = `{"atip":{"version":"0.6"},"name":"weather","version":"1","description":"Weather of cities.","commands":{
		"now":{"description":"Weather of now.","effects":{"duration":{"typical":"1-5s","timeout":"30s"}}}}}`
	for _, c := range []struct{ old, new string }{
		{"", ""}, {`"0.6"`, `"0.7"`}, {`"name":"weather"`, `"name":"we ather"`}, {`"version":"1",`, ``},
		{`"1-5s"`, `"5s"`}, {`"30s"`, `"instant"`}, {`"effects"`, `"options":[{"name":"city","flags":[],"type":"string","description":"The city that is meant."}],"effects"`},
		{`Weather of cities.`, strings.Repeat("Weather ", 26)},
	} {
		doc := strings.Replace(right, c.old, c.new, 1)
		w := &witness{TB: t}
		if golden.JudgeATIP(w, []byte(doc)); (len(w.said) == 0) != (c.old == "") {
			t.Errorf("%q for %q: %q", c.new, c.old, w.said)
		}
	}
	w := &witness{TB: t}
	for _, doc := range []string{"", "null", "[]", right[1:], right + "}"} {
		if golden.JudgeATIP(w, []byte(doc)); len(w.said) == 0 {
			t.Errorf("%.20s is taken", doc)
		}
		w.said = nil
	}
}

// atipOption makes a document around the second option of a command.
func atipOption(members string) string {
	return atipCommand(`"options":[{"name":"city","flags":["-c","--city"],"type":"string","description":"The city that is meant."},` + members + `]`)
}

// atipCommand makes a document around members of a command.
func atipCommand(members string) string {
	return `{"globalOptions":[{"name":"help","flags":["-h","--help"],"type":"boolean","description":"Shows the help text."}],
		"commands":{"now":{"description":"Weather of now.","effects":{"network":true},` + members + `}}}`
}

// atipEffects makes a document around the effects of a command.
func atipEffects(members string) string {
	return `{"commands":{"now":{"description":"Weather of now.","effects":{` + members + `}}}}`
}

func atipDescription(text string) string { return fmt.Sprintf(`{"description":%q}`, text) }

// TestLintATIPNearMisses has, for each rule, what hits and what narrowly does not.
func TestLintATIPNearMisses(t *testing.T) {
	const city = `"type":"string","description":"The city that is meant."`
	const options, command = "/commands/now/options/1", "/commands/now"
	for _, c := range []struct{ doc, want string }{
		{atipDescription("Weather of"), ""},
		{atipDescription("Weather o"), "warn description-quality /description"},
		{atipDescription("W" + strings.Repeat("ä", 199)), ""},
		{atipDescription("W" + strings.Repeat("ä", 200)), "warn description-quality /description"},
		{atipDescription("W" + strings.Repeat("🌧", 100)), "warn description-quality /description"}, // 201 units of UTF-16
		{atipDescription("weather of now"), "warn description-quality /description"},
		{atipDescription("7 days of weather"), ""},
		{atipDescription("Weather of now "), "warn description-quality /description"},
		{atipDescription("A todo list, with a description"), ""},
		{atipDescription("A list, TBD later"), "warn description-quality /description"},
		{atipDescription(""), ""}, // missing to another rule
		{atipOption(`{"name":"hours-ahead","flags":["--hours"],` + city + `}`), ""},
		{atipOption(`{"name":"hours_ahead","flags":["--hours"],` + city + `}`), "warn consistent-naming " + options + "/name"},
		{atipOption(`{"name":"hours-","flags":["--hours"],` + city + `}`), "warn consistent-naming " + options + "/name"},
		{atipOption(`{"name":"Hours","flags":["--hours"],` + city + `}`), "warn consistent-naming " + options + "/name"},
		{atipOption(`{"name":"h2o","flags":["--hours"],` + city + `}`), ""},
		{atipCommand(`"arguments":[{"name":"Some_City",` + city + `}]`), ""}, // arguments have any case
		{atipOption(`{"name":"color","flags":["-C"],` + city + `}`), ""},
		{atipOption(`{"name":"color","flags":["-c"],` + city + `}`), "error no-duplicate-flags " + options + "/flags"},
		{atipOption(`{"name":"color","flags":["-h"],` + city + `}`), "error no-duplicate-flags " + options + "/flags"},
		{atipOption(`{"name":"color","flags":["-x","-x"],` + city + `}`), "error no-duplicate-flags " + options + "/flags"},
		{atipCommand(`"commands":{"x":{"description":"Weather of x.","effects":{"network":true},"options":[{"name":"a","flags":["-a"],` + city + `}]},
			"y":{"description":"Weather of y.","effects":{"network":true},"options":[{"name":"a","flags":["-a"],` + city + `}]}}`), ""},
		{atipOption(`{"name":"day","flags":["-d"],"type":"enum","enum":["NOW"],"description":"The day that is meant."}`), ""},
		{atipOption(`{"name":"day","flags":["-d"],"type":"enum","description":"The day that is meant."}`), "error no-missing-required-fields " + options + "/enum"},
		{atipOption(`{"name":"day",` + city + `}`), "error no-missing-required-fields " + options + "/flags"},
		{atipOption(`{"name":"","flags":["-d"],` + city + `}`), "error no-missing-required-fields " + options + "/name"},
		{atipOption(`{"name":"day","flags":["-d"],"type":"string"}`), "error no-missing-required-fields " + options + "/description"},
		{`{"commands":{"now":{"effects":{"network":true}}}}`, "error no-missing-required-fields " + command + "/description"},
		{atipEffects(`"network":false`), ""},
		{atipEffects(``), "warn no-empty-effects " + command + "/effects"},
		{`{"commands":{"now":{"description":"Weather of now."}}}`, "warn no-empty-effects " + command},
		{`{"commands":{"now":{"description":"Weather of now.","commands":{"x":{"description":"Weather of x.","effects":{"network":true}}}}}}`, ""},
		{`{"trust":{"source":"native"},"commands":{"now":{"description":"Weather of now.","commands":{"x":{"description":"Weather of x.","effects":{"network":true}}}}}}`,
			"warn trust-source-requirements " + command + "/effects"},
		{`{"trust":{"source":"vendor"},"version":"1"}`, "warn trust-source-requirements /homepage"},
		{`{"trust":{"source":"vendor"},"version":"1","homepage":"https://example.com"}`, ""},
		{`{"trust":{"source":"inferred"}}`, "warn trust-source-requirements /trust/verified"},
		{`{"trust":{"source":"inferred","verified":false}}`, ""},
		{`{"trust":{"source":"community"}}`, ""},
		{atipEffects(`"duration":{"typical":"1-5s","timeout":"instant"},"cost":{"estimate":"low"},"interactive":{"stdin":"password"}`), ""},
		{atipEffects(`"duration":{"typical":"1-5 s"}`), "error valid-effects-values " + command + "/effects/duration/typical"},
		{atipEffects(`"duration":{"timeout":30}`), "error valid-effects-values " + command + "/effects/duration/timeout"},
		{atipEffects(`"interactive":{"stdin":false}`), "error valid-effects-values " + command + "/effects/interactive/stdin"},
		{atipEffects(`"filesystem":{"delete":"no"}`), "error valid-effects-values " + command + "/effects/filesystem/delete"},
		{atipEffects(`"destructive":true`), "warn destructive-needs-reversible " + command + "/effects"},
		{atipEffects(`"destructive":true,"reversible":true`), ""},
		{atipEffects(`"destructive":false`), ""},
		{atipEffects(`"cost":{"billable":true},"idempotent":true`), "warn billable-needs-confirmation " + command + "/effects/idempotent"},
		{atipEffects(`"cost":{"billable":true},"idempotent":false`), ""},
		{atipEffects(`"cost":{"billable":true}`), ""},
		{`{"commands":{"a/b~c":{"description":"Weather of now.","effects":{"network":true}}}}`, "warn consistent-naming /commands/a~1b~0c"},
		// What the schema refuses must not stop the linter.
		{`{"commands":[1],"globalOptions":{"a":1},"arguments":7,"trust":"x","description":4}`, ""},
		{`{"commands":{"now":7}}`, "warn no-empty-effects " + command + "\nerror no-missing-required-fields " + command + "/description"},
	} {
		if got := strings.Join(lintLines(t, []byte(c.doc)), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.doc, got, c.want)
		}
	}
}
