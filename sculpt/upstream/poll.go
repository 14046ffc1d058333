package upstream

import (
	"context"
	"errors"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Poll repeats a read until [Round.More] is not set after it. An answer that is
// missing is not what was waited for. Between two calls it waits for [Round.Every],
// or longer where the upstream asks for that by Retry-After. Where the next call
// would begin after [Round.Within] or after the end of ctx, it fails with
// [tool.KindTimeout].
func Poll[T any](ctx context.Context, r *Round, ask func(context.Context, *Round) (T, error)) (T, error) {
	for {
		r.More = false
		answer, err := ask(ctx, r)
		missing := errors.Is(err, ErrSkip)
		if !missing && (err != nil || !r.More) {
			return answer, err
		}
		if err := r.rest(ctx); err != nil {
			return *new(T), err
		}
	}
}

// rest waits for the next call, and fails where there is no time for it.
func (r *Round) rest(ctx context.Context) error {
	wait, until := max(r.Every, retryAfter(r.call.answer, time.Now())), r.until
	if end, ok := ctx.Deadline(); ok && end.Before(until) {
		until = end
	}
	if wait < time.Until(until) && pause(ctx, wait) {
		return nil
	}
	cause := ctx.Err()
	if cause == nil {
		cause = context.DeadlineExceeded
	}
	return &tool.Error{Kind: tool.KindTimeout, Step: r.Step, Retryable: true, RetryAfter: wait, Message: "It is not done yet. Try again in a moment.", Err: cause}
}
