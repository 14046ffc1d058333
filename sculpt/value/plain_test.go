package value

import (
	"strings"
	"testing"
)

// Every byte at every place of a word is judged as one by one.
func TestPlainWords(t *testing.T) {
	for c := range 256 {
		for at := range 17 {
			b := []byte(strings.Repeat("x", 17))
			b[at] = byte(c)
			s := string(b)
			bare := c >= 0x20 && c < 0x7f
			whole := 16
			if !bare && at < 16 {
				whole = at &^ 7
			}
			if got := visible(s, 0); got != whole {
				t.Errorf("visible(%q) = %d, want %d", s, got, whole)
			}
			if (c == '"' || c == '\\') && at < 16 {
				whole = at &^ 7
			}
			if got := unescaped(s, 0); got != whole {
				t.Errorf("unescaped(%q) = %d, want %d", s, got, whole)
			}
		}
	}
}
