package resolve

import (
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

const (
	// mostSafe is the greatest integer that a double tells from its neighbours:
	// a header repeats none beyond it (MCP 2026-07-28, x-mcp-header).
	mostSafe = 1<<53 - 1
	// longestMirrored is how many characters a text may have before gateways
	// with the usual 8 KB for a header may refuse it: one takes up to four
	// bytes, and Base64 a third more.
	longestMirrored = 1000
)

// mcpHeaders checks the headers that repeat inputs: clients of MCP leave out a
// tool that breaks the rules of x-mcp-header.
func (t *toolResolver) mcpHeaders() {
	first := map[string]string{}
	for i := range t.sig.Inputs {
		in, m := &t.sig.Inputs[i], t.m.Inputs[i]
		if in.MCPHeader == "" {
			continue
		}
		name := strings.ToLower(in.MCPHeader)
		if other := first[name]; other != "" {
			t.errorf(ruleDuplicateMCPHeader, m.MCPHeader.Span, "give it another name", "input %s has the header of input %s: names of headers do not differ by case", in.Name, other)
			continue
		}
		first[name] = in.Name
		if in.Type == signature.Int {
			t.safeBound(m, m.Min, "min", in.Min, max(in.Min, -mostSafe))
			t.safeBound(m, m.Max, "max", in.Max, min(in.Max, mostSafe))
		}
	}
}

// safeBound reports a bound that is not the nearest safe one.
func (t *toolResolver) safeBound(m *manifest.Input, written manifest.Scalar, key string, bound, safe int64) {
	if bound == safe {
		return
	}
	at := m.MCPHeader.Span // where the bound is inherited
	if written.IsSet() {
		at = written.Span
	}
	t.errorf(ruleWrongBounds, at, "write "+key+": "+strconv.FormatInt(safe, 10), "a header repeats integers from %d to %d only, %s is %d", -mostSafe, mostSafe, key, bound)
}

// fragileHeaders warns of headers that gateways lose: nginx, for one, drops
// those with a _ or . in their names unless it is told not to, and then the
// call is refused for want of the header.
func (t *toolResolver) fragileHeaders() {
	odd := func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	for i := range t.sig.Inputs {
		in, m := &t.sig.Inputs[i], t.m.Inputs[i]
		if at := strings.IndexFunc(in.MCPHeader, odd); at >= 0 {
			t.warnf(ruleFragileMCPHeader, m.MCPHeader.At(at, at+1), "write letters, digits and - only", "many gateways drop headers with %q in their names", in.MCPHeader[at:at+1])
		} else if in.MCPHeader != "" && in.Type == signature.String && in.MaxLength > longestMirrored {
			t.warnf(ruleFragileMCPHeader, m.MCPHeader.Span, "write max_length: 1000 or less, or remove mcp_header:", "many gateways refuse headers that repeat %d characters", in.MaxLength)
		}
	}
}
