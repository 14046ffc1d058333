package resolve

import (
	"net/http"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// A flow says what decides about the request of a step, and whether it is sent,
// beside inputs, constants, configuration and the caller: these are the same in
// a repeated call.
type flow struct {
	// answer is an earlier step whose answer does, nil for none.
	answer *ir.Step
	// uuid says that call.uuid does, other which further value of the call does,
	// "" for none. The former is the same in calls that are named the same.
	uuid  bool
	other string
}

// repeats decides whether a tool is idempotent for its callers. That each of its
// requests may be sent twice is not enough: a second call reads the balance that
// the first has changed, or makes up another key. changing are the steps that
// change something.
func (t *toolResolver) repeats(changing []*ir.Step) {
	anyway, named := true, true
	for _, s := range changing {
		f := t.flowInto(s)
		follows := f.answer != nil && s.Because == ""
		anyway = anyway && !follows && !f.uuid && f.other == ""
		// Beside a key that is the same, the reason covers what else differs: a trace.
		named = named && s.Effect != ir.Unsafe && !follows && (f.other == "" || f.uuid && s.Because != "")
		if t.differs.what == "" {
			t.differs = f.difference(s, follows)
		}
	}
	e := &t.sig.Effects
	e.Idempotent = e.Idempotent && anyway
	t.plan.IdempotentIfNamed = named && !e.Idempotent && len(changing) > 0
}

// A difference is why a second call is not the same as the first, and what to do
// about it.
type difference struct{ what, fix string }

// difference is that of a step which could be sent twice; follows says that its
// request follows from an earlier answer, without a reason why that is the same.
func (f flow) difference(s *ir.Step, follows bool) difference {
	const differs = ", which differs from call to call"
	switch {
	case f.other != "":
		return difference{"step " + s.ID + " sends " + f.other + differs, "leave it out"}
	case f.uuid:
		return difference{"step " + s.ID + " sends call.uuid" + differs, "leave it out"}
	case follows:
		return difference{"step " + s.ID + " sends what follows from the answer of " + f.answer.ID,
			"leave it out, or state effect: idempotent with because: at step " + s.ID}
	}
	return difference{}
}

// flowInto looks at the expressions of a request and of the conditions under which
// it is sent, through lets. What only an expect reads does not count: where it
// fails, nothing more is sent.
func (t *toolResolver) flowInto(s *ir.Step) flow {
	var f flow
	seen := map[*expr.Decl]bool{}
	var visit func(*expr.Term)
	visit = func(term *expr.Term) {
		for _, d := range term.Refs() {
			if from := t.steps[d]; from != nil && from != s && f.answer == nil {
				f.answer = from
			}
			switch {
			case d.Role != expr.RoleCall:
			case d.Name == "call.uuid":
				f.uuid = true
			case f.other == "":
				f.other = d.Name
			}
			if let := t.lets[d]; let != nil && !seen[d] {
				seen[d] = true
				visit(let.Expr.Term)
			}
		}
	}
	for _, e := range t.decisive(s) {
		if !isPoisoned(e) {
			visit(e.Term)
		}
	}
	return f
}

// decisive are the expressions that decide what a step sends, and whether it does.
// A trace context does not: services make nothing depend on it (W3C Trace Context).
func (t *toolResolver) decisive(s *ir.Step) []*ir.Expr {
	all := s.Sent()
	for _, b := range s.Bindings {
		if b.Value != nil && b.Param.In == operation.Header && http.CanonicalHeaderKey(b.Param.Name) == "Traceparent" {
			all = slices.DeleteFunc(all, func(e *ir.Expr) bool { return e == b.Value })
		}
	}
	if s.When != nil {
		all = append(all, s.When)
	}
	if s.Each != nil {
		all = append(all, s.Each.Over)
	}
	return all
}

// unknownOutcomes refuses error cases that count as "no answer" a status which
// leaves open whether a step has changed something: the chain would go on as if
// it had not.
func (t *toolResolver) unknownOutcomes() {
	if t.recorded {
		return // the run time tells such an outcome as unknown
	}
	for _, s := range t.plan.Steps {
		if s.Effect == ir.Read {
			continue
		}
		for _, c := range s.Errors {
			if c.Missing && leavesOpen(c.Case, s.Errors) {
				t.errorf(ruleUnknownOutcome, c.Span, "give it code: and message:, or write 4xx; state effect: read with because: where the call only reads", "this status leaves open whether step %s took effect, so its value cannot count as missing", s.ID)
			}
		}
	}
}

// leavesOpen reports whether a case takes a status after which nobody knows
// whether the request took effect: a redirect, or a fault of the server.
func leavesOpen(c ir.Case, all []*ir.ErrorCase) bool {
	if c.Status != 0 {
		class := c.Status
		if !c.Class {
			class /= 100
		}
		return class == 5 || class == 3
	}
	// default: is for 4xx and 5xx, unless another case takes all of the latter.
	return !slices.ContainsFunc(all, func(o *ir.ErrorCase) bool { return o.Class && o.Status == 5 && o.Problem == "" })
}
