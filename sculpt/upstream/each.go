package upstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// ErrSkip is what an error case of a call in [Each] returns for "there is no
// answer": the element is left out of the list.
var ErrSkip = errors.New("upstream: no answer for this element")

// EachAtOnce bounds how many calls of one for_each are under way.
const EachAtOnce = 8

// Each makes a call for every element of a list, several at once, and returns
// the answers in the order of the elements. The first failure cancels the
// rest; the error is that of the first element that failed by itself. A list
// of more than most elements fails before any call: a tool that looked at a
// part of it would give a wrong answer.
func Each[E, A any](ctx context.Context, step string, list []E, most int, call func(context.Context, int64, E) (A, error)) ([]A, error) {
	if err := tooMany(step, len(list), most); err != nil {
		return nil, err
	}
	answers, skipped := make([]A, len(list)), make([]bool, len(list))
	slots := make(chan struct{}, EachAtOnce)
	whole, g := ctx, NewGroup(ctx) // the failure of a later element is no reason not to look at this one
	for i, item := range list {
		slots <- struct{}{}
		g.Go(func(ctx context.Context) error {
			defer func() { <-slots }()
			if err := late(whole, step); err != nil {
				return err
			}
			a, err := call(ctx, int64(i), item)
			if skipped[i] = errors.Is(err, ErrSkip); skipped[i] {
				return nil
			}
			answers[i] = a
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	found := answers[:0]
	for i, a := range answers {
		if !skipped[i] {
			found = append(found, a)
		}
	}
	return found, nil
}

// EachInTurn is [Each] for calls that change something: one after the other,
// in the order of the list, up to the first that fails.
func EachInTurn[E, A any](ctx context.Context, step string, list []E, most int, call func(context.Context, int64, E) (A, error)) ([]A, error) {
	if err := tooMany(step, len(list), most); err != nil {
		return nil, err
	}
	found := make([]A, 0, len(list))
	for i, item := range list {
		if err := late(ctx, step); err != nil {
			return nil, err
		}
		a, err := call(ctx, int64(i), item)
		switch {
		case errors.Is(err, ErrSkip):
		case err != nil:
			return nil, err
		default:
			found = append(found, a)
		}
	}
	return found, nil
}

// late is the error of an element whose turn comes when the time is up. What is
// computed for it before its call would be for nothing.
func late(ctx context.Context, step string) error {
	if err := ctx.Err(); err != nil {
		return &tool.Error{Kind: tool.KindTimeout, Step: step, Retryable: true, Err: err}
	}
	return nil
}

func tooMany(step string, n, most int) error {
	if n <= most {
		return nil
	}
	return &tool.Error{
		Kind: tool.KindRejected, Code: "too_many", Step: step,
		Message:   fmt.Sprintf("There are %d entries to look at, and at most %d are looked at in one call.", n, most),
		Hint:      "Narrow the request down.",
		Developer: fmt.Sprintf("step %s: for_each has %d elements, max is %d", step, n, most),
	}
}
