// Package cli is the command line of sculpt: one file per verb. It is the only
// package that opens disk, environment and clock; what it does with them is
// the business of package sculpt, gen and serve.
//
// Results go to stdout, talk goes to stderr. Exit codes: 0 fine, 1 findings,
// stale files or a refused call, 2 could not do it.
//
// Texts that come from documents, manifests or servers reach a terminal through
// [diag.Escape] only.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// Exit codes.
const (
	exitFine     = 0
	exitFindings = 1
	exitUnable   = 2
)

// A session is what one run may use of the machine.
type session struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookup         func(string) (string, bool)
	verbs          []*verb
	// progress, if set, is told what takes long; else it is said.
	progress func(text string)
	// written is the first error of stdout.
	written error
}

// A command is a running verb.
type command struct {
	*session
	*cli.Context
}

// positional returns the positional arguments.
func (c *command) positional() []string { return c.Args().Slice() }

// A failure ends a run. Its text is one line, its hint another.
type failure struct {
	code       int
	text, hint string
}

// Error implements error.
func (f *failure) Error() string { return f.text }

// errFound ends a run whose findings are already shown.
var errFound = &failure{code: exitFindings}

// errInterrupted ends a run that the user wants no more.
var errInterrupted = unable("", "interrupted")

// unable is a failure of the user's request or of the machine.
func unable(hint, format string, args ...any) error {
	return &failure{exitUnable, fmt.Sprintf(format, args...), hint}
}

// Main runs sculpt with its arguments and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, lookup func(string) (string, bool)) (code int) {
	s := &session{stdin: stdin, stderr: stderr, lookup: lookup, verbs: verbs}
	s.stdout = &resultWriter{stdout, &s.written}
	defer func() {
		if p := recover(); p != nil {
			s.say("this is a fault of sculpt, please report it: %v", p)
			if _, wanted := lookup("SCULPT_DEBUG"); wanted {
				fmt.Fprintf(stderr, "%s", debug.Stack())
			}
			code = exitUnable
		}
	}()
	upstream.GuardLog() // verify asks servers
	mode, args, err := takeColor(args)
	if err == nil {
		defer s.dress(mode, args)()
		err = s.run(args)
	}
	code = s.conclude(err)
	if s.written != nil {
		s.say("the result cannot be written: %s", s.written)
		return exitUnable
	}
	return code
}

// dress gives what is shown to people its colours, and tells them when they have
// to wait.
func (s *session) dress(mode string, args []string) (end func()) {
	person := isTerminal(s.stderr)
	talk, result := s.stderr, s.stdout
	if s.colors(mode, talk) {
		s.stderr = diag.Paint(s.stderr)
	}
	if w, ok := result.(*resultWriter); ok && s.colors(mode, w.w) {
		s.stdout = diag.Paint(result)
	}
	if v := findVerb(slices.Concat(args, []string{""})[0]); !person || v == nil || v.does.has(stays) {
		return func() {}
	}
	p := &pulse{w: talk, what: "sculpt " + args[0]}
	s.stderr, s.stdout = pulsed{s.stderr, p}, pulsed{s.stdout, p}
	return p.start()
}

// conclude shows the error of a run and turns it into the exit code.
func (s *session) conclude(err error) int {
	if err == nil {
		return exitFine
	}
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{code: exitUnable, text: err.Error()}
	}
	if f.text != "" {
		s.say("%s", f.text)
	}
	if f.hint != "" {
		fmt.Fprintf(s.stderr, "   = fix: %s\n", diag.Escape(f.hint))
	}
	return f.code
}

// say writes one line of talk.
func (s *session) say(format string, args ...any) {
	fmt.Fprintf(s.stderr, "sculpt: %s\n", diag.Escape(fmt.Sprintf(format, args...)))
}

// proceed tells people what is going on at the moment.
func (s *session) proceed(text string) {
	if s.progress == nil {
		s.say("%s", text)
		return
	}
	s.progress(text)
}

// print writes a line of the result. The text is trusted or escaped.
func (s *session) print(format string, args ...any) {
	fmt.Fprintf(s.stdout, format+"\n", args...)
}

// resultWriter keeps the first error: a result that nobody got is a failure.
type resultWriter struct {
	w     io.Writer
	fault *error
}

// Write implements io.Writer.
func (r *resultWriter) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if err != nil && *r.fault == nil {
		*r.fault = err
	}
	return n, err
}

// run answers help itself and hands everything else, put in order, to
// urfave/cli: that package takes flags after arguments for arguments, writes
// usage errors to stdout and has exit codes of its own.
func (s *session) run(args []string) error {
	if toolcli.AsksAgent(args) {
		answer, err := ownCommands().Answer(args)
		if err != nil {
			return unable("", "%s", err)
		}
		_, err = s.stdout.Write(answer)
		return err
	}
	asked, err := sortArguments(args)
	if err != nil {
		return err
	}
	if asked.help != "" {
		_, err := io.WriteString(s.stdout, helpText(asked.help))
		return err
	}
	app := &cli.App{
		Name: "sculpt", Writer: s.stdout, ErrWriter: s.stderr,
		HideHelp: true, HideVersion: true, DisableSliceFlagSeparator: true,
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   usageError,
	}
	for _, v := range verbs {
		app.Commands = append(app.Commands, &cli.Command{
			Name: v.name, Flags: v.flags(), HideHelp: true, OnUsageError: usageError,
			Action: func(c *cli.Context) error { return v.run(&command{s, c}) },
		})
	}
	return app.Run(append([]string{"sculpt", asked.verb}, asked.args...))
}

// usageError keeps urfave/cli from printing the whole help.
func usageError(c *cli.Context, err error, _ bool) error {
	return unable(`run "sculpt `+strings.TrimSpace(c.Command.Name+" --help")+`"`, "%s", err)
}
