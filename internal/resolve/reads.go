package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// reads notes which paths of its answer the expressions of the tool touch, and
// drops the type of answers that nothing reads.
func (t *toolResolver) reads() {
	w := &pathWalker{t: t, over: map[*expr.Decl]*expr.Term{}, found: map[*ir.Step]map[string]bool{}}
	for _, s := range t.plan.Steps {
		if s.Each != nil {
			w.over[s.Each.Item] = s.Each.Over.Term
		}
	}
	for _, e := range t.allExprs() {
		w.walk(e.Term)
	}
	for _, s := range t.plan.Steps {
		if len(w.found[s]) == 0 {
			continue
		}
		s.Result = s.Answer
		for p := range w.found[s] {
			s.Reads = append(s.Reads, p)
		}
		slices.Sort(s.Reads)
	}
}

// allExprs returns every sound expression of the tool.
func (t *toolResolver) allExprs() []*ir.Expr {
	return slices.DeleteFunc(t.plan.Exprs(), isPoisoned)
}

// pathWalker finds the longest paths that terms read.
type pathWalker struct {
	t     *toolResolver
	over  map[*expr.Decl]*expr.Term // what a macro's variable runs over
	found map[*ir.Step]map[string]bool
}

func (w *pathWalker) walk(term *expr.Term) {
	term.Walk(func(x *expr.Term) bool {
		switch {
		case len(x.Args) == 0:
		case x.Var2 != nil:
			w.over[x.Var2] = x.Args[0]
		case x.Var != nil:
			w.over[x.Var] = x.Args[0]
		}
		step, path, ok := w.path(x)
		if !ok || step == nil {
			return true
		}
		if w.found[step] == nil {
			w.found[step] = map[string]bool{}
		}
		w.found[step][path] = true
		return true
	})
}

// headerNames wants the names of headers in lower case, as the run time keeps
// them: any other would never be there.
func (t *toolResolver) headerNames() {
	for _, e := range t.allExprs() {
		e.Term.Walk(func(x *expr.Term) bool {
			var header, key *expr.Term
			switch x.Op {
			case expr.OpIndex, expr.OpOptIndex:
				header, key = x.Args[0], x.Args[1]
			case expr.OpIn:
				header, key = x.Args[1], x.Args[0]
			default:
				return true
			}
			name, isText := key.Lit.(string)
			if header.Op != expr.OpRef || header.Decl.Role != expr.RoleHTTP || key.Op != expr.OpConst || !isText {
				return true
			}
			if lower := strings.ToLower(name); lower != name {
				t.errorf(ruleWrongHeader, placeOf(e, key), fmt.Sprintf("write %q", lower), "the names of headers are in lower case here")
			}
			return true
		})
	}
}

// path returns the step and the path within its answer that a term reads.
func (w *pathWalker) path(x *expr.Term) (*ir.Step, string, bool) {
	switch x.Op {
	case expr.OpRef:
		if s := w.t.steps[x.Decl]; s != nil {
			if s.Collect != nil && x.Decl == s.Decl {
				return w.path(s.Collect.Items.Term)
			}
			s.HTTP = s.HTTP || x.Decl.Role == expr.RoleHTTP
			return s, "", x.Decl.Role == expr.RoleStep
		}
		if let := w.t.lets[x.Decl]; let != nil {
			return w.path(let.Expr.Term)
		}
		if over := w.over[x.Decl]; over != nil {
			s, p, ok := w.path(over)
			return s, p + "[]", ok
		}
	case expr.OpField, expr.OpOptField, expr.OpHas:
		s, p, ok := w.path(x.Args[0])
		if ok && s.Each != nil && s.Each.Pair == x.Args[0].Type {
			if x.Name == "item" {
				s, p, ok = w.path(s.Each.Over.Term)
				p += "[]"
			}
			return s, p, ok
		}
		if p != "" {
			p += "."
		}
		return s, p + x.Name, ok
	case expr.OpIndex, expr.OpOptIndex:
		s, p, ok := w.path(x.Args[0])
		return s, p + "[]", ok
	case expr.OpFilter, expr.OpPresent, expr.OpSortBy:
		return w.path(x.Args[0])
	case expr.OpNarrow:
		s, p, ok := w.path(x.Args[0])
		kind := x.Type.Kind
		if kind == types.Optional {
			kind = x.Type.Elem.Kind
		}
		return s, fmt.Sprintf("%s(%s)", p, kind), ok
	}
	return nil, "", false
}
