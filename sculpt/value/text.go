package value

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Positions in texts count code points, as CEL's string extension does.

func errPosition(i int64) error { return fmt.Errorf("position %d is outside the text", i) }

// offset returns the byte offset of code point i of s, where i may be the
// size; false if i is outside.
func offset(s string, i int64) (int, bool) {
	if i < 0 || i > int64(len(s)) {
		return 0, false
	}
	at := 0
	for ; i > 0; i-- {
		if at >= len(s) {
			return 0, false
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return at, true
}

// Size returns the number of code points of s.
func Size(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// CharAt returns code point i of s as a text, "" for i = Size(s).
func CharAt(s string, i int64) (string, error) {
	at, ok := offset(s, i)
	if !ok {
		return "", errPosition(i)
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	return s[at : at+n], nil
}

// IndexOf returns the position of the first sub in s, -1 if there is none.
func IndexOf(s, sub string) int64 {
	before, _, ok := strings.Cut(s, sub)
	if !ok {
		return -1
	}
	return Size(before)
}

// IndexOfFrom returns the position of the first sub at or after position from,
// -1 if there is none; an error if from is outside the text.
func IndexOfFrom(s, sub string, from int64) (int64, error) {
	at, ok := offset(s, from)
	if !ok {
		return 0, errPosition(from)
	}
	i := IndexOf(s[at:], sub)
	if i >= 0 {
		i += from
	}
	return i, nil
}

// LastIndexOf returns the position of the last sub in s, -1 if there is none.
func LastIndexOf(s, sub string) int64 {
	i := strings.LastIndex(s, sub)
	if i < 0 {
		return -1
	}
	return Size(s[:i])
}

// LastIndexOfFrom returns the position of the last sub that begins at or
// before position from, -1 if there is none; an error if from is outside the
// text.
func LastIndexOfFrom(s, sub string, from int64) (int64, error) {
	at, ok := offset(s, from)
	if !ok {
		return 0, errPosition(from)
	}
	return LastIndexOf(s[:min(len(s), at+len(sub))], sub), nil
}

// LowerASCII makes A to Z lower case and leaves everything else.
func LowerASCII(s string) string { return mapASCII(s, 'A', 'Z') }

// UpperASCII makes a to z upper case and leaves everything else.
func UpperASCII(s string) string { return mapASCII(s, 'a', 'z') }

// mapASCII changes the case of the letters from first to last. Most texts have
// none of them, and stay what they are.
func mapASCII(s string, first, last byte) string {
	at := strings.IndexFunc(s, func(r rune) bool { return r >= rune(first) && r <= rune(last) })
	if at < 0 {
		return s
	}
	b := []byte(s)
	for i := at; i < len(b); i++ {
		if b[i] >= first && b[i] <= last {
			b[i] ^= 0x20
		}
	}
	return string(b)
}

// Replace replaces the first n times that old stands in s, all for n < 0. An
// empty old is before every code point and at the end.
func Replace(s, old, with string, n int64) string { return strings.Replace(s, old, with, small(n)) }

// Split splits s at sep into at most n texts, any number for n < 0 and none
// for n = 0. An empty sep splits between code points.
func Split(s, sep string, n int64) []string {
	if out := strings.SplitN(s, sep, small(n)); out != nil {
		return out
	}
	return []string{}
}

// small keeps a count inside int, also of 32 bits.
func small(n int64) int { return int(max(-1, min(n, 1<<30))) }

// SubstringFrom returns s from position start on.
func SubstringFrom(s string, start int64) (string, error) {
	at, ok := offset(s, start)
	if !ok {
		return "", errPosition(start)
	}
	return s[at:], nil
}

// Substring returns s from position start up to, not including, position end.
func Substring(s string, start, end int64) (string, error) {
	from, ok := offset(s, start)
	if !ok {
		return "", errPosition(start)
	}
	if end < start {
		return "", fmt.Errorf("position %d is before position %d", end, start)
	}
	n, ok := offset(s[from:], end-start)
	if !ok {
		return "", errPosition(end)
	}
	return s[from : from+n], nil
}

// Trim removes Unicode white space at both ends.
func Trim(s string) string { return strings.TrimSpace(s) }

// Join joins the texts with sep between them.
func Join(texts []string, sep string) string { return strings.Join(texts, sep) }

// ExtractAll returns what each match of p in s has in the group of p, or the
// whole matches where p has no group. Matches without the group are left out.
func ExtractAll(p *regexp.Regexp, s string) []string {
	out := []string{}
	for _, at := range p.FindAllStringSubmatchIndex(s, -1) {
		if from, to := at[len(at)-2], at[len(at)-1]; from >= 0 {
			out = append(out, s[from:to])
		}
	}
	return out
}

// Reverse returns the code points of s in reverse order.
func Reverse(s string) string {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		b = append(b, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return string(b)
}

// URLEncode escapes everything but letters, digits and -._~, so that the text
// can stand anywhere in an address.
func URLEncode(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// Base64Encode returns b in base64 with padding.
func Base64Encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// Base64Decode reads base64 with or without padding.
func Base64Decode(s string) ([]byte, error) {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || strings.ContainsAny(s, "\r\n") || strings.HasSuffix(s, "===") {
		return nil, errors.New("the text is not base64")
	}
	return b, nil
}

// TextOfBytes returns b as a text, an error if it is not UTF-8.
func TextOfBytes(b []byte) (string, error) {
	if !utf8.Valid(b) {
		return "", errors.New("the bytes are not UTF-8")
	}
	return string(b), nil
}
