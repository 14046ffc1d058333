package frontend_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

var bound = regexp.MustCompile(`plan\.[0-9a-f]{10}-[0-9a-f]{10}`)

// planOf are the findings about the plan, with its digests left out.
func planOf(findings diag.List) string {
	var out diag.List
	for _, f := range findings {
		if f.Rule.String() == "plan-changed" || strings.HasPrefix(f.Rule.String(), "accept-") {
			out = append(out, f)
		}
	}
	return bound.ReplaceAllString(told(out), "plan.OLD-NEW")
}

const (
	louder  = "value: '${result.kind}'"
	loudest = "value: '${result.kind.upperAscii()}'"
	was     = `: "find" does its work in another way than in v1: the value of output "kind" was ${result.kind} and is ${result.kind.upperAscii()}; callers of v1 get the answers of the chain of today `
	exits   = `; else, since a version may only add (A2T 5.4): a new tool and "sculpt retire find --sunset YYYY-MM-DD", or accept: [{rule: plan-changed, at: plan.OLD-NEW, reason: ""}] with a reason)`
)

// What a released tool does, does not change under its number unseen; under the
// next one it is said of the versions that run the chain too.
func TestReplan(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
		want  string
	}{
		{"nothing", nil, ""},
		{"harmless", []string{"call: shop.find\n    with: {thing: '${input.thing}'}", "steps: {found: {call: shop.find, with: {thing: '${input.thing}'}}}", "result.kind", "found.kind"}, ""},
		{"under the number of the release", []string{louder, loudest},
			`sculpt.yaml:15:21 plan-changed "find"` + was + `(restore it, or release the change as version: 2` + exits},
		{"under the next number", []string{louder, loudest, "    version: 1\n", "    version: 2\n"},
			`sculpt.yaml:15:21 plan-changed "find"` + was + `(let them keep the chain that they were released with: freeze: [1], or accept: [{rule: plan-changed, at: plan.OLD-NEW, reason: ""}] with a reason)`},
		{"where the release keeps its chain", []string{louder, loudest, "    version: 1\n", frozenTwo + "[1]\n"}, ""},
		{"who may call it", []string{"    version: 1\n", "    version: 1\n    allow: caller.claims[?\"role\"].orValue(\"\") == \"editor\"\n"},
			`sculpt.yaml:10:12 plan-changed "find": "find" does its work in another way than in v1: allow is new: caller.claims[?"role"].orValue("") == "editor"; callers of v1 get the answers of the chain of today (restore it, or release the change as version: 2` + exits},
	} {
		_, findings := frontend.Load(with(released(t), c.edits...), ".")
		if got := planOf(findings); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// An accept entry speaks of one change: that of the plan that was released to
// the plan that it was written for.
func TestReplanAccepted(t *testing.T) {
	_, findings := frontend.Load(with(released(t), louder, loudest), ".")
	place := bound.FindString(told(findings))
	entry := func(reason string) string {
		return "    version: 1\n    accept: [{rule: plan-changed, at: " + place + ", reason: " + reason + "}]\n"
	}
	accepted := []string{"    version: 1\n", entry("The shop wants capitals."), louder, loudest}
	if _, findings := frontend.Load(with(released(t), accepted...), "."); planOf(findings) != "" {
		t.Errorf("accepted: %s", told(findings))
	}
	renamed := slices.Concat(accepted, []string{"call: shop.find\n    with: {thing: '${input.thing}'}", "steps: {found: {call: shop.find, with: {thing: '${input.thing}'}}}", "result.kind", "found.kind"})
	if _, findings := frontend.Load(with(released(t), renamed...), "."); planOf(findings) != "" {
		t.Errorf("accepted, and a step was named: %s", told(findings))
	}
	grown := slices.Concat(accepted, []string{"    version: 1\n    accept", "    version: 2\n    accept", "    outputs:\n", "    outputs:\n      again: {value: '${result.kind}', description: Again.}\n"})
	if _, findings := frontend.Load(with(released(t), grown...), "."); planOf(findings) != "" {
		t.Errorf("accepted, and the next version has one more output: %s", told(findings))
	}
	for name, edits := range map[string][]string{
		"another plan":  {"    version: 1\n", entry("Capitals."), louder, "value: '${result.kind.lowerAscii()}'"},
		"no other plan": {"    version: 1\n", entry("Capitals.")},
	} {
		_, findings := frontend.Load(with(released(t), edits...), ".")
		got := planOf(findings)
		unused, changed := strings.Contains(got, "accept-unused"), strings.Contains(got, " plan-changed \"find\": ")
		if !unused || changed != (name == "another plan") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A document that says another thing of a server or a credential changes what a
// tool does, though no operation changed.
func TestReplanAround(t *testing.T) {
	files := maps.Clone(released(t))
	files["shop.yaml"] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(frozenDocument, "https://shop.example", "https://mall.example"))}
	_, findings := frontend.Load(files, ".")
	if got, want := planOf(findings), `the server of api "shop" was https://shop.example and is https://mall.example`; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", told(findings), want)
	}
}
