package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

func pinFlags() []cli.Flag {
	return append(gateFlags(), &cli.BoolFlag{Name: "check"}, &cli.StringFlag{Name: "out"}, &cli.StringFlag{Name: "for", Value: "default"},
		&cli.StringFlag{Name: "providers"}, &cli.StringFlag{Name: "procedure"}, askingTime())
}

// runPin keeps what tools promise, or asks whether they keep to it.
func runPin(c *command) error {
	if c.Bool("check") {
		return c.checkPins()
	}
	if c.IsSet("procedure") {
		return unable("sculpt pin --check agents.pins.yaml --procedure support.md", "--procedure is held against pins, by --check")
	}
	out := c.String("out")
	if out == "" || c.String("providers") == "" || c.Args().Len() == 0 {
		return unable("sculpt pin --providers providers.yaml --out agents.pins.yaml weather/lookup_weather", "a file of providers, a file of pins and a tool are needed")
	}
	providers, err := c.providers()
	if err != nil {
		return err
	}
	file, err := c.pinFile(out, true)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
	defer cancel()
	var said []string
	for _, wanted := range c.positional() {
		p, t, err := c.pinned(ctx, providers, wanted)
		if err != nil {
			return err
		}
		name, again, err := file.Put(c.String("for"), p, t)
		if err != nil {
			return unable("", "%s cannot be pinned: %s", wanted, err)
		}
		verb := "pinned"
		if again {
			verb = "pinned again"
		}
		said = append(said, verb+": "+name+versionWords(t)+" of "+p.Name+" for "+c.String("for"))
	}
	text, err := file.Bytes()
	if err != nil {
		return err
	}
	if err := writeWhole(out, text); err != nil {
		return err
	}
	for _, line := range said {
		c.say("%s", line)
	}
	return nil
}

func versionWords(t *client.Tool) string {
	if t.Version == 0 {
		return ""
	}
	return " v" + strconv.Itoa(t.Version)
}

// pinFile reads a file of pins, or begins the one that pins go into.
func (c *command) pinFile(name string, begin bool) (*pins.File, error) {
	text, err := os.ReadFile(name)
	if begin && errors.Is(err, fs.ErrNotExist) {
		return pins.NewFile(name), nil
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	file, findings := pins.ReadFile(name, text)
	if len(findings) == 0 {
		return file, nil
	}
	if err := diag.Text(c.stderr, findings, func(string) []byte { return text }); err != nil {
		return nil, err
	}
	return nil, unable("correct it first; nothing was written", "%s was not understood", name)
}

// pinned finds the tool that PROVIDER/TOOL or PROVIDER/TOOL@VERSION names.
func (c *command) pinned(ctx context.Context, providers []*pins.Provider, text string) (*pins.Provider, *client.Tool, error) {
	provider, name, ok := strings.Cut(text, "/")
	if !ok || provider == "" || name == "" {
		return nil, nil, unable("write PROVIDER/TOOL, such as weather/lookup_weather", "%q names no provider and tool", text)
	}
	one, err := chosen(slices.Clone(providers), []string{provider})
	if err != nil {
		return nil, nil, err
	}
	p, opener := one[0], c.opener()
	name, wanted, versioned := strings.Cut(name, "@")
	version, err := strconv.Atoi(wanted)
	if versioned && (err != nil || version < 1) {
		return nil, nil, unable("write PROVIDER/TOOL@2", "%q is not a version", wanted)
	}
	server, err := opener.Open(ctx, p)
	var tools []*client.Tool
	if err == nil {
		tools, err = server.Tools(ctx)
	}
	if err != nil {
		said, fix := opener.Explain(ctx, p, err)
		return nil, nil, unable(fix, "%s at %s could not be asked: %s", p.Name, p.At(), said)
	}
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	at := slices.IndexFunc(tools, func(t *client.Tool) bool { return t.Name == name || t.ID == name })
	switch {
	case at < 0:
		return nil, nil, unable("sculpt tools --providers "+quoteWords(c.String("providers"))+" --provider "+p.Name, "%s has no tool %q%s", p.Name, name, diag.DidYouMean(name, names))
	case tools[at].Broken != nil:
		return nil, nil, unable("", "%s cannot be used: %s", text, tools[at].Broken)
	case !versioned || version == tools[at].Version:
		return p, tools[at], nil
	}
	t, err := server.Version(ctx, tools[at].ID, version)
	if err != nil {
		return nil, nil, unable("", "%s: %s", text, err)
	}
	return p, t, nil
}

// checkPins asks the servers of a file of pins whether they keep to them.
func (c *command) checkPins() error {
	format, on, err := c.judging()
	if err != nil {
		return err
	}
	if c.Args().Len() != 1 {
		return unable("sculpt pin --check agents.pins.yaml", "one file of pins is needed")
	}
	name := c.Args().First()
	text, err := os.ReadFile(name)
	if err != nil {
		return unreadable(name, err)
	}
	providers, err := c.providers()
	if err != nil {
		return err
	}
	at, err := c.locate(name)
	if err != nil {
		return err
	}
	defer at.close()
	file, findings := pins.ReadFile(at.shown(at.name), text)
	verdict := pins.Verdict{Findings: findings, Broken: len(findings) > 0}
	if len(findings) == 0 {
		if findings, err = c.procedure(file); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
		defer cancel()
		verdict = pins.Check(ctx, file, c.opener(), providers)
		verdict.Findings, verdict.Broken = append(verdict.Findings, findings...), verdict.Broken || len(findings) > 0
	}
	if err := at.show(c.stdout, format, verdict.Findings); err != nil {
		return err
	}
	switch {
	case verdict.Broken || !verdict.Silent && fails(verdict.Findings, on):
		return errFound
	case verdict.Silent:
		return &failure{code: exitUnable}
	}
	c.say("%s: nothing is broken", countOf(len(file.Pins), "pin"))
	return nil
}

// procedure holds an operating procedure, if there is one, against the pins of an
// agent or of all.
func (c *command) procedure(file *pins.File) (diag.List, error) {
	name, agent := c.String("procedure"), ""
	if name == "" {
		return nil, nil
	}
	if c.IsSet("for") {
		agent = c.String("for")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return file.CheckProcedure(filepath.ToSlash(name), text, agent), nil
}
