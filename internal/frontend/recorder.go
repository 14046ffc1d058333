package frontend

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"slices"
)

// A recorder notes the digest of every file that is read to its end: only so
// are documents known that other documents refer to.
type recorder struct {
	fsys    fs.FS
	digests map[string]string
}

func newRecorder(fsys fs.FS) *recorder { return &recorder{fsys, map[string]string{}} }

// Regular refuses what is neither a file nor a folder, nor a link to one: to open a
// named pipe waits until somebody writes to it.
func Regular(fsys fs.StatFS, name string) error {
	info, err := fsys.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
	}
	return err
}

// Open opens a file for recorded reading.
func (r *recorder) Open(name string) (fs.File, error) {
	if fsys, ok := r.fsys.(fs.StatFS); ok {
		if err := Regular(fsys, name); err != nil {
			return nil, err
		}
	}
	f, err := r.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return &recordedFile{File: f, name: name, sum: sha256.New(), to: r}, nil
}

func (r *recorder) list() []File {
	var files []File
	for name, digest := range r.digests {
		files = append(files, File{name, digest})
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

type recordedFile struct {
	fs.File
	name string
	sum  hash.Hash
	// held says that a carriage return was read, which counts unless a line
	// feed follows: version control systems put them there on some computers.
	held bool
	to   *recorder
}

func (f *recordedFile) add(p []byte) {
	for len(p) > 0 {
		if f.held && p[0] != '\n' {
			f.sum.Write([]byte{'\r'})
		}
		text, rest, found := bytes.Cut(p, []byte{'\r'})
		f.sum.Write(text)
		p, f.held = rest, found
	}
}

// Read reads and, at the end, notes the digest.
func (f *recordedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.add(p[:n])
	if errors.Is(err, io.EOF) {
		if f.held {
			f.sum.Write([]byte{'\r'})
			f.held = false
		}
		f.to.digests[f.name] = hex.EncodeToString(f.sum.Sum(nil))
	}
	return n, err
}
