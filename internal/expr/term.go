package expr

import (
	"fmt"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// Op is what a Term does.
type Op uint8

// The operations of checked expressions.
const (
	// OpInvalid is a term whose problem was reported.
	OpInvalid Op = iota
	// OpConst has its value in Lit: bool, int64, uint64, float64, string or []byte.
	OpConst
	// OpRef reads Decl.
	OpRef
	// OpField reads field Name of Args[0]. A field of a schema object that is
	// absent at run time is an error; with EmptyOK it counts as empty.
	OpField
	// OpOptField is .?Name: an optional.
	OpOptField
	// OpIndex and OpOptIndex read Args[0][Args[1]] of a list or map.
	OpIndex
	OpOptIndex
	// OpPresent unwraps Args[0], an optional that a guard has shown to be there, or
	// with EmptyOK a list or map whose absence counts as empty.
	OpPresent
	// OpNarrow takes the variant Type of the union Args[0]; both can be optional.
	OpNarrow
	// OpHas tests whether field Name of Args[0] is there.
	OpHas
	// OpIsMissing tests whether Args[0] is missing (x == null).
	OpIsMissing
	OpNot
	OpNeg
	OpAnd
	OpOr
	// OpCond is Args[0] ? Args[1] : Args[2].
	OpCond
	// OpBinary applies Name to two operands of one type.
	OpBinary
	// OpIn tests Args[0] in Args[1], a list or map.
	OpIn
	// OpConvert turns Args[0] into Type without loss (int to double).
	OpConvert
	// OpCall applies the function with the signature Name.
	OpCall
	// OpList has elements Args; Opts marks the optional ones.
	OpList
	// OpMap has alternating keys and values.
	OpMap
	// OpRecord has one value for each field of Type.
	OpRecord
	// OpText joins parts, each a string.
	OpText
	// OpAll and the macros after it run Body (and Body2) with Var over the list or map Args[0].
	OpAll
	OpExists
	OpExistsOne
	OpFilter
	// OpTransform is map(v, Body) or map(v, Body2, Body) with a filter Body2.
	OpTransform
	// OpTransformMap is transformMap(k, v, Body) with an optional filter Body2.
	OpTransformMap
	OpSortBy
	// OpBind is cel.bind(Var, Args[0], Body).
	OpBind
	// OpOptMap and OpOptFlatMap run Body with Var bound to the value of the
	// optional Args[0].
	OpOptMap
	OpOptFlatMap
	// OpOrValue is Args[0].orValue(Args[1]), OpOrOpt is Args[0].or(Args[1]).
	OpOrValue
	OpOrOpt
	OpHasValue
	OpOptValue
	// OpOptOf makes an optional of Args[0]; OpOptNone has no arguments.
	OpOptOf
	OpOptNone
	OpOptNonZero
)

// A Term is a checked expression: every name is resolved, every conversion
// explicit, every type known.
type Term struct {
	Op   Op
	Type *types.Type
	// Start and End are byte offsets into the source of the expression.
	Start, End int
	Args       []*Term
	Name       string
	Lit        any
	Decl       *Decl
	Var        *Decl
	// Var2 is the second variable of macros over index and element or key and
	// value; Var is then the first.
	Var2  *Decl
	Body  *Term
	Body2 *Term
	Opts  []bool
	// EmptyOK marks an absent list or map that counts as empty here.
	EmptyOK bool
}

// Role says what a declaration stands for.
type Role uint8

// The roles of declared names.
const (
	RoleVar Role = iota
	RoleInput
	RoleStep
	RoleLet
	RoleConst
	RoleEnv
	RoleCaller
	RoleCall
	RoleHTTP
)

// A Decl is a name in scope.
type Decl struct {
	Name string
	Role Role
	Type *types.Type
	// Value belongs to the declarer; expr does not look at it.
	Value any
	// Literal is what the name always stands for, if that is known before
	// anything runs: a scalar, or a list or map of scalars.
	Literal *Term
	// Func says that the name is called, with one literal text, and is not a value
	// by itself: caller.secret("crm").
	Func bool
	// Secret says that nobody but the one service that it is for may see the value.
	Secret bool
	// When is the condition under which the value of an optional type is there:
	// where the same condition is known to hold, the value is plain.
	When *Term
	// Of is the step whose answer has the value, such as its status: where the value
	// of that step is known to be there, so is this one.
	Of *Decl
	// Means is what a let stands for, nil where that is not looked into; weight is
	// how large that is with the lets in it.
	Means  *Term
	weight int
	// Uses counts the references from checked terms.
	Uses int
}

// StandsFor says what a let is. That of one which lets in lets make large is not
// looked into: it would be written out at every place. Neither is one that reads a
// name without a type, which may be in a circle with it.
func (d *Decl) StandsFor(t *Term) {
	d.weight = 1
	t.Walk(func(x *Term) bool {
		switch d.weight++; {
		case x.Type.Kind == types.Invalid:
			d.weight = heaviest + 1
		case x.Op == OpRef:
			d.weight += x.Decl.weight
		}
		d.weight = min(d.weight, heaviest+1)
		return true
	})
	if d.weight <= heaviest {
		d.Means = t
	}
}

// heaviest is how many terms the meaning of a let may have.
const heaviest = 1000

// identity is a text that no other declaration has: names hide each other, and
// keys of values have to tell them apart.
func (d *Decl) identity() string { return fmt.Sprintf("%p", d) }

// A Scope holds declared names; inner scopes hide outer ones.
type Scope struct {
	outer *Scope
	names map[string]*Decl
	// facts hold in this scope.
	facts []string
}

// NewScope returns a scope inside outer, which may be nil.
func NewScope(outer *Scope) *Scope { return &Scope{outer: outer, names: map[string]*Decl{}} }

// Declare adds d and reports whether its name was free in this scope.
func (s *Scope) Declare(d *Decl) bool {
	if s.names[d.Name] != nil {
		return false
	}
	s.names[d.Name] = d
	return true
}

// Lookup finds a name, or returns nil.
func (s *Scope) Lookup(name string) *Decl {
	for ; s != nil; s = s.outer {
		if d := s.names[name]; d != nil {
			return d
		}
	}
	return nil
}

// Names returns every visible name, in no order.
func (s *Scope) Names() []string {
	var names []string
	for ; s != nil; s = s.outer {
		for n := range s.names {
			names = append(names, n)
		}
	}
	return names
}

// Walk calls f for t and every term below it, parents first, until f returns
// false.
func (t *Term) Walk(f func(*Term) bool) {
	if t == nil || !f(t) {
		return
	}
	for _, a := range t.Args {
		a.Walk(f)
	}
	t.Body.Walk(f)
	t.Body2.Walk(f)
}

// Refs returns the declarations that the term reads, each once, in order of
// first use.
func (t *Term) Refs() []*Decl {
	var out []*Decl
	seen := map[*Decl]bool{}
	t.Walk(func(t *Term) bool {
		if t.Op == OpRef && !seen[t.Decl] {
			seen[t.Decl] = true
			out = append(out, t.Decl)
		}
		return true
	})
	return out
}
