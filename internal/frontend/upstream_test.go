package frontend_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// TestUpstream holds the weather tools against documents of tomorrow.
func TestUpstream(t *testing.T) {
	p, findings := frontend.Load(os.DirFS("../../examples/nws"), ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	document, err := os.ReadFile("../../examples/nws/openapi/nws.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, api, old, new string
		// tools with a finding and its rule, and a part of its message; none for no
		// finding.
		tool, rule, message string
	}{
		{"the same", "nws", "", "", "", "", ""},
		{"a text", "nws", "{type: string, description: A point of the compass", "{type: string, description: Another point of the compass", "get_forecast lookup_weather_by_city", "upstream-changed",
			"GET /gridpoints/{wfo}/{x},{y}/forecast of nws changes in tomorrow.yaml, in nothing that the step forecast needs"},
		{"a member that is read", "nws", "        shortForecast: {type: string}", "        briefForecast: {type: string}", "get_forecast lookup_weather_by_city", "unknown-field", `has no field "shortForecast"`},
		{"another type", "nws", "        shortForecast: {type: string}", "        shortForecast: {type: array, items: {type: string}}", "get_forecast lookup_weather_by_city", "", ""},
		{"an operation", "nws", "operationId: alerts_active", "operationId: active_alerts", "get_weather_alerts list_active_alerts_by_state", "unknown-operation", `"alerts_active" is not an operation of "tomorrow.yaml"`},
		{"another api", "noaa", "", "", "", "document-not-found", `there is no api "noaa"`},
	} {
		next := strings.Replace(string(document), c.old, c.new, 1)
		if c.old != "" && next == string(document) {
			t.Fatalf("%s: the document has no %q", c.name, c.old)
		}
		files := fstest.MapFS{"tomorrow.yaml": {Data: []byte(next)}}
		got := frontend.Upstream(p, map[string]frontend.Replacement{c.api: {Files: files, Name: "tomorrow.yaml"}})
		if c.rule == "" && c.tool == "" {
			if len(got) > 0 {
				t.Errorf("%s: %v", c.name, got)
			}
			continue
		}
		if len(got) == 0 {
			t.Errorf("%s: no finding", c.name)
			continue
		}
		for name := range strings.FieldsSeq(c.tool) {
			if !slices.ContainsFunc(got, func(f diag.Finding) bool { return f.Tool == name }) {
				t.Errorf("%s: nothing is found in %s", c.name, name)
			}
		}
		for _, f := range got {
			if !slices.Contains(strings.Fields(c.tool), f.Tool) && c.tool != "" || c.rule != "" && f.Rule.String() != c.rule || !strings.Contains(f.Message, c.message) {
				t.Errorf("%s: %s %s: %s", c.name, f.Tool, f.Rule.String(), f.Message)
			}
			if (f.Rule.String() == "upstream-changed") != (f.Severity == diag.Note) || f.Span.Start.Line == 0 && c.tool != "" {
				t.Errorf("%s: %v at %v", c.name, f.Severity, f.Span)
			}
		}
	}
}
