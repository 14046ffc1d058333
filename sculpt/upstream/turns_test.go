package upstream

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A patientContext is over after some looks at it.
type patientContext struct {
	context.Context
	looks int
}

func (c *patientContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestTurnsOfLoops: loops of any shape look at their context after so many turns, and one
// that is over ends them with its error.
func TestTurnsOfLoops(t *testing.T) {
	for _, n := range []int{0, 1, 7, turnsAtOnce - 1, turnsAtOnce, 1 << 20} {
		for _, looks := range []int{0, 1, 10} {
			var turns Turns
			ctx := &patientContext{context.Background(), looks}
			made := 0
			var err error
			for err == nil {
				if err = turns.Take(ctx, n); err == nil {
					made += n + 1
				}
			}
			if most := (looks + 1) * max(turnsAtOnce, n+1); !errors.Is(err, context.DeadlineExceeded) || made > most {
				t.Errorf("loops of %d, over after %d looks: %d turns, %v; at most %d", n, looks, made, err, most)
			}
			if n == 7 && looks == 10 && made < looks*turnsAtOnce {
				t.Errorf("it looked after %d turns, which is too often", made/looks)
			}
		}
	}
}

// TestEachIsLate: no element is begun when the time is up, and the error is that of
// the call that would have been made.
func TestEachIsLate(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	begun := 0
	each := func(context.Context, int64, int) (int, error) { begun++; return 0, nil }
	for name, run := range map[string]func(context.Context, string, []int, int, func(context.Context, int64, int) (int, error)) ([]int, error){
		"side by side": Each[int, int], "in turn": EachInTurn[int, int],
	} {
		_, err := run(ctx, "look", []int{1, 2, 3}, 9, each)
		if e := tool.AsError(err); begun > 0 || e.Kind != tool.KindTimeout || e.Step != "look" || !e.Retryable {
			t.Errorf("%s: %d begun, %+v", name, begun, e)
		}
	}
}
