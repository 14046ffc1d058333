package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A hostile is a server whose lists never end. page writes the elements of page n,
// and rest what goes beside them.
type hostile struct {
	page     func(w io.Writer, n int)
	cursor   func(n int) string
	header   http.Header
	requests atomic.Int64
	stream   bool
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := int(h.requests.Add(1))
	maps.Copy(w.Header(), h.header)
	next := fmt.Sprint("c", n)
	if h.cursor != nil {
		next = h.cursor(n)
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet { // A2T, OTC
		fmt.Fprint(w, `{"tools":[],"paging":{"next":"`+next+`"},"items":[`)
		h.page(w, n)
		fmt.Fprint(w, `]}`)
		return
	}
	raw, _ := io.ReadAll(r.Body)
	_, id, _ := strings.Cut(string(raw), `"id":`)
	id, _, _ = strings.Cut(id, ",")
	if strings.Contains(string(raw), "server/discover") {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"]}}`, id)
		return
	}
	if h.stream {
		w.Header().Set("Content-Type", "text/event-stream")
		h.page(w, n)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"nextCursor":"%s","tools":[`, id, next)
	h.page(w, n)
	fmt.Fprint(w, `]}}`)
}

// repeated writes the text again and again with commas between, for ever unless the
// client goes away; most is how many bytes are too many for any client.
func repeated(text string, most int) func(io.Writer, int) {
	block := strings.Repeat(text+",", 1+(64<<10)/len(text))
	return func(w io.Writer, _ int) {
		for n := 0; n < most; n += len(block) {
			if _, err := io.WriteString(w, block); err != nil {
				return
			}
		}
		_, _ = io.WriteString(w, text)
	}
}

// peak runs a function and returns by how much the heap grew at most, sampled.
func peak(run func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is garbage is not what is kept
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, m.HeapAlloc
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	run()
	close(done)
	<-ended
	return most - before
}

const plainTool = `{"toolId":"t","id":"K.T","name":"t","version":1,"description":"x","inputSchema":{},"input_schema":{}}`

// TestHostileLists: a server that does not want to end takes less than 64 MiB and a
// bounded number of requests, and the error names the bound.
func TestHostileLists(t *testing.T) {
	golden.NotRaced(t)
	const mega = 1 << 20
	fat := strings.Replace(plainTool, `"x"`, `"`+strings.Repeat("x", 10_000)+`"`, 1)
	names := func(form string, n int) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	many := func(n int) string {
		return `{"toolId":"t","id":"K.T","name":"t","version":1,"input_parameters":[` + names(`{"name":"a%d"}`, n) +
			`],"inputSchema":{"properties":{` + names(`"a%d":{}`, n) + `}},"input_schema":{"properties":{` + names(`"a%d":{}`, n) + `}}}`
	}
	values := strings.TrimSuffix(plainTool, "}") + `,"tags":["a"` + strings.Repeat(`,"a"`, 100_000) + `]}`
	all := []client.Protocol{client.ProtocolA2T, client.ProtocolNACT, client.ProtocolOTC, client.ProtocolOXP, client.ProtocolMCP}
	paged := []client.Protocol{client.ProtocolA2T, client.ProtocolMCP}
	for name, c := range map[string]struct {
		server   *hostile
		want     string
		speak    []client.Protocol
		requests int64
	}{
		"a page that does not end":      {&hostile{page: repeated(fat, 1<<30)}, "more than 8388608 bytes", all, 2},
		"pages that do not end":         {&hostile{page: repeated(fat, mega/2)}, "more than 8388608 bytes", paged, 20},
		"small tools":                   {&hostile{page: repeated(plainTool, mega/8)}, "more than 10000 tools", paged, 20},
		"numbers":                       {&hostile{page: repeated("1", 7*mega)}, "more than 10000 tools", all, 2},
		"empty objects, page by page":   {&hostile{page: repeated("{}", 2000)}, "more than 10000 tools", paged, 50},
		"one tool on each page":         {&hostile{page: repeated(plainTool, 0)}, "more than 1000 pages", paged, 1001},
		"empty pages":                   {&hostile{page: func(io.Writer, int) {}}, "10 pages in a row", paged, 11},
		"a cursor again":                {&hostile{page: repeated(plainTool, 0), cursor: func(int) string { return "c" }}, "circle", paged, 3},
		"two cursors again":             {&hostile{page: repeated(plainTool, 0), cursor: func(n int) string { return fmt.Sprint(n % 2) }}, "circle", paged, 4},
		"long cursors":                  {&hostile{page: repeated(plainTool, 0), cursor: func(n int) string { return fmt.Sprint(n, strings.Repeat("c", 900_000)) }}, "", paged, 30},
		"inputs":                        {&hostile{page: repeated(many(900), mega/2)}, "inputs, outputs, values and tags", paged, 20},
		"inputs on one page":            {&hostile{page: repeated(many(900), 7*mega)}, "inputs, outputs, values and tags", all, 2},
		"more inputs than a tool has":   {&hostile{page: repeated(many(20_000), 6*mega)}, "more than 8388608 bytes", paged, 20},
		"tags":                          {&hostile{page: repeated(values, 6*mega)}, "", all, 20},
		"headers that are kept":         {&hostile{page: repeated(plainTool, 0), header: http.Header{"Etag": {`"a"`}, "X": {strings.Repeat("x", 100_000)}}}, "more than 1000 pages", paged, 1001},
		"a stream of empty lines":       {&hostile{stream: true, page: func(w io.Writer, _ int) { flood(w, "\n") }}, "", []client.Protocol{client.ProtocolMCP}, 10},
		"a stream of empty events":      {&hostile{stream: true, page: func(w io.Writer, _ int) { flood(w, "data:{}\n\n") }}, "", []client.Protocol{client.ProtocolMCP}, 10},
		"a stream of one endless event": {&hostile{stream: true, page: func(w io.Writer, _ int) { flood(w, "data:\n") }}, "", []client.Protocol{client.ProtocolMCP}, 10},
	} {
		for _, p := range c.speak {
			t.Run(name+" of "+string(p), func(t *testing.T) {
				h := &hostile{page: c.server.page, cursor: c.server.cursor, header: c.server.header, stream: c.server.stream}
				s := httptest.NewServer(h)
				defer s.Close()
				ctx, stop := context.WithTimeout(t.Context(), 50*time.Second)
				defer stop()
				server, err := client.New(p, s.URL)
				if err != nil {
					t.Fatal(err)
				}
				var tools []*client.Tool
				grown := peak(func() { tools, err = server.Tools(ctx) })
				t.Logf("%d MiB, %d requests: %v", grown>>20, h.requests.Load(), err)
				if err == nil && (p == client.ProtocolA2T || p == client.ProtocolMCP) || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %s", err, c.want)
				}
				if grown > 64<<20 || h.requests.Load() > c.requests {
					t.Errorf("the heap grew by %d MiB in %d requests", grown>>20, h.requests.Load())
				}
				runtime.KeepAlive(tools)
				if p == client.ProtocolA2T && h.cursor == nil {
					if _, err = server.Versions(ctx, "t"); err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("versions: %v", err)
					}
				}
			})
		}
	}
}

func flood(w io.Writer, text string) {
	block := strings.Repeat(text, (64<<10)/len(text))
	for range 1 << 14 {
		if _, err := io.WriteString(w, block); err != nil {
			return
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A trickle is a body of which a byte comes every second.
type trickle struct{ ctx context.Context }

// Read implements io.Reader.
func (b trickle) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
}

// TestTricklingList: a list ends after a minute, however slowly its bytes or its
// pages come, where the caller has set no deadline.
func TestTricklingList(t *testing.T) {
	for _, p := range []client.Protocol{client.ProtocolA2T, client.ProtocolNACT, client.ProtocolOTC, client.ProtocolOXP, client.ProtocolMCP} {
		for name, list := range map[string]func(context.Context, *client.Server) error{
			"tools":    func(ctx context.Context, s *client.Server) error { _, err := s.Tools(ctx); return err },
			"versions": func(ctx context.Context, s *client.Server) error { _, err := s.Versions(ctx, "t"); return err },
			"tool":     func(ctx context.Context, s *client.Server) error { _, err := s.Tool(ctx, "t"); return err },
		} {
			t.Run(string(p)+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					server, err := client.New(p, "https://tools.example", client.WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(trickle{r.Context()}), Request: r}, nil
					})}))
					if err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					err = list(t.Context(), server)
					e, ok := errors.AsType[*client.Error](err)
					if !ok || e.Fault.Kind != tool.KindTimeout || !strings.Contains(err.Error(), "after 1m0s") || time.Since(began) > 61*time.Second {
						t.Errorf("%v after %s", err, time.Since(began))
					}
				})
			})
		}
	}
}
