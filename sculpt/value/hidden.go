package value

import (
	"unicode"
	"unicode/utf8"
)

// Hidden returns the place of the first character of s, from byte from on, that
// a person does not see and a model reads all the same, or that puts what is
// seen into another order; -1 if there is none. It is the one table of such characters: no text
// of a manifest or of a document holds one, and Clean takes them out of what
// backends say.
//
// Hidden are control characters other than newline and tab, format characters
// (directions, tags, blanks of no width), line and paragraph separators,
// variation selectors, and letters and signs that are drawn as nothing. What
// writing needs is not hidden where it does its work, which is between
// characters that are seen: U+FE0E and U+FE0F right after an emoji, a joiner
// between two emoji or between two letters of a script that joins them, and
// the numerals' signs of Arabic, which are drawn.
func Hidden(s string, from int) int {
	for i := visible(s, from); i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c == 0x7f || c < 0x20 && c != '\n' && c != '\t' {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unseen(r) && !atWork(s[:i], r, s[i+n:]) {
			return i
		}
		i += n
	}
	return -1
}

// unseen reports whether r is drawn as nothing by itself.
func unseen(r rune) bool {
	switch {
	case r < 0xad:
		return r < 0xa0 // the controls after ASCII
	case r == 0x2800, r == 0x1d159, r >= 0xe0000 && r <= 0xe0fff:
		return true // signs without ink, and the block of tags
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
		unicode.Noncharacter_Code_Point) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	nonJoiner, joiner       = 0x200c, 0x200d
	textStyle, pictureStyle = 0xfe0e, 0xfe0f
	keycap                  = 0x20e3
)

// atWork reports whether r does between before and after what it is for.
func atWork(before string, r rune, after string) bool {
	last, n := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch r {
	case textStyle, pictureStyle:
		return unicode.Is(emoji, last) || next == keycap && (last == '#' || last == '*' || last >= '0' && last <= '9')
	case joiner, nonJoiner:
		if last == pictureStyle {
			last, _ = utf8.DecodeLastRuneInString(before[:len(before)-n])
		}
		return r == joiner && unicode.Is(emoji, last) && unicode.Is(emoji, next) || unicode.In(last, joining...) && unicode.In(next, joining...)
	}
	return false
}

// joining are the scripts whose letters look different beside a joiner.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// emoji holds the blocks and signs that have a picture; the others of a block
// are seen too, so that one selector after them hides nothing.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xa9, 0xa9, 1}, {0xae, 0xae, 1}, {0x203c, 0x203c, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1}, {0x2139, 0x2139, 1}, {0x2194, 0x21aa, 1},
		{0x231a, 0x23ff, 1}, {0x24c2, 0x24c2, 1}, {0x25aa, 0x25fe, 1}, {0x2600, 0x27bf, 1}, {0x2934, 0x2935, 1}, {0x2b05, 0x2b55, 1}, {0x3030, 0x3030, 1},
		{0x303d, 0x303d, 1}, {0x3297, 0x3299, 1},
	},
	R32:         []unicode.Range32{{0x1f000, 0x1faff, 1}},
	LatinOffset: 2,
}
