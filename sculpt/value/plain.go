package value

// Most texts are plain: the functions of this file pass over eight characters at
// a time, and leave the others to those who judge them.

const ones = 0x0101010101010101

// word has eight bytes of s from i on.
func word(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// odd returns a word with a high bit set where a byte of w is a control character or outside
// ASCII. Only the lowest is exact.
func odd(w uint64) uint64 { return (w | (w + ones) | (w - ' '*ones)) & (0x80 * ones) }

// has returns a word with a high bit set where a byte of w is c. Only the lowest is exact.
func has(w uint64, c byte) uint64 {
	x := w ^ uint64(c)*ones
	return (x - ones) &^ x & (0x80 * ones)
}

// visible returns the place of the first eight bytes of s, from i on, with one
// that is a control character or outside ASCII, or of the end that has fewer.
func visible(s string, i int) int {
	for i+8 <= len(s) && odd(word(s, i)) == 0 {
		i += 8
	}
	return i
}

// unescaped is visible for what a JSON text writes as it is.
func unescaped(s string, i int) int {
	for i+8 <= len(s) {
		if w := word(s, i); (odd(w) | has(w, '"') | has(w, '\\')) != 0 {
			break
		}
		i += 8
	}
	return i
}
