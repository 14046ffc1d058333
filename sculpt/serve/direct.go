package serve

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
)

// Direct runs a typed chain in process with the validation, defaults, deadline,
// idempotency key and error mapping of [Invoke]. Generated methods are one call of
// it.
func Direct[T any](ctx context.Context, window *Window, tool Tool, args Args, chain func(context.Context, Args) (T, error)) (T, error) {
	var out, none T
	tool.Call = func(ctx context.Context, args Args) (_ Result, err error) {
		out, err = chain(ctx, args)
		return nil, err
	}
	j, fault := inside(ctx, &Toolset{Tools: []Tool{tool}, Window: window}, tool.Name, 0)
	if fault != nil {
		return none, fault
	}
	j.typed = true
	ended := j.invoke(ctx, args, func() any { return out })
	if ended.err != nil {
		return none, ended.err
	}
	v, _ := ended.typed.(T)
	return v, nil
}

// A Group runs the independent branches of a chain at once. The first failure
// cancels the others; a Group is used by one goroutine.
type Group struct {
	ctx    context.Context
	cancel context.CancelFunc
	tasks  []*Task
}

// A Task is a branch that a [Group] runs.
type Task struct {
	done chan struct{}
	// err is set when done is closed.
	err error
}

// NewGroup returns a group whose branches run under ctx.
func NewGroup(ctx context.Context) *Group {
	g := &Group{}
	g.ctx, g.cancel = context.WithCancel(ctx)
	return g
}

// Go starts a branch as soon as the tasks after have ended well; without them,
// at once. Branches are started in the order of the manifest.
func (g *Group) Go(branch func(context.Context) error, after ...*Task) *Task {
	t := &Task{done: make(chan struct{})}
	g.tasks = append(g.tasks, t)
	go func() {
		defer close(t.done)
		for _, earlier := range after {
			<-earlier.done
			if earlier.err != nil {
				t.err = context.Canceled
				return
			}
		}
		if t.err = isolated(g.ctx, branch); t.err != nil {
			g.cancel()
		}
	}()
	return t
}

// isolated turns a panic of a step into an error, since a panic in a goroutine
// would end the process.
func isolated(ctx context.Context, step func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{value: p, stack: debug.Stack()}
		}
	}()
	return step(ctx)
}

// Wait returns when every branch has ended. Its error is the first one in the
// order of the manifest that is not the consequence of another.
func (g *Group) Wait() error {
	var first, canceled error
	for _, t := range g.tasks {
		<-t.done
		err := t.err
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled):
			if canceled == nil {
				canceled = err
			}
		case first == nil:
			first = err
		}
	}
	g.cancel()
	if first != nil {
		return first
	}
	return canceled
}

// AfterEffects notes in err that the effects of steps have happened, so that
// nobody repeats the call by accident.
func AfterEffects(err error, steps ...string) error {
	var given *Error
	if !errors.As(err, &given) {
		given = &Error{Kind: Internal, Err: err}
		classify(given, err)
	}
	e := *given
	e.EffectsDone = slices.Concat(steps, e.EffectsDone)
	return &e
}

// NoEffects notes in err that nothing has been changed yet, so that a failure
// of the backend before the first effect of a tool is not taken for an unknown
// outcome.
func NoEffects(err error) error { return AfterEffects(err) }
