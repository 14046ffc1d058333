package upstream

import (
	"strings"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

// unreserved are the characters that a value keeps (RFC 3986 2.3).
var unreserved, inLiteral, inToken [256]bool

// inReserved are the characters that a query value keeps where reserved ones
// are allowed: without "&", "=", "+", ";" and "#", by which a value would
// become another parameter, and without brackets, which RFC 3986 has nowhere
// in a query.
var inReserved [256]bool

// inReservedItem is the same for items that commas separate.
var inReservedItem [256]bool

func init() {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") {
		unreserved[c], inLiteral[c], inToken[c] = true, true, true
	}
	for _, c := range []byte("-._~") {
		unreserved[c], inLiteral[c] = true, true
	}
	for _, c := range []byte("!$&'()*+,;=:@/") {
		inLiteral[c] = true
	}
	for _, c := range []byte("!#$%&'*+-.^_`|~") {
		inToken[c] = true
	}
	inReserved = unreserved
	for _, c := range []byte(":/?@!$'()*,") {
		inReserved[c] = true
	}
	inReservedItem = inReserved
	inReservedItem[','] = false
}

func isToken(name string) bool {
	for i := range len(name) {
		if !inToken[name[i]] {
			return false
		}
	}
	return name != ""
}

// appendEscaped appends s with everything escaped but unreserved characters.
func appendEscaped(b []byte, s string) []byte { return appendKept(b, s, &unreserved) }

// appendKept appends s with everything escaped but the characters of kept.
func appendKept(b []byte, s string, kept *[256]bool) []byte {
	for i := range len(s) {
		if c := s[i]; kept[c] {
			b = append(b, c)
		} else {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return b
}

func appendQuery(b []byte, name, value string) []byte {
	if len(b) > 0 {
		b = append(b, '&')
	}
	b = appendEscaped(b, name)
	b = append(b, '=')
	return appendEscaped(b, value)
}

func appendCookie(b []byte, name, value string) []byte {
	if len(b) > 0 {
		b = append(b, "; "...)
	}
	b = append(b, name...)
	b = append(b, '=')
	return append(b, value...)
}

// cookieSafe reports whether s can stand in a Cookie header (RFC 6265 4.1.1).
func cookieSafe(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == ',' || c == ';' || c == '\\' {
			return false
		}
	}
	return true
}

// appendLiteral appends template text to an escaped and to a plain path.
// Escapes that the template holds stay as they are.
func appendLiteral(escaped, plain []byte, text string) ([]byte, []byte) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '%' && i+2 < len(text) && unhex(text[i+1]) >= 0 && unhex(text[i+2]) >= 0:
			escaped = append(escaped, text[i:i+3]...)
			plain = append(plain, byte(unhex(text[i+1])<<4|unhex(text[i+2])))
			i += 2
			continue
		case inLiteral[c]:
			escaped = append(escaped, c)
		default:
			escaped = append(escaped, '%', upperHex[c>>4], upperHex[c&15])
		}
		plain = append(plain, c)
	}
	return escaped, plain
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// segmentFault says why a whole decoded path segment with a value in it cannot
// be sent. Escaping does not help against dot segments: they keep their
// meaning when escaped, and servers resolve them to another route. Some
// servers decode "%2F" or take a backslash for a slash first, so that the
// parts between those count too; and an escaped slash alone is taken for the
// end of the path by some, such as http.ServeMux.
func segmentFault(segment string) string {
	switch {
	case strings.Trim(segment, "/") == "":
		return "is empty"
	case !utf8.ValidString(segment):
		return "is not valid UTF-8"
	}
	start := 0
	for i := 0; i <= len(segment); i++ {
		if i < len(segment) && (segment[i] < 0x20 || segment[i] == 0x7f) {
			return "holds a control character"
		}
		if i == len(segment) || segment[i] == '/' || segment[i] == '\\' {
			if part := segment[start:i]; part == "." || part == ".." {
				return "is a dot segment"
			}
			start = i + 1
		}
	}
	return ""
}

// pathFault checks all segments of a decoded path without its first slash.
func pathFault(path string, emptyIsFine bool) string {
	if path == "" && emptyIsFine {
		return ""
	}
	for segment := range strings.SplitSeq(path, "/") {
		if why := segmentFault(segment); why != "" {
			return why
		}
	}
	return ""
}

// forbiddenHeaders are set by the transport or by other methods, or belong to
// one connection only (RFC 9110 7.6.1).
var forbiddenHeaders = map[string]bool{
	"Host": true, "Content-Length": true, "Transfer-Encoding": true, "Te": true, "Trailer": true,
	"Connection": true, "Proxy-Connection": true, "Keep-Alive": true, "Upgrade": true, "Expect": true,
	"Proxy-Authenticate": true, "Proxy-Authorization": true, "Accept-Encoding": true, "Cookie": true,
}

// headerFault says why a header cannot be sent.
func headerFault(name, value string) string {
	if !isToken(name) {
		return "has a name that is not a header name"
	}
	if forbiddenHeaders[canonical(name)] {
		return "is not for an api to set"
	}
	if !headerSafe(value) {
		return "has a value with characters that a header cannot hold"
	}
	return ""
}

// headerSafe accepts visible ASCII with inner spaces and tabs. Line breaks
// would begin another header; other bytes have no agreed meaning.
func headerSafe(value string) bool {
	for i := range len(value) {
		c := value[i]
		inner := (c == ' ' || c == '\t') && i > 0 && i < len(value)-1
		if !inner && (c <= ' ' || c >= 0x7f) {
			return false
		}
	}
	return true
}
