package frontend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/meaning"
)

// Probes are chains by which examples show which of the parts that changed since
// a release they cover: an example covers a part if it is answered otherwise once
// something else of the same type is in that part.
type Probes struct {
	// Was and Is are the chains of the release and of today.
	Was, Is *ir.Frozen
	// Parts are what changed, in the words of the manifest.
	Parts []Probe
}

// A Probe is a part that changed, with mutants of it.
type Probe struct {
	Part string
	// Mutants are chains with something else in the part; none, if nothing that
	// an example sees can be put there.
	Mutants []Mutant
}

// A Mutant is to be held against the chain that it was made of: that of today,
// or of the release where the part is gone since.
type Mutant struct {
	Chain *ir.Frozen
	OfWas bool
}

// mostMutants is how many mutants of one part are tried.
const mostMutants = 4

// ProbesOf compares two plans of a tool. It is nil where one of them cannot be
// resolved, or where both mean the same.
func ProbesOf(was, is *history.Plan) *Probes {
	old, bad := released("was", was)
	now, worse := released("is", is)
	if bad != "" || worse != "" {
		return nil
	}
	p := &Probes{Was: chainOf(old), Is: chainOf(now)}
	for _, c := range meaning.Compare(old, now) {
		if !slices.ContainsFunc(p.Parts, func(q Probe) bool { return q.Part == c.Part }) {
			p.Parts = append(p.Parts, Probe{Part: c.Part})
		}
	}
	for i := range p.Parts {
		m := &mutator{was: was, is: is, part: p.Parts[i].Part, probe: &p.Parts[i]}
		m.run()
	}
	switch len(p.Parts) {
	case 0:
		return nil
	case 1: // what tells the two chains apart is this part
		p.Parts[0].Mutants = append(p.Parts[0].Mutants, Mutant{Chain: p.Was})
	}
	return p
}

// chainOf makes a chain of a whole tool.
func chainOf(t meaning.Tool) *ir.Frozen {
	return &ir.Frozen{Plan: t.Tool.Plan, Inputs: t.Tool.Signature.Inputs, Outputs: t.Tool.Signature.Outputs, Constants: t.Program.Constants}
}

// ProbesOf holds the plan of a tool against that of its newest release; nil where
// nothing changed.
func (p *Project) ProbesOf(t *ir.Tool, is *history.Plan) *Probes {
	of := p.History.Of(t.Signature)
	if of == nil || of.Newest == nil {
		return nil
	}
	was, _ := p.History.Plan(of.Name, of.Version()) // a plan that cannot be read is a finding of Check
	if was == nil {
		return nil
	}
	return ProbesOf(was, is)
}

// A mutator makes the mutants of one part.
type mutator struct {
	was, is *history.Plan
	part    string
	probe   *Probe
}

// run takes what is written otherwise below the part in both manifests; where
// nothing is, it is a document that changed, and then all that is written there
// or the call.
func (m *mutator) run() {
	if step, ok := m.address(); ok {
		m.readdress(step)
		return
	}
	if strings.HasPrefix(m.part, "apis.") || strings.HasPrefix(m.part, "env.") {
		return // recorded answers come from no server
	}
	old, now := read(m.was.Manifest).find(m.part), read(m.is.Manifest).find(m.part)
	added, gone := differing(old, now)
	if old != nil && now != nil && bytes.Equal(old.raw, now.raw) {
		added = now.leaves()
	}
	for _, leaf := range added {
		m.try(m.is, leaf, false)
	}
	for _, leaf := range gone {
		m.try(m.was, leaf, true)
	}
}

// try adds the first mutants of a leaf that have no error.
func (m *mutator) try(plan *history.Plan, leaf *written, ofWas bool) {
	others := leaf.others()
	if leaf.key == "missing" { // an answer that is not an error becomes one
		leaf, others = leaf.up, []string{`{"code": "another", "message": "Another."}`}
	}
	for _, text := range others {
		if len(m.probe.Mutants) == mostMutants {
			return
		}
		mutant := *plan
		mutant.Manifest = slices.Concat(plan.Manifest[:leaf.from], []byte(text), plan.Manifest[leaf.to:])
		tool, bad := released("mutant", &mutant)
		if bad != "" {
			continue
		}
		m.probe.Mutants = append(m.probe.Mutants, Mutant{chainOf(tool), ofWas})
		if !leaf.isNumber() { // a bound is seen from one side alone
			return
		}
	}
}

// address reports whether the part says where calls go, of one step or of all
// steps of an api.
func (m *mutator) address() (concerns func(*ir.Step) bool, ok bool) {
	if api, ok := strings.CutSuffix(m.part, ".base_url"); ok {
		return func(s *ir.Step) bool { return "apis."+s.API == api }, true
	}
	id, ok := strings.CutSuffix(m.part, ".call")
	return func(s *ir.Step) bool { return "steps."+s.ID == id }, ok
}

// readdress makes a mutant whose calls go to another path.
func (m *mutator) readdress(concerns func(*ir.Step) bool) {
	for _, plan := range []*history.Plan{m.is, m.was} {
		tool, bad := released("mutant", plan)
		if bad != "" {
			continue
		}
		moved := false
		for _, s := range tool.Tool.Plan.Steps {
			if concerns(s) && len(s.Op.Parts) > 0 {
				op := *s.Op
				op.Parts = slices.Clone(op.Parts)
				op.Parts[0].Literal += "elsewhere/"
				s.Op, moved = &op, true
			}
		}
		if moved {
			m.probe.Mutants = append(m.probe.Mutants, Mutant{chainOf(tool), plan == m.was})
			return
		}
	}
}

// Uncovered is the finding about what changed and no example covers.
func Uncovered(t *ir.Tool, version int, parts []string) diag.Finding {
	return diag.Finding{
		Rule: ruleUncovered, Severity: diag.Warning, Tool: t.Signature.Name, Span: t.Span,
		Fix:     "write examples: whose answer depends on it, and record what the backend answers: sculpt record",
		Message: fmt.Sprintf("%q changed since v%d in what no example covers: %s", t.Signature.Name, version, strings.Join(parts, ", ")),
	}
}
