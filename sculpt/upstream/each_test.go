package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func TestEachKeepsTheOrderAndTheBounds(t *testing.T) {
	list := make([]int, 50)
	for i := range list {
		list[i] = i
	}
	var now, most atomic.Int64
	double := func(_ context.Context, i int64, e int) (string, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m; m = most.Load() {
			most.CompareAndSwap(m, n)
		}
		if e%10 == 3 {
			return "", upstream.ErrSkip
		}
		return fmt.Sprint(i, "=", e), nil
	}
	for name, each := range map[string]func(context.Context, string, []int, int, func(context.Context, int64, int) (string, error)) ([]string, error){
		"at once": upstream.Each[int, string], "in turn": upstream.EachInTurn[int, string],
	} {
		most.Store(0)
		got, err := each(t.Context(), "s", list, 50, double)
		if err != nil || len(got) != 45 || got[0] != "0=0" || got[3] != "4=4" || got[44] != "49=49" {
			t.Error(name, got, err)
		}
		if limit := int64(map[string]int{"at once": 8, "in turn": 1}[name]); most.Load() > limit {
			t.Errorf("%s: %d calls at once, want at most %d", name, most.Load(), limit)
		}
		if got, err := each(t.Context(), "s", list, 49, double); got != nil || tool.KindOf(err) != tool.KindRejected {
			t.Error(name, "too many:", got, err)
		}
		if got, err := each(t.Context(), "s", nil, 1, double); len(got) != 0 || err != nil {
			t.Error(name, "none:", got, err)
		}
	}
}

func TestEachReportsTheFirstFailure(t *testing.T) {
	broken := errors.New("broken")
	calls := 0
	_, err := upstream.EachInTurn(t.Context(), "s", []int{1, 2, 3}, 3, func(context.Context, int64, int) (int, error) {
		calls++
		if calls == 2 {
			return 0, broken
		}
		return 0, nil
	})
	if !errors.Is(err, broken) || calls != 2 {
		t.Error(err, "after", calls, "calls")
	}
	// The second element fails at once and cancels the first, which is not the
	// one to report.
	started := make(chan struct{})
	_, err = upstream.Each(t.Context(), "s", []int{1, 2}, 2, func(ctx context.Context, i int64, _ int) (int, error) {
		if i == 1 {
			<-started
			return 0, broken
		}
		close(started)
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	_, err = upstream.Each(t.Context(), "s", []int{1}, 1, func(context.Context, int64, int) (int, error) { panic("no") })
	if err == nil || errors.Is(err, upstream.ErrSkip) {
		t.Error("a panic gives", err)
	}
}

func TestGroupWaitsForTasks(t *testing.T) {
	var mu sync.Mutex
	var log []string
	step := func(name string) func(context.Context) error {
		return func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, name)
			return nil
		}
	}
	for range 100 {
		log = nil
		g := upstream.NewGroup(t.Context())
		a, b := g.Go(step("a")), g.Go(step("b"))
		c := g.Go(step("c"), a)
		g.Go(step("d"), b, c)
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		before := func(x, y string) bool { return slices.Index(log, x) < slices.Index(log, y) }
		if len(log) != 4 || !before("a", "c") || !before("b", "d") || !before("c", "d") {
			t.Fatal(log)
		}
	}
	broken := errors.New("broken")
	g := upstream.NewGroup(t.Context())
	a := g.Go(func(context.Context) error { return broken })
	ran := false
	b := g.Go(func(context.Context) error { ran = true; return nil }, a)
	g.Go(func(context.Context) error { ran = true; return nil }, b)
	if err := g.Wait(); !errors.Is(err, broken) || ran {
		t.Error(err, "a task behind a failed one ran:", ran)
	}
}

func TestUUIDsAndTraces(t *testing.T) {
	with := func(inv tool.Invocation, caller, name string) string {
		ctx := tool.WithPrincipal(tool.WithInvocation(t.Context(), &inv), &tool.Principal{ID: caller})
		return tool.UUID(ctx, name)
	}
	first := with(tool.Invocation{CallID: "c1", IdempotencyKey: "k"}, "ann", "order")
	if len(first) != 36 || strings.Count(first, "-") != 4 || first[14] != '8' || !strings.ContainsRune("89ab", rune(first[19])) {
		t.Error(first, "is no UUID of version 8")
	}
	if again := with(tool.Invocation{CallID: "c2", IdempotencyKey: "k"}, "ann", "order"); again != first {
		t.Error("the same call gets", again, "and", first)
	}
	seen := map[string]bool{first: true}
	for _, other := range []string{
		with(tool.Invocation{CallID: "c1", IdempotencyKey: "k2"}, "ann", "order"),
		with(tool.Invocation{CallID: "c1", IdempotencyKey: "k"}, "bob", "order"),
		with(tool.Invocation{CallID: "c1", IdempotencyKey: "k"}, "ann", "item"),
		with(tool.Invocation{CallID: "c1", IdempotencyKey: "k", Tool: "buy"}, "ann", "order"),
		with(tool.Invocation{CallID: "c1"}, "ann", "order"),
		with(tool.Invocation{CallID: "c2"}, "ann", "order"),
	} {
		if seen[other] {
			t.Error(other, "twice")
		}
		seen[other] = true
	}
	given := "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	if got := (&tool.Invocation{TraceParent: given}).Trace(); got != given {
		t.Error(got)
	}
	made := (&tool.Invocation{CallID: "c"}).Trace()
	if len(made) != len(given) || made != (&tool.Invocation{CallID: "c"}).Trace() || made == (&tool.Invocation{CallID: "d"}).Trace() {
		t.Error(made)
	}
}

// TestEachTellsTheFirst: an element that fails by itself is told, also where a later
// one has failed before its turn came.
func TestEachTellsTheFirst(t *testing.T) {
	first, later := errors.New("first"), errors.New("later")
	for range 50 {
		failed := make(chan struct{})
		_, err := upstream.Each(context.Background(), "s", []int{0, 1}, 9, func(_ context.Context, _ int64, n int) (int, error) {
			if n == 1 {
				close(failed)
				return 0, later
			}
			<-failed
			return 0, first
		})
		if !errors.Is(err, first) {
			t.Fatal(err)
		}
	}
	// The same where the first one has not begun: eight others hold all places.
	list := make([]int, upstream.EachAtOnce+1)
	for range 200 {
		_, err := upstream.Each(context.Background(), "s", list, 99, func(_ context.Context, i int64, _ int) (int, error) {
			if i == 0 {
				return 0, first
			}
			return 0, later
		})
		if !errors.Is(err, first) {
			t.Fatal(err)
		}
	}
}
