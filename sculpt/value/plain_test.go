package value

import (
	"strings"
	"testing"
)

// Every byte at every place of texts of every length is judged as one by one.
func TestPlainWords(t *testing.T) {
	for c := range 256 {
		bare := c >= 0x20 && c < 0x7f
		for length := range 20 {
			for at := range length {
				b := []byte(strings.Repeat("x", length))
				b[at] = byte(c)
				s := string(b)
				for from := range length + 1 {
					if got := visible(s, from); bare && got != length || !bare && (got < from || got > max(at, from)) && got != length {
						t.Fatalf("visible(%q, %d) = %d", s, from, got)
					}
				}
				if got := visible(s, 0); !bare && got > at {
					t.Fatalf("visible(%q) = %d, after what it is for", s, got)
				}
				if got, as := unescaped(s, 0), bare && c != '"' && c != '\\'; as != (got == length) || !as && got > at {
					t.Fatalf("unescaped(%q) = %d", s, got)
				}
			}
		}
	}
	if visible("", 0) != 0 || unescaped("", 0) != 0 {
		t.Error("an empty text has no end")
	}
}
