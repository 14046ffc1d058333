package serving

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/bench/weather"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// What a call of get_forecast may allocate, with the sockets on both of its sides
// and all that a server has by default. Load does not change it: row S7, and most
// of what the rows of processor time hang on.
const (
	mostAllocations = 128
	mostBytes       = 16 << 10
)

// TestCallAllocations calls a server of this process over sockets. The other ends
// allocate nothing: the upstream writes prepared bytes, the caller counts them.
func TestCallAllocations(t *testing.T) {
	addr := serveTools(t, cannedUpstream(t, forecast(halfDays, 12*time.Hour)))
	a := asks["sculpt"]
	request := a.bytes(addr)
	c, err := dial(addr)
	if err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	if status, err := c.call(request, &first); err != nil || status != http.StatusOK || !bytes.Contains(first.Bytes(), []byte(a.wants)) {
		t.Fatal(status, err, &first)
	}
	call := func() {
		if _, err := c.conn.Write(request); err != nil {
			t.Fatal(err)
		}
		for length := 0; length != 2; { // of the lines before the body
			line, err := c.r.ReadSlice('\n')
			if err != nil {
				t.Fatal(err)
			}
			length = len(line)
		}
		if _, err := c.r.Discard(first.Len()); err != nil {
			t.Fatal(err)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 200 {
		call()
	}
	const calls = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&after)
	allocations, size := (after.Mallocs-before.Mallocs)/calls, (after.TotalAlloc-before.TotalAlloc)/calls
	t.Logf("%d allocations, %d bytes", allocations, size)
	if allocations > mostAllocations || size > mostBytes {
		t.Errorf("a call makes %d allocations of %d bytes, more than %d or %d", allocations, size, mostAllocations, mostBytes)
	}
}

// serveTools serves package weather with all defaults.
func serveTools(t *testing.T, up string) (addr string) {
	t.Helper()
	tools, err := weather.New(weather.Config{Weather: upstream.API{BaseURL: "http://" + up}})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil)) //nolint:sloglint // a discarding handler would have no record made
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithUnreleased(), serve.WithLogger(log))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	bound, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- serve.Run(ctx, "127.0.0.1:0", handler, serve.RunOptions{DrainDelay: -1, Bound: func(a net.Addr) { bound <- a.String() }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return <-bound
}

// cannedUpstream answers every request with a body, and looks no further than
// where a request ends.
func cannedUpstream(t *testing.T, body []byte) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	answer := append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/geo+json\r\nContent-Length: %d\r\nDate: Sun, 22 Nov 2026 08:00:00 GMT\r\n\r\n", len(body)), body...)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				r := bufio.NewReader(conn)
				for {
					line, err := r.ReadSlice('\n')
					if err != nil {
						return
					}
					if len(line) == 2 {
						_, _ = conn.Write(answer)
					}
				}
			}()
		}
	}()
	return listener.Addr().String()
}
