package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// RunOptions change what Run does. The zero value is right for a server on
// loopback.
type RunOptions struct {
	// AllowAnonymous lets a server without authenticator listen on an address
	// that other machines can reach.
	AllowAnonymous bool
	// Hosts are the names, without port, by which the server may be called
	// besides loopback names and the address it listens on; "*" allows any.
	// Requests for other hosts are refused: a foreign page can make its own
	// name mean this machine (DNS rebinding). A server that is not on loopback
	// needs at least one.
	Hosts []string
	// NextPort takes one of the next 20 ports if the port is busy.
	NextPort bool
	// Bound is told the address, once the server listens.
	Bound func(net.Addr)
	// Limits replaces limits of the handler: for what the operator of the program
	// says, while [WithLimits] is for who wrote it. A zero field leaves what is set.
	Limits Limits
	// TLS switches to HTTPS, and HTTP/2.
	TLS *tls.Config
	// ReadHeaderTimeout and ReadTimeout bound how long a request may arrive;
	// defaults 5 s and 15 s.
	ReadHeaderTimeout, ReadTimeout time.Duration
	// WriteTimeout bounds a request from its headers to its answer; default
	// 5 s more than the longest deadline of a tool.
	WriteTimeout time.Duration
	// IdleTimeout bounds how long a connection is kept; default 60 s.
	IdleTimeout time.Duration
	// DrainDelay is how long the server goes on after /readyz says 503, so
	// that load balancers notice; default 3 s, negative for none.
	DrainDelay time.Duration
	// DrainTimeout is how long running calls may take then; default 25 s.
	DrainTimeout time.Duration
	// Log receives what net/http complains about; default [slog.Default].
	Log *slog.Logger
}

// Limits that are not worth an option.
const (
	headerBytes  = 32 << 10
	http2Streams = 100
	portTries    = 20
)

// Run serves handler on addr, a TCP address such as "127.0.0.1:8080", until
// ctx ends; then /readyz answers 503 at once, the server drains, running calls
// that take too long are canceled, and Run returns nil. It prints nothing, and
// guards the log of the process ([upstream.GuardLog]).
//
// The handler is one of [NewHandler], or wraps one: Run takes deadlines and limits from
// it and asks whether it has an authenticator, so one in which it cannot be found is
// an error ([Wrap]).
//
// Run refuses to start on an address that other machines can reach when the handler
// has no authenticator, unless AllowAnonymous is set.
//
// A heap as small as that of these tools would be collected many times a second
// under load, so Run lets it grow by 32 MiB between two collections, unless the
// variables GOGC or GOMEMLIMIT say what the program should do.
//
// Besides limits it adds what a server of its own needs and a handler inside
// another server would not want: the Host allow-list and the refusal of
// cross-origin calls.
func Run(ctx context.Context, addr string, handler http.Handler, opts RunOptions) error {
	own, err := unwrap(handler)
	if err != nil {
		return err
	}
	loopback, err := isLoopback(addr)
	if err != nil {
		return err
	}
	if !loopback && !opts.AllowAnonymous && !own.authenticated() {
		return fmt.Errorf("serve: %s can be reached by other machines and the handler has no authenticator: "+
			"use WithAuthenticator, listen on 127.0.0.1, or set AllowAnonymous", addr)
	}
	if !loopback && len(opts.Hosts) == 0 {
		return fmt.Errorf("serve: %s can be reached by other machines: set Hosts to the names of the server, or to \"*\"", addr)
	}
	if opts.Limits != (Limits{}) {
		own.limit(opts.Limits)
	}
	opts.fill(max(DefaultDeadline, own.longestCall()))
	guarded := opts.guard(addr, own, handler)
	listener, err := listen(ctx, addr, opts.NextPort)
	if err != nil {
		return err
	}
	upstream.GuardLog()
	ballast := heapBallast()
	defer runtime.KeepAlive(ballast)
	if opts.Bound != nil {
		opts.Bound(listener.Addr())
	}
	return opts.serve(ctx, listener, guarded, newConnections(own.limits.Connections))
}

// heapRoom is how many bytes Run lets be allocated between two collections, at
// least; 2,000 calls or so.
const heapRoom = 32 << 20

// heapBallast counts as part of the heap, whose growth by as much as there is
// begins a collection. It is never written, so the system gives no memory for it.
func heapBallast() []byte {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if os.Getenv(name) != "" {
			return nil
		}
	}
	return make([]byte, heapRoom)
}

func (o *RunOptions) fill(longest time.Duration) {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&o.ReadHeaderTimeout, 5*time.Second)
	set(&o.ReadTimeout, 15*time.Second)
	set(&o.WriteTimeout, longest+5*time.Second)
	set(&o.IdleTimeout, time.Minute)
	set(&o.DrainDelay, 3*time.Second)
	set(&o.DrainTimeout, 25*time.Second)
	if o.Log == nil {
		o.Log = slog.Default()
	}
}

// isLoopback reports whether only this machine can reach the address. A name
// is not looked up: what it means may change.
func isLoopback(addr string) (bool, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, fmt.Errorf("serve: address %q: %w", addr, err)
	}
	return loopbackName(host), nil
}

func loopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// listen opens the port, or one of the next ones if it is busy.
func listen(ctx context.Context, addr string, next bool) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err == nil || !next || !errors.Is(err, syscall.EADDRINUSE) {
		return listener, err
	}
	host, text, _ := net.SplitHostPort(addr)
	port, atoi := strconv.Atoi(text)
	if atoi != nil || port == 0 {
		return nil, err
	}
	for i := 1; i <= portTries && port+i <= 65535; i++ {
		listener, later := config.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port+i)))
		if later == nil {
			return listener, nil
		}
	}
	return nil, err
}

// guard lets only requests for known hosts reach the handler.
func (o *RunOptions) guard(addr string, own *Handler, handler http.Handler) http.Handler {
	allowed := map[string]bool{}
	for _, host := range o.Hosts {
		allowed[strings.ToLower(host)] = true
	}
	if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
		allowed[strings.ToLower(host)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Probes come by the address of the machine, and learn nothing.
		if !own.isProbe(r.URL.Path) && !allowed["*"] && !allowedHost(r.Host, allowed) {
			foreign(&exchange{w: w, r: r})
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// foreign answers a request of a page, or for a host, that may not call.
func foreign(x *exchange) {
	failProblem(x, &tool.Error{Kind: tool.KindForbidden, Message: "This host or origin may not call this server."}, nil, "")
}

// guarded reports whether a request came through [Run], which looks at hosts.
func guarded(ctx context.Context) bool {
	_, ok := ctx.Value(lifetimeKey{}).(*lifetime)
	return ok
}

func allowedHost(host string, allowed map[string]bool) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return loopbackName(host) || allowed[strings.ToLower(host)]
}

// A lifetime travels in the context of every connection, through whatever
// middleware lies between Run and the handlers: they learn from it that the
// server is shutting down.
type lifetime struct {
	leaving atomic.Bool
	// over ends when running calls must stop.
	over context.Context
	// tasks are calls that nobody waits for any more.
	tasks sync.WaitGroup
}

// settle waits for the tasks. A server that goes has no new ones.
func (l *lifetime) settle(ctx context.Context) {
	ended := make(chan struct{})
	go func() { l.tasks.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

type lifetimeKey struct{}

// draining reports whether the server of the request is shutting down.
func draining(ctx context.Context) bool {
	life, ok := ctx.Value(lifetimeKey{}).(*lifetime)
	return ok && life.leaving.Load()
}

// detachedContext has the values of a request but not its end: it ends with
// the server only.
type detachedContext struct {
	context.Context
	values context.Context
}

// Value implements context.Context.
func (d detachedContext) Value(key any) any { return d.values.Value(key) }

func detached(ctx context.Context) context.Context {
	if life, ok := ctx.Value(lifetimeKey{}).(*lifetime); ok {
		return detachedContext{life.over, ctx}
	}
	return context.WithoutCancel(ctx)
}

func (o *RunOptions) serve(ctx context.Context, listener net.Listener, handler http.Handler, open *connections) error {
	over, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	life := &lifetime{over: over}
	base := context.WithValue(over, lifetimeKey{}, life)
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: o.ReadHeaderTimeout,
		ReadTimeout:       o.ReadTimeout,
		WriteTimeout:      o.WriteTimeout,
		IdleTimeout:       o.IdleTimeout,
		ConnState:         open.note,
		MaxHeaderBytes:    headerBytes,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: http2Streams},
		TLSConfig:         o.TLS,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() {
		if o.TLS != nil {
			failed <- server.ServeTLS(listener, "", "")
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	life.leaving.Store(true)
	if o.DrainDelay > 0 {
		select {
		case <-time.After(o.DrainDelay):
		case err := <-failed:
			return err
		}
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.DrainTimeout)
	defer cancel()
	if server.Shutdown(limit) == nil {
		life.settle(limit)
		return nil
	}
	// Cancel what still runs, and give it a moment to answer so.
	stop()
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancelLast()
	if server.Shutdown(last) != nil {
		return server.Close()
	}
	return nil
}
