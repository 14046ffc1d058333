package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// The last level that is read is the same for lists and maps, in flow and in
// block style: a manifest that one tool wrote must not fail when another one
// writes it otherwise.
func TestDepth(t *testing.T) {
	block := func(n int, item string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("\n" + strings.Repeat(" ", 2*i+2) + item)
		}
		return b.String()
	}
	for name, nested := range map[string]func(n int) string{
		"flow lists":  func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
		"flow maps":   func(n int) string { return strings.Repeat("{a: ", n-1) + "{}" + strings.Repeat("}", n-1) },
		"block maps":  func(n int) string { return block(n-1, "a:") + " {}" },
		"block lists": func(n int) string { return "\n" + strings.Repeat("- ", n-1) + "[]" },
	} {
		for n := maxDepth - 3; n < maxDepth+4; n++ {
			_, list := Parse("f", []byte("tools: "+nested(n)+"\n"))
			deep := ""
			for _, f := range list {
				if f.Rule == ruleTooDeep {
					deep = f.Message
				}
			}
			want := ""
			if n > maxDepth {
				want = "the manifest is nested deeper than 100 levels"
			}
			if deep != want {
				t.Errorf("%d %s: %q, want %q", n, name, deep, want)
			}
		}
	}
}

// A hidden character is found wherever it is, the first and the last place
// included.
func TestHiddenAtTheEnds(t *testing.T) {
	for text, want := range map[string]string{
		"\u200bsculpt: 1\n": "1:1", "sculpt: 1\n\u2060": "2:1", "a\u00ad: 1\n": "1:2", "\x7f": "1:1", "a: 1 # \u202e\n": "1:8",
	} {
		_, list := Parse("f", []byte(text))
		got := ""
		for _, f := range list {
			if f.Rule == RuleControlCharacter {
				got = fmt.Sprintf("%d:%d", f.Span.Start.Line, f.Span.Start.Col)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}
