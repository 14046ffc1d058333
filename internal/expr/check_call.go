package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// call checks a function call or macro.
func (c *checker) call(n *Node, want *types.Type) *Term {
	name, args := n.Name, n.Args
	member := n.Member
	if member && args[0].Kind == NName && c.scope.Lookup(args[0].Name) == nil {
		// math.round(x): the receiver is not a value but the first half of a name.
		if ns := args[0].Name; slices.Contains(namespaces, ns) {
			name, args, member = ns+"."+name, args[1:], false
		}
	}
	if t := c.macro(n, name, args, member); t != nil {
		return t
	}
	if d := c.scope.Lookup(name); d != nil && d.Func {
		return c.declaredFunction(n, d, args)
	}
	terms := make([]*Term, len(args))
	for i, a := range args {
		terms[i] = c.check(a, nil)
	}
	if invalid(terms...) {
		return poison(n)
	}
	if emptyCounts[name] && len(terms) > 0 {
		terms[0] = c.orEmpty(args[0], terms[0])
	}
	if t := c.generic(n, name, terms, member, want); t != nil {
		return t
	}
	return c.plainFunction(n, name, terms, member)
}

// declaredFunction checks caller.secret("X") and its like: functions of the
// scope with one literal argument. The argument becomes the term's Lit.
func (c *checker) declaredFunction(n *Node, d *Decl, args []*Node) *Term {
	if len(args) != 1 || args[0].Kind != NLit {
		return c.problem(RuleWrongType, place{n.Start, n.End}, "write it as a literal: \"name\"", "%s takes one literal text", d.Name)
	}
	text, ok := args[0].Lit.(string)
	if !ok {
		return c.problem(RuleWrongType, place{args[0].Start, args[0].End}, "write it as a literal: \"name\"", "%s takes one literal text", d.Name)
	}
	d.Uses++
	return &Term{Op: OpRef, Type: d.Type, Decl: d, Lit: text, Start: n.Start, End: n.End}
}

// plainFunction resolves the overloads of functions over plain types.
func (c *checker) plainFunction(n *Node, name string, terms []*Term, member bool) *Term {
	overloads := signatures[name]
	if why := leftOut[name]; why != "" && len(overloads) == 0 {
		return c.unsupported(n, name+"() is left out of the language: "+why)
	}
	if len(overloads) == 0 {
		fix := "see the list of functions in the documentation"
		if near := diag.Nearest(name, FunctionNames()); near != "" {
			fix = fmt.Sprintf("write %s(...)", near)
		}
		return c.problem(ruleUnknownFunction, place{n.NameAt, n.nameEnd()}, fix, "unknown function %q%s", name, diag.DidYouMean(name, FunctionNames()))
	}
	for _, t := range terms {
		if p := c.present(t); p != t {
			return p
		}
	}
	for _, exact := range []bool{true, false} {
		for _, s := range overloads {
			if args, ok := s.match(terms, member, exact); ok {
				return &Term{Op: OpCall, Name: s.id, Type: s.result, Args: args, Start: n.Start, End: n.End}
			}
		}
	}
	return c.noOverload(n, name, terms, member, overloads)
}

func (s *signature) match(terms []*Term, member, exact bool) ([]*Term, bool) {
	if s.member != member || len(s.params) != len(terms) {
		return nil, false
	}
	args := make([]*Term, len(terms))
	for i, t := range terms {
		if exact && !types.Same(t.Type, s.params[i]) {
			return nil, false
		}
		arg, ok := Coerce(t, s.params[i])
		if !ok {
			arg, ok = narrow(t, s.params[i])
		}
		if !ok {
			return nil, false
		}
		args[i] = arg
	}
	return args, true
}

// narrow takes the variant of a union that a conversion asks for: int(u),
// string(u).
func narrow(t *Term, want *types.Type) (*Term, bool) {
	if t.Type.Kind != types.Union {
		return t, false
	}
	v := t.Type.Variant(want.Kind)
	if v == nil {
		return t, false
	}
	return &Term{Op: OpNarrow, Type: v, Args: []*Term{t}, Start: t.Start, End: t.End}, true
}

func (c *checker) noOverload(n *Node, name string, terms []*Term, member bool, overloads []signature) *Term {
	var forms []string
	for _, s := range overloads {
		forms = append(forms, s.id)
	}
	given := make([]string, len(terms))
	for i, t := range terms {
		given[i] = t.Type.String()
	}
	text := name + "(" + strings.Join(given, ", ") + ")"
	if member {
		text = given[0] + "." + name + "(" + strings.Join(given[1:], ", ") + ")"
	}
	rule, fix, why := RuleWrongType, "use one of its forms: "+strings.Join(forms, "; "), whyDyn(terms...)
	if why != "" {
		rule, fix = RuleNoType, narrowFix
	}
	return c.problem(rule, place{n.NameAt, n.nameEnd()}, fix, "there is no %s%s", text, why)
}

// generic checks the functions over any list, map or optional; nil means that
// name is none of them.
func (c *checker) generic(n *Node, name string, terms []*Term, member bool, want *types.Type) *Term {
	if strings.HasPrefix(name, "optional.") {
		return c.optionalFunction(n, name, terms, want)
	}
	if name == "math.greatest" || name == "math.least" {
		return c.extremum(n, name, terms)
	}
	if t := c.patterned(n, name, terms, member); t != nil {
		return t
	}
	if len(terms) == 0 {
		return nil
	}
	if t := c.guarded(name, terms, member); t != nil {
		return t
	}
	if t := c.freeFunction(n, name, terms, member); t != nil {
		return t
	}
	if name == "extra" && len(terms) == 1 && !member {
		return c.extra(n, terms[0])
	}
	x := terms[0]
	switch x.Type.Kind {
	case types.Optional:
		if member {
			return c.optionalMethod(n, name, terms)
		}
	case types.List, types.Map:
		return c.collection(n, name, terms, member)
	case types.Object:
		if m, ok := asMap(x, nil); ok && x.Op == OpRecord && name == "size" {
			return c.collection(n, name, []*Term{m}, member)
		}
	case types.Union:
		if v := x.Type.Variant(types.List, types.Map); v != nil && (name == "size" || member) {
			terms[0] = &Term{Op: OpNarrow, Type: v, Args: []*Term{x}, Start: x.Start, End: x.End}
			return c.collection(n, name, terms, member)
		}
	}
	return nil
}

// guarded checks the methods of an optional that a guard has shown to be
// there: value() is what is there already, the others want the optional.
func (c *checker) guarded(name string, terms []*Term, member bool) *Term {
	if !member || terms[0].Op != OpPresent {
		return nil
	}
	switch name {
	case "value":
		if len(terms) == 1 {
			return terms[0]
		}
	case "hasValue", "orValue", "or":
		terms[0] = unguarded(terms[0])
	}
	return nil
}

// unguarded returns the optional itself of a path that a guard has shown to be
// there.
func unguarded(t *Term) *Term {
	if t.Op == OpPresent {
		return t.Args[0]
	}
	return t
}

// extra checks extra(object): the members that the schema of an answer does
// not list, as a map. The schema's additionalProperties say of which type they
// are, null included; where it says nothing they are of unknown type.
func (c *checker) extra(n *Node, x *Term) *Term {
	if v := x.Type.Variant(types.Object); v != nil && x.Type.Kind == types.Union {
		x = &Term{Op: OpNarrow, Type: v, Args: []*Term{x}, Start: x.Start, End: x.End}
	}
	if x = c.present(x); invalid(x) {
		return x
	}
	if x.Type.Kind != types.Object || x.Type.Record {
		return c.fail(x, RuleWrongType, "use an object of an answer", "extra() wants an object that lists some of its members, this is %s", x.Type)
	}
	typ := types.MapOf(types.StringType, types.DynOf("member that the schema does not list"))
	if x.Type.Extra != nil {
		typ.Elem, typ.NullableElem = x.Type.Extra, true
	}
	return &Term{Op: OpCall, Name: "extra", Type: typ, Args: []*Term{x}, Start: n.Start, End: n.End}
}

// emptyCounts are the functions for which a list that is absent counts as empty.
var emptyCounts = map[string]bool{
	"size": true, "distinct": true, "sort": true, "reverse": true, "flatten": true, "first": true, "last": true, "take": true, "slice": true,
}

// collection checks size and the list functions.
func (c *checker) collection(n *Node, name string, terms []*Term, member bool) *Term {
	x, rest := terms[0], terms[1:]
	t := &Term{Op: OpCall, Args: terms, Start: n.Start, End: n.End}
	if name == "size" && len(rest) == 0 {
		emptyOK(x)
		t.Name, t.Type = "size", types.IntType
		return t
	}
	if x.Type.Kind != types.List || !member {
		return nil
	}
	elem := x.Type.Elem
	sortable := elem.IsNumber() || elem.Kind == types.String
	if isEmptyLiteral(x) && len(rest) == 0 && slices.Contains([]string{"distinct", "sort", "reverse", "flatten"}, name) {
		return x
	}
	switch {
	case name == "distinct" && len(rest) == 0, name == "sort" && len(rest) == 0:
		if x.Type.NullableElem || !sortable && (name == "sort" || !plain(elem)) {
			return c.fail(x, RuleWrongType, "map(...) the list to text or numbers first", "%s() wants a list of plain values, this is %s", name, x.Type)
		}
		t.Name, t.Type = "list."+name, x.Type
	case name == "reverse" && len(rest) == 0:
		t.Name, t.Type = "list.reverse", x.Type
	case (name == "first" || name == "last") && len(rest) == 0:
		t.Name, t.Type = "list."+name, types.OptionalOf(elem)
	case name == "flatten" && len(rest) == 0 && elem.Kind == types.List:
		t.Name, t.Type = "list.flatten", elem
	case name == "take" && len(rest) == 1, name == "slice" && len(rest) == 2:
		for _, r := range rest {
			if r.Type.Kind != types.Int {
				return c.fail(r, RuleWrongType, "write int(...)", "%s() wants int, this is %s", name, r.Type)
			}
		}
		t.Name, t.Type = "list."+name, x.Type
	default:
		return nil
	}
	emptyOK(x)
	return t
}

func (c *checker) optionalMethod(n *Node, name string, terms []*Term) *Term {
	x, elem := terms[0], terms[0].Type.Elem
	t := &Term{Args: []*Term{x}, Type: elem, Start: n.Start, End: n.End}
	switch {
	case name == "hasValue" && len(terms) == 1:
		t.Op, t.Type = OpHasValue, types.BoolType
	case name == "value" && len(terms) == 1:
		t.Op = OpOptValue
	case name == "orValue" && len(terms) == 2:
		if x.Op == OpOptNone && elem.Kind == types.Dyn {
			x, elem = typedNone(x, terms[1].Type), terms[1].Type
			t.Args[0] = x
		}
		other, ok := coerceFree(terms[1], elem)
		if !ok {
			return c.fail(terms[1], RuleWrongType, "give a "+elem.String(), "orValue(...) must give %s, this is %s", elem, terms[1].Type)
		}
		t.Op, t.Type, t.Args = OpOrValue, types.Join(elem, other.Type), append(t.Args, other)
	case name == "or" && len(terms) == 2:
		if x.Op == OpOptNone && terms[1].Type.Kind == types.Optional {
			return terms[1]
		}
		other, ok := coerceFree(terms[1], x.Type)
		if !ok {
			return c.fail(terms[1], RuleWrongType, "write optional.of(...)", "or(...) must give %s, this is %s", x.Type, terms[1].Type)
		}
		t.Op, t.Type, t.Args = OpOrOpt, x.Type, append(t.Args, other)
	default:
		return c.present(x)
	}
	return t
}

// typedNone gives optional.none() the type of what is beside it.
func typedNone(x *Term, elem *types.Type) *Term {
	out, _ := Coerce(x, types.OptionalOf(elem))
	return out
}

func (c *checker) optionalFunction(n *Node, name string, terms []*Term, want *types.Type) *Term {
	t := &Term{Args: terms, Start: n.Start, End: n.End}
	switch {
	case name == "optional.none" && len(terms) == 0:
		t.Op, t.Type = OpOptNone, types.OptionalOf(types.DynOf(whyEmpty))
		if want != nil && want.Kind == types.Optional {
			t.Type = want
		}
	case name == "optional.of" && len(terms) == 1 && terms[0].Type.Kind == types.Null:
		return c.unsupported(n, "null is missing, there is no optional of it: use optional.none()")
	case name == "optional.of" && len(terms) == 1:
		t.Op, t.Type = OpOptOf, types.OptionalOf(c.present(terms[0]).Type)
	case name == "optional.ofNonZeroValue" && len(terms) == 1:
		if !terms[0].Type.IsScalar() {
			return c.unsupported(n, "optional.ofNonZeroValue of "+terms[0].Type.String())
		}
		t.Op, t.Type = OpOptNonZero, types.OptionalOf(terms[0].Type)
	default:
		return nil
	}
	return t
}

func (c *checker) extremum(n *Node, name string, terms []*Term) *Term {
	if len(terms) == 1 && terms[0].Op == OpList {
		terms = terms[0].Args
	}
	if len(terms) == 0 {
		return nil
	}
	numbers := slices.Clone(terms)
	for i, t := range terms {
		if t.Op == OpConvert && t.Type.Kind == types.Dyn {
			numbers[i] = t.Args[0] // an element of a list of different numbers
		}
		if !numbers[i].Type.IsNumber() {
			return c.fail(t, RuleWrongType, "convert it to a number", "%s wants numbers, this is %s", name, t.Type)
		}
	}
	out := &Term{Op: OpCall, Name: name, Args: numbers, Start: n.Start, End: n.End}
	if out.Type = commonType(numbers); out.Type == nil {
		// There is no type for a uint beside an int.
		out.Name, out.Type, out.Args = name+"(dyn)", types.DynOf(whyMixed), boxAll(numbers)
		return out
	}
	for i, t := range numbers {
		numbers[i], _ = Coerce(t, out.Type)
	}
	return out
}

// coerceFree coerces t to want, or boxes it where want is of unknown type.
func coerceFree(t *Term, want *types.Type) (*Term, bool) {
	if v, ok := Coerce(t, want); ok {
		return v, true
	}
	if want.Kind == types.Dyn || want.Kind == types.Optional && want.Elem.Kind == types.Dyn && t.Type.Kind == types.Optional {
		return box(t)
	}
	return t, false
}
