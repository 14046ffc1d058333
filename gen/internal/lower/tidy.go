package lower

// Tidy removes what is not needed: checks of what is established, and variables
// that nothing reads: a let or cel.bind that turned out to be unneeded, the
// value of a check made for its failure only. Go refuses unused variables. Names
// are free again after their block, so what counts is whether a statement after
// the declaration, in its block, reads the name.
func Tidy(b *Block) {
	prune(b)
	for tidyBlock(b, nil) {
	}
	settle(b)
}

// tidyBlock reports whether it removed a statement, so that what only that
// statement read may go as well. tail is what reads the block's variables
// after its last statement.
func tidyBlock(b *Block, tail []Value) bool {
	if b == nil {
		return false
	}
	for i, st := range b.Stmts {
		name := formOf(st).declares
		rest := &Block{Stmts: b.Stmts[i+1 : len(b.Stmts) : len(b.Stmts)]}
		read := Reads(&Block{Stmts: append(rest.Stmts, Node{Uses: tail})})
		if name != "" && !read[name] {
			unset(rest, name)
			b.Stmts = append(b.Stmts[:i:i], rest.Stmts...)
			return true
		}
		kept, changed := tidyStmt(st, read)
		if kept == nil {
			b.Stmts = append(b.Stmts[:i:i], rest.Stmts...)
			return true
		}
		b.Stmts[i] = kept
		if changed {
			return true
		}
	}
	return false
}

// unset removes what changes a variable whose declaration goes.
func unset(b *Block, name string) {
	if b == nil {
		return
	}
	kept := b.Stmts[:0:0]
	for _, st := range b.Stmts {
		form := formOf(st)
		if form.sets() == name {
			continue
		}
		for _, inner := range form.blocks {
			unset(inner, name)
		}
		kept = append(kept, st)
	}
	b.Stmts = kept
}

// tidyStmt tidies what is inside a statement. It returns what is left, nil for
// nothing; read is what the rest of the block reads.
func tidyStmt(st Stmt, read map[string]bool) (Stmt, bool) {
	switch s := st.(type) {
	case Try:
		if s.Name != "_" && !read[s.Name] {
			s.Name = "_"
			return s, true
		}
	case Lookup:
		if s.Name != "_" && !read[s.Name] {
			s.Name = "_"
			return s, true
		}
	case If:
		changed := tidyBlock(s.Then, nil)
		changed = tidyBlock(s.Else, nil) || changed
		if len(s.Then.Stmts) == 0 && (s.Else == nil || len(s.Else.Stmts) == 0) {
			return nil, true
		}
		return s, changed
	case Range:
		changed := tidyBlock(s.Body, nil)
		inside := Reads(s.Body)
		if !inside[s.Elem] {
			s.Elem = ""
		}
		if !inside[s.Index] {
			s.Index = ""
		}
		return s, changed
	case Node:
		changed := false
		for _, inner := range s.Blocks {
			changed = tidyBlock(inner, s.Uses) || changed
		}
		return s, changed
	}
	return st, false
}
