package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A Provider is a format in which providers of models take tools and give calls.
type Provider string

// The formats.
const (
	// OpenAIChat is that of chat completions, which many others speak as well.
	OpenAIChat Provider = "openai-chat"
	// OpenAIResponses is that of the responses API.
	OpenAIResponses Provider = "openai-responses"
	Gemini          Provider = "gemini"
	Anthropic       Provider = "anthropic"
)

// providers say how each format is written and read.
var providers = map[Provider]*struct {
	// list writes the tools, calls reads an answer, messages writes outcomes.
	list     func([]function) any
	calls    func([]byte) ([]Call, error)
	messages func([]Outcome) []any
	// most is the longest description, 0 for no bound.
	most int
}{
	OpenAIChat:      {chatList, chatCalls, chatMessages, 1024},
	OpenAIResponses: {responsesList, responsesCalls, responsesMessages, 1024},
	Gemini:          {geminiList, geminiCalls, geminiMessages, 0},
	Anthropic:       {anthropicList, anthropicCalls, anthropicMessages, 0},
}

// A function is a tool as providers know it.
type function struct {
	Name, Description string
	Parameters        json.RawMessage
}

// List returns the tools as the member "tools" of a request to a provider.
func (b *Box) List(p Provider) (json.RawMessage, error) {
	format := providers[p]
	if format == nil {
		return nil, fmt.Errorf("agent: there is no provider %q", p)
	}
	functions := make([]function, 0, len(b.entries))
	for i := range b.entries {
		e := &b.entries[i]
		parameters, err := parametersOf(e.Tool)
		if err != nil {
			return nil, fmt.Errorf("agent: the inputs of %s: %w", e.Name, err)
		}
		functions = append(functions, function{e.Name, flagged(e.Description, e.Tool.Effects, format.most), parameters})
	}
	return encoded(format.list(functions))
}

// flagged puts the dangers of a tool after its description, and shortens the
// description and never the dangers (ATIP 8.2).
func flagged(text string, e *tool.Effects, most int) string {
	var flags []string
	if e != nil && !e.ReadOnly {
		for _, f := range []struct {
			yes  bool
			text string
		}{{e.Destructive, "⚠️ DESTRUCTIVE"}, {!e.Reversible, "⚠️ NOT REVERSIBLE"}, {!e.Idempotent, "⚠️ NOT IDEMPOTENT"}} {
			if f.yes {
				flags = append(flags, f.text)
			}
		}
	}
	if e != nil && e.Billable {
		flags = append(flags, "💰 BILLABLE")
	}
	suffix := ""
	if flags != nil {
		suffix = " [" + strings.Join(flags, " | ") + "]"
	}
	if room := most - utf8.RuneCountInString(suffix); most > 0 && utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:room-1]) + "…"
	}
	return text + suffix
}

// parametersOf is the JSON Schema of the arguments of a tool. That of another
// server's input is taken as it is.
func parametersOf(t *client.Tool) (json.RawMessage, error) {
	var properties []json.RawMessage
	required := []string{}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		schema := in.Schema
		if schema == nil {
			var err error
			if schema, err = encoded(schemaOf(in)); err != nil {
				return nil, err
			}
		}
		properties = append(properties, slices.Concat(value.AppendText(nil, in.Name), []byte{':'}, schema))
		if in.Required {
			required = append(required, in.Name)
		}
	}
	names, err := encoded(required)
	if err != nil {
		return nil, err
	}
	b := []byte(`{"type":"object","properties":{`)
	for i, p := range properties {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, p...)
	}
	return append(append(append(b, `},"required":`...), names...), `,"additionalProperties":false}`...), nil
}

// A schema is that of an input without one of its own, in the order in which its
// keys are written.
type schema struct {
	Type        string   `json:"type,omitempty"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *int64   `json:"minimum,omitempty"`
	Maximum     *int64   `json:"maximum,omitempty"`
}

var typeWords = map[tool.Type]string{tool.TypeString: "string", tool.TypeEnum: "string", tool.TypeInt: "integer", tool.TypeBoolean: "boolean"}

// schemaOf writes an input. Lengths and patterns are words, since providers
// differ in whether they take them.
func schemaOf(in *client.Input) schema {
	s := schema{Type: typeWords[in.Type], Enum: in.Values}
	words := []string{}
	if in.Description != "" {
		words = append(words, in.Description)
	}
	if in.Type == tool.TypeInt {
		s.Minimum, s.Maximum = &in.Min, &in.Max
	}
	for _, name := range in.Values {
		// The text of a server of sculpt may be in the description already.
		if text := in.Texts[name]; text != "" && !strings.Contains(in.Description, name+": "+text) {
			words = append(words, name+": "+text)
		}
	}
	add := func(say bool, text string) {
		if say && !strings.Contains(in.Description, text) {
			words = append(words, text)
		}
	}
	add(in.MinLength > 0 || in.MaxLength > 0, lengthWords(in.MinLength, in.MaxLength))
	if in.Pattern != nil {
		add(true, "Must match the pattern "+in.Pattern.String()+".")
	}
	if in.Default != nil {
		add(true, fmt.Sprintf("Default: %v.", in.Default))
	}
	s.Description = strings.Join(words, " ")
	return s
}

// lengthWords says the bounds of a text, 0 for none, as servers of sculpt do.
func lengthWords(least, most int) string {
	n, unit := max(least, most), " characters."
	if n == 1 {
		unit = " character."
	}
	switch {
	case most == 0:
		return "At least " + strconv.Itoa(n) + unit
	case least == 0:
		return "At most " + strconv.Itoa(n) + unit
	case least == most:
		return "Exactly " + strconv.Itoa(n) + unit
	}
	return "From " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + unit
}

func encoded(v any) (json.RawMessage, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n")), nil
}

// Calls reads the calls out of a provider's answer, the whole document; none
// without an error means that the model answers with a text.
func (p Provider) Calls(response []byte) ([]Call, error) {
	format := providers[p]
	if format == nil {
		return nil, fmt.Errorf("agent: there is no provider %q", p)
	}
	calls, err := format.calls(response)
	if err != nil {
		return nil, fmt.Errorf("agent: the answer is not one of %s: %w", p, err)
	}
	return calls, nil
}

// Messages writes what became of calls as the messages that follow the one of the
// model, which the caller has to send back as it was: a list, of which Gemini and
// Anthropic have one.
func (p Provider) Messages(outcomes []Outcome) ([]json.RawMessage, error) {
	format := providers[p]
	if format == nil {
		return nil, fmt.Errorf("agent: there is no provider %q", p)
	}
	var list []json.RawMessage
	for _, m := range format.messages(outcomes) {
		raw, err := encoded(m)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	return list, nil
}
