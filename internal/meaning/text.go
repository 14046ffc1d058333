package meaning

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// sum is a digest of texts, each with its length, so that no two lists of texts
// have one.
func sum(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		size := len(t)
		h.Write([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)})
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// most is how many characters of a text a message shows.
const most = 60

// apart is the number of characters before the first difference of two texts.
func apart(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// clip shortens a text to what is around one of its characters.
func clip(text string, around int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) <= most {
		return string(r)
	}
	from := max(0, min(around-most/3, len(r)-most))
	out := string(r[from : from+most])
	if from > 0 {
		out = "..." + out
	}
	if from+most < len(r) {
		out += "..."
	}
	return out
}

// orNothing is a text in a sentence.
func orNothing(text string) string { return cmp.Or(text, "nothing") }
