package lower

// Tidy removes variables that nothing reads: a let or cel.bind that turned out
// to be unneeded, the value of a check made for its failure only. Go refuses
// unused variables.
func Tidy(b *Block) {
	for {
		read := map[string]bool{}
		walkBlock(b, func(v Value) {
			if l, ok := v.(Local); ok {
				read[l.Name] = true
			}
		})
		if !tidyBlock(b, read) {
			return
		}
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
		switch s := st.(type) {
		case Define:
			if !read[s.Name] {
				changed = true
				continue
			}
		case Var:
			if !read[s.Name] {
				changed = true
				continue
			}
		case MakeList:
			if !read[s.Name] {
				changed = true
				continue
			}
		case Assign:
			if !read[s.Name] && s.Name != "" {
				changed = true
				continue
			}
		case Append:
			if !read[s.List] {
				changed = true
				continue
			}
		case Incr:
			if !read[s.Name] {
				changed = true
				continue
			}
		case Try:
			if !read[s.Name] && s.Name != "_" {
				s.Name, st = "_", nil
				kept = append(kept, s)
				changed = true
				continue
			}
		case Lookup:
			if !read[s.Name] {
				s.Name = "_"
			}
			st = s
		case If:
			changed = tidyBlock(s.Then, read) || changed
			changed = tidyBlock(s.Else, read) || changed
			if len(s.Then.Stmts) == 0 && (s.Else == nil || len(s.Else.Stmts) == 0) {
				changed = true
				continue
			}
			st = s
		case Range:
			changed = tidyBlock(s.Body, read) || changed
			if s.Elem != "" && !uses(s.Body, s.Elem) {
				s.Elem = ""
			}
			st = s
		}
		kept = append(kept, st)
	}
	b.Stmts = kept
	return changed
}
