// Package agent is between a model and the tools of package client: it writes the
// list of tools that a provider of models wants, reads the calls out of the
// provider's answer, decides which of them may run, runs them, and writes the
// messages that tell the model what became of each.
//
//	box, err := agent.New([]agent.Entry{{Server: server, Tool: tool}}, agent.WithPolicy(policy))
//	list, err := box.List(agent.OpenAIChat)          // goes into the request as "tools"
//	calls, err := agent.OpenAIChat.Calls(response)   // what the model asked for
//	outcomes := box.Run(ctx, calls)
//	messages, err := agent.OpenAIChat.Messages(outcomes) // follow the model's message
//
// Nothing of a model or of a server is trusted: calls of tools that are not in the
// box, arguments that the tool does not take and characters that nobody sees never
// leave, what may destroy or cost something runs only if the policy lets it, and
// what comes back is data in a JSON object of its own, with what looks like a
// credential taken out and cut to a bound. [Box.SafetyPrompt] tells the model so.
//
// The functions that Appendix A of ATIP 0.6 names have these counterparts:
// compileTools is [Box.List], parseToolCall [Provider.Calls], handleToolResult
// [Provider.Messages], generateSafetyPrompt [Box.SafetyPrompt], createValidator
// [Box.Check], createResultFilter [Filter]. ATIP's delegation is read by
// [ReadDelegation], its toolContext written by [Box.ToolContext].
//
// It imports the standard library and this module's client, tool and value only.
package agent
