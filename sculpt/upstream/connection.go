package upstream

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// send sends a request of the call once. The transport of net/http would send
// it again by itself on every connection of its pool that turns out to be dead,
// if it has a method that only reads or an Idempotency-Key; the second time is
// prevented here, so that attempts are what [Call.run] counts. anew wants a
// connection that is not from the pool, since one of those has just broken. The
// context is that of the attempt, and so ends after the body.
func (c *Call) send(ctx attemptContext, target *url.URL, header http.Header, anew bool) (*http.Response, error) {
	w := &wire{anew: anew, stop: ctx.stop}
	resp, err := c.u.transport.RoundTrip(c.request(w.watch(ctx.Context), target, header))
	if err == nil {
		return resp, nil
	}
	if !w.asked.Load() {
		return nil, err
	}
	return nil, &tracedError{err, w.taken.Load(), w.stale(err)}
}

// A tracedError is the error of a transport that told about its connections.
type tracedError struct {
	error
	// taken says that the request had a connection, handshakes done. Without
	// one it has not left.
	taken bool
	// stale says that the connection had served another request before, and ended
	// without a byte of this answer: backends close idle connections unannounced.
	stale bool
}

func (e *tracedError) Unwrap() error { return e.error }

// A wire watches the way of one request through the connections of net/http,
// also below a transport of the vendor. The hooks run in goroutines of the
// transport.
type wire struct {
	anew  bool
	stop  context.CancelFunc
	trace httptrace.ClientTrace
	// asked: a connection was wanted. taken: one was there. sent: the request
	// was written to it. refused: the connection at hand was closed at once, so
	// that nothing which is written to it arrives. reused: the request had a
	// connection that had served another one. begun: a byte of the answer came.
	asked, taken, sent, refused, reused, begun, stopped atomic.Bool
}

func (w *wire) watch(ctx context.Context) context.Context {
	w.trace = httptrace.ClientTrace{GetConn: w.want, GotConn: w.got, WroteHeaders: w.wrote, GotFirstResponseByte: w.began}
	return httptrace.WithClientTrace(ctx, &w.trace)
}

func (w *wire) want(string) { w.asked.Store(true) }

func (w *wire) began() { w.begun.Store(true) }

func (w *wire) wrote() {
	if !w.refused.Load() {
		w.sent.Store(true)
	}
}

// got looks at a connection before anything is written to it. Closing it is the
// one way to keep the request from being written: the transport looks at the
// context before it takes a connection, and after it has written.
func (w *wire) got(info httptrace.GotConnInfo) {
	if multiplexed(info.Conn) {
		w.taken.Store(true)
		w.reused.Store(info.Reused)
		return
	}
	again := w.sent.Load()
	refused := again || w.anew && info.Reused
	w.refused.Store(refused)
	if !refused {
		w.taken.Store(true)
		w.reused.Store(info.Reused)
		return
	}
	_ = info.Conn.Close()
	if again {
		w.stopped.Store(true)
		w.stop()
	}
}

// stale reports whether the request failed since its connection had ended before.
// A time that is up and a stream of HTTP/2 that the server has reset say something
// about this request.
func (w *wire) stale(err error) bool {
	if !w.reused.Load() || w.begun.Load() {
		return false
	}
	var timeout net.Error
	var reset streamError
	switch {
	case w.stopped.Load():
		return true // the error is that of our own end
	case errors.Is(err, context.Canceled), errors.As(err, &timeout) && timeout.Timeout(), errors.As(err, &reset):
		return false
	}
	return true
}

// A streamError has the form that the errors of net/http for a reset stream look
// for: it copies theirs, whose type is not exported.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "the stream was reset" }

// multiplexed reports whether others may use the connection too. HTTP/2 repeats
// only what the server says that it has not looked at.
func multiplexed(conn net.Conn) bool {
	c, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	return ok && c.ConnectionState().NegotiatedProtocol == "h2"
}
