package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// A place is where a command works: a package folder or its manifest, inside
// the jail that nothing is read from or written outside of.
type place struct {
	// root is the absolute folder of the jail: that of the module, or of the
	// manifest where there is no module.
	root string
	// name is the package folder or manifest as a path inside the jail.
	name string
	// module says that root holds a go.mod.
	module bool
	jail   *os.Root
	// drafted is what the files are taken for, nil for what they are.
	drafted *draft
	// cwd is where the user is: files are named as seen from there.
	cwd string
	// service is what the command runs in, if anything.
	service service
}

// locate finds the place that an argument means; "" is the current folder.
func locate(arg string) (*place, error) {
	if arg == "" {
		arg = "."
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	target, err := filepath.Abs(arg)
	if err != nil {
		return nil, err
	}
	p := &place{cwd: cwd}
	folder := target
	if info, err := os.Stat(target); err == nil && !info.IsDir() {
		folder = filepath.Dir(target)
	} else if err != nil {
		folder = existingParent(target)
	}
	p.root, p.module = moduleRoot(folder)
	inside, err := filepath.Rel(p.root, target)
	if err != nil {
		return nil, err
	}
	p.name = filepath.ToSlash(inside)
	if p.jail, err = os.OpenRoot(p.root); err != nil {
		return nil, unreadable(arg, err)
	}
	return p, nil
}

// moduleRoot returns the nearest folder above dir with a go.mod, or dir.
func moduleRoot(dir string) (root string, module bool) {
	for at := dir; ; {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at, true
		}
		above := filepath.Dir(at)
		if above == at {
			return dir, false
		}
		at = above
	}
}

func existingParent(name string) string {
	for {
		above := filepath.Dir(name)
		if info, err := os.Stat(above); err == nil && info.IsDir() || above == name {
			return above
		}
		name = above
	}
}

// close gives the jail back.
func (p *place) close() { _ = p.jail.Close() }

// shown returns a path of the jail as the user would write it.
func (p *place) shown(name string) string {
	seen, err := filepath.Rel(p.cwd, filepath.Join(p.root, filepath.FromSlash(name)))
	if err != nil {
		return name
	}
	return filepath.ToSlash(seen)
}

// relabel names the files of findings as the user would, in commands that
// fix them too.
func (p *place) relabel(list diag.List) diag.List {
	out := make(diag.List, len(list))
	for i, f := range list {
		f.Fix = p.relabelFix(f.Fix)
		f.Span = p.relabelSpan(f.Span)
		related := make([]diag.Related, len(f.Related))
		for j, r := range f.Related {
			related[j] = diag.Related{Span: p.relabelSpan(r.Span), Text: r.Text}
		}
		f.Related = related
		out[i] = f
	}
	return out
}

var (
	gitPath    = pattern.Of(`( -- | > )([^\s;]+)`)
	ownCommand = pattern.Of(`\bsculpt (release|retire|check|diff|generate)\b`)
)

// relabelFix makes the commands of a fix such that they can be typed where the
// user is: files as seen from there, and the package that is meant.
func (p *place) relabelFix(fix string) string {
	if strings.Contains(fix, "git ") {
		fix = gitPath().ReplaceAllStringFunc(fix, func(text string) string {
			m := gitPath().FindStringSubmatch(text)
			return m[1] + p.shown(m[2])
		})
	}
	if folder := p.shown(p.name); folder != "." {
		fix = ownCommand().ReplaceAllString(fix, "$0 "+strings.ReplaceAll(quoteWords(folder), "$", "$$"))
	}
	return fix
}

func (p *place) relabelSpan(s diag.Span) diag.Span {
	if s.File != "" {
		s.File = p.shown(s.File)
	}
	return s
}

// source returns the text of a file that the user knows by its shown name.
func (p *place) source(shown string) []byte {
	name, err := filepath.Rel(p.root, filepath.Join(p.cwd, filepath.FromSlash(shown)))
	if err != nil {
		return nil
	}
	data, err := fs.ReadFile(newJailFS(p.jail), filepath.ToSlash(name))
	if err != nil {
		return nil // an excerpt is a courtesy
	}
	return data
}

// unreadable is the failure for a path that cannot be used.
func unreadable(name string, err error) error {
	return unable("", "%s", fmt.Sprintf("%q cannot be read: %s", name, diag.Cause(err)))
}

// exists reports whether there is something of that name in the jail.
func (p *place) exists(name string) bool {
	_, err := p.jail.Lstat(name)
	return err == nil
}

// filesBelow lists the files in a folder of the jail and in those below it; none
// if it cannot be read.
func filesBelow(p *place, dir string) []string {
	var out []string
	_ = fs.WalkDir(newJailFS(p.jail), dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, name)
		}
		return nil
	})
	return out
}

// isLink reports whether something of the jail is a symbolic link.
func (p *place) isLink(name string) bool {
	info, err := p.jail.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
