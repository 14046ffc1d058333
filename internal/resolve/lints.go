package resolve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// lints reports what compiles and is probably not what was meant. A tool with
// errors, which begin after before, is left alone: what an unknown name was
// meant to read would look unread.
func (t *toolResolver) lints(before int) {
	unknown := func(s *ir.Step) bool { return s.Op == nil }
	if t.findings[before:].HasErrors() || slices.ContainsFunc(t.plan.Steps, unknown) {
		return
	}
	for _, e := range t.allExprs() {
		e.Term.Walk(func(x *expr.Term) bool {
			t.divisions(e, x)
			t.constantComparison(e, x)
			return true
		})
		t.nestedLoops(e)
	}
	t.overBudget()
	t.picks()
	t.unusedSteps()
	t.unusedLets()
	t.programmatic()
	t.fragileHeaders()
	t.wordings()
}

// placeOf is the place of a term inside its expression.
func placeOf(e *ir.Expr, x *expr.Term) diag.Span {
	s := e.At(x.Start)
	s.End = e.At(x.End).Start
	return s
}

// divisions warns of 1 / 2, which is 0.
func (t *toolResolver) divisions(e *ir.Expr, x *expr.Term) {
	if x.Op != expr.OpBinary || x.Name != "/" || x.Type.Kind != types.Int {
		return
	}
	t.warnf(ruleIntegerDivision, placeOf(e, x), "write double(...) around one side; math.floor(...) if the rest is not wanted", "an int divided by an int loses the rest: 1 / 2 is 0")
}

// constantComparison warns of a comparison whose outcome is known.
func (t *toolResolver) constantComparison(e *ir.Expr, x *expr.Term) {
	if outcome, why := expr.Outcome(x); why != "" {
		t.warnf(ruleConstantComparison, placeOf(e, x), "compare something else, or remove it", "this is always %v: %s", outcome, why)
	}
}

// picks warns of [0] and [1] on a list that may be shorter where the value leaves
// the tool: the caller then gets no_result with no explanation. A list is known not
// to be empty where a condition or an expect says so.
func (t *toolResolver) picks() {
	var known []string
	for _, s := range t.plan.Steps {
		if s.When == nil {
			known = append(known, t.expected(s, s.MayLackAnswer())...)
		}
	}
	seen := map[picked]bool{}
	for _, o := range t.plan.Outputs {
		if !isPoisoned(o.Expr) {
			t.picksIn(o.Expr, o.Expr.Term, known, seen)
		}
	}
}

// expected is what is known once the checks of a step have passed. Where the answer
// is missing, those that read it are passed over.
func (t *toolResolver) expected(s *ir.Step, missing bool) []string {
	var known []string
	judges := t.judges(s)
	for _, x := range s.Expect {
		if !isPoisoned(x.Check) && !(missing && judges[x.Check]) {
			known = append(known, expr.Facts(x.Check.Term, true)...)
			known = append(known, meantFacts(x.Check.Term)...)
		}
	}
	return known
}

// meantFacts is what size(x) >= 0 was meant to say: that it is always true is
// reported, and one finding is enough.
func meantFacts(check *expr.Term) []string {
	if _, why := expr.Outcome(check); why == "" || check.Args[0].Op != expr.OpCall || check.Args[0].Name != "size" {
		return nil
	}
	meant := *check
	meant.Name = ">"
	return expr.Facts(&meant, true)
}

// A picked let has been looked into under what was known.
type picked struct {
	let   *ir.Let
	known string
}

func (t *toolResolver) picksIn(e *ir.Expr, x *expr.Term, known []string, seen map[picked]bool) {
	expr.WalkKnown(x, known, func(x *expr.Term, known []string) {
		if let := t.lets[x.Decl]; x.Op == expr.OpRef && let != nil {
			key := picked{let, strings.Join(known, "\n")}
			if !seen[key] {
				seen[key] = true
				t.picksIn(let.Expr, let.Expr.Term, known, seen)
			}
			return
		}
		t.pick(e, x, known)
	})
}

// pick warns of an element by number that a list may not have. The lists of split
// and of literals have their elements.
func (t *toolResolver) pick(e *ir.Expr, x *expr.Term, known []string) {
	if x.Op != expr.OpIndex || x.Args[0].Type.Kind != types.List || x.Args[1].Op != expr.OpConst {
		return
	}
	i, ok := x.Args[1].Lit.(int64)
	switch n := expr.Promised(x.Args[0], t.also(known)); {
	case !ok || i < 0 || i < int64(n):
	case i == 0:
		t.warnf(ruleUnguardedPick, placeOf(e, x), "add an expect: with size() > 0 and a message, or write [?0]", "the list may be empty, and callers are not told why there is no answer")
	default:
		t.warnf(ruleUnguardedPick, placeOf(e, x), fmt.Sprintf("add an expect: with size() > %d and a message, or write [?%d]", i, i), "the list may be too short for [%d], and callers are not told why there is no answer", i)
	}
}

// also adds what holds where the answer of a conditional step is known to be there:
// its condition, and what its checks have found.
func (t *toolResolver) also(known []string) []string {
	out := slices.Clip(known)
	for _, s := range t.plan.Steps {
		if !s.MayBeMissing() || !expr.Known(s.Decl, known) {
			continue
		}
		if !isPoisoned(s.When) {
			out = append(out, expr.Facts(s.When.Term, true)...)
		}
		out = append(out, t.expected(s, false)...)
	}
	return out
}

// unusedSteps warns of reads whose answer nobody reads.
func (t *toolResolver) unusedSteps() {
	for _, s := range t.plan.Steps {
		if s.Effect == ir.Read && s.Op != nil && s.Result == nil && !s.HTTP && len(s.Expect) == 0 && len(s.Errors) == 0 {
			t.warnf(ruleUnusedStep, t.names[s], "remove the step, or read its answer", "nothing reads the answer of step %s, and it changes nothing", s.ID)
		}
	}
}

// unusedLets warns of lets that nothing reads.
func (t *toolResolver) unusedLets() {
	for _, p := range t.m.Lets {
		if d := t.scope.Lookup(p.Key.Value); d != nil && d.Role == expr.RoleLet && d.Uses == 0 {
			t.warnf(ruleUnusedLet, p.Key.Span, "remove it", "nothing reads the let %s", p.Key.Value)
		}
	}
}

// idName are names of values that programs pass around and models mangle.
var idName = regexp.MustCompile(`^(?:.*(?:_|-))?(?:id|ids|uuid|guid|etag|token|cursor|sha|hash)$|[a-z0-9](?:Id|ID|Ids|IDs|Uuid|UUID|Guid|GUID|Etag|ETag|Token|Cursor|Sha|SHA|Hash)$`)

var idFormats = []string{"uuid", "uri", "url", "uri-reference"}

// programmatic warns of outputs that only programs can use (A2T 3.1.1): ids,
// tokens and values of the running call.
func (t *toolResolver) programmatic() {
	for _, o := range t.plan.Outputs {
		if what := t.programmaticTerm(o.Expr.Term, 0); what != "" {
			t.warnf(ruleProgrammaticOutput, span(o.Expr), "leave it out, or say what it means to a person", "output %s is %s, which a model can do little with", o.Name, what)
		}
	}
}

func (t *toolResolver) programmaticTerm(x *expr.Term, depth int) string {
	switch {
	case depth > 50:
		return ""
	case x.Op == expr.OpRef && x.Decl.Role == expr.RoleCall:
		return x.Decl.Name
	case x.Op == expr.OpRef && t.lets[x.Decl] != nil:
		return t.programmaticTerm(t.lets[x.Decl].Expr.Term, depth+1)
	case x.Op == expr.OpPresent, x.Op == expr.OpOrValue, x.Op == expr.OpNarrow:
		return t.programmaticTerm(x.Args[0], depth+1)
	case x.Op == expr.OpCond:
		if what := t.programmaticTerm(x.Args[1], depth+1); what != "" {
			return what
		}
		return t.programmaticTerm(x.Args[2], depth+1)
	case x.Op != expr.OpField && x.Op != expr.OpOptField:
		return ""
	}
	return Programmatic(x.Name, x.Type)
}

// Programmatic says what a field of an answer is if only programs can use it:
// ids, tokens and links (A2T 3.1.1). It is "" for others.
func Programmatic(name string, typ *types.Type) string {
	if typ.Kind == types.Optional {
		typ = typ.Elem
	}
	switch {
	case typ.Kind != types.String && typ.Kind != types.Int:
		return ""
	case idName.MatchString(name):
		return "the " + name + " of something"
	case typ.Limits != nil && slices.Contains(idFormats, typ.Limits.Format):
		return "a value of the format " + typ.Limits.Format
	}
	return ""
}
