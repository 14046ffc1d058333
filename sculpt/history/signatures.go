package history

import (
	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/signature"
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
