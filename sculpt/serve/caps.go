package serve

import (
	"sync"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// caps bounds how many calls are under way at once, those included that wait for a
// place at an api. It refuses rather than queues: without memory for a call there is
// none to let it wait either.
type caps struct {
	mu      sync.Mutex
	all     int
	by      map[string]int
	most    int
	mostOne int
}

func newCaps(l Limits) *caps {
	return &caps{by: map[string]int{}, most: l.Concurrent, mostOne: max(l.forOne(), l.PerPrincipal)}
}

// limit replaces the limits that l states. It is for a handler that serves
// nobody yet.
func (s *Handler) limit(l Limits) {
	with := func(to *int, from int) {
		if from > 0 {
			*to = from
		}
	}
	own := &s.limits
	with(&own.Bodies, l.Bodies)
	with(&own.Connections, l.Connections)
	with(&own.Concurrent, l.Concurrent)
	if l.Concurrent > 0 {
		own.PerAPI = 0 // its default follows
	}
	with(&own.PerAPI, l.PerAPI)
	with(&own.PerPrincipal, l.PerPrincipal)
	if l.Waiting != 0 {
		own.Waiting = l.Waiting
	}
	with(&own.Replay, l.Replay)
	with(&own.ReplayPerPrincipal, l.ReplayPerPrincipal)
	with(&own.ReplayBytes, l.ReplayBytes)
	if l.Body > 0 {
		own.Body = l.Body
	}
	own.fill()
	s.caps = newCaps(*own)
	if l.Deadline <= 0 {
		return
	}
	own.Deadline, s.tools.longest = l.Deadline, 0
	for _, t := range s.tools.tools {
		if t.Deadline <= 0 {
			t.deadline = l.Deadline
		}
		s.tools.longest = max(s.tools.longest, t.deadline)
	}
}

// enter takes a place for a call of the principal, which leave gives back.
func (c *caps) enter(principal string) *tool.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.most {
		return &tool.Error{Kind: tool.KindUnavailable, Retryable: true, Message: "The server is busy. Try again in a moment.", Err: &cause.Error{Word: cause.Busy}}
	}
	if principal != "" {
		if c.by[principal] >= c.mostOne {
			return &tool.Error{Kind: tool.KindRateLimited, Retryable: true, Message: "Too many of your calls run at once. Wait for one to end.", Err: &cause.Error{Word: cause.Busy}}
		}
		c.by[principal]++
	}
	c.all++
	return nil
}

func (c *caps) leave(principal string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if principal == "" {
		return
	}
	if c.by[principal]--; c.by[principal] == 0 {
		delete(c.by, principal)
	}
}
