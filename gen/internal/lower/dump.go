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
			fmt.Fprintf(s, "%s %s list(%s)\n", st.Name, map[bool]string{true: "=", false: ":="}[st.There], st.Elem)
		case Assign:
			fmt.Fprintf(s, "%s = %s\n", st.Name, Text(st.V))
		case Try:
			fmt.Fprintf(s, "%s := try %s else %s\n", st.Name, Text(Call{st.Fn, st.Args}), failText(st.Fail))
		case Lookup:
			fmt.Fprintf(s, "%s, %s := %s[%s]\n", st.Name, st.Ok, Text(st.Map), Text(st.Key))
		case Guard:
			if st.Cond == nil {
				fmt.Fprintf(s, "fail: %s\n", failText(st.Fail))
				break
			}
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
		case Node:
			fmt.Fprintf(s, "%s(%s)\n", st.Data, texts(st.Uses))
			for _, inner := range st.Blocks {
				dumpBlock(s, inner, indent+"\t")
			}
		default:
			s.WriteString(turnText(st) + "\n")
		}
	}
}

// turnText is what a statement says about the turns of loops.
func turnText(st Stmt) string {
	switch st := st.(type) {
	case Break:
		return "break"
	case Turns:
		return "turns"
	case Take:
		return "take " + texts(st.Of)
	}
	panic("lower: unknown statement")
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
		if v.Extra {
			return Text(v.X) + ".(extra)"
		}
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
