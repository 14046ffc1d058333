// Package toolcli is the command line of generated tools: a command for each
// tool, with a flag for each input, and beside them serve and mcp for people. It
// describes the commands of its tools to agents (ATIP 0.6, the flag --agent).
//
//	func main() {
//		toolcli.Main(toolcli.Program{Docs: weather.Docs(), Handler: handler})
//	}
//
// The commands and flags come from the document atip/atip.json, which was
// rendered from the signatures of the tools: what is described and what is
// understood cannot differ. Values are validated by package serve, as over
// every protocol.
//
// Results go to stdout: readable text on a terminal, one JSON object anywhere
// else and with --json. Everything else goes to stderr. Exit codes: 0 an
// answer, 1 the call failed, 2 the command line is wrong.
//
// The package imports tool, upstream, serve and urfave/cli only.
package toolcli
