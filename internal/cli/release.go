package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

func releaseFlags() []cli.Flag {
	return append(formatFlags(), &cli.StringFlag{Name: "tool"}, &cli.StringFlag{Name: "date"}, &cli.BoolFlag{Name: "dry-run"},
		&cli.BoolFlag{Name: "renumber"}, &cli.StringFlag{Name: "against"})
}

// runRelease freezes the pending versions: it adds a record for each to the
// history and generates the package that serves them. The package is compiled
// against the promises that the release freezes, and answers the examples of
// all releases, before anything is written; then all is written, or nothing.
func runRelease(c *command) error {
	format, err := c.format(formats...)
	if err != nil {
		return err
	}
	r := &releaser{command: c, date: cmp.Or(c.String("date"), today()), files: map[string][]byte{}}
	if c.Bool("renumber") {
		err = r.renumber()
	} else {
		r.p, err = c.load(c.Args().First(), frontend.AsOf(r.date))
	}
	if err != nil {
		return err
	}
	defer r.p.at.close()
	outcome := r.run()
	if outcome != nil && !errors.Is(outcome, errFound) {
		return outcome
	}
	return cmp.Or(r.report(format), outcome)
}

// run makes the release and writes it.
func (r *releaser) run() error {
	if r.p.findings.HasErrors() {
		return errFound
	}
	tools, err := r.pending(r.p)
	if err != nil {
		return err
	}
	if r.rivals != nil {
		tools = slices.DeleteFunc(tools, func(t *ir.Tool) bool { return r.rivals[r.folder(t)] == nil })
	}
	r.announce()
	if len(tools)+len(r.files) == 0 {
		return r.again()
	}
	if err := r.stage(tools); err != nil {
		return err
	}
	changed, err := r.probed()
	if err != nil {
		return err
	}
	r.p.findings = append(r.p.findings, append(changed, r.unpinned(tools)...)...).Sorted()
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		r.added = append(r.added, r.p.at.shown(name))
	}
	err = r.write()
	if r.written && r.rivals != nil {
		r.tellRivals(tools)
	}
	return err
}

// report shows the findings and lists what was added: after them where a
// person reads it or a service keeps the log, in the document where that is
// JSON, and as talk where the form of the document has no place for it.
func (r *releaser) report(format string) error {
	if format == "json" {
		added := append([]string{}, r.added...)
		return r.printJSON(struct {
			*diag.Report
			Files   []string `json:"files"`
			Written bool     `json:"written"`
		}{diag.NewReport(r.p.findings), added, r.written})
	}
	if err := r.p.show(r.stdout, format); err != nil {
		return err
	}
	for _, name := range r.added {
		switch format {
		case "sarif", "junit":
			r.say("%s", name)
		case "markdown":
			r.print("- %s", diag.Escape(name))
		default:
			r.print("%s", name)
		}
	}
	return nil
}

// again finishes a release that was killed after its records, and writes frozen
// files that are missing, or that another version of sculpt wrote: the records
// say what is in them.
func (r *releaser) again() error {
	r.after = r.p
	r.p.freeze(r.p.Anchors())
	folder, err := r.p.at.jail.OpenRoot(r.p.Dir)
	if err != nil {
		return unreadable(r.p.at.shown(r.p.Dir), err)
	}
	defer folder.Close()
	for _, f := range r.p.files {
		data, err := folder.ReadFile(f.Name)
		fresh := err == nil && bytes.Equal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), f.Data)
		if !fresh && gen.IsFrozen(f.Name) {
			r.added = append(r.added, r.p.at.shown(path.Join(r.p.Dir, f.Name)))
		}
	}
	changes, err := gen.Diff(newJailFS(folder), r.p.sealed())
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		r.say("nothing to release: raise version: of a tool first")
		if !r.Bool("dry-run") {
			r.p.tidy(diskOf(folder))
		}
		return nil
	}
	if err := r.try(); err != nil {
		return err
	}
	return r.write()
}

// pending returns the tools with a version that is not released yet.
func (c *command) pending(p *project) ([]*ir.Tool, error) {
	wanted, found := c.String("tool"), false
	var tools []*ir.Tool
	for _, t := range p.Program.Tools {
		if wanted != "" && t.Signature.Name != wanted {
			continue
		}
		found = true
		if t.Signature.Version > newestRelease(t) {
			tools = append(tools, t)
		}
	}
	if !found {
		return nil, unable("name a tool of the manifest", "there is no tool %q", wanted)
	}
	return tools, nil
}

func newestRelease(t *ir.Tool) int {
	if len(t.Released) == 0 {
		return 0
	}
	return t.Released[len(t.Released)-1].Version
}

// A releaser makes a release in memory.
type releaser struct {
	*command
	p    *project
	date string
	// files are what a release adds to the history, by their paths.
	files map[string][]byte
	// rivals are the tools that are released again because another branch took
	// their number, by the names of their folders; nil if all are released.
	rivals map[string]*rival
	// after is the package with the release.
	after *project
	// added are files as the user names them; written says that they are there.
	added   []string
	written bool
}

// stage makes and tries everything that a release writes.
func (r *releaser) stage(tools []*ir.Tool) error {
	examples, err := r.record(tools)
	if err != nil {
		return err
	}
	for _, t := range tools {
		plan, findings := r.p.Plan(r.p.at.fs(), t.Signature.Name)
		if plan == nil {
			return r.refuse(r.p.at.relabel(findings))
		}
		kept := history.Evidence{Plan: plan, Examples: examples[t.Signature.Name]}
		record, err := r.p.History.Next(r.p.Side(t), r.p.Options(frontend.AsOf(r.date)), r.day(t), kept)
		if err != nil {
			return unable("", "%s", err)
		}
		r.files[record.Name] = record.Data
	}
	for folder, attributes := range map[string]string{"": gen.Attributes, frontend.HistoryFolder: history.Attributes} {
		name := path.Join(r.p.Dir, folder, gen.AttributesName)
		if _, missing := r.p.at.jail.Stat(name); errors.Is(missing, fs.ErrNotExist) {
			r.files[name] = []byte(attributes)
		}
	}
	r.after = generate(&draft{r.p.at.fs(), r.files, r.p.leftovers}, r.p.at.name, r.p.at)
	r.after.leftovers = r.p.leftovers
	if r.after.findings.HasErrors() {
		return r.refuse(r.after.findings)
	}
	r.after.givenUp = r.p.givenUp
	r.after.freeze(r.after.Anchors())
	return r.try()
}

// announce records what the manifest says of the end of released tools. It is
// about all versions, so it needs no new one.
func (r *releaser) announce() {
	for _, t := range r.p.Program.Tools {
		if wanted := r.String("tool"); wanted != "" && t.Signature.Name != wanted || r.rivals != nil && r.rivals[r.folder(t)] == nil {
			continue
		}
		if f, changed := r.p.History.Announce(r.p.Side(t), r.day(t)); changed {
			r.files[f.Name] = f.Data
		}
	}
}

// folder is the folder of a tool in the history.
func (r *releaser) folder(t *ir.Tool) string {
	if of := r.p.History.Of(t.Signature); of != nil {
		return of.Name
	}
	return t.Signature.Name
}

// refuse ends a release for what was found in it.
func (r *releaser) refuse(findings diag.List) error {
	r.p.findings, r.added = append(r.p.findings, findings...), nil
	r.say("nothing was written")
	return errFound
}

// try compiles the package with the release and calls the examples of all
// releases.
func (r *releaser) try() error {
	answers, err := r.rehearse(r.after, r.after.History.Examples(r.after.Sides()))
	if err != nil {
		return err
	}
	findings := r.after.History.Rehearse(r.after.Sides(), func(e *history.Example) ([]byte, error) {
		a := answers[e.Tool+"/"+e.Name]
		if a.Text != "" {
			return nil, errors.New(a.Text)
		}
		return a.Answer, nil
	})
	if findings.HasErrors() {
		return r.refuse(r.p.at.relabel(findings))
	}
	return nil
}

// record calls the examples of the manifest and keeps what came of it, by
// tool. Examples that nothing was recorded for are left out.
func (r *releaser) record(tools []*ir.Tool) (map[string][]*history.Example, error) {
	var examples []*history.Example
	for _, t := range tools {
		for i, e := range t.Signature.Examples {
			examples = append(examples, &history.Example{
				Name: strconv.Itoa(i), Tool: t.Signature.Name, Version: t.Signature.Version, Goal: e.Goal, Inputs: []byte(plainJSON(e.Inputs)),
			})
		}
	}
	if folder, err := r.p.replay(); err != nil || folder == "" || len(examples) == 0 {
		return nil, err
	}
	answers, err := r.rehearse(r.p, examples)
	if err != nil {
		return nil, err
	}
	kept := map[string][]*history.Example{}
	for _, e := range examples {
		a := answers[e.Tool+"/"+e.Name]
		if a.Text != "" {
			r.say("the example %q of %s is not kept: %s", e.Goal, e.Tool, a.Text)
			continue
		}
		e.Answer, e.Exchanges = a.Answer, a.Exchanges
		// Steps that run at once finish in any order.
		slices.SortStableFunc(e.Exchanges, func(a, b json.RawMessage) int { return strings.Compare(string(a), string(b)) })
		kept[e.Tool] = append(kept[e.Tool], e)
	}
	return kept, nil
}

// rehearse compiles a package and calls examples, from their own recorded
// answers and those in replay. Answers are by tool and name.
func (r *releaser) rehearse(p *project, examples []*history.Example) (map[string]event, error) {
	ctx, stop := interrupted()
	defer stop()
	program, err := r.build(ctx, p)
	if err != nil {
		return nil, err
	}
	defer program.remove()
	answers := map[string]event{}
	if len(examples) == 0 {
		return answers, nil // that it compiles was worth knowing
	}
	j := &job{Mode: "rehearse", Examples: examples}
	if err := r.upstreams(p, j, false); err != nil {
		return nil, err
	}
	for _, e := range p.Program.Env {
		j.Env[e.Name] = e.Default == nil // what is set on this computer must not matter
	}
	child, err := r.start(program, j)
	if err != nil {
		return nil, err
	}
	for _, e := range examples {
		answer, ok := child.next()
		if !ok || answer.Event != "rehearsed" {
			_ = child.stop()
			return nil, unable("", "the examples could not be called: %s", cmp.Or(answer.Text, "the program ended"))
		}
		answers[e.Tool+"/"+e.Name] = answer
	}
	return answers, child.stop()
}

// write puts everything in its place, or nothing.
func (r *releaser) write() error {
	if r.Bool("dry-run") {
		r.say("nothing was written")
		return nil
	}
	for name, data := range r.files {
		if name = r.p.inside(name); !gen.IsFrozen(name) {
			r.after.files = append(r.after.files, gen.File{Name: name, Data: data})
			if r.rivals != nil { // of before, and the manifest
				r.after.givenUp = append(r.after.givenUp, name)
			}
		}
	}
	err := r.command.write(r.after)
	r.written = err == nil
	return err
}
