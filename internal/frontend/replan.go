package frontend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/meaning"
)

// replan holds the plan of every tool against that of its newest release.
// Releases before that one are not asked: what changed since then is in the
// records of those that changed it.
func (p *Project) replan() {
	p.replans, p.replanned = map[string]*compat.Replan{}, map[string]diag.Span{}
	for _, t := range p.Program.Tools {
		of := p.History.Of(t.Signature)
		if of == nil || of.Newest == nil || of.Newest.Details.Plan == "" {
			continue
		}
		runs := p.running(t, of)
		plan, _ := p.History.Plan(of.Name, of.Version()) // Check reports a plan that cannot be read
		if len(runs) == 0 || plan == nil {
			continue
		}
		name := t.Signature.Name
		r := &compat.Replan{Digest: of.Newest.Details.Plan, Runs: runs}
		p.replans[name], p.replanned[name] = r, t.Span
		if p.sameWork(t, plan) {
			continue
		}
		old, bad := released(fmt.Sprintf("v%04d.plan.json", of.Version()), plan)
		now := meaning.Tool{Program: p.Program, Tool: t}
		if bad != "" {
			r.Digest, r.Changes = meaning.Digest(now, now), []string{"the old plan cannot be read by this version of sculpt: " + bad}
			continue
		}
		if changes := meaning.Compare(old, now); len(changes) > 0 {
			r.Digest, r.Changes = meaning.Digest(old, now), sentences(changes)
			p.replanned[name] = place(changes, t.Span)
		}
	}
}

// Replanned says how the plans of two releases differ; nil where one of them has
// none.
func Replanned(h *history.History, tool string, from, to int) *compat.Replan {
	was, _ := h.Plan(tool, from) // a plan that cannot be read is a finding of Check
	is, _ := h.Plan(tool, to)
	if was == nil || is == nil {
		return nil
	}
	r := &compat.Replan{Digest: was.Digest()}
	old, bad := released("old", was)
	now, worse := released("new", is)
	if bad != "" || worse != "" {
		return nil
	}
	if changes := meaning.Compare(old, now); len(changes) > 0 {
		r.Digest, r.Changes = is.Digest(), sentences(changes)
	}
	return r
}

// running are the releases that run the chain of today.
func (p *Project) running(t *ir.Tool, of *history.Tool) []int {
	frozen := map[string]bool{}
	for _, n := range p.frozenVersions(t) {
		frozen[n.Value] = true
	}
	var runs []int
	for i := range of.Releases {
		if v := of.Releases[i].Version; !frozen[fmt.Sprint(v)] {
			runs = append(runs, v)
		}
	}
	return runs
}

// released loads the plan of a release, and says what keeps it from that.
func released(name string, plan *history.Plan) (t meaning.Tool, bad string) {
	program, list := loadPlan(name, plan, nil)
	for _, f := range list {
		if f.Severity == diag.Error {
			return t, f.Message
		}
	}
	return meaning.Tool{Program: program, Tool: program.Tools[0]}, ""
}

// sameWork reports whether a plan was made from what is there today, which needs
// no resolving: mostly nothing has changed.
func (p *Project) sameWork(t *ir.Tool, plan *history.Plan) bool {
	if plan.Plain && slices.ContainsFunc(t.Plan.Steps, func(s *ir.Step) bool { return s.Each != nil && s.LeavesOut() }) {
		return false // the same words mean something else
	}
	var manifest bytes.Buffer
	if json.Compact(&manifest, plan.Manifest) != nil || !bytes.Equal(manifest.Bytes(), p.Manifest.Excerpt(t.Signature.Name)) {
		return false
	}
	for _, d := range plan.Documents {
		if !maps.Equal(d.Operations, p.digests(t.Signature.Name, d.API)) || d.Around != p.around(t.Signature.Name, d.API) {
			return false
		}
	}
	return true
}

// around is a digest of what the steps of a tool take from the document of an api
// beside the operations: servers and security.
func (p *Project) around(tool, api string) string {
	var lines []string
	for _, t := range p.Program.Tools {
		if t.Signature.Name != tool {
			continue
		}
		for _, s := range t.Plan.Steps {
			if s.API == api {
				server := s.Op.Server.BaseURL()
				if len(s.Op.Server.Variables) > 0 {
					server = fmt.Sprintf("%+v", s.Op.Server)
				}
				lines = append(lines, fmt.Sprintf("%s %s %q %#v", s.Op.Method, s.Op.Path, server, s.Op.Security))
			}
		}
	}
	for _, a := range p.Program.APIs {
		for _, c := range a.Credentials {
			if a.Name == api {
				lines = append(lines, fmt.Sprintf("%+v", *c.Scheme))
			}
		}
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, line := range slices.Compact(lines) {
		fmt.Fprintln(h, line)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// most is how many changes of a plan are said in full.
const most = 4

// sentences says what changed: the first parts in full, of others their names.
func sentences(changes []meaning.Change) []string {
	var out []string
	for i, c := range changes {
		if i < most {
			out = append(out, c.What)
		} else if also := "also " + c.Part; !slices.Contains(out, also) {
			out = append(out, also)
		}
	}
	return out
}

// place is that of the first change that has one.
func place(changes []meaning.Change, otherwise diag.Span) diag.Span {
	for _, c := range changes {
		if !c.Span.IsZero() {
			return c.Span
		}
	}
	return otherwise
}
