package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// A draft is a file system with files that are not written yet, and without
// some that will be removed.
type draft struct {
	fs.FS
	files map[string][]byte
	gone  []string
}

// Open implements fs.FS.
func (d *draft) Open(name string) (fs.File, error) {
	if data, ok := d.files[name]; ok {
		return &draftFile{bytes.NewReader(data), draftInfo{path.Base(name), len(data), false}}, nil
	}
	for _, file := range slices.AppendSeq(slices.Clone(d.gone), maps.Keys(d.files)) {
		if strings.HasPrefix(file, name+"/") {
			// Who wants the names in the folder asks ReadDir.
			return &draftFile{bytes.NewReader(nil), draftInfo{path.Base(name), 0, true}}, nil
		}
	}
	if slices.Contains(d.gone, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return d.FS.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (d *draft) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(d.FS, name)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(d.gone, path.Join(name, e.Name())) })
	seen := map[string]bool{}
	for _, e := range entries {
		seen[e.Name()] = true
	}
	below := name + "/"
	if name == "." {
		below = ""
	}
	found := false
	for file, data := range d.files {
		rest, ok := strings.CutPrefix(file, below)
		if !ok {
			continue
		}
		found = true
		first, _, isDir := strings.Cut(rest, "/")
		if !seen[first] {
			seen[first] = true
			entries = append(entries, fs.FileInfoToDirEntry(draftInfo{first, len(data), isDir}))
		}
	}
	if found && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// noFiles is a file system without files.
type noFiles struct{}

// Open implements fs.FS.
func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// A draftFile is an open file of a draft.
type draftFile struct {
	*bytes.Reader
	info draftInfo
}

// Close implements fs.File.
func (f *draftFile) Close() error { return nil }

// Stat implements fs.File.
func (f *draftFile) Stat() (fs.FileInfo, error) { return f.info, nil }

type draftInfo struct {
	name string
	size int
	dir  bool
}

// Name implements fs.FileInfo.
func (i draftInfo) Name() string { return i.name }

// Size implements fs.FileInfo.
func (i draftInfo) Size() int64 { return int64(i.size) }

// Mode implements fs.FileInfo.
func (i draftInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// ModTime implements fs.FileInfo.
func (i draftInfo) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (i draftInfo) IsDir() bool { return i.dir }

// Sys implements fs.FileInfo.
func (i draftInfo) Sys() any { return nil }
