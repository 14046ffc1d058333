package upstream

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestWithin(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "v"))
		defer cancel()
		start := time.Now()
		ctx, end := Within(parent, time.Minute, 0, 0, 0)
		defer end()
		if at, ok := ctx.Deadline(); !ok || !at.Equal(start.Add(time.Minute)) || ctx.Value(key{}) != "v" || ctx.Err() != nil {
			t.Fatal("a fresh context:", at, ok, ctx.Value(key{}), ctx.Err())
		}
		time.Sleep(time.Minute)
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error("after its time nobody waited for:", ctx.Err())
		}
		<-ctx.Done()

		waited, end := Within(parent, time.Minute, 0, 0, 0)
		defer end()
		<-waited.Done()
		if time.Since(start) != 2*time.Minute || !errors.Is(waited.Err(), context.DeadlineExceeded) || waited.Value(key{}) != "v" {
			t.Error("waited for:", time.Since(start), waited.Err())
		}

		shorter, stop := context.WithTimeout(parent, time.Second)
		defer stop()
		inner, end := Within(shorter, time.Minute, 0, 0, 0)
		defer end()
		if at, _ := inner.Deadline(); time.Until(at) != time.Second {
			t.Error("the deadline of the parent is lost:", time.Until(at))
		}
	})
}

// A context of a chain that has ended must not look alive to what the chain has
// left behind, and its end reaches children that were made before and after.
func TestWithinEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := Within(t.Context(), time.Minute, 0, 0, 0)
		child, stop := context.WithCancel(ctx)
		defer stop()
		other, otherEnd := Within(t.Context(), time.Minute, 0, 0, 0)
		otherEnd()
		late, stopLate := context.WithCancel(other)
		defer stopLate()
		end()
		<-child.Done()
		<-late.Done()
		for _, c := range []context.Context{ctx, child, other, late} {
			if !errors.Is(c.Err(), context.Canceled) {
				t.Error(c.Err())
			}
		}

		parent, cancel := context.WithCancel(t.Context())
		orphan, end := Within(parent, time.Minute, 0, 0, 0)
		defer end()
		cancel()
		if !errors.Is(orphan.Err(), context.Canceled) {
			t.Error("the end of the parent is not seen:", orphan.Err())
		}
	})
}
