package expr

import "strings"

// A Template is the text of a YAML scalar taken apart: literal text and
// expressions in ${...}. $${ is a literal ${.
type Template struct {
	Parts []Part
}

// A Part is literal Text or an expression; Start and End are its place in the
// scalar, the braces included.
type Part struct {
	Text       string
	Expr       *Node
	Start, End int
}

// IsLiteral reports whether the template holds no expression.
func (t *Template) IsLiteral() bool {
	for _, p := range t.Parts {
		if p.Expr != nil {
			return false
		}
	}
	return true
}

// Literal returns the text of a template without expressions.
func (t *Template) Literal() string {
	var b strings.Builder
	for _, p := range t.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Single returns the expression of a template that is exactly one ${...}, so
// that the value keeps the type of the expression; nil otherwise.
func (t *Template) Single() *Node {
	if len(t.Parts) == 1 {
		return t.Parts[0].Expr
	}
	return nil
}

// ParseTemplate reads a scalar's text. Offsets in nodes and problems count
// from the start of the text. White space around a single ${...} is dropped:
// block scalars end in a newline.
func ParseTemplate(text string) (*Template, []Problem) {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "${") {
		start := strings.Index(text, "${")
		end := start + len(trimmed)
		if part, next, problems := parsePart(text, start); problems != nil || next == end {
			return &Template{Parts: []Part{part}}, problems
		}
	}
	t := &Template{}
	var problems []Problem
	for pos := 0; pos < len(text); {
		i := strings.Index(text[pos:], "${")
		if i < 0 {
			t.addText(text[pos:], pos)
			break
		}
		if i > 0 && text[pos+i-1] == '$' {
			t.addText(text[pos:pos+i]+"{", pos)
			pos += i + 2
			continue
		}
		t.addText(text[pos:pos+i], pos)
		part, next, bad := parsePart(text, pos+i)
		problems = append(problems, bad...)
		t.Parts = append(t.Parts, part)
		pos = next
	}
	return t, problems
}

func (t *Template) addText(s string, start int) {
	if s != "" {
		t.Parts = append(t.Parts, Part{Text: s, Start: start, End: start + len(s)})
	}
}

// parsePart reads the ${...} at start and returns the offset after it.
func parsePart(text string, start int) (Part, int, []Problem) {
	end, ok := closing(text, start+2)
	part := Part{Start: start, End: end}
	if !ok {
		// The lexer's own complaint, if it has one, says more.
		if p := newParser(text, start+2, end); p.lex.fail != nil {
			return part, len(text), []Problem{*p.lex.fail}
		}
		return part, len(text), []Problem{{Rule: ruleSyntax, Start: start, End: start + 2,
			Message: "${ is not closed", Fix: "close it with }, and quote the YAML value if it holds \": \" or \" #\""}}
	}
	p := newParser(text, start+2, end-1)
	n := p.whole()
	if p.lex.fail != nil {
		return part, end, []Problem{*p.lex.fail}
	}
	part.Expr = n
	return part, end, nil
}

// closing finds the } that closes the expression at start; braces inside
// strings do not count. Where the text cannot be read to the end as tokens,
// the next } closes.
func closing(text string, start int) (int, bool) {
	l := lexer{src: text, pos: start}
	for depth := 0; ; {
		t := l.next()
		switch {
		case l.fail != nil:
			if i := strings.IndexByte(text[start:], '}'); i >= 0 {
				return start + i + 1, true
			}
			return len(text), false
		case t.kind == tEnd:
			return len(text), false
		case t.kind != tPunct:
		case t.text == "{":
			depth++
		case t.text == "}":
			if depth == 0 {
				return t.end, true
			}
			depth--
		}
	}
}
