package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

func retireFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "sunset"}, &cli.StringFlag{Name: "use"}, &cli.BoolFlag{Name: "end"}, &cli.StringFlag{Name: "date"},
	}
}

// runRetire announces the end of a tool, or lets it end when its day has come.
func runRetire(c *command) error {
	if len(c.positional()) == 0 {
		return unable(`run "sculpt retire --help"`, "a tool is missing: sculpt retire [PACKAGE] TOOL --sunset YYYY-MM-DD")
	}
	where, tool, given, err := splitCall(c.positional(), c.Command.Name)
	if err != nil {
		return err
	}
	if len(given) > 0 {
		return unable(`run "sculpt retire --help"`, "%q is not a tool", given[0])
	}
	if !c.Bool("end") {
		return c.announceEnd(where, tool)
	}
	if c.String("sunset")+c.String("use") != "" {
		return unable("leave out --sunset and --use", "what was announced of %q cannot be changed", tool)
	}
	return c.endTool(where, tool)
}

// announceEnd writes the tombstone of a tool: the day from which on it is not
// served any more. Until then every version stays invocable (A2T 5.4), and
// tells its callers: the package is generated anew.
func (c *command) announceEnd(where, tool string) error {
	p, err := c.load(where)
	if err != nil {
		return err
	}
	defer p.at.close()
	if p.findings.HasErrors() {
		return c.refused(p, p.findings)
	}
	stone, end, err := c.tombstone(p, tool)
	if early, ok := errors.AsType[*history.NoticeError](err); ok {
		return c.refused(p, diag.List{{
			Rule: compat.RuleNoticeTooShort, Tool: tool, Span: diag.Span{File: p.at.shown(p.ManifestPath)},
			Fix: p.at.relabelFix(`run "sculpt retire ` + tool + " --sunset " + early.Earliest + c.again("use", "date") + `", or with a later day`), Message: fmt.Sprintf("%q %s", tool, early),
		}})
	}
	if err != nil {
		return err
	}
	after := generate(&draft{p.at.fs(), map[string][]byte{stone.Name: stone.Data}, p.leftovers}, p.at.name, p.at)
	if after.leftovers = p.leftovers; after.findings.HasErrors() {
		return c.refused(p, after.findings)
	}
	after.files = append(after.files, gen.File{Name: p.inside(stone.Name), Data: stone.Data})
	if err := c.write(after); err != nil {
		return err
	}
	c.print("%s", p.at.shown(stone.Name))
	c.say("every version of %s stays callable until %s; %s then lets it go", tool, end.Sunset, p.at.relabelFix("sculpt retire "+tool+" --end"))
	return nil
}

// again are the flags that were given, as they have to be typed another time.
func (c *command) again(flags ...string) string {
	var out strings.Builder
	for _, name := range flags {
		if c.IsSet(name) {
			out.WriteString(" --" + name + " " + quoteWords(c.String(name)))
		}
	}
	return out.String()
}

// refused shows why nothing was written.
func (c *command) refused(p *project, findings diag.List) error {
	if err := p.at.show(c.stdout, "text", findings); err != nil {
		return err
	}
	return errFound
}

// tombstone makes the file that announces the end of a tool, and says what it
// announces. What the manifest has announced already need not be said again.
func (c *command) tombstone(p *project, tool string) (history.File, signature.Deprecation, error) {
	var names []string
	for _, t := range p.History.Tools {
		names = append(names, t.Name)
	}
	end := signature.Deprecation{Sunset: c.String("sunset"), Use: c.String("use")}
	if t := p.History.Tool(tool); t != nil && t.Retired == nil {
		end.Sunset = cmp.Or(end.Sunset, t.Announced().Sunset)
	}
	switch {
	case end.Sunset == "":
		return history.File{}, end, unable("add --sunset YYYY-MM-DD: callers need time", "the day on which %q ends is missing", tool)
	case !slices.Contains(names, tool):
		return history.File{}, end, unable("a tool that was never released is simply taken out of the manifest", "no release of %q is recorded%s", tool, diag.DidYouMean(tool, names))
	case end.Use != "" && !slices.Contains(names, end.Use):
		return history.File{}, end, unable("name a released tool", "no release of %q is recorded%s", end.Use, diag.DidYouMean(end.Use, names))
	}
	stone, err := p.History.Retire(tool, cmp.Or(c.String("date"), today()), end, p.Options().Notice)
	if _, early := errors.AsType[*history.NoticeError](err); err != nil && !early {
		err = unable("", "%s", err)
	}
	return stone, end, err
}

// endTool removes what releases froze for a tool whose day has come: nobody
// keeps those promises any more. That the file is gone is what tells all later
// commands, which judge no dates, that the tool has ended.
func (c *command) endTool(where, tool string) error {
	r, err := c.releases(where)
	if err != nil {
		return err
	}
	defer r.at.close()
	found, err := r.tools(tool)
	if err != nil {
		return err
	}
	stone := found[0].Retired
	if stone == nil {
		return unable(r.at.relabelFix(`announce it first with "sculpt retire `+tool+` --sunset YYYY-MM-DD"`), "%q was not retired", tool)
	}
	if cmp.Or(c.String("date"), today()) < stone.Sunset {
		early := diag.Finding{
			Rule: compat.RuleToolRemoved, Tool: tool, Span: diag.Span{File: r.at.shown(path.Join(r.dir, frontend.HistoryFolder, tool, history.RetiredName))},
			Fix: "let it end on that day", Message: fmt.Sprintf("callers were told that %q is served until %s", tool, stone.Sunset),
		}
		if err := r.at.show(c.stdout, "text", diag.List{early}); err != nil {
			return err
		}
		return errFound
	}
	name := path.Join(r.dir, gen.FrozenFile(tool))
	data, err := r.at.jail.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.say("%q has ended already", tool)
		return nil
	case err != nil:
		return unreadable(r.at.shown(name), err)
	case !bytes.HasPrefix(data, generatedMark):
		return unable("move it away", "%s was not generated by sculpt", r.at.shown(name))
	}
	if err := r.at.jail.Remove(name); err != nil {
		return unreadable(r.at.shown(name), err)
	}
	c.print("%s", r.at.shown(name))
	c.say("%s has ended: take it out of the manifest, if it is still in there, and generate", tool)
	return nil
}
