package client_test

import (
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"

	nws "github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// server serves the example over all protocols.
func server(t *testing.T) *httptest.Server {
	t.Helper()
	recorded, err := replay.Open(os.DirFS("../../examples/nws/replay"))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

var doors = map[client.Protocol]string{
	client.ProtocolA2T: "/a2t", client.ProtocolNACT: "/nact", client.ProtocolOTC: "/otc", client.ProtocolOXP: "/otc", client.ProtocolMCP: "/mcp",
}

// TestEveryProtocol lists and calls the example over each protocol: the same
// inputs, the same outputs, and the same fault for the same mistake.
func TestEveryProtocol(t *testing.T) {
	s := server(t)
	for p, path := range doors {
		c, err := client.New(p, s.URL+path)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := c.Tools(t.Context())
		if err != nil || len(tools) != 5 {
			t.Fatalf("%s: %d tools, %v", p, len(tools), err)
		}
		lookup := tools[4]
		if lookup.Name != "lookup_weather_by_city" || len(lookup.Inputs) != 3 || lookup.Input("city").MaxLength != 100 || lookup.Input("period").Default != "NOW" {
			t.Errorf("%s: %+v", p, lookup)
		}
		r, err := c.Invoke(t.Context(), lookup, client.Call{Arguments: map[string]any{"city": "Omaha, Nebraska"}})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if got, want := string(r.Document()), `{"place":"Omaha","state":"Nebraska","period_name":"This Afternoon","temperature_f":47,"figure":"HIGH","rain_percent":0,"summary":"Mostly Sunny","wind":"10 to 15 mph NW"}`; got != want {
			t.Errorf("%s: got  %s\nwant %s", p, got, want)
		}
		_, err = c.Invoke(t.Context(), lookup, client.Call{Arguments: map[string]any{"town": "Omaha, Nebraska"}})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || !e.Local || e.Fault.Kind != tool.KindInvalidInput || len(e.Fault.Issues) != 2 {
			t.Errorf("%s: %v", p, err)
		}
	}
}
