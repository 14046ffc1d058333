// Command nws calls the weather tools, serves them, and describes itself to
// agents. "nws --help" lists its commands.
package main

import (
	"net/http"
	"os"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

func main() {
	toolcli.Main(toolcli.Program{Docs: nws.Docs(), Handler: handler})
}

// handler configures the tools. It is asked by the commands that need them.
func handler() (http.Handler, error) {
	cfg, err := nws.ConfigFromEnv(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	tools, err := nws.New(cfg)
	if err != nil {
		return nil, err
	}
	return serve.NewHandler([]tool.Toolset{tools.Toolset()})
}
