package frontend_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestNotes reads what documents tell beside the promise of a tool, and what
// they must not tell: expressions name the fields of backends.
func TestNotes(t *testing.T) {
	const notes = `    author: The shop
    homepage: https://shop.example/tools
    success: "The price.\n"
    localization:
      pt-BR: {description: Acha o preço., when_to_use: Sempre.}
      de: {description: Findet den Preis., when_to_use: Immer.}
    prerequisites: {tools: [other_price], conditions: [The shop is open.]}
    feedback: {progress: [A light.], completion: [A bell.]}
    effects: {read_only: false, destructive: true, creates: [visit], modifies: ["price list", visit], deletes: [basket], cost: medium, duration: 1-15s}
    expect:
      - {check: result.cents > 0, code: no_price, message: 'There is no price of "${input.thing}" in $${shop}.'}
      - {check: result.cents > 1, code: no_price, message: Again.}
      - {check: result.cents > 2, code: too_low, message: '${string(result.cents)}'}
    outputs:
`
	const other = `  other_price:
    version: 1
    description: Find the price of another thing.
    inputs:
      thing: {description: The name of the thing., max_length: 40}
    call: shop.price
    with: {thing: '${input.thing}'}
    outputs:
      cents: {value: '${result.cents}', description: The price in cents.}
`
	noted := strings.Replace(manifestText, "    outputs:\n", notes, 1) + other
	p, findings := frontend.Load(shop("tools/shop/sculpt.yaml", noted), "tools/shop")
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	want := signature.Notes{
		Author: "The shop", Homepage: "https://shop.example/tools", Success: "The price.",
		Failures: []signature.Failure{{Code: "no_price", Text: `There is no price of "…" in ${shop}.`}, {Code: "too_low", Text: "…"}},
		Localization: []signature.Localization{
			{Language: "de", Description: "Findet den Preis.", WhenToUse: "Immer."}, {Language: "pt-BR", Description: "Acha o preço.", WhenToUse: "Sempre."},
		},
		Prerequisites: signature.Prerequisites{Tools: []string{"other_price"}, Conditions: []string{"The shop is open."}},
		Feedback:      signature.Feedback{Progress: []string{"A light."}, Completion: []string{"A bell."}},
		Creates:       []string{"visit"}, Modifies: []string{"price list", "visit"}, Deletes: []string{"basket"}, Cost: "medium", Typical: "1-15s", Deadline: 30 * time.Second,
	}
	if diff := cmp.Diff(want, p.Program.Tools[0].Signature.Notes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, bare := p.Program.Tools[0].Signature, p.Program.Tools[1].Signature; bytes.Contains(append(got.Canonical(), got.Contract(nil)...), []byte("basket")) || bare.Notes.Deadline != 30*time.Second {
		t.Errorf("notes are locked: %s; or the deadline is %v", got.Contract(nil), bare.Notes.Deadline)
	}
	for _, c := range []struct{ old, new, rule, message string }{
		{"[other_price]", "[othr_price]", "unknown-tool", `there is no tool "othr_price", did you mean "other_price"?`},
		{"[other_price]", "[find_price]", "unknown-tool", "tool find_price cannot be called before itself"},
		{"[other_price]", "[Other]", "bad-name", "\"Other\" is not a tool name"},
		{"https://shop.example/tools", "shop.example", "bad-name", "the address of a page"},
		{"pt-BR: {", "portuguese: {", "bad-name", "is not a language"},
		{", when_to_use: Immer.", "", "missing-key", "when_to_use"},
		{"[basket]", "[basket, basket]", "wrong-effect", `"basket" is there twice`},
		{"[basket]", `[""]`, "bad-name", `"" is empty`},
		{"[visit],", "visit,", "wrong-type", `"creates" wants a list, not text`},
		{"cost: medium", "cost: free, billable: true", "wrong-effect", "a call is not free"},
		{"cost: medium", "cost: much", "wrong-value", `"cost" cannot be "much"`},
		{"duration: 1-15s", "duration: 15-1s", "wrong-effect", `"15-1s" ends before it begins`},
		{"duration: 1-15s", "duration: 1-31s", "wrong-effect", "a call of the tool ends after 30s"},
		{"duration: 1-15s", "duration: 15s", "bad-name", `"15s" is not how long something mostly takes`},
	} {
		_, findings := frontend.Load(shop("tools/shop/sculpt.yaml", strings.Replace(noted, c.old, c.new, 1)), "tools/shop")
		if len(findings) != 1 || findings[0].Rule.String() != c.rule || !strings.Contains(findings[0].Message, c.message) {
			t.Errorf("%s: %v", c.new, findings)
		}
	}
}

// TestMixedConstants reports every entry that is unlike the first, once.
func TestMixedConstants(t *testing.T) {
	for _, c := range []struct {
		constant string
		findings int
	}{
		{"{a: 1, b: 1.5, c: 2}", 0},
		{"{a: x, b: 1.5}", 1},
		{"{a: x, b: 1, c: y, d: true}", 2},
		{"[1, null, 1.5]", 1},
		{"[1, x, 1.5]", 1},
		{"{a: {b: 1}, c: [1]}", 1},
	} {
		_, findings := frontend.Load(shop("tools/shop/sculpt.yaml", manifestText+"constants:\n  some: "+c.constant+"\n"), "tools/shop")
		wrong := 0
		for _, f := range findings {
			if f.Rule.String() == "wrong-type" {
				wrong++
			}
		}
		if wrong != c.findings {
			t.Errorf("%s: %v", c.constant, findings)
		}
	}
}
