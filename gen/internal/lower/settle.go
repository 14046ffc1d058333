package lower

import (
	"reflect"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// settle writes a choice as one does by hand: with the plain value first, and a
// condition for the other.
//
//	var said string               said := ""
//	if ok { said = f(x) } else    if ok { said = f(x) }
//	{ said = "" }
func settle(b *Block) {
	if b == nil {
		return
	}
	for i := 0; i < len(b.Stmts); i++ {
		st := b.Stmts[i]
		for _, inner := range formOf(st).blocks {
			settle(inner)
		}
		if whole, ok := rejoin(b.Stmts, i); ok {
			b.Stmts[i-1] = whole
			b.Stmts = slices.Delete(b.Stmts, i, i+1)
			i--
			continue
		}
		v, isVar := st.(Var)
		if !isVar || v.Opt || i+1 == len(b.Stmts) {
			continue
		}
		choice, isIf := b.Stmts[i+1].(If)
		if !isIf {
			continue
		}
		straight(choice.Then, v)
		straight(choice.Else, v)
		plain, left, ok := plainFirst(choice, v)
		if !ok {
			plain, left, ok = plainLast(choice, v)
		}
		if ok {
			b.Stmts[i], b.Stmts[i+1] = Define{Name: v.Name, V: plain, Type: v.Type}, left
		}
	}
}

// rejoin makes one condition of two where the second one has turned out to need no
// statements.
//
//	ok := a                       ok := a && b
//	if ok { ok = b }
func rejoin(stmts []Stmt, i int) (Stmt, bool) {
	if i == 0 {
		return nil, false
	}
	first, isDefine := stmts[i-1].(Define)
	second, isIf := stmts[i].(If)
	if !isDefine || !isIf || second.Else != nil || len(second.Then.Stmts) != 1 {
		return nil, false
	}
	set, isAssign := second.Then.Stmts[0].(Assign)
	if !isAssign || set.Name != first.Name || Reads(second.Then)[first.Name] {
		return nil, false
	}
	op := ""
	switch {
	case reflect.DeepEqual(second.Cond, Local{first.Name}):
		op = "&&"
	case reflect.DeepEqual(second.Cond, not(Local{first.Name})):
		op = "||"
	}
	if op == "" || repeats(op, first.V, set.V) {
		return nil, false
	}
	first.V = Binary{op, first.V, set.V}
	return first, true
}

// plainLast takes the last arm out of a choice of v if all it does is to set v to
// something that needs no work.
func plainLast(s If, v Var) (plain Value, left If, ok bool) {
	if s.Else == nil {
		return nil, s, false
	}
	if plain, ok := plainly(s.Else, v); ok {
		s.Else = nil
		return plain, s, true
	}
	inner, isIf := onlyIf(s.Else)
	if !isIf {
		return nil, s, false
	}
	plain, inner, ok = plainLast(inner, v)
	s.Else = &Block{Stmts: []Stmt{inner}}
	return plain, s, ok
}

// plainFirst does the same with the first of two arms. Of more it leaves the
// first: they may be a switch.
func plainFirst(s If, v Var) (plain Value, left If, ok bool) {
	if s.Else == nil {
		return nil, s, false
	}
	plain, ok = plainly(s.Then, v)
	cond, turns := opposite(s.Cond)
	if _, more := onlyIf(s.Else); !ok || !turns || more {
		return nil, s, false
	}
	if _, both := plainly(s.Else, v); both {
		return nil, s, false
	}
	return plain, If{Cond: cond, Then: s.Else}, true
}

// onlyIf is the one statement of a block if that is a condition.
func onlyIf(b *Block) (If, bool) {
	if len(b.Stmts) != 1 {
		return If{}, false
	}
	s, ok := b.Stmts[0].(If)
	return s, ok
}

// plainly returns what a block sets v to, if that is a literal or another
// variable of the same type.
func plainly(b *Block, v Var) (Value, bool) {
	if len(b.Stmts) != 1 {
		return nil, false
	}
	set, isAssign := b.Stmts[0].(Assign)
	if !isAssign || set.Name != v.Name {
		return nil, false
	}
	switch set.V.(type) {
	case Const:
		return set.V, v.Type.IsScalar() && v.Type.Kind != types.Timestamp && v.Type.Kind != types.Duration && v.Type.Kind != types.Bytes
	case Local:
		return set.V, v.Type.Kind == types.List || v.Type.Kind == types.String || v.Type.Kind == types.Bool
	}
	return nil, false
}

// opposite turns a condition around where that reads as well.
func opposite(cond Value) (Value, bool) {
	switch c := cond.(type) {
	case Unary:
		return not(c), c.Op == "!"
	case Binary:
		return not(c), negated[c.Op] != ""
	case Local:
		return not(c), true
	}
	return nil, false
}
