package plan

import (
	"fmt"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// frozenTools makes a tool of each release that keeps its own chain: it has a
// name of its own, and its other half is that of the release.
func frozenTools(program *ir.Program) map[*ir.Tool][]*ir.Tool {
	out := map[*ir.Tool][]*ir.Tool{}
	for _, t := range program.Tools {
		for _, f := range t.Frozen {
			s := &signature.Signature{Name: fmt.Sprintf("%s_v%d", t.Signature.Name, f.Version), Version: f.Version, Inputs: f.Inputs, Outputs: f.Outputs}
			out[t] = append(out[t], &ir.Tool{Signature: s, Plan: f.Plan, Span: t.Span})
		}
	}
	return out
}

// frozen plans the chain of a release. Nothing of it is exported: callers in
// process use the tool of today.
func (b *planner) frozen(t *ir.Tool, version int) *Tool {
	name := naming.Local(t.Signature.Name)
	out := &Tool{Signature: t.Signature, Version: version, Places: map[string]diag.Span{}, Method: b.scope.Unique(name + "Frozen")}
	out.Chain = b.chainName(name)
	out.Output = b.outputFace(out.Method, t)
	out.Output.Name = b.scope.Unique(out.Output.Name)
	c := newChainer(b, t, out)
	out.Body = c.chain()
	out.Locals = c.locals
	return out
}

// Chains returns the tools and the frozen chains of their releases.
func (p *Package) Chains() []*Tool {
	var all []*Tool
	for _, t := range p.Tools {
		all = append(append(all, t), t.Frozen...)
	}
	return all
}
