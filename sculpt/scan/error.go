package scan

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Why classifies an [Error].
type Why uint8

const (
	// Syntax says that the text is not JSON, not UTF-8, or ends too early.
	Syntax Why = iota + 1
	// WrongKind says that a value has another JSON kind than the decoder wants, such as
	// a string or a number with a fraction instead of an integer.
	WrongKind
	// Duplicate says that a wanted member is there twice in one object.
	Duplicate
	// TooLarge says that the text is longer than [Limits.Bytes].
	TooLarge
	// TooDeep says that the text nests deeper than [Limits.Depth].
	TooDeep
	// Range says that a number does not fit the type that the decoder wants.
	Range
	// Read says that the reader failed; Unwrap gives its error.
	Read
)

var whyTexts = [...]string{
	Syntax: "syntax", WrongKind: "wrong kind", Duplicate: "duplicate", TooLarge: "too large",
	TooDeep: "too deep", Range: "out of range", Read: "read error",
}

// String returns the class in words.
func (w Why) String() string {
	if w == 0 || int(w) >= len(whyTexts) {
		return "unknown"
	}
	return whyTexts[w]
}

// An Error is the first thing that a [Scanner] found wrong. It never quotes
// values of the text; member names appear in Path only.
type Error struct {
	// Path leads from the root to the value: "properties.periods[3].name".
	// It is empty for the root, and stops at the object where the fault is
	// inside a member that was skipped.
	Path string
	// Offset counts bytes from the start of the text.
	Offset int64
	// Why is the class of the fault.
	Why Why
	// Want and Got complete the sentence "want Want, got Got".
	Want, Got string
	// Err is the cause: the reader's error, io.ErrUnexpectedEOF for a text
	// that ends too early, else nil.
	Err error
}

// Error returns one sentence without the values of the text.
func (e *Error) Error() string {
	text := e.Reason() + " (byte " + strconv.FormatInt(e.Offset, 10) + ")"
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	return text
}

// Reason returns the sentence of Error without path and offset.
func (e *Error) Reason() string {
	switch {
	case e.Why == Read && e.Err != nil:
		return "cannot read: " + e.Err.Error()
	case e.Want != "" && e.Got != "":
		return "want " + e.Want + ", got " + e.Got
	}
	return e.Got + e.Want
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// longName bounds how much of an upstream's member name gets into a path.
const longName = 64

// path renders the frame stack. It runs once, for the first error.
func (s *Scanner) path() string {
	var b strings.Builder
	for i := range s.frames[:s.depth] {
		f := &s.frames[i]
		switch {
		case f.array && f.index >= 0:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(f.index))
			b.WriteByte(']')
		case f.array || !f.named:
		case isName(f.key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(f.key)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.Quote(shorten(f.key)))
			b.WriteByte(']')
		}
	}
	return b.String()
}

func isName(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c == '@'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-') {
			return false
		}
	}
	return key != "" && len(key) <= longName
}

func shorten(key string) string {
	if len(key) <= longName {
		return key
	}
	n := longName
	for n > 0 && !utf8.RuneStart(key[n]) {
		n--
	}
	return key[:n] + "..."
}
