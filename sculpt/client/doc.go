// Package client is the callers' half of the protocols that package serve
// speaks: it lists the tools of a server, reads one and its versions, checks
// arguments with the words of the server before anything is sent, and invokes.
// It speaks A2T and N-ACT, Open Tool Calling in both shapes (OTC and OXP), and MCP
// in both eras, also to servers that were not made with sculpt.
//
//	server, err := client.New(client.ProtocolA2T, "https://tools.example/a2t")
//	tools, err := server.Tools(ctx)
//	result, err := server.Invoke(ctx, tools[0], client.Call{Arguments: map[string]any{"city": "Omaha, Nebraska"}})
//
// Servers are taken for hostile: what they answer is bounded, redirects never
// leave their origin, and no text of theirs is shortened or trusted on the way. A
// call is repeated only where that is safe whatever the first one did; see
// [Server.Invoke]. How long to wait is for the caller to say, by the deadline of
// the context (A2T 5.3).
//
// It imports the standard library and this module's tool and strictjson only.
package client
