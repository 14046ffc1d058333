package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Print returns the source text of a node: Parse(Print(n)) gives the same
// tree, apart from positions.
func Print(n *Node) string {
	var b strings.Builder
	printNode(&b, n, 0)
	return b.String()
}

const (
	levelCond  = 0
	levelUnary = 7
	levelPath  = 8
)

func level(n *Node) int {
	switch n.Kind {
	case NCond:
		return levelCond
	case NBinary:
		for i, ops := range binaryOps {
			if slices.Contains(ops, n.Name) {
				return i + 1
			}
		}
	case NUnary:
		return levelUnary
	case NLit:
		if negative(n.Lit) {
			return levelUnary
		}
	}
	return levelPath
}

func negative(lit any) bool {
	switch v := lit.(type) {
	case int64:
		return v < 0
	case float64:
		return math.Signbit(v)
	}
	return false
}

func printNode(b *strings.Builder, n *Node, least int) {
	if level(n) < least {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.Kind {
	case NLit:
		b.WriteString(printLit(n.Lit))
	case NName:
		b.WriteString(n.Name)
	case NSelect:
		printNode(b, n.Args[0], levelPath)
		b.WriteString(map[bool]string{false: ".", true: ".?"}[n.Opt] + printField(n.Name))
	case NIndex:
		printNode(b, n.Args[0], levelPath)
		b.WriteString(map[bool]string{false: "[", true: "[?"}[n.Opt])
		printNode(b, n.Args[1], 0)
		b.WriteByte(']')
	case NCall:
		printCall(b, n)
	case NList:
		printItems(b, "[", "]", n, 1)
	case NMap:
		printItems(b, "{", "}", n, 2)
	case NUnary:
		b.WriteString(n.Name + operand(n))
	case NBinary:
		printNode(b, n.Args[0], level(n))
		b.WriteString(" " + n.Name + " ")
		printNode(b, n.Args[1], level(n)+1)
	case NCond:
		printNode(b, n.Args[0], levelCond+1)
		b.WriteString(" ? ")
		printNode(b, n.Args[1], levelCond+1)
		b.WriteString(" : ")
		printNode(b, n.Args[2], levelCond)
	}
}

// operand prints what a unary operator applies to: in parentheses where a sign
// would run into a number, or be beside the other operator.
func operand(n *Node) string {
	var b strings.Builder
	printNode(&b, n.Args[0], levelUnary)
	text := b.String()
	first := text[0]
	if n.Name == "-" && (isDigit(first) || first == '.') || (first == '-' || first == '!') && first != n.Name[0] {
		return "(" + text + ")"
	}
	return text
}

func printField(name string) string {
	if name != "" && isNameStart(name[0]) && strings.IndexFunc(name, func(r rune) bool {
		return r >= utf8.RuneSelf || !isNamePart(byte(r))
	}) < 0 && (!IsReserved(name) || !slices.Contains([]string{"in", "true", "false", "null"}, name)) {
		return name
	}
	return "`" + name + "`"
}

func printCall(b *strings.Builder, n *Node) {
	args := n.Args
	if n.Member {
		printNode(b, args[0], levelPath)
		b.WriteByte('.')
		args = args[1:]
	}
	b.WriteString(n.Name + "(")
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		printNode(b, a, 0)
	}
	b.WriteByte(')')
}

func printItems(b *strings.Builder, open, end string, n *Node, width int) {
	b.WriteString(open)
	for i, opt := range n.Opts {
		if i > 0 {
			b.WriteString(", ")
		}
		if opt {
			b.WriteByte('?')
		}
		printNode(b, n.Args[i*width], 0)
		if width == 2 {
			b.WriteString(": ")
			printNode(b, n.Args[i*2+1], 0)
		}
	}
	b.WriteString(end)
}

func printLit(lit any) string {
	switch v := lit.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10) + "u"
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	case string:
		return quote(v)
	case []byte:
		var b strings.Builder
		b.WriteString(`b"`)
		for _, c := range v {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
		return b.String() + `"`
	}
	panic(fmt.Sprintf("expr: literal of type %T", lit))
}

// quote writes a string literal. Invalid UTF-8 cannot be escaped in a string
// and stays as it is.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteByte(s[i])
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String() + `"`
}
