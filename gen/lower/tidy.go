package lower

// Tidy removes variables that nothing reads: a let or cel.bind that turned out
// to be unneeded, the value of a check made for its failure only. Go refuses
// unused variables.
func Tidy(b *Block) {
	for tidyBlock(b, Reads(b)) {
	}
}

// tidyBlock reports whether it removed a statement, so that what only that
// statement read may go as well.
func tidyBlock(b *Block, read map[string]bool) bool {
	if b == nil {
		return false
	}
	changed := false
	kept := b.Stmts[:0]
	for _, st := range b.Stmts {
		st, dropped := tidyStmt(st, read)
		changed = changed || dropped
		if st != nil {
			kept = append(kept, st)
		}
	}
	b.Stmts = kept
	return changed
}

// sets returns the name that a statement without other effect sets.
func sets(st Stmt) (string, bool) {
	switch s := st.(type) {
	case Define:
		return s.Name, true
	case Var:
		return s.Name, true
	case MakeList:
		return s.Name, true
	case Assign:
		return s.Name, true
	case Append:
		return s.List, true
	case Incr:
		return s.Name, true
	}
	return "", false
}

// tidyStmt returns what is left of a statement, nil for nothing.
func tidyStmt(st Stmt, read map[string]bool) (Stmt, bool) {
	if name, ok := sets(st); ok && !read[name] {
		return nil, true
	}
	switch s := st.(type) {
	case Try:
		if !read[s.Name] && s.Name != "_" {
			s.Name = "_"
			return s, true
		}
	case Lookup:
		if !read[s.Name] {
			s.Name = "_"
		}
		return s, false
	case If:
		changed := tidyBlock(s.Then, read)
		changed = tidyBlock(s.Else, read) || changed
		if len(s.Then.Stmts) == 0 && (s.Else == nil || len(s.Else.Stmts) == 0) {
			return nil, true
		}
		return s, changed
	case Range:
		changed := tidyBlock(s.Body, read)
		if s.Elem != "" && !Reads(s.Body)[s.Elem] {
			s.Elem = ""
		}
		return s, changed
	case Node:
		changed := false
		for _, inner := range s.Blocks {
			changed = tidyBlock(inner, read) || changed
		}
		return s, changed
	}
	return st, false
}
