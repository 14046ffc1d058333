package resolve

import (
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/expr"
	"github.com/sculpt-tools/sculpt/sculpt/ir"
	"github.com/sculpt-tools/sculpt/sculpt/manifest"
	"github.com/sculpt-tools/sculpt/sculpt/signature"
)

// effects computes what a call may do from its steps; the manifest may only
// make that more cautious.
func (t *toolResolver) effects() {
	e := signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}
	for _, s := range t.plan.Steps {
		if s.Effect != ir.Read {
			e.ReadOnly, e.Reversible = false, false
			e.Destructive = e.Destructive || s.Op == nil || s.Op.Method != "POST"
		}
		if s.Effect == ir.Unsafe {
			e.Idempotent = false
		}
	}
	m := t.m.Effects
	t.cautious(m.ReadOnly, &e.ReadOnly, false)
	t.cautious(m.Idempotent, &e.Idempotent, false)
	t.cautious(m.Reversible, &e.Reversible, e.ReadOnly || !m.Reversible.IsSet())
	t.cautious(m.Destructive, &e.Destructive, true)
	t.cautious(m.Billable, &e.Billable, true)
	t.sig.Effects = e
}

// cautious applies a stated effect; careful is the value that warns more.
func (t *toolResolver) cautious(s manifest.Scalar, effect *bool, careful bool) {
	if !s.IsSet() {
		return
	}
	stated := s.Value == "true"
	if stated != *effect && stated != careful {
		t.errorf("wrong-effect", s.Span, "state effect: with because: at the step that is milder than its method", "the steps of the tool say %v here", *effect)
		return
	}
	*effect = stated
}

// needs lists what the plan wants of the caller.
func (t *toolResolver) needs() {
	n := &t.sig.Needs
	for _, e := range t.allExprs() {
		e.Term.Walk(func(x *expr.Term) bool {
			if x.Op == expr.OpRef && x.Decl.Role == expr.RoleCaller {
				switch text, _ := x.Lit.(string); x.Decl.Name {
				case "caller.user_id":
					n.UserID = true
				case "caller.secret":
					n.Secrets = append(n.Secrets, text)
				}
			}
			// A claim that is read with [?...] may be missing.
			if x.Op == expr.OpIndex && x.Args[0].Op == expr.OpRef && x.Args[0].Decl.Name == "caller.claims" {
				if key, ok := x.Args[1].Lit.(string); ok {
					n.Claims = append(n.Claims, key)
				}
			}
			return true
		})
	}
	for _, list := range []*[]string{&n.Secrets, &n.Claims} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}
