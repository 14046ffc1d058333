package tool

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Documents is the file system of the documents in a file that generated packages
// embed: a JSON object whose members are named after files, each on a line. What it
// cannot read as such a line is not there.
func Documents(bundle string) fs.FS {
	var b bundled
	for line := range strings.Lines(bundle) {
		name, text, ok := strings.Cut(strings.TrimRight(line, ",\n"), `": `)
		name, quoted := strings.CutPrefix(name, `"`)
		if ok && quoted && fs.ValidPath(name) {
			b = append(b, entry{name, text})
		}
	}
	slices.SortFunc(b, func(a, o entry) int { return strings.Compare(a.path, o.path) })
	return b
}

// bundled are documents, sorted by their paths.
type bundled []entry

// An entry is a document, or a folder: that has no text.
type entry struct{ path, text string }

func (e entry) Name() string { return path.Base(e.path) }

func (e entry) Size() int64 {
	if e.IsDir() {
		return 0
	}
	return int64(len(e.text) + len("\n"))
}

func (e entry) Mode() fs.FileMode {
	if e.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (e entry) IsDir() bool                { return e.text == "" }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

// find returns a document, or a folder with what is in it.
func (b bundled) find(op, name string) (e entry, below []fs.DirEntry, err error) {
	if !fs.ValidPath(name) {
		return entry{}, nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	i, found := slices.BinarySearchFunc(b, name, func(e entry, name string) int { return strings.Compare(e.path, name) })
	if found {
		return b[i], nil, nil
	}
	last := ""
	for _, one := range b {
		rest, in := strings.CutPrefix(one.path, name+"/")
		if name == "." {
			rest, in = one.path, true
		}
		first, _, deeper := strings.Cut(rest, "/")
		if !in || first == last {
			continue
		}
		if last = first; deeper {
			one = entry{path: path.Join(name, first)}
		}
		below = append(below, one)
	}
	if below == nil && name != "." {
		return entry{}, nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return entry{path: name}, below, nil
}

// Open opens a document or a folder.
func (b bundled) Open(name string) (fs.File, error) {
	e, below, err := b.find("open", name)
	if err != nil {
		return nil, err
	}
	return &opened{entry: e, text: strings.NewReader(e.text + "\n"), below: below}, nil
}

// ReadFile returns a document.
func (b bundled) ReadFile(name string) ([]byte, error) {
	e, _, err := b.find("read", name)
	if err == nil && e.IsDir() {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	return append([]byte(e.text), '\n'), nil
}

// opened is a document or a folder that is being read.
type opened struct {
	entry
	text  *strings.Reader
	below []fs.DirEntry
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.entry, nil }
func (o *opened) Close() error               { return nil }

func (o *opened) Read(p []byte) (int, error) {
	if o.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: o.path, Err: fs.ErrInvalid}
	}
	return o.text.Read(p)
}

func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	if !o.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: o.path, Err: fs.ErrInvalid}
	}
	if n <= 0 || n > len(o.below) {
		if n > 0 && len(o.below) == 0 {
			return nil, io.EOF
		}
		n = len(o.below)
	}
	list := o.below[:n]
	o.below = o.below[n:]
	return list, nil
}
