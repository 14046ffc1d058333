package toolcli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// Exit codes.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2
)

// defaultAddr is where the command serve listens, unless it is told otherwise.
const defaultAddr = "127.0.0.1:8080"

// A Program is the command line of one generated package.
type Program struct {
	// Docs are the documents of the package: what its function Docs returns.
	Docs fs.FS
	// Handler configures the tools and returns what [serve.NewHandler] makes
	// of them. It is asked when a command needs it, so help and --agent work
	// where nothing is configured. Its error is shown to the user.
	Handler func() (http.Handler, error)
	// Serve is for the command serve: what a server that other machines reach
	// has to say. Bound prints the address, unless it is set.
	Serve serve.RunOptions
}

// A Console is what one run may use of the machine.
type Console struct {
	// Args begins with the name of the program, as [os.Args] does.
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Lookup reads an environment variable.
	Lookup func(string) (string, bool)
}

// Main runs the program on this process and ends it with the exit code.
// Ctrl-C and SIGTERM end what runs; a second one ends the process at once.
func Main(p Program) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := p.Run(ctx, Console{os.Args, os.Stdin, os.Stdout, os.Stderr, os.LookupEnv})
	stop()
	os.Exit(code)
}

// Run runs the program until ctx ends and returns the exit code.
func (p *Program) Run(ctx context.Context, c Console) int {
	r := &run{Program: p, Console: c}
	if err := r.describe(); err != nil {
		return r.fail(&failure{exitFailed, err.Error(), `run "sculpt generate" again`})
	}
	args := c.Args[min(1, len(c.Args)):]
	if AsksAgent(args) {
		answer, err := r.doc.Answer(args)
		if err != nil {
			return r.fail(usage("", "%s", err))
		}
		_, err = c.Stdout.Write(answer)
		return r.fail(err)
	}
	return r.fail(r.app().RunContext(ctx, append([]string{r.doc.Name}, args...)))
}

// A run is one run of a program.
type run struct {
	*Program
	Console
	doc *Document
}

// A failure ends a run. Its text is one line, its hint another.
type failure struct {
	code       int
	text, hint string
}

// Error implements error.
func (f *failure) Error() string { return f.text }

func usage(hint, format string, args ...any) error {
	return &failure{exitUsage, fmt.Sprintf(format, args...), hint}
}

// fail shows an error and turns it into the exit code.
func (r *run) fail(err error) int {
	if err == nil {
		return exitFine
	}
	var f *failure
	var lines []string
	if errors.As(err, &f) {
		lines = []string{f.text}
	} else {
		f = &failure{code: exitFailed}
		lines = strings.Split(err.Error(), "\n") // several errors, joined
	}
	name := r.executable()
	if r.doc != nil {
		name = r.doc.Name
	}
	for _, line := range lines {
		if line != "" {
			fmt.Fprintf(r.Stderr, "%s: %s\n", name, strings.TrimPrefix(printable(line), name+": "))
		}
	}
	if f.hint != "" {
		fmt.Fprintf(r.Stderr, "   = fix: %s\n", printable(f.hint))
	}
	return f.code
}

// executable is the name that the program was started by.
func (r *run) executable() string {
	if len(r.Args) == 0 {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(r.Args[0]), ".exe")
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// describe reads the document. Its name is that of the executable, which agents
// start by it.
func (r *run) describe() error {
	raw, err := fs.ReadFile(r.Docs, "atip/atip.json")
	if err != nil {
		return fmt.Errorf("the package has no description of its commands: %w", err)
	}
	doc := &Document{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // defaults stay as they are written
	if err := d.Decode(doc); err != nil {
		return fmt.Errorf("atip/atip.json: %w", err)
	}
	if name := r.executable(); nameForm.MatchString(name) {
		for _, c := range doc.Commands {
			for i, example := range c.Examples {
				c.Examples[i] = name + strings.TrimPrefix(example, doc.Name)
			}
		}
		doc.Name = name
	}
	doc.People = map[string]*Command{}
	for _, c := range r.servers() {
		doc.People[c.Name] = describeServer(c)
	}
	r.doc = doc
	return nil
}

// app makes the command line. urfave/cli writes usage errors to stdout and has
// exit codes of its own, so errors come back from every hook.
func (r *run) app() *cli.App {
	app := &cli.App{
		Name: r.doc.Name, Usage: printable(r.doc.Description), Version: r.doc.Version, Writer: r.Stdout, ErrWriter: r.Stderr,
		CustomAppHelpTemplate: appHelp, HideHelpCommand: true,
		Flags: []cli.Flag{&cli.BoolFlag{
			Name: "agent", Usage: "describe the commands to an agent, as JSON (ATIP); --commands=A,B for a part",
			DisableDefaultText: true,
		}},
		Metadata:       map[string]any{"variables": r.doc.variables()},
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   r.noCommand,
		Action:         r.unknownCommand,
	}
	for _, name := range sortedNames(r.doc.Commands) {
		t := newToolCommand(r, name, r.doc.Commands[name])
		app.Commands = append(app.Commands, r.command(name, r.doc.Commands[name].Description, t.flags(), t.call))
	}
	app.Commands = append(app.Commands, r.servers()...)
	slices.SortFunc(app.Commands, func(a, b *cli.Command) int { return strings.Compare(a.Name, b.Name) })
	return app
}

// describeServer describes one of the servers.
func describeServer(c *cli.Command) *Command {
	d := &Command{Description: c.Description + ".", Effects: Effects{Network: true, Idempotent: true, Reversible: true,
		Interactive: Interactive{Stdin: "none"}}}
	if c.Name == "mcp" {
		d.Effects.Interactive.Stdin = "required"
	}
	for _, f := range c.Flags {
		o := Option{Name: f.Names()[0], Flags: []string{"--" + f.Names()[0]}, Type: "string", Required: new(bool)}
		if _, number := f.(*cli.IntFlag); number {
			o.Type = "integer"
		}
		if documented, ok := f.(cli.DocGenerationFlag); ok {
			o.Description = strings.ReplaceAll(documented.GetUsage(), "`", "")
		}
		d.Options = append(d.Options, o)
	}
	return d
}

// servers are the commands that every program has. They are for people and for
// what starts servers, and so in the help, and among [Document.People].
func (r *run) servers() []*cli.Command {
	addr := &cli.StringFlag{Name: "addr", Usage: "where to listen, as `HOST:PORT` (" + defaultAddr + ", or the variable SCULPT_ADDR)"}
	flags := []cli.Flag{addr}
	for _, l := range limitFlags {
		flags = append(flags, &cli.IntFlag{Name: l.flag, Usage: l.usage + " (or the variable " + l.variable + ")", DefaultText: l.usual})
	}
	return []*cli.Command{
		r.command("serve", "Serve the tools over HTTP until it is stopped: A2T, N-ACT, OTC, MCP and ATDF", flags, r.plain(r.serve)),
		r.command("mcp", "Speak MCP on stdin and stdout, for clients that start their servers themselves. The member "+
			"io.github.sculpt-tools/idempotencyKey of _meta names a call that must not be made twice", viewFlags, r.plain(r.stdio)),
	}
}

// viewFlags say which tools MCP shows on stdin and stdout, as the query of /mcp
// does over HTTP.
var viewFlags = []cli.Flag{
	&cli.StringFlag{Name: "pins", Usage: "show exactly these versions, as `TOOL@VERSION,...`"},
	&cli.StringFlag{Name: "tools", Usage: "show these tools alone, as `NAME,...`"},
	&cli.StringFlag{Name: "tags", Usage: "show the tools alone that have all these tags, as `TAG,...`"},
}

// stdio serves MCP to the client that has started the program, for the caller of
// whom the variables say who that is, unless a program of its own has said.
func (r *run) stdio(c *cli.Context, h http.Handler) error {
	chosen := url.Values{}
	for _, f := range viewFlags {
		if name := f.Names()[0]; c.IsSet(name) {
			chosen.Set(name, c.String(name))
		}
	}
	ctx := c.Context
	if len(r.doc.Caller) > 0 && tool.CallerOf(ctx).ID == "" {
		ctx = tool.WithPrincipal(ctx, r.caller())
	}
	err := serve.Stdio(ctx, h, chosen, r.Stdin, r.Stdout)
	if refused, ok := errors.AsType[*tool.Error](err); ok {
		return usage(fmt.Sprintf(`run "%s mcp --help"`, r.doc.Name), "%s", refused.Sentence())
	}
	return err
}

// unknownCommand is the action where no command was found.
func (r *run) unknownCommand(c *cli.Context) error {
	help := fmt.Sprintf(`run "%s --help"`, r.doc.Name)
	if !c.Args().Present() {
		return usage(help, "a command is missing")
	}
	word := c.Args().First()
	var names []string
	for _, known := range c.App.Commands {
		names = append(names, known.Name)
	}
	return usage(help, "there is no command %q%s", word, didYouMean(word, "", names))
}

// command makes one of the commands.
func (r *run) command(name, about string, flags []cli.Flag, action cli.ActionFunc) *cli.Command {
	return &cli.Command{
		Name: name, Usage: printable(firstSentence(about)), Description: printable(about), Flags: flags, Action: action,
		CustomHelpTemplate: commandHelp, OnUsageError: r.usageError, HideHelpCommand: true,
	}
}

// plain is the action of a command that takes no arguments and wants the
// handler.
func (r *run) plain(action func(*cli.Context, http.Handler) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Present() {
			return r.tooMuch(c)
		}
		h, err := r.handler()
		if err != nil {
			return err
		}
		return action(c, h)
	}
}

// handler configures the tools. It may set a logger up, which is guarded then:
// upstreams do not write to the terminal.
func (r *run) handler() (http.Handler, error) {
	h, err := r.Handler()
	upstream.GuardLog()
	return h, err
}

func (r *run) tooMuch(c *cli.Context) error {
	return usage(r.helpOf(c), "%q is too much: %s takes flags only", c.Args().First(), c.Command.Name)
}

func (r *run) helpOf(c *cli.Context) string {
	return fmt.Sprintf(`run "%s %s --help"`, r.doc.Name, c.Command.Name)
}

func (r *run) serve(c *cli.Context, h http.Handler) error {
	addr := c.String("addr")
	if addr == "" {
		addr, _ = r.Lookup("SCULPT_ADDR")
	}
	if addr == "" {
		addr = defaultAddr
	}
	options := r.Serve
	if err := r.limits(c, &options.Limits); err != nil {
		return err
	}
	if options.Bound == nil {
		options.Bound = func(addr net.Addr) { fmt.Fprintln(r.Stderr, "listening on", addr) }
	}
	return serve.Run(c.Context, addr, h, options)
}

// noFlag is how package flag begins its error for an unknown flag.
const noFlag = "flag provided but not defined: -"

// noCommand is the usage error of flags before a command.
func (r *run) noCommand(_ *cli.Context, err error, _ bool) error {
	help := fmt.Sprintf(`run "%s --help"`, r.doc.Name)
	if name, ok := strings.CutPrefix(err.Error(), noFlag); ok {
		return usage(help, "there is no flag %q here: a command comes first", "--"+strings.TrimPrefix(name, "-"))
	}
	return usage(help, "%s", err)
}

// usageError is that of the flags of a command. It keeps urfave/cli from
// printing the whole help, and says what was probably meant.
func (r *run) usageError(c *cli.Context, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), noFlag); ok {
		name = strings.TrimPrefix(name, "-")
		var names []string
		for _, f := range c.Command.Flags {
			names = append(names, f.Names()[0])
		}
		return usage(r.helpOf(c), "there is no flag %q%s", "--"+name, didYouMean(name, "--", names))
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return usage(r.helpOf(c), "the flag --%s needs a value", strings.TrimPrefix(name, "-"))
	}
	return usage(r.helpOf(c), "%s", err)
}

// didYouMean offers the name that was probably meant. The suggestions of
// urfave/cli are of no use: it always has one, however far it is.
func didYouMean(word, dashes string, names []string) string {
	near := tool.Nearest(word, names)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", dashes+near)
}
