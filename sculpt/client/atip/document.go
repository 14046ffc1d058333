package atip

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A document is what --agent prints (ATIP 0.6, 3.2), as far as a caller needs it.
type document struct {
	ATIP                       version
	Name, Version, Description string
	Commands                   map[string]*command
	Effects                    *effects
	Partial                    bool
	Omitted                    *struct{ Reason, SafetyAssumption string }
	Trust                      trust
	Binary                     struct{ Hash string }
}

// A version is a text up to 0.3, and an object since.
type version string

func (v *version) UnmarshalJSON(b []byte) error {
	var o struct{ Version string }
	if json.Unmarshal(b, (*string)(v)) == nil {
		return nil
	}
	err := json.Unmarshal(b, &o)
	*v = version(o.Version)
	return err
}

type command struct {
	Description string
	Arguments   []parameter
	Options     []parameter
	Commands    map[string]*command
	Effects     *effects
}

type parameter struct {
	Name, Type, Description string
	Flags                   []string
	Enum                    []string
	Required                *bool
	Variadic                bool
	Default                 json.RawMessage
}

type effects struct {
	Idempotent, Reversible, Destructive, Network *bool
	Filesystem                                   *struct{ Write, Delete *bool }
	Creates, Modifies, Deletes                   []string
	Cost                                         struct{ Billable bool }
	Interactive                                  struct{ Stdin string }
}

func is(b *bool, unsaid bool) bool {
	if b == nil {
		return unsaid
	}
	return *b
}

// told are the effects as tools have them. Nothing is known of what is not said,
// and what changes nothing has to say so: that it is idempotent, destroys nothing
// and leaves files alone.
func (e *effects) told() *tool.Effects {
	if e == nil {
		return nil
	}
	files := e.Filesystem == nil || is(e.Filesystem.Write, false) || is(e.Filesystem.Delete, false)
	changes := len(e.Creates)+len(e.Modifies)+len(e.Deletes) > 0
	t := &tool.Effects{
		Idempotent: is(e.Idempotent, false), Reversible: is(e.Reversible, false), Destructive: is(e.Destructive, true), Billable: e.Cost.Billable,
	}
	t.ReadOnly = t.Idempotent && t.Reversible && !t.Destructive && !files && !changes
	return t
}

// readDocument reads what a program printed.
func readDocument(text []byte) (*document, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	switch {
	case d.ATIP == "":
		return nil, errors.New("it names no version of ATIP")
	case d.Name == "" || d.Description == "":
		return nil, errors.New("it has no name or no description")
	}
	return &d, nil
}

// mostNested is how deep commands nest at most.
const mostNested = 8

// tools lists the commands that have none below them, by their words.
func (d *document) tools() []*client.Tool {
	var list []*client.Tool
	var visit func(words []string, c *command, inherited *effects)
	visit = func(words []string, c *command, inherited *effects) {
		if c == nil || len(words) > mostNested {
			return
		}
		if c.Effects != nil {
			inherited = c.Effects
		}
		for _, name := range slices.Sorted(maps.Keys(c.Commands)) {
			visit(append(slices.Clone(words), name), c.Commands[name], inherited)
		}
		if len(c.Commands) > 0 {
			return
		}
		t := c.tool(words)
		t.Effects = inherited.told()
		t.Name = strings.NewReplacer("-", "_", ".", "_").Replace(strings.Join(append([]string{d.Name}, words...), "_"))
		t.Title = strings.Join(append([]string{d.Name}, words...), " ")
		list = append(list, t)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Commands)) {
		words := []string{name}
		if name == "" {
			words = nil // the program itself
		}
		visit(words, d.Commands[name], d.Effects)
	}
	return list
}

// tool is a command as a tool. Its id has the words, with a blank between.
func (c *command) tool(words []string) *client.Tool {
	t := &client.Tool{Protocol: Protocol, ID: strings.Join(words, " "), Description: c.Description}
	for i, p := range slices.Concat(c.Arguments, c.Options) {
		in, err := p.input(i < len(c.Arguments))
		if err == nil && t.Input(in.Name) != nil {
			err = fmt.Errorf("two inputs are called %q", in.Name)
		}
		if err != nil {
			t.Broken = err
			continue
		}
		t.Inputs = append(t.Inputs, in)
	}
	t.Document, _ = json.Marshal(c) //nolint:errchkjson // it was JSON before
	return t
}

// Words that ATIP puts behind the description of what is a text to a model.
var suffixes = map[string]string{"file": " (file path)", "directory": " (directory path)", "url": " (URL)"}

// input is an argument or an option. Arguments are required unless they say that
// they are not, options only if they say so.
func (p *parameter) input(argument bool) (client.Input, error) {
	if p.Name == "" || !argument && len(p.Flags) == 0 {
		return client.Input{}, errors.New("an option has no name or no flags")
	}
	in := client.Input{Description: p.Description + suffixes[p.Type], Param: tool.Param{ID: p.Name, Name: p.Name, Required: is(p.Required, argument)}}
	one := map[string]any{"type": "string"}
	switch p.Type {
	case "integer":
		in.Type, in.Min, in.Max, one["type"] = tool.TypeInt, -1<<53, 1<<53, "integer"
	case "number":
		in.Type, one["type"] = tool.TypeJSON, "number"
	case "boolean":
		in.Type, one["type"] = tool.TypeBoolean, "boolean"
	case "enum":
		in.Type, in.Values, one["enum"] = tool.TypeEnum, p.Enum, p.Enum
		if len(p.Enum) == 0 {
			return in, fmt.Errorf("the enum %s has no values", tool.Quote(p.Name))
		}
	default:
		in.Type = tool.TypeString
	}
	schema := one
	if p.Variadic || p.Type == "array" {
		in.Type, in.Values = tool.TypeJSON, nil
		schema = map[string]any{"type": "array", "items": one}
	}
	if in.Type == tool.TypeJSON {
		schema["description"] = in.Description
		in.Schema, _ = json.Marshal(schema) //nolint:errchkjson // texts
	}
	return in, nil
}
