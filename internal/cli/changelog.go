package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
)

func changelogFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "tool"}, &cli.StringFlag{Name: "against"}, &cli.StringFlag{Name: "format", Value: "markdown"}}
}

// A logEntry is what a release changed.
type logEntry struct {
	Tool     string      `json:"tool"`
	Version  int         `json:"version"`
	Released string      `json:"released"`
	Digest   string      `json:"digest"`
	Changes  []logChange `json:"changes"`
	Accepted []logAccept `json:"accepted"`
}

type logChange struct {
	Rule    string `json:"rule"`
	At      string `json:"at"`
	Summary string `json:"summary"`
}

type logAccept struct {
	Rule   string `json:"rule"`
	At     string `json:"at"`
	Since  int    `json:"since"`
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"`
}

// runChangelog prints what the releases changed, from the records alone.
func runChangelog(c *command) error {
	format, err := c.format("markdown", "json")
	if err != nil {
		return err
	}
	r, err := c.releases(c.Args().First())
	if err != nil {
		return err
	}
	defer r.at.close()
	tools, err := r.tools(c.String("tool"))
	if err != nil {
		return err
	}
	known := map[string][]byte{}
	if c.IsSet("against") {
		if known, err = releasesAt(r.at.folder(), c.String("against")); err != nil {
			return err
		}
		tools = slices.DeleteFunc(slices.Clone(tools), func(t *history.Tool) bool { return len(news(t, r.dir, known)) == 0 })
	}
	entries := []logEntry{}
	for _, t := range tools {
		for _, rel := range slices.Backward(news(t, r.dir, known)) {
			record, err := r.record(t, rel.Version)
			if err != nil {
				return err
			}
			entries = append(entries, entryOf(record))
		}
	}
	if format == "json" {
		return c.printJSON(entries)
	}
	if len(tools) == 0 && c.IsSet("against") {
		c.say("no release is new")
		return nil
	}
	return c.changelog(tools, entries)
}

// news are the releases of a tool that are not among files, by path from the
// package folder.
func news(t *history.Tool, dir string, known map[string][]byte) []history.Release {
	return slices.DeleteFunc(slices.Clone(t.Releases), func(rel history.Release) bool {
		return known[strings.TrimPrefix(rel.File, strings.TrimPrefix(dir+"/", "./"))] != nil
	})
}

func entryOf(r *history.Record) logEntry {
	e := logEntry{Tool: r.Tool, Version: r.Version, Released: r.Released, Digest: r.Digest, Changes: []logChange{}, Accepted: []logAccept{}}
	for _, c := range r.Changes {
		rule, _ := compat.RuleOf(c.Rule)
		e.Changes = append(e.Changes, logChange{c.Rule, c.Place, rule.Summary})
	}
	for _, a := range r.Accepted {
		e.Accepted = append(e.Accepted, logAccept{a.Rule, a.At, a.Since, a.Reason, a.Until})
	}
	return e
}

// changelog writes the page, newest release first.
func (c *command) changelog(tools []*history.Tool, entries []logEntry) error {
	w := bufio.NewWriter(c.stdout)
	text := diag.MarkdownText
	fmt.Fprintln(w, "# Changelog of the tools")
	for _, t := range tools {
		fmt.Fprintf(w, "\n## %s\n", text(t.Name))
		if r := t.Retired; r != nil {
			fmt.Fprintf(w, "\nRetired on %s, served until %s.", text(r.Retired), text(r.Sunset))
			if r.Use != "" {
				fmt.Fprintf(w, " Use %s.", text(r.Use))
			}
			fmt.Fprintln(w)
		} else if words := t.Announced().Words(); words != "" {
			fmt.Fprintf(w, "\n%s\n", text(words))
		}
		for _, e := range entries {
			if e.Tool != t.Name {
				continue
			}
			fmt.Fprintf(w, "\n### Version %d, %s\n\n", e.Version, text(e.Released))
			switch {
			case e.Version == 1:
				fmt.Fprintln(w, "- The first release.")
			case len(e.Changes) == 0:
				fmt.Fprintln(w, "- Nothing that callers see.")
			}
			for _, ch := range e.Changes {
				fmt.Fprintf(w, "- %s %s *%s*\n", text(ch.At+":"), text(ch.Summary), text(ch.Rule))
			}
			for _, a := range e.Accepted {
				fmt.Fprintf(w, "- Accepted for callers from version %d on: %s *%s*\n", a.Since, text(a.At+": "+a.Reason), text(a.Rule))
			}
		}
	}
	return w.Flush()
}
