package cli

import (
	"slices"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/gen/export"
	"github.com/sculpt-tools/sculpt/gen/plan"
	"github.com/sculpt-tools/sculpt/sculpt"
	"github.com/sculpt-tools/sculpt/sculpt/compat"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/expr"
	"github.com/sculpt-tools/sculpt/sculpt/manifest"
	"github.com/sculpt-tools/sculpt/sculpt/resolve"
	"github.com/sculpt-tools/sculpt/sculpt/spec"
)

// A chapter is the rules of one stage.
type chapter struct {
	title string
	rules []diag.Rule
}

// chapters lists the rules of every package, in the order in which the stages
// run.
func chapters() []chapter {
	return []chapter{
		{"The manifest", slices.Concat(sculpt.Rules, manifest.Rules)},
		{"Documents", spec.Rules},
		{"Tools", resolve.Rules},
		{"Expressions", expr.Rules},
		{"Compatibility and history", compat.Catalogue()},
		{"What is generated", slices.Concat(plan.Rules, export.Rules, gen.Rules, Rules)},
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

// staleFile is the rule of findings about files that generate would change.
const staleFile = "stale-file"

// Rules lists the rules that only the command line reports.
var Rules = []diag.Rule{
	{ID: staleFile, Summary: "A generated file is not what sculpt generate would write.",
		Why: "What is built and served must be what the manifest says.", Fix: "Run sculpt generate and commit what it writes."},
}
