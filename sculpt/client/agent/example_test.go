package agent_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"os"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A model of OpenAI's format asks for the weather, and is told.
func Example() {
	server := weatherServer()
	// What a model answers to a request that has box.List(agent.OpenAIChat) as its tools.
	response := []byte(`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c1","type":"function",
		"function":{"name":"lookup_weather_by_city","arguments":"{\"city\":\"Omaha, Nebraska\"}"}}]}}]}`)

	ctx := context.Background()
	weather, err := client.New(client.ProtocolA2T, server.URL+"/a2t")
	if err != nil {
		log.Fatal(err)
	}
	tools, err := weather.Tools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	var entries []agent.Entry
	for _, one := range tools {
		entries = append(entries, agent.Entry{Server: weather, Tool: one})
	}
	box, err := agent.New(entries, agent.WithPolicy(agent.Policy{Billable: agent.Deny}))
	if err != nil {
		log.Fatal(err)
	}
	calls, err := agent.OpenAIChat.Calls(response)
	if err != nil {
		log.Fatal(err)
	}
	messages, err := agent.OpenAIChat.Messages(box.Run(ctx, calls))
	if err != nil {
		log.Fatal(err)
	}
	server.Close()
	fmt.Printf("%s\n", messages[0])
	// Output: {"content":"{\"data\":{\"place\":\"Omaha\",\"state\":\"Nebraska\",\"period_name\":\"This Afternoon\",\"temperature_f\":47,\"figure\":\"HIGH\",\"rain_percent\":0,\"summary\":\"Mostly Sunny\",\"wind\":\"10 to 15 mph NW\"}}","role":"tool","tool_call_id":"c1"}
}

// weatherServer serves the weather tools over their written answers.
func weatherServer() *httptest.Server {
	recorded, err := replay.Open(os.DirFS("../../../examples/nws/replay"))
	if err != nil {
		log.Fatal(err)
	}
	tools, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		log.Fatal(err)
	}
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(h)
}
