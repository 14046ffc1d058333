package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A probe is a tool whose plan changed, in a package that has all mutants of the
// change as further versions of the tool: one build answers for all of them.
type probe struct {
	tool   *ir.Tool
	probes *frontend.Probes
	// first is the version of the chain of the release; after it comes that of
	// today, and then the mutants in their order.
	first    int
	examples []*history.Example
}

// firstProbe is a version that no tool reaches.
const firstProbe = 1_000_000

// probed says of each part of the tools that changed since their newest release
// whether an example of any release covers it.
func (r *releaser) probed() (diag.List, error) {
	var probes []*probe
	for _, t := range r.p.Program.Tools {
		if side := r.p.Side(t); side.Plan == nil || len(side.Plan.Changes) == 0 {
			continue
		}
		plan, _ := r.p.Plan(r.p.at.fs(), t.Signature.Name) // stage has said what keeps it from being read
		if plan == nil {
			continue
		}
		if p := r.p.ProbesOf(t, plan); p != nil {
			probes = append(probes, &probe{tool: t, probes: p, first: firstProbe, examples: r.examplesOf(t)})
		}
	}
	if len(probes) == 0 {
		return nil, nil
	}
	covers, err := r.cover(r.after, probes)
	switch {
	case errors.Is(err, errInterrupted):
		return nil, err
	case err != nil: // a release does not depend on it
		r.say("which examples cover what changed cannot be found out: %s", err)
		return nil, nil
	}
	var list diag.List
	for i, p := range probes {
		var uncovered []string
		for j, part := range p.probes.Parts {
			if by := covers[i][j]; by == "" {
				uncovered = append(uncovered, part.Part)
			} else {
				r.say("%s of %s changed and is covered by the example %s", part.Part, p.tool.Signature.Name, by)
			}
		}
		if len(uncovered) > 0 {
			list.Add(frontend.Uncovered(p.tool, newestRelease(p.tool), uncovered))
		}
	}
	return r.p.at.relabel(list), nil
}

// examplesOf are the examples of a tool, with those of the release that is made.
func (r *releaser) examplesOf(t *ir.Tool) []*history.Example {
	all := r.after.History.Examples(r.after.Sides())
	return slices.DeleteFunc(all, func(e *history.Example) bool { return e.Tool != t.Signature.Name })
}

// cover runs the examples over all mutants and returns for every part of every
// probe the name of the first example that covers it, or "".
func (r *releaser) cover(p *project, probes []*probe) ([][]string, error) {
	var calls []*history.Example
	for _, q := range probes {
		for i, chains := 0, len(q.chains()); i < chains; i++ {
			for _, e := range q.examples {
				call := *e
				call.Tool, call.Version, call.Name = q.tool.Signature.Name, q.first+i, fmt.Sprintf("%d %s", q.first+i, e.Name)
				calls = append(calls, &call)
			}
		}
	}
	mutated, err := mutated(p, probes)
	if err != nil {
		return nil, err
	}
	answers, err := r.rehearse(mutated, calls)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(probes))
	for i, q := range probes {
		out[i] = q.verdicts(answers)
	}
	return out, nil
}

// chains are all chains of a probe: version first is the first of them.
func (q *probe) chains() []*ir.Frozen {
	chains := []*ir.Frozen{q.probes.Was, q.probes.Is}
	for _, part := range q.probes.Parts {
		for _, m := range part.Mutants {
			if !slices.Contains(chains, m.Chain) {
				chains = append(chains, m.Chain)
			}
		}
	}
	return chains
}

// mutated generates the package with the chains of the probes as versions.
func mutated(p *project, probes []*probe) (*project, error) {
	program := *p.Program
	program.Tools = slices.Clone(program.Tools)
	for _, q := range probes {
		at := slices.IndexFunc(program.Tools, func(t *ir.Tool) bool { return t.Signature.Name == q.tool.Signature.Name })
		t := *program.Tools[at]
		t.Frozen, t.Released = slices.Clone(t.Frozen), slices.Clone(t.Released)
		for _, chain := range q.chains() {
			version := q.first + len(t.Frozen) - len(program.Tools[at].Frozen)
			copied, s := *chain, *t.Signature
			copied.Version, s.Version, s.Outputs = version, version, chain.Outputs
			t.Frozen, t.Released = append(t.Frozen, &copied), append(t.Released, &s)
		}
		newest := *t.Signature
		newest.Version = q.first + len(q.chains())
		t.Signature, program.Tools[at] = &newest, &t
	}
	files, findings := gen.Generate(&program, gen.Options{})
	if findings.HasErrors() {
		return nil, unable("", "the mutants of what changed cannot be generated: %s", findings[0].Message)
	}
	anchors := p.Anchors()
	for _, q := range probes {
		anchors[q.tool.Signature.Name] = history.Anchor{Version: q.first}.String(q.tool.Signature.Name)
	}
	frozen, err := gen.Freeze(&program, anchors)
	if err != nil {
		return nil, err
	}
	files = append(files, frozen...)
	loaded := *p.Project
	loaded.Program = &program
	return &project{Project: &loaded, at: p.at, files: files}, nil
}

// verdicts name for each part the first example that covers it.
func (q *probe) verdicts(answers map[string]event) []string {
	chains := q.chains()
	answer := func(chain *ir.Frozen, e *history.Example) event {
		return answers[fmt.Sprintf("%s/%d %s", q.tool.Signature.Name, q.first+slices.Index(chains, chain), e.Name)]
	}
	out := make([]string, len(q.probes.Parts))
	for i, part := range q.probes.Parts {
		for _, m := range part.Mutants {
			base := q.probes.Is
			if m.OfWas {
				base = q.probes.Was
			}
			for _, e := range q.examples {
				if out[i] == "" && differ(e, answer(base, e), answer(m.Chain, e)) {
					out[i] = e.Name
				}
			}
		}
	}
	return out
}

// differ reports whether a mutant is noticed by an example: it answers otherwise
// in what the example keeps, or one of the two asks for what was not recorded.
func differ(e *history.Example, base, mutant event) bool {
	if base.Text != "" || mutant.Text != "" {
		return base.Text == "" || mutant.Text == ""
	}
	return keptOf(e, base.Answer) != keptOf(e, mutant.Answer)
}

// keptOf is the part of an answer that an example holds: the outputs of its
// version, or the error without its words.
func keptOf(e *history.Example, answer json.RawMessage) string {
	type form struct {
		Outputs map[string]json.RawMessage
		Error   *struct{ Kind, Code string }
	}
	var kept, got form
	if json.Unmarshal(e.Answer, &kept) != nil || json.Unmarshal(answer, &got) != nil {
		return string(answer)
	}
	if got.Error != nil {
		return "error " + got.Error.Kind + " " + got.Error.Code
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got.Outputs)) {
		if _, held := kept.Outputs[name]; held || kept.Error != nil {
			fmt.Fprintf(&b, "%s %s\n", name, got.Outputs[name])
		}
	}
	return b.String()
}
