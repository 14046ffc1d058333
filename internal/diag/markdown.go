package diag

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Markdown writes the findings as a comment on a change: a table for each
// tool. No text of a finding can add markup, links, mentions or HTML.
func Markdown(w io.Writer, list List) error {
	sorted := list.Sorted()
	out := bufio.NewWriter(w)
	if len(sorted) == 0 {
		fmt.Fprintln(out, "No findings.")
		return out.Flush()
	}
	fmt.Fprintf(out, "**%s**\n", sorted.count())
	for _, tool := range tools(sorted) {
		title := MarkdownText(tool)
		if tool == "" {
			title = "The package as a whole"
		}
		fmt.Fprintf(out, "\n### %s\n\n| | where | what | fix |\n|---|---|---|---|\n", title)
		for _, f := range sorted {
			if f.Tool == tool {
				fmt.Fprintf(out, "| %s %s | %s | %s | %s |\n", f.Severity, MarkdownText(f.Rule.String()), MarkdownText(f.Span.String()), MarkdownText(f.Message), MarkdownText(f.Fix))
			}
		}
	}
	return out.Flush()
}

// tools lists the tools of findings, and "" first for those of none.
func tools(list List) []string {
	var names []string
	for _, f := range list {
		names = append(names, f.Tool)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// MarkdownText makes a text safe to be inside a line of Markdown: it is
// shown as it is. What could be markup, an automatic link or a mention is
// written as a character reference, which is text wherever it is
// (CommonMark 2.5). Mentions and references to issues are looked for in the
// rendered text, so a space of no width keeps @ and # apart from what follows.
func MarkdownText(text string) string {
	var b strings.Builder
	runes := []rune(Escape(text))
	for i, r := range runes {
		if isPlain(runes, i) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
		if r == '@' || r == '#' {
			b.WriteString("&#8203;")
		}
	}
	return b.String()
}

// isPlain reports whether a character means nothing but itself where it
// is: an underscore inside a word, a colon that ends one.
func isPlain(text []rune, i int) bool {
	inside := i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1])
	switch r := text[i]; {
	case isWord(r), r >= 0x80, strings.ContainsRune(` ,;"'()=?%-/`, r):
		return true
	case r == '_':
		return inside
	case r == ':':
		return i+1 == len(text) || text[i+1] == ' ' || inside && unicode.IsDigit(text[i+1])
	case r == '.':
		return i < 3 || !strings.EqualFold(string(text[i-3:i]), "www")
	}
	return false
}

func isWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
