package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

// regions groups steps into regions that run one after the other. A step that
// everything else waits for, or that waits for everything else, is a region of
// its own, and neighbours of this kind share one; what lies between runs in
// branches, each step as soon as what it needs is there.
func regions(steps []*ir.Step) [][]*ir.Branch {
	o := newOrdering(steps)
	var out [][]*ir.Branch
	var line *ir.Branch
	var loose []*ir.Step
	flush := func() {
		if len(loose) > 0 {
			out, loose, line = append(out, o.branches(loose)), nil, nil
		}
	}
	for _, s := range o.sorted {
		if !o.isCut(s) {
			loose = append(loose, s)
			continue
		}
		flush()
		if line == nil {
			line = &ir.Branch{}
			out = append(out, []*ir.Branch{line})
		}
		line.Steps = append(line.Steps, s)
	}
	flush()
	return out
}

// An ordering knows what every step waits for, directly or not.
type ordering struct {
	before map[*ir.Step]map[*ir.Step]bool
	// sorted are the steps so that each comes after what it waits for, and
	// otherwise in the order of the manifest.
	sorted []*ir.Step
}

func newOrdering(steps []*ir.Step) *ordering {
	o := &ordering{before: map[*ir.Step]map[*ir.Step]bool{}}
	var visit func(*ir.Step)
	visit = func(s *ir.Step) {
		if o.before[s] != nil {
			return
		}
		all := map[*ir.Step]bool{}
		o.before[s] = all
		for _, d := range s.After {
			visit(d)
			all[d] = true
			for e := range o.before[d] {
				all[e] = true
			}
		}
		o.sorted = append(o.sorted, s)
	}
	for _, s := range steps {
		visit(s)
	}
	return o
}

// isCut reports whether every other step comes before s or after it.
func (o *ordering) isCut(s *ir.Step) bool {
	return !slices.ContainsFunc(o.sorted, func(t *ir.Step) bool {
		return t != s && !o.before[s][t] && !o.before[t][s]
	})
}

// waits returns the steps among loose that s waits for and that no other of
// them waits for in its place.
func (o *ordering) waits(s *ir.Step, loose []*ir.Step) []*ir.Step {
	var out []*ir.Step
	for _, d := range loose {
		between := func(e *ir.Step) bool { return o.before[s][e] && o.before[e][d] }
		if o.before[s][d] && !slices.ContainsFunc(loose, between) {
			out = append(out, d)
		}
	}
	return out
}

// branches joins steps into branches: one follows another in its branch where
// nothing else waits for that one, and it waits for nothing else.
func (o *ordering) branches(loose []*ir.Step) []*ir.Branch {
	followers := map[*ir.Step]int{}
	for _, s := range loose {
		for _, d := range o.waits(s, loose) {
			followers[d]++
		}
	}
	var out []*ir.Branch
	of := map[*ir.Step]*ir.Branch{}
	for _, s := range loose {
		waits := o.waits(s, loose)
		if len(waits) == 1 && followers[waits[0]] == 1 {
			of[s] = of[waits[0]]
			of[s].Steps = append(of[s].Steps, s)
			continue
		}
		b := &ir.Branch{Steps: []*ir.Step{s}}
		for _, d := range waits {
			b.After = append(b.After, of[d])
		}
		of[s] = b
		out = append(out, b)
	}
	return out
}
