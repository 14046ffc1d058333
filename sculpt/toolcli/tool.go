package toolcli

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A toolCommand calls one tool.
type toolCommand struct {
	*run
	tool    string
	options []Option
	// given holds what the user wrote, by flag.
	given map[string]*text
}

func newToolCommand(r *run, name string, d *Command) *toolCommand {
	t := &toolCommand{run: r, tool: d.Tool, options: d.Options, given: map[string]*text{}}
	if t.tool == "" {
		t.tool = strings.ReplaceAll(name, "-", "_")
	}
	return t
}

// A text is the value of a flag, and how often it was given.
type text struct {
	value string
	times int
}

// Set implements flag.Value.
func (t *text) Set(s string) error {
	t.value = s
	t.times++
	return nil
}

// String implements flag.Value.
func (t *text) String() string { return "" }

// flagOf is the name of an option's flag without the dashes.
func flagOf(o *Option) string { return strings.TrimLeft(o.Flags[0], "-") }

// flags makes a flag of every option. What is missing or wrong with a value is
// said by the validation of the tool, all of it at once, so no flag is
// required here and all but booleans are texts.
func (t *toolCommand) flags() []cli.Flag {
	var flags []cli.Flag
	for i := range t.options {
		o := &t.options[i]
		name, about := flagOf(o), printable(describeOption(o))
		if o.Type == "boolean" {
			flags = append(flags, &cli.BoolFlag{Name: name, Usage: about, DisableDefaultText: true})
			continue
		}
		t.given[name] = &text{}
		flags = append(flags, &cli.GenericFlag{Name: name, Usage: about, Value: t.given[name]})
	}
	return append(flags,
		&cli.BoolFlag{Name: "json", Usage: "print the answer as JSON, and errors too; a terminal gets text without it", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Usage: "log to stderr what happens", DisableDefaultText: true})
}

// describeOption is the line of an option in the help.
func describeOption(o *Option) string {
	about := strings.ReplaceAll(o.Description, "`", "'") // these would name the value
	var more []string
	if o.Required != nil && *o.Required {
		more = append(more, "required")
	}
	if len(o.Enum) > 0 {
		more = append(more, "one of "+strings.Join(o.Enum, ", "))
	}
	if o.Default != nil && o.Default != false {
		more = append(more, fmt.Sprintf("default: %v", o.Default))
	}
	if more == nil {
		return about
	}
	return about + " (" + strings.Join(more, "; ") + ")"
}

// call is the action of the command.
func (t *toolCommand) call(c *cli.Context) error {
	if c.Args().Present() {
		return t.tooMuch(c)
	}
	args, err := t.arguments(c)
	if err != nil {
		return err
	}
	if !c.Bool("verbose") {
		// One line of log for each call is for servers. Who calls gets the
		// error; a program that has a logger of its own keeps it.
		defer slog.SetLogLoggerLevel(slog.SetLogLoggerLevel(slog.LevelError + 1))
	}
	h, err := t.handler()
	if err != nil {
		return err
	}
	ctx := tool.WithInvocation(tool.WithPrincipal(c.Context, t.caller()), &tool.Invocation{IdempotencyKey: t.key()})
	result, err := serve.InvokeHandler(ctx, h, t.tool, args)
	if e := (*tool.Error)(nil); errors.As(err, &e) {
		return t.refused(c, e)
	}
	if err != nil {
		return err
	}
	if c.Bool("json") || !isTerminal(t.Stdout) {
		_, err = t.Stdout.Write(append(result.AppendJSON(nil), '\n'))
	} else {
		_, err = t.Stdout.Write(textResult(result))
	}
	return err
}

// arguments reads the flags. An integer that is none goes on as text: the
// validation of the tool says what is wrong with it.
func (t *toolCommand) arguments(c *cli.Context) (tool.Args, error) {
	args := tool.Args{}
	for i := range t.options {
		o := &t.options[i]
		name := flagOf(o)
		switch {
		case o.Type == "boolean":
			if err := t.boolean(c, args, o); err != nil {
				return nil, err
			}
		case t.given[name].times == 0:
		case t.given[name].times > 1:
			return nil, usage(t.helpOf(c), "--%s is given twice", name) // nobody can know which was meant
		case o.NamesCall:
			if n := len(t.given[name].value); n == 0 || n > longestKey {
				return nil, usage(t.helpOf(c), "--%s has to have 1 to %d bytes", name, longestKey)
			}
		case o.Type == "integer":
			n, err := strconv.ParseInt(t.given[name].value, 10, 64)
			if err != nil {
				args[o.Name] = t.given[name].value
				continue
			}
			args[o.Name] = n
		default:
			args[o.Name] = t.given[name].value
		}
	}
	return args, nil
}

// longestKey is how many bytes an idempotency key may have, as over HTTP.
const longestKey = 255

// key is the idempotency key of the call, "" for none.
func (t *toolCommand) key() string {
	for i := range t.options {
		if o := &t.options[i]; o.NamesCall {
			return t.given[flagOf(o)].value
		}
	}
	return ""
}

// boolean reads the flag of a boolean. One that is not there means the default
// or, if another flag says no, nothing.
func (t *toolCommand) boolean(c *cli.Context, args tool.Args, o *Option) error {
	name := flagOf(o)
	switch {
	case o.Negates != "" && c.Bool(name):
		if args[o.Negates] == true && c.IsSet(t.flagOfInput(o.Negates)) {
			return usage(t.helpOf(c), "--%s and --%s contradict each other", t.flagOfInput(o.Negates), name)
		}
		args[o.Negates] = false
	case o.Negates != "":
	case c.IsSet(name):
		args[o.Name] = c.Bool(name)
	case o.Default == false:
		args[o.Name] = false
	}
	return nil
}

func (t *toolCommand) flagOfInput(name string) string {
	at := slices.IndexFunc(t.options, func(o Option) bool { return o.Name == name && o.Negates == "" && !o.NamesCall })
	if at < 0 {
		return name
	}
	return flagOf(&t.options[at])
}

// caller is who started the program, as far as the variables say.
func (r *run) caller() *tool.Principal {
	p := &tool.Principal{ID: "console", Secrets: map[string]string{}, Tokens: map[string]string{}, Claims: map[string]string{}}
	for _, v := range r.doc.Caller {
		value, _ := r.Lookup(v.EnvVar)
		if value == "" {
			continue // hosts set what nobody filled in to nothing
		}
		switch v.Kind {
		case "user_id":
			p.UserID = value
		case "authorization":
			p.Authorization = value
		case "secret":
			p.Secrets[v.ID] = value
		case "token":
			p.Tokens[v.ID] = value
		case "claim":
			p.Claims[v.ID] = value
		}
	}
	return p
}

// usageKinds are the errors of the one who wrote the command line.
var usageKinds = []tool.Kind{tool.KindBadRequest, tool.KindUnknownTool, tool.KindUnknownVersion, tool.KindInvalidInput}

// refused shows an error of the call: sentences, or with --json the document
// that A2T answers with.
func (t *toolCommand) refused(c *cli.Context, e *tool.Error) error {
	f := &failure{code: exitFailed}
	if slices.Contains(usageKinds, e.Kind) {
		f.code = exitUsage
	}
	if c.Bool("json") {
		fmt.Fprintf(t.Stderr, "%s\n", serve.Problem(e))
		return f
	}
	shown := *e
	shown.Issues = slices.Clone(e.Issues)
	for i := range shown.Issues {
		shown.Issues[i].Param = "--" + t.flagOfInput(e.Issues[i].Param)
	}
	f.text = shown.Explain()
	if missing := t.unset(e.Kind); missing != nil {
		f.hint = "set " + strings.Join(missing, ", ")
	}
	return f
}

// unset lists the variables that are not set and that a refusal of some kind may
// be for: a credential where nobody knows who calls, else what tools insist on.
func (r *run) unset(refusal tool.Kind) []string {
	if refusal != tool.KindForbidden && refusal != tool.KindUnauthorized {
		return nil
	}
	var names []string
	for _, v := range r.doc.Caller {
		if value, _ := r.Lookup(v.EnvVar); value == "" && (v.Kind == "authorization") == (refusal == tool.KindUnauthorized) {
			names = append(names, v.EnvVar)
		}
	}
	return names
}
