package value

import (
	"strings"
	"unicode/utf8"
)

// DefaultTextBytes bounds a text that leaves a tool where the manifest says
// nothing.
const DefaultTextBytes = 8 << 10

// Clean makes text of a backend fit to be shown to a model: at most limit bytes
// (0: DefaultTextBytes), without what is [Hidden].
func Clean(s string, limit int) string {
	if limit <= 0 {
		limit = DefaultTextBytes
	}
	if len(s) > limit {
		s = cut(s, limit)
	}
	i := Hidden(s, 0)
	if i < 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for i >= 0 {
		b.WriteString(s[from:i])
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
		i = Hidden(s, from)
	}
	b.WriteString(s[from:])
	return b.String()
}

func cut(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// CleanRunes is Clean with a bound in code points, as max_length counts.
func CleanRunes(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			return Clean(s[:i], len(s)+1)
		}
		n++
	}
	return Clean(s, len(s)+1)
}
