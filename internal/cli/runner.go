package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/templates"
)

var goFiles = template.Must(template.ParseFS(templates.Go, "go/*.tmpl"))

// A runner is a package compiled together with a driver. Both exist in a
// temporary folder only: the compiler sees the generated files and the driver
// through an overlay, as if they stood in the vendor's module.
type runner struct {
	dir, program string
}

// slowBuild is the time after which people want to know what is going on.
const slowBuild = silence

// build compiles a package. The caller removes the runner.
func (s *session) build(ctx context.Context, p *project) (*runner, error) {
	if !p.at.module {
		return nil, unable("run: go mod init example.com/tools && go get "+modulePath,
			"%s belongs to no Go module: there is no go.mod above it", p.at.shown(p.Dir))
	}
	dir, err := os.MkdirTemp("", "sculpt-")
	if err != nil {
		return nil, err
	}
	r := &runner{dir: dir, program: filepath.Join(dir, "sculpt_run")}
	if err := s.compile(ctx, p, r); err != nil {
		r.remove()
		return nil, err
	}
	return r, nil
}

// remove deletes everything that the runner consists of.
func (r *runner) remove() { _ = os.RemoveAll(r.dir) }

func (s *session) compile(ctx context.Context, p *project, r *runner) error {
	module, err := s.modulePath(ctx, p.at)
	if err != nil {
		return err
	}
	folder := filepath.Join(p.at.root, filepath.FromSlash(p.Dir))
	driver := freeFolder(folder)
	importPath := module
	if p.Dir != "." {
		importPath += "/" + p.Dir
	}
	o := overlayOf(p, r.dir)
	var main bytes.Buffer
	if err := goFiles.ExecuteTemplate(&main, "driver.go.tmpl", struct{ ImportPath string }{importPath}); err != nil {
		return err
	}
	o.add(filepath.Join(folder, driver, "main.go"), main.Bytes())
	file, err := o.save()
	if err != nil {
		return err
	}
	// Stamping the build would run a version control system.
	args := []string{"build", "-buildvcs=false", "-overlay", file, "-o", r.program}
	if args, err = s.spareModule(args, p.at, r.dir); err != nil {
		return err
	}
	target := "./" + strings.TrimPrefix(p.Dir+"/", "./") + driver
	_, err = s.goCommand(ctx, p.at.root, append(args, target)...)
	return err
}

// spareModule gives a build that may change go.mod a copy of it: compiling for
// a preview changes nothing of the vendor's.
func (s *session) spareModule(args []string, at *place, dir string) ([]string, error) {
	if flags, _ := s.lookup("GOFLAGS"); !strings.Contains(flags, "-mod=mod") {
		return args, nil
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := fs.ReadFile(newJailFS(at.jail), name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(args, "-modfile", filepath.Join(dir, "go.mod")), nil
}

// freeFolder returns a name that no folder of the package has.
func freeFolder(folder string) string {
	name := "sculpt_run"
	for n := 2; ; n++ {
		if _, err := os.Lstat(filepath.Join(folder, name)); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = "sculpt_run" + strconv.Itoa(n)
	}
}

func (s *session) modulePath(ctx context.Context, at *place) (string, error) {
	out, err := s.goCommand(ctx, at.root, "mod", "edit", "-json")
	if err != nil {
		return "", err
	}
	var mod struct{ Module struct{ Path string } }
	if err := json.Unmarshal(out, &mod); err != nil || mod.Module.Path == "" {
		return "", unable("", "%s names no module", at.shown("go.mod"))
	}
	return mod.Module.Path, nil
}

// A target is what a program is built for; the zero value is this machine.
type target struct{ goos, goarch string }

// env is the environment of a build, nil for that of sculpt. Nothing of the machine
// that builds for others gets in.
func (t target) env() []string {
	if t == (target{}) {
		return nil
	}
	return append(os.Environ(), "GOOS="+t.goos, "GOARCH="+t.goarch, "CGO_ENABLED=0")
}

func (s *session) goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return s.goFor(ctx, target{}, dir, args...)
}

// goFor runs the go command and returns its output. What it says about a
// failure is shown as it is, line by line.
func (s *session) goFor(ctx context.Context, t target, dir string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = t.env()
	done := make(chan error, 1)
	go func() { done <- cmd.Run() }()
	var err error
	select {
	case err = <-done:
	case <-time.After(slowBuild):
		s.proceed("compiling the package")
		err = <-done
	}
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, errInterrupted
	case errors.Is(err, exec.ErrNotFound):
		return nil, unable("install Go and put it into PATH", "the go command is not there")
	}
	for text := range strings.Lines(stderr.String()) {
		fmt.Fprintln(s.stderr, diag.Escape(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\t", "    ")))
	}
	hint, what := "", "go "+args[0]+" refused"
	if args[0] == "build" {
		what = "the package does not compile"
	}
	if strings.Contains(stderr.String(), "provides package "+modulePath) || strings.Contains(stderr.String(), "missing go.sum entry") {
		hint = "run: go get " + modulePath + "/cmd/sculpt && go mod tidy"
	}
	return nil, unable(hint, "%s", what)
}

// An overlay is what "go build -overlay" reads.
type overlay struct {
	dir     string
	Replace map[string]string
	err     error
}

// overlayOf shows the files that are generated of a package now, whatever is in its
// folder.
func overlayOf(p *project, dir string) *overlay {
	folder := filepath.Join(p.at.root, filepath.FromSlash(p.Dir))
	o := &overlay{dir: dir, Replace: map[string]string{}}
	for _, f := range p.files {
		o.add(filepath.Join(folder, filepath.FromSlash(f.Name)), f.Data)
	}
	o.err = errors.Join(o.err, regularFiles(p.at, p.Dir))
	o.hide(folder)
	return o
}

// regularFiles refuses a package with a file that the go command would wait for.
func regularFiles(at *place, dir string) error {
	files := newJailFS(at.jail)
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return unreadable(at.shown(dir), err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if err := frontend.Regular(files.rootedFS, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unreadable(at.shown(name), err)
		}
	}
	return nil
}

// add shows data to the compiler as the file name.
func (o *overlay) add(name string, data []byte) {
	real := filepath.Join(o.dir, "f"+strconv.Itoa(len(o.Replace)))
	if err := os.WriteFile(real, data, 0o600); err != nil && o.err == nil {
		o.err = err
	}
	o.Replace[name] = real
}

// frozenPrefix begins the names of the Go files that releases write.
const frozenPrefix = "released_"

// generatedMark is how a generated Go file begins.
var generatedMark = []byte("// Code generated by sculpt")

// hide removes the generated files of tools that are gone. Those that releases
// froze stay: the code is compiled against them.
func (o *overlay) hide(folder string) {
	old, _ := filepath.Glob(filepath.Join(folder, "*_gen.go")) // the pattern is right
	for _, name := range old {
		if _, fresh := o.Replace[name]; fresh || strings.HasPrefix(filepath.Base(name), frozenPrefix) {
			continue
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if data, err := os.ReadFile(name); err == nil && bytes.HasPrefix(data, generatedMark) {
			o.Replace[name] = ""
		}
	}
}

func (o *overlay) save() (string, error) {
	if o.err != nil {
		return "", o.err
	}
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	name := filepath.Join(o.dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}
