package upstream

import (
	"bufio"
	"context"
	"crypto/tls"
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

// A pool is a backend on bare connections. It answers until it is told that the
// connections that it has are dead: those take a request and break.
type pool struct {
	net.Listener
	mu   sync.Mutex
	held []chan struct{}
	want int
	// dead is set for connections that exist; fresh ones answer unless broken.
	epoch  atomic.Int32
	broken atomic.Bool
	asked  atomic.Int32
}

func newPool(t *testing.T, want int) *pool {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &pool{Listener: l, want: want}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.talk(conn, p.epoch.Load())
		}
	}()
	return p
}

func (p *pool) talk(conn net.Conn, born int32) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		if p.epoch.Load() == 0 {
			<-p.together()
		} else if p.asked.Add(1); p.broken.Load() || born == 0 {
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(thingJSON), thingJSON)
	}
}

// together lets as many requests wait for each other as there shall be
// connections.
func (p *pool) together() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := make(chan struct{})
	if p.held = append(p.held, done); len(p.held) == p.want {
		for _, c := range p.held {
			close(c)
		}
		p.held = nil
	}
	return done
}

// TestOneAttemptIsOneRequest counts what arrives at a backend all of whose kept
// connections are dead: net/http sends a request again on each of them. A read has
// one repeat beside its attempts.
func TestOneAttemptIsOneRequest(t *testing.T) {
	const kept = 12
	tests := []struct {
		name   string
		method string
		effect Effect
		set    func(*Call)
		broken bool
		most   int32
		kind   tool.Kind
	}{
		{"read", "GET", EffectRead, nil, true, 4, tool.KindUnavailable},
		{"read, one attempt", "GET", EffectRead, func(c *Call) { c.Attempts(1) }, true, 2, tool.KindUnavailable},
		{"read, alive again, two attempts", "GET", EffectRead, func(c *Call) { c.Attempts(2) }, false, 2, fine},
		{"read, alive again", "GET", EffectRead, nil, false, 2, fine},
		{"read, alive again, one attempt", "GET", EffectRead, func(c *Call) { c.Attempts(1) }, false, 2, fine},
		{"read by post, alive again", "POST", EffectRead, func(c *Call) { c.Body("application/json", []byte("{}")) }, false, 2, fine},
		{"put, alive again", "PUT", EffectIdempotent, func(c *Call) { c.Body("application/json", []byte("{}")) }, false, 3, fine},
		{"put with key", "PUT", EffectIdempotent, func(c *Call) { c.Header("Idempotency-Key", "k") }, true, 3, tool.KindUnavailable},
		{"post", "POST", EffectUnsafe, func(c *Call) { c.Body("application/json", []byte("{}")) }, false, 1, tool.KindUnknownOutcome},
		{"post with key", "POST", EffectUnsafe, func(c *Call) {
			c.Header("Idempotency-Key", "k")
			c.Body("application/json", []byte("{}"))
		}, false, 1, tool.KindUnknownOutcome},
		{"post with key without body", "POST", EffectUnsafe, func(c *Call) { c.Header("Idempotency-Key", "k") }, false, 1, tool.KindUnknownOutcome},
		{"billable get", "GET", EffectUnsafe, nil, false, 1, tool.KindUnknownOutcome},
	}
	for _, test := range tests {
		for name, transport := range map[string]http.RoundTripper{"ours": NewTransport(), "theirs": &http.Transport{MaxIdleConnsPerHost: kept}} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				p := newPool(t, kept)
				u := newTestUpstream(t, Spec{BaseURL: "http://" + p.Addr().String()}, API{Transport: transport})
				var wg sync.WaitGroup
				for range kept {
					wg.Go(func() {
						if _, err := getThing(u, EffectRead); err != nil {
							t.Error(err)
						}
					})
				}
				wg.Wait()
				p.broken.Store(test.broken)
				p.epoch.Store(1)
				c := u.Call("find", test.method, test.effect)
				if test.set != nil {
					test.set(c)
				}
				got, err := Do(context.Background(), c, scanThing)
				checkFault(t, got, err, test.kind, "", "")
				if n := p.asked.Load(); n != test.most {
					t.Errorf("the backend was asked %d times, want %d", n, test.most)
				}
			})
		}
	}
}

// TestGarbageAfterTheHandshake answers a request over TLS with bytes that are not
// TLS: the request has arrived, so this is not the fault of a handshake.
func TestGarbageAfterTheHandshake(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	cert := server.TLS.Certificates
	client := server.Client()
	server.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			conn := tls.Server(raw, &tls.Config{Certificates: cert})
			if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.Copy(io.Discard, req.Body)
			}
			_, _ = io.WriteString(raw, "SSH-2.0-something else\r\n")
			_ = raw.Close()
		}
	}()
	for _, effect := range []Effect{EffectRead, EffectIdempotent, EffectUnsafe} {
		u := newTestUpstream(t, Spec{BaseURL: "https://" + l.Addr().String()}, API{Transport: client.Transport})
		_, err := getThing(u, effect)
		want := tool.KindUnavailable
		if effect == EffectUnsafe {
			want = tool.KindUnknownOutcome
		}
		checkFault(t, thing{}, err, want, "", "")
	}
}

// TestNoConnectionNoOutcome: whatever hinders a connection, nothing was sent.
func TestNoConnectionNoOutcome(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close() // in the middle of the handshake
		}
	}()
	u := newTestUpstream(t, Spec{BaseURL: "https://" + l.Addr().String()}, API{})
	_, err = getThing(u, EffectUnsafe)
	checkFault(t, thing{}, err, tool.KindUnavailable, "", "")
}

// TestErrorCaseOfUnknownOutcome: a text of the manifest does not tell whether
// the call took effect, unless it says that it may be repeated, or is final.
func TestErrorCaseOfUnknownOutcome(t *testing.T) {
	for _, status := range []int{302, 500, 503} {
		for rule, want := range map[RetryRule]tool.Kind{RetryDefault: tool.KindUnknownOutcome, RetrySame: tool.KindUnavailable, RetryNever: tool.KindRejected} {
			u := newTestUpstream(t, Spec{}, API{Handler: answer(status, "", "")})
			c := u.Call("pay", "POST", EffectUnsafe)
			c.On(Case{Status: status, Retry: rule, Fail: func() error {
				e := &tool.Error{Kind: tool.KindUnavailable, Code: "busy", Message: "Come back.", Hint: "Wait.", Step: "pay", Retryable: true}
				if rule == RetryNever {
					e.Kind, e.Retryable = tool.KindRejected, false
				}
				return e
			}})
			_, err := Do[struct{}](context.Background(), c, nil)
			var e *tool.Error
			if !errors.As(err, &e) || e.Kind != want || e.Retryable != (want == tool.KindUnavailable) || e.Code != "busy" || e.Message != "Come back." {
				t.Errorf("%d with rule %d: %+v", status, rule, e)
			}
		}
	}
}
