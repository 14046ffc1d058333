package toolcli_test

import (
	"context"
	"net/http"
	"os"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// handler configures the weather tools, over written answers here.
func handler() (http.Handler, error) {
	recorded, err := replay.Open(os.DirFS("../../examples/nws/replay"))
	if err != nil {
		return nil, err
	}
	api := upstream.API{Transport: recorded}
	tools, err := nws.New(nws.Config{Geo: api, NWS: api})
	if err != nil {
		return nil, err
	}
	return serve.NewHandler([]tool.Toolset{tools.Toolset()})
}

// A program whose main is toolcli.Main has a command for each tool. Run does the
// same with arguments and streams of its caller's choice.
func ExampleProgram_Run() {
	program := toolcli.Program{Docs: nws.Docs(), Handler: handler}
	program.Run(context.Background(), toolcli.Console{
		Args:   []string{"weather", "lookup-weather-by-city", "--city", "Omaha, Nebraska"},
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Lookup: func(string) (string, bool) { return "", false },
	})
	// Output: {"place":"Omaha","state":"Nebraska","period_name":"This Afternoon","temperature_f":47,"figure":"HIGH","rain_percent":0,"summary":"Mostly Sunny","wind":"10 to 15 mph NW"}
}
