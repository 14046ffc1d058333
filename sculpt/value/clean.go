package value

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultTextBytes bounds a text that leaves a tool where the manifest says
// nothing.
const DefaultTextBytes = 8 << 10

// Clean makes text of a backend fit to be shown to a model: at most max bytes
// (0: DefaultTextBytes), without control characters other than newline and
// tab, and without the format characters that hide or reorder text.
func Clean(s string, max int) string {
	if max <= 0 {
		max = DefaultTextBytes
	}
	if len(s) > max {
		s = cut(s, max)
	}
	if isPlain(s) || strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

// isPlain reports whether s is printable ASCII with newlines and tabs, as most
// text is: the test of each character against the tables is for the rest.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 0x20 || c > 0x7e) && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

func cut(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r))
}

// CleanRunes is Clean with a bound in code points, as max_length counts.
func CleanRunes(s string, max int) string {
	n := 0
	for i := range s {
		if n == max {
			return Clean(s[:i], len(s)+1)
		}
		n++
	}
	return Clean(s, len(s)+1)
}
