package upstream

import (
	"context"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Within returns a context for the chain of a tool that ends after d, and in which
// a call fails where most calls of its api are under way; 0 is no bound.
//
// Each call of this package has a timer of its own, which minds that end too, so
// that the context sets none before something else waits for it.
func Within(ctx context.Context, d time.Duration, most int) (context.Context, context.CancelFunc) {
	b := &bounded{Context: ctx, until: time.Now().Add(d), most: int64(most)}
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
	// most bounds the calls of an api.
	most int64

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

type shareKey struct{}

// enter takes one of the places that ctx leaves to calls of the api, which leave
// gives back. It refuses and does not wait, as servers do with callers.
func (u *Client) enter(ctx context.Context, step string) error {
	n := u.running.Add(1)
	if b, _ := ctx.Value(shareKey{}).(*bounded); b == nil || b.most <= 0 || n <= b.most {
		return nil
	}
	u.leave()
	return &tool.Error{Kind: tool.KindUnavailable, Step: step, Retryable: true, Message: "The service behind this tool is busy. Try again in a moment.",
		Developer: "api " + u.name + " has as many calls under way as serve.Limits.PerAPI allows"}
}

func (u *Client) leave() { u.running.Add(-1) }

// waited reports whether the context does more than its parent: something waits
// for it, or it is over.
func (b *bounded) waited() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.timed != nil || b.over
}
