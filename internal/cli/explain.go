package cli

import (
	"embed"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// examples holds an archive for each rule that has an example: the parts
// "-- released.yaml --" (what version 1 was, where that matters), "--
// failing.yaml --" and "-- fixed.yaml --". A part that does not begin with the
// key sculpt is continued from header.yaml. A test lints all of them: failing
// gives this rule and no other error, fixed gives no error and not this rule.
//
//go:embed rules
var examples embed.FS

// An examplePart is one manifest of an example.
type examplePart struct{ name, title, text string }

var exampleTitles = map[string]string{"released.yaml": "Released:", "failing.yaml": "Found in:", "fixed.yaml": "Fixed:"}

// exampleOf returns the parts of the example of a rule, if it has one.
func exampleOf(id string) []examplePart {
	data, err := examples.ReadFile("rules/" + id + ".txtar")
	if err != nil {
		return nil
	}
	var parts []examplePart
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "-- "); ok {
			if name, ok = strings.CutSuffix(name, " --\n"); ok {
				parts = append(parts, examplePart{name: name, title: exampleTitles[name]})
				continue
			}
		}
		if len(parts) > 0 {
			parts[len(parts)-1].text += line
		}
	}
	return parts
}

// runExplain prints what is known of a rule.
func runExplain(c *command) error {
	if c.NArg() == 0 {
		return unable("sculpt rules lists all", "a rule is missing")
	}
	id := c.Args().First()
	var ids []string
	found := false
	for _, ch := range chapters() {
		for _, r := range ch.rules {
			if ids = append(ids, r.ID.String()); r.ID.String() != id {
				continue
			}
			if found {
				c.print("")
			}
			found = true
			c.explain(ch.title, r)
		}
	}
	if !found {
		slices.Sort(ids)
		return unable("sculpt rules lists all", "there is no rule %q%s", id, diag.DidYouMean(id, slices.Compact(ids)))
	}
	for _, part := range exampleOf(id) {
		c.print("\n%s\n", part.title)
		for line := range strings.Lines(part.text) {
			c.print("  %s", strings.TrimSuffix(line, "\n"))
		}
	}
	return nil
}

func (c *command) explain(chapter string, r diag.Rule) {
	c.print("%s: %s", r.ID, sentence(r.Summary))
	c.print("\n  why    %s\n  fix    %s\n  where  %s", sentence(r.Why), sentence(r.Fix), chapter)
	k, ok := compat.RuleOf(r.ID.String())
	if !ok {
		c.print("  level  %s", r.Severity)
		return
	}
	if k.Levels == (compat.Levels{A2T: k.Levels.A2T, Letter: k.Levels.A2T, ClientSafe: k.Levels.A2T}) {
		c.print("  level  %s under every policy", k.Levels.A2T)
	} else {
		c.print("  level  %s under the policy a2t, %s under letter, %s under client-safe", k.Levels.A2T, k.Levels.Letter, k.Levels.ClientSafe)
	}
	if note := compatNote(r.ID.String()); note != "" {
		c.print("  note   %s", note)
	}
	label := "exits"
	for _, e := range k.Exits() {
		c.print("  %-5s  %s", label, e.Text)
		label = ""
	}
}
