// Package lower turns checked expressions into statements: a dozen statement
// forms and a dozen value forms that a Go emitter writes down without further
// thought. Every value is free of side effects and cannot fail; whatever can
// fail is in a statement before it.
//
//	b := lower.New(names)
//	v := b.Lower(term, "place").V
//	fmt.Print(lower.Dump(b.Block()), lower.Text(v)) // for tests and debugging
//
// It imports types, expr and naming only.
package lower

import (
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A Block is a list of statements.
type Block struct {
	Stmts []Stmt
}

// Stmt is one of the statement forms below.
type Stmt interface{ stmt() }

// Define is Name := V.
type Define struct {
	Name string
	V    Value
	Type *types.Type
}

// Var is var Name T; with Opt, T is the form that can be nil.
type Var struct {
	Name string
	Type *types.Type
	Opt  bool
}

// MakeList is Name := make([]T, 0, Cap) with the length of Cap, or an assignment
// of that where the variable is There.
type MakeList struct {
	Name  string
	Elem  *types.Type
	Cap   Value
	There bool
}

// Assign is Name = V.
type Assign struct {
	Name string
	V    Value
}

// Try is Name, err := Fn(Args...), with Fail if err is not nil.
type Try struct {
	Name string
	Fn   Func
	Args []Value
	Fail Fail
}

// Lookup is Name, Ok := Map[Key].
type Lookup struct {
	Name, Ok string
	Map, Key Value
}

// Guard is if Cond { Fail }; without Cond it fails in any case.
type Guard struct {
	Cond Value
	Fail Fail
}

// If is if Cond { Then } else { Else }; Else may be nil.
type If struct {
	Cond       Value
	Then, Else *Block
}

// Range is for Index, Elem := range Over { Body }; empty names are left out.
type Range struct {
	Index, Elem string
	Over        Value
	Body        *Block
}

// Append is List = append(List, V).
type Append struct {
	List string
	V    Value
}

// MakeMap is Name := map[K]V{}.
type MakeMap struct {
	Name string
	Type *types.Type
}

// Put is Map[Key] = V.
type Put struct {
	Map    string
	Key, V Value
}

// Incr is Name++.
type Incr struct{ Name string }

// Break leaves the loop.
type Break struct{}

func (Define) stmt()   {}
func (Var) stmt()      {}
func (MakeList) stmt() {}
func (Assign) stmt()   {}
func (Try) stmt()      {}
func (Lookup) stmt()   {}
func (Guard) stmt()    {}
func (If) stmt()       {}
func (Range) stmt()    {}
func (Append) stmt()   {}
func (MakeMap) stmt()  {}
func (Put) stmt()      {}
func (Incr) stmt()     {}
func (Break) stmt()    {}

// FailKind says which error a Fail makes.
type FailKind uint8

// The kinds of failure; each is a constructor of package value.
const (
	// FailMissing: value.ErrMissing.
	FailMissing FailKind = iota
	// FailNoElement: value.ErrNoElement with Text.
	FailNoElement
	// FailIndex: value.ErrIndex with Index and the length of List.
	FailIndex
	// FailKindOf: value.ErrKind with Text.
	FailKindOf
	// FailValue: value.ErrValue with the error of a Try.
	FailValue
)

// A Fail ends the function with an error that names step, path and place.
type Fail struct {
	Kind        FailKind
	Step, Path  string
	At          string
	Text        string
	Index, List Value
}

// A Func is a function of a package, or a builtin if Pkg is empty.
type Func struct {
	Pkg, Name string
}

// Value is one of the value forms below.
type Value interface{ value() }

// Local is a variable, parameter or package-level name.
type Local struct{ Name string }

// Const is a literal: bool, int64, uint64, float64, string, []byte, or int for
// Go's own lengths and indexes.
type Const struct{ V any }

// Global is an exported name of a package.
type Global struct{ Pkg, Name string }

// Pattern is a regular expression that is compiled once, in a package
// variable.
type Pattern struct{ Text string }

// Nil is nil.
type Nil struct{}

// Field is X.Name, where Name is a wire name of Owner. Kind names the variant
// where Owner is a union.
type Field struct {
	X     Value
	Owner *types.Type
	Name  string
	Kind  types.Kind
	// Extra stands for the map of the members that Owner does not list.
	Extra bool
}

// Member is X.Name where Name is the Go name.
type Member struct {
	X    Value
	Name string
}

// Index is X[I].
type Index struct{ X, I Value }

// Deref is *X.
type Deref struct{ X Value }

// Addr is &X of an addressable X.
type Addr struct{ X Value }

// Unary is Op X.
type Unary struct {
	Op string
	X  Value
}

// Binary is L Op R.
type Binary struct {
	Op   string
	L, R Value
}

// Call is Fn(Args...).
type Call struct {
	Fn   Func
	Args []Value
}

// Method is X.Name(Args...).
type Method struct {
	X    Value
	Name string
	Args []Value
}

// Record is a record literal; Values follow the fields of Type.
type Record struct {
	Type   *types.Type
	Values []Value
}

// List is a slice literal.
type List struct {
	Elem   *types.Type
	Values []Value
}

// Map is a map literal; Entries are alternating keys and values.
type Map struct {
	Type    *types.Type
	Entries []Value
}

// Convert is T(X) for a scalar type.
type Convert struct {
	To *types.Type
	X  Value
}

func (Global) value()  {}
func (Pattern) value() {}
func (Local) value()   {}
func (Const) value()   {}
func (Nil) value()     {}
func (Field) value()   {}
func (Member) value()  {}
func (Index) value()   {}
func (Deref) value()   {}
func (Addr) value()    {}
func (Unary) value()   {}
func (Binary) value()  {}
func (Call) value()    {}
func (Method) value()  {}
func (Record) value()  {}
func (List) value()    {}
func (Map) value()     {}
func (Convert) value() {}

// Nilable reports whether the Go form of a plain value of type t can be nil
// itself, so that an optional of it needs no pointer.
func Nilable(t *types.Type) bool {
	switch t.Kind {
	case types.Object:
		return !t.Record
	case types.List, types.Map, types.Union, types.Dyn, types.Null, types.Bytes:
		return true
	}
	return false
}

// Node is a statement of another package, such as a backend call: Uses are the
// values it reads, Blocks the statements inside it.
type Node struct {
	Data   Foreign
	Uses   []Value
	Blocks []*Block
}

// Foreign is a statement form that another package defines. String is its line
// in a dump.
type Foreign interface{ String() string }

func (Node) stmt() {}

// Emit appends a statement.
func (b *Builder) Emit(s Stmt) { b.emit(s) }

// Nested runs f with a fresh block, as for the body of a function literal, and
// returns it.
func (b *Builder) Nested(f func()) *Block { return b.inBlock(nil, f) }

// Under is Nested for the body of an if over cond: what cond says is known in
// it.
func (b *Builder) Under(cond *expr.Term, f func()) *Block {
	return b.inBlock(expr.Facts(cond, true), f)
}

// Unless is Under for the body of an if over the opposite of cond.
func (b *Builder) Unless(cond *expr.Term, f func()) *Block {
	return b.inBlock(expr.Facts(cond, false), f)
}

// Know notes that a condition holds in the rest of the block.
func (b *Builder) Know(cond *expr.Term) {
	for _, fact := range expr.Facts(cond, true) {
		b.known[fact] = true
	}
}

// Require emits a check that fails with "is missing" where absent holds.
func (b *Builder) Require(t *expr.Term, absent Value, o Operand) {
	b.emit(Guard{Cond: absent, Fail: b.fail(FailMissing, t, o, "")})
}
