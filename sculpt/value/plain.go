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

// last has the last eight bytes of s, or all of a shorter one and blanks.
func last(s string) uint64 {
	switch n := len(s); {
	case n >= 8:
		return word(s, n-8)
	case n >= 4:
		return half(s, 0) | half(s, n-4)<<32
	case n > 0:
		return uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16 | ' '*ones&^0xffffff
	}
	return ' ' * ones
}

// half has four bytes of s from i on.
func half(s string, i int) uint64 {
	s = s[i : i+4]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// visible returns the end of s if all bytes from i on are of ASCII and no control
// characters. Otherwise it returns a place that no other byte is before.
func visible(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if odd(word(s, i)) != 0 {
			return i
		}
	}
	if odd(last(s)) == 0 {
		return len(s)
	}
	return i
}

// escaped returns a word with a bit set where a byte of w is not written as it is in a JSON text.
func escaped(w uint64) uint64 { return odd(w) | has(w, '"') | has(w, '\\') }

// unescaped is visible for what a JSON text writes as it is.
func unescaped(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if escaped(word(s, i)) != 0 {
			return i
		}
	}
	if escaped(last(s)) == 0 {
		return len(s)
	}
	return i
}
