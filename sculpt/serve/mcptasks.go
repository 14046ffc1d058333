package serve

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// Tasks are an extension of MCP 2026-07-28 (SEP-2663): a call that takes long is
// answered with a handle, by which the client asks for its result. The server alone
// decides which calls are; here it is those of tools that wait for something.
const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	// taskPatience is how long such a call may take to be answered at once. What is
	// refused before anything happens, and what wants the consent of a user, is.
	taskPatience = 3 * time.Second
	// taskKept is how long a result can be had, taskPause how often to ask for it.
	taskKept  = 10 * time.Minute
	taskPause = 2 * time.Second
	// mostTasks are kept at once, mostTasksOfOne for each caller. Calls beyond that
	// are answered when they end, as those of clients that know no tasks.
	mostTasks, mostTasksOfOne = 1024, 32
)

// A taskOwner is who may see a task: callers cannot see, or end, each other's.
type taskOwner struct{ id, user string }

func ownerOf(p *tool.Principal) taskOwner { return taskOwner{p.ID, p.UserID} }

// mcpTasks are the tasks of a server. They end with it: their calls do, too.
type mcpTasks struct {
	mu   sync.Mutex
	byID map[string]*mcpTask
	by   map[taskOwner]int
}

// An mcpTask is a call that goes on behind its handle. The table guards it.
type mcpTask struct {
	id               string
	owner            taskOwner
	created, updated time.Time
	kept             time.Duration
	cancel           context.CancelFunc
	status           string
	// result is that of the call, nil while it runs and where it was cancelled.
	result []byte
}

// open makes a task, nil where there is no room. The id is a secret: who has no
// name of their own shares a place with others like them.
func (ts *mcpTasks) open(owner taskOwner, runs time.Duration, cancel context.CancelFunc) *mcpTask {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if len(ts.byID) >= mostTasks || ts.by[owner] >= mostTasksOfOne {
		return nil
	}
	now := time.Now().UTC()
	k := &mcpTask{id: rand.Text(), owner: owner, created: now, updated: now, kept: runs + taskKept, cancel: cancel, status: "working"}
	if ts.byID == nil {
		ts.byID, ts.by = map[string]*mcpTask{}, map[taskOwner]int{}
	}
	ts.byID[k.id] = k
	ts.by[owner]++
	time.AfterFunc(k.kept, func() { ts.forget(k) })
	return k
}

func (ts *mcpTasks) forget(k *mcpTask) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byID[k.id] == nil {
		return
	}
	delete(ts.byID, k.id)
	if ts.by[k.owner]--; ts.by[k.owner] == 0 {
		delete(ts.by, k.owner)
	}
}

// end keeps what became of a task: a nil result says that it was cancelled.
func (ts *mcpTasks) end(k *mcpTask, result []byte) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if k.updated, k.status, k.result = time.Now().UTC(), "completed", result; result == nil {
		k.status = "cancelled"
	}
}

// append appends the members of a task of this owner, preceded by what says which
// kind of result they are. ok is false where the owner has no such task.
func (ts *mcpTasks) append(b []byte, id string, owner taskOwner, kind string) (out []byte, ok bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	k := ts.byID[id]
	if k == nil || k.owner != owner {
		return b, false
	}
	b = append(append(append(b, `{"resultType":"`...), kind...), `","taskId":`...)
	b = value.AppendText(b, k.id)
	b = append(append(append(b, `,"status":"`...), k.status...), `","createdAt":"`...)
	b = append(k.created.AppendFormat(b, time.RFC3339Nano), `","lastUpdatedAt":"`...)
	b = append(k.updated.AppendFormat(b, time.RFC3339Nano), `","ttlMs":`...)
	b = strconv.AppendInt(b, k.kept.Milliseconds(), 10)
	b = strconv.AppendInt(append(b, `,"pollIntervalMs":`...), taskPause.Milliseconds(), 10)
	if k.result != nil {
		b = append(append(b, `,"result":`...), k.result...)
	}
	return b, true
}

// stop ends the call of a task if it only reads; effects are finished. It is false
// where the owner has no such task.
func (ts *mcpTasks) stop(id string, owner taskOwner) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	k := ts.byID[id]
	if k == nil || k.owner != owner {
		return false
	}
	k.cancel()
	return true
}

// task makes a call that may take long: it is answered at once if it does not, and
// with a handle if it does. The client is gone where it hangs up before that.
func (t *mcpTurn) task(ctx context.Context, b []byte, m *rpcMessage, j *job) ([]byte, *rpcError) {
	run, cancel := context.WithCancel(detached(ctx))
	left := context.AfterFunc(ctx, cancel)
	reads := j.tool.Effects.ReadOnly && !j.tool.Effects.Billable
	settled := func() {}
	if life, ok := ctx.Value(lifetimeKey{}).(*lifetime); ok && !reads { // the server does not end before an effect
		life.tasks.Add(1)
		settled = life.tasks.Done
	}
	done := make(chan conclusion, 1)
	go func() {
		defer settled()
		var out conclusion
		if err := tool.Guard(run, func(ctx context.Context) error { out = t.p.s.call(ctx, t.parent, j); return nil }); err != nil {
			out = conclusion{err: j.settle(err)}
		}
		done <- out
	}()
	patience := time.NewTimer(taskPatience)
	defer patience.Stop()
	select {
	case out := <-done:
		left()
		cancel()
		return t.concluded(b, m, j, &out)
	case <-patience.C:
	}
	k := t.p.tasks.open(ownerOf(t.principal), j.tool.deadline, cancel)
	if k == nil || !left() {
		out := <-done
		cancel()
		if k != nil {
			t.p.tasks.forget(k)
		}
		return t.concluded(b, m, j, &out)
	}
	go func() {
		out := <-done
		if reads && run.Err() != nil && out.err != nil {
			t.p.tasks.end(k, nil)
		} else {
			t.p.tasks.end(k, append(t.appendResult(nil, j, &out), t.p.tail...))
		}
		cancel()
	}()
	b = append(appendID(b, m.id), `,"result":`...)
	b, _ = t.p.tasks.append(b, k.id, k.owner, "task")
	return append(append(b, t.p.tail...), '}'), nil
}

// aboutTask answers the methods of the extension. Our tasks ask for nothing, so
// that an update has nothing to say.
func (t *mcpTurn) aboutTask(b []byte, m *rpcMessage) ([]byte, *rpcError) {
	if !t.tasks {
		return nil, &rpcError{code: rpcCapability, message: "The client does not say that it has tasks.",
			data: []byte(`{"requiredCapabilities":{"extensions":{"` + tasksExtension + `":{}}}}`)}
	}
	head, owner, known := append(appendID(b, m.id), `,"result":`...), ownerOf(t.principal), false
	switch m.method {
	case "tasks/get":
		head, known = t.p.tasks.append(head, m.params.taskID, owner, "complete")
	case "tasks/cancel":
		known = t.p.tasks.stop(m.params.taskID, owner)
		head = append(head, `{"resultType":"complete"`...)
	default:
		_, known = t.p.tasks.append(nil, m.params.taskID, owner, "")
		head = append(head, `{"resultType":"complete"`...)
	}
	if !known {
		return nil, &rpcError{code: rpcInvalidParams, message: "There is no such task: it never was, or it has expired."}
	}
	return append(append(head, t.p.tail...), '}'), nil
}

// isTaskMethod tells the methods of the extension.
func isTaskMethod(method string) bool {
	return method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel"
}
