package lower

// Tidy removes variables that nothing reads: a let or cel.bind that turned out
// to be unneeded, the value of a check made for its failure only. Go refuses
// unused variables. Names are free again behind their block, so what counts is
// whether a statement behind the declaration, in its block, reads the name.
func Tidy(b *Block) {
	for tidyBlock(b, nil) {
	}
}

// tidyBlock reports whether it removed a statement, so that what only that
// statement read may go as well. tail is what reads the block's variables
// behind its last statement.
func tidyBlock(b *Block, tail []Value) bool {
	if b == nil {
		return false
	}
	for i, st := range b.Stmts {
		name, declares := declared(st)
		rest := &Block{Stmts: b.Stmts[i+1 : len(b.Stmts) : len(b.Stmts)]}
		read := Reads(&Block{Stmts: append(rest.Stmts, Node{Uses: tail})})
		if declares && !read[name] {
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

// declared returns the name that a statement without other effect declares.
func declared(st Stmt) (string, bool) {
	switch s := st.(type) {
	case Define:
		return s.Name, true
	case Var:
		return s.Name, true
	case MakeList:
		return s.Name, true
	case MakeMap:
		return s.Name, true
	}
	return "", false
}

// sets returns the name that a statement declares or changes.
func sets(st Stmt) (string, bool) {
	switch s := st.(type) {
	case Assign:
		return s.Name, true
	case Append:
		return s.List, true
	case Incr:
		return s.Name, true
	case Put:
		return s.Map, true
	}
	return declared(st)
}

// unset removes what changes a variable whose declaration goes.
func unset(b *Block, name string) {
	if b == nil {
		return
	}
	kept := b.Stmts[:0:0]
	for _, st := range b.Stmts {
		if n, ok := sets(st); ok && n == name {
			continue
		}
		switch s := st.(type) {
		case If:
			unset(s.Then, name)
			unset(s.Else, name)
		case Range:
			unset(s.Body, name)
		case Node:
			for _, inner := range s.Blocks {
				unset(inner, name)
			}
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
