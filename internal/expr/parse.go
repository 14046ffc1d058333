package expr

import (
	"fmt"
	"slices"
	"strconv"
)

// Limits on hostile text: no expression that a person writes comes near.
const (
	maxSource = 64 << 10
	maxDepth  = 200
)

// reserved words cannot be names (CEL, "Identifiers").
var reserved = []string{
	"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
	"namespace", "return", "var", "void", "while",
}

// IsReserved reports whether the language keeps name for itself, so that no
// step, let or constant can have it.
func IsReserved(name string) bool {
	return slices.Contains(reserved, name) || slices.Contains([]string{"in", "true", "false", "null"}, name)
}

// Parse reads one expression. On a syntax error the node is nil.
func Parse(src string) (*Node, []Problem) {
	p := newParser(src, 0, len(src))
	n := p.whole()
	if p.lex.fail != nil {
		return nil, []Problem{*p.lex.fail}
	}
	return n, nil
}

type parser struct {
	lex   lexer
	tok   token
	depth int
}

func newParser(src string, start, end int) *parser {
	p := &parser{lex: lexer{src: src[:end], pos: start}}
	if end-start > maxSource {
		p.fail(start, end, "split it with let", "the expression is longer than %d bytes", maxSource)
		return p
	}
	p.advance()
	return p
}

func (p *parser) advance() { p.tok = p.lex.next() }

func (p *parser) fail(start, end int, fix, format string, args ...any) {
	p.tok = p.lex.errorf(start, end, fix, format, args...)
}

func (p *parser) is(punct string) bool { return p.tok.kind == tPunct && p.tok.text == punct }

func (p *parser) accept(punct string) bool {
	if p.is(punct) {
		p.advance()
		return true
	}
	return false
}

// expect returns the end of the token it consumed.
func (p *parser) expect(punct, where string) int {
	end := p.tok.end
	if !p.is(punct) {
		p.unexpected("expected " + punct + " " + where)
		return end
	}
	p.advance()
	return end
}

func (p *parser) unexpected(what string) {
	if p.lex.fail != nil {
		return
	}
	if p.tok.kind == tEnd {
		p.fail(p.tok.start, p.tok.end, "", "the expression ends where a value or operator is wanted: %s", what)
		return
	}
	p.fail(p.tok.start, p.tok.end, "", "unexpected %s: %s", strconv.Quote(p.lex.src[p.tok.start:p.tok.end]), what)
}

func (p *parser) whole() *Node {
	n := p.cond()
	if p.tok.kind != tEnd {
		p.unexpected("the expression was complete before it")
	}
	return n
}

func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok.start, p.tok.end, "split it with let", "the expression is nested deeper than %d levels", maxDepth)
		return false
	}
	return true
}

func (p *parser) cond() *Node {
	defer func() { p.depth-- }()
	if !p.enter() {
		return badNode(p.tok)
	}
	c := p.binary(0)
	if !p.accept("?") {
		return c
	}
	t := p.binary(0)
	p.expect(":", "between the two values of ?:")
	f := p.cond()
	return &Node{Kind: NCond, Start: c.Start, End: f.End, Args: []*Node{c, t, f}}
}

// binaryOps lists the operators by rising precedence; all associate left.
var binaryOps = [][]string{{"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) operator(level int) (token, bool) {
	t := p.tok
	isOp := t.kind == tPunct || t.kind == tName && t.text == "in"
	return t, isOp && slices.Contains(binaryOps[level], t.text)
}

func (p *parser) binary(level int) *Node {
	if level == len(binaryOps) {
		return p.unary()
	}
	l := p.binary(level + 1)
	for {
		op, ok := p.operator(level)
		if !ok {
			return l
		}
		p.advance()
		r := p.binary(level + 1)
		l = &Node{Kind: NBinary, Name: op.text, NameAt: op.start, Start: l.Start, End: r.End, Args: []*Node{l, r}}
	}
}

func (p *parser) unary() *Node {
	op := p.tok
	if !p.is("!") && !p.is("-") {
		return p.member(p.primary())
	}
	defer func() { p.depth-- }()
	if !p.enter() {
		return badNode(op)
	}
	p.advance()
	// The grammar has literals with a sign: -9223372036854775808 is one.
	if op.text == "-" && (p.tok.kind == tInt || p.tok.kind == tFloat) && p.tok.start == op.end {
		lit := p.literal("-")
		lit.Start = op.start
		return p.member(lit)
	}
	x := p.sameUnary(op.text)
	return &Node{Kind: NUnary, Name: op.text, NameAt: op.start, Start: op.start, End: x.End, Args: []*Node{x}}
}

// sameUnary reads the operand of a unary operator; the grammar allows a run of
// one operator, not a mixture.
func (p *parser) sameUnary(op string) *Node {
	if p.is("!") || p.is("-") {
		if p.tok.text != op {
			p.unexpected("write parentheses around one of the operators")
			return badNode(p.tok)
		}
		return p.unary()
	}
	return p.member(p.primary())
}

func badNode(t token) *Node { return &Node{Kind: NLit, Start: t.start, End: t.end} }

func (p *parser) member(x *Node) *Node {
	for p.tok.kind == tPunct {
		switch p.tok.text {
		case ".", ".?":
			x = p.selection(x)
		case "[", "[?":
			opt := p.tok.text == "[?"
			p.advance()
			i := p.cond()
			end := p.expect("]", "after the index")
			x = &Node{Kind: NIndex, Opt: opt, Start: x.Start, End: end, Args: []*Node{x, i}}
		case "{":
			p.fail(x.Start, p.tok.end, "write a map literal {\"name\": value}", "messages cannot be constructed")
			return x
		default:
			return x
		}
	}
	return x
}

func (p *parser) selection(x *Node) *Node {
	opt := p.tok.text == ".?"
	p.advance()
	name := p.tok
	if name.kind != tName && name.kind != tQuotedName {
		p.unexpected("expected a field name")
		return x
	}
	if name.kind == tName && IsReserved(name.text) && slices.Contains([]string{"in", "true", "false", "null"}, name.text) {
		p.fail(name.start, name.end, "write it in backquotes: `"+name.text+"`", "%q is a word of the language", name.text)
		return x
	}
	p.advance()
	n := &Node{Kind: NSelect, Name: name.text, NameAt: name.start, Opt: opt, Start: x.Start, End: name.end, Args: []*Node{x}}
	if !opt && name.kind == tName && p.is("(") {
		n.Kind, n.Member = NCall, true
		p.arguments(n)
	}
	return n
}

// arguments reads (a, b) after a function name.
func (p *parser) arguments(n *Node) {
	p.expect("(", "")
	for !p.is(")") && p.lex.fail == nil {
		n.Args = append(n.Args, p.cond())
		if !p.accept(",") {
			break
		}
	}
	n.End = p.expect(")", "after the arguments")
}

func (p *parser) primary() *Node {
	t := p.tok
	switch {
	case t.kind == tName:
		return p.name()
	case t.kind == tInt || t.kind == tUint || t.kind == tFloat || t.kind == tString || t.kind == tBytes:
		return p.literal("")
	case p.is("."):
		p.advance() // a leading dot names the outermost scope, which is ours
		if p.tok.kind == tName {
			return p.name()
		}
	case p.is("("):
		p.advance()
		n := p.cond()
		p.expect(")", "to close the parenthesis")
		return n
	case p.is("[") || p.is("[?"):
		return p.list()
	case p.is("{"):
		return p.mapping()
	}
	p.unexpected("expected a value")
	return badNode(t)
}

func (p *parser) name() *Node {
	t := p.tok
	p.advance()
	n := &Node{Kind: NName, Name: t.text, NameAt: t.start, Start: t.start, End: t.end}
	switch {
	case t.text == "true" || t.text == "false":
		return &Node{Kind: NLit, Lit: t.text == "true", Start: t.start, End: t.end}
	case t.text == "null":
		return &Node{Kind: NLit, Start: t.start, End: t.end}
	case t.text == "in":
		p.fail(t.start, t.end, "use another name; the inputs are called input", "%q is an operator and cannot be a name", "in")
	case slices.Contains(reserved, t.text):
		p.fail(t.start, t.end, "use another name", "%q is a reserved word", t.text)
	case p.is("("):
		n.Kind = NCall
		p.arguments(n)
	}
	return n
}

func (p *parser) literal(sign string) *Node {
	t := p.tok
	n := &Node{Kind: NLit, Start: t.start, End: t.end}
	var err error
	switch t.kind {
	case tInt:
		n.Lit, err = strconv.ParseInt(sign+t.text, intBase(t.text), 64)
	case tUint:
		n.Lit, err = strconv.ParseUint(t.text, intBase(t.text), 64)
	case tFloat:
		n.Lit, err = strconv.ParseFloat(sign+t.text, 64)
	case tString:
		n.Lit = t.value
	case tBytes:
		n.Lit = []byte(t.value)
	}
	if err != nil {
		p.fail(t.start, t.end, "", "the number %s%s is out of range", sign, t.text)
		return n
	}
	p.advance()
	return n
}

// intBase keeps 010 decimal: CEL has no octal numbers.
func intBase(text string) int {
	if len(text) > 1 && text[1]|0x20 == 'x' {
		return 0
	}
	return 10
}

func (p *parser) list() *Node {
	n := &Node{Kind: NList, Start: p.tok.start}
	opt := p.is("[?")
	p.advance()
	for !p.is("]") && p.lex.fail == nil {
		if p.accept("?") {
			opt = true
		}
		n.Args = append(n.Args, p.cond())
		n.Opts = append(n.Opts, opt)
		opt = false
		if !p.accept(",") {
			break
		}
	}
	n.End = p.expect("]", "to close the list")
	return n
}

func (p *parser) mapping() *Node {
	n := &Node{Kind: NMap, Start: p.tok.start}
	p.advance()
	for !p.is("}") && p.lex.fail == nil {
		n.Opts = append(n.Opts, p.accept("?"))
		key := p.cond()
		p.expect(":", fmt.Sprintf("between key and value of entry %d", len(n.Opts)))
		n.Args = append(n.Args, key, p.cond())
		if !p.accept(",") {
			break
		}
	}
	n.End = p.expect("}", "to close the map")
	return n
}
