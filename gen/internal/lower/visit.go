package lower

import "slices"

// A form is what the passes ask of a statement. Together with its text in
// dump.go and its Go, visit is all that a new statement form needs.
type form struct {
	// declares is the variable that the statement makes and has no other effect
	// than that; changes is the variable that it writes to.
	declares, changes string
	// also are further variables that it makes, besides what it does.
	also []string
	// blocks are the statements inside, some of them nil.
	blocks []*Block
}

// sets returns the variable that the statement declares or changes, "" for
// none.
func (f form) sets() string {
	if f.changes != "" {
		return f.changes
	}
	return f.declares
}

// formOf describes a statement.
func formOf(st Stmt) form {
	_, f := visit(st, func(v Value) Value { return v })
	return f
}

// Blocks returns the statements inside a statement.
func Blocks(st Stmt) []*Block {
	return slices.DeleteFunc(slices.Clone(formOf(st).blocks), func(b *Block) bool { return b == nil })
}

// visit returns a statement with its own values replaced by what f makes of
// them, and its form. What is inside its blocks is for the caller.
func visit(st Stmt, f func(Value) Value) (Stmt, form) {
	switch s := st.(type) {
	case Define, Var, MakeList, MakeMap:
		return visitNew(st, f)
	case Assign:
		s.V = f(s.V)
		return s, form{changes: s.Name}
	case Append:
		s.V = f(s.V)
		return s, form{changes: s.List}
	case Put:
		s.Key, s.V = f(s.Key), f(s.V)
		return s, form{changes: s.Map}
	case Incr:
		return s, form{changes: s.Name}
	case Try:
		s.Args = each(s.Args, f)
		return s, form{also: []string{s.Name}}
	case Lookup:
		s.Map, s.Key = f(s.Map), f(s.Key)
		return s, form{also: []string{s.Name, s.Ok}}
	case Guard:
		s.Cond, s.Fail.Index, s.Fail.List = f(s.Cond), f(s.Fail.Index), f(s.Fail.List)
		return s, form{}
	case If:
		s.Cond = f(s.Cond)
		return s, form{blocks: []*Block{s.Then, s.Else}}
	case Range:
		s.Over = f(s.Over)
		return s, form{also: []string{s.Elem, s.Index}, blocks: []*Block{s.Body}}
	case Take:
		s.Of = each(s.Of, f)
		return s, form{}
	case Break, Turns:
		return s, form{}
	case Node:
		// The values themselves are in Data, which is not ours: they are seen
		// here and stay.
		each(s.Uses, f)
		return s, form{blocks: s.Blocks}
	}
	panic("lower: unknown statement")
}

// visitNew is visit for statements that begin a variable.
func visitNew(st Stmt, f func(Value) Value) (Stmt, form) {
	switch s := st.(type) {
	case Define:
		s.V = f(s.V)
		return s, form{declares: s.Name}
	case Var:
		return s, form{declares: s.Name}
	case MakeMap:
		return s, form{declares: s.Name}
	case MakeList:
		s.Cap = f(s.Cap)
		if s.There {
			return s, form{changes: s.Name}
		}
		return s, form{declares: s.Name}
	}
	panic("lower: unknown statement")
}

// visitValue returns a value with its parts replaced by what f makes of them.
func visitValue(v Value, f func(Value) Value) Value {
	switch v := v.(type) {
	case Field:
		v.X = f(v.X)
		return v
	case Member:
		v.X = f(v.X)
		return v
	case Index:
		v.X, v.I = f(v.X), f(v.I)
		return v
	case Deref:
		v.X = f(v.X)
		return v
	case Addr:
		v.X = f(v.X)
		return v
	case Unary:
		v.X = f(v.X)
		return v
	case Binary:
		v.L, v.R = f(v.L), f(v.R)
		return v
	case Call:
		v.Args = each(v.Args, f)
		return v
	case Method:
		v.X, v.Args = f(v.X), each(v.Args, f)
		return v
	case Record:
		v.Values = each(v.Values, f)
		return v
	case List:
		v.Values = each(v.Values, f)
		return v
	case Map:
		v.Entries = each(v.Entries, f)
		return v
	case Convert:
		v.X = f(v.X)
		return v
	}
	return v
}

func each(vs []Value, f func(Value) Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = f(v)
	}
	return out
}
