package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The functions of this file run over what is at hand as long as it is valid
// and of the common form. They judge nothing: where they stop, or return -1,
// the careful methods of the scanner look at the same bytes again, refill the
// window and make the errors.

// space returns the index of the first byte at or after i that is not white
// space, or len(b). Its form keeps it small enough to be inlined.
func space(b []byte, i int) int {
	if i < len(b) && b[i] > ' ' {
		return i
	}
	return spaces(b, i)
}

func spaces(b []byte, i int) int {
	for i < len(b) {
		c := b[i]
		if c > ' ' || uint64(1)<<c&(1<<' '|1<<'\n'|1<<'\r'|1<<'\t') == 0 {
			return i
		}
		// One space is after most colons. Line breaks are followed by long
		// runs: pretty-printed texts are half white space.
		i++
		if c == ' ' && i < len(b) && b[i] > ' ' {
			return i
		}
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:]) ^ ' '*ones
			if x != 0 {
				i += bits.TrailingZeros64(x) >> 3
				break
			}
			i += 8
		}
	}
	return i
}

// ones has a 1 in every byte of a word.
const ones = 0x0101010101010101

// special has the high bit of a byte set where the byte is not a plain ASCII
// character of a string; only the lowest such bit is exact. Turning a bit puts
// the quote next to the control characters. A byte outside ASCII keeps its high
// bit in one of the two differences at least.
func special(w uint64) uint64 {
	slash := (w ^ '\\'*ones) - ones
	low := (w ^ 2*ones) - 0x21*ones
	return (slash | low) & (0x80 * ones)
}

// plain returns the index of the first byte at or after i that is not a plain
// ASCII character of a string, or len(b).
func plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x80 && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// stringEnd returns the index after the string whose first byte after the quote
// is at i, or -1.
func stringEnd(b []byte, i int) int {
	for {
		if i = plain(b, i); i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n <= 1 {
				return -1
			}
			i += n
		case c == '\\' && i+1 < len(b) && escapes[b[i+1]] != 0:
			i += 2
		default:
			return -1
		}
	}
}

// numberEnd returns the index after the number at i, or -1, also where it might
// go on after the window.
func numberEnd(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	from := i
	if i = digits(b, i); i == from || b[from] == '0' && i > from+1 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		from = i + 1
		if i = digits(b, from); i == from {
			return -1
		}
	}
	if i >= len(b) || b[i]|0x20 == 'e' {
		return -1
	}
	return i
}

// scalarEnd returns the index after the value at i, or -1, also for lists and
// objects.
func scalarEnd(b []byte, i int) int {
	word := ""
	switch b[i] {
	case '"':
		return stringEnd(b, i+1)
	case 't':
		word = "true"
	case 'f':
		word = "false"
	case 'n':
		word = "null"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return numberEnd(b, i)
	default:
		return -1
	}
	if i+len(word) > len(b) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

// member reads from the comma after a value to the start of the next value of
// an object: comma, name, colon, white space. Without its success value is -1.
func member(b []byte, i int, first bool) (name []byte, value int) {
	if !first {
		if i >= len(b) || b[i] != ',' {
			return nil, -1
		}
		i = space(b, i+1)
	}
	if i >= len(b) || b[i] != '"' {
		return nil, -1
	}
	from := i + 1
	if i = plain(b, from); i >= len(b) || b[i] != '"' {
		return nil, -1
	}
	name = b[from:i]
	if i = space(b, i+1); i >= len(b) || b[i] != ':' {
		return nil, -1
	}
	if i = space(b, i+1); i >= len(b) || b[i] <= ' ' {
		return nil, -1
	}
	return name, i
}
