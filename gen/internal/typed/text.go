package typed

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

const (
	// mostTold bounds a description in a comment.
	mostTold = 2000
	// lineLength is that of comments.
	lineLength = 100
)

// told makes one paragraph of a text for a comment, with a stranger's in it but not
// at its beginning, so no line is a tag or a directive, and nothing ends the comment.
func told(text string) []string {
	text = value.CleanRunes(strings.ToValidUTF8(text, "?"), mostTold)
	text = strings.NewReplacer("*/", "* /", "@internal", "@ internal").Replace(text)
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(word) >= lineLength && plain(word[0]) {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// plain reports whether a line may begin with a character.
func plain(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// about is what a comment says of something with a name on the wire.
func about(wire, text string) []string {
	if text == "" {
		return told(strconv.QuoteToASCII(wire))
	}
	return told(strconv.QuoteToASCII(wire) + ": " + text)
}
