package lower

import "slices"

// rewriteBlock replaces the values of a block by what f makes of them, from
// the outside in. Where f returns nil the value stays and its parts are looked
// at; what f returns is not looked into.
func rewriteBlock(b *Block, f func(Value) Value) {
	if b == nil {
		return
	}
	for i, st := range b.Stmts {
		replaced, form := visit(st, func(v Value) Value { return rewrite(v, f) })
		b.Stmts[i] = replaced
		for _, inner := range form.blocks {
			rewriteBlock(inner, f)
		}
	}
}

func rewrite(v Value, f func(Value) Value) Value {
	if v == nil {
		return nil
	}
	if r := f(v); r != nil {
		return r
	}
	return visitValue(v, func(part Value) Value { return rewrite(part, f) })
}

// walkBlock calls see for every value in a block, parts included.
func walkBlock(b *Block, see func(Value)) {
	rewriteBlock(b, func(v Value) Value {
		see(v)
		return nil
	})
}

// Reads returns the names of the locals that a block reads.
func Reads(b *Block) map[string]bool {
	read := map[string]bool{}
	walkBlock(b, func(v Value) {
		if l, ok := v.(Local); ok {
			read[l.Name] = true
		}
	})
	return read
}

// Patterns returns the patterns that a block compiles, in order.
func Patterns(b *Block) []string {
	var out []string
	walkBlock(b, func(v Value) {
		if p, ok := v.(Pattern); ok {
			out = append(out, p.Text)
		}
	})
	return out
}

// CannotFail reports whether a block goes through to its end whatever it reads.
func CannotFail(b *Block) bool {
	return noStmt(b, func(st Stmt) bool {
		switch st.(type) {
		case Try, Node, Guard:
			return true
		}
		return false
	})
}

// OnlyMissing reports whether a block fails for nothing but values that are
// missing.
func OnlyMissing(b *Block) bool {
	return noStmt(b, func(st Stmt) bool {
		switch s := st.(type) {
		case Try, Take, Node:
			return true
		case Guard:
			return s.Fail.Kind != FailMissing
		}
		return false
	})
}

// noStmt reports whether no statement of a block, and of those in it, is of a kind.
func noStmt(b *Block, of func(Stmt) bool) bool {
	if b == nil {
		return true
	}
	return !slices.ContainsFunc(b.Stmts, func(st Stmt) bool {
		return of(st) || slices.ContainsFunc(formOf(st).blocks, func(inner *Block) bool { return !noStmt(inner, of) })
	})
}
