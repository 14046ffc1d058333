package serve

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	windowAge = 10 * time.Minute
	// entryBytes is about what a remembered call takes beside its key and result.
	entryBytes = 512
	// windowIdle is how many calls without an effect are remembered.
	windowIdle = 2048
)

// A window is the ledger of a toolset in one process. It remembers calls for ten
// minutes. A call that had an effect, or may have had one, is never forgotten in
// that time: where there is no room, new calls are refused before anything
// happens. Each caller has a share of the room, see [Limits]. The zero value is
// ready for use.
type window struct {
	mu      sync.Mutex
	entries map[callKey]*windowEntry
	all     windowShare
	by      map[string]*windowShare
	// idle are the finished calls without an effect, the oldest first. They take
	// no room from others.
	idle list.List
	now  func() time.Time
}

// windowOf returns the window of a toolset, nil for none.
func windowOf(w *tool.Window) ledger {
	if w == nil {
		return nil
	}
	return w.State(func() any { return &window{} }).(*window)
}

// A windowShare is the room that calls take: those that run, and those that had
// an effect. kept holds the latter, the oldest first.
type windowShare struct {
	calls, bytes int
	kept         list.List
}

type windowEntry struct {
	namedCall
	// done is closed when the call that runs has ended; nil while none runs.
	done       chan struct{}
	conclusion conclusion
	expires    time.Time
	bytes      int
	// changed says that a run had an effect, or may have had one. inAll and inOwn
	// are its places among those that are kept.
	changed      bool
	inAll, inOwn *list.Element
}

// begin implements ledger.
func (w *window) begin(ctx context.Context, call *namedCall, l *Limits) (*conclusion, *tool.Error) {
	w.mu.Lock()
	w.expire()
	e := w.entries[call.key]
	if e == nil {
		defer w.mu.Unlock()
		if full := w.full(call.owner, l); full != nil {
			return nil, full
		}
		w.enter(&windowEntry{namedCall: *call, done: make(chan struct{})})
		return nil, nil
	}
	if fault := e.differs(call); fault != nil {
		w.mu.Unlock()
		return nil, fault
	}
	if e.done == nil {
		defer w.mu.Unlock()
		if e.conclusion.again() {
			w.reopen(e)
			return nil, nil
		}
		kept := e.conclusion
		return &kept, nil
	}
	done := e.done
	w.mu.Unlock()
	select {
	case <-done:
		w.mu.Lock()
		defer w.mu.Unlock()
		kept := e.conclusion
		return &kept, nil
	case <-ctx.Done():
		return nil, &tool.Error{Kind: tool.KindTimeout, Retryable: true, Message: "The first call with this id is still running.", Err: ctx.Err()}
	}
}

// full is the error of a call for which there is no room.
func (w *window) full(owner string, l *Limits) *tool.Error {
	const text = "Nothing was done, since the server cannot remember more calls that must not be made twice. Try again later."
	e := &tool.Error{Kind: tool.KindRateLimited, Code: "replay_window_full", Message: text, Retryable: true}
	share := w.by[owner]
	if share == nil || !share.fills(l.ReplayPerPrincipal, l.replayShare()) {
		e.Kind, share = tool.KindUnavailable, &w.all
		if !share.fills(l.Replay, l.ReplayBytes) {
			return nil
		}
	}
	e.RetryAfter = time.Second // what runs may turn out to have no effect
	if oldest := share.kept.Front(); oldest != nil {
		e.RetryAfter = max(e.RetryAfter, oldest.Value.(*windowEntry).expires.Sub(w.time()))
	}
	return e
}

func (s *windowShare) fills(calls, bytes int) bool { return s.calls >= calls || s.bytes >= bytes }

func (w *window) enter(e *windowEntry) {
	if w.entries == nil {
		w.entries, w.by = map[callKey]*windowEntry{}, map[string]*windowShare{}
	}
	if w.by[e.owner] == nil {
		w.by[e.owner] = &windowShare{}
	}
	w.entries[e.key] = e
	for _, s := range w.shares(e) {
		s.calls++
	}
	w.weigh(e, entryBytes+len(e.key.key))
}

// shares are the rooms that a call takes from.
func (w *window) shares(e *windowEntry) [2]*windowShare {
	return [2]*windowShare{&w.all, w.by[e.owner]}
}

// weigh sets how many bytes a call takes.
func (w *window) weigh(e *windowEntry, bytes int) {
	for _, s := range w.shares(e) {
		s.bytes += bytes - e.bytes
	}
	e.bytes = bytes
}

// leave gives back the room of a call.
func (w *window) leave(e *windowEntry) {
	w.weigh(e, 0)
	for _, s := range w.shares(e) {
		s.calls--
	}
	if w.by[e.owner].calls == 0 {
		delete(w.by, e.owner)
	}
}

// reopen lets a call run again whose end said that it may be made again. It was
// not forgotten, since it may have had an effect.
func (w *window) reopen(e *windowEntry) {
	w.unkeep(e)
	e.done, e.conclusion = make(chan struct{}), conclusion{}
}

func (w *window) unkeep(e *windowEntry) {
	w.all.kept.Remove(e.inAll)
	w.by[e.owner].kept.Remove(e.inOwn)
}

// end implements ledger.
func (w *window) end(key callKey, out conclusion) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.settled(key, out)
	if e.changed {
		w.weigh(e, entryBytes+len(key.key)+out.size())
		e.inAll, e.inOwn = w.all.kept.PushBack(e), w.by[e.owner].kept.PushBack(e)
		return
	}
	w.leave(e)
	if w.idle.PushBack(e); w.idle.Len() > windowIdle {
		w.forgetIdle()
	}
}

// forget implements ledger.
func (w *window) forget(key callKey, out conclusion) {
	w.mu.Lock()
	if w.entries[key].changed {
		w.mu.Unlock()
		w.end(key, out) // an earlier run may have had an effect
		return
	}
	defer w.mu.Unlock()
	w.leave(w.settled(key, out))
	delete(w.entries, key)
}

// settled tells those who wait what became of a call.
func (w *window) settled(key callKey, out conclusion) *windowEntry {
	e := w.entries[key]
	e.conclusion, e.expires, e.changed = out, w.time().Add(windowAge), e.changed || out.changed()
	close(e.done)
	e.done = nil
	return e
}

// expire forgets calls that are too old. Ages are equal, so the oldest expire
// first, here and in each share.
func (w *window) expire() {
	now := w.time()
	old := func(l *list.List) bool { return l.Len() > 0 && !l.Front().Value.(*windowEntry).expires.After(now) }
	for old(&w.idle) {
		w.forgetIdle()
	}
	for old(&w.all.kept) {
		e := w.all.kept.Front().Value.(*windowEntry)
		w.unkeep(e)
		w.leave(e)
		delete(w.entries, e.key)
	}
}

func (w *window) forgetIdle() {
	e := w.idle.Remove(w.idle.Front()).(*windowEntry)
	delete(w.entries, e.key)
}

func (w *window) time() time.Time {
	if w.now != nil {
		return w.now()
	}
	return time.Now()
}
