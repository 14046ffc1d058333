package cli

import (
	"embed"
	"strings"
)

//go:embed help/*.txt
var helpTexts embed.FS

// helpText returns the help of a verb, or of "sculpt" itself. The texts are
// written by hand: what a reader needs first differs from verb to verb.
func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // a test sees to it that every verb has its text
	}
	return strings.TrimSuffix(string(text), "\n") + "\n"
}
