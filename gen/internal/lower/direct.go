package lower

// Into makes the statements that come to the value of a variable set another one
// instead, if they do nothing else: from is declared among them, and nothing
// but them reads it. The other variable is there, and empty. It reports
// whether it did; then the declaration is gone.
func Into(stmts []Stmt, from, into string, rest ...Stmt) ([]Stmt, bool) {
	at := declaration(stmts, from)
	if at < 0 || Reads(&Block{Stmts: rest})[from] {
		return stmts, false
	}
	for _, st := range stmts[at:] {
		if _, foreign := st.(Node); foreign || usedElsewhere(&Block{Stmts: []Stmt{st}}, from) {
			return stmts, false
		}
	}
	out := append([]Stmt{}, stmts[:at]...)
	switch d := stmts[at].(type) {
	case Define:
		out = append(out, Assign{Name: into, V: d.V})
	case MakeList:
		d.Name, d.There = into, true
		out = append(out, d)
	}
	after := &Block{Stmts: append([]Stmt{}, stmts[at+1:]...)}
	rename(after, from, into)
	return append(out, after.Stmts...), true
}

// declaration is the index of the statement that declares a variable empty or
// with a value, -1 for none.
func declaration(stmts []Stmt, name string) int {
	for i, st := range stmts {
		switch st.(type) {
		case Define, Var, MakeList:
			if formOf(st).declares == name {
				return i
			}
		}
	}
	return -1
}

// rename makes a block read and set another variable.
func rename(b *Block, from, into string) {
	if b == nil {
		return
	}
	rewriteBlock(b, func(v Value) Value {
		if v == (Value)(Local{from}) {
			return Local{into}
		}
		return nil
	})
	for i, st := range b.Stmts {
		if formOf(st).changes == from {
			b.Stmts[i] = changing(st, into)
		}
		for _, inner := range formOf(st).blocks {
			rename(inner, from, into)
		}
	}
}

// changing returns a statement that changes a variable as one that changes
// another.
func changing(st Stmt, name string) Stmt {
	switch s := st.(type) {
	case Assign:
		s.Name = name
		return s
	case MakeList:
		s.Name = name
		return s
	case Append:
		s.List = name
		return s
	case Put:
		s.Map = name
		return s
	case Incr:
		s.Name = name
		return s
	}
	panic("lower: a statement that changes nothing")
}

// straight makes each arm of a choice of v set v itself, where it sets another
// variable first:
//
//	var all []T                    var all []T
//	if ok {                        if ok {
//		var all2 []T                   for … { all = append(all, x) }
//		for … { all2 = append(…) }  }
//		all = all2
//	}
func straight(arm *Block, v Var) {
	if arm == nil || len(arm.Stmts) == 0 {
		return
	}
	last := len(arm.Stmts) - 1
	switch s := arm.Stmts[last].(type) {
	case If:
		if last == 0 {
			straight(s.Then, v)
			straight(s.Else, v)
		}
	case Assign:
		from, isLocal := s.V.(Local)
		before := arm.Stmts[:last]
		if !isLocal || s.Name != v.Name || touches(before, v.Name) {
			return
		}
		if stmts, ok := Into(before, from.Name, v.Name); ok {
			arm.Stmts = stmts
		}
	}
}

// touches reports whether statements read or set a variable.
func touches(stmts []Stmt, name string) bool {
	b := &Block{Stmts: stmts}
	return Reads(b)[name] || defined(b)[name]
}
