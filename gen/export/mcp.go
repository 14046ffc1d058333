package export

// mcpTool is a Tool of MCP 2025-11-25 and 2026-07-28; older clients pass over
// the members that they do not know. MCP has no versions of tools: the run time
// lists the newest document of a tool under its name, and the older ones are
// here for those who compare what has been promised.
func mcpTool(t tool) value {
	o := object{{"name", t.Name}}
	if t.Title != "" {
		o = o.with("title", t.Title)
	}
	return o.with("description", t.FullDescription()).
		with("inputSchema", inputSchema(t.Inputs)).
		with("outputSchema", outputSchema(t.Outputs)).
		with("annotations", mcpAnnotations(t))
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
