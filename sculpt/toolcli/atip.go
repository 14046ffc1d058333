package toolcli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Document describes a command line for agents (ATIP 0.6, 3.2). Its members
// are those of the format.
type Document struct {
	ATIP struct {
		Version  string   `json:"version"`
		Features []string `json:"features,omitempty"`
	} `json:"atip"`
	// Name is that of the executable.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Description has at most 200 characters.
	Description    string              `json:"description"`
	Homepage       string              `json:"homepage,omitempty"`
	Trust          *Trust              `json:"trust,omitempty"`
	Commands       map[string]*Command `json:"commands"`
	GlobalOptions  []Option            `json:"globalOptions,omitempty"`
	Authentication *authentication     `json:"authentication,omitempty"`
	// Patterns are common ways to use the commands together (3.9).
	Patterns []pattern `json:"patterns,omitempty"`
	// Caller lists the variables that say who calls, Variables those that are
	// neither of the caller nor a credential.
	Caller    []callerValue `json:"x-caller,omitempty"`
	Variables []envVariable `json:"x-variables,omitempty"`

	// People are the commands for people and for what starts servers: they do not
	// end by themselves, and a model that is offered one would wait for it. They
	// are described to who names them by --commands, with a duration that says so,
	// and count where a part says of how many commands it is one.
	People map[string]*Command `json:"-"`

	// The others are set where only a part was asked for (3.1.1).
	Partial          *bool    `json:"partial,omitempty"`
	Filter           *filter  `json:"filter,omitempty"`
	TotalCommands    *int     `json:"totalCommands,omitempty"`
	IncludedCommands *int     `json:"includedCommands,omitempty"`
	Omitted          *omitted `json:"omitted,omitempty"`
}

// Trust says where a document comes from (3.2.2).
type Trust struct {
	Source   string `json:"source"`
	Verified bool   `json:"verified"`
}

// A Command is a word after the name of the program (3.3).
type Command struct {
	Description string     `json:"description"`
	Arguments   []Argument `json:"arguments,omitempty"`
	Options     []Option   `json:"options,omitempty"`
	Effects     Effects    `json:"effects"`
	Examples    []string   `json:"examples,omitempty"`
	// Tool is the tool that is called, where the command is not named after it.
	Tool string `json:"x-tool,omitempty"`
	// Deprecated commands are described to those who ask for them by name.
	Deprecated bool `json:"x-deprecated,omitempty"`
}

// An Argument is a word without a flag (3.4).
type Argument struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Variadic    bool   `json:"variadic,omitempty"`
}

// An Option is a flag (3.5).
type Option struct {
	Name string `json:"name"`
	// Flags begin with - each.
	Flags       []string `json:"flags"`
	Type        string   `json:"type"`
	Enum        []string `json:"enum,omitempty"`
	Description string   `json:"description"`
	Required    *bool    `json:"required,omitempty"`
	Default     any      `json:"default,omitempty"`
	Variadic    bool     `json:"variadic,omitempty"`
	EnvVar      string   `json:"envVar,omitempty"`
	// Negates is the option that this one says no to.
	Negates string `json:"x-negates,omitempty"`
	// NamesCall says that the option is the idempotency key of the call, and no input.
	NamesCall bool `json:"x-names-call,omitempty"`
}

// Effects say what a command does (3.6).
type Effects struct {
	Filesystem  Filesystem  `json:"filesystem"`
	Network     bool        `json:"network"`
	Subprocess  bool        `json:"subprocess"`
	Idempotent  bool        `json:"idempotent"`
	Reversible  bool        `json:"reversible"`
	Destructive bool        `json:"destructive"`
	Creates     []string    `json:"creates,omitempty"`
	Modifies    []string    `json:"modifies,omitempty"`
	Deletes     []string    `json:"deletes,omitempty"`
	Interactive Interactive `json:"interactive"`
	Cost        *Cost       `json:"cost,omitempty"`
	Duration    *Duration   `json:"duration,omitempty"`
}

// Filesystem says what happens to files of this machine.
type Filesystem struct {
	Read   bool `json:"read"`
	Write  bool `json:"write"`
	Delete bool `json:"delete"`
}

// Interactive says what a command wants while it runs. Stdin is none,
// optional, required or password.
type Interactive struct {
	Stdin   string `json:"stdin"`
	Prompts bool   `json:"prompts"`
	TTY     bool   `json:"tty"`
}

// Cost of a call. Estimate is free, low, medium or high.
type Cost struct {
	Estimate string `json:"estimate,omitempty"`
	Billable bool   `json:"billable"`
}

// Duration of a call: Typical such as 1-5s, Timeout such as 30s.
type Duration struct {
	Typical string `json:"typical,omitempty"`
	Timeout string `json:"timeout,omitempty"`
}

// authentication lists the secrets that a program wants (3.8).
type authentication struct {
	Required     bool                   `json:"required"`
	Methods      []authenticationMethod `json:"methods"`
	CheckCommand string                 `json:"checkCommand,omitempty"`
}

// An authenticationMethod is one secret. Type is token, oauth, api-key,
// password or certificate.
type authenticationMethod struct {
	Type        string `json:"type"`
	EnvVar      string `json:"envVar,omitempty"`
	Description string `json:"description,omitempty"`
	// SetupCommand is what a person runs to get the secret.
	SetupCommand string `json:"setupCommand,omitempty"`
}

// A pattern is a sequence of commands.
type pattern struct {
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	Steps       []patternStep              `json:"steps"`
	Variables   map[string]patternVariable `json:"variables,omitempty"`
	Tags        []string                   `json:"tags,omitempty"`
	// Executable says that an agent may run it without asking.
	Executable bool `json:"executable"`
}

// A patternStep is one command line, with {name} for a variable.
type patternStep struct {
	Command     string `json:"command"`
	Description string `json:"description,omitempty"`
}

// A patternVariable is what stands for {name}.
type patternVariable struct {
	Type        string `json:"type"`
	Description string `json:"description"`
}

// A callerValue is something that tools read of their caller, and the variable
// that holds it.
type callerValue struct {
	// Kind is user_id, secret, token, claim or authorization.
	Kind string `json:"kind"`
	// ID tells secrets, tokens and claims apart.
	ID     string `json:"id"`
	EnvVar string `json:"envVar"`
}

// A envVariable configures a program.
type envVariable struct {
	EnvVar      string `json:"envVar"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// A filter repeats what was asked for.
type filter struct {
	Commands []string `json:"commands,omitempty"`
	Depth    *int     `json:"depth"`
}

// omitted says why commands are missing, and what to think of them.
type omitted struct {
	Reason           string `json:"reason"`
	SafetyAssumption string `json:"safetyAssumption"`
}

// AsksAgent reports whether a command line asks what the program can do. It
// does wherever the flag stands, whatever else is wrong with the command line:
// an agent that asks knows nothing of the program yet (ATIP 3.1).
func AsksAgent(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--agent")
}

// Answer returns what a command line that [AsksAgent] gets, in JSON: the
// document or, with --commands=A,B, the part of it that has these commands.
// Commands of deprecated tools are in it only if they were asked for by name.
// Every command is at depth 1, so --depth=N leaves out what is for people. The
// error says what is wrong with the command line.
func (d *Document) Answer(args []string) ([]byte, error) {
	asked, err := readFilter(args)
	if err != nil {
		return nil, err
	}
	part := *d
	part.filter(asked)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&part); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readFilter finds --commands and --depth; nil for neither.
func readFilter(args []string) (*filter, error) {
	var f *filter
	for i, arg := range args {
		name, value, whole := strings.Cut(arg, "=")
		if name != "--commands" && name != "--depth" {
			continue
		}
		if !whole && i+1 < len(args) {
			value = args[i+1]
		}
		if f == nil {
			f = &filter{}
		}
		if name == "--commands" {
			if value == "" || strings.HasPrefix(value, "-") {
				return nil, errors.New("--commands needs the names of commands, with commas between")
			}
			f.Commands = append(f.Commands, strings.Split(value, ",")...)
			continue
		}
		depth, err := strconv.Atoi(value)
		if err != nil || depth < 1 {
			return nil, fmt.Errorf("--depth needs a number from 1, %q is none", value)
		}
		f.Depth = &depth
	}
	return f, nil
}

// filter keeps the commands that were asked for, nil for all but those of
// deprecated tools. Agents are to take nothing for granted about the others.
func (d *Document) filter(asked *filter) {
	total, all, reason := len(d.Commands)+len(d.People), len(d.Commands), "filtered"
	if asked != nil && asked.Commands != nil {
		d.Commands = d.named(asked.Commands)
	} else if d.Commands = d.lasting(); len(d.Commands) < all {
		reason = "deprecated"
	} else if asked == nil {
		return
	}
	included := len(d.Commands)
	partial := included < total
	d.Filter, d.TotalCommands, d.IncludedCommands, d.Partial = asked, &total, &included, &partial
	if partial {
		d.Omitted = &omitted{Reason: reason, SafetyAssumption: "unknown"}
	}
}

// named are the commands of these names.
func (d *Document) named(names []string) map[string]*Command {
	kept := map[string]*Command{}
	for _, name := range names {
		if c := d.Commands[name]; c != nil {
			kept[name] = c
		} else if c := d.People[name]; c != nil {
			endless := *c
			endless.Effects.Duration = &Duration{Typical: untilStopped}
			kept[name] = &endless
		}
	}
	return kept
}

// untilStopped is the typical duration of a command that ends when somebody
// stops it. The format has no word for that: it is any time, up to a year.
const untilStopped = "1-8760h"

// lasting are the commands of tools that are not deprecated.
func (d *Document) lasting() map[string]*Command {
	kept := map[string]*Command{}
	for name, c := range d.Commands {
		if !c.Deprecated {
			kept[name] = c
		}
	}
	return kept
}
