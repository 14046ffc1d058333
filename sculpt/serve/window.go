package serve

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	windowAge = 10 * time.Minute
	// windowBytes is what one remembered call may hold on average.
	windowBytes = 4 << 10
	// windowIdle is how many calls without an effect are remembered.
	windowIdle = 2048
)

// A window remembers the calls of a toolset that name themselves (OTC call_id,
// Idempotency-Key) for ten minutes, and answers who repeats one with what came
// of it. A call that had an effect, or may have had one, is never forgotten in
// that time: where there is no room, new calls are refused before anything
// happens. Each caller has a share of the room, see [Limits]. The zero value is
// ready for use.
type window struct {
	mu      sync.Mutex
	entries map[windowKey]*windowEntry
	all     windowShare
	by      map[string]*windowShare
	// idle are the finished calls without an effect, the oldest first. They take
	// no room from others.
	idle list.List
	now  func() time.Time
}

// windowOf returns the window of a toolset, nil for none.
func windowOf(w *tool.Window) *window {
	if w == nil {
		return nil
	}
	return w.State(func() any { return &window{} }).(*window)
}

// A windowKey is the caller and its word for the call: callers cannot see, or
// block, each other's calls.
type windowKey struct {
	who [sha256.Size]byte
	key string
}

// A windowShare is the room that calls take: those that run, and those that had
// an effect. kept holds the latter, the oldest first.
type windowShare struct {
	calls, bytes int
	kept         list.List
}

type windowEntry struct {
	windowCall
	done       chan struct{}
	conclusion conclusion
	expires    time.Time
	bytes      int
}

// A windowCall is a call that names itself. owner is the principal whose room it
// takes, digest what it does.
type windowCall struct {
	key    windowKey
	owner  string
	digest [sha256.Size]byte
}

// once runs a job that has a name, or returns what became of it the first time.
func (w *window) once(ctx context.Context, j *job, args tool.Args, l *Limits, run func() conclusion) conclusion {
	if w == nil {
		return conclusion{err: &tool.Error{Kind: tool.KindInternal, Developer: "the Toolset has no Window, so it cannot keep an idempotency key"}}
	}
	call := windowCall{windowKey{j.principal.Who(), j.inv.IdempotencyKey}, j.principal.ID, digestOf(j, args)}
	return w.do(ctx, call, l, run)
}

// do runs the call, or waits for and returns the conclusion of the same call that
// runs or ran before. The same key for another call is refused.
func (w *window) do(ctx context.Context, call windowCall, l *Limits, run func() conclusion) conclusion {
	w.mu.Lock()
	w.expire()
	if e := w.entries[call.key]; e != nil {
		w.mu.Unlock()
		return e.wait(ctx, call.digest)
	}
	if full := w.full(call.owner, l); full != nil {
		w.mu.Unlock()
		return conclusion{err: full}
	}
	e := &windowEntry{windowCall: call, done: make(chan struct{})}
	w.enter(e)
	w.mu.Unlock()
	// Should run panic in spite of everything, nobody may wait for ever.
	e.conclusion = conclusion{err: &tool.Error{Kind: tool.KindUnknownOutcome}, started: true}
	defer w.finish(e)
	e.conclusion = run()
	return e.conclusion
}

func (e *windowEntry) wait(ctx context.Context, digest [sha256.Size]byte) conclusion {
	if e.digest != digest {
		return conclusion{err: &tool.Error{Kind: tool.KindBadRequest, Code: "idempotency_key_reused",
			Message: "This call id or idempotency key was used for another call."}}
	}
	select {
	case <-e.done:
		return e.conclusion
	case <-ctx.Done():
		return conclusion{err: &tool.Error{Kind: tool.KindTimeout, Retryable: true, Message: "The first call with this id is still running.", Err: ctx.Err()}}
	}
}

// full is the error of a call for which there is no room.
func (w *window) full(owner string, l *Limits) *tool.Error {
	const text = "Nothing was done, since no more calls can be remembered for now that must not be made twice. Try again later."
	e := &tool.Error{Kind: tool.KindRateLimited, Code: "replay_window_full", Message: text, Retryable: true}
	share := w.by[owner]
	if share == nil || !share.fills(l.ReplayPerPrincipal) {
		e.Kind, share = tool.KindUnavailable, &w.all
		if !share.fills(l.Replay) {
			return nil
		}
	}
	e.RetryAfter = time.Second // what runs may turn out to have no effect
	if oldest := share.kept.Front(); oldest != nil {
		e.RetryAfter = max(e.RetryAfter, oldest.Value.(*windowEntry).expires.Sub(w.time()))
	}
	return e
}

func (s *windowShare) fills(calls int) bool { return s.calls >= calls || s.bytes >= calls*windowBytes }

func (w *window) enter(e *windowEntry) {
	if w.entries == nil {
		w.entries, w.by = map[windowKey]*windowEntry{}, map[string]*windowShare{}
	}
	if w.by[e.owner] == nil {
		w.by[e.owner] = &windowShare{}
	}
	w.entries[e.key] = e
	w.all.calls++
	w.by[e.owner].calls++
}

// leave gives back the room of a call.
func (w *window) leave(e *windowEntry) {
	share := w.by[e.owner]
	for _, s := range []*windowShare{&w.all, share} {
		s.calls--
		s.bytes -= e.bytes
	}
	if share.calls == 0 {
		delete(w.by, e.owner)
	}
}

// finish keeps the conclusion, except for one that did nothing and may be tried
// again with the same key.
func (w *window) finish(e *windowEntry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer close(e.done)
	e.expires = w.time().Add(windowAge)
	if e.conclusion.changed() {
		e.bytes = len(e.key.key) + e.conclusion.size()
		for _, s := range []*windowShare{&w.all, w.by[e.owner]} {
			s.bytes += e.bytes
			s.kept.PushBack(e)
		}
		return
	}
	w.leave(e)
	if e.conclusion.err.Retryable {
		delete(w.entries, e.key)
		return
	}
	if w.idle.PushBack(e); w.idle.Len() > windowIdle {
		w.forgetIdle()
	}
}

// changed reports whether the call had an effect, or may have had one.
func (c *conclusion) changed() bool {
	return c.err == nil || c.err.Kind == tool.KindUnknownOutcome || len(c.err.EffectsDone) > 0
}

// size is about what a conclusion holds.
func (c *conclusion) size() int {
	n := 0
	for i := range c.result {
		n += len(c.result[i].JSON)
	}
	if c.typed != nil {
		n += windowBytes
	}
	return n
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
		e := w.all.kept.Remove(w.all.kept.Front()).(*windowEntry)
		own := &w.by[e.owner].kept
		own.Remove(own.Front())
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

// digestOf names a call by what it would do: the same call in another spelling
// of JSON is the same call.
func digestOf(j *job, args tool.Args) [sha256.Size]byte {
	b := make([]byte, 0, 256)
	field := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	field(j.tool.ID)
	b = binary.AppendUvarint(b, uint64(j.version.N))
	if j.typed {
		field("typed") // such an answer cannot be written to the wire
	}
	if p := j.principal; p.ID == "" {
		// Nobody but the credentials themselves tells such callers apart: the
		// result of one must not reach another who guesses its id.
		field(p.Authorization)
		for _, brought := range []map[string]string{p.Tokens, p.Secrets} {
			for _, id := range slices.Sorted(maps.Keys(brought)) {
				field(id)
				field(brought[id])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		field(name)
		switch v := args[name].(type) {
		case string:
			field("s" + v)
		case int64:
			b = binary.AppendVarint(append(b, 'i'), v)
		case bool:
			field(map[bool]string{true: "t", false: "f"}[v])
		}
	}
	return sha256.Sum256(b)
}
