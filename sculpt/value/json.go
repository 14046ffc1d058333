package value

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendText appends s as a JSON string. Control characters, U+2028 and U+2029
// are escaped, characters of HTML are not; bytes that are not UTF-8 become
// U+FFFD.
func AppendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := unescaped(s, 0); i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		n := 1
		var r rune
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
			if (r != utf8.RuneError || n > 1) && r != '\u2028' && r != '\u2029' && r > 0x9f {
				i += n
				continue
			}
		} else {
			r = rune(c)
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, r)
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case utf8.RuneError:
		return append(b, "\uFFFD"...)
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// AppendInt appends v in decimal.
func AppendInt(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// AppendFloat appends the shortest JSON number that reads back as f. JSON has
// no NaN and no infinities: they are errors.
func AppendFloat(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return b, errors.New("the number is not finite")
	}
	return appendDouble(b, f), nil
}

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }
