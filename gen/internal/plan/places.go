package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// PlaceTable is the table of a tool and its frozen chains, in the order of the
// manifest.
func (t *Tool) PlaceTable() string {
	type place struct {
		part string
		at   diag.Span
	}
	var out []place
	for _, chain := range append([]*Tool{t}, t.Frozen...) {
		for _, part := range slices.Sorted(maps.Keys(chain.Places)) {
			out = append(out, place{part, chain.Places[part]})
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		return cmp.Or(strings.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Start.Line, b.at.Start.Line), cmp.Compare(a.at.Start.Col, b.at.Start.Col))
	})
	var lines strings.Builder
	for _, p := range out {
		lines.WriteString(p.part + "\t" + p.at.String() + "\n")
	}
	return lines.String()
}
