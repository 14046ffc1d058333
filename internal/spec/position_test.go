package spec

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Positions in long lines are counted in blocks: they are those that counting from
// the start of the line gives, and lead back to the same byte.
func TestPositions(t *testing.T) {
	for _, text := range []string{
		"", "a", "\n", "a\n", "a\nbc\n\nd", strings.Repeat("é", blockSize), strings.Repeat("a", blockSize-1) + "é\nb", strings.Repeat("a", blockSize) + "\n" + strings.Repeat("€", 3*blockSize) + "\nend",
		strings.Repeat("ab\n", blockSize), strings.Repeat("\U0001f600", blockSize/2+1) + "x",
	} {
		d := &document{file: "f", text: text}
		line, start := 1, 0
		for i := 0; i <= len(text); i++ {
			if i == len(text) || utf8.RuneStart(text[i]) {
				want := diag.Pos{Line: line, Col: utf8.RuneCountInString(text[start:i]) + 1}
				if got := d.position(i); got != want {
					t.Fatalf("byte %d of %.20q is at %v, want %v", i, text, got, want)
				}
				if got := d.offset(want); got != i {
					t.Fatalf("%v of %.20q is byte %d, want %d", want, text, got, i)
				}
			}
			if i < len(text) && text[i] == '\n' {
				line, start = line+1, i+1
			}
		}
		if got := d.position(len(text) + 7); got != d.position(len(text)) {
			t.Errorf("after the end: %v", got)
		}
		if d.offset(diag.Pos{Line: line + 1, Col: 1}) != len(text) || d.offset(diag.Pos{}) != len(text) {
			t.Error("a line that is not there has a place")
		}
	}
}

// A text is marked as a whole, with its quotes; one that the source spells
// otherwise by its first character.
func TestTextSpan(t *testing.T) {
	for _, c := range []struct {
		name, source, text string
		at, width          int
	}{
		{"plain", "a: bcd", "bcd", 3, 3}, {"quoted", "a: 'bcd'", "bcd", 3, 5}, {"doubly quoted", `a: "bcd"`, "bcd", 3, 5}, {"letters of two bytes", "a: äöü", "äöü", 3, 3},
		{"another text", "a: bcd", "bce", 3, 1}, {"escaped", `a: "b\u0063d"`, "bcd", 3, 1}, {"a backslash", `a: b\c`, `b\c`, 3, 1}, {"a quote", `a: b"c`, `b"c`, 3, 1}, {"lines", "a: b\nc", "b\nc", 3, 1},
		{"a tab", "a: b\tc", "b\tc", 3, 1}, {"a carriage return", "a: b\rc", "b\rc", 3, 1}, {"the end", "a: ", "b", 3, 1}, {"nothing", "a: ''", "", 3, 0},
	} {
		for _, isJSON := range []bool{false, true} {
			r := &reader{docs: []*document{{file: "f", text: c.source, isJSON: isJSON}}}
			at := linePos(0, 1, c.at+1)
			if isJSON {
				at = offsetPos(0, c.at)
			}
			want := diag.Span{File: "f", Start: diag.Pos{Line: 1, Col: c.at + 1}, End: diag.Pos{Line: 1, Col: c.at + 1 + c.width}}
			if got := r.textSpan(at, c.text); got != want {
				t.Errorf("%s (JSON %v): %v, want %v", c.name, isJSON, got, want)
			}
		}
	}
	if got := (&reader{}).spanOf(nil); !got.IsZero() {
		t.Errorf("nothing is at %v", got)
	}
}

// Escapes of JSON, at the edges of what they can say.
func TestUnescape(t *testing.T) {
	for text, want := range map[string]struct {
		r    rune
		size int
	}{
		`\"x`: {'"', 2}, `\\`: {'\\', 2}, `\/`: {'/', 2}, `\b`: {'\b', 2}, `\f`: {'\f', 2}, `\n`: {'\n', 2}, `\r`: {'\r', 2}, `\t`: {'\t', 2}, `\x41`: {0, 0}, `\`: {0, 0}, ``: {0, 0},
		`\u0041`: {'A', 6}, `\u00e9z`: {'é', 6}, `\u00E9`: {'é', 6}, `\uFFFF`: {0xffff, 6}, `\uabcd`: {0xabcd, 6}, `\u004`: {0, 0}, `\u00g1`: {0, 0}, `\u00G1`: {0, 0}, `\u00/1`: {0, 0}, `\u00:1`: {0, 0}, "\\u00`1": {0, 0}, `\u00@1`: {0, 0},
		`\ud83d\ude00`: {0x1f600, 12}, `\uD83D\uDE00x`: {0x1f600, 12}, `\ud83d`: {utf8.RuneError, 6}, `\ud83d\u0041`: {utf8.RuneError, 6}, `\ude00\ud83d`: {utf8.RuneError, 6}, `\ud83d\ude0`: {utf8.RuneError, 6},
		`\ud83dxude00`: {utf8.RuneError, 6}, `\ud83d\xde00`: {utf8.RuneError, 6}, `\ud83d\ude0g`: {utf8.RuneError, 6},
	} {
		if r, size := unescape(text); r != want.r || size != want.size {
			t.Errorf("%s: %U %d, want %U %d", text, r, size, want.r, want.size)
		}
	}
}

// Faults of JSON with the place of each.
func TestJSONFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "b\u0001c", "d": 1}`: "", "{\"a\": \"b\\n\x01c\"}": "control character in a string", "{\"a\": \"b\x01c\"}": "control character in a string", `{"a": "b\n`: "the string has no end", `{"a": "b`: "the string has no end",
		`{"a": "\x"}`: "unknown escape in a string", `{"a\x": 1}`: "unknown escape in a string", "{\"a\": \"b\x1fc\"}": "control character in a string", "{\"a\": \"b\x20c\"}": "", "{\"a\": \"b\\n\x20c\"}": "",
	} {
		_, err := jsonTree(0, text)
		got := ""
		if err != nil {
			got = err.message
		}
		if got != "" && !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"0": 1, "-0": 2, "12x": 2, "01": 1, "-": 0, "": 0, ".5": 0, "1.": 0, "1.5": 3, "1.5.5": 3, "1e": 0, "1e+": 0, "1e5": 3, "1E-05": 5, "1.e5": 0, "x": 0, "-x": 0} {
		if got := jsonNumber(text); got != want {
			t.Errorf("the number of %q has %d characters, want %d", text, got, want)
		}
	}
}
