package upstream

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	// longestQueue is how long a call waits for a place at its api. Who has waited for
	// so long learns more from a refusal than from a late answer.
	longestQueue = 5 * time.Second
	// queueBytes bounds what the requests hold that wait for one api, waiterBytes is
	// what each of them holds besides its own bytes.
	queueBytes  = 64 << 20
	waiterBytes = 16 << 10
)

// A share says how many calls may be under way at an api, see [Within].
type share struct{ perAPI, perCaller, waiting int }

// mostOf is how much of n one caller may have: never all of it, so that another one
// finds room.
func mostOf(n int) int { return max(min(n, 1), n-max(1, n/4)) }

type shareKey struct{}

// A gate has the places of one api, for those who call it. Callers who wait take
// turns, the calls of one are first come, first served.
type gate struct {
	mu      sync.Mutex
	running int
	// by has the calls that run by their caller; those of nobody are not in it.
	by map[string]int
	// lines are those who wait, by their caller; turn has them as *line, the next
	// one first.
	lines map[string]*line
	turn  list.List
	// waiting and bytes are the sums of the lines.
	waiting, bytes int
}

// A line is what one caller has waiting at an api.
type line struct {
	caller string
	at     *list.Element
	// waiters are *waiter, the oldest first.
	waiters list.List
	bytes   int
}

// A waiter is a call that waits for a place.
type waiter struct {
	line  *line
	at    *list.Element
	share share
	bytes int
	// ready is closed when the place is there, and at is nil as soon as it waits no more.
	ready chan struct{}
}

// fits reports whether a call of the caller may run now.
func (g *gate) fits(caller string, s share) bool {
	return g.running < s.perAPI && !g.full(caller, s)
}

// full reports whether the caller has all places of one caller. Those that nobody
// has vouched for cannot be told apart.
func (g *gate) full(caller string, s share) bool {
	return caller != "" && s.perCaller > 0 && g.by[caller] >= s.perCaller
}

func (g *gate) take(caller string) {
	g.running++
	if caller == "" {
		return
	}
	if g.by == nil {
		g.by = map[string]int{}
	}
	g.by[caller]++
}

// An entry is what became of a call that wants a place.
type entry uint8

const (
	entered entry = iota
	waits
	// crowded and hogged: there is no room to wait either, for anybody or for this
	// caller.
	crowded
	hogged
)

// enter takes a place or joins a line.
func (g *gate) enter(caller string, s share, bytes int) (*waiter, entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[caller]
	switch {
	case s.perAPI <= 0, l == nil && g.fits(caller, s):
		g.take(caller)
		return nil, entered
	case caller != "" && l != nil && (l.waiters.Len() >= mostOf(s.waiting) || l.bytes+bytes > mostOf(queueBytes)):
		return nil, hogged
	case (g.waiting >= s.waiting || g.bytes+bytes > queueBytes) && g.full(caller, s):
		return nil, hogged
	case g.waiting >= s.waiting || g.bytes+bytes > queueBytes:
		return nil, crowded
	}
	if l == nil {
		l = &line{caller: caller}
		l.at = g.turn.PushBack(l)
		if g.lines == nil {
			g.lines = map[string]*line{}
		}
		g.lines[caller] = l
	}
	w := &waiter{line: l, share: s, bytes: bytes, ready: make(chan struct{})}
	w.at = l.waiters.PushBack(w)
	g.waiting++
	l.bytes += bytes
	g.bytes += bytes
	return w, waits
}

// leave gives a place back, and to those who wait for it.
func (g *gate) leave(caller string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	if caller != "" {
		if g.by[caller]--; g.by[caller] == 0 {
			delete(g.by, caller)
		}
	}
	for e := g.turn.Front(); e != nil; {
		l := e.Value.(*line)
		w := l.waiters.Front().Value.(*waiter)
		if !g.fits(l.caller, w.share) {
			e = e.Next()
			continue
		}
		g.turn.MoveToBack(e)
		g.remove(w)
		g.take(l.caller)
		close(w.ready)
		e = g.turn.Front()
	}
}

// remove takes a waiter out of its line.
func (g *gate) remove(w *waiter) {
	l := w.line
	l.waiters.Remove(w.at)
	w.at = nil
	g.waiting--
	l.bytes -= w.bytes
	g.bytes -= w.bytes
	if l.waiters.Len() == 0 {
		g.turn.Remove(l.at)
		delete(g.lines, l.caller)
	}
}

// abandon ends waiting, unless the place has just come; full is that of the caller.
func (g *gate) abandon(w *waiter) (gone, full bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.at == nil {
		return false, false
	}
	g.remove(w)
	return true, g.full(w.line.caller, w.share)
}

// enter takes one of the places that ctx leaves to calls of the api and of its
// caller, who is returned for leave. It waits for a moment where there is none.
func (c *Call) enter(ctx context.Context) (caller string, err error) {
	b, _ := ctx.Value(shareKey{}).(*bounded)
	var s share
	if b != nil && b.share.perAPI > 0 {
		s, caller = b.share, tool.CallerOf(ctx).ID
	}
	g := &c.u.gate
	w, how := g.enter(caller, s, c.held())
	switch how {
	case entered:
		return caller, nil
	case crowded, hogged:
		return "", c.busy(how == hogged)
	}
	until := time.Now().Add(longestQueue)
	if !c.latest.IsZero() && c.latest.Before(until) {
		until = c.latest
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-w.ready:
		return caller, nil
	case <-ctx.Done():
	case <-timer.C:
	}
	gone, full := g.abandon(w)
	switch {
	case !gone:
		return caller, nil
	case errors.Is(ctx.Err(), context.Canceled):
		return "", c.interrupted(ctx, false)
	}
	return "", c.busy(full)
}

// busy is the error of a call that got no place: ofCaller says that its caller has all that one
// caller may have, or the api has too much to do.
func (c *Call) busy(ofCaller bool) error {
	c.why = cause.Busy
	if ofCaller {
		return &tool.Error{Kind: tool.KindRateLimited, Step: c.step, Retryable: true, Message: "Too many of your calls run at once. Wait for one to end.",
			Developer: "the caller has as many calls under way at api " + c.u.name + " as serve.Limits.PerPrincipal allows"}
	}
	return &tool.Error{Kind: tool.KindUnavailable, Step: c.step, Retryable: true, Message: "The service behind this tool is busy. Try again in a moment.",
		Developer: "api " + c.u.name + " has as many calls under way as serve.Limits.PerAPI allows"}
}

// held is how many bytes the request holds while it waits.
func (c *Call) held() int {
	n := waiterBytes + len(c.path) + len(c.query) + len(c.body)
	for _, part := range c.parts {
		n += len(part)
	}
	return n
}
