package serving

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/bench/weather"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A server serves until it is killed, and tells its address once it listens.
type server func(upstream string, bound func(net.Addr)) error

// servers are all of them, by the word of the command that starts one.
var servers = map[string]server{
	"upstream": func(_ string, bound func(net.Addr)) error { return plainServer(stub(), bound) },
	"sculpt":   sculpted,
	"proxy":    func(to string, bound func(net.Addr)) error { return plainServer(proxy(to), bound) },
	"hand":     func(to string, bound func(net.Addr)) error { return plainServer(byHand(to), bound) },
	"go-sdk":   func(to string, bound func(net.Addr)) error { return plainServer(officialSDK(to), bound) },
	"mcp-go":   func(to string, bound func(net.Addr)) error { return plainServer(markSDK(to), bound) },
}

// plainServer is a server of net/http with no option at all, which costs the
// least.
func plainServer(h http.Handler, bound func(net.Addr)) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	bound(listener.Addr())
	return (&http.Server{Handler: h}).Serve(listener) //nolint:gosec // no timeouts: the cheapest form, on loopback
}

// sculpted serves the generated tools as main.go of "sculpt init" does: with
// validation, limits, deadlines, host check and a log record for each call.
func sculpted(to string, bound func(net.Addr)) error {
	tools, err := weather.New(weather.Config{Weather: upstream.API{BaseURL: to}})
	if err != nil {
		return err
	}
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithUnreleased())
	if err != nil {
		return err
	}
	return serve.Run(context.Background(), "127.0.0.1:0", handler, serve.RunOptions{Bound: bound, Log: slog.Default()})
}

// tuned is the transport that everything else here uses: as many kept
// connections as there are callers, none of the proxy look-ups of the default
// one. It asks for gzip and unpacks it, as net/http does on its own.
func tuned() *http.Transport {
	return &http.Transport{MaxIdleConns: 1024, MaxIdleConnsPerHost: 1024, IdleConnTimeout: 90 * time.Second, ReadBufferSize: 16 << 10}
}

type buffers struct{ pool sync.Pool }

// Get implements httputil.BufferPool.
func (b *buffers) Get() []byte { return *b.pool.Get().(*[]byte) }

// Put implements httputil.BufferPool.
func (b *buffers) Put(p []byte) { b.pool.Put(&p) }

// proxy passes answers through. Callers get them unpacked, as those of the
// other servers do.
func proxy(to string) http.Handler {
	target, err := url.Parse(to)
	if err != nil {
		panic(err)
	}
	pool := &buffers{sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}}
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: tuned(), BufferPool: pool,
	}
}

// stub answers as the weather service: /gz before the path asks for a service
// that packs its answers.
func stub() http.Handler {
	mux := http.NewServeMux()
	for _, at := range []struct {
		path string
		body []byte
	}{{"/forecast", forecast(halfDays, 12*time.Hour)}, {"/forecast/hourly", forecast(hours, time.Hour)}} {
		for _, packed := range []bool{false, true} {
			body, prefix := at.body, ""
			if packed {
				body, prefix = pack(body), "/gz"
			}
			mux.HandleFunc("GET "+prefix+"/gridpoints/{office}/{cell}"+at.path, canned(body, packed))
		}
	}
	return mux
}

func canned(body []byte, packed bool) http.HandlerFunc {
	kind, length := []string{"application/geo+json"}, []string{fmt.Sprint(len(body))}
	return func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h["Content-Type"], h["Content-Length"] = kind, length
		if packed {
			h["Content-Encoding"] = []string{"gzip"}
		}
		_, _ = w.Write(body)
	}
}
