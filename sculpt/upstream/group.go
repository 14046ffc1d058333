package upstream

import (
	"context"
	"errors"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

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
		if t.err = tool.Guard(g.ctx, branch); t.err != nil {
			g.cancel()
		}
	}()
	return t
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
