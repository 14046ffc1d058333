package nws_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// recorded answers from the written exchanges.
func recorded(t testing.TB) http.RoundTripper {
	t.Helper()
	transport, err := replay.Open(os.DirFS("replay"))
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

func toolsOver(t testing.TB, transport http.RoundTripper) *nws.Tools {
	t.Helper()
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: transport}, NWS: upstream.API{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// handlerOver serves the tools; every answer is judged by its protocol's schema.
func handlerOver(t testing.TB, tools *nws.Tools) http.Handler {
	t.Helper()
	return golden.Judged(t, plainHandler(t, tools))
}

func plainHandler(t testing.TB, tools *nws.Tools) http.Handler {
	t.Helper()
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

const lookupID = "06c324c8-68b5-5df9-8726-03197c61e053"

// TestCatalogue fetches every document there is; the judge validates each.
func TestCatalogue(t *testing.T) {
	h := handlerOver(t, toolsOver(t, recorded(t)))
	for _, path := range []string{
		"/a2t/tools", "/a2t/tools?tag=alerts", "/nact/tools", "/a2t/tools/" + lookupID, "/a2t/tools/" + lookupID + "/versions",
		"/a2t/tools/" + lookupID + "/versions/1", "/otc/tools",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("GET %s: status %d", path, w.Code)
		}
	}
}

// TestInsideAnotherServer mounts A2T at the root of a server that has routes
// of its own, after its own middleware, with that server's handler as the
// upstream: no socket is opened, and the caller's header reaches the handler
// through the server's middleware alone.
func TestInsideAnotherServer(t *testing.T) {
	var seen []string
	recorded := recorded(t)
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("User-Agent"))
		resp, err := recorded.RoundTrip(upstreamRequest(r))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		var b bytes.Buffer
		_, _ = b.ReadFrom(resp.Body)
		_, _ = w.Write(b.Bytes())
	})
	tools, err := nws.New(nws.Config{Geo: upstream.API{Handler: backend}, NWS: upstream.API{Handler: backend}, NWSUserAgent: "own (me@example.com)"})
	if err != nil {
		t.Fatal(err)
	}
	a2t, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithProtocols(serve.ProtocolA2T), serve.WithPrefix(serve.ProtocolA2T, ""))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "about") })
	mux.Handle("/tools", a2t)
	mux.Handle("/tools/", a2t)
	calls := 0
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { calls++; mux.ServeHTTP(w, r) })

	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "/about", nil))
	if w.Body.String() != "about" {
		t.Errorf("the server's own route answers %q", w.Body)
	}
	got := doors.AskA2T("", ":")(t, &doors.Served{Set: tools.Toolset(), Judged: server}, &doors.Question{Tool: lookup, Inputs: in{"city": "Omaha, NE"}})
	if got.Outputs["temperature_f"] != 47.0 || calls != 2 {
		t.Errorf("answer %+v after %d requests", got, calls)
	}
	if len(seen) != 3 || seen[2] != "own (me@example.com)" {
		t.Errorf("the upstream saw %q", seen)
	}
}

// upstreamRequest gives a request that came to a handler the absolute URL that
// the exchanges were written under.
func upstreamRequest(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host = "https", "api.weather.gov"
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		out.URL.Host = "geocoding-api.open-meteo.com"
	}
	return out
}
