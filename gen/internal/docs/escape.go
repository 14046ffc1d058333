package docs

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// inline escapes what has a meaning inside a line or a table cell of Markdown.
// Character references never do (CommonMark 2.5), in any dialect.
var inline = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", `\`, "&#92;",
	"*", "&#42;", "[", "&#91;", "]", "&#93;", "~", "&#126;", "$", "&#36;", "{", "&#123;", "}", "&#125;",
)

// underscore finds those that may start or end an emphasis: those inside a
// word may not, and stay readable.
var underscore = pattern.Of(`(^|[^\pL\pN])_|_([^\pL\pN]|$)`)

// blockStart finds what makes a paragraph something else: a heading, a list,
// a rule or a code block.
var blockStart = pattern.Of(`^([#+=:-]|[0-9]+[.)])`)

// text makes a text one line of plain words.
func text(s string) string {
	s = inline.Replace(strings.Join(strings.Fields(visible(s)), " "))
	for underscore().MatchString(s) {
		s = underscore().ReplaceAllStringFunc(s, func(m string) string { return strings.Replace(m, "_", "&#95;", 1) })
	}
	return blockStart().ReplaceAllStringFunc(s, func(m string) string {
		last := len(m) - 1
		return m[:last] + fmt.Sprintf("&#%d;", m[last])
	})
}

var blankLine = pattern.Of(`\n[ \t\r]*\n`)

// paragraphs keeps blank lines between texts.
func paragraphs(s string) string {
	var out []string
	for _, p := range blankLine().Split(s, -1) {
		if p = text(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}

// visible leaves out characters that nobody sees, some of which turn the
// reading order around, and makes every kind of line break a blank.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			if r == '\n' {
				return r
			}
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

var plainCode = pattern.Of(`^[A-Za-z0-9_.,:/+ -]*[A-Za-z0-9_.,:/+-]$`)

// code shows a value letter by letter. A code span cannot hold every text in a
// table cell (GFM reads | before the span), so odd ones become an element.
func code(s string) string {
	if plainCode().MatchString(s) && !strings.HasPrefix(s, " ") {
		return "`" + s + "`"
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			fmt.Fprintf(&b, "&#%d;", r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#92;u&#123;%x&#125;", r) // shown, not acted on
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// fence makes a code block that its content cannot end.
func fence(language, content string) string {
	marks := "```"
	for strings.Contains(content, marks) {
		marks += "`"
	}
	return marks + language + "\n" + content + "\n" + marks
}
