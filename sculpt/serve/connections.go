package serve

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connections bounds how many connections are open. It is told by net/http what
// becomes of each.
type connections struct {
	most int

	mu   sync.Mutex
	open map[net.Conn]*connection
	by   map[string]int
	// idle are those that wait for another request, fresh those whose first one has
	// not come; the oldest are first.
	idle, fresh list.List
}

type connection struct {
	from string
	// in is the list that it is in, at its place there; nil while a request is
	// answered.
	in *list.List
	at *list.Element
}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*connection{}, by: map[string]int{}}
}

// note is the ConnState of an http.Server.
func (s *connections) note(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.enter(c)
	case http.StateActive:
		s.move(c, nil)
	case http.StateIdle:
		s.move(c, &s.idle)
	case http.StateClosed, http.StateHijacked:
		s.leave(c)
	}
}

// enter takes a new connection in, and closes another one, or this one, where that
// is one too many.
func (s *connections) enter(c net.Conn) {
	k := &connection{from: addressOf(c.RemoteAddr().String())}
	s.open[c] = k
	s.by[k.from]++
	s.move(c, &s.fresh)
	switch {
	case s.by[k.from] > s.most-s.most/4:
		s.drop(c)
	case len(s.open) > s.most:
		victim := c
		for _, waiting := range []*list.List{&s.fresh, &s.idle} {
			if oldest := waiting.Front(); oldest != nil {
				victim = oldest.Value.(net.Conn)
			}
		}
		s.drop(victim)
	}
}

// drop closes a connection. It counts no longer: whoever serves it learns of it later.
func (s *connections) drop(c net.Conn) {
	s.leave(c)
	if tls, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = tls.NetConn() // a farewell could wait for a client that does not read
	}
	_ = c.Close()
}

func (s *connections) move(c net.Conn, to *list.List) {
	k := s.open[c]
	if k == nil {
		return
	}
	if k.in != nil {
		k.in.Remove(k.at)
	}
	if k.in = to; to != nil {
		k.at = to.PushBack(c)
	}
}

func (s *connections) leave(c net.Conn) {
	k := s.open[c]
	if k == nil {
		return
	}
	s.move(c, nil)
	delete(s.open, c)
	if s.by[k.from]--; s.by[k.from] == 0 {
		delete(s.by, k.from)
	}
}
