package cli

import (
	"path"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// A releases is the history of a package without its manifest: what is
// released is in the records alone.
type releases struct {
	at *place
	// dir is the package folder.
	dir string
	*history.History
}

// releases reads the history that an argument means. A history with findings
// tells nothing: they are shown, and the run ends. The caller closes the
// place.
func (c *command) releases(arg string) (*releases, error) {
	at, err := c.locate(arg)
	if err != nil {
		return nil, err
	}
	dir := at.name
	info, err := at.jail.Stat(at.name)
	switch {
	case err != nil:
		at.close()
		return nil, unreadable(arg, err)
	case !info.IsDir():
		dir = path.Dir(at.name)
	}
	h, findings := history.Read(at.fs(), path.Join(dir, frontend.HistoryFolder))
	if findings.HasErrors() {
		defer at.close()
		if err := at.show(c.stderr, "text", at.relabel(findings)); err != nil {
			return nil, err
		}
		return nil, errFound
	}
	return &releases{at, dir, h}, nil
}

// tools returns the tools with releases: all of them, or the one of that name.
func (r *releases) tools(name string) ([]*history.Tool, error) {
	if name == "" {
		return r.Tools, nil
	}
	if t := r.Tool(name); t != nil {
		return []*history.Tool{t}, nil
	}
	return nil, unable("sculpt status lists the tools", "no release of %q is recorded", name)
}

// record reads a release whole.
func (r *releases) record(t *history.Tool, version int) (*history.Record, error) {
	record, findings := r.Record(t.Name, version)
	switch {
	case record != nil:
		return record, nil
	case len(findings) > 0:
		return nil, notFound(r.at.relabel(findings))
	}
	return nil, unable("", "v%d of %q is not released", version, t.Name)
}
