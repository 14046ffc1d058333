package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
)

func verifyFlags() []cli.Flag {
	return append(gateFlags(), &cli.StringSliceFlag{Name: "header"}, &cli.DurationFlag{Name: "timeout", Value: 2 * time.Minute})
}

// The rules of findings about a running server.
var (
	servedMissing    = diag.ID("served-missing")
	servedDiffers    = diag.ID("served-differs")
	servedUnreleased = diag.ID("served-unreleased")
	servedUnreadable = diag.ID("served-unreadable")
)

// atOnce is how many tools are asked for at the same time.
const atOnce = 4

// runVerify asks a running server for every version of every tool and holds
// the answers against the history.
func runVerify(c *command) error {
	format, on, err := c.judging()
	if err != nil {
		return err
	}
	base, err := baseURL(c.Args().First())
	if err != nil {
		return err
	}
	header, err := c.headers()
	if err != nil {
		return err
	}
	r, err := c.releases(c.Args().Get(1))
	if err != nil {
		return err
	}
	defer r.at.close()
	ctx, cancel := context.WithTimeout(context.Background(), c.Duration("timeout"))
	defer cancel()
	v := &verifier{ctx: ctx, server: newServerAsked(base, header), releases: r}
	findings, err := v.all(today())
	if err != nil {
		return err
	}
	if err := r.at.show(c.stdout, format, r.at.relabel(findings)); err != nil {
		return err
	}
	if fails(findings, on) {
		return errFound
	}
	c.say("%s and %s are served as they were released", countOf(v.tools, "tool"), countOf(v.versions, "version"))
	return nil
}

// baseURL is the address below which a server has its tools.
func baseURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, unable("write an address such as http://127.0.0.1:8080/a2t", "an address is missing")
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, unable("write an address such as http://127.0.0.1:8080/a2t; credentials go into --header", "%q is not the address of a server", text)
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/tools")
	u.RawPath = ""
	return u, nil
}

// headers reads --header NAME=env:VARIABLE: values may be secret, and what
// is on a command line is not.
func (c *command) headers() (map[string]string, error) {
	out := map[string]string{}
	for _, h := range c.StringSlice("header") {
		name, value, _ := strings.Cut(h, "=")
		variable, ok := strings.CutPrefix(value, "env:")
		if !ok || name == "" || variable == "" {
			return nil, unable("write --header NAME=env:VARIABLE", "the header %q does not name a variable", name)
		}
		if out[name], ok = c.lookup(variable); !ok {
			return nil, unable("set it", "the variable %s is not set", variable)
		}
	}
	return out, nil
}

// A verifier compares what is served with what is released.
type verifier struct {
	ctx      context.Context
	server   *serverAsked
	releases *releases
	// tools and versions count what was asked for.
	tools, versions int
}

// all asks for every tool, a few at once. An error is that of a server that
// does not answer: it says nothing about what is served.
func (v *verifier) all(today string) (diag.List, error) {
	if err := v.server.probe(v.ctx); err != nil {
		return nil, err
	}
	tools := v.releases.Tools
	findings := make([]diag.List, len(tools))
	faults := make([]error, len(tools))
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	var group sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for i, t := range tools {
		if len(t.Releases) == 0 || hasEnded(t, today) {
			continue
		}
		v.tools, v.versions = v.tools+1, v.versions+len(t.Releases)
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			if findings[i], faults[i] = v.tool(ctx, t); faults[i] != nil {
				cancel() // nothing that follows would be known
			}
		})
	}
	group.Wait()
	var list diag.List
	for i := range tools {
		if faults[i] != nil && !errors.Is(faults[i], context.Canceled) {
			return nil, faults[i]
		}
		list = append(list, findings[i]...)
	}
	return list, nil
}

// hasEnded reports whether a tool need not be served any more.
func hasEnded(t *history.Tool, today string) bool {
	end := t.Announced().Sunset
	return end != "" && end <= today
}

// tool asks for the list of versions and for each version.
func (v *verifier) tool(ctx context.Context, t *history.Tool) (diag.List, error) {
	f := &served{tool: t}
	list, err := v.server.versions(ctx, t.ID())
	if err != nil {
		return f.refused(err, nil)
	}
	listed := map[int]bool{}
	for _, document := range list {
		version := document.version()
		listed[version] = true
		if rel := f.release(version); rel == nil {
			f.add(servedUnreleased, &history.Release{File: t.Releases[len(t.Releases)-1].File, Version: version}, "release it, or stop serving it", "%q is served in a version %d, which no record has", t.Name, version)
		}
	}
	for i := range t.Releases {
		rel := &t.Releases[i]
		if !listed[rel.Version] {
			f.add(servedMissing, rel, "deploy a server that was generated with this history", "v%d of %q is not in the list of versions", rel.Version, t.Name)
			continue
		}
		record, err := v.releases.record(t, rel.Version)
		if err != nil {
			return nil, err
		}
		document, err := v.server.version(ctx, t.ID(), rel.Version)
		if err != nil {
			if _, err := f.refused(err, rel); err != nil {
				return nil, err
			}
			continue
		}
		f.compare(record, rel, document)
	}
	return f.list, nil
}

// served collects what is wrong with one tool.
type served struct {
	tool *history.Tool
	list diag.List
}

func (f *served) release(version int) *history.Release {
	for i := range f.tool.Releases {
		if f.tool.Releases[i].Version == version {
			return &f.tool.Releases[i]
		}
	}
	return nil
}

// refused turns an answer that is none into a finding, about a release or the
// tool as a whole. A server that does not answer is an error.
func (f *served) refused(err error, rel *history.Release) (diag.List, error) {
	what := "\"" + f.tool.Name + "\""
	if rel == nil {
		rel = &history.Release{File: f.tool.Releases[0].File}
	} else {
		what = "v" + versionText(rel.Version) + " of " + what
	}
	answer, ok := errors.AsType[*answerError](err)
	switch {
	case !ok:
		return nil, err
	case answer.status == 404:
		f.add(servedMissing, rel, "deploy a server that was generated with this history", "%s is not served", what)
	default:
		f.add(servedUnreadable, rel, "ask for "+answer.url, "%s: %s", what, answer.reason)
	}
	return f.list, nil
}

// compare holds a document against the record of its version.
func (f *served) compare(record *history.Record, rel *history.Release, document *servedDocument) {
	if at, was, is := document.differs(document.promised(record)); at != "" {
		f.add(servedDiffers, rel, "deploy a server that was generated with this history",
			"v%d of %q is served with another %s: %s was released, %s is served", rel.Version, f.tool.Name, at, was, is)
		f.list[len(f.list)-1].Place = at
	}
}

// add reports a release.
func (f *served) add(rule diag.RuleID, rel *history.Release, fix, format string, args ...any) {
	f.list.Add(diag.Finding{
		Rule: rule, Span: diag.Span{File: rel.File}, Fix: fix, Message: fmt.Sprintf(format, args...), Tool: f.tool.Name, Version: rel.Version,
	})
}
