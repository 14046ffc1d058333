package cli

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

func diffFlags() []cli.Flag {
	return append(formatFlags(), &cli.StringFlag{Name: "tool"}, &cli.IntFlag{Name: "from"}, &cli.IntFlag{Name: "to"}, &cli.StringFlag{Name: "against"}, &cli.BoolFlag{Name: "exit-code"})
}

// A difference is what changes for callers between two versions of a tool.
type difference struct {
	Tool string `json:"tool"`
	// From is 0 for a tool without a release, To for one that the manifest
	// does not have.
	From int `json:"from"`
	To   int `json:"to"`
	// Pending says that To is what the manifest says, and no release. Unraised
	// says that the manifest has a number that is taken.
	Pending  bool         `json:"pending"`
	Unraised bool         `json:"unraised,omitempty"`
	Breaks   bool         `json:"breaks"`
	Changes  []diffChange `json:"changes"`
}

type diffChange struct {
	Rule  string `json:"rule"`
	At    string `json:"at"`
	Level string `json:"level"`
	What  string `json:"what"`
	Why   string `json:"why,omitempty"`
	Fix   string `json:"fix,omitempty"`
}

// runDiff shows every change between two versions, of whatever level.
func runDiff(c *command) error {
	format, err := c.format("text", "json", "markdown")
	if err != nil {
		return err
	}
	from, to := c.Int("from"), c.Int("to")
	if from < 0 || to < 0 || c.IsSet("to") && from >= to {
		return unable("leave --from and --to out for what is pending", "--from %d --to %d are not two versions, the older first", from, to)
	}
	if c.IsSet("against") && (c.IsSet("from") || c.IsSet("to")) {
		return unable("leave --from and --to out", "--against chooses the older version")
	}
	var differences []difference
	if c.IsSet("to") {
		differences, err = c.betweenReleases(from, to)
	} else {
		differences, err = c.pendingChanges(from)
	}
	if err != nil {
		return err
	}
	if err := c.showDifferences(format, differences); err != nil {
		return err
	}
	if len(differences) == 0 {
		c.say("nothing changes for callers")
	}
	if c.Bool("exit-code") && len(differences) > 0 {
		return errFound
	}
	return nil
}

// betweenReleases compares two releases of each tool that has both.
func (c *command) betweenReleases(from, to int) ([]difference, error) {
	r, err := c.releases(c.Args().First())
	if err != nil {
		return nil, err
	}
	defer r.at.close()
	tools, err := r.tools(c.String("tool"))
	if err != nil {
		return nil, err
	}
	if from == 0 {
		from = to - 1
	}
	out, found := []difference{}, false
	for _, t := range tools {
		if c.String("tool") == "" && t.Version() < to {
			continue
		}
		found = true
		was, err := r.record(t, from)
		if err != nil {
			return nil, err
		}
		is, err := r.record(t, to)
		if err != nil {
			return nil, err
		}
		next := recordSide(is)
		next.Plan = frontend.Replanned(r.History, t.Name, from, to)
		if d := compared(t.Name, recordSide(was), next); d != nil {
			out = append(out, *d)
		}
	}
	if !found {
		return nil, unable("sculpt status lists the releases", "no tool has a version %d", to)
	}
	return out, nil
}

// pendingChanges compares what the manifest says with a release of each tool,
// the newest if from is 0: of those that are recorded here, or that were where
// the branch began.
func (c *command) pendingChanges(from int) ([]difference, error) {
	at, err := c.locate(c.Args().First())
	if err != nil {
		return nil, err
	}
	p, err := c.judge(at)
	if err != nil {
		return nil, err
	}
	defer p.at.close()
	if p.Program == nil || p.History == nil {
		if err := p.show(c.stderr, "text"); err != nil {
			return nil, err
		}
		return nil, errFound
	}
	r := &releases{p.at, p.Dir, p.History}
	was, err := c.began(r)
	if err != nil {
		return nil, err
	}
	out, found, kept := []difference{}, false, map[*history.Tool]bool{}
	for _, t := range p.Program.Tools {
		if name := c.String("tool"); name != "" && name != t.Signature.Name {
			continue
		}
		found, kept[was.folder(t)] = true, true
		d, err := r.since(was, from, p, t)
		if err != nil {
			return nil, err
		}
		if d != nil {
			out = append(out, *d)
		}
	}
	for _, folder := range was.Tools {
		if here := r.Tool(folder.Name); here != nil && here.Retired != nil {
			continue
		}
		if name := c.String("tool"); !kept[folder] && folder.Retired == nil && (name == "" || name == folder.Name) {
			found = true
			out = append(out, gone(folder))
		}
	}
	if !found {
		return nil, unable("name a tool of the manifest", "there is no tool %q", c.String("tool"))
	}
	return out, nil
}

// since compares a tool of the manifest with a release of before, nil if nothing
// differs.
func (r *releases) since(was *releases, from int, p *project, t *ir.Tool) (*difference, error) {
	now, here, folder := p.Side(t), r.folder(t), was.folder(t)
	if folder == nil {
		d := &difference{Tool: t.Signature.Name, To: t.Signature.Version, Pending: true, Changes: []diffChange{}}
		if here != nil {
			d.pend(here, now)
		}
		return d, nil
	}
	record, err := was.record(folder, cmp.Or(from, folder.Version()))
	if err != nil {
		return nil, err
	}
	told := *now
	if told.Details.Deprecation = p.History.Ending(t.Signature, now.Details.Deprecation); here != nil && here.Version() > folder.Version() {
		told.Plan = frontend.Replanned(p.History, here.Name, record.Version, here.Version())
	}
	d := compared(t.Signature.Name, released(folder, record), &told)
	if d != nil {
		d.pend(cmp.Or(here, folder), now)
	}
	return d, nil
}

// began returns the releases that a comparison starts from: those where the
// branch began, or those that are recorded here.
func (c *command) began(r *releases) (*releases, error) {
	if !c.IsSet("against") {
		return r, nil
	}
	files, err := releasesAt(r.at.folder(), c.String("against"))
	if err != nil {
		return nil, err
	}
	old := &place{root: r.at.root, name: r.at.name, cwd: r.at.cwd, jail: r.at.jail, drafted: &draft{FS: noFiles{}, files: map[string][]byte{}}}
	for name, data := range files {
		old.drafted.files[path.Join(r.dir, name)] = data
	}
	h, findings := history.Read(old.drafted, path.Join(r.dir, frontend.HistoryFolder))
	if findings.HasErrors() {
		return nil, notFound(r.at.relabel(findings))
	}
	return &releases{old, r.dir, h}, nil
}

// gone is the difference of a tool that the manifest does not have.
func gone(folder *history.Tool) difference {
	rule, _ := compat.RuleOf(compat.RuleToolRemoved.String())
	return difference{Tool: folder.Name, From: folder.Version(), Breaks: true, Changes: []diffChange{{
		Rule: rule.ID.String(), At: "tool", Level: rule.Levels.A2T.String(), What: "the tool is not in the manifest", Why: "every version stays invocable",
		Fix: "restore it, or retire it",
	}}}
}

// folder returns the releases of a tool, nil if there are none. A tool that
// has another name than when it was released is known by its id.
func (r *releases) folder(t *ir.Tool) *history.Tool {
	folder := r.Tool(t.Signature.Name)
	if at := slices.IndexFunc(r.Tools, func(f *history.Tool) bool { return f.ID() == t.Signature.ID }); folder == nil && at >= 0 {
		folder = r.Tools[at]
	}
	if folder == nil || len(folder.Releases) == 0 {
		return nil
	}
	return folder
}

// released is a release of a tool with what was announced of its end, which no
// record of a version holds.
func released(folder *history.Tool, r *history.Record) *compat.Side {
	side := recordSide(r)
	side.Details.Deprecation = folder.Announced()
	return side
}

func recordSide(r *history.Record) *compat.Side {
	return &compat.Side{Signature: r.Signature, Details: *r.Details}
}

// compared returns the difference of two versions, nil if there is none.
func compared(tool string, was, is *compat.Side) *difference {
	changes := compat.Compare(was, is, compat.Options{})
	if len(changes) == 0 {
		return nil
	}
	d := &difference{Tool: tool, From: was.Version(), To: is.Version()}
	for _, ch := range changes {
		d.Breaks = d.Breaks || ch.Level == compat.Error
		d.Changes = append(d.Changes, diffChange{ch.Rule, ch.Place, ch.Level.String(), ch.What, ch.Why, ch.Fix})
	}
	return d
}

// pend says of a difference whether its newer side is a release. What differs
// from the newest one is the next, whatever number the manifest has: a number
// that is taken names something else.
func (d *difference) pend(folder *history.Tool, now *compat.Side) {
	next := folder.Version() + 1
	plan := now.PlanDigest()
	d.Pending = now.Version() >= next || history.Differs(folder.Newest, now) || plan != "" && plan != folder.Newest.Details.Plan
	if d.Pending && now.Version() < next {
		d.To, d.Unraised = next, true
	}
}

// title names the versions and says whether callers break.
func (d *difference) title() string {
	to := fmt.Sprintf("v%d", d.To)
	verdict := "compatible"
	if d.Breaks {
		verdict = "BREAKING"
	}
	switch {
	case d.From == 0 && d.Pending:
		return to + " (pending): new"
	case d.From == 0:
		return to + ": new"
	case d.From == d.To: // what is said of a tool, and no version of it
		return to + ", without a new version: " + verdict
	case d.To == 0:
		to = "nothing"
	}
	switch {
	case d.Unraised:
		to += " (pending, version: not raised)"
	case d.Pending:
		to += " (pending)"
	}
	return fmt.Sprintf("v%d -> %s: %s", d.From, to, verdict)
}

func (c *command) showDifferences(format string, list []difference) error {
	switch format {
	case "json":
		return c.printJSON(list)
	case "markdown":
		if len(list) == 0 {
			c.print("No changes.")
		}
		for i := range list {
			d := &list[i]
			if i > 0 {
				c.print("")
			}
			c.print("### %s %s", diag.MarkdownText(d.Tool), diag.MarkdownText(d.title()))
			if len(d.Changes) > 0 {
				c.print("\n| | where | what |\n|---|---|---|")
			}
			for _, ch := range d.Changes {
				c.print("| %s %s | %s | %s |", ch.Level, ch.Rule, diag.MarkdownText(ch.At), diag.MarkdownText(sayWhy(ch)))
			}
		}
		return nil
	}
	for i := range list {
		d := &list[i]
		c.print("%s %s", diag.Escape(d.Tool), d.title())
		for _, ch := range d.Changes {
			c.print("  %s %-7s %s: %s", sign(ch.Rule), ch.Level, ch.Rule, diag.Escape(sayWhy(ch)))
		}
	}
	return nil
}

func sayWhy(ch diffChange) string {
	if ch.Why == "" {
		return ch.What
	}
	return ch.What + "; " + ch.Why
}

// sign is + for what is new, - for what is gone, ~ for the rest.
func sign(rule string) string {
	switch {
	case strings.Contains(rule, "-added"):
		return "+"
	case strings.Contains(rule, "-removed"):
		return "-"
	}
	return "~"
}
