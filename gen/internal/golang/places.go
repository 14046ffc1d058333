package golang

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// placesFile holds all positions in the manifest, nil for none: a line that moves
// there changes this file alone.
func placesFile(p *plan.Package) *jen.File {
	f := newFile(p)
	some := false
	table := func(name, what, lines string) {
		if lines != "" {
			some = true
			f.Add(doc(name + " has the lines and columns of " + what)).Line().Const().Add(id(name)).Op("=").Add(text(lines)).Line()
		}
	}
	for _, t := range p.Tools {
		table(t.PlacesVar, "the parts of the manifest that errors of "+t.Signature.Name+" name.", placesOf(t))
		table(t.PartsVar, "the parts of "+t.Signature.Name+" that callers see, for the test.", t.Parts)
	}
	if !some {
		return nil
	}
	return f
}

// placesOf is the table of a tool and its frozen chains, in the order of the
// manifest.
func placesOf(t *plan.Tool) string {
	type place struct{ part, at string }
	var out []place
	for _, chain := range append([]*plan.Tool{t}, t.Frozen...) {
		for _, part := range slices.Sorted(maps.Keys(chain.Places)) {
			out = append(out, place{part, chain.Places[part]})
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		fileA, lineA, columnA := splitPlace(a.at)
		fileB, lineB, columnB := splitPlace(b.at)
		return cmp.Or(strings.Compare(fileA, fileB), cmp.Compare(lineA, lineB), cmp.Compare(columnA, columnB))
	})
	var lines strings.Builder
	for _, p := range out {
		lines.WriteString(p.part + "\t" + p.at + "\n")
	}
	return lines.String()
}

// splitPlace reads file:line:column.
func splitPlace(at string) (file string, line, column int) {
	numbers := strings.Split(at, ":")
	if len(numbers) < 3 {
		return at, 0, 0
	}
	n := len(numbers)
	line, _ = strconv.Atoi(numbers[n-2])   // diag.Span writes numbers
	column, _ = strconv.Atoi(numbers[n-1]) // and nothing else
	return strings.Join(numbers[:n-2], ":"), line, column
}
