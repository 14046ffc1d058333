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
)

const (
	dedupAge     = 10 * time.Minute
	dedupEntries = 8192
	dedupBytes   = 32 << 20
)

// A dedup runs calls with the same key once and keeps their conclusion for ten
// minutes (OTC call_id, Idempotency-Key). It is bounded in entries and bytes:
// beyond that the oldest finished call is forgotten.
type dedup struct {
	mu      sync.Mutex
	entries map[dedupKey]*dedupEntry
	// finished holds the keys of finished calls, oldest first.
	finished list.List
	bytes    int
	now      func() time.Time
}

// A dedupKey is the caller and its word for the call: authenticated callers
// cannot see, or block, each other's calls.
type dedupKey struct{ principal, key string }

type dedupEntry struct {
	digest     [sha256.Size]byte
	done       chan struct{}
	conclusion conclusion
	expires    time.Time
	bytes      int
}

func newDedup() *dedup {
	return &dedup{entries: map[dedupKey]*dedupEntry{}, now: time.Now}
}

// do runs the call, or waits for and returns the conclusion of the same call that
// runs or ran before. The same key for another call is refused.
func (d *dedup) do(ctx context.Context, key dedupKey, digest [sha256.Size]byte, run func() conclusion) conclusion {
	d.mu.Lock()
	d.expire()
	if e := d.entries[key]; e != nil {
		d.mu.Unlock()
		return e.wait(ctx, digest)
	}
	e := &dedupEntry{digest: digest, done: make(chan struct{})}
	d.entries[key] = e
	d.mu.Unlock()
	// Should run panic in spite of everything, nobody may wait for ever.
	e.conclusion = conclusion{err: &Error{Kind: UnknownOutcome}, started: true}
	defer d.finish(key, e)
	e.conclusion = run()
	return e.conclusion
}

func (e *dedupEntry) wait(ctx context.Context, digest [sha256.Size]byte) conclusion {
	if e.digest != digest {
		return conclusion{err: &Error{Kind: BadRequest, Code: "idempotency_key_reused",
			Message: "This call id or idempotency key was used for another call."}}
	}
	select {
	case <-e.done:
		return e.conclusion
	case <-ctx.Done():
		return conclusion{err: &Error{Kind: Timeout, Retryable: true, Message: "The first call with this id is still running.", Err: ctx.Err()}}
	}
}

// finish keeps the conclusion, except for one that did nothing and may be tried
// again with the same key.
func (d *dedup) finish(key dedupKey, e *dedupEntry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(e.done)
	if err := e.conclusion.err; err != nil && err.Retryable && len(err.EffectsDone) == 0 {
		delete(d.entries, key)
		return
	}
	for i := range e.conclusion.result {
		e.bytes += len(e.conclusion.result[i].JSON)
	}
	e.expires = d.now().Add(dedupAge)
	d.bytes += e.bytes
	d.finished.PushBack(key)
	for d.finished.Len() > dedupEntries || d.bytes > dedupBytes && d.finished.Len() > 1 {
		d.forget()
	}
}

// expire forgets calls that are too old. Ages are equal, so the oldest expire
// first.
func (d *dedup) expire() {
	now := d.now()
	for front := d.finished.Front(); front != nil; front = d.finished.Front() {
		if d.entries[front.Value.(dedupKey)].expires.After(now) {
			return
		}
		d.forget()
	}
}

func (d *dedup) forget() {
	key := d.finished.Remove(d.finished.Front()).(dedupKey)
	d.bytes -= d.entries[key].bytes
	delete(d.entries, key)
}

// digestOf names a call by what it would do: the same call in another spelling
// of JSON is the same call.
func digestOf(j *job, args Args) [sha256.Size]byte {
	b := make([]byte, 0, 256)
	field := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	field(j.tool.ID)
	b = binary.AppendUvarint(b, uint64(j.version.N))
	field(j.principal.UserID)
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
