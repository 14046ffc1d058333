// Command nws serves the weather tools over A2T, N-ACT, OTC and MCP. With
// the argument mcp it speaks MCP on stdin and stdout, for clients that start
// their servers themselves.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := nws.ConfigFromEnv(os.LookupEnv)
	if err != nil {
		return err
	}
	tools, err := nws.New(cfg)
	if err != nil {
		return err
	}
	handler, err := serve.NewHandler([]serve.Toolset{tools.Toolset()})
	if err != nil {
		return err
	}
	if slices.Equal(os.Args[1:], []string{"mcp"}) {
		return serve.Stdio(ctx, handler, os.Stdin, os.Stdout)
	}
	addr := os.Getenv("SCULPT_ADDR")
	if addr == "" {
		addr = "127.0.0.1:8080"
	}
	return serve.Run(ctx, addr, handler, serve.RunOptions{
		Bound: func(addr net.Addr) { fmt.Fprintln(os.Stderr, "listening on", addr) },
	})
}
