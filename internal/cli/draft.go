package cli

import (
	"bytes"
	"io/fs"
	"path"
	"time"
)

// A draft is a file system with one file that is not written yet.
type draft struct {
	fs.FS
	name string
	data []byte
}

// Open implements fs.FS.
func (d *draft) Open(name string) (fs.File, error) {
	if name != d.name {
		return d.FS.Open(name)
	}
	return &draftFile{Reader: bytes.NewReader(d.data), d: d}, nil
}

// A draftFile is the open draft and its own fs.FileInfo.
type draftFile struct {
	*bytes.Reader
	d *draft
}

// Close implements fs.File.
func (f *draftFile) Close() error { return nil }

// Stat implements fs.File.
func (f *draftFile) Stat() (fs.FileInfo, error) { return draftInfo{f.d}, nil }

type draftInfo struct{ d *draft }

// Name implements fs.FileInfo.
func (i draftInfo) Name() string { return path.Base(i.d.name) }

// Size implements fs.FileInfo.
func (i draftInfo) Size() int64 { return int64(len(i.d.data)) }

// Mode implements fs.FileInfo.
func (i draftInfo) Mode() fs.FileMode { return 0o644 }

// ModTime implements fs.FileInfo.
func (i draftInfo) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (i draftInfo) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (i draftInfo) Sys() any { return nil }
