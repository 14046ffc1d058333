package export_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// atdf holds a descriptor against the schema of its version, and sees to it
// that the schema of an input says what input_schema says of it: the format
// has both.
func (j *judges) atdf(t failer, name string, doc any) {
	t.Helper()
	schema := j.basic
	if strings.HasSuffix(name, ".enhanced.json") {
		schema = j.enhanced
	}
	if err := schema.Validate(doc); err != nil {
		t.Fatalf("%s: %#v in %v", name, err, doc)
	}
	whole, ok := doc.(map[string]any)["input_schema"].(map[string]any)
	if !ok {
		return
	}
	properties := whole["properties"].(map[string]any)
	for _, item := range doc.(map[string]any)["how_to_use"].(map[string]any)["inputs"].([]any) {
		in := item.(map[string]any)
		property := properties[in["name"].(string)].(map[string]any)
		delete(property, "description")
		if diff := cmp.Diff(property, in["schema"]); diff != "" {
			t.Fatalf("%s: input %s differs from input_schema: %s", name, in["name"], diff)
		}
	}
}

func TestATDFGolden(t *testing.T) {
	dir := golden.Shared(t, "protocols", "golden", "atdf")
	_, v2 := weather()
	v2.WhenToUse = "Use when the user asks about the weather today or tomorrow in a named US city."
	v2.Examples = []signature.Example{{Goal: "Tell the user tomorrow's weather in Omaha", Result: "80 degrees Fahrenheit and sunny",
		Inputs: map[string]any{"day": "TOMORROW", "city": "Omaha, Nebraska"}}}
	v2.Notes = signature.Notes{
		Author: "Example Weather", Category: "weather", Created: "2026-01-01", Updated: "2026-02-01",
		Success: "The temperature in Fahrenheit, a short forecast and up to three forecast periods.",
		Failures: []signature.Failure{
			{Code: "no_result", Text: "No city with that name was found; check the spelling and add the state."},
			{Code: "backend_unavailable", Text: "The forecast service did not answer; try again later."},
		},
	}
	files := documents(t, v2)
	for _, level := range []string{"basic", "enhanced"} {
		want := parse(t, read(t, filepath.Join(dir, level+".json")))
		if diff := cmp.Diff(golden.Unsaid(want, golden.WeatherWords...), golden.Unsaid(parse(t, files["atdf/lookup_weather_by_city."+level+".json"]), golden.WeatherWords...)); diff != "" {
			t.Errorf("%s: (-golden +ours)\n%s", level, diff)
		}
	}
}

// TestATDFParts has what only some tools have.
func TestATDFParts(t *testing.T) {
	text := func(change func(*signature.Signature)) string {
		v1, _ := weather()
		change(v1)
		files := documents(t, v1)
		newJudges(t).judge(t, files)
		return string(files["atdf/lookup_weather_by_city.enhanced.json"])
	}
	german := signature.Localization{Language: "de", Description: "Das Wetter.", WhenToUse: "Jemand fragt danach."}
	for _, c := range []struct {
		name       string
		change     func(*signature.Signature)
		want, lack string
	}{
		{"a language", func(s *signature.Signature) { s.Notes.Localization = []signature.Localization{german} },
			`"de":{"description":"Das Wetter.","when_to_use":"Jemand fragt danach."}}`, ""},
		{"English by the vendor", func(s *signature.Signature) {
			s.Notes.Localization = []signature.Localization{{Language: "en", Description: "Weather.", WhenToUse: "Now."}}
		}, `"localization":{"en":{"description":"Weather.","when_to_use":"Now."}}`, ""},
		{"permissions", func(s *signature.Signature) {
			s.Needs = signature.Needs{UserID: true, Secrets: []string{"PIN"}, Tokens: []string{"mail"}, Claims: []string{"sub"}}
		}, `"prerequisites":{"permissions":["the id of the user","a token of mail","the secret PIN","the claim sub"]}`, ""},
		{"prerequisites", func(s *signature.Signature) {
			s.Notes.Tools, s.Notes.Conditions = []string{"log_in"}, []string{"It is day."}
		},
			`"prerequisites":{"tools":["log_in"],"conditions":["It is day."]}`, `"permissions"`},
		{"feedback", func(s *signature.Signature) { s.Notes.Completion = []string{"A bell."} }, `"feedback":{"completion_signals":["A bell."]}`, `"progress_indicators"`},
		{"when to use", func(*signature.Signature) {}, `"when_to_use":"Look up the weather`, `"prerequisites"`},
		{"no author", func(*signature.Signature) {}, `"metadata":{"version":"1","tags":`, `"author"`},
		{"an example without result", func(s *signature.Signature) { s.Examples = []signature.Example{{Goal: "Weather"}} },
			`"input_values":{},"expected_result":"temperature_f: Forecast temperature in degrees Fahrenheit. short_forecast: Forecast in a few words."`, ""},
		{"outcome", func(s *signature.Signature) { s.Effects = signature.Effects{} }, `{"code":"outcome_unknown"`, ""},
		{"no outcome", func(*signature.Signature) {}, `{"code":"no_result"`, "outcome_unknown"},
		{"hostile", func(s *signature.Signature) { s.Notes.Author, s.Notes.Success = "\"},\u2028<script>", "\x00\xff" }, `"author":"\"},\u2028<script>"`, "\xff"},
	} {
		if got := text(c.change); !strings.Contains(got, c.want) || c.lack != "" && strings.Contains(got, c.lack) {
			t.Errorf("%s: want %s without %s in %s", c.name, c.want, c.lack, got)
		}
	}
}
