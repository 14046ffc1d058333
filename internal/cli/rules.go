package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// A chapter is the rules of one stage.
type chapter struct {
	title, about string
	rules        []diag.Rule
}

// chapters lists the rules of every package, in the order in which the stages
// run. One id may stand in two chapters, where two stages find the same kind
// of mistake.
func chapters() []chapter {
	return []chapter{
		{"The manifest", "What sculpt.yaml may say.", slices.Concat(frontend.Rules, manifest.Rules)},
		{"Documents", "What is read of OpenAPI documents.", spec.Rules},
		{"Tools", "What the manifest means, given its documents.", resolve.Rules},
		{"Expressions", "The texts between ${ and }.", expr.Rules},
		{"Compatibility and history", "What a new version may change, and what keeps the released ones. Levels are those of the policies a2t, letter and client-safe.", compat.Catalogue()},
		{"What is generated and served", "Files, wire documents and running servers.", slices.Concat(gen.Rules, history.Rules, Rules)},
		{"Pins", "What servers do to the agents that use their tools.", pins.Rules},
	}
}

// allRules lists the rules of every package.
func allRules() []diag.Rule {
	var all []diag.Rule
	for _, c := range chapters() {
		all = append(all, c.rules...)
	}
	return all
}

// Rules lists the rules that only the command line reports.
var Rules = []diag.Rule{
	{ID: ruleNotCarried, Summary: "A history is not in version control.",
		Why: "Releases are locked for everybody. A clone without their records serves other versions, and no check can miss what was never there.", Fix: "Add the folder history to version control, as files."},
	{ID: servedMissing, Summary: "A server does not serve a released version.",
		Why: "Every released version stays invocable (A2T 5.4).", Fix: "Deploy a server that was generated with the whole history."},
	{ID: servedDiffers, Summary: "A server serves a released version with another signature.",
		Why: "The server must not change any part of a version's signature (A2T 6.1); currentVersion alone may change.", Fix: "Deploy a server that was generated with this history."},
	{ID: servedUnreleased, Summary: "A server serves a version that is not released.",
		Why: "Callers take what is served for a promise, and the number would be given out again for something else.", Fix: "Release the version first, or stop serving it."},
	{ID: servedUnreadable, Summary: "A server answers with something that is not a signature.",
		Why: "Callers cannot read it either.", Fix: "Look at what the address of the finding answers."},
	{ID: promiseUnpinned, Severity: diag.Warning, Summary: "A new version promises something that no example of it pins.",
		Why: "Of a promise without an example only the form is held; what the tool answers may change, and nothing tells.",
		Fix: "Write an example that sends the input or gets the output or the error, and record what the backend answers: sculpt record."},
}

// runRules prints the catalogue.
func runRules(c *command) error {
	format, err := c.format("text", "json", "markdown")
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return c.rulesJSON()
	case "markdown":
		_, err := c.stdout.Write([]byte(rulesPage()))
		return err
	}
	for i, ch := range chapters() {
		if i > 0 {
			c.print("")
		}
		c.print("%s", ch.title)
		for _, r := range sortedRules(ch.rules) {
			c.print("  %-34s %-24s %s", r.ID, levels(r), sentence(r.Summary))
		}
	}
	return nil
}

func sortedRules(rules []diag.Rule) []diag.Rule {
	return slices.SortedFunc(slices.Values(rules), func(a, b diag.Rule) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
}

// levels says how severe a rule is: by policy where that matters.
func levels(r diag.Rule) string {
	c, ok := compat.RuleOf(r.ID.String())
	if !ok {
		return r.Severity.String()
	}
	return perPolicy(c.Levels)
}

func perPolicy(l compat.Levels) string {
	if l == (compat.Levels{A2T: l.A2T, Letter: l.A2T, ClientSafe: l.A2T}) {
		return l.A2T.String()
	}
	return l.A2T.String() + ", " + l.Letter.String() + ", " + l.ClientSafe.String()
}

// rulesJSON prints the catalogue for programs.
func (c *command) rulesJSON() error {
	type row struct {
		ID      string            `json:"id"`
		Chapter string            `json:"chapter"`
		Level   string            `json:"level"`
		Class   string            `json:"class,omitempty"`
		Levels  map[string]string `json:"levels,omitempty"`
		Summary string            `json:"summary"`
		Why     string            `json:"why"`
		Fix     string            `json:"fix"`
		Exits   []string          `json:"exits,omitempty"`
	}
	rows := []row{}
	for _, ch := range chapters() {
		for _, r := range sortedRules(ch.rules) {
			out := row{ID: r.ID.String(), Chapter: ch.title, Level: r.Severity.String(), Summary: sentence(r.Summary), Why: sentence(r.Why), Fix: sentence(r.Fix)}
			if k, ok := compat.RuleOf(r.ID.String()); ok {
				out.Class, out.Level = k.Class.String(), k.Levels.A2T.String()
				out.Levels = map[string]string{}
				for _, e := range k.Exits() {
					out.Exits = append(out.Exits, e.Text)
				}
				for _, p := range []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe} {
					out.Levels[p.String()] = k.Levels.Of(p).String()
				}
			}
			rows = append(rows, out)
		}
	}
	return c.printJSON(rows)
}

// sentence writes a text of a table as one.
func sentence(text string) string {
	if text == "" {
		return text
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// rulesPage is docs/rules.md.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nEvery finding of sculpt has a rule id. Ids are never renamed: filter by them. `sculpt explain RULE` prints one of these\n" +
		"entries. This page is written by `sculpt rules --format markdown`.\n")
	for _, ch := range chapters() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", ch.title, ch.about)
		for _, r := range sortedRules(ch.rules) {
			fmt.Fprintf(&b, "\n### %s\n\n%s *%s*\n\n", r.ID, sentence(r.Summary), levels(r))
			fmt.Fprintf(&b, "- Why: %s\n- Fix: %s\n", sentence(r.Why), sentence(r.Fix))
			if note := compatNote(r.ID.String()); note != "" {
				fmt.Fprintf(&b, "- %s\n", note)
			}
			if k, ok := compat.RuleOf(r.ID.String()); ok && k.Exits() != nil {
				b.WriteString("- Legal exits:\n")
				for _, e := range k.Exits() {
					fmt.Fprintf(&b, "  - %s\n", e.Text)
				}
			}
			for _, part := range exampleOf(r.ID.String()) {
				fmt.Fprintf(&b, "\n%s\n\n```yaml\n%s```\n", part.title, part.text)
			}
		}
	}
	return b.String()
}

// compatNote says what is special about a rule of compatibility.
func compatNote(id string) string {
	r, ok := compat.RuleOf(id)
	switch {
	case !ok:
		return ""
	case r.Class == compat.History:
		return "It guards what is released: no policy and no accept entry makes it weaker."
	case r.EasedIf != "":
		return "If " + r.EasedIf + ": " + perPolicy(r.Eased) + "."
	}
	return ""
}
