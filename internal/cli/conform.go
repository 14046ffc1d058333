package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/conform"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

func conformFlags() []cli.Flag {
	return append(formatFlags(), &cli.StringFlag{Name: "protocol"}, &cli.StringFlag{Name: "program"}, &cli.StringSliceFlag{Name: "invoke"},
		&cli.StringSliceFlag{Name: "header"}, &cli.BoolFlag{Name: "strict"}, &cli.DurationFlag{Name: "timeout", Value: 2 * time.Minute})
}

// runConform judges a server or a program by the text of its protocol.
func runConform(c *command) error {
	format, err := c.format("text", "json", "junit")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
	defer cancel()
	var report *conform.Report
	if c.String("program") != "" {
		report, err = c.conformProgram(ctx)
	} else {
		report, err = c.conformServer(ctx)
	}
	if err != nil {
		return err
	}
	if err := c.showConform(report, format); err != nil {
		return err
	}
	if report.Unasked > 0 {
		c.say("the server lists many tools: the details of %d were not asked for", report.Unasked)
	}
	n := report.Count()
	c.say("%s: %d pass, %d not checked, %d MUST and %d SHOULD fail", report.Protocol, n.Passed, n.NotChecked, n.Must, n.Should)
	if report.Failed(c.Bool("strict")) {
		return errFound
	}
	return nil
}

// conformProgram asks a program for --agent.
func (c *command) conformProgram(ctx context.Context) (*conform.Report, error) {
	if c.Args().Present() || len(c.StringSlice("invoke")) > 0 || len(c.StringSlice("header")) > 0 || c.String("protocol") != "" {
		return nil, unable("leave out the other flags and URL", "--program judges a program by ATIP, and calls none of its commands")
	}
	report, err := conform.Program(ctx, c.String("program"))
	if err != nil {
		return nil, unable("give the path of a program", "%q cannot be run: %s", c.String("program"), err)
	}
	return report, nil
}

func (c *command) conformServer(ctx context.Context) (*conform.Report, error) {
	base, err := baseURL(c.Args().First())
	if err != nil {
		return nil, err
	}
	protocol, err := c.protocolOf(base)
	if err != nil {
		return nil, err
	}
	header, err := c.headers()
	if err != nil {
		return nil, err
	}
	invoke, err := c.invocations()
	if err != nil {
		return nil, err
	}
	report, err := conform.Server(ctx, protocol, base, conform.Options{Header: header, Invoke: invoke, Client: &http.Client{
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})
	if err != nil {
		return nil, unable("look at the address and the protocol", "%s: %s", base, err)
	}
	return report, nil
}

// protocolOf is what --protocol says or, without it, the last word of the path.
func (c *command) protocolOf(base *url.URL) (string, error) {
	known := conform.ServerProtocols()
	if c.String("protocol") != "" {
		return c.choice("protocol", known)
	}
	if last := path.Base(base.Path); slices.Contains(known, last) {
		return last, nil
	}
	return "", unable("write --protocol "+strings.Join(known, " or --protocol "), "the address does not end in the name of a protocol")
}

// invocations reads --invoke TOOL=JSON.
func (c *command) invocations() ([]conform.Invocation, error) {
	var list []conform.Invocation
	for _, text := range c.StringSlice("invoke") {
		tool, raw, _ := strings.Cut(text, "=")
		i := conform.Invocation{Tool: tool}
		d := json.NewDecoder(strings.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&i.Inputs); err != nil || tool == "" || i.Inputs == nil {
			return nil, unable(`write --invoke 'lookup_weather_by_city={"city":"Omaha, Nebraska"}'`, "--invoke %s is not a tool with an object of inputs", text)
		}
		list = append(list, i)
	}
	return list, nil
}

func (c *command) showConform(report *conform.Report, format string) error {
	switch format {
	case "json":
		return c.printJSON(report)
	case "junit":
		return report.JUnit(c.stdout, c.Bool("strict"))
	}
	for _, x := range report.Results {
		c.print("%-6s  %-11s  %-7s  %s: %s (%s)", x.Level, x.Verdict, x.Section, x.ID, x.Gist, diag.Escape(x.Saw))
	}
	return nil
}
