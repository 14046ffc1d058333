package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// mcpTool is a Tool of MCP 2025-11-25 and 2026-07-28; older clients pass over
// the members that they do not know. MCP has no versions of tools: the run time
// lists the newest document of a tool under its name, and the older ones are
// here for those who compare what has been promised.
func mcpTool(t tool) value {
	o := object{{"name", t.Name}}
	if t.Title != "" {
		o = o.with("title", t.Title)
	}
	return o.with("description", described(t.Signature)).
		with("inputSchema", inputsWith(t.Inputs, mcpProperty)).
		with("outputSchema", outputSchema(t.Outputs)).
		with("annotations", mcpAnnotations(t))
}

// mcpLean is the tool for clients that pay for each token of the list: the same
// texts and bounds of inputs, and none of what models are not shown (titles, the
// schema of the answer), of what MCP takes for granted, or of what matters to
// tools with effects alone. That there are no other inputs, the server says to
// whoever sends one.
func mcpLean(t tool) value {
	o := object{{"name", t.Name}, {"description", described(t.Signature)}, {"inputSchema", openInputs(t.Inputs, mcpProperty)}}
	hints := object{}
	if t.Effects.ReadOnly {
		hints = hints.with("readOnlyHint", true)
	} else {
		if !t.Effects.Destructive {
			hints = hints.with("destructiveHint", false)
		}
		if t.Effects.Idempotent {
			hints = hints.with("idempotentHint", true)
		}
	}
	if len(hints) > 0 {
		o = o.with("annotations", hints)
	}
	return o
}

// mcpProperty adds the header that repeats an input (2026-07-28, Streamable
// HTTP, Custom Headers from Tool Parameters). No other format has one, and the
// strict function formats refuse words that they do not know.
func mcpProperty(in signature.Input) object {
	o := inputProperty(in)
	if in.MCPHeader != "" {
		o = o.with("x-mcp-header", in.MCPHeader)
	}
	return o
}

// mcpAnnotations writes all the hints: the defaults of MCP are those of an
// effect that destroys. A tool always asks a system that its caller cannot see,
// so its world is open.
func mcpAnnotations(t tool) object {
	o := object{}
	if t.Title != "" {
		o = o.with("title", t.Title)
	}
	return o.with("readOnlyHint", t.Effects.ReadOnly).
		with("destructiveHint", t.Effects.Destructive && !t.Effects.ReadOnly).
		with("idempotentHint", t.Effects.Idempotent).
		with("openWorldHint", true)
}
