// Command production serves the refund tool of the cookbook to other machines. It
// is what docs/production.md quotes: who may call, how much, what is logged and
// counted, and how it ends.
package main

import (
	"errors"
	"expvar"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/sculpt-tools/sculpt/examples/cookbook/refund"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	toolcli.Main(toolcli.Program{
		Docs:    refund.Docs(),
		Handler: func() (http.Handler, error) { return newHandler(os.LookupEnv, log) },
		Serve:   options(log),
	})
}

// options are those of a server that a proxy with TLS stands before.
func options(log *slog.Logger) serve.RunOptions {
	return serve.RunOptions{
		Hosts:        []string{"tools.shop.example"}, // the name that callers use; the proxy passes it on
		DrainDelay:   5 * time.Second,                // as long as the load balancer takes to see /readyz
		DrainTimeout: 25 * time.Second,               // less than the time between SIGTERM and SIGKILL
		Log:          log,
		Bound: func(at net.Addr) {
			log.Info("listening", "address", at.String())
			metrics := &http.Server{Addr: "127.0.0.1:9090", Handler: expvar.Handler(), ReadHeaderTimeout: time.Second}
			go func() { log.Error("metrics", "error", metrics.ListenAndServe()) }()
		},
	}
}

// newHandler refuses to start where something is not configured.
func newHandler(lookup func(string) (string, bool), log *slog.Logger) (http.Handler, error) {
	cfg, err := refund.ConfigFromEnv(lookup)
	if err != nil {
		return nil, err
	}
	key, ok := lookup("DESK_KEY")
	if !ok {
		return nil, errors.New("DESK_KEY is not set")
	}
	cfg.Mollie.Transport = counted{upstream.NewTransport()}
	tools, err := refund.New(cfg)
	if err != nil {
		return nil, err
	}
	return serve.NewHandler([]tool.Toolset{tools.Toolset()},
		serve.WithUnreleased(), // a recipe has no releases; your tools have
		serve.WithProtocols(serve.ProtocolA2T, serve.ProtocolMCP),
		serve.WithAuthenticator(serve.StaticKeys("X-API-Key", map[string]tool.Principal{
			key: {ID: "desk", Claims: map[string]string{"role": "support"}},
		})),
		serve.WithOrigins("https://desk.shop.example"), // pages of other origins are refused
		serve.WithLimits(serve.Limits{Concurrent: 512, PerPrincipal: 32, Body: 64 << 10, Deadline: 20 * time.Second}),
		serve.WithLogger(log),
	)
}

// requests are the requests to each api by status, "mollie 201".
var requests = expvar.NewMap("upstream_requests")

// counted counts what is sent. A RoundTripper is also the place for spans and for
// signatures, and upstream.InfoOf says which api a request belongs to.
type counted struct{ next http.RoundTripper }

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	info, _ := upstream.InfoOf(r.Context())
	resp, err := c.next.RoundTrip(r)
	status := "failed"
	if err == nil {
		status = strconv.Itoa(resp.StatusCode)
	}
	requests.Add(info.API+" "+status, 1)
	return resp, err
}
