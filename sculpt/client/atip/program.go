package atip

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Protocol is what tools of programs say that they speak.
const Protocol client.Protocol = "atip"

// A Program describes itself, or has a shim that does.
type Program struct {
	Name, Version, Description string
	// Path is where it is, Hash its SHA-256 where that was taken.
	Path, Hash string
	// Source says who describes it: native for itself, else what the shim says.
	Source string
	// Partial says that it has more commands than are known: see [Program.Load].
	Partial bool
	// Document is the description.
	Document json.RawMessage

	machine Machine
	doc     *document
}

// Tools lists its commands as tools. One whose effects are not told may do
// anything.
func (p *Program) Tools() []*client.Tool { return p.doc.tools() }

// Load asks the program for the whole description of some of its commands, of
// which a part may be known (ATIP 3.1.1), and returns them as tools.
func (p *Program) Load(ctx context.Context, commands ...string) ([]*client.Tool, error) {
	for _, name := range commands {
		if name == "" || strings.ContainsAny(name, ", \t\n") || strings.HasPrefix(name, "-") {
			return nil, fmt.Errorf("atip: %q is not the name of a command", name)
		}
	}
	out, err := p.machine.Run(ctx, p.Path, []string{"--agent", "--commands=" + strings.Join(commands, ",")}, mostDocument)
	if err != nil {
		return nil, fmt.Errorf("atip: %s: %w", p.Name, err)
	}
	doc, err := readDocument(out.Stdout)
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("exit code %d", out.Exit)
	}
	if err != nil {
		return nil, fmt.Errorf("atip: %s: %w", p.Name, err)
	}
	return doc.tools(), nil
}

// mostOutput bounds what a command may write.
const mostOutput = 4 << 20

// mostTold bounds what a model is told of stderr.
const mostTold = 2000

// Invoke checks the arguments and runs a command. What it prints in JSON is the
// outputs, any other text is the text of the result; an exit code other than 0 is
// an error with what it said on stderr. The call ends with ctx, and is never run
// twice.
func (p *Program) Invoke(ctx context.Context, t *client.Tool, c client.Call) (*client.Result, error) {
	if t.Broken != nil {
		return nil, fault(tool.KindBadBackend, "The program describes this command in a way that cannot be read.", t.Broken)
	}
	if err := t.Validate(c.Arguments); err != nil {
		return nil, err
	}
	args, err := argv(t, c.Arguments)
	if err != nil {
		return nil, fault(tool.KindInvalidInput, err.Error(), nil)
	}
	out, err := p.machine.Run(ctx, p.Path, args, mostOutput)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		kind := tool.KindUnknownOutcome
		if t.Effects != nil && t.Effects.ReadOnly {
			kind = tool.KindTimeout
		}
		return nil, fault(kind, "", err)
	case err != nil:
		return nil, fault(tool.KindUnavailable, "The program cannot be run.", err)
	case out.Exit != 0:
		return nil, fault(exitKind(out.Exit), said(out), nil)
	}
	return resultOf(out.Stdout), nil
}

func fault(kind tool.Kind, message string, err error) *client.Error {
	return &client.Error{Local: kind == tool.KindInvalidInput, Fault: &tool.Error{Kind: kind, Message: message, Err: err}}
}

// exitKind says what an exit code means: 2 is a wrong command line by custom.
func exitKind(code int) tool.Kind {
	if code == 2 {
		return tool.KindInvalidInput
	}
	return tool.KindRejected
}

func said(out Output) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(out.Stderr), "�"))
	if text == "" {
		text = strings.TrimSpace(strings.ToValidUTF8(string(out.Stdout), "�"))
	}
	if text == "" {
		return "The program failed with exit code " + strconv.Itoa(out.Exit) + "."
	}
	return strings.ToValidUTF8(text[:min(len(text), mostTold)], "")
}

func resultOf(stdout []byte) *client.Result {
	r := &client.Result{Text: strings.ToValidUTF8(strings.TrimSpace(string(stdout)), "\uFFFD")}
	if json.Valid(stdout) {
		r.Outputs, _ = client.OutputsOf(stdout) // what is ambiguous is a text
	}
	return r
}

// argv are the words of a command line: the command, its options as flag and value,
// then its arguments. A value that begins with - is joined to its flag, an argument
// follows --, so that nothing a model writes becomes a flag.
func argv(t *client.Tool, args map[string]any) ([]string, error) {
	words := strings.Fields(t.ID)
	var c command
	if err := json.Unmarshal(t.Document, &c); err != nil {
		return nil, errors.New("the tool is not one of a program")
	}
	for _, o := range c.Options {
		v := args[o.Name]
		if v == nil {
			continue
		}
		flag := o.flag()
		if yes, is := v.(bool); is {
			if yes {
				words = append(words, flag)
			}
			continue
		}
		values, err := texts(o.Name, v)
		if err != nil {
			return nil, err
		}
		for _, text := range values {
			switch {
			case !strings.HasPrefix(text, "-"):
				words = append(words, flag, text)
			case strings.HasPrefix(flag, "--"):
				words = append(words, flag+"="+text)
			default:
				return nil, fmt.Errorf("%s may not begin with -", o.Name)
			}
		}
	}
	var rest []string
	dash := false
	for _, a := range c.Arguments {
		if args[a.Name] == nil {
			continue
		}
		values, err := texts(a.Name, args[a.Name])
		if err != nil {
			return nil, err
		}
		for _, text := range values {
			dash = dash || strings.HasPrefix(text, "-")
			rest = append(rest, text)
		}
	}
	if dash {
		words = append(words, "--")
	}
	return append(words, rest...), nil
}

// flag is the long one, where there is one.
func (p *parameter) flag() string {
	for _, f := range p.Flags {
		if strings.HasPrefix(f, "--") {
			return f
		}
	}
	return p.Flags[0]
}

// texts are the words of a value.
func texts(name string, v any) ([]string, error) {
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return nil, fmt.Errorf("%s has a character that command lines cannot have", name)
		}
		return []string{v}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case int:
		return []string{strconv.Itoa(v)}, nil
	case int64:
		return []string{strconv.FormatInt(v, 10)}, nil
	case json.Number:
		return []string{v.String()}, nil
	case []any:
		var all []string
		for _, one := range v {
			words, err := texts(name, one)
			if err != nil {
				return nil, err
			}
			all = append(all, words...)
		}
		return all, nil
	}
	return nil, fmt.Errorf("%s cannot be written on a command line", name)
}
