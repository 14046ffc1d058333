package cli

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"strings"
)

//go:embed help/*.txt
var helpTexts embed.FS

// topic names the help that is asked for: that of a verb or, where the first of its
// arguments has flags of its own, that of both, as in help/export-mcpb.txt.
func topic(verb string, args []string) string {
	if len(args) > 0 {
		name := verb + "-" + args[0]
		if _, err := fs.Stat(helpTexts, "help/"+name+".txt"); err == nil {
			return name
		}
	}
	return verb
}

// flagsInHelp are the flags of a verb, as its help and that of its topics have them.
func flagsInHelp(verb string) map[string]helpFlag {
	flags := helpFlags(helpText(verb))
	topics, _ := fs.Glob(helpTexts, "help/"+verb+"-*.txt") // the pattern is right
	for _, name := range topics {
		maps.Copy(flags, helpFlags(helpText(strings.TrimSuffix(path.Base(name), ".txt"))))
	}
	return flags
}

// helpText returns the help of a verb, of a topic, or of "sculpt" itself. The texts
// are written by hand: what a reader needs first differs from verb to verb.
func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // a test sees to it that every verb has its text
	}
	return strings.TrimSuffix(string(text), "\n") + "\n"
}
