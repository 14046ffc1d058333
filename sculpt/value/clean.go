package value

import (
	"strings"
	"unicode/utf8"
)

// defaultTextBytes bounds a text that leaves a tool where the manifest says
// nothing.
const defaultTextBytes = 8 << 10

// sentenceBytes bounds what a model is told of an error.
const sentenceBytes = 2000

// Clean makes text of a backend fit to be shown to a model: at most
// defaultTextBytes, without what is [Hidden].
func Clean(s string) string { return clean(s, defaultTextBytes) }

// Sentence is Clean for what a model is told of an error: at most 2,000 bytes.
func Sentence(s string) string { return clean(s, sentenceBytes) }

func clean(s string, limit int) string {
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
			return clean(s[:i], len(s))
		}
		n++
	}
	return clean(s, len(s))
}
