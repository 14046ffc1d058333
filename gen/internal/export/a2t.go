package export

// a2tSignature is the ToolSignature of A2T 6.1, which N-ACT shares. Package
// signature writes it, because it is what history locks.
func a2tSignature(t tool) value { return raw(t.Document(t.current)) }
