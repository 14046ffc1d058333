package cli

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// exitsFrom is what is released before each break.
const exitsFrom = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: openapi.yaml}}
tools:
  thing:
    version: 1
    description: Look up a thing.
    inputs:
      id: {type: int, min: 1, max: 99, description: Its number.}
      lang: {optional: true, max_length: 5, description: The language of its name.}
    call: shop.thing
    with: {id: '${input.id}'}
    outputs:
      name: {value: '${result.name}', description: Its name.}
      size: {value: '${result.size}', description: Its size., values: {small: {name: SMALL, text: Handy.}, large: {name: BIG, text: Bulky.}}}
`

// anotherTool is what newTool asks for: the change, beside the tool as it was.
func anotherTool(changed string) string {
	_, tool, _ := strings.Cut(changed, "  thing:\n")
	tool = strings.ReplaceAll("  thing_two:\n"+tool, "version: 2", "version: 1")
	return exitsFrom + tool
}

// edited makes changes, each a text and what it becomes.
func edited(text string, changes ...string) string {
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			panic("nothing to change: " + changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

const (
	second    = "version: 2"
	langLine  = "      lang: {optional: true, max_length: 5, description: The language of its name.}\n"
	nameLine  = "      name: {value: '${result.name}', description: Its name.}\n"
	noteLine  = "      note: {value: '${result.note}', optional: true, description: A note.}\n"
	sizeLine  = "      weight: {value: '${result.size}', description: Its weight., values: {small: {name: LIGHT, text: Light.}, large: {name: HEAVY, text: Heavy.}, huge: {name: HEAVIEST, text: Heavier.}}}\n"
	sizesThen = "large: {name: BIG, text: Bulky.}}"
)

// A broken is a change that its rule refuses, and the manifest that each exit of that
// rule leads to.
type broken struct {
	failing string
	exits   map[string]string
}

// breaks are changes, by rule.
func breaks() map[string]broken {
	next := edited(exitsFrom, "version: 1", second)
	gone := edited(next, langLine, "")
	wanted := edited(next, langLine, langLine+"      most: {type: int, min: 1, max: 9, description: How many.}\n")
	renamed := edited(next, "      name: {", "      title: {id: name, ")
	maybe := edited(next, "value: '${result.name}', ", "value: '${result.note}', optional: true, ")
	more := edited(next, sizesThen, "large: {name: BIG, text: Bulky.}, huge: {name: HUGE, text: Fills a room.}}")
	other := edited(exitsFrom, "${result.name}", "${result.name + result.size}")
	anew := edited(other, "version: 1", second)
	return map[string]broken{
		"input-removed": {gone, map[string]string{
			"keep": next, "new-input": edited(next, langLine, langLine+edited(langLine, "lang:", "language:")), "new-tool": anotherTool(gone),
		}},
		"input-added-required": {wanted, map[string]string{
			"optional": edited(wanted, "most: {type: int", "most: {optional: true, type: int"), "new-tool": anotherTool(wanted),
		}},
		"output-renamed": {renamed, map[string]string{
			"keep": next, "new-output": edited(next, nameLine, nameLine+edited(nameLine, "name:", "title:")), "new-tool": anotherTool(renamed),
		}},
		"output-became-optional": {maybe, map[string]string{
			"fallback":   edited(maybe, "'${result.note}', optional: true", `'${result.?note.orValue("no note")}'`),
			"new-output": edited(next, nameLine, nameLine+noteLine), "new-tool": anotherTool(maybe),
		}},
		"output-enum-value-added": {more, map[string]string{
			"leave-out": edited(next, sizesThen, sizesThen+", fallback: BIG"), "new-output": edited(next, nameLine, nameLine+sizeLine, sizesThen, sizesThen+", fallback: BIG"),
			"new-tool": edited(anotherTool(more), "version: 1", second, sizesThen, sizesThen+", fallback: BIG"),
			"policy":   edited(more, "sculpt: 1", "sculpt: 1\npolicy: client-safe"),
			"level":    edited(more, "sculpt: 1", "sculpt: 1\nlevels: {output-enum-value-added: warning}"),
		}},
		"plan-changed": {other, map[string]string{
			"keep": exitsFrom, "version": anew, "freeze": edited(anew, second, second+"\n    freeze: [1]"), "new-tool": anotherTool(other),
		}},
	}
}

// TestExitsLeadOut: what explain prints as a legal way out of a break is one. Every
// exit is taken, and leaves no error.
func TestExitsLeadOut(t *testing.T) {
	released := recordsWithPlans(t, exampleFiles(t, exitsFrom))
	for id, b := range breaks() {
		document := string(exampleFiles(t, exitsFrom)["openapi.yaml"].Data)
		if strings.Contains(b.failing, "huge") {
			document = edited(document, "enum: [small, large]}\n        extra", "enum: [small, large, huge]}\n        extra")
		}
		lint := func(manifest string) diag.List {
			files := maps.Clone(released)
			files["sculpt.yaml"], files["openapi.yaml"] = &fstest.MapFile{Data: []byte(manifest)}, &fstest.MapFile{Data: []byte(document)}
			return generate(files, ".", &place{root: "/", cwd: "/"}).findings
		}
		found := lint(b.failing)
		at := slices.IndexFunc(found, func(f diag.Finding) bool { return f.Rule.String() == id && f.Severity == diag.Error })
		if at < 0 {
			t.Errorf("%s is not found: %v", id, found)
			continue
		}
		entry := regexp.MustCompile(`accept: \[.*"\}\]`).FindString(found[at].Fix)
		b.exits["accept"] = edited(b.failing, "  thing:\n", "  thing:\n    "+strings.Replace(entry, `""`, "Nobody minds.", 1)+"\n")
		rule, _ := compat.RuleOf(id)
		var named []string
		for _, e := range rule.Exits() {
			named = append(named, e.Name)
		}
		slices.Sort(named)
		if taken := slices.Sorted(maps.Keys(b.exits)); !slices.Equal(taken, named) {
			t.Errorf("%s has the exits %v, and %v are taken", id, named, taken)
		}
		for name, manifest := range b.exits {
			for _, f := range lint(manifest) {
				if f.Severity == diag.Error {
					t.Errorf("%s, %s: %v", id, name, f)
				}
			}
		}
	}
}

// recordsWithPlans are the records of a first release with how its tools work.
func recordsWithPlans(t *testing.T, files fstest.MapFS) fstest.MapFS {
	t.Helper()
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	out := fstest.MapFS{}
	for _, tool := range p.Program.Tools {
		plan, findings := p.Plan(files, tool.Signature.Name)
		if plan == nil {
			t.Fatal(findings)
		}
		record, err := p.History.Next(p.Side(tool), history.Options{}, "2026-11-21", history.Evidence{Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		out[record.Name] = &fstest.MapFile{Data: record.Data}
	}
	return out
}

// TestExplainedExits: explain and the page print each of them.
func TestExplainedExits(t *testing.T) {
	page := rulesPage()
	for i := range compat.Rules {
		rule := &compat.Rules[i]
		said := told(func(c *command) error {
			c.explain("x", compat.Catalogue()[i])
			return nil
		})
		for _, e := range rule.Exits() {
			if !strings.Contains(said, "  "+e.Text+"\n") || !strings.Contains(page, "  - "+e.Text+"\n") {
				t.Errorf("%s: %q is not printed", rule.ID, e.Text)
			}
		}
	}
}
