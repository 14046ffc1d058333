// Package serve serves generated tools over A2T, N-ACT, OTC/OXP, MCP and ATDF,
// from a handler that can be mounted anywhere, and calls them in process.
//
//	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()},
//		serve.WithAuthenticator(serve.BearerTokens(tokens)))
//	if err != nil {
//		return err
//	}
//	return serve.Run(ctx, "127.0.0.1:8080", handler, serve.RunOptions{})
//
// The wire documents were rendered when the tools were generated; the handler
// composes lists, pages and envelopes from their bytes. What callers send is
// validated by package tool, backends are called through package upstream.
//
// The package imports the standard library and this module's tool, upstream,
// value and cause only (and scan, to read what callers send); it never reads the
// environment.
package serve
