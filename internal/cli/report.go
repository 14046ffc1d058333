package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// formats are the forms that findings are printed in.
var formats = []string{"text", "json", "github", "sarif", "markdown", "junit"}

// formatFlags is for verbs whose findings stop them or not, by severity.
func formatFlags() []cli.Flag { return []cli.Flag{&cli.StringFlag{Name: "format", Value: "text"}} }

// gateFlags is for verbs that say yes or no: what no means can be chosen.
func gateFlags() []cli.Flag {
	return append(formatFlags(), &cli.StringFlag{Name: "fail-on", Value: diag.Error.String()})
}

// format returns the value of --format, one of the given.
func (c *command) format(known ...string) (string, error) { return c.choice("format", known) }

// failOn returns the value of --fail-on: findings that are not less severe
// make the run fail.
func (c *command) failOn() (diag.Severity, error) {
	name, err := c.choice("fail-on", []string{diag.Error.String(), diag.Warning.String()})
	if name == diag.Warning.String() {
		return diag.Warning, err
	}
	return diag.Error, err
}

// judging returns how findings are shown, and which make the run fail.
func (c *command) judging() (format string, on diag.Severity, err error) {
	if format, err = c.format(formats...); err == nil {
		on, err = c.failOn()
	}
	return format, on, err
}

func (c *command) choice(flag string, known []string) (string, error) {
	value := c.String(flag)
	if slices.Contains(known, value) {
		return value, nil
	}
	return "", unable("write --"+flag+" "+strings.Join(known, " or --"+flag+" "), "unknown %s %q%s", flag, value, diag.DidYouMean(value, known))
}

// fails reports whether a finding is severe enough.
func fails(list diag.List, on diag.Severity) bool {
	return slices.ContainsFunc(list, func(f diag.Finding) bool { return f.Severity <= on })
}

// A service runs checks for changes, as GitHub does: it knows files by their
// path in its workspace and reads counts from a file.
type service struct{ workspace, output string }

func (s *session) service() service {
	var r service
	r.workspace, _ = s.lookup("GITHUB_WORKSPACE")
	r.output, _ = s.lookup("GITHUB_OUTPUT")
	return r
}

// show writes findings in a format.
func (p *place) show(w io.Writer, format string, list diag.List) error {
	switch format {
	case "json":
		return diag.JSON(w, list)
	case "github":
		if err := diag.GitHub(w, p.inWorkspace(list)); err != nil {
			return err
		}
		return p.service.count(list)
	case "sarif":
		return diag.SARIF(w, p.inWorkspace(list), allRules())
	case "markdown":
		return diag.Markdown(w, list)
	case "junit":
		return diag.JUnit(w, list)
	}
	return diag.Text(w, list, p.source)
}

// inWorkspace names files as the service does: it looks for them in its
// workspace, wherever the command ran.
func (p *place) inWorkspace(list diag.List) diag.List {
	below, err := filepath.Rel(p.service.workspace, p.cwd)
	if p.service.workspace == "" || err != nil || below == "." || !filepath.IsLocal(below) {
		return list
	}
	move := func(s diag.Span) diag.Span {
		if s.File != "" {
			s.File = path.Join(filepath.ToSlash(below), s.File)
		}
		return s
	}
	out := slices.Clone(list)
	for i := range out {
		out[i].Span = move(out[i].Span)
		out[i].Related = slices.Clone(out[i].Related)
		for j := range out[i].Related {
			out[i].Related[j].Span = move(out[i].Related[j].Span)
		}
	}
	return out
}

// printJSON prints a result for programs.
func (s *session) printJSON(doc any) error {
	e := json.NewEncoder(s.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// count hands the counts on to the steps that follow.
func (r service) count(list diag.List) error {
	if r.output == "" {
		return nil
	}
	counts := map[diag.Severity]int{}
	for _, f := range list.Sorted() {
		counts[f.Severity]++
	}
	f, err := os.OpenFile(r.output, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return unreadable(r.output, err)
	}
	_, err = fmt.Fprintf(f, "errors=%d\nwarnings=%d\n", counts[diag.Error], counts[diag.Warning])
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
