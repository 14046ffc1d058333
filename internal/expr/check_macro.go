package expr

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// macro checks the forms that bind a variable, and has(); nil means that the
// call is none of them.
func (c *checker) macro(n *Node, name string, args []*Node, member bool) *Term {
	if !member {
		switch {
		case name == "has":
			return c.has(n)
		case name == "cel.bind" && len(args) == 3 && args[0].Kind == NName:
			x := c.value(args[1])
			return c.bind(n, x, args[0], args[2])
		}
		return nil
	}
	if name == "format" && len(args) == 2 && args[1].Kind == NList {
		return c.format(n, args)
	}
	if len(args) < 3 || args[1].Kind != NName {
		return nil
	}
	if len(args) > 3 && args[2].Kind == NName {
		if t := c.pairMacro(n, name, args); t != nil {
			return t
		}
	}
	switch {
	case len(args) == 3 && (name == "optMap" || name == "optFlatMap"):
		return c.optMacro(n, name, args)
	case len(args) == 3 && (name == "all" || name == "exists" || name == "exists_one" || name == "existsOne" || name == "filter"):
		return c.predicateMacro(n, name, args)
	case name == "map" && (len(args) == 3 || len(args) == 4):
		return c.mapMacro(n, args)
	case name == "sortBy" && len(args) == 3:
		return c.sortBy(n, args)
	case name == "transformMapEntry":
		return c.unsupported(n, name+" is not built yet")
	}
	return nil
}

// binders are the member macros that bind variables, by the number of
// variables that they can take.
var binders = map[string]int{
	"all": 2, "exists": 2, "exists_one": 2, "existsOne": 2, "transformList": 2, "transformMap": 2,
	"filter": 1, "map": 1, "sortBy": 1, "optMap": 1, "optFlatMap": 1,
}

// FreeNames returns the names of an expression that no macro inside it binds,
// in the order of the text.
func FreeNames(n *Node) []*Node { return freeNames(n, nil) }

func freeNames(n *Node, bound []string) []*Node {
	if n.Kind == NName {
		if slices.Contains(bound, n.Name) {
			return nil
		}
		return []*Node{n}
	}
	var out []*Node
	first, vars := 0, 0
	switch {
	case n.Kind != NCall || !n.Member:
	case n.Name == "bind" && len(n.Args) == 4 && n.Args[0].Kind == NName && n.Args[0].Name == "cel":
		// cel.bind(x, value, body): value does not see x.
		out = freeNames(n.Args[2], bound)
		n, first, vars = &Node{Args: []*Node{n.Args[1], n.Args[3]}}, 0, 1
	case len(n.Args) > 2 && n.Args[1].Kind == NName:
		out = freeNames(n.Args[0], bound)
		first, vars = 1, min(1, binders[n.Name])
		if binders[n.Name] == 2 && len(n.Args) > 3 && n.Args[2].Kind == NName {
			vars = 2
		}
	}
	inner := slices.Clip(bound)
	for _, v := range n.Args[first : first+vars] {
		inner = append(inner, v.Name)
	}
	for _, a := range n.Args[first+vars:] {
		out = append(out, freeNames(a, inner)...)
	}
	return out
}

// bind checks cel.bind(v, x, body).
func (c *checker) bind(n *Node, x *Term, v, body *Node) *Term {
	t := &Term{Op: OpBind, Args: []*Term{x}, Start: n.Start, End: n.End}
	t.Var = &Decl{Name: v.Name, Role: RoleVar, Type: x.Type, Literal: literalOf(x)}
	t.Body = c.inside(t.Var, body)
	switch {
	case invalid(t.Body, x):
		return poison(n)
	case t.Var.scalar() != nil:
		return t.Body // the value is in it instead of the name
	}
	t.Type = t.Body.Type
	return t
}

func (c *checker) inside(v *Decl, body *Node) *Term {
	outer := c.scope
	c.scope = NewScope(outer)
	c.scope.Declare(v)
	defer func() { c.scope = outer }()
	return c.check(body, nil)
}

// ranged checks the receiver of a macro and returns it with the type of its
// variable: the elements of a list, the keys of a map.
func (c *checker) ranged(n *Node, name string) (*Term, *types.Type) {
	x := c.present(c.orEmpty(n, c.check(n, nil)))
	if x.Type.Record {
		if m, ok := asMap(x, nil); ok {
			x = m
		}
	}
	if x.Type.Kind == types.Dyn && !x.Type.Opaque {
		list := types.ListOf(types.DynOf(x.Type.Why))
		x = &Term{Op: OpNarrow, Type: list, Args: []*Term{x}, Start: x.Start, End: x.End}
	}
	if v := x.Type.Variant(types.List, types.Map); x.Type.Kind == types.Union && v != nil {
		x = &Term{Op: OpNarrow, Type: v, Args: []*Term{x}, Start: x.Start, End: x.End}
	}
	emptyOK(x)
	if isEmptyLiteral(x) {
		return x, types.InvalidType // nothing is ever in it
	}
	switch x.Type.Kind {
	case types.Invalid:
		return x, types.InvalidType
	case types.List:
		if x.Type.NullableElem {
			return x, types.OptionalOf(x.Type.Elem)
		}
		return x, x.Type.Elem
	case types.Map:
		return x, x.Type.Key
	}
	return c.fail(x, RuleWrongType, "use a list", "%s() wants a list or a map, this is %s%s", name, x.Type, whyDyn(x)), types.InvalidType
}

func (c *checker) predicateMacro(n *Node, name string, args []*Node) *Term {
	op := map[string]Op{"all": OpAll, "exists": OpExists, "exists_one": OpExistsOne, "existsOne": OpExistsOne, "filter": OpFilter}[name]
	x, elem := c.ranged(args[0], name)
	v := &Decl{Name: args[1].Name, Type: elem}
	body := c.condition(c.inside(v, args[2]), "the condition of "+name+"()")
	if isEmptyLiteral(x) {
		return overNothing(n, op)
	}
	if invalid(x, body) {
		return poison(n)
	}
	t := &Term{Op: op, Type: types.BoolType, Args: []*Term{x}, Var: v, Body: body, Start: n.Start, End: n.End}
	if op == OpFilter {
		t.Type = types.ListOf(elem)
		if x.Type.Kind == types.List {
			t.Type = x.Type
		}
	}
	return t
}

func (c *checker) mapMacro(n *Node, args []*Node) *Term {
	x, elem := c.ranged(args[0], "map")
	t := &Term{Op: OpTransform, Args: []*Term{x}, Var: &Decl{Name: args[1].Name, Type: elem}, Start: n.Start, End: n.End}
	if len(args) == 4 {
		t.Body2 = c.condition(c.inside(t.Var, args[2]), "the condition of map()")
		if invalid(t.Body2) && !isEmptyLiteral(x) {
			return poison(n)
		}
		saved := c.facts
		c.facts = append(c.facts, Facts(t.Body2, true)...)
		defer func() { c.facts = saved }()
	}
	t.Body = c.present(c.inside(t.Var, args[len(args)-1]))
	if isEmptyLiteral(x) {
		return overNothing(n, OpTransform)
	}
	if invalid(x, t.Body) {
		return poison(n)
	}
	t.Type = types.ListOf(t.Body.Type)
	return t
}

// sortKeys are what a list can be sorted by beside numbers.
var sortKeys = []types.Kind{types.String, types.Timestamp, types.Duration, types.Bool}

func (c *checker) sortBy(n *Node, args []*Node) *Term {
	x, elem := c.ranged(args[0], "sortBy")
	t := &Term{Op: OpSortBy, Args: []*Term{x}, Type: x.Type, Var: &Decl{Name: args[1].Name, Type: elem}, Start: n.Start, End: n.End}
	t.Body = c.present(c.inside(t.Var, args[2]))
	if isEmptyLiteral(x) {
		return overNothing(n, OpSortBy)
	}
	if invalid(x, t.Body) {
		return poison(n)
	}
	if x.Type.Kind != types.List || !t.Body.Type.IsNumber() && !slices.Contains(sortKeys, t.Body.Type.Kind) {
		return c.fail(t.Body, RuleWrongType, "sort by a text, a number, a time or a bool", "a list cannot be sorted by %s", t.Body.Type)
	}
	return t
}

func (c *checker) optMacro(n *Node, name string, args []*Node) *Term {
	x := unguarded(c.check(args[0], nil))
	if invalid(x) {
		return poison(n)
	}
	if x.Type.Kind != types.Optional {
		return c.fail(x, RuleWrongType, "read it with .? or [?]", "%s() wants a value that may be missing, this is %s", name, x.Type)
	}
	t := &Term{Op: OpOptMap, Args: []*Term{x}, Var: &Decl{Name: args[1].Name, Type: x.Type.Elem}, Start: n.Start, End: n.End}
	if x.Op == OpOptNone {
		t.Var.Type = types.InvalidType
	}
	t.Body = c.inside(t.Var, args[2])
	if x.Op == OpOptNone {
		return x
	}
	if invalid(t.Body) {
		return poison(n)
	}
	if name == "optFlatMap" {
		t.Op, t.Type = OpOptFlatMap, t.Body.Type
		if t.Body.Type.Kind != types.Optional {
			return c.fail(t.Body, RuleWrongType, "use optMap", "optFlatMap() wants a value that may be missing, this is %s", t.Body.Type)
		}
		return t
	}
	if t.Body = c.present(t.Body); invalid(t.Body) {
		return poison(n)
	}
	t.Type = types.OptionalOf(t.Body.Type)
	return t
}

// format checks "...".format([...]): the values need no common type.
func (c *checker) format(n *Node, args []*Node) *Term {
	t := &Term{Op: OpCall, Name: "format", Type: types.StringType, Start: n.Start, End: n.End}
	x := c.value(args[0])
	if !invalid(x) && x.Type.Kind != types.String {
		return c.fail(x, RuleWrongType, "write the format as text", "format() belongs to text, this is %s", x.Type)
	}
	t.Args = append(t.Args, x)
	for i, a := range args[1].Args {
		v := c.value(a)
		boxed, ok := box(v)
		if args[1].Opts[i] || !invalid(v) && !ok {
			return c.fail(v, ruleExpressionNotSupported, "format its parts", "%s cannot be formatted", describe(v.Type))
		}
		if !invalid(v) {
			v = boxed
		}
		t.Args = append(t.Args, v)
	}
	if invalid(t.Args...) {
		return poison(n)
	}
	return t
}

// pairMacro checks the macros with two variables: index and element of a list,
// key and value of a map.
func (c *checker) pairMacro(n *Node, name string, args []*Node) *Term {
	op, ok := map[string]Op{
		"all": OpAll, "exists": OpExists, "existsOne": OpExistsOne, "exists_one": OpExistsOne, "transformList": OpTransform, "transformMap": OpTransformMap,
	}[name]
	if !ok || len(args) > 5 || len(args) == 5 && op != OpTransform && op != OpTransformMap {
		return nil
	}
	x, first := c.ranged(args[0], name)
	if invalid(x) {
		return poison(n)
	}
	if x.Op == OpNarrow && x.Args[0].Type.Kind == types.Dyn {
		return c.unsupported(n, name+"() with two variables cannot tell a list from a map here"+whyDyn(x.Args[0]))
	}
	second := x.Type.Elem
	if x.Type.NullableElem {
		second = types.OptionalOf(second)
	}
	if x.Type.Kind == types.List {
		first = types.IntType
	}
	if isEmptyLiteral(x) {
		first, second = types.InvalidType, types.InvalidType
	}
	t := &Term{Op: op, Type: types.BoolType, Args: []*Term{x}, Start: n.Start, End: n.End}
	t.Var, t.Var2 = &Decl{Name: args[1].Name, Type: first}, &Decl{Name: args[2].Name, Type: second}
	if t.Var.Name == t.Var2.Name {
		return c.problem(RuleWrongType, place{args[2].Start, args[2].End}, "give them two names", "both variables of %s() are called %q", name, t.Var.Name)
	}
	outer := c.scope
	c.scope = NewScope(outer)
	c.scope.Declare(t.Var)
	c.scope.Declare(t.Var2)
	defer func() { c.scope = outer }()
	return c.pairBody(n, t, name, args[3:])
}

func (c *checker) pairBody(n *Node, t *Term, name string, bodies []*Node) *Term {
	if len(bodies) == 2 {
		t.Body2 = c.condition(c.check(bodies[0], nil), "the condition of "+name+"()")
	}
	t.Body = c.present(c.check(bodies[len(bodies)-1], nil))
	if isEmptyLiteral(t.Args[0]) {
		return overNothing(n, t.Op)
	}
	if invalid(t.Body) || t.Body2 != nil && invalid(t.Body2) {
		return poison(n)
	}
	switch t.Op {
	case OpTransform:
		t.Type = types.ListOf(t.Body.Type)
	case OpTransformMap:
		key := types.IntType
		if t.Args[0].Type.Kind == types.Map {
			key = t.Args[0].Type.Key
		}
		t.Type = types.MapOf(key, t.Body.Type)
	default:
		if t.Body = c.condition(t.Body, "the condition of "+name+"()"); invalid(t.Body) {
			return poison(n)
		}
	}
	return t
}

// overNothing is what a macro over [] or {} comes to: its variable has no type,
// and its body never runs.
func overNothing(n *Node, op Op) *Term {
	t := &Term{Op: OpConst, Type: types.BoolType, Lit: op == OpAll, Start: n.Start, End: n.End}
	switch op {
	case OpFilter, OpTransform, OpSortBy:
		t = &Term{Op: OpList, Type: types.ListOf(types.DynOf(whyEmpty)), Start: n.Start, End: n.End}
	case OpTransformMap:
		t = &Term{Op: OpMap, Type: types.MapOf(types.StringType, types.DynOf(whyEmpty)), Start: n.Start, End: n.End}
	}
	return t
}
