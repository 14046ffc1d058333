package signature

import "strings"

// A CommandLine is what an agent is told of the program beside its commands
// (ATIP 0.6, 3.8 and 3.9).
type CommandLine struct {
	// Setup is the command that gets the credentials, Check the one that says
	// whether they are there; "" for none.
	Setup    string    `json:"setup,omitempty"`
	Check    string    `json:"check,omitempty"`
	Patterns []Pattern `json:"patterns,omitempty"`
}

// A Pattern is a sequence of command lines with variables in them.
type Pattern struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Tags        []string          `json:"tags,omitempty"`
	Variables   []PatternVariable `json:"variables,omitempty"`
	Steps       []PatternStep     `json:"steps"`
	// Executable says that an agent may run it without asking.
	Executable bool `json:"executable,omitempty"`
}

// A PatternVariable is what {name} means in the commands of a pattern.
type PatternVariable struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// A PatternStep is one command line.
type PatternStep struct {
	Command     string `json:"command"`
	Description string `json:"description,omitempty"`
}

// What every program and every command has. A tool or an input of that name gets
// one that no other can have, so that a new one never takes it.
var (
	programWords = map[string]bool{"help": true, "h": true, "serve": true, "mcp": true}
	commandFlags = map[string]bool{"help": true, "h": true, "agent": true, "json": true, "verbose": true, KeyFlag: true}
)

// KeyFlag names a call of a command that changes something, so that a repeated one
// is known to be the same.
const KeyFlag = "idempotency-key"

// CommandWord is a name as a word of a command line. It has no _: agents split the
// flat name of a command there.
func CommandWord(name string) string { return strings.ReplaceAll(name, "_", "-") }

// CommandOf is the command that calls a tool.
func CommandOf(tool string) string {
	word := CommandWord(tool)
	if programWords[word] {
		return "tool--" + word
	}
	return word
}

// CommonFlag reports whether every command has a flag.
func CommonFlag(flag string) bool { return commandFlags[flag] }

// Flags are those of an input, without the dashes.
type Flags struct {
	Name string
	// Negating says no to a boolean, "" where leaving the flag out does: agents
	// pass a boolean only when it is true.
	Negating string
}

// FlagsOf are the flags of the inputs of a tool, in their order.
func FlagsOf(inputs []Input) []Flags {
	list := make([]Flags, len(inputs))
	own := map[string]bool{}
	for i, in := range inputs {
		word := CommandWord(in.Name)
		if commandFlags[word] {
			word = "input." + word
		}
		own[word], list[i].Name = true, word
	}
	for i, in := range inputs {
		if in.Type != Boolean || in.Required || in.Default == false {
			continue
		}
		list[i].Negating = "no-" + CommandWord(in.Name)
		if own[list[i].Negating] {
			list[i].Negating = "no." + CommandWord(in.Name)
		}
	}
	return list
}
