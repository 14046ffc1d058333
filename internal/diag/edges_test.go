package diag

import (
	"slices"
	"strings"
	"testing"
)

// What must not be shown as it is, at the edges of each range.
func TestEscapeRune(t *testing.T) {
	for r, want := range map[rune]string{
		'\n': `\n`, '\r': `\r`, '\t': `\t`, 0: `\x00`, 0x1f: `\x1f`, 0x20: "", 0x7e: "", 0x7f: `\x7f`, 0x9f: `\x9f`, 0xa0: "",
		0x61b: "", 0x61c: `\u061c`, 0x61d: "", 0x200a: "", 0x200b: `\u200b`, 0x200f: `\u200f`, 0x2010: "", 0x2027: "", 0x2028: `\u2028`, 0x202e: `\u202e`, 0x202f: "",
		0x205f: "", 0x2060: `\u2060`, 0x206f: `\u206f`, 0x2070: "", 0xfefe: "", 0xfeff: `\ufeff`, 0xff00: "",
		0xdffff: "", 0xe0000: `\U000e0000`, 0xe007f: `\U000e007f`, 0xe0080: "",
	} {
		if got := escapeRune(r); got != want {
			t.Errorf("%U is written as %q, want %q", r, got, want)
		}
	}
	if got := Escape("a\xffb"); got != "a\ufffdb" {
		t.Errorf("bytes that are no text: %q", got)
	}
}

// Characters of two columns, at the edges of each range; what takes none is not
// asked for below U+0300.
func TestRuneWidth(t *testing.T) {
	for _, c := range [][2]rune{
		{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x4dbf}, {0x4e00, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
		{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
	} {
		lo, hi := c[0], c[1]
		if runeWidth(lo-1) == 2 || runeWidth(hi+1) == 2 {
			t.Errorf("%U or %U takes two columns", lo-1, hi+1)
		}
		if runeWidth(lo) != 2 || runeWidth(lo+1) != 2 || runeWidth(hi) != 2 {
			t.Errorf("%U, %U or %U does not take two columns", lo, lo+1, hi)
		}
	}
	for r, want := range map[rune]int{0x33ff: 2, 0x3400: 2, 0x4dff: 1, 0x2ff: 1, 0x300: 0, 0x36f: 0, 0x370: 1, 0x488: 0} {
		if got := runeWidth(r); got != want {
			t.Errorf("%U takes %d columns, want %d", r, got, want)
		}
	}
}

// Which name was meant: at most a third of the letters may differ, a swap counts
// once, and of equals the first in the alphabet is taken.
func TestNearestEdges(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates string
		want       string
	}{
		{"abc", "abd", "abd"}, {"abc", "ade", ""}, {"ab", "ac", ""}, {"abcdef", "abcdxy", "abcdxy"}, {"abcdef", "abcxyz", ""},
		{"abc", "acb", "acb"}, {"abc", "bca", ""}, {"abc", "bac", "bac"}, {"abcd", "badc", ""}, {"abcdef", "badcef", "badcef"}, {"abc", "abxc", "abxc"}, {"abc", "ab", "ab"}, {"abc", "", ""},
		{"a_b-c", "abc", "abc"}, {"ABC", "abc", "abc"}, {"abc", "abd abe", "abd"}, {"abc", "abe abd", "abd"}, {"abcdefghi", "abcdefxyi abcdefghx", "abcdefghx"},
		{"abc", "abc abd", "abd"}, {"äöü", "äöx", "äöx"}, {"", "a", ""}, {"x", "X", "X"},
	} {
		candidates := strings.Fields(c.candidates)
		if got := Nearest(c.name, candidates); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.name, c.candidates, got, c.want)
		}
		want := ""
		if c.want != "" {
			want = `, did you mean "` + c.want + `"?`
		}
		if got := DidYouMean(c.name, candidates); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Of a line of more than 160 columns the part around the span is shown.
func TestLongLines(t *testing.T) {
	for _, c := range []struct {
		name          string
		line          string
		col, endCol   int
		text          string
		before, width int
	}{
		{"as long as is shown", strings.Repeat("a", 160), 100, 103, strings.Repeat("a", 160), 99, 3},
		{"one more", strings.Repeat("a", 161), 1, 3, strings.Repeat("a", 160) + "...", 0, 2},
		{"in the middle", strings.Repeat("a", 100) + "X" + strings.Repeat("b", 300), 101, 102, "..." + strings.Repeat("a", 60) + "X" + strings.Repeat("b", 99) + "...", 63, 1},
		{"less than the lead before it", strings.Repeat("a", 60) + "X" + strings.Repeat("b", 300), 61, 62, strings.Repeat("a", 60) + "X" + strings.Repeat("b", 99) + "...", 60, 1},
		{"near the end", strings.Repeat("a", 300) + "X", 301, 302, "..." + strings.Repeat("a", 60) + "X", 63, 1},
		{"beyond what is shown", strings.Repeat("a", 300), 1, 250, strings.Repeat("a", 160) + "...", 0, 160},
		{"after the line", "abc", 9, 10, "abc", 3, 1},
		{"before the line", "abc", 0, 2, "abc", 0, 1},
		{"to the next line", "abc  ", 2, 1, "abc", 1, 4},
		{"backwards", "abc", 3, 1, "abc", 2, 1},
		{"tabs", "\ta\tb", 3, 5, "    a   b", 5, 4},
		{"escapes", "a\x01b", 2, 3, `a\x01b`, 1, 4},
	} {
		s := Span{Start: Pos{1, c.col}, End: Pos{1, c.endCol}}
		if c.name == "to the next line" {
			s.End.Line = 2
		}
		text, before, width := mark(c.line, s)
		if text != c.text || before != c.before || width != c.width {
			t.Errorf("%s: %q %d %d, want %q %d %d", c.name, text, before, width, c.text, c.before, c.width)
		}
	}
}

// Findings are in the order of file, line, column, severity, rule and message, each once.
func TestSorted(t *testing.T) {
	at := func(file string, line, col int) Span { return Span{File: file, Start: Pos{line, col}} }
	want := List{
		{Rule: ID("z"), Severity: Note, Span: at("a", 1, 1), Message: "z"},
		{Rule: ID("z"), Severity: Note, Span: at("b", 1, 2), Message: "z"},
		{Rule: ID("z"), Severity: Note, Span: at("b", 2, 1), Message: "z"},
		{Rule: ID("z"), Severity: Error, Span: at("b", 2, 3), Message: "z"},
		{Rule: ID("a"), Severity: Warning, Span: at("b", 2, 3), Message: "z"},
		{Rule: ID("b"), Severity: Warning, Span: at("b", 2, 3), Message: "a"},
		{Rule: ID("b"), Severity: Warning, Span: at("b", 2, 3), Message: "b"},
	}
	var turned List
	for _, f := range slices.Backward(want) {
		turned = append(turned, f, f)
	}
	got := turned.Sorted()
	if len(got) != len(want) {
		t.Fatalf("%d findings, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Rule != want[i].Rule || got[i].Span != want[i].Span || got[i].Message != want[i].Message || got[i].Severity != want[i].Severity {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
}
