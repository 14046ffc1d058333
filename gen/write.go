package gen

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// A Disk is the package folder that is written to; an [os.Root] is one.
type Disk interface {
	FS() fs.FS
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(oldname, newname string) error
	Remove(name string) error
}

// Write brings a package folder up to date and returns the names of the files
// that it wrote or removed, sorted. Files that are equal are not touched.
//
// It writes over nothing that is not ours: Go files without our header, files
// that exports/index.json does not list or that differ from it, symbolic links.
// Then, as after any other error, the folder is as it was before.
//
// All contents, and copies of those that they replace, are on the disk before
// the first file is moved into place, so that neither a full disk nor taking
// back needs room. A process that is killed leaves files that are old or new,
// each of them whole, and a record of the history never without what it has
// digests of: the next Write goes on from there.
//
// Where go generate runs us for a directive, no file that it still has to read
// is removed; see [Directive]. Otherwise the directive is nil.
//
// Free are files that nobody generates and that are given up all the same: they
// are written over, or removed if there is no new content for them.
func Write(to Disk, files []File, d *Directive, free ...string) (changed []string, err error) {
	Sweep(to)
	all, err := changes(to.FS(), files)
	if err != nil {
		return nil, err
	}
	if all, err = givenUp(to.FS(), all, files, free); err != nil {
		return nil, err
	}
	var foreign []error
	todo := all[:0]
	for _, c := range all {
		if !d.keep(&c) {
			continue
		}
		todo = append(todo, c)
		foreign = append(foreign, c.foreign)
		changed = append(changed, c.name)
	}
	if err := errors.Join(foreign...); err != nil {
		return nil, err
	}
	if err := apply(to, inTurns(todo)); err != nil {
		return nil, err
	}
	return changed, nil
}

// givenUp completes changes with those of files that are given up.
func givenUp(fsys fs.FS, all []change, files []File, free []string) ([]change, error) {
	f := &folder{fsys: fsys}
	for i := range all {
		if slices.Contains(free, all[i].name) {
			all[i].foreign, all[i].free = nil, true
		}
	}
	for _, name := range free {
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			continue
		}
		c, err := f.read(name)
		if err != nil {
			return nil, err
		}
		if c.stale = c.exists; c.exists {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b change) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// Put writes one file, whole or not at all, and leaves the others alone.
func Put(to Disk, f File) error {
	w := &writer{Disk: to}
	temp, err := w.put(f.Name, f.Data, 0o644)
	if err == nil {
		err = w.Rename(temp, f.Name)
	}
	if err != nil {
		w.undo()
	}
	return err
}

// The turns in which files are moved into place. The record of a release is its
// commit point: what lies before it is undone by the next command, what comes
// after it is generated again.
const (
	indexTurn = iota
	evidenceTurn
	recordTurn
	generatedTurn
	lastTurn
)

// inTurns sorts changes by their turns. The index is written twice: while
// exports change it lists both what they were and what they will be, so that
// after a crash none of them looks as if somebody had edited it.
func inTurns(all []change) []change {
	var out []change
	for _, c := range all {
		below, inHistory := strings.CutPrefix(c.name, history.Folder+"/")
		switch {
		case c.name == indexPath:
			out = append(out, twice(c)...)
			continue
		case c.name == AttributesName, c.free && !inHistory: // nothing would write it again
			c.turn = evidenceTurn
		case !inHistory:
			c.turn = generatedTurn
		case history.IsRecord(below):
			c.turn = recordTurn
		default:
			c.turn = evidenceTurn
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b change) int { return a.turn - b.turn })
	return out
}

func twice(c change) []change {
	both := c
	both.turn, both.data = indexTurn, merged(c.old, c.data)
	c.turn = lastTurn
	switch {
	case bytes.Equal(both.data, c.data):
		return []change{both}
	case bytes.Equal(both.data, unified(c.old)):
		return []change{c}
	}
	c.exists, c.old = true, both.data
	return []change{both, c}
}

// apply writes all new contents beside their files, and only then moves them
// into place. After an error it takes everything back.
func apply(to Disk, all []change) (err error) {
	w := &writer{Disk: to}
	defer func() {
		if err != nil {
			w.undo()
		}
	}()
	moves := make([]move, len(all))
	for i, c := range all {
		if moves[i], err = w.stage(c); err != nil {
			return err
		}
	}
	for i, m := range moves {
		if i > 0 && m.turn != moves[i-1].turn {
			w.settle(all[:i])
		}
		if err = w.commit(m); err != nil {
			return err
		}
	}
	w.settle(all)
	for _, m := range moves {
		if m.kept != "" {
			_ = to.Remove(m.kept)
		}
		if dir := path.Dir(m.name); m.stale && dir != "." {
			_ = to.Remove(dir) // succeeds only for an empty folder
		}
	}
	return nil
}

// A writer knows how to take back what it did.
type writer struct {
	Disk
	back []func()
}

func (w *writer) undo() {
	for _, f := range slices.Backward(w.back) {
		f()
	}
}

// A move is a change that is on the disk under other names: temp has the new
// content, kept what it replaces.
type move struct {
	change
	temp, kept string
}

// stage puts a change on the disk.
func (w *writer) stage(c change) (m move, err error) {
	m.change = c
	if c.stale {
		m.kept = temporaryName(c.name)
		return m, nil
	}
	if m.temp, err = w.put(c.name, c.data, c.mode); err == nil && c.exists {
		m.kept, err = w.put(c.name, c.old, c.mode)
	}
	return m, err
}

// temporaryName is a new name in the folder of a file. It starts with a dot, so
// that no embed pattern and no compiler sees the file.
func temporaryName(name string) string { return path.Join(path.Dir(name), ".sculpt-"+rand.Text()) }

var temporary = regexp.MustCompile(`^\.sculpt-[A-Z2-7]{26}$`)

// Sweep removes what a process that was killed left under temporary names.
func Sweep(in Disk) {
	for _, dir := range []string{".", exportsFolder, history.Folder} {
		_ = fs.WalkDir(in.FS(), dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || dir == "." && name != "." && d.IsDir():
				return fs.SkipDir
			case d.Type().IsRegular() && temporary.MatchString(d.Name()):
				_ = in.Remove(name)
			}
			return nil
		})
	}
}

// put writes data under a temporary name in the folder of the file.
func (w *writer) put(name string, data []byte, mode fs.FileMode) (string, error) {
	if err := w.folders(path.Dir(name)); err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	temp := temporaryName(name)
	f, err := w.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	// Once it has been moved there is nothing left to remove.
	w.back = append(w.back, func() { _ = w.Remove(temp) })
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return temp, nil
}

// folders makes a folder and those above it.
func (w *writer) folders(dir string) error {
	if dir == "." {
		return nil
	}
	if err := w.folders(path.Dir(dir)); err != nil {
		return err
	}
	err := w.Mkdir(dir, 0o755)
	if err == nil {
		w.back = append(w.back, func() { _ = w.Remove(dir) })
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// commit moves a staged file into place, or a stale one away.
func (w *writer) commit(m move) error {
	from, to := m.temp, m.name
	if m.stale {
		from, to = m.name, m.kept
	}
	if err := w.Rename(from, to); err != nil {
		return fmt.Errorf("%s cannot be written: %w", m.name, err)
	}
	w.back = append(w.back, func() {
		if m.exists {
			_ = w.Rename(m.kept, m.name)
		} else {
			_ = w.Remove(m.name)
		}
	})
	return nil
}

// settle sees to it that what was moved so far stays moved if the power goes.
// Not every system can do that for a folder; a kill needs none of it.
func (w *writer) settle(moved []change) {
	done := map[string]bool{}
	for _, c := range moved {
		dir := path.Dir(c.name)
		if done[dir] {
			continue
		}
		done[dir] = true
		if f, err := w.OpenFile(dir, os.O_RDONLY, 0); err == nil {
			_ = f.Sync()
			_ = f.Close()
		}
	}
}
