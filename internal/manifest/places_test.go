package manifest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// checkPlaces verifies, for every scalar, that the source has at each place
// the character that was decoded from there, or the escape that made it.
func checkPlaces(t *testing.T, text string) {
	t.Helper()
	var list diag.List
	src := newSource("f", text)
	if !readable(src, &list) {
		return
	}
	root := load(src, "", &list)
	if root == nil {
		return
	}
	b := &treeBuilder{src: src, list: &list}
	tree, _ := b.node(root, 0)
	walkAll(&tree, func(s Scalar) { checkScalar(t, src, s) })
}

func walkAll(n *Node, visit func(Scalar)) {
	for i := range n.Members {
		visit(n.Members[i].Key)
		walkAll(&n.Members[i].Value, visit)
	}
	for i := range n.Items {
		walkAll(&n.Items[i], visit)
	}
	if n.Kind == ScalarNode {
		visit(n.Scalar)
	}
}

func checkScalar(t *testing.T, src *source, s Scalar) {
	t.Helper()
	if p := s.Places(); p != nil && len(p) != len(s.Value)+1 {
		t.Fatalf("%q has %d places", s.Value, len(p))
	}
	last := src.offset(s.Span.Start.Line, s.Span.Start.Col)
	for i, r := range s.Value {
		at := s.At(i, i+utf8.RuneLen(r))
		off := src.offset(at.Start.Line, at.Start.Col)
		if src.pos(off) != at.Start {
			t.Fatalf("%q: %v is outside the file", s.Value, at.Start)
		}
		if off < last {
			t.Fatalf("%q: the places go back at %d", s.Value, i)
		}
		last = off
		if !made(src.text[off:], r) {
			t.Fatalf("%q: byte %d (%q) is at %v, where %q is\n%s", s.Value, i, r, at.Start, src.text[off:min(off+8, len(src.text))], src.text)
		}
	}
}

// made reports whether the text starts with the character, or with an escape
// or a line fold that yields it.
func made(text string, r rune) bool {
	got, _ := utf8.DecodeRuneInString(text)
	switch {
	case got == r && text != "":
		return true
	case r == ' ':
		return strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n") || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, `\ `) || strings.HasPrefix(text, `\x20`)
	case r == '\n' && (text == "" || strings.HasPrefix(text, "\r\n")):
		return true
	case got != '\\' || len(text) < 2:
		return false
	}
	for _, n := range []int{2, 4, 6, 10} {
		if n <= len(text) {
			if v, err := strconv.Unquote(`"` + text[:n] + `"`); err == nil && v == string(r) {
				return true
			}
		}
	}
	return escapes[text[1]] == string(r)
}

func TestPlaces(t *testing.T) {
	for _, text := range []string{
		weather, base,
		"a: 'it''s ''${x}'' ä'",
		"a: \"t\\tab \\u00e4 \\x41 \\U0001F600 \\\" ${x}\"",
		"a: plain over\n  two lines\n\n  and ä more",
		"a: 'quoted over\n  two lines  \n\n\n  and ä more '",
		"a: \"double over  \n  two \\\n    joined \\\n\n   \\  kept\"",
		"a: |\n  literal ä\n    deeper\n\n  end\n\n\n",
		"a: |+\n  keep\n\n\nb: c",
		"a: |-\n  strip\n\n\nb: >\n  folded ä\n  joined\n\n  new\n    deeper\n    more\n  back\n",
		"a: |2\n    two more\n  none\nb: >1-\n  x\n y\n",
		"a:\n  - |\n   in a list\n  - >+\n\n   x\n\n   y\n\n",
		"a: |\r\n  crlf ä\r\n  two\r\nb: 'x\r\n  y'\r\nc: p\r\n  q\r\n",
		"a: |\n\n   \n  lead\nb: |\n  \t tab\n   ",
		"ключ: значение\nb: ${ключ}\n",
		"a: ''\nb: \"\"\nc: |\nd: >-\n",
		"{a: 'x', \"b\": [plain text, 'q', \"\\n\"]}",
		"a: |\n  no end",
		"a: > # comment\n  x\n\ty\n",
	} {
		checkPlaces(t, text)
	}
}

// TestPlacesOfRandomScalars writes texts in all styles and reads them back.
func TestPlacesOfRandomScalars(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "ä", "${x}", "\"q\"", "it's", "\\", "日本", "😀", "x y", "#", ":", "-", "\t", "  "}
	breaks := []string{"\n", "\n\n", "\n\n\n", "\n  ", " \n", "\\\n", "\r\n"}
	for i := range 20000 {
		var lines strings.Builder
		for range r.IntN(6) {
			lines.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) == 0 {
				lines.WriteString(breaks[r.IntN(len(breaks))] + "    ")
			}
		}
		body := lines.String()
		head := []string{"|", ">", "|-", ">+", "|2", ">2-"}[r.IntN(6)]
		text := fmt.Sprintf("k: %s\n    %s\n", head, body)
		switch i % 4 {
		case 1:
			text = "k: '" + strings.ReplaceAll(body, "'", "''") + "'\n"
		case 2:
			text = "k: \"" + strings.NewReplacer(`"`, `\"`, `\`+"\n", `\`+"\n", `\`, `\\`).Replace(body) + "\"\n"
		case 3:
			text = "k: " + body + "\n"
		}
		checkPlaces(t, text)
	}
}

func TestAt(t *testing.T) {
	m, _ := Parse("f", []byte(weather))
	let := m.Tools[0].Lets[2].Value.Scalar
	i := strings.Index(let.Value, "state")
	if got := let.At(i, i+5); got.Start != (diag.Pos{Line: 77, Col: 12}) || got.End != (diag.Pos{Line: 77, Col: 17}) {
		t.Errorf("got %v to %v", got.Start, got.End)
	}
	state := m.Tools[0].Lets[1].Value.Scalar
	if state.Places() != nil {
		t.Error("a plain scalar has places")
	}
	if got := state.At(2, 8); got.Start.Col != 16 || got.End.Col != 22 {
		t.Errorf("got %v to %v", got.Start, got.End)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(weather)
	f.Add(base)
	f.Add("a: |2+\n    x\n \n")
	f.Add("|\n\\")
	f.Add("a: {b: ${x}}\n")
	f.Add("tools: {a: {call: ${x + \" #\"}}\n")
	f.Add("? - a\n: !x &y 'z'\n--- *a\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, list := Parse("f", []byte(text))
		src := newSource("f", strings.TrimPrefix(text, "\ufeff"))
		for _, finding := range list {
			inside(t, src, finding.Span)
			for _, r := range finding.Related {
				inside(t, src, r.Span)
			}
		}
		checkPlaces(t, text)
	})
}

// inside checks that a span is one of the file: a position is there exactly
// if going to its byte and back leads to it.
func inside(t *testing.T, src *source, s diag.Span) {
	t.Helper()
	for _, p := range []diag.Pos{s.Start, s.End} {
		if p != (diag.Pos{}) && src.pos(src.offset(p.Line, p.Col)) != p {
			t.Fatalf("%v is outside the file", p)
		}
	}
}
