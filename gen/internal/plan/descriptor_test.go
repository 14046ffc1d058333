package plan

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestEffectsOfFrozenVersions: the run time judges a call by what any version may
// do, since a frozen one runs a chain of its own.
func TestEffectsOfFrozenVersions(t *testing.T) {
	read := signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}
	put, post := signature.Effects{Idempotent: true, Destructive: true}, signature.Effects{Billable: true}
	type chain struct {
		effects signature.Effects
		named   bool
	}
	for _, c := range []struct {
		now    chain
		frozen []chain
		want   string
		named  bool
	}{
		{chain{read, false}, nil, "[ReadOnly Idempotent Reversible]", false},
		{chain{read, false}, []chain{{put, false}}, "[Idempotent Destructive]", false},
		{chain{read, false}, []chain{{post, false}}, "[Billable]", false},
		{chain{put, false}, []chain{{read, false}}, "[Idempotent Destructive]", false},
		{chain{put, false}, []chain{{post, false}, {read, false}}, "[Destructive Billable]", false},
		{chain{post, true}, nil, "[Billable]", true},
		{chain{post, true}, []chain{{put, false}}, "[Destructive Billable]", true},
		{chain{post, true}, []chain{{post, false}}, "[Billable]", false},
		{chain{put, false}, []chain{{post, true}}, "[Destructive Billable]", true},
	} {
		it := &ir.Tool{Signature: &signature.Signature{Effects: c.now.effects}, Plan: &ir.Plan{IdempotentIfNamed: c.now.named}}
		for _, f := range c.frozen {
			it.Frozen = append(it.Frozen, &ir.Frozen{Effects: f.effects, Plan: &ir.Plan{IdempotentIfNamed: f.named}})
		}
		if d := describe(it); fmt.Sprint(d.Effects) != c.want || d.IdempotentIfNamed != c.named {
			t.Errorf("%+v: %v, if named %v; want %s, %v", c, d.Effects, d.IdempotentIfNamed, c.want, c.named)
		}
	}
}
