package diag

import (
	"testing"
	"unicode"
)

// Carets stand below the characters that they mean: letters and forms of Chinese, Japanese
// and Korean take two columns, except half-width ones, those of other scripts
// one, and marks none.
func TestWidthOfScripts(t *testing.T) {
	wrong := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := -1
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
			want = 0
		case r >= 0xff61 && r <= 0xffdc:
			want = 1
		case unicode.In(r, unicode.Han, unicode.Hiragana), r >= 0xac00 && r <= 0xd7a3, r >= 0x30a1 && r <= 0x30fa, r >= 0xfe30 && r <= 0xfe52, r >= 0x1f600 && r <= 0x1f64f, r >= 0xff01 && r <= 0xff60:
			want = 2
		case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Devanagari):
			want = 1
		}
		if r >= 0x16f00 && r < 0x17000 || r >= 0x1aff0 && r < 0x1b200 || r == 0x1f200 {
			continue // hardly any font has them
		}
		if got := runeWidth(r); want >= 0 && got != want {
			if wrong++; wrong < 20 {
				t.Errorf("%U %c takes %d columns, want %d", r, r, got, want)
			}
		}
	}
}
