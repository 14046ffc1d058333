package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

func checkFlags() []cli.Flag {
	return append(gateFlags(), &cli.StringFlag{Name: "against"}, &cli.StringSliceFlag{Name: "upstream"})
}

// runCheck holds the tools against their releases, and with --against the
// releases against those of a commit. It writes nothing and asks no network.
func runCheck(c *command) error {
	format, on, err := c.judging()
	if err != nil {
		return err
	}
	var verdicts []string
	all, err := c.several(func(arg string) (*project, error) {
		p, verdict, err := c.checked(arg)
		verdicts = append(verdicts, verdict)
		return p, err
	})
	if err != nil {
		return err
	}
	defer all.close()
	findings := all.findings()
	// What has nothing to do with releases is for lint to say, unless it keeps
	// the tools from being judged.
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool {
		_, compatibility := compat.RuleOf(f.Rule.String())
		return !compatibility && f.Severity == diag.Warning
	})
	if err := all[0].at.show(c.stdout, format, findings); err != nil {
		return err
	}
	if fails(findings, on) {
		return errFound
	}
	for _, verdict := range verdicts {
		c.say("%s: no caller breaks", verdict)
	}
	return nil
}

// checked judges one package, and says in words what it was held against.
func (c *command) checked(arg string) (p *project, verdict string, err error) {
	at, err := c.locate(arg)
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			at.close()
		}
	}()
	options := []frontend.Option{frontend.AsOf(today())}
	compared := ""
	if c.IsSet("against") {
		copies, err := copiesAt(at.folder(), c.String("against"))
		if err != nil {
			return nil, "", err
		}
		options = append(options, frontend.Against(*copies))
		compared = ", held against " + countOf(len(copies.Base), "record") + " of " + copies.Ref
	}
	tomorrow, err := replacements(c.StringSlice("upstream"))
	if err != nil {
		return nil, "", err
	}
	if p, err = c.judge(at, options...); err != nil {
		return nil, "", err
	}
	p.findings = append(p.findings, uncarried(p)...).Sorted()
	if len(tomorrow) > 0 && !p.findings.HasErrors() {
		// Frozen chains belong to releases, which judge leaves out.
		whole, _ := frontend.Load(at.fs(), at.name)
		p.findings = append(p.findings, at.relabel(frontend.Upstream(whole, tomorrow))...).Sorted()
		compared += ", with the proposed documents"
	}
	if p.History == nil || p.Program == nil {
		return p, "", nil // there are errors then
	}
	releases := 0
	for _, t := range p.History.Tools {
		releases += len(t.Releases)
	}
	return p, countOf(len(p.Program.Tools), "tool") + ", " + countOf(releases, "release") + compared, nil
}

// replacements reads API=FILE: a document that stands in for that of an api.
func replacements(given []string) (map[string]frontend.Replacement, error) {
	tomorrow := map[string]frontend.Replacement{}
	for _, text := range given {
		api, file, ok := strings.Cut(text, "=")
		if !ok || api == "" || file == "" {
			return nil, unable("write --upstream api=openapi.yaml", "%q names no api and file", text)
		}
		if _, err := os.Stat(file); err != nil {
			return nil, unreadable(file, err)
		}
		tomorrow[api] = frontend.Replacement{Files: os.DirFS(filepath.Dir(file)), Name: filepath.Base(file)}
	}
	return tomorrow, nil
}
