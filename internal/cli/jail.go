package cli

import (
	"io/fs"
	"os"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// A jailFS is the file system of a jail. Its subfolders are jails again: a
// path from the root of the jail is opened part by part for every file, which
// is most of the work where there are many, as in a history.
type jailFS struct {
	rootedFS
	root *os.Root
}

// rootedFS is what the file system of an [os.Root] can do.
type rootedFS interface {
	fs.StatFS
	fs.ReadFileFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

func newJailFS(root *os.Root) *jailFS { return &jailFS{root.FS().(rootedFS), root} }

// Open implements fs.FS.
func (j *jailFS) Open(name string) (fs.File, error) {
	if err := frontend.Regular(j.rootedFS, name); err != nil {
		return nil, err
	}
	return j.rootedFS.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (j *jailFS) ReadFile(name string) ([]byte, error) {
	if err := frontend.Regular(j.rootedFS, name); err != nil {
		return nil, err
	}
	return j.rootedFS.ReadFile(name)
}

// fs returns the file system of the jail, with what is drafted in it.
func (p *place) fs() fs.FS {
	if p.drafted != nil {
		return p.drafted
	}
	return newJailFS(p.jail)
}

// Sub implements fs.SubFS. The result has a method Close.
func (j *jailFS) Sub(dir string) (fs.FS, error) {
	root, err := j.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &subFS{jailFS: *newJailFS(root)}, nil
}

// A subFS is a folder that somebody opened and closes.
type subFS struct{ jailFS }

// Close implements io.Closer.
func (s *subFS) Close() error { return s.root.Close() }
