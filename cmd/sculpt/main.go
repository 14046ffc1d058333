// Command sculpt turns OpenAPI documents into sculpted tools: run
// "sculpt --help".
package main

import (
	"os"

	"github.com/sculpt-tools/sculpt/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.LookupEnv))
}
