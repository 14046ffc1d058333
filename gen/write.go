package gen

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Write brings a package folder up to date and returns the names of the files
// that it wrote or removed, sorted. Files that are equal are not touched.
//
// It writes over nothing that is not ours: Go files without our header, files
// that exports/index.json does not list or that differ from it, symbolic links.
// Then, as after any other error, the folder is as it was before.
func Write(root *os.Root, files []File) (changed []string, err error) {
	all, err := changes(root.FS(), files)
	if err != nil {
		return nil, err
	}
	var foreign []error
	for _, c := range all {
		foreign = append(foreign, c.foreign)
		changed = append(changed, c.name)
	}
	if err := errors.Join(foreign...); err != nil {
		return nil, err
	}
	// The index comes last: after a crash it still describes older files, and
	// files that are fresh need no index.
	slices.SortStableFunc(all, func(a, b change) int { return rank(a) - rank(b) })
	if err := apply(root, all); err != nil {
		return nil, err
	}
	return changed, nil
}

func rank(c change) int {
	if c.name == indexPath {
		return 1
	}
	return 0
}

// apply writes all new contents beside their files, and only then moves them
// into place. After an error it takes everything back.
func apply(root *os.Root, all []change) (err error) {
	w := &disk{root: root}
	defer func() {
		if err != nil {
			w.undo()
		}
	}()
	temps := make([]string, len(all))
	for i, c := range all {
		if c.stale {
			continue
		}
		if temps[i], err = w.stage(c.name, c.data, c.mode); err != nil {
			return err
		}
	}
	for i, c := range all {
		if err = w.commit(c, temps[i]); err != nil {
			return err
		}
	}
	for _, c := range all {
		if dir := path.Dir(c.name); c.stale && dir != "." {
			_ = root.Remove(dir) // succeeds only for an empty folder
		}
	}
	return nil
}

// A disk knows how to take back what it did.
type disk struct {
	root *os.Root
	back []func()
}

func (w *disk) undo() {
	for _, f := range slices.Backward(w.back) {
		f()
	}
}

// stage writes data under a temporary name in the folder of the file. The name
// starts with a dot, so that no embed pattern and no compiler sees it.
func (w *disk) stage(name string, data []byte, mode fs.FileMode) (temp string, err error) {
	if err := w.folders(path.Dir(name)); err != nil {
		return "", err
	}
	temp = path.Join(path.Dir(name), ".sculpt-"+rand.Text())
	f, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	// Once it has been moved there is nothing left to remove.
	w.back = append(w.back, func() { _ = w.root.Remove(temp) })
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return temp, nil
}

// folders makes a folder and those above it.
func (w *disk) folders(dir string) error {
	if dir == "." {
		return nil
	}
	if err := w.folders(path.Dir(dir)); err != nil {
		return err
	}
	err := w.root.Mkdir(dir, 0o755)
	if err == nil {
		w.back = append(w.back, func() { _ = w.root.Remove(dir) })
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// commit moves a staged file into place, or removes a stale one.
func (w *disk) commit(c change, temp string) error {
	var err error
	if c.stale {
		err = w.root.Remove(c.name)
	} else {
		err = w.root.Rename(temp, c.name)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", c.name, err)
	}
	w.back = append(w.back, func() { w.restore(c) })
	return nil
}

// restore does what it can: it runs because the disk refused something else.
func (w *disk) restore(c change) {
	if !c.exists {
		_ = w.root.Remove(c.name)
		return
	}
	if temp, err := w.stage(c.name, c.old, c.mode); err == nil {
		_ = w.root.Rename(temp, c.name)
	}
}
