package serve_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// The weather tools in a server that has pages of its own: the tools answer below
// /tools, the rest stays as it is.
func ExampleNewHandler() {
	recorded, err := replay.Open(os.DirFS("../../examples/nws/replay")) // offline
	if err != nil {
		panic(err)
	}
	api := upstream.API{Transport: recorded}
	tools, err := nws.New(nws.Config{Geo: api, NWS: api})
	if err != nil {
		panic(err)
	}
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()},
		serve.WithBase("/tools"),
		serve.WithProtocols(serve.ProtocolA2T, serve.ProtocolMCP),
		serve.WithAuthenticator(serve.StaticKeys("X-API-Key", map[string]tool.Principal{"s3cret": {ID: "ann"}})),
		serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "the page of the vendor") })
	mux.Handle("/tools/", handler)

	for _, key := range []string{"", "s3cret"} {
		r := httptest.NewRequest("POST", "/tools/a2t/tools/06c324c8-68b5-5df9-8726-03197c61e053:invoke",
			strings.NewReader(`{"input_parameters":[{"name":"city","value":"Omaha, Nebraska"},{"name":"period","value":"TONIGHT"}]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-API-Key", key)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Body)
		fmt.Println(w.Code, strings.Contains(string(body), `"name":"temperature_f"`))
	}
	// Output:
	// 401 false
	// 200 true
}
