package signature

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
