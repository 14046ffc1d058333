package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

func statusFlags() []cli.Flag {
	return append(formatFlags(), &cli.BoolFlag{Name: "coverage"}, &cli.IntFlag{Name: "min"})
}

// coverageDoc is what status --coverage says of a package. The totals are those
// of the newest releases: what older ones lack cannot be added to them any more.
type coverageDoc struct {
	Tools    []toolCoverage `json:"tools"`
	Promises int            `json:"promises"`
	Pinned   int            `json:"pinned"`
	Percent  int            `json:"percent"`
}

type toolCoverage struct {
	Tool     string            `json:"tool"`
	Versions []versionCoverage `json:"versions"`
}

type versionCoverage struct {
	Version  int      `json:"version"`
	Promises int      `json:"promises"`
	Pinned   int      `json:"pinned"`
	Missing  []string `json:"missing"`
}

// runCoverage shows which promises of the releases no example pins.
func runCoverage(c *command) error {
	format, err := c.format("text", "json")
	if err != nil {
		return err
	}
	least := c.Int("min")
	if least < 0 || least > 100 {
		return unable("write --min 80", "--min is a percentage, not %d", least)
	}
	r, err := c.releases(c.Args().First())
	if err != nil {
		return err
	}
	defer r.at.close()
	doc, findings := coverageOf(r.History)
	if len(findings) > 0 {
		return notFound(r.at.relabel(findings))
	}
	if format == "json" {
		err = c.printJSON(doc)
	} else {
		c.showCoverage(doc)
	}
	if err == nil && doc.Percent < least {
		return &failure{exitFindings, fmt.Sprintf("examples pin %d %% of what the newest releases promise; %d %% are wanted", doc.Percent, least),
			"write examples: for what is missing, record their answers (sculpt record) and release the tool"}
	}
	return err
}

// coverageOf measures the releases of a package. A tool that ends asks for no
// example any more.
func coverageOf(h *history.History) (*coverageDoc, diag.List) {
	doc := &coverageDoc{Tools: []toolCoverage{}}
	for _, t := range h.Tools {
		all, findings := h.Coverage(t)
		if len(findings) > 0 {
			return nil, findings
		}
		if len(all) == 0 || t.Retired != nil {
			continue
		}
		tool := toolCoverage{Tool: t.Name}
		for i := range all {
			v := &all[i]
			tool.Versions = append(tool.Versions, versionCoverage{v.Version, len(v.Promises), v.Pinned(), v.Missing()})
		}
		newest := tool.Versions[len(tool.Versions)-1]
		doc.Promises += newest.Promises
		doc.Pinned += newest.Pinned
		doc.Tools = append(doc.Tools, tool)
	}
	doc.Percent = percent(doc.Pinned, doc.Promises)
	return doc, nil
}

// percent rounds down: 100 is everything.
func percent(part, whole int) int {
	if whole == 0 {
		return 100
	}
	return part * 100 / whole
}

func (c *command) showCoverage(doc *coverageDoc) {
	for _, t := range doc.Tools {
		for _, v := range t.Versions {
			missing := ""
			if len(v.Missing) > 0 {
				missing = "; no example pins " + strings.Join(v.Missing, ", ")
			}
			c.print("%s\tv%d\t%d of %d (%d %%)%s", t.Tool, v.Version, v.Pinned, v.Promises, percent(v.Pinned, v.Promises), missing)
		}
	}
	c.print("newest releases\t\t%d of %d (%d %%)", doc.Pinned, doc.Promises, doc.Percent)
}

var promiseUnpinned = diag.ID("unpinned-promise")

// unpinned warns of what the new releases promise and no example of theirs pins.
func (r *releaser) unpinned(tools []*ir.Tool) diag.List {
	var list diag.List
	for _, t := range tools {
		if missing := r.after.History.Unpinned(r.folder(t)); len(missing) > 0 {
			list.Add(diag.Finding{
				Rule: promiseUnpinned, Severity: diag.Warning, Tool: t.Signature.Name, Span: t.Span,
				Fix:     "write examples: that send and get it, and record their answers: sculpt record",
				Message: fmt.Sprintf("v%d of %q promises what no example pins: %s", t.Signature.Version, t.Signature.Name, strings.Join(missing, ", ")),
			})
		}
	}
	return r.p.at.relabel(list)
}
