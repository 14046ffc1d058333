package cli

import (
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// What a verb may do at worst, whatever its flags are.
type effect uint8

const (
	reads effect = 1 << iota
	writes
	deletes
	network
	// starts other programs: go, git.
	starts
	// binds callers: what is released stays.
	binds
	// calls tools, which may do anything.
	calls
	// stays until somebody stops it.
	stays

	nothing effect = 0
)

func (e effect) has(one effect) bool { return e&one != 0 }

// ownCommands is what "sculpt --agent" answers (ATIP 0.6). Its texts are those of
// the help, so there is one place for them. What does not end is for people.
func ownCommands() *toolcli.Document {
	d := &toolcli.Document{
		Name: "sculpt", Version: "(devel)", Description: "Turn OpenAPI operations into versioned tools for AI agents",
		Trust: &toolcli.Trust{Source: "native", Verified: true}, Commands: map[string]*toolcli.Command{}, People: map[string]*toolcli.Command{},
		GlobalOptions: []toolcli.Option{
			{Name: "help", Flags: []string{"-h", "--help"}, Type: "boolean", Description: "Show the help of a command"},
			{Name: "color", Flags: []string{"--color"}, Type: "enum", Enum: colorModes, Description: "Whether findings have colours (auto: on a terminal, without NO_COLOR)"},
		},
	}
	d.ATIP.Version, d.ATIP.Features = "0.6", []string{"partial-discovery", "interactive-effects", "trust-v1"}
	if info, ok := debug.ReadBuildInfo(); ok {
		d.Version, _ = moduleVersion(info)
	}
	for _, v := range verbs {
		if v.does.has(stays) {
			d.People[v.name] = v.describe()
			continue
		}
		d.Commands[v.name] = v.describe()
	}
	return d
}

func (v *verb) describe() *toolcli.Command {
	text := helpText(v.name)
	parts := strings.SplitN(text, "\n\n", 3)
	line, _, _ := strings.Cut(parts[0], "\n")
	usage := strings.Fields(strings.TrimPrefix(line, "Usage: sculpt "+v.name))
	about := strings.Join(strings.Fields(parts[1]), " ")
	if end := strings.Index(about, ". "); end >= 0 {
		about = about[:end+1]
	}
	c := &toolcli.Command{
		Description: about, Arguments: arguments(usage), Effects: v.does.document(), Examples: helpExamples(text),
	}
	flags := flagsInHelp(v.name)
	for _, f := range v.flags() {
		c.Options = append(c.Options, optionOf(f, flags["--"+f.Names()[0]], slices.Contains(usage, "--"+f.Names()[0])))
	}
	return c
}

func (e effect) document() toolcli.Effects {
	return toolcli.Effects{
		Filesystem: toolcli.Filesystem{Read: e.has(reads), Write: e.has(writes), Delete: e.has(deletes)},
		Network:    e.has(network), Subprocess: e.has(starts),
		Idempotent: !e.has(calls), Reversible: !e.has(calls | binds), Destructive: e.has(calls),
		Interactive: toolcli.Interactive{Stdin: "none"},
	}
}

// words describes the arguments of the usage lines.
var words = map[string]string{
	"SPEC":          "The OpenAPI document",
	"PACKAGE":       "The folder of a package or its manifest; the current folder, unless stated",
	"TOOL":          "The name of a tool",
	"NAME=VALUE":    "An input of the tool and its value",
	"WORD":          "A word to search for, or the operation to show: its operationId or METHOD /path",
	"RULE":          "The id of a rule",
	"PROVIDER/TOOL": "A tool, by the name of its provider",
	"SOURCE":        "The address of a server, or a file of pins",
	"PLACE":         "Where tools are: the address of a server, or a program",
	"URL":           "Where the server has its tools",
	"SHELL":         "The shell: bash or zsh",
	"FORMAT":        "The format of the document, or all DIR for every one",
}

// arguments reads what a usage line wants besides flags and their values.
func arguments(usage []string) []toolcli.Argument {
	var list []toolcli.Argument
	for i, word := range usage {
		if strings.HasPrefix(word, "--") || word == "[FLAGS]" || i > 0 && strings.HasPrefix(usage[i-1], "--") {
			continue
		}
		name, more := strings.CutSuffix(strings.Trim(word, "[]"), "...")
		list = append(list, toolcli.Argument{
			Name: strings.ToLower(strings.ReplaceAll(name, "=", "-")), Type: "string", Description: words[name],
			Required: !strings.HasPrefix(word, "["), Variadic: more,
		})
	}
	return list
}

// A helpFlag is a flag as the help describes it.
type helpFlag struct{ value, text string }

var flagLine = pattern.Of(`^  (?:-[a-z], )?(--[a-z-]+)(?: (\S+))? {1,}(\S.*)$`)

// helpFlags reads the flags of a help text, whose lines begin with two blanks
// and go on further to the right.
func helpFlags(text string) map[string]helpFlag {
	_, block, _ := strings.Cut(text, "\nFlags:\n")
	flags := map[string]helpFlag{}
	last := ""
	block, _, _ = strings.Cut(block, "\n\n")
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, "\n")
		if m := flagLine().FindStringSubmatch(line); m != nil {
			last = m[1]
			flags[last] = helpFlag{m[2], m[3]}
			continue
		}
		f := flags[last]
		f.text += " " + strings.TrimSpace(line)
		flags[last] = f
	}
	return flags
}

func optionOf(f cli.Flag, help helpFlag, required bool) toolcli.Option {
	name := f.Names()[0]
	first, size := utf8.DecodeRuneInString(help.text)
	o := toolcli.Option{
		Name: name, Flags: []string{"--" + name}, Type: "string", Required: &required,
		Description: strings.ToUpper(string(first)) + help.text[size:],
	}
	if strings.ContainsAny(help.value, "=:") {
		o.Description += ", as " + help.value
	}
	switch f.(type) {
	case *cli.BoolFlag:
		o.Type = "boolean"
	case *cli.IntFlag:
		o.Type = "integer"
	case *cli.StringSliceFlag:
		o.Variadic = true
	}
	if values := strings.Split(help.value, "|"); len(values) > 1 {
		o.Type, o.Enum = "enum", values
	}
	return o
}

// helpExamples are the lines of a help text that begin with the program.
func helpExamples(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if example, ok := strings.CutPrefix(line, "  sculpt "); ok {
			command, _, _ := strings.Cut(strings.TrimSpace(example), "   ") // a remark follows
			list = append(list, "sculpt "+command)
		}
	}
	return list
}
