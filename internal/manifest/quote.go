package manifest

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// quote writes a text as a single-quoted YAML scalar.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// joinLines puts a folded text on one line.
func joinLines(text string) string { return strings.Join(strings.Fields(text), " ") }

// openExpression reports whether a text holds a ${ without its }.
func openExpression(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '$' || text[i+1] != '{' || i > 0 && text[i-1] == '$' {
			continue
		}
		end := closing(text, i+1)
		if end < 0 {
			return true
		}
		i = end
	}
	return false
}

// closing returns the offset of the brace that closes the one at open, or -1.
// Braces in the strings of an expression do not count.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch c := text[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// flowEnd returns where a text in brackets probably ends: at the first comma or
// closing bracket that is not inside a string or brackets of its own.
func flowEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			if depth == 0 {
				return i
			}
			if c != ',' {
				depth--
			}
		case '"', '\'':
			rest := strings.IndexByte(text[i+1:], c)
			if rest < 0 {
				return len(text)
			}
			i += 1 + rest
		}
	}
	return len(text)
}

// commentAfter returns where a comment starts after the expressions of a
// text, or its length.
func commentAfter(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "${") && (i == 0 || text[i-1] != '$'):
			end := closing(text, i+1)
			if end < 0 {
				return len(text)
			}
			i = end
		case strings.HasPrefix(text[i:], " #"):
			return i
		}
	}
	return len(text)
}

// reportSyntax reports an error of the YAML parser. Near an expression the
// reason is nearly always a missing quote, so that is what the user reads.
func reportSyntax(src *source, err error, list *diag.List) {
	var bad *yaml.LoadError
	if !errors.As(err, &bad) {
		list.Errorf(ruleYAMLSyntax, diag.Span{File: src.file}, "", "%s", err)
		return
	}
	off := src.offset(bad.Mark.Line, bad.Mark.Column)
	if bad.Mark.Line == 0 {
		off = min(bad.Mark.Index, len(src.text))
	}
	switch {
	case strings.Contains(bad.Message, "exceeded max depth"):
		list.Errorf(ruleTooDeep, src.span(off, off+1), "", "the manifest is nested deeper than %d levels", maxDepth)
		return
	case strings.Contains(bad.Message, "unknown anchor"):
		list.Errorf(ruleYAMLAlias, src.span(off, off+1), "quote the value if it is text", "a value that starts with * refers to an anchor, which a manifest does not allow")
		return
	}
	if v, found := unquoted(src, off, bad); found {
		list.Errorf(ruleQuoteExpression, src.span(v.start, v.end), "write "+v.fix, "%s", v.why)
		return
	}
	f := diag.Finding{Rule: ruleYAMLSyntax}
	context := src.offset(bad.ContextMark.Line, bad.ContextMark.Column)
	switch opened := bad.ContextMark.Line > 0; {
	case opened && strings.Contains(bad.ContextMsg, "quoted scalar") && strings.Contains(bad.Message, "end of stream"):
		off, f.Message, f.Fix = context, "this quote is not closed", "close the quote"
	case opened && strings.Contains(bad.Message, "expected ',' or"):
		f.Message, f.Fix = "a comma or the closing bracket is missing before this", "close the bracket; quote values with commas, colons or brackets"
		f.Related = []diag.Related{{Span: src.span(context, min(context+1, len(src.text))), Text: "the bracket is opened here"}}
	default:
		if at, ok := bareKey(src, off, bad.Message); ok {
			f.Span, f.Message, f.Fix = at, `a key without ":" after it`, "write key: value"
			break
		}
		f.Message, f.Fix = plainWords(bad.Message)
	}
	if f.Span.IsZero() {
		f.Span = src.span(off, min(off+1, len(src.text)))
	}
	list.Add(f)
}

// bareKey finds the line above that lacks its colon: YAML reads it and the
// next key as one text.
func bareKey(src *source, off int, message string) (diag.Span, bool) {
	n := src.pos(off).Line
	here, _ := src.line(n)
	line, start := src.line(n - 1)
	above, _ := src.line(n - 2)
	depth := indent(line)
	if n < 3 || !strings.Contains(message, "mapping values") || strings.Contains(line, ":") || depth != indent(here) {
		return diag.Span{}, false
	}
	if indent(above) > depth || indent(above) < depth && !strings.HasSuffix(above, ":") {
		return diag.Span{}, false
	}
	return src.span(start+depth, start+len(strings.TrimRight(line, " \t"))), strings.TrimSpace(line) != ""
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// plainWords says what the parser means.
func plainWords(message string) (words, fix string) {
	switch {
	case strings.Contains(message, "mapping values are not allowed"):
		return `": " is not allowed here`, "quote the value, or check the indentation"
	case strings.Contains(message, "could not find expected ':'"):
		return `a key without ":" after it`, "write key: value"
	case strings.Contains(message, "cannot start any token"), strings.Contains(message, "tab character"):
		return "this character cannot start a value", "quote the value; indent with spaces, never with tabs"
	case strings.Contains(message, "did not find expected key"), strings.Contains(message, "did not find expected '-' indicator"):
		return "this line does not fit to the lines above", "check the indentation, and that quotes are closed"
	case strings.Contains(message, "unknown escape"):
		return `unknown escape in a text in double quotes`, `write it in single quotes, where \ is itself`
	}
	if strings.Contains(message, "expected node content") {
		return "a value is missing here", "remove the comma, or quote the value"
	}
	return "not YAML: " + message, ""
}

// A badValue is a value that lacks quotes.
type badValue struct {
	start, end int
	fix, why   string
}

// linesBack is how far above an error its cause is looked for.
const linesBack = 10

// unquoted looks for the value that made the parser fail at an offset.
func unquoted(src *source, off int, bad *yaml.LoadError) (badValue, bool) {
	if v, ok := flowExpression(src.text, off); ok {
		return v, true
	}
	line := src.pos(off).Line
	for n := line; n > 0 && n > line-linesBack; n-- {
		text, start := src.line(n)
		key, at := blockValue(text)
		if at < 0 {
			continue
		}
		if v, ok := badLine(key, text[at:], n == line); ok {
			v.start, v.end = start+at, start+len(strings.TrimRight(text, " \t"))
			if n < line {
				v = v.through(src, start+at, off)
			}
			return v, true
		}
	}
	if ctx := bad.ContextMark; ctx.Line > 0 && ctx.Line <= line-linesBack {
		// A quoted text may have begun far above.
		text, start := src.line(ctx.Line)
		if key, at := blockValue(text); at >= 0 {
			if v, ok := badLine(key, text[at:], false); ok {
				v.start, v.end = start+at, start+len(text)
				return v, true
			}
		}
	}
	return badValue{}, false
}

// through extends a value that began above to the line of the error.
func (v badValue) through(src *source, start, off int) badValue {
	end := src.lineEnd(off)
	for end > start && strings.IndexByte(" \t\r\n", src.text[end-1]) >= 0 {
		end--
	}
	if openExpression(src.text[start:min(v.end, len(src.text))]) {
		v.end = end
		v.fix = quote(joinLines(src.text[start:end]))
	}
	return v
}

// flowExpression recognises {b: ${x}} and [${x}]: the parser stops at the
// brace, since text in brackets cannot hold one.
func flowExpression(text string, off int) (badValue, bool) {
	if off < 1 || off >= len(text) || text[off] != '{' || text[off-1] != '$' {
		return badValue{}, false
	}
	start := off - 1
	for start > 0 && !strings.ContainsRune(",[{\n", rune(text[start-1])) && !strings.HasSuffix(text[:start], ": ") {
		start--
	}
	for start < off-1 && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	end := off
	for end < len(text) && text[end] == '{' {
		last := closing(text, end)
		if last < 0 {
			return badValue{}, false
		}
		end = last + 1
		if rest := strings.IndexAny(text[end:], ",]}{\n"); rest >= 0 {
			end += rest
		} else {
			end = len(text)
		}
		if end >= len(text) || text[end] != '{' || text[end-1] != '$' {
			break
		}
	}
	value := strings.TrimRight(text[start:end], " \t\r")
	why := "text in [ ] or { } cannot hold an expression without quotes"
	return badValue{start: start, end: start + len(value), fix: quote(joinLines(value)), why: why}, true
}

// blockValue finds the value on a line of a block map or list, and its key;
// -1 where there is none.
func blockValue(line string) (key string, at int) {
	i := 0
	skip := func() {
		for i < len(line) && line[i] == ' ' {
			i++
		}
	}
	for skip(); strings.HasPrefix(line[i:], "- "); skip() {
		i += 2
	}
	if i >= len(line) || line[i] == '#' {
		return "", -1
	}
	if !strings.HasPrefix(line[i:], "${") {
		if end := strings.Index(line[i:], ": "); end >= 0 && strings.IndexByte(`'"{[`, line[i]) < 0 {
			key = line[i : i+end]
			i += end + 2
			skip()
		}
	}
	if i >= len(line) {
		return key, -1
	}
	return key, i
}

// badLine says whether a value on one line lacks quotes. Only the line of the
// error itself may be blamed for what is merely unusual.
func badLine(key, value string, here bool) (badValue, bool) {
	value = strings.TrimRight(value, " \t\r")
	hasExpr := strings.Contains(value, "${")
	bare := key == "check" || key == "when" || key == "for_each"
	switch {
	case value == "" || !hasExpr && !bare:
		return badValue{}, false
	case value[0] == '"' || value[0] == '\'':
		return quotesInside(value)
	case value[0] == '{' || value[0] == '[':
		if !bare || !here {
			return badValue{}, false
		}
	case strings.Contains(value, ": ") || strings.HasSuffix(value, ":"):
		return badValue{fix: quote(value), why: `a value with ": " needs quotes`}, true
	case openExpression(value):
		return badValue{fix: quote(value), why: "the expression is not closed on this line"}, true
	case !here || !bare || strings.IndexByte("!&*%@`|>", value[0]) < 0:
		return badValue{}, false
	}
	return badValue{fix: quote(value), why: "a value that starts with " + value[:1] + " needs quotes"}, true
}

// quotesInside recognises a quoted value that ends at a quote inside its
// expression.
func quotesInside(value string) (badValue, bool) {
	q := value[0]
	end := 1
	for ; end < len(value) && value[end] != q; end++ {
		if q == '"' && value[end] == '\\' {
			if end+1 < len(value) && !strings.ContainsRune(`0abt	nvfre "/\N_LPxuU`, rune(value[end+1])) {
				break
			}
			end++
		}
	}
	rest := ""
	if end < len(value) {
		rest = strings.TrimLeft(value[end+1:], " \t")
	}
	if rest == "" || rest[0] == '#' || q == '\'' && rest[0] == '\'' {
		return badValue{}, false
	}
	inner := strings.TrimSuffix(value[1:], value[:1])
	return badValue{fix: quote(inner), why: "the text ends at the quote inside it"}, true
}
