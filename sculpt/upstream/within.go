package upstream

import (
	"context"
	"sync"
	"time"
)

// Within returns a context for the chain of a tool that ends after d. At most perAPI
// calls of an api run in such contexts at once, of which perCaller are for one
// principal; 0 is no bound. As many more as waiting says wait for a moment until another
// one ends, all further ones fail.
//
// Each call of this package has a timer of its own, which minds that end too, so
// that the context sets none before something else waits for it.
func Within(ctx context.Context, d time.Duration, perAPI, perCaller, waiting int) (context.Context, context.CancelFunc) {
	b := &bounded{Context: ctx, until: time.Now().Add(d), share: share{perAPI, perCaller, waiting}}
	if outer, ok := ctx.Deadline(); ok && outer.Before(b.until) {
		b.until = outer
	}
	return b, b.end
}

// A bounded context is the context of a chain. The embedded one has its values
// and does not know of its end.
type bounded struct {
	context.Context
	until time.Time
	// share is what the chain may take of each api.
	share share

	mu sync.Mutex
	// timed is what something waits for, once it does.
	timed context.Context
	stop  context.CancelFunc
	over  bool
}

// Deadline implements context.Context.
func (b *bounded) Deadline() (time.Time, bool) { return b.until, true }

// Done implements context.Context.
func (b *bounded) Done() <-chan struct{} { return b.wait().Done() }

// Err implements context.Context.
func (b *bounded) Err() error {
	b.mu.Lock()
	idle := b.timed == nil && !b.over
	b.mu.Unlock()
	if idle && time.Now().Before(b.until) {
		return b.Context.Err()
	}
	return b.wait().Err()
}

// Value implements context.Context. Package context finds by it what a child has
// to be told by, which is the waiting context as soon as there is one.
func (b *bounded) Value(key any) any {
	if key == (shareKey{}) {
		return b
	}
	b.mu.Lock()
	timed := b.timed
	b.mu.Unlock()
	if timed != nil {
		return timed.Value(key)
	}
	return b.Context.Value(key)
}

func (b *bounded) wait() context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timed == nil {
		b.timed, b.stop = context.WithDeadline(b.Context, b.until)
		if b.over {
			b.stop()
		}
	}
	return b.timed
}

// end is the cancel function of Within.
func (b *bounded) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	if b.stop != nil {
		b.stop()
	}
}

// boundOf returns the context that a call derives its own from, which has the
// values of ctx, and when the call has to end: after limit, or with ctx.
func boundOf(ctx context.Context, limit time.Duration) (context.Context, time.Time) {
	until := time.Now().Add(limit)
	if b, ok := ctx.(*bounded); ok && !b.waited() {
		if b.until.Before(until) {
			until = b.until
		}
		return b.Context, until
	}
	return ctx, until
}

// waited reports whether the context does more than its parent: something waits
// for it, or it is over.
func (b *bounded) waited() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.timed != nil || b.over
}
