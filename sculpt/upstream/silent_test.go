package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A leaver is a backend that answers one request of a connection and closes it
// unannounced: leave decides when.
type leaver struct {
	net.Listener
	leave func(net.Conn, *bufio.Reader)
	// tokens are given at /token.
	tokens atomic.Int64
	// answered counts the requests that were.
	answered atomic.Int64
}

func newLeaver(t *testing.T, leave func(net.Conn, *bufio.Reader)) *leaver {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &leaver{Listener: l, leave: leave}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go b.talk(conn)
		}
	}()
	return b
}

func (b *leaver) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, req.Body)
	body := thingJSON
	if req.URL.Path == "/token" {
		body = fmt.Sprintf(`{"access_token":"t%d","token_type":"bearer"}`, b.tokens.Add(1))
	} else {
		b.answered.Add(1)
	}
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	b.leave(conn, r)
}

// leaving are the moments at which a connection ends that nobody has announced the
// end of.
var leaving = map[string]func(net.Conn, *bufio.Reader){
	"after the answer":        func(net.Conn, *bufio.Reader) {},
	"with a reset":            func(c net.Conn, _ *bufio.Reader) { _ = c.(*net.TCPConn).SetLinger(0) },
	"when a request arrives":  func(_ net.Conn, r *bufio.Reader) { _, _ = r.Peek(1) },
	"after half of a request": func(_ net.Conn, r *bufio.Reader) { _, _ = r.Peek(40) },
}

// TestSilentlyClosedConnections: a read that meets a connection of the pool that
// the backend has closed does not fail, also where it has one attempt, and costs
// nothing of the budget.
func TestSilentlyClosedConnections(t *testing.T) {
	const reads, atOnce = 2500, 5 // at each of the four moments
	for name, leave := range leaving {
		t.Run(name, func(t *testing.T) {
			b := newLeaver(t, leave)
			u := newTestUpstream(t, Spec{BaseURL: "http://" + b.Addr().String(), Attempts: 1}, API{})
			var failed atomic.Int64
			var wg sync.WaitGroup
			for range atOnce {
				wg.Go(func() {
					for range reads / atOnce {
						if _, err := getThing(u, EffectRead); err != nil && failed.Add(1) == 1 {
							t.Error(err)
						}
					}
				})
			}
			wg.Wait()
			if n := failed.Load(); n > 0 {
				t.Errorf("%d of %d reads failed", n, reads)
			}
			if n := b.answered.Load(); n != reads {
				t.Errorf("%d reads were answered, want %d", n, reads)
			}
		})
	}
}

// TestTokensOverClosedConnections: the same for a request of a token, unless it uses
// up what it is asked with.
func TestTokensOverClosedConnections(t *testing.T) {
	const callers = 300
	for name, leave := range leaving {
		t.Run(name, func(t *testing.T) {
			b := newLeaver(t, leave)
			base := "http://" + b.Addr().String()
			u := newTestUpstream(t, Spec{BaseURL: base, Attempts: 1, Credentials: []Credential{{
				Scheme: "o", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "token_exchange", TokenURL: base + "/token", ClientID: "c", Value: "s",
			}}}, API{})
			for n := range callers {
				c := u.Call("find", "GET", EffectRead)
				c.Credentials("o")
				c.Path("/things")
				ctx := tool.WithPrincipal(t.Context(), &tool.Principal{Authorization: fmt.Sprint("Bearer caller", n)})
				if _, err := Do(ctx, c, scanThing); err != nil {
					t.Fatalf("caller %d: %v", n, err)
				}
			}
			if n := b.tokens.Load(); n != callers {
				t.Errorf("%d tokens were given, want %d", n, callers)
			}
		})
	}
	b := newLeaver(t, leaving["when a request arrives"])
	base := "http://" + b.Addr().String()
	u := newTestUpstream(t, Spec{BaseURL: base, Attempts: 1, Credentials: []Credential{{
		Scheme: "o", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "refresh_token", TokenURL: base + "/token", ClientID: "c", Value: "s", Refresh: "once",
	}}}, API{})
	if _, err := getThing(u, EffectRead); err != nil {
		t.Fatal(err)
	}
	c := u.Call("find", "GET", EffectRead)
	c.Credentials("o")
	if _, err := Do(t.Context(), c, scanThing); tool.KindOf(err) != tool.KindUnavailable || err == nil || b.tokens.Load() != 0 {
		t.Errorf("a refresh token that may have been used was sent again: %v, %d tokens", err, b.tokens.Load())
	}
}

// TestOneFreeRepeat counts what arrives where the second connection dies as well:
// a repeat is free once in an attempt, on another connection, and for reads alone.
func TestOneFreeRepeat(t *testing.T) {
	for name, c := range map[string]struct {
		effect   Effect
		attempts int
		want     int32
		kind     tool.Kind
	}{
		"read":                 {EffectRead, 1, 2, tool.KindUnavailable},
		"read, three attempts": {EffectRead, 3, 4, tool.KindUnavailable}, // the others have no connection to reuse
		"put":                  {EffectIdempotent, 1, 1, tool.KindUnavailable},
		"post":                 {EffectUnsafe, 3, 1, tool.KindUnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 1)
			u := newTestUpstream(t, Spec{BaseURL: "http://" + p.Addr().String(), Attempts: c.attempts}, API{})
			u.budget.tokens = budgetBurst
			if _, err := getThing(u, EffectRead); err != nil {
				t.Fatal(err)
			}
			p.broken.Store(true)
			p.epoch.Store(1)
			_, err := getThing(u, c.effect)
			checkFault(t, thing{}, err, c.kind, "", "")
			if n := p.asked.Load(); n != c.want {
				t.Errorf("the backend was asked %d times, want %d", n, c.want)
			}
		})
	}
}

// TestNoFreeRepeat: an answer that has begun, a time that is up and a connection
// that nobody had used before are not what the free repeat is for.
func TestNoFreeRepeat(t *testing.T) {
	for name, c := range map[string]struct {
		// second is what the backend does with the second request of a connection.
		second func(net.Conn)
		// warm: there is a first one.
		warm bool
	}{
		"begun answer":     {func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 2") }, true},
		"interim answer":   {func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 103 Early Hints\r\n\r\n") }, true},
		"fresh connection": {func(net.Conn) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			var asked atomic.Int32
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					r := bufio.NewReader(conn)
					for n := 0; ; n++ {
						if _, err := http.ReadRequest(r); err != nil {
							break
						}
						asked.Add(1)
						if n == 1 || !c.warm {
							c.second(conn)
							break
						}
						_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(thingJSON), thingJSON)
					}
					_ = conn.Close()
				}
			}()
			u := newTestUpstream(t, Spec{BaseURL: "http://" + l.Addr().String(), Attempts: 1}, API{})
			want := int32(1)
			if c.warm {
				want = 2
				if _, err := getThing(u, EffectRead); err != nil {
					t.Fatal(err)
				}
			}
			_, err = getThing(u, EffectRead)
			checkFault(t, thing{}, err, tool.KindUnavailable, "", "")
			if n := asked.Load(); n != want {
				t.Errorf("the backend was asked %d times, want %d", n, want)
			}
		})
	}
}

// TestSilentlyClosedHTTP2: the same over HTTP/2, whose connections many requests
// share.
func TestSilentlyClosedHTTP2(t *testing.T) {
	const reads = 200
	var asked atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(http.StatusOK, "application/json", thingJSON)(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	// What the transport writes on a connection that was cut arrives nowhere.
	tr := server.Client().Transport.(*http.Transport).Clone()
	var last atomic.Pointer[cutConn]
	tr.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		cut := &cutConn{Conn: raw}
		last.Store(cut)
		return cut, err
	}
	u := newTestUpstream(t, Spec{BaseURL: server.URL, Attempts: 1}, API{Transport: tr})
	for n := range reads {
		if _, err := getThing(u, EffectRead); err != nil {
			t.Fatalf("read %d: %v", n, err)
		}
		last.Load().cut.Store(true)
	}
	if n := asked.Load(); n != reads {
		t.Errorf("%d requests arrived, want %d", n, reads)
	}
	u = newTestUpstream(t, Spec{BaseURL: server.URL, Attempts: 1}, API{Transport: tr})
	_, err := getThing(u, EffectUnsafe)
	want := int64(reads)
	if err == nil {
		want++ // the transport has noticed before, and took another connection
	}
	if n := asked.Load(); n != want {
		t.Errorf("%d requests arrived after a POST (%v), want %d", n, err, want)
	}
}

// A cutConn is a connection whose other end has gone, once it is cut: it notices when
// it writes.
type cutConn struct {
	net.Conn
	cut atomic.Bool
}

var errCut = errors.New("write: broken pipe")

func (c *cutConn) Write(p []byte) (int, error) {
	if c.cut.Load() {
		_ = c.Conn.Close()
		return 0, errCut
	}
	return c.Conn.Write(p)
}
