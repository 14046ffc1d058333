package frontend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/guide"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/meaning"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// guidePlans are the plans of the tools of the guide, edited.
func guidePlans(t *testing.T, edits ...string) map[string]*history.Plan {
	t.Helper()
	files, err := guide.Files(edits...)
	if err != nil {
		t.Fatal(err)
	}
	p, findings := Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	plans := map[string]*history.Plan{}
	for _, tool := range p.Program.Tools {
		name := tool.Signature.Name
		if plans[name], findings = p.Plan(files, name); plans[name] == nil {
			t.Fatal(findings)
		}
	}
	return plans
}

// mutation says in what a mutant differs from the chain that it was made of.
func mutation(p *Probes, m Mutant) string {
	whole := func(c *ir.Frozen) meaning.Tool {
		return meaning.Tool{Program: &ir.Program{Constants: c.Constants}, Tool: &ir.Tool{Plan: c.Plan, Signature: &signature.Signature{Inputs: c.Inputs, Outputs: c.Outputs}}}
	}
	if m.Chain == p.Was {
		return "today, and was: the release itself"
	}
	of, base := "today", p.Is
	if m.OfWas {
		of, base = "the release", p.Was
	}
	var out []string
	for _, c := range meaning.Compare(whole(base), whole(m.Chain)) {
		out = append(out, c.Part+": "+c.What)
	}
	return of + ", and " + strings.Join(out, "; ")
}

// TestProbes: whatever changes in the guide, by its part and what is put there
// instead, to see whether an example notices.
func TestProbes(t *testing.T) {
	was := guidePlans(t)
	var got strings.Builder
	for _, c := range guide.Changes {
		is := guidePlans(t, c.Edits...)
		for _, name := range []string{"find", "order"} {
			if is[name] == nil {
				continue
			}
			for i, probes := range []*Probes{ProbesOf(was[name], is[name]), ProbesOf(is[name], was[name])} {
				if probes == nil {
					continue
				}
				fmt.Fprintf(&got, "%s%s: %s\n", c.Name, []string{"", ", undone"}[i], name)
				for _, part := range probes.Parts {
					fmt.Fprintf(&got, "  %s\n", part.Part)
					for _, m := range part.Mutants {
						fmt.Fprintf(&got, "    of %s\n", mutation(probes, m))
					}
				}
			}
		}
	}
	golden.Text(t, "testdata/probes.txt", got.String())
}
