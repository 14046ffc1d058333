package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A Function is a tool as an agent of OpenAI sees it.
type Function struct {
	Name, Description string
	Parameters        map[string]any // JSON Schema, as encoding/json reads one
}

// An atipTool is what the reference bridge and executor read of a document.
type atipTool struct {
	ATIP        any          `json:"atip"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Description string       `json:"description"`
	Commands    atipCommands `json:"commands"`
}

type atipCommand struct {
	Key         string       `json:"-"`
	Description string       `json:"description"`
	Arguments   []atipParam  `json:"arguments"`
	Options     []atipParam  `json:"options"`
	Commands    atipCommands `json:"commands"`
	Effects     struct {
		Network     *bool                   `json:"network"`
		Filesystem  struct{ Write *bool }   `json:"filesystem"`
		Idempotent  *bool                   `json:"idempotent"`
		Reversible  *bool                   `json:"reversible"`
		Destructive bool                    `json:"destructive"`
		Cost        struct{ Billable bool } `json:"cost"`
	} `json:"effects"`
}

type atipParam struct {
	Name        string   `json:"name"`
	Flags       []string `json:"flags"`
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Required    *bool    `json:"required"`
	Enum        []any    `json:"enum"`
	Variadic    bool     `json:"variadic"`
}

// atipCommands has commands in the order of the document, which is the order
// of the functions that an agent gets.
type atipCommands []atipCommand

// UnmarshalJSON reads the object of commands.
func (c *atipCommands) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("commands are not an object: %s", data)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		command := atipCommand{Key: key.(string)}
		if err := d.Decode(&command); err != nil {
			return err
		}
		*c = append(*c, command)
	}
	return nil
}

func readATIP(doc []byte) (*atipTool, error) {
	tool := &atipTool{}
	if err := json.Unmarshal(doc, tool); err != nil {
		return nil, err
	}
	if tool.ATIP == nil || tool.Name == "" || tool.Version == "" || tool.Description == "" {
		return nil, errors.New("a document wants atip, name, version and description")
	}
	return tool, nil
}

// BridgeATIP translates a document into functions of OpenAI as the reference
// bridge does (atip-bridge): leaf commands depth first, names joined with "_",
// what a call may do after the description. With strict every parameter is
// required, and optional ones may be null, for which the bridge leaves an enum
// no room. It does not hold the document against a schema: see [JudgeATIP].
func BridgeATIP(doc []byte, strict bool) ([]Function, error) {
	tool, err := readATIP(doc)
	if err != nil {
		return nil, err
	}
	return bridge(nil, tool.Name, tool.Commands, strict), nil
}

func bridge(functions []Function, prefix string, commands atipCommands, strict bool) []Function {
	for _, c := range commands {
		name := prefix + "_" + c.Key
		if len(c.Commands) > 0 {
			functions = bridge(functions, name, c.Commands, strict)
			continue
		}
		properties, required := map[string]any{}, []any{}
		for i, p := range slices.Concat(c.Arguments, c.Options) {
			wanted := p.Required != nil && *p.Required
			if i < len(c.Arguments) { // required unless it says otherwise
				wanted = p.Required == nil || *p.Required
			}
			properties[p.Name] = property(p, strict && !wanted)
			if wanted || strict {
				required = append(required, p.Name)
			}
		}
		functions = append(functions, Function{name, describe(c), map[string]any{
			"type": "object", "properties": properties, "required": required, "additionalProperties": false}})
	}
	return functions
}

// atipTypes has the JSON type of the types of ATIP that JSON lacks, and what
// the description says instead.
var atipTypes = map[string]struct{ json, suffix string }{
	"file": {"string", " (file path)"}, "directory": {"string", " (directory path)"}, "url": {"string", " (URL)"}, "enum": {"string", ""},
}

func property(p atipParam, nullable bool) map[string]any {
	kind, suffix := p.Type, ""
	if t, ok := atipTypes[p.Type]; ok {
		kind, suffix = t.json, t.suffix
	}
	schema := map[string]any{"type": kind, "description": p.Description + suffix}
	if nullable {
		schema["type"] = []any{kind, "null"}
	}
	if p.Enum != nil {
		schema["enum"] = p.Enum
	}
	return schema
}

// describe puts the safety flags after the description. OpenAI takes 1024
// characters; what is cut is the description, never a flag.
func describe(c atipCommand) string {
	isFalse := func(b *bool) bool { return b != nil && !*b }
	var flags []string
	for _, f := range []struct {
		on   bool
		text string
	}{
		{c.Effects.Destructive, "\u26a0\ufe0f DESTRUCTIVE"},
		{isFalse(c.Effects.Reversible), "\u26a0\ufe0f NOT REVERSIBLE"},
		{isFalse(c.Effects.Idempotent), "\u26a0\ufe0f NOT IDEMPOTENT"},
		{c.Effects.Cost.Billable, "\U0001f4b0 BILLABLE"},
		{isFalse(c.Effects.Network) && isFalse(c.Effects.Filesystem.Write), "\U0001f512 READ-ONLY"},
	} {
		if f.on {
			flags = append(flags, f.text)
		}
	}
	suffix := ""
	if len(flags) > 0 {
		suffix = " [" + strings.Join(flags, " | ") + "]"
	}
	const limit, dots = 1024, "..."
	// Lengths are those of JavaScript, in which the bridge is written.
	text, behind := utf16.Encode([]rune(c.Description)), len(utf16.Encode([]rune(suffix)))
	if len(text)+behind <= limit {
		return c.Description + suffix
	}
	room := limit - behind - len(dots)
	if behind == 0 {
		room-- // the bridge leaves room for the space before the flags in any case
	}
	return string(utf16.Decode(text[:room])) + dots + suffix
}

// ArgvATIP gives the words that the reference executor (atip-execute) runs for
// a call of a function: program, commands, arguments, options. It splits the
// name at "_" and looks the parts up, so that a tool or command with "_" in its
// own name is not found, which is an error. An argument that is null or that the
// command lacks is left out, a boolean is there when it is true. Nothing is
// validated: the command line has to stand what the executor lets through.
func ArgvATIP(doc []byte, function string, args map[string]any) ([]string, error) {
	tool, err := readATIP(doc)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(function, "_")
	if parts[0] != tool.Name || len(parts) == 1 {
		return nil, fmt.Errorf("function %q is none of tool %q", function, tool.Name)
	}
	command := atipCommand{Commands: tool.Commands}
	for _, part := range parts[1:] {
		i := slices.IndexFunc(command.Commands, func(c atipCommand) bool { return c.Key == part })
		if i < 0 {
			return nil, fmt.Errorf("function %q names no command: there is no %q", function, part)
		}
		command = command.Commands[i]
	}
	for _, p := range command.Arguments {
		words, err := values(p, "", args[p.Name])
		if err != nil {
			return nil, err
		}
		parts = append(parts, words...)
	}
	for _, p := range command.Options {
		if len(p.Flags) == 0 {
			return nil, fmt.Errorf("option %q has no flag", p.Name)
		}
		flag := p.Flags[0]
		if i := slices.IndexFunc(p.Flags, func(f string) bool { return strings.HasPrefix(f, "--") }); i >= 0 {
			flag = p.Flags[i]
		}
		words, err := values(p, flag, args[p.Name])
		if err != nil {
			return nil, err
		}
		parts = append(parts, words...)
	}
	return parts, nil
}

// values gives the words of one value: the flag before each, unless there is none.
func values(p atipParam, flag string, value any) ([]string, error) {
	switch {
	case value == nil, flag != "" && p.Type == "boolean" && value != true:
		return nil, nil
	case flag != "" && p.Type == "boolean":
		return []string{flag}, nil
	}
	list, many := value.([]any)
	if !many || flag == "" || p.Type != "array" && !p.Variadic {
		list = []any{value}
	}
	var words []string
	for _, item := range list {
		word, err := word(item)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", p.Name, err)
		}
		if flag != "" {
			words = append(words, flag)
		}
		words = append(words, word)
	}
	return words, nil
}

// word writes a value as JavaScript does, whose numbers are all doubles.
func word(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return word(float64(v))
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return "", err
		}
		return word(f)
	case float64:
		if size := math.Abs(v); v != 0 && (size < 1e-6 || size >= 1e21) {
			return "", fmt.Errorf("%v has no decimal form", v)
		}
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("%T has no form in one word", value)
}
