package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/atip"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func toolsFlags() []cli.Flag {
	return append(formatFlags(), &cli.StringFlag{Name: "providers"}, &cli.StringSliceFlag{Name: "provider"}, &cli.StringFlag{Name: "search"},
		&cli.StringSliceFlag{Name: "tag"}, &cli.BoolFlag{Name: "read-only"}, &cli.BoolFlag{Name: "programs"}, askingTime())
}

// askingTime bounds how long servers are asked.
func askingTime() cli.Flag { return &cli.DurationFlag{Name: "timeout", Value: time.Minute} }

// runTools lists what servers and programs offer.
func runTools(c *command) error {
	format, err := c.format("text", "json")
	if err != nil {
		return err
	}
	providers, err := c.providers()
	if err != nil {
		return err
	}
	for _, word := range c.positional() {
		providers = append(providers, named(word))
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
	defer cancel()
	opener := c.opener()
	var failures []pins.Failure
	if c.Bool("programs") {
		var found []*pins.Provider
		found, failures = opener.Programs(ctx)
		providers = append(providers, found...)
	}
	if providers, err = chosen(providers, c.StringSlice("provider")); err != nil {
		return err
	}
	if len(providers) == 0 && !c.Bool("programs") {
		return unable("sculpt tools https://tools.example", "no server is named: give an address, the name of a program, --providers FILE or --programs")
	}
	offers, more := opener.List(ctx, providers)
	failures = append(failures, more...)
	query := pins.Query{Words: strings.Fields(c.String("search")), Tags: c.StringSlice("tag"), ReadOnly: c.Bool("read-only")}
	offers = query.Select(offers)
	var told []string
	for _, f := range failures {
		text, fix := opener.Explain(ctx, f.Provider, f.Err)
		told = append(told, text)
		c.say("%s at %s could not be asked: %s", f.Provider.Name, f.Provider.At(), text)
		fmt.Fprintf(c.stderr, "   = fix: %s\n", diag.Escape(fix))
	}
	if format == "json" {
		err = c.toolsJSON(offers, failures, told)
	} else {
		c.toolsText(offers)
	}
	if err == nil && len(failures) > 0 {
		return errFound
	}
	return err
}

// providers reads the file of providers, if there is one.
func (c *command) providers() ([]*pins.Provider, error) {
	file := c.String("providers")
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	providers, findings := pins.ReadProviders(file, text)
	if len(findings) == 0 {
		return providers, nil
	}
	err = diag.Text(c.stderr, findings, func(string) []byte { return text })
	if err != nil {
		return nil, err
	}
	return nil, unable("", "%s was not understood", file)
}

// chosen returns the providers of those names, all for none.
func chosen(providers []*pins.Provider, names []string) ([]*pins.Provider, error) {
	if len(names) == 0 {
		return providers, nil
	}
	var known []string
	for _, p := range providers {
		known = append(known, p.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, unable("", "there is no provider %q%s", name, diag.DidYouMean(name, known))
		}
	}
	return slices.DeleteFunc(providers, func(p *pins.Provider) bool { return !slices.Contains(names, p.Name) }), nil
}

// named is the provider that somebody means by an address or the name of a program.
func named(word string) *pins.Provider {
	if strings.Contains(word, "://") {
		return &pins.Provider{Name: hostOf(word), URL: word}
	}
	return &pins.Provider{Name: filepath.Base(word), Protocol: atip.Protocol, Program: word}
}

// hostOf names a server that only has an address.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// opener speaks to servers, with the secrets of this machine.
func (c *command) opener() *pins.Opener {
	path, _ := c.lookup("PATH")
	return &pins.Opener{HTTP: &http.Client{Timeout: answerTime}, Finder: &atip.Finder{
		Machine: atip.Local(os.Environ()), Path: filepath.SplitList(path), Data: agentTools(c.userData()), Config: agentTools(c.userConfig()),
	}, Secret: func(reference string) (string, error) {
		if name, ok := strings.CutPrefix(reference, "env:"); ok {
			value, set := c.lookup(name)
			if !set || value == "" {
				return "", fmt.Errorf("the variable %s is not set", name)
			}
			return value, nil
		}
		text, err := os.ReadFile(strings.TrimPrefix(reference, "file:"))
		return strings.TrimSpace(string(text)), diag.Cause(err)
	}}
}

// toolsText prints a line for each tool.
func (c *command) toolsText(offers []pins.Offer) {
	for _, o := range offers {
		t := o.Tool
		version := "-"
		if t.Version > 0 {
			version = fmt.Sprintf("v%d", t.Version)
		}
		about, _, _ := strings.Cut(t.Description, "\n")
		if end := strings.Index(about, ". "); end >= 0 {
			about = about[:end+1]
		}
		if t.Broken != nil {
			about = "cannot be used: " + t.Broken.Error()
		}
		c.print("%s\t%s\t%s\t%s\t%s", diag.Escape(o.Name), version, diag.Escape(o.Provider.Name), effectWords(t.Effects), diag.Escape(shorten(about)))
	}
}

// effectWords says in a word or two what a call may do.
func effectWords(e *tool.Effects) string {
	switch {
	case e == nil:
		return "unknown"
	case e.ReadOnly && e.Billable:
		return "reads, billable"
	case e.ReadOnly:
		return "reads"
	case e.Destructive && e.Billable:
		return "destroys, billable"
	case e.Destructive:
		return "destroys"
	case e.Billable:
		return "writes, billable"
	}
	return "writes"
}

type (
	toolRow struct {
		Name        string      `json:"name"`
		Provider    providerRow `json:"provider"`
		ID          string      `json:"id"`
		Tool        string      `json:"tool"`
		Version     int         `json:"version,omitempty"`
		Title       string      `json:"title,omitempty"`
		Description string      `json:"description"`
		Tags        []string    `json:"tags,omitempty"`
		Effects     string      `json:"effects"`
		Inputs      []string    `json:"inputs"`
		Broken      string      `json:"broken,omitempty"`
	}
	providerRow struct {
		Name     string          `json:"name"`
		Protocol client.Protocol `json:"protocol,omitempty"`
		URL      string          `json:"url,omitempty"`
		Program  string          `json:"program,omitempty"`
	}
	failureRow struct {
		Provider providerRow `json:"provider"`
		Error    string      `json:"error"`
	}
)

func (c *command) toolsJSON(offers []pins.Offer, failures []pins.Failure, told []string) error {
	doc := struct {
		Tools    []toolRow    `json:"tools"`
		Failures []failureRow `json:"failures"`
	}{[]toolRow{}, []failureRow{}}
	row := func(p *pins.Provider) providerRow { return providerRow{p.Name, p.Protocol, p.URL, p.Program} }
	for _, o := range offers {
		t := o.Tool
		one := toolRow{
			Name: o.Name, Provider: row(o.Provider), ID: t.ID, Tool: t.Name, Version: t.Version, Title: t.Title, Description: t.Description, Tags: t.Tags,
			Effects: effectWords(t.Effects), Inputs: []string{},
		}
		for i := range t.Inputs {
			one.Inputs = append(one.Inputs, t.Inputs[i].Name)
		}
		if t.Broken != nil {
			one.Broken = t.Broken.Error()
		}
		doc.Tools = append(doc.Tools, one)
	}
	for i, f := range failures {
		doc.Failures = append(doc.Failures, failureRow{row(f.Provider), told[i]})
	}
	return c.printJSON(doc)
}
