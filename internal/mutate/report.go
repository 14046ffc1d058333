package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// report prints how many mutants were noticed in each package, how many of them
// because the tests did not end in time, and all that were not. It returns the whole in percent, rounded down.
func report(w io.Writer, seed uint64, results []result) int {
	type tally struct{ noticed, all int }
	var total tally
	timeouts := 0
	packages := map[string]tally{}
	for _, r := range results {
		t := packages[r.pkg.name()]
		t.all, total.all = t.all+1, total.all+1
		if r.verdict != survived {
			t.noticed, total.noticed = t.noticed+1, total.noticed+1
		}
		if r.verdict == late {
			timeouts++
		}
		packages[r.pkg.name()] = t
	}
	percent := 0
	if total.all > 0 {
		percent = total.noticed * 100 / total.all
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\npackage\tnoticed\n")
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		fmt.Fprintf(table, "%s\t%d/%d\n", name, packages[name].noticed, packages[name].all)
	}
	fmt.Fprintf(table, "all\t%d/%d\t%d %%\tseed %d\t%d by a timeout\n", total.noticed, total.all, percent, seed, timeouts)
	_ = table.Flush()
	printSurvivors(w, results)
	return percent
}

func printSurvivors(w io.Writer, results []result) {
	left := slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.verdict != survived })
	slices.SortFunc(left, func(a, b result) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.start-b.start, strings.Compare(a.sort, b.sort))
	})
	for _, r := range left {
		before, after := r.diff()
		fmt.Fprintf(w, "\n%s:%d: %s\n- %s\n+ %s\n", r.name(), r.line, r.sort, before, after)
	}
}

// name is the file, as seen from the root of the module.
func (m *mutant) name() string {
	return path.Join(m.pkg.name(), filepath.Base(m.file))
}

// diff is the lines of the place before and after, each on one line.
func (m *mutant) diff() (before, after string) {
	from := bytes.LastIndexByte(m.src[:m.start], '\n') + 1
	to := len(m.src)
	if i := bytes.IndexByte(m.src[m.end:], '\n'); i >= 0 {
		to = m.end + i
	}
	line := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return line(string(m.src[from:to])), line(string(m.src[from:m.start]) + m.text + string(m.src[m.end:to]))
}
