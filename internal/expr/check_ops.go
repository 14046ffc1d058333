package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/types"
)

func (c *checker) unary(n *Node) *Term {
	x := c.value(n.Args[0])
	if invalid(x) {
		return poison(n)
	}
	switch {
	case n.Name == "!" && x.Type.Kind == types.Bool:
		return &Term{Op: OpNot, Type: types.BoolType, Args: []*Term{x}, Start: n.Start, End: n.End}
	case n.Name == "-" && (x.Type.Kind == types.Int || x.Type.Kind == types.Double):
		return c.fold(&Term{Op: OpNeg, Type: x.Type, Args: []*Term{x}, Start: n.Start, End: n.End})
	}
	return c.problem(RuleWrongType, place{n.NameAt, n.NameAt + 1}, "", "%s cannot be applied to %s", n.Name, x.Type)
}

func (c *checker) binary(n *Node) *Term {
	switch n.Name {
	case "&&", "||":
		return c.logical(n)
	case "==", "!=":
		return c.equality(n)
	case "in":
		return c.in(n)
	}
	l, r := c.value(n.Args[0]), c.value(n.Args[1])
	if invalid(l, r) {
		return poison(n)
	}
	c.widen(&l, &r)
	if result := operatorResult(n.Name, l, r); result != nil {
		return c.fold(&Term{Op: OpBinary, Name: n.Name, Type: result, Args: []*Term{l, r}, Start: n.Start, End: n.End})
	}
	return c.noOperator(n, l, r)
}

// noOperator reports an operator that two types do not have.
func (c *checker) noOperator(n *Node, l, r *Term) *Term {
	rule, fix, why := RuleWrongType, operatorFix(n.Name, l.Type, r.Type), whyDyn(l, r)
	if why != "" {
		rule, fix = RuleNoType, narrowFix
	}
	return c.problem(rule, place{n.NameAt, n.nameEnd()}, fix, "%s cannot be applied to %s and %s%s", n.Name, l.Type, r.Type, why)
}

// whyDyn says in a message why a type is not known, "" if all are.
func whyDyn(terms ...*Term) string {
	for _, t := range terms {
		if t.Type.Kind == types.Dyn {
			return ", the type is not known here (" + t.Type.Why + ")"
		}
	}
	return ""
}

func operatorFix(op string, l, r *types.Type) string {
	if op == "+" && (l.Kind == types.String) != (r.Kind == types.String) {
		return "convert the other side with string(...)"
	}
	return "convert one side"
}

// widen turns the int of an int and a double into a double, and gives empty
// list literals the type of the other side.
func (c *checker) widen(l, r **Term) {
	if t, ok := Coerce(*l, (*r).Type); ok {
		*l = t
	} else if t, ok := Coerce(*r, (*l).Type); ok {
		*r = t
	}
}

func (c *checker) logical(n *Node) *Term {
	l := c.condition(c.check(n.Args[0], nil), "each side of "+n.Name)
	r := c.condition(c.under(l, n.Name == "&&", n.Args[1], nil), "each side of "+n.Name)
	if invalid(l, r) {
		return poison(n)
	}
	op := OpAnd
	if n.Name == "||" {
		op = OpOr
	}
	return &Term{Op: op, Type: types.BoolType, Args: []*Term{l, r}, Start: n.Start, End: n.End}
}

// operatorResult returns the type of l op r, nil if there is no such operator.
func operatorResult(op string, l, r *Term) *types.Type {
	a, b := l.Type.Kind, r.Type.Kind
	ordered := []types.Kind{types.Int, types.Uint, types.Double, types.String, types.Bool, types.Bytes, types.Timestamp, types.Duration}
	switch op {
	case "<", "<=", ">", ">=":
		if a == b && slices.Contains(ordered, a) {
			return types.BoolType
		}
	case "+":
		return sumType(l, r)
	case "-":
		switch {
		case a == types.Timestamp && b == types.Timestamp, a == types.Duration && b == types.Duration:
			return types.DurationType
		case a == types.Timestamp && b == types.Duration:
			return types.TimestampType
		}
		fallthrough
	case "*", "/":
		if a == b && l.Type.IsNumber() {
			return l.Type
		}
	case "%":
		if a == b && (a == types.Int || a == types.Uint) {
			return l.Type
		}
	}
	return nil
}

func sumType(l, r *Term) *types.Type {
	a, b := l.Type.Kind, r.Type.Kind
	switch {
	case a == b && (l.Type.IsNumber() || a == types.Bytes || a == types.Duration):
		return l.Type
	case a == types.String && b == types.String:
		return types.StringType
	case a == types.List && types.Same(l.Type, r.Type):
		return l.Type
	case a == types.Timestamp && b == types.Duration, a == types.Duration && b == types.Timestamp:
		return types.TimestampType
	}
	return nil
}

func isNull(n *Node) bool { return n.Kind == NLit && n.Lit == nil }

func (c *checker) equality(n *Node) *Term {
	if isNull(n.Args[0]) || isNull(n.Args[1]) {
		return c.nullTest(n)
	}
	l, r := c.check(n.Args[0], nil), c.check(n.Args[1], nil)
	if l.Type.Kind != types.Optional || r.Type.Kind != types.Optional {
		l, r = c.present(l), c.present(r)
	}
	if invalid(l, r) {
		return poison(n)
	}
	c.widen(&l, &r)
	if l.Type.Record || r.Type.Record {
		l, r = c.recordsAsMaps(l, r)
	}
	if !types.Same(l.Type, r.Type) || !hasEquality(l.Type) {
		if t := c.freeEquality(n, l, r); t != nil {
			return t
		}
	}
	if !types.Same(l.Type, r.Type) {
		return c.noOperator(n, l, r)
	}
	if !hasEquality(l.Type) {
		return c.problem(ruleExpressionNotSupported, place{n.NameAt, n.nameEnd()}, "compare single fields", "values of type %s cannot be compared", l.Type)
	}
	if t := c.enumTest(l, r); t != nil {
		return t
	}
	return &Term{Op: OpBinary, Name: n.Name, Type: types.BoolType, Args: []*Term{l, r}, Start: n.Start, End: n.End}
}

func (c *checker) recordsAsMaps(l, r *Term) (*Term, *Term) {
	a, okA := l, l.Type.Kind == types.Map
	if l.Type.Record {
		a, okA = asMap(l, nil)
	}
	b, okB := r, r.Type.Kind == types.Map
	if r.Type.Record {
		b, okB = asMap(r, nil)
	}
	if !okA || !okB {
		return l, r
	}
	c.widen(&a, &b)
	return a, b
}

// hasEquality reports whether == is defined: scalars, and lists and maps of
// plain ones.
func hasEquality(t *types.Type) bool {
	switch t.Kind {
	case types.List, types.Map:
		return plain(t.Elem) && !t.NullableElem
	}
	return t.IsScalar()
}

// plain reports whether equal values of type t are one value to a lookup:
// times and bytes are not.
func plain(t *types.Type) bool {
	switch t.Kind {
	case types.Bool, types.Int, types.Uint, types.Double, types.String, types.Duration:
		return true
	}
	return false
}

// nullTest checks x == null: null and absent are one thing, missing.
func (c *checker) nullTest(n *Node) *Term {
	x := n.Args[0]
	if isNull(x) {
		x = n.Args[1]
	}
	var t *Term
	if isNull(x) {
		t = &Term{Op: OpConst, Type: types.BoolType, Lit: true, Start: n.Start, End: n.End}
	} else {
		v := unguarded(c.check(x, nil))
		if invalid(v) {
			return poison(n)
		}
		if v.Type.Kind != types.Optional && v.Type.Kind != types.Dyn && (v.Op != OpField || v.Args[0].Type.Record) {
			return c.fail(v, RuleWrongType, "compare a field of an answer with null", "a value of type %s is never null", v.Type)
		}
		t = &Term{Op: OpIsMissing, Type: types.BoolType, Args: []*Term{v}, Start: n.Start, End: n.End}
	}
	if n.Name == "!=" {
		t = &Term{Op: OpNot, Type: types.BoolType, Args: []*Term{t}, Start: n.Start, End: n.End}
	}
	return t
}

// enumTest reports a comparison with text that the schema rules out.
func (c *checker) enumTest(l, r *Term) *Term {
	if l.Op == OpConst {
		l, r = r, l
	}
	text, ok := r.Lit.(string)
	if !ok || r.Op != OpConst || l.Type.Enum == nil || slices.Contains(l.Type.Enum, text) {
		return nil
	}
	return c.notInEnum(l, r, text)
}

func (c *checker) notInEnum(l, r *Term, text string) *Term {
	near := diag.Nearest(text, l.Type.Enum)
	fix := fmt.Sprintf("write %q", near)
	if near == "" {
		fix = "use one of the listed values"
	}
	values := l.Type.Enum
	if len(values) > 12 {
		values = append(slices.Clone(values[:12]), "...")
	}
	return c.fail(r, RuleUnknownEnumValue, fix, "the value is never %q: the schema allows %s%s", text, strings.Join(values, ", "), diag.DidYouMean(text, l.Type.Enum))
}

func (c *checker) in(n *Node) *Term {
	l, r := c.value(n.Args[0]), c.present(c.orEmpty(n.Args[1], c.check(n.Args[1], nil)))
	if invalid(l, r) {
		return poison(n)
	}
	if r.Op == OpRecord {
		if m, ok := asMap(r, nil); ok {
			r = m
		}
	}
	if isEmptyLiteral(r) {
		return &Term{Op: OpConst, Type: types.BoolType, Lit: false, Start: n.Start, End: n.End}
	}
	if t := c.freeIn(n, l, r); t != nil {
		return t
	}
	emptyOK(r)
	var elem *types.Type
	switch r.Type.Kind {
	case types.List:
		elem = r.Type.Elem
	case types.Map:
		elem = r.Type.Key
	default:
		return c.fail(r, RuleWrongType, "write a list on the right side of in", "in wants a list or a map, this is %s", r.Type)
	}
	if bad := c.literalMembers(l, r); bad != nil {
		return bad
	}
	if elem.Kind == types.Double && l.Type.Kind == types.Int {
		l, _ = Coerce(l, elem)
	}
	if t, ok := Coerce(r, types.ListOf(l.Type)); ok && r.Op == OpList {
		r, elem = t, l.Type
	}
	nullable := r.Type.Kind == types.List && r.Type.NullableElem
	if !types.Same(l.Type, elem) || !plain(l.Type) || nullable {
		return c.problem(RuleWrongType, place{n.NameAt, n.nameEnd()}, "convert one side", "in cannot look for %s in %s%s", l.Type, r.Type, whyDyn(l, r))
	}
	return &Term{Op: OpIn, Type: types.BoolType, Args: []*Term{l, r}, Start: n.Start, End: n.End}
}

// literalMembers tests the elements of a literal list against an enum.
func (c *checker) literalMembers(l, r *Term) *Term {
	if r.Op != OpList || l.Type.Enum == nil {
		return nil
	}
	for _, e := range r.Args {
		if text, ok := e.Lit.(string); ok && e.Op == OpConst && !slices.Contains(l.Type.Enum, text) {
			return c.notInEnum(l, e, text)
		}
	}
	return nil
}

func (c *checker) list(n *Node, want *types.Type) *Term {
	t := &Term{Op: OpList, Opts: n.Opts, Start: n.Start, End: n.End}
	var elemWant *types.Type
	if want != nil && want.Kind == types.List {
		elemWant = want.Elem
	}
	values := make([]*Term, len(n.Args))
	for i, a := range n.Args {
		v := c.check(a, elemWant)
		if n.Opts[i] {
			v = unguarded(v)
		}
		t.Args = append(t.Args, v)
		switch {
		case !n.Opts[i]:
			v = c.present(v)
			t.Args[i] = v
		case v.Type.Kind == types.Optional:
			v = &Term{Op: OpPresent, Type: v.Type.Elem, Args: []*Term{v}, Start: v.Start, End: v.End}
		case !invalid(v):
			v = c.fail(v, RuleWrongType, "remove the ?", "[?...] wants a value that may be missing")
		}
		values[i] = v
	}
	if invalid(values...) {
		return poison(n)
	}
	elem := commonType(values)
	if len(values) == 0 && elemWant != nil {
		elem = elemWant
	}
	if boxed := boxAll(values); elem == nil && boxed != nil && !slices.Contains(n.Opts, true) {
		t.Args, elem = boxed, types.DynOf(whyMixed)
	}
	if elem == nil {
		return c.problem(RuleWrongType, place{n.Start, n.End}, "convert the elements to one type", "the elements of the list have different types: %s", listTypes(values))
	}
	t.Type = types.ListOf(elem)
	out, _ := coerceList(t, t.Type)
	return out
}

func listTypes(terms []*Term) string {
	var names []string
	for _, t := range terms {
		if s := t.Type.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, ", ")
}

// mapping checks {...}: constant string keys make a record, other keys a map.
func (c *checker) mapping(n *Node, want *types.Type) *Term {
	keys, values := make([]*Term, len(n.Opts)), make([]*Term, len(n.Opts))
	allText := true
	for i := range n.Opts {
		keys[i] = c.value(n.Args[2*i])
		values[i] = c.check(n.Args[2*i+1], nil)
		if n.Opts[i] {
			values[i] = unguarded(values[i])
		} else {
			values[i] = c.presentOr(values[i], "write ? before the key to leave it out, or .orValue(...)")
		}
		allText = allText && keys[i].Op == OpConst && keys[i].Type.Kind == types.String
	}
	if invalid(keys...) || invalid(values...) {
		return poison(n)
	}
	if allText && len(keys) > 0 {
		return c.record(n, keys, values)
	}
	return c.mapLiteral(n, keys, values, want)
}

func (c *checker) record(n *Node, keys, values []*Term) *Term {
	typ := &types.Type{Kind: types.Object, Record: true}
	for i, k := range keys {
		name := k.Lit.(string)
		if typ.Field(name) != nil {
			return c.fail(k, ruleSyntax, "remove one of them", "the key %q stands twice", name)
		}
		f := &types.Field{Name: name, Type: values[i].Type, Required: true}
		if n.Opts[i] {
			if values[i].Type.Kind != types.Optional {
				return c.fail(values[i], RuleWrongType, "remove the ?", "?%q wants a value that may be missing", name)
			}
			f.Type, f.Optional, f.Required = values[i].Type.Elem, true, false
		}
		typ.Fields = append(typ.Fields, f)
	}
	return &Term{Op: OpRecord, Type: typ, Args: values, Start: n.Start, End: n.End}
}

// keyLiteral returns the value of a constant key, nil for any other: 1 and 1u
// are one key.
func keyLiteral(k *Term) any {
	if k.Op == OpConvert && k.Type.Kind == types.Dyn {
		k = k.Args[0]
	}
	if k.Op != OpConst {
		return nil
	}
	if u, ok := k.Lit.(uint64); ok && u <= math.MaxInt64 {
		return int64(u)
	}
	return k.Lit
}

// notKey reports whether a map cannot have t as a key.
func notKey(t *Term) bool {
	return !slices.Contains([]types.Kind{types.String, types.Int, types.Bool, types.Uint}, t.Type.Kind)
}

func (c *checker) mapLiteral(n *Node, keys, values []*Term, want *types.Type) *Term {
	t := &Term{Op: OpMap, Start: n.Start, End: n.End}
	if len(keys) == 0 {
		t.Type = types.MapOf(types.StringType, types.DynOf(whyEmpty))
		if want != nil && want.Kind == types.Map {
			t.Type = want
		}
		return t
	}
	if slices.Contains(n.Opts, true) {
		return c.unsupported(n, "optional entries of a map without constant text keys")
	}
	key, elem := commonType(keys), commonType(values)
	if boxed := boxAll(keys); key == nil && boxed != nil && !slices.ContainsFunc(keys, notKey) {
		keys, key = boxed, types.DynOf(whyMixed)
	}
	if boxed := boxAll(values); elem == nil && boxed != nil {
		values, elem = boxed, types.DynOf(whyMixed)
	}
	if key == nil || elem == nil {
		return c.problem(RuleWrongType, place{n.Start, n.End}, "convert them to one type", "the entries of the map have different types: %s", listTypes(append(keys, values...)))
	}
	if key.Kind != types.Dyn && slices.ContainsFunc(keys, notKey) {
		return c.problem(RuleWrongType, place{n.Start, n.End}, "use string, int or bool keys", "keys of type %s are not possible", key)
	}
	seen := map[any]bool{}
	for i := range keys {
		k, _ := Coerce(keys[i], key)
		v, _ := Coerce(values[i], elem)
		if lit := keyLiteral(k); lit != nil {
			if seen[lit] {
				return c.fail(k, ruleSyntax, "remove one of them", "the key %v stands twice", lit)
			}
			seen[lit] = true
		}
		t.Args = append(t.Args, k, v)
	}
	t.Type = types.MapOf(key, elem)
	return t
}
