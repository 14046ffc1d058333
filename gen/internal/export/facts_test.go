package export_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

const factsHead = `# What a caller is told

Every fact of a tool reaches its callers in every format: in a member that the format has, in one of ours (with +), or in words of the
description. Words stand after the text of the vendor, those about dangers and the end of a tool last. Where all is longer than the format
allows, the text of the vendor is cut and the words stay; ` + "`sculpt lint`" + ` warns. Formats of functions say dangers in the flags of ATIP,
such as [⚠️ DESTRUCTIVE]. None of these words is locked by a release, but what they are made of is: effects, defaults, bounds and what a
caller must bring. Cost, duration, kinds of things and prerequisites are notes, which change without a new version. A required text
that states no ` + "`min_length`" + ` has at least 1 character, which is told and kept like any other bound (tools begun under ` + "`rules: a2t/1`" + `: 0).

The renderers read this table, a test asks a running server for every cell, and the pages in ` + "`exports/docs`" + ` say all of it too.

`

// TestFactsPage keeps docs/facts.md as the table is.
func TestFactsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(factsHead)
	var formats, facts []string
	cells := map[string]string{}
	for _, c := range export.Tellings() {
		if !slices.Contains(formats, c.Format) {
			formats = append(formats, c.Format)
		}
		if !slices.Contains(facts, c.Fact) {
			facts = append(facts, c.Fact)
		}
		var how []string
		if c.Native != "" {
			how = append(how, "`"+c.Native+"`")
		}
		if c.Ours != "" {
			how = append(how, "+`"+c.Ours+"`")
		}
		if c.Words {
			how = append(how, "words")
		}
		cells[c.Format+c.Fact] = strings.Join(how, ", ")
	}
	titles := map[string]string{}
	for _, f := range signature.ToolFacts {
		titles[f.ID] = f.Title
	}
	for _, f := range signature.InputFacts {
		titles[f.ID] = "input: " + f.Title
	}
	fmt.Fprintf(&b, "| fact | %s |\n|---%s|\n", strings.Join(formats, " | "), strings.Repeat("|---", len(formats)))
	for _, fact := range facts {
		b.WriteString("| " + titles[fact])
		for _, format := range formats {
			b.WriteString(" | " + cells[format+fact])
		}
		b.WriteString(" |\n")
	}
	compareText(t, filepath.Join(golden.Root(t), "docs", "facts.md"), b.String())
}

// Words about dangers arrive whatever else is long, and what is cut is said.
func TestDangersAreNotCut(t *testing.T) {
	s, _ := weather()
	s.Description, s.WhenToUse = strings.Repeat("ä ", 900), strings.Repeat("ö", 190)
	s.Effects = signature.Effects{Destructive: true, Billable: true}
	s.Notes.Conditions = []string{strings.Repeat("c ", 3000)}
	s.Notes.Deprecated = signature.Deprecation{Since: "2026-01-01", Sunset: "2027-01-01", Use: strings.Repeat("u", 64)}
	files, findings := export.Documents([]*signature.Signature{s})
	if len(findings) != 1 || !strings.HasPrefix(findings[0].Message, "with what is said of its effects the description has ") {
		t.Errorf("%v", findings)
	}
	for _, f := range files {
		if strings.Contains(f.Name, "gemini/") || f.Name == "anthropic/tools.json" {
			continue
		}
		flags := strings.HasPrefix(f.Name, "openai/") || strings.HasPrefix(f.Name, "anthropic/")
		for _, said := range []string{"This deletes or overwrites data.", "This costs money.", "Not available from 2027-01-01 on."} {
			flagged := map[string]string{"This deletes or overwrites data.": "DESTRUCTIVE", "This costs money.": "BILLABLE"}[said]
			if flags && flagged != "" {
				said = flagged
			}
			if !strings.Contains(string(f.Data), said) {
				t.Errorf("%s does not say %s: %s", f.Name, said, f.Data)
			}
		}
	}
}
