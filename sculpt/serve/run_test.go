package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// start runs a server on a free loopback port until the test ends.
func start(t *testing.T, h http.Handler, opts serve.RunOptions) (addr string, stop func() error) {
	t.Helper()
	bound := make(chan net.Addr, 1)
	opts.Bound, opts.Log = func(a net.Addr) { bound <- a }, quiet
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- serve.Run(ctx, "127.0.0.1:0", h, opts) }()
	select {
	case a := <-bound:
		stop = func() error {
			cancel()
			select {
			case err := <-done:
				done <- err
				return err
			case <-time.After(5 * time.Second):
				return errors.New("the server does not end")
			}
		}
		t.Cleanup(func() {
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
		return a.String(), stop
	case err := <-done:
		cancel()
		t.Fatal(err)
	}
	return "", nil
}

func plainServer(t *testing.T, options ...serve.Option) (http.Handler, *weather) {
	t.Helper()
	w := newWeather(t)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, append(options, serve.WithLogger(quiet))...)
	if err != nil {
		t.Fatal(err)
	}
	return h, w
}

func TestRunRefusals(t *testing.T) {
	open, _ := plainServer(t)
	closed, _ := plainServer(t, serve.WithAuthenticator(keys()))
	around := func(h http.Handler) http.Handler {
		return serve.Wrap(h, func(next http.Handler) http.Handler { return http.StripPrefix("", next) })
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		addr string
		h    http.Handler
		opts serve.RunOptions
		want string
	}{
		"anonymous":       {"0.0.0.0:0", open, serve.RunOptions{Hosts: []string{"*"}}, "has no authenticator"},
		"all interfaces":  {":0", open, serve.RunOptions{Hosts: []string{"*"}}, "has no authenticator"},
		"by name":         {"tools.example:0", open, serve.RunOptions{Hosts: []string{"*"}}, "has no authenticator"},
		"not found":       {"127.0.0.1:0", http.HandlerFunc(closed.ServeHTTP), serve.RunOptions{AllowAnonymous: true}, "no handler of NewHandler in a http.HandlerFunc"},
		"in a mux":        {"127.0.0.1:0", http.NewServeMux(), serve.RunOptions{}, "no handler of NewHandler in a *http.ServeMux"},
		"in itself":       {"127.0.0.1:0", &endless{}, serve.RunOptions{}, "no handler of NewHandler"},
		"wrapped":         {"0.0.0.0:0", around(open), serve.RunOptions{Hosts: []string{"*"}}, "has no authenticator"},
		"wrapped may":     {"0.0.0.0:0", around(around(closed)), serve.RunOptions{Hosts: []string{"*"}}, ""},
		"no hosts":        {"0.0.0.0:0", closed, serve.RunOptions{}, "set Hosts"},
		"no port":         {"127.0.0.1", open, serve.RunOptions{}, "missing port"},
		"no handler":      {"127.0.0.1:0", nil, serve.RunOptions{}, "no handler of NewHandler in a <nil>"},
		"closed may":      {"0.0.0.0:0", closed, serve.RunOptions{Hosts: []string{"*"}}, ""},
		"allow anonymous": {"0.0.0.0:0", open, serve.RunOptions{Hosts: []string{"*"}, AllowAnonymous: true}, ""},
		"localhost":       {"localhost:0", open, serve.RunOptions{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.opts.DrainDelay, c.opts.Log = -1, quiet
			err := serve.Run(ended, c.addr, c.h, c.opts)
			if c.want == "" {
				// The context has ended, so a server that may start ends at once.
				if err != nil && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "operation was canceled") {
					t.Errorf("Run refuses: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// An endless handler unwraps to itself.
type endless struct{ http.ServeMux }

func (e *endless) Unwrap() http.Handler { return e }

func TestNextPort(t *testing.T) {
	h, _ := plainServer(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	ctx, cancel := context.WithCancel(context.Background())
	opts := serve.RunOptions{DrainDelay: -1, Log: quiet}
	if err := serve.Run(ctx, busy.Addr().String(), h, opts); err == nil {
		t.Error("a busy port is taken")
	}
	opts.NextPort = true
	opts.Bound = func(a net.Addr) {
		if got, old := a.(*net.TCPAddr).Port, busy.Addr().(*net.TCPAddr).Port; got <= old || got > old+20 {
			t.Errorf("port %d after %d", got, old)
		}
		cancel()
	}
	if err := serve.Run(ctx, busy.Addr().String(), h, opts); err != nil {
		t.Error(err)
	}
}

func TestHostsAndOrigins(t *testing.T) {
	h, _ := plainServer(t, serve.WithOrigins("https://app.example"))
	addr, _ := start(t, h, serve.RunOptions{DrainDelay: -1, Hosts: []string{"Tools.Example"}})
	port := addr[strings.LastIndexByte(addr, ':'):]
	probe, _ := http.NewRequest("GET", "http://"+addr+"/readyz", nil)
	probe.Host = "10.1.2.3"
	if resp, err := http.DefaultClient.Do(probe); err != nil || resp.Body.Close() != nil || resp.StatusCode != 200 {
		t.Errorf("a probe by address is refused: %v, %v", resp, err)
	}
	for _, c := range []struct {
		host, origin, site string
		status             int
	}{
		{addr, "", "", 200},
		{"localhost" + port, "", "", 200},
		{"[::1]" + port, "", "", 200},
		{"tools.example", "", "", 200},
		{"tools.example:443", "", "", 200},
		{"evil.example" + port, "", "", 403},
		{"127.0.0.1.evil.example", "", "", 403},
		{"evil.example" + port, "http://evil.example" + port, "same-origin", 403},
		{addr, "http://" + addr, "", 200},
		{addr, "https://app.example", "cross-site", 200},
		{addr, "https://evil.example", "", 403},
		{addr, "null", "", 403},
		{addr, "", "cross-site", 403},
	} {
		r, _ := http.NewRequest("POST", "http://"+addr+"/a2t"+lookupPath+":invoke", strings.NewReader(invocation("city", "x")))
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("host %q origin %q site %q: %d %s, want %d", c.host, c.origin, c.site, resp.StatusCode, body, c.status)
		}
	}
}

func TestSlowHeadersAreCut(t *testing.T) {
	h, _ := plainServer(t)
	addr, _ := start(t, h, serve.RunOptions{DrainDelay: -1, ReadHeaderTimeout: 100 * time.Millisecond, ReadTimeout: 200 * time.Millisecond})
	for name, text := range map[string]string{
		"headers": "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"body":    "POST /a2t" + lookupPath + ":invoke HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, text)
		_ = conn.SetReadDeadline(time.Now().Add(3 * time.Second))
		rest, err := io.ReadAll(conn)
		if err != nil {
			t.Errorf("slow %s: the connection stays open: %v", name, err)
		}
		if strings.Contains(string(rest), " 200 ") {
			t.Errorf("slow %s: %s", name, rest)
		}
	}
	long := "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n"
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { fmt.Fprint(conn, long) }()
	line, _ := bufio.NewReader(conn).ReadString('\n')
	if !strings.Contains(line, "431") {
		t.Errorf("64 KiB of headers: %q", line)
	}
}

func TestShutdown(t *testing.T) {
	h, w := plainServer(t)
	w.backend.hold = make(chan struct{})
	addr, stop := start(t, h, serve.RunOptions{DrainDelay: 300 * time.Millisecond})
	get := func(path string) int {
		resp, err := http.Get("http://" + addr + path)
		if err != nil {
			return 0
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if get("/readyz") != 200 || get("/otc/health") != 200 {
		t.Fatal("the server is not ready")
	}
	answered := make(chan string, 1)
	go func() {
		resp, err := http.Post("http://"+addr+"/a2t"+reportPath+":invoke", "application/json", strings.NewReader(invocation("place", "Omaha")))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		answered <- resp.Status
	}()
	for w.backend.reports.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	deadline := time.Now().Add(time.Second)
	for get("/readyz") != 503 {
		if time.Now().After(deadline) {
			t.Fatal("/readyz does not turn to 503")
		}
	}
	if got := get("/otc/health"); got != 503 {
		t.Errorf("/otc/health is %d", got)
	}
	if got := get("/healthz"); got != 200 {
		t.Errorf("/healthz is %d", got)
	}
	if got := get("/a2t/tools"); got != 200 {
		t.Errorf("a draining server answers %d", got)
	}
	close(w.backend.hold)
	if got := <-answered; got != "200 OK" {
		t.Errorf("the running call got %s", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if get("/healthz") != 0 {
		t.Error("the server still answers")
	}
}

// TestShutdownCancels ends a call that does not end by itself.
func TestShutdownCancels(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	began := make(chan struct{})
	set.Tools[2].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	addr, stop := start(t, h, serve.RunOptions{DrainDelay: -1, DrainTimeout: 50 * time.Millisecond})
	status := make(chan int, 1)
	go func() {
		resp, err := http.Post("http://"+addr+"/a2t"+reportPath+":invoke", "application/json", strings.NewReader(invocation("place", "Omaha")))
		if err != nil {
			status <- 0
			return
		}
		resp.Body.Close()
		status <- resp.StatusCode
	}()
	<-began
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := <-status; got != 409 {
		t.Errorf("the canceled effect got %d, want 409", got)
	}
}

// TestRunGuardsTheLog: a server of its own does so without being told.
func TestRunGuardsTheLog(t *testing.T) {
	var written bytes.Buffer
	log.SetOutput(&written)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	ctx, stop := context.WithCancel(t.Context())
	h, _ := plainServer(t)
	err := serve.Run(ctx, "127.0.0.1:0", h, serve.RunOptions{DrainDelay: -1, Bound: func(net.Addr) {
		log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=<nil>", "secret")
		stop()
	}})
	if err != nil || !strings.Contains(written.String(), "Unsolicited") || strings.Contains(written.String(), "secret") {
		t.Errorf("%v, the log holds %q", err, &written)
	}
}

// TestRunLeavesRoomToTheCollector: a program whose heap is small is not collected
// all the time, unless who runs it said how.
func TestRunLeavesRoomToTheCollector(t *testing.T) {
	next := func(env ...string) (bytes uint64) {
		for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
			t.Setenv(name, "")
		}
		for _, name := range env {
			t.Setenv(name, "1000MiB")
		}
		ctx, stop := context.WithCancel(t.Context())
		h, _ := plainServer(t)
		err := serve.Run(ctx, "127.0.0.1:0", h, serve.RunOptions{DrainDelay: -1, Bound: func(net.Addr) {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			bytes = m.NextGC - m.HeapAlloc
			stop()
		}})
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	if room := next(); room < 32<<20 {
		t.Errorf("the next collection comes after %d bytes", room)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if room := next(name); room >= 32<<20 {
			t.Errorf("%s is set: the next collection comes after %d bytes", name, room)
		}
	}
}
