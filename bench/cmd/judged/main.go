// Command judged serves what foreign judges look at, without a network: the
// weather tools of the example from their recorded answers, the fixtures of the
// conformance suite, and a tool whose schema uses every keyword.
//
//	judged [-replay examples/nws/replay] [-addr 127.0.0.1:0] [mcp]
//
// It prints the URL of the MCP endpoint as its first line, or speaks MCP on
// stdin and stdout.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/bench/fixture"
	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func main() {
	replay := flag.String("replay", "../examples/nws/replay", "folder of the recorded answers")
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	flag.Parse()
	if err := run(*replay, *addr, flag.Arg(0) == "mcp"); err != nil {
		log.Fatal(err)
	}
}

func run(replay, addr string, stdio bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sets, err := toolsets(replay)
	if err != nil {
		return err
	}
	handler, err := serve.NewHandler(sets, serve.WithUnreleased(), serve.WithProtocols(serve.ProtocolMCP))
	if err != nil {
		return err
	}
	if stdio {
		return serve.Stdio(ctx, handler, nil, os.Stdin, os.Stdout)
	}
	return serve.Run(ctx, addr, handler, serve.RunOptions{DrainDelay: -1,
		Bound: func(a net.Addr) { fmt.Fprintf(os.Stdout, "http://%s/mcp\n", a) }})
}

func toolsets(folder string) ([]tool.Toolset, error) {
	recorded, err := replay.Open(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	weather, err := nws.New(nws.Config{Geo: upstream.API{Transport: recorded}, NWS: upstream.API{Transport: recorded}})
	if err != nil {
		return nil, err
	}
	fixtures, err := fixture.New(fixture.Config{Backend: upstream.API{Handler: fixture.Backend()}})
	if err != nil {
		return nil, err
	}
	return []tool.Toolset{weather.Toolset(), fixtures.Toolset(), schemaToolset()}, nil
}

// schemaTool is what the scenario json-schema-2020-12 looks for. No tool that
// is sculpted has such inputs: it shows that documents are served as they are.
const schemaTool = `{"name":"json_schema_2020_12_tool","description":"Tool with JSON Schema 2020-12 features","inputSchema":{
"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false},"outputSchema":{"type":"object","properties":{}}}`

func schemaToolset() tool.Toolset {
	var inputs []tool.Param
	for _, name := range []string{"name", "address", "contactMethod", "phone", "email"} {
		inputs = append(inputs, tool.Param{ID: name, Name: name, Type: tool.TypeString, MaxLength: 100})
	}
	return tool.Toolset{
		Handshake: tool.Handshake, Name: "Schemas",
		Docs: fstest.MapFS{"mcp/json_schema_2020_12_tool.v1.json": &fstest.MapFile{Data: []byte(schemaTool)}},
		Tools: []tool.Tool{{
			ID: "5e1f0e0a-93d4-4b51-8a27-4b2f6a4f6f01", Name: "json_schema_2020_12_tool", ToolName: "JSONSchema202012Tool",
			Effects: tool.Effects{ReadOnly: true, Idempotent: true}, Versions: []tool.Version{{N: 1, Inputs: inputs}},
			Call: func(context.Context, tool.Args) (tool.Result, error) { return nil, nil },
		}},
	}
}
