package history

import (
	"cmp"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Signatures returns the signatures of all releases of a tool, the oldest
// first: every one of them stays invocable (A2T 5.4). A tool without releases
// has none; the findings are those of records that cannot be read.
func (h *History) Signatures(s *signature.Signature) ([]*signature.Signature, diag.List) {
	t, _ := h.folder(s)
	if t == nil || !t.sound || len(t.Releases) == 0 {
		return nil, nil
	}
	sides, findings := h.sides(t)
	var out []*signature.Signature
	for _, side := range sides {
		out = append(out, side.Signature)
	}
	return out, findings
}

// Rules returns the rule set of a tool: that of its releases, so that what they
// left unsaid goes on meaning the same. A tool without releases has the wanted
// one, or the newest where none is wanted.
func (h *History) Rules(s *signature.Signature, wanted string) string {
	if t := h.Of(s); t != nil && t.Newest != nil {
		return t.Newest.Rules
	}
	return cmp.Or(wanted, signature.Rules)
}

// Loosened returns the parts of a tool that differ from its releases in ways
// that the policy or an accept entry allows; see [compat.Loosened].
func (h *History) Loosened(side *compat.Side, opts Options) []string {
	t, _ := h.folder(side.Signature)
	if t == nil || !t.sound || t.Newest == nil || !differs(t.Newest, side, side.Signature.Effects) {
		return nil
	}
	sides, _ := h.sides(t) // findings of records are reported by Signatures
	if len(sides) == 0 {
		return nil
	}
	return compat.Loosened(sides, side, opts.of(side.Signature.Name))
}

// Dates returns the days of the first and the newest release of a tool,
// YYYY-MM-DD, "" where there is none or its record cannot be read.
func (h *History) Dates(s *signature.Signature) (first, newest string) {
	t, _ := h.folder(s)
	if t == nil || !t.sound || t.Newest == nil {
		return "", ""
	}
	if r, _ := h.record(t, &t.Releases[0]); r != nil {
		first = r.Released
	}
	return first, t.Newest.Released
}
