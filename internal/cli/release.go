package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/sculpt"
	"github.com/sculpt-tools/sculpt/sculpt/history"
	"github.com/sculpt-tools/sculpt/sculpt/ir"
)

func releaseFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "tool"}, &cli.StringFlag{Name: "date"}, &cli.BoolFlag{Name: "dry-run"}}
}

// runRelease freezes the pending versions: it adds a record for each to the
// history and generates the package that serves them. Nothing stays written if
// any of that fails.
func runRelease(c *command) error {
	date := cmp.Or(c.String("date"), today())
	p, err := c.loadOn(c.Args().First(), date)
	if err != nil {
		return err
	}
	defer p.at.close()
	if err := p.show(c.stdout, "text"); err != nil {
		return err
	}
	if p.findings.HasErrors() {
		return errFound
	}
	records, err := c.pending(p, date)
	if err != nil {
		return err
	}
	for _, r := range records {
		c.print("%s", p.at.shown(r.Name))
	}
	switch {
	case len(records) == 0:
		c.say("nothing to release: raise version: of a tool first")
		return nil
	case c.Bool("dry-run"):
		c.say("nothing was written")
		return nil
	}
	return c.freeze(p, records)
}

// pending makes the records of the versions that are not released yet.
func (c *command) pending(p *project, date string) ([]history.File, error) {
	wanted, found := c.String("tool"), false
	var records []history.File
	for _, t := range p.Program.Tools {
		if wanted != "" && t.Signature.Name != wanted {
			continue
		}
		found = true
		if t.Signature.Version <= newestRelease(t) {
			continue
		}
		r, err := p.History.Next(sculpt.Side(t), p.Options(date), date)
		if err != nil {
			return nil, unable("", "%s", err)
		}
		records = append(records, r)
	}
	if !found {
		return nil, unable("name a tool of the manifest", "there is no tool %q", wanted)
	}
	return records, nil
}

func newestRelease(t *ir.Tool) int {
	if len(t.Released) == 0 {
		return 0
	}
	return t.Released[len(t.Released)-1].Version
}

// freeze writes the records and the package that belongs to them, or takes the
// records back.
func (c *command) freeze(p *project, records []history.File) (err error) {
	var written []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range written {
			_ = p.at.jail.Remove(name)
		}
	}()
	attributes := path.Join(p.Dir, sculpt.HistoryFolder, ".gitattributes")
	if _, missing := p.at.jail.Stat(attributes); errors.Is(missing, fs.ErrNotExist) {
		records = append(records, history.File{Name: attributes, Data: []byte(history.Attributes)})
	}
	for _, r := range records {
		if err := addFile(p.at.jail, r.Name, r.Data); err != nil {
			return unreadable(p.at.shown(r.Name), err)
		}
		written = append(written, r.Name)
	}
	after := generate(p.at.jail.FS(), p.at.name, p.at, "")
	if after.findings.HasErrors() {
		_ = after.show(c.stdout, "text")
		return errFound
	}
	frozen, err := gen.Freeze(after.Program, after.Anchors())
	if err != nil {
		return err
	}
	after.files = append(after.files, frozen...)
	return c.write(after)
}

// addFile writes a file that must not exist yet: it appears whole or not at
// all.
func addFile(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	if _, err := root.Lstat(name); err == nil {
		return fs.ErrExist
	}
	temp := name + ".tmp"
	if err := root.WriteFile(temp, data, 0o666); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		_ = root.Remove(temp)
		return err
	}
	return nil
}
