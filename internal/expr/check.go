package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Check resolves and types an expression. want is the type that the place of
// the expression asks for, or nil; it gives empty literals a type, and the
// caller still has to test assignability. The term is never nil; after a
// problem its type is types.InvalidType.
func Check(n *Node, scope *Scope, want *types.Type) (*Term, []Problem) {
	c := &checker{scope: scope, facts: scope.assumed()}
	t := c.check(n, want)
	c.untyped(t)
	return t, c.problems
}

// untyped reports an expression of empty literals alone, which has no type to
// compile.
func (c *checker) untyped(t *Term) {
	if t.Type.Kind == types.Invalid && c.problems == nil && !c.poisoned {
		c.fail(t, ruleExpressionNotSupported, "give an element or a value", "the type of this expression cannot be told")
	}
}

// CheckTemplate types a template: a single ${e} keeps the type of e, anything
// else is a string.
func CheckTemplate(t *Template, scope *Scope, want *types.Type) (*Term, []Problem) {
	c := &checker{scope: scope, facts: scope.assumed()}
	if e := t.Single(); e != nil {
		term := c.check(e, want)
		c.untyped(term)
		return term, c.problems
	}
	out := &Term{Op: OpText, Type: types.StringType}
	for _, p := range t.Parts {
		part := &Term{Op: OpConst, Type: types.StringType, Lit: p.Text, Start: p.Start, End: p.End}
		if p.Expr != nil {
			part = c.text(c.check(p.Expr, nil))
		}
		out.Args = append(out.Args, part)
		out.End = p.End
	}
	if len(out.Args) > 0 {
		out.Start = out.Args[0].Start
	}
	if out.allConst() {
		return &Term{Op: OpConst, Type: types.StringType, Lit: t.Literal(), Start: out.Start, End: out.End}, c.problems
	}
	return out, c.problems
}

func (t *Term) allConst() bool {
	return !slices.ContainsFunc(t.Args, func(a *Term) bool { return a.Op != OpConst || a.Type.Kind != types.String })
}

// text converts a part of a template to a string.
func (c *checker) text(t *Term) *Term {
	t = c.present(t)
	switch k := t.Type.Kind; {
	case k == types.Invalid || k == types.String:
		return t
	case k == types.Dyn:
		return c.fail(t, RuleNoType, narrowFix, "%s cannot stand inside text", describe(t.Type))
	case t.Type.IsScalar() && k != types.Bytes:
		return &Term{Op: OpCall, Name: "string(" + t.Type.String() + ")", Type: types.StringType, Args: []*Term{t}, Start: t.Start, End: t.End}
	}
	return c.fail(t, RuleWrongType, "pick a field, or join the elements of a list with .join(\", \")", "%s cannot stand inside text", describe(t.Type))
}

type checker struct {
	scope    *Scope
	problems []Problem
	// poisoned says that a name was read whose declaration has a problem that
	// was reported already.
	poisoned bool
	// facts are the paths that guards have shown to be there, and the guards
	// that are known to hold.
	facts []string
}

// A place is a piece of the source, in bytes.
type place struct{ start, end int }

func (c *checker) problem(rule diag.RuleID, at place, fix, format string, args ...any) *Term {
	c.problems = append(c.problems, Problem{Rule: rule, Start: at.start, End: at.end, Fix: fix, Message: fmt.Sprintf(format, args...)})
	return &Term{Op: OpInvalid, Type: types.InvalidType, Start: at.start, End: at.end}
}

// fail reports a problem with the whole of a term.
func (c *checker) fail(t *Term, rule diag.RuleID, fix, format string, args ...any) *Term {
	return c.problem(rule, place{t.Start, t.End}, fix, format, args...)
}

func (c *checker) unsupported(n *Node, what string) *Term {
	return c.problem(ruleExpressionNotSupported, place{n.Start, n.End}, "write it another way", "%s", what)
}

func invalid(terms ...*Term) bool {
	return slices.ContainsFunc(terms, func(t *Term) bool { return t.Type.Kind == types.Invalid })
}

func poison(n *Node) *Term {
	return &Term{Op: OpInvalid, Type: types.InvalidType, Start: n.Start, End: n.End}
}

// describe names a type in a sentence.
func describe(t *types.Type) string {
	if t.Kind == types.Dyn {
		return "a value of unknown type (" + t.Why + ")"
	}
	if t.Kind == types.Object && !t.Record {
		return "the object " + t.String()
	}
	return "a value of type " + t.String()
}

func (c *checker) check(n *Node, want *types.Type) *Term {
	t := c.checkNode(n, want)
	if t.Start == 0 && t.End == 0 {
		t.Start, t.End = n.Start, n.End
	}
	return t
}

func (c *checker) checkNode(n *Node, want *types.Type) *Term {
	switch n.Kind {
	case NLit:
		return c.literal(n)
	case NName:
		return c.name(n)
	case NSelect:
		return c.selection(n)
	case NIndex:
		return c.index(n)
	case NCall:
		return c.call(n, want)
	case NList:
		return c.list(n, want)
	case NMap:
		return c.mapping(n, want)
	case NUnary:
		return c.unary(n)
	case NBinary:
		return c.binary(n)
	}
	return c.cond(n, want)
}

func (c *checker) literal(n *Node) *Term {
	t := &Term{Op: OpConst, Lit: n.Lit, Start: n.Start, End: n.End}
	switch n.Lit.(type) {
	case nil:
		t.Type = types.NullType
	case bool:
		t.Type = types.BoolType
	case int64:
		t.Type = types.IntType
	case uint64:
		t.Type = types.UintType
	case float64:
		t.Type = types.DoubleType
	case string:
		t.Type = types.StringType
	default:
		t.Type = types.BytesType
	}
	return t
}

func (c *checker) name(n *Node) *Term {
	d := c.scope.Lookup(n.Name)
	if why := leftOut[n.Name]; d == nil && why != "" {
		return c.unsupported(n, n.Name+" as a value is left out of the language: "+why)
	}
	if d == nil {
		if names := c.behind(n.Name); len(names) > 0 {
			return c.problem(ruleUnknownName, place{n.Start, n.End}, "use one of "+listNames(names), "%q is no value by itself", n.Name)
		}
		// Names such as call.id are after a word that is none of the user's.
		names := slices.DeleteFunc(c.scope.Names(), func(s string) bool { return strings.Contains(s, ".") })
		near := diag.Nearest(n.Name, names)
		known := names
		if len(known) == 0 { // as in allow:, which sees the caller alone
			known = c.scope.Names()
		}
		fix := "use one of the declared names: " + listNames(known)
		if near != "" {
			fix = fmt.Sprintf("write %q", near)
		}
		return c.problem(ruleUnknownName, place{n.Start, n.End}, fix, "unknown name %q%s", n.Name, diag.DidYouMean(n.Name, names))
	}
	d.Uses++
	c.poisoned = c.poisoned || d.Type.Kind == types.Invalid
	if k := d.scalar(); k != nil {
		return &Term{Op: OpConst, Type: d.Type, Lit: k.Lit, Start: n.Start, End: n.End}
	}
	t := &Term{Op: OpRef, Type: d.Type, Decl: d, Start: n.Start, End: n.End}
	return c.withFact(t)
}

func listNames(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return "(none)"
	}
	if len(names) > 12 {
		names = append(names[:12:12], "...")
	}
	return strings.Join(names, ", ")
}

// withFact unwraps an optional path that a guard has shown to be there.
func (c *checker) withFact(t *Term) *Term {
	if t.Type.Kind == types.Optional && c.known(t) {
		return &Term{Op: OpPresent, Type: t.Type.Elem, Args: []*Term{t}, Start: t.Start, End: t.End}
	}
	return t
}

func (c *checker) known(t *Term) bool {
	if slices.Contains(c.facts, PathKey(t)) {
		return true
	}
	return t.Op == OpRef && Known(t.Decl, c.facts)
}

// PathKey returns a text that is equal for terms that read the same value, ""
// for terms that are not plain paths.
func PathKey(t *Term) string {
	switch t.Op {
	case OpRef:
		return t.Decl.identity()
	case OpPresent:
		return PathKey(t.Args[0])
	case OpNarrow:
		if k := PathKey(t.Args[0]); k != "" {
			return k + "(" + t.Type.String() + ")"
		}
	case OpField, OpOptField:
		if k := PathKey(t.Args[0]); k != "" {
			return k + "." + t.Name
		}
	case OpIndex, OpOptIndex:
		if k := PathKey(t.Args[0]); k != "" && t.Args[1].Op == OpConst {
			return fmt.Sprintf("%s[%#v]", k, t.Args[1].Lit)
		}
	}
	return ""
}

// present refuses a value that may be missing.
func (c *checker) present(t *Term) *Term {
	return c.presentOr(t, "give a default, or write .orValue(...)")
}

func (c *checker) presentOr(t *Term, fix string) *Term {
	if t.Type.Kind != types.Optional {
		return t
	}
	return c.fail(t, RuleMayBeMissing, fix, "the value may be missing%s", WhyMissing(t))
}

// orEmpty makes a list or map that may be missing one that is empty then. That a
// step may have no answer is no list that is left out: only .? and [?] say that
// this is meant.
func (c *checker) orEmpty(n *Node, t *Term) *Term {
	if t.Type.Kind != types.Optional || t.Type.Elem.Kind != types.List && t.Type.Elem.Kind != types.Map {
		return t
	}
	if stated := (n.Kind == NSelect || n.Kind == NIndex) && n.Opt; !stated && WhyMissing(t) != "" {
		return t
	}
	return &Term{Op: OpPresent, Type: t.Type.Elem, Args: []*Term{t}, EmptyOK: true, Start: t.Start, End: t.End}
}

// WhyMissing completes "may be missing" where the reason is not in sight: the
// value belongs to a step that may have no answer.
func WhyMissing(t *Term) string {
	for {
		switch {
		case t.Op == OpRef && t.Type.Kind != types.Optional:
			return ""
		case t.Op == OpRef && t.Decl.Means != nil:
			t = t.Decl.Means
			continue
		case t.Op == OpRef && t.Decl.Of != nil:
			return ": step " + t.Decl.Of.Name + " runs only under its condition"
		case t.Op == OpRef && t.Decl.Role == RoleStep && t.Decl.When != nil:
			return ": step " + t.Decl.Name + " runs only under its condition"
		case t.Op == OpRef && t.Decl.Role == RoleStep:
			return ": step " + t.Decl.Name + " may have no answer"
		case t.Op != OpField && t.Op != OpOptField && t.Op != OpOptIndex:
			return ""
		}
		t = t.Args[0]
	}
}

// value checks a node that must give a value.
func (c *checker) value(n *Node) *Term { return c.present(c.check(n, nil)) }

// Facts returns what is known wherever cond has the given outcome: the paths
// that are there (see PathKey), how long lists are at least, and the outcome itself.
func Facts(cond *Term, outcome bool) []string {
	return slices.Concat(pathFacts(cond, outcome), lengthFacts(cond, outcome), conditionFacts(cond, outcome))
}

func pathFacts(cond *Term, outcome bool) []string {
	switch cond.Op {
	case OpHas:
		if k := PathKey(cond.Args[0]); outcome && k != "" {
			return []string{k + "." + cond.Name}
		}
	case OpHasValue:
		if k := PathKey(cond.Args[0]); outcome && k != "" {
			return []string{k}
		}
	case OpIsMissing:
		if k := PathKey(cond.Args[0]); !outcome && k != "" {
			return []string{k}
		}
	case OpNot:
		return Facts(cond.Args[0], !outcome)
	case OpAnd, OpOr:
		if outcome == (cond.Op == OpAnd) {
			return append(Facts(cond.Args[0], outcome), Facts(cond.Args[1], outcome)...)
		}
	}
	return nil
}

// under checks n with the facts that hold where cond has the given outcome.
func (c *checker) under(cond *Term, outcome bool, n *Node, want *types.Type) *Term {
	saved := c.facts
	c.facts = append(slices.Clip(c.facts), Facts(cond, outcome)...)
	t := c.check(n, want)
	c.facts = saved
	return t
}

func (c *checker) condition(t *Term, where string) *Term {
	t = c.present(t)
	if !invalid(t) && t.Type.Kind != types.Bool {
		fix := "write a comparison"
		if t.Type.Kind == types.Dyn {
			fix = "write bool(...)"
		}
		return c.fail(t, RuleWrongType, fix, "%s must be bool, this is %s%s", where, t.Type, whyDyn(t))
	}
	return t
}

func (c *checker) cond(n *Node, want *types.Type) *Term {
	test := c.condition(c.check(n.Args[0], nil), "the condition of ?:")
	yes := c.under(test, true, n.Args[1], want)
	no := c.under(test, false, n.Args[2], want)
	if invalid(test, yes, no) {
		return poison(n)
	}
	typ, ok := c.unify(&yes, &no)
	if !ok {
		return c.problem(RuleWrongType, place{n.Start, n.End}, "convert one of them", "the two values of ?: have the types %s and %s", yes.Type, no.Type)
	}
	return &Term{Op: OpCond, Type: typ, Args: []*Term{test, yes, no}, Start: n.Start, End: n.End}
}

// unify brings two terms to one type: int widens to double, a value beside an
// optional becomes one, literals of unknown element type take the other's.
func (c *checker) unify(a, b **Term) (*types.Type, bool) {
	if types.Same((*a).Type, (*b).Type) {
		return types.Join((*a).Type, (*b).Type), true
	}
	for range 2 {
		if t, ok := Coerce(*a, (*b).Type); ok {
			*a = t
			return (*b).Type, true
		}
		a, b = b, a
	}
	if typ, ok := unifyFree(a, b); ok {
		return typ, true
	}
	if (*a).Type.Kind == types.Optional || (*b).Type.Kind == types.Optional {
		return c.unifyOptional(a, b)
	}
	return nil, false
}

func (c *checker) unifyOptional(a, b **Term) (*types.Type, bool) {
	for range 2 {
		if (*a).Type.Kind == types.Optional && (*b).Type.Kind != types.Optional {
			if t, ok := Coerce(*b, (*a).Type.Elem); ok {
				*b = &Term{Op: OpOptOf, Type: (*a).Type, Args: []*Term{t}, Start: t.Start, End: t.End}
				return (*a).Type, true
			}
		}
		a, b = b, a
	}
	return nil, false
}

// Coerce makes t a value of type want where that loses nothing: the same type,
// int to double, an empty literal to any list or map, a record literal to a
// map, a literal list element by element.
func Coerce(t *Term, want *types.Type) (*Term, bool) {
	switch {
	case want == nil || t.Type.Kind == types.Invalid || want.Kind == types.Invalid:
		return t, true
	case types.Same(t.Type, want):
		return t, true
	case t.Type.Kind == types.Int && want.Kind == types.Double:
		if i, ok := t.Lit.(int64); ok && t.Op == OpConst {
			return &Term{Op: OpConst, Type: types.DoubleType, Lit: float64(i), Start: t.Start, End: t.End}, true
		}
		return &Term{Op: OpConvert, Type: types.DoubleType, Args: []*Term{t}, Start: t.Start, End: t.End}, true
	case t.Op == OpList && want.Kind == types.List && (len(t.Args) == 0 || !want.NullableElem):
		return coerceList(t, want)
	case t.Op == OpRecord && want.Kind == types.Map && !want.NullableElem:
		return asMap(t, want.Elem)
	case t.Op == OpMap && len(t.Args) == 0 && want.Kind == types.Map:
		return &Term{Op: OpMap, Type: want, Start: t.Start, End: t.End}, true
	case t.Op == OpOptNone && want.Kind == types.Optional:
		return &Term{Op: OpOptNone, Type: want, Start: t.Start, End: t.End}, true
	}
	return t, false
}

func coerceList(t *Term, want *types.Type) (*Term, bool) {
	out := &Term{Op: OpList, Type: want, Opts: t.Opts, Start: t.Start, End: t.End}
	for i, a := range t.Args {
		elem := want.Elem
		if t.Opts[i] {
			elem = types.OptionalOf(elem)
		}
		e, ok := Coerce(a, elem)
		if !ok {
			return t, false
		}
		out.Args = append(out.Args, e)
	}
	return out, true
}

// asMap reads a record as a map of strings to elem (nil: the type that its
// values share, or any).
func asMap(t *Term, elem *types.Type) (*Term, bool) {
	out := &Term{Op: OpMap, Start: t.Start, End: t.End}
	values, ok := recordValues(t)
	if !ok {
		return t, false
	}
	if elem == nil {
		if elem = commonType(values); elem == nil {
			elem = types.DynOf(whyMixed)
		}
	}
	for i, f := range t.Type.Fields {
		v, ok := Coerce(values[i], elem)
		if !ok && elem.Kind == types.Dyn {
			v, ok = box(values[i])
		}
		if !ok {
			return t, false
		}
		out.Args = append(out.Args, &Term{Op: OpConst, Type: types.StringType, Lit: f.Name, Start: v.Start, End: v.End}, v)
	}
	out.Type = types.MapOf(types.StringType, elem)
	return out, true
}

// recordValues returns the values of a record literal, or of a path that leads
// to a record; a record with optional fields is not a map.
func recordValues(t *Term) ([]*Term, bool) {
	if slices.ContainsFunc(t.Type.Fields, func(f *types.Field) bool { return f.Optional }) {
		return nil, false
	}
	if t.Op == OpRecord {
		return t.Args, true
	}
	if !t.Type.Record || PathKey(t) == "" {
		return nil, false
	}
	var out []*Term
	for _, f := range t.Type.Fields {
		out = append(out, &Term{Op: OpField, Name: f.Name, Type: f.Type, Args: []*Term{t}, Start: t.Start, End: t.End})
	}
	return out, true
}

// commonType returns the type that all terms can be coerced to, or nil.
func commonType(terms []*Term) *types.Type {
	if len(terms) == 0 {
		return types.DynOf(whyEmpty)
	}
	typ := terms[0].Type
	for _, t := range terms[1:] {
		if _, ok := Coerce(t, typ); ok {
			typ = types.Join(typ, t.Type)
			continue
		}
		if _, ok := Coerce(terms[0], t.Type); !ok {
			return nil
		}
		typ = t.Type
	}
	for _, t := range terms {
		if _, ok := Coerce(t, typ); !ok {
			return nil
		}
	}
	return typ
}
