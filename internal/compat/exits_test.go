package compat

import (
	"slices"
	"testing"
)

// TestBreaksHaveExits: what is refused says what is legal instead. Nothing but the
// exits of a rule of the history may be done about what is locked.
func TestBreaksHaveExits(t *testing.T) {
	for i := range Rules {
		r := &Rules[i]
		var names []string
		for _, e := range r.Exits() {
			if e.Text == "" || slices.Contains(names, e.Name) {
				t.Errorf("%s: the exit %q", r.ID, e.Name)
			}
			names = append(names, e.Name)
		}
		switch {
		case !r.breaks():
			if len(r.exits) > 0 {
				t.Errorf("%s breaks nothing and has exits", r.ID)
			}
		case len(r.exits) == 0:
			t.Errorf("%s has no exit", r.ID)
		}
		easy := []string{"accept", "policy", "level"}
		if r.Class == History && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(easy, n) }) {
			t.Errorf("%s guards the history and has the exits %v", r.ID, names)
		}
		if strict := r.Levels.ClientSafe == Error; strict && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(easy[1:], n) }) {
			t.Errorf("%s is an error under every policy and has the exits %v", r.ID, names)
		}
	}
}
