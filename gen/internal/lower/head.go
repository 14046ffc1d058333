package lower

import (
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Head lowers the first n elements of a list. Where the list is made element by
// element, the others are not made: nothing is checked or converted that nobody
// gets.
func (b *Builder) Head(t *expr.Term, n int, name string) Operand {
	switch {
	case t.Op == expr.OpCond && t.Type.Kind == types.List:
		return b.cond(&expr.Term{Op: t.Op, Type: t.Type, Start: t.Start, End: t.End, Args: []*expr.Term{t.Args[0], headOf(t.Args[1], n), headOf(t.Args[2], n)}}, name)
	case t.Op == expr.OpTransform && t.Body2 == nil && t.Args[0].Type.Kind == types.List:
		return b.transform(t, b.local(b.Head(t.Args[0], n, "first"), t.Args[0].Type, "first"), name, 0)
	case t.Op == expr.OpTransform:
		return b.transform(t, b.receiver(t), name, n)
	case t.Op == expr.OpFilter:
		return b.filter(t, b.receiver(t), name, n)
	}
	o := b.lower(t, name)
	o.V = Call{Func{valuePkg, "Head"}, []Value{o.V, Const{n}}}
	return o
}

// headOf is take(n) of a list.
func headOf(t *expr.Term, n int) *expr.Term {
	count := &expr.Term{Op: expr.OpConst, Type: types.IntType, Lit: int64(n), Start: t.Start, End: t.End}
	return &expr.Term{Op: expr.OpCall, Name: "list.take", Type: t.Type, Args: []*expr.Term{t, count}, Start: t.Start, End: t.End}
}

// Taken is the literal count of take(n), if it has one that takes something.
func Taken(t *expr.Term) (int, bool) {
	if t.Name != "list.take" || t.Args[1].Op != expr.OpConst {
		return 0, false
	}
	n := t.Args[1].Lit.(int64)
	return int(n), n > 0 && n < 1<<31
}

// full ends a loop that has made n elements of a list; 0 is for all of them.
func (b *Builder) full(list string, n int) {
	if n > 0 {
		b.emit(If{Cond: Binary{"==", lenOf(Local{list}), Const{n}}, Then: &Block{Stmts: []Stmt{Break{}}}})
	}
}
