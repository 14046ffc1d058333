package lower

// rewriteBlock replaces the values of a block by what f makes of them, from
// the outside in. Where f returns nil the value stays and its parts are looked
// at; what f returns is not looked into.
func rewriteBlock(b *Block, f func(Value) Value) {
	if b == nil {
		return
	}
	for i, st := range b.Stmts {
		b.Stmts[i] = rewriteStmt(st, f)
	}
}

func rewriteStmt(st Stmt, f func(Value) Value) Stmt {
	switch s := st.(type) {
	case Define:
		s.V = rewrite(s.V, f)
		return s
	case MakeList:
		s.Cap = rewrite(s.Cap, f)
		return s
	case Assign:
		s.V = rewrite(s.V, f)
		return s
	case Append:
		s.V = rewrite(s.V, f)
		return s
	case Put:
		s.Key, s.V = rewrite(s.Key, f), rewrite(s.V, f)
		return s
	case Try:
		s.Args = rewriteAll(s.Args, f)
		return s
	case Lookup:
		s.Map, s.Key = rewrite(s.Map, f), rewrite(s.Key, f)
		return s
	case Guard:
		s.Cond, s.Fail.Index, s.Fail.List = rewrite(s.Cond, f), rewrite(s.Fail.Index, f), rewrite(s.Fail.List, f)
		return s
	case If:
		s.Cond = rewrite(s.Cond, f)
		rewriteBlock(s.Then, f)
		rewriteBlock(s.Else, f)
		return s
	case Range:
		s.Over = rewrite(s.Over, f)
		rewriteBlock(s.Body, f)
		return s
	case Node:
		// The values themselves are in Data, which is not ours: they are seen
		// here and stay.
		rewriteAll(s.Uses, f)
		for _, inner := range s.Blocks {
			rewriteBlock(inner, f)
		}
	}
	return st
}

func rewriteAll(vs []Value, f func(Value) Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = rewrite(v, f)
	}
	return out
}

func rewrite(v Value, f func(Value) Value) Value {
	if v == nil {
		return nil
	}
	if r := f(v); r != nil {
		return r
	}
	switch v := v.(type) {
	case Field:
		v.X = rewrite(v.X, f)
		return v
	case Member:
		v.X = rewrite(v.X, f)
		return v
	case Index:
		v.X, v.I = rewrite(v.X, f), rewrite(v.I, f)
		return v
	case Deref:
		v.X = rewrite(v.X, f)
		return v
	case Addr:
		v.X = rewrite(v.X, f)
		return v
	case Unary:
		v.X = rewrite(v.X, f)
		return v
	case Binary:
		v.L, v.R = rewrite(v.L, f), rewrite(v.R, f)
		return v
	case Call:
		v.Args = rewriteAll(v.Args, f)
		return v
	case Method:
		v.X, v.Args = rewrite(v.X, f), rewriteAll(v.Args, f)
		return v
	case Record:
		v.Values = rewriteAll(v.Values, f)
		return v
	case List:
		v.Values = rewriteAll(v.Values, f)
		return v
	case Map:
		v.Entries = rewriteAll(v.Entries, f)
		return v
	case Convert:
		v.X = rewrite(v.X, f)
		return v
	}
	return v
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
