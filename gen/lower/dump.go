package lower

import (
	"fmt"
	"strings"
)

// Dump returns a block as text, one statement a line, for tests and debugging.
func Dump(b *Block) string {
	var s strings.Builder
	dumpBlock(&s, b, "")
	return s.String()
}

func dumpBlock(s *strings.Builder, b *Block, indent string) {
	for _, st := range b.Stmts {
		s.WriteString(indent)
		switch st := st.(type) {
		case Define:
			fmt.Fprintf(s, "%s := %s\n", st.Name, Text(st.V))
		case Var:
			fmt.Fprintf(s, "var %s %s%s\n", st.Name, map[bool]string{true: "?"}[st.Opt], st.Type)
		case MakeList:
			fmt.Fprintf(s, "%s := list(%s)\n", st.Name, st.Elem)
		case Assign:
			fmt.Fprintf(s, "%s = %s\n", st.Name, Text(st.V))
		case Try:
			fmt.Fprintf(s, "%s := try %s else %s\n", st.Name, Text(Call{st.Fn, st.Args}), failText(st.Fail))
		case Lookup:
			fmt.Fprintf(s, "%s, %s := %s[%s]\n", st.Name, st.Ok, Text(st.Map), Text(st.Key))
		case Guard:
			fmt.Fprintf(s, "fail if %s: %s\n", Text(st.Cond), failText(st.Fail))
		case If:
			fmt.Fprintf(s, "if %s\n", Text(st.Cond))
			dumpBlock(s, st.Then, indent+"\t")
			if st.Else != nil {
				s.WriteString(indent + "else\n")
				dumpBlock(s, st.Else, indent+"\t")
			}
		case Range:
			fmt.Fprintf(s, "for %s in %s\n", strings.TrimPrefix(st.Index+", "+st.Elem, ", "), Text(st.Over))
			dumpBlock(s, st.Body, indent+"\t")
		case Append:
			fmt.Fprintf(s, "%s += %s\n", st.List, Text(st.V))
		case MakeMap:
			fmt.Fprintf(s, "%s := %s\n", st.Name, st.Type)
		case Put:
			fmt.Fprintf(s, "%s[%s] = %s\n", st.Map, Text(st.Key), Text(st.V))
		case Incr:
			fmt.Fprintf(s, "%s++\n", st.Name)
		case Break:
			s.WriteString("break\n")
		case Node:
			fmt.Fprintf(s, "node %s\n", texts(st.Uses))
			for _, inner := range st.Blocks {
				dumpBlock(s, inner, indent+"\t")
			}
		}
	}
}

func failText(f Fail) string {
	kind := [...]string{"missing", "no element", "index", "kind", "value"}[f.Kind]
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", kind, f.Step, f.Path, f.Text))
}

// Text returns a value as text.
func Text(v Value) string {
	switch v := v.(type) {
	case Local:
		return v.Name
	case Const:
		return fmt.Sprintf("%#v", v.V)
	case Nil:
		return "nil"
	case Global:
		return v.Pkg + "." + v.Name
	case Pattern:
		return fmt.Sprintf("pattern(%q)", v.Text)
	case Field:
		if v.Name == "" {
			return Text(v.X) + ".(" + v.Kind.String() + ")"
		}
		return Text(v.X) + "." + v.Name
	case Member:
		return Text(v.X) + "." + v.Name
	case Index:
		return Text(v.X) + "[" + Text(v.I) + "]"
	case Deref:
		return "*" + Text(v.X)
	case Addr:
		return "&" + Text(v.X)
	case Unary:
		return v.Op + Text(v.X)
	case Binary:
		return "(" + Text(v.L) + " " + v.Op + " " + Text(v.R) + ")"
	case Call:
		return v.Fn.Name + "(" + texts(v.Args) + ")"
	case Method:
		return Text(v.X) + "." + v.Name + "(" + texts(v.Args) + ")"
	case Record:
		return "{" + texts(v.Values) + "}"
	case List:
		return "[" + texts(v.Values) + "]"
	case Map:
		return "{" + texts(v.Entries) + "}"
	case Convert:
		return v.To.String() + "(" + Text(v.X) + ")"
	}
	return "?"
}

func texts(vs []Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = Text(v)
	}
	return strings.Join(parts, ", ")
}

// walkBlock calls f for every value in a block, parts included.
func walkBlock(b *Block, f func(Value)) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		switch st := st.(type) {
		case Define:
			walkValue(st.V, f)
		case MakeList:
			walkValue(st.Cap, f)
		case Assign:
			walkValue(st.V, f)
		case Append:
			walkValue(st.V, f)
		case Put:
			walkValue(st.Key, f)
			walkValue(st.V, f)
		case Try:
			walkValue(Call{st.Fn, st.Args}, f)
		case Lookup:
			walkValue(Index{st.Map, st.Key}, f)
		case Guard:
			walkValue(st.Cond, f)
			walkValue(st.Fail.Index, f)
			walkValue(st.Fail.List, f)
		case If:
			walkValue(st.Cond, f)
			walkBlock(st.Then, f)
			walkBlock(st.Else, f)
		case Range:
			walkValue(st.Over, f)
			walkBlock(st.Body, f)
		case Node:
			for _, v := range st.Uses {
				walkValue(v, f)
			}
			for _, inner := range st.Blocks {
				walkBlock(inner, f)
			}
		}
	}
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

func walkValue(v Value, f func(Value)) {
	if v == nil {
		return
	}
	f(v)
	for _, p := range parts(v) {
		walkValue(p, f)
	}
}

func parts(v Value) []Value {
	switch v := v.(type) {
	case Field:
		return []Value{v.X}
	case Member:
		return []Value{v.X}
	case Index:
		return []Value{v.X, v.I}
	case Deref:
		return []Value{v.X}
	case Addr:
		return []Value{v.X}
	case Unary:
		return []Value{v.X}
	case Binary:
		return []Value{v.L, v.R}
	case Call:
		return v.Args
	case Method:
		return append([]Value{v.X}, v.Args...)
	case Record:
		return v.Values
	case List:
		return v.Values
	case Map:
		return v.Entries
	case Convert:
		return []Value{v.X}
	}
	return nil
}
