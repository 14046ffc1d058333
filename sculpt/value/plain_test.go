package value

import (
	"strings"
	"testing"
)

// Every byte at every place of texts of every length is judged as one by one, from every place on.
func TestPlainWords(t *testing.T) {
	right := func(got, from, at, length int, plain bool) bool {
		switch {
		case plain:
			return got == length
		case at >= from:
			return from <= got && got <= at
		}
		return from <= got && got <= length // what is before may be looked at again
	}
	for c := range 256 {
		seen := c >= 0x20 && c < 0x7f
		bare := seen && c != '"' && c != '\\'
		for length := range 20 {
			for at := range length {
				b := []byte(strings.Repeat("x", length))
				b[at] = byte(c)
				s := string(b)
				for from := range length + 1 {
					if got := visible(s, from); !right(got, from, at, length, seen) {
						t.Fatalf("visible(%q, %d) = %d", s, from, got)
					}
					if got := unescaped(s, from); !right(got, from, at, length, bare) {
						t.Fatalf("unescaped(%q, %d) = %d", s, from, got)
					}
				}
			}
		}
	}
	if visible("", 0) != 0 || unescaped("", 0) != 0 {
		t.Error("an empty text has no end")
	}
}
