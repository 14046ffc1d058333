package meaning

import (
	"fmt"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A couple is a step and what has become of it; one of the two may be missing.
type couple struct {
	was, is *node
}

// pair finds for every step what has become of it: a step that is the same, else
// the one that is most like it. References to both count as the same then.
func pair(was, is *side) []couple {
	partner, taken := match(was, is)
	was.paired, is.paired = map[*ir.Step]bool{}, taken
	share(was, is, partner)
	var out []couple
	for _, a := range was.plan.Steps {
		c := couple{was: was.step(a)}
		if b := partner[a]; b != nil {
			c.is = is.step(b)
		}
		out = append(out, c)
	}
	for _, b := range is.plan.Steps {
		if !taken[b] {
			out = append(out, couple{is: is.step(b)})
		}
	}
	return out
}

// match takes the most alike steps first.
func match(was, is *side) (partner map[*ir.Step]*ir.Step, taken map[*ir.Step]bool) {
	type option struct {
		from, to *ir.Step
		points   int
	}
	var options []option
	for _, a := range was.plan.Steps {
		for _, b := range is.plan.Steps {
			if points := alike(was, is, a, b); points > 0 {
				options = append(options, option{a, b, points})
			}
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return b.points - a.points })
	partner, taken = map[*ir.Step]*ir.Step{}, map[*ir.Step]bool{}
	for _, o := range options {
		if partner[o.from] == nil && !taken[o.to] {
			partner[o.from], taken[o.to] = o.to, true
		}
	}
	return partner, taken
}

// share gives partners the same labels. What was derived from the old ones is
// derived again.
func share(was, is *side, partner map[*ir.Step]*ir.Step) {
	for _, s := range []*side{was, is} {
		clear(s.lets)
		clear(s.labels)
	}
	for i, a := range was.plan.Steps {
		was.labels[a] = fmt.Sprint("gone ", i)
		if b := partner[a]; b != nil {
			was.paired[a] = true
			was.labels[a], is.labels[b] = fmt.Sprint("step ", i), fmt.Sprint("step ", i)
		}
	}
	for i, b := range is.plan.Steps {
		if is.labels[b] == "" {
			is.labels[b] = fmt.Sprint("new ", i)
		}
	}
}

// Points for what two steps have in common; equal steps have more than all of it.
const (
	samePart = 1
	sameName = 4
	sameCall = 8
	sameStep = 1000
)

// alike says how much two steps have in common, 0 for steps that are none of each
// other's business.
func alike(was, is *side, a, b *ir.Step) int {
	call := a.API == b.API && a.Op.Method == b.Op.Method && address(a.Op) == address(b.Op)
	if !call && a.ID != b.ID {
		return 0
	}
	points := 0
	if was.label(a) == is.label(b) {
		points += sameStep
	}
	if call {
		points += sameCall
	}
	if a.ID == b.ID {
		points += sameName
	}
	old := map[string]string{}
	for _, n := range was.step(a).kids {
		old[n.key] = n.digest()
	}
	for _, n := range is.step(b).kids {
		if old[n.key] == n.digest() {
			points += samePart
		}
	}
	return points
}
