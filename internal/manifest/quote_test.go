package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// bodies are values of "body:" and what follows them, as somebody may write them.
var bodies = []string{
	// Quotes that are missing.
	"${x ? y : z}", "${x ? y : z}   ", "a: ${x}", "${x}:", "${x", "${x + 1", "${x ?\n      y : z}", "${x ?\n      y : z}\n      + 1", "${x ?\n\n      y : z}\t", "a ${x} b: c", "key: 'a' ${x}: b",
	"!found", "!${x}", "&${x}", "*${x}", "%${x}", "@${x}", "`${x}`", "|${x}: a", ">${x}: a", "!${x}: a", "plain: text", "plain:", "$${x: y", "a # ${x: y", "${'}'", "${\"}\" : 1}", "${\"\\\"}\" : 1}",
	"- ${x: y}", "- a: ${x: y}", "- - ${x ? y : z}", "\n      - ${x ? y : z}", "\n      a: ${x ? y : z}", "\n      ${x ? y : z}", "\n      # ${x ? y : z}\n      a: b: c",
	// Quotes inside quotes.
	`"${x.replace("a", "b")}"`, `'${x.replace('a', 'b')}'`, `"${x}" # why`, `"${x}"  b`, `"${x}" b # why`, `'${x}'' b`, `'${x}' 'b'`, `"a \d ${x}"`, `"a \n ${x}"`, `"a \" ${x}"`, `"${x}\`, `"${x}`, `'${x}`, `"a" ${x}`, `"a \d b"`, `"a b" c`,
	"\"${x +\n      \"a\"}\"", "'${x +\n      'a'}'", "\"${x\n      + y", "'a${x}b' c: d",
	// Brackets.
	"{a: ${x}}", "{a: ${x}, b: c}", "{a: b, c: ${x}}", "[${x}]", "[a, ${x}]", "[a ${x} b, c]", "{a:   ${x} ${y} }", "{a: ${x}${y}}", "{a: ${x}$${y}}", "{a: ${x", "{a: ${x}", "[${x}", "{a: ${'}'}}", "{a: ${{\"b\": 1}}}", "{a: ${x}\n      }", "[\n      ${x}\n      ]", "{a:\n      ${x}}", "{\ta: \t${x}}", "[a, b: ${x}]",
	"{${x}: a}", "[a ${x ? y : z}]", "{a: $ {x}}", "{a: ${x}]",
	// What is cut at a comment.
	"${x + \" #\" + y}", "${x + \" #\" + y} # why", "${x} # why", "a ${x + ' # ' + y} b", "a # ${x}", "${x #\n      }",
	// What is not YAML.
	"'a", "\"a", "{a: b", "[a, b", "{a: b]", "[a, b}", "a: b", "\n      a b\n      c: d", "\n      a b\n     c: d", "\n      c: d\n      a b\n      e: f", "\n      c:\n        a b\n        e: f", "\n        c: d\n      a b\n      e: f", "\n      a: b\n      c d \n      e: f",
	"\n      a: b\n     c: d", "\n      a: b\n       c: d", "\n      - a\n      b: c", "\n      a: b\n      - c", "\n\ta: b", "\ta", "@a", "`a", "%a", "{a: b,, c: d}", "[a,, b]", "{,}", "? a", "? a\n      b", "'a' b", "\"a\\qb\"", "\"a\\xzz\"", "*a", "&a b", "!!str a", "|x\n      a", "|\n  a", "a\n    ---\n    b", "- a\n      - b", "{a: 'b}", "{a: \"b}", "[a: b: c]", "a:\n      b: c\n     d",
	"${a(1, [2, {\"b\": \"c, d\"}])", strings.Repeat("a\n      ", 9) + "b: c", "'" + strings.Repeat("a ${x}\n      ", 12) + "b' c", "'" + strings.Repeat("a\n      ", 12) + "b' c", "\"${a}" + strings.Repeat("\n      a", 8) + "\" b", "\"${a}" + strings.Repeat("\n      a", 10) + "\" b",
	"\n      a: ${x" + strings.Repeat("\n      b: c", 12) + "\n     c: d", "\n      a: x" + strings.Repeat("\n      b: c", 12) + "\n     c: d", "\n      - '${x\n" + strings.Repeat("        b\n", 12) + "      '",
	"\n      a: ${x" + strings.Repeat("\n      b: c", 12) + "\n      c: 'd' e", "\n      a: ${x" + strings.Repeat("\n      b: c", 9) + "\n      c: 'd' e", "\n      a: x" + strings.Repeat("\n      b: c", 12) + "\n      c: 'd' e",
	strings.Repeat("[", 120) + "${x}" + strings.Repeat("]", 120),
}

// checks are values of "check:", an expression without ${ and }.
var checks = []string{
	"a > 1", "!a", "! a", "&a", "*a", "%a", "@a", "`a`", "|a", ">a", "a ? b : c", "a:", "'a' == b", "\"a\" == b", "\"a\" == \"b\"", "{a: b}", "[a: b: c]", "[a, b].size() > 1", "{\"a\": 1}.b == 1", "a # b", "a == \"#\"", "a == \" # \"", "a\n          ? b : c", "!a(b, [c, d])", "!a.b(\"}\", 'x,y')", "!a(b}",
}

// TestQuotes: what is found in values that lack their quotes, word for word, with
// the places where they begin and end.
func TestQuotes(t *testing.T) {
	var all strings.Builder
	hold := func(value, to, from string) {
		src := strings.Replace(base, from, from+to, 1)
		_, list := Parse("f", []byte(src))
		fmt.Fprintf(&all, "%q\n", value)
		for _, f := range list.Sorted() {
			fmt.Fprintf(&all, "  %s-%d:%d %s: %s (%s)\n", f.Span, f.Span.End.Line, f.Span.End.Col, f.Rule, f.Message, f.Fix)
			for _, r := range f.Related {
				fmt.Fprintf(&all, "    %s-%d:%d %s\n", r.Span, r.Span.End.Line, r.Span.End.Col, r.Text)
			}
		}
	}
	for _, b := range bodies {
		hold(b, "\n    body: "+b, "call: geo.search")
	}
	for _, c := range checks {
		hold("check: "+c, "\n    expect:\n      - check: "+c+"\n        code: a\n        message: M.", "call: geo.search")
		hold("[check: "+c+"]", "\n    expect: [{check: "+c+", code: a, message: M.}]", "call: geo.search")
	}
	for _, tail := range []string{"sculpt", "a b\nc: d", "  a: b", "'", "a: 'b", "a: ${b", "a: \"${b", "a: [b", "x y", "a: [${b}", "a: [${b} c ", "[" + strings.Repeat("[", 130)} {
		hold("at the end: "+tail, "\n"+tail, "description: The place.}\n")
		_, list := Parse("f", []byte(tail))
		fmt.Fprintf(&all, "alone %q\n", tail)
		for _, f := range list.Sorted() {
			fmt.Fprintf(&all, "  %s-%d:%d %s: %s (%s)\n", f.Span, f.Span.End.Line, f.Span.End.Col, f.Rule, f.Message, f.Fix)
		}
	}
	golden.Text(t, "testdata/quotes.txt", all.String())
}

// TestClosing: where an expression ends; braces and quotes in its strings do not
// count.
func TestClosing(t *testing.T) {
	for text, want := range map[string]int{
		"{a}": 2, "{a}}": 2, "{{a}}": 4, "{a": -1, "{": -1, `{"}"}`: 4, `{'}'}`: 4, `{"\"}"}`: 6, `{'"}'}`: 5, `{"}`: -1, `{"\`: -1, "": -1, "{a{b}c}d": 6,
	} {
		if got := closing(text, 0); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"": false, "$": false, "${": true, "${a}": false, "a ${b": true, "${a} ${b": true, "${a} ${b}": false, "$${": false, "a $${b": false, "$$${": false, "{a": false, "${a}${": true, "${${a}}": false,
	} {
		if got := openExpression(text); got != want {
			t.Errorf("%s is open: %v", text, got)
		}
	}
	for text, want := range map[string]int{
		"": 0, "a": 1, "a, b": 1, "a]": 1, "a)": 1, "a}": 1, "f(a, b), c": 7, "[a, b], c": 6, "{a, b}} c": 6, "((a),b), c": 7, `"a, b", c`: 6, `'a, b', c`: 6, `"a`: 2, `"a", 'b`: 3, `f("), ", a), b`: 11,
	} {
		if got := flowEnd(text); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int{
		"": 0, "a": 1, "a # b": 1, "a# b": 4, "${a} # b": 4, "${a + \" # \"} # b": 12, "${a # b": 7, "$${a # b": 4, "${a}${b # c": 11, " #": 0,
	} {
		if got := commentAfter(text); got != want {
			t.Errorf("%s has a comment at %d, want %d", text, got, want)
		}
	}
}
