// Package golden holds what tests over generated code share: a throw-away
// module that replaces this one, and the runner of the txtar corpus.
//
// It is imported by tests only.
package golden

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Root returns the folder of this module.
func Root(t testing.TB) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("no caller information")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// A Module is a throw-away Go module outside of this one that uses it by a
// replace line, without any network.
type Module struct {
	Dir string
	t   testing.TB
}

// NewModule makes an empty module vendor.example/tools.
func NewModule(t testing.TB) *Module {
	t.Helper()
	m := &Module{Dir: t.TempDir(), t: t}
	m.Write("go.mod", "module vendor.example/tools\n\ngo 1.26\n\nrequire github.com/sculpt-tools/sculpt v0.0.0\n\n"+
		"replace github.com/sculpt-tools/sculpt => "+Root(t)+"\n")
	return m
}

// Write writes a file; folders are made.
func (m *Module) Write(name, data string) {
	m.t.Helper()
	path := filepath.Join(m.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// Go runs the go command in the module and returns what it printed on stdout;
// text on stderr belongs to the error.
func (m *Module) Go(args ...string) (string, error) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.Dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), &exitError{args, stderr.String(), err}
	}
	return stdout.String(), nil
}

type exitError struct {
	args   []string
	stderr string
	err    error
}

func (e *exitError) Error() string {
	return "go " + strings.Join(e.args, " ") + ": " + e.err.Error() + "\n" + e.stderr
}

func (e *exitError) Unwrap() error { return e.err }

// Shared returns the folder of the shared test data, and skips the test where
// there is none.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv("SCULPT_SHARED")
	if dir == "" {
		t.Skip("SCULPT_SHARED is not set: the shared test data is not at hand")
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

// Documents lists the OpenAPI documents of the shared test data.
func Documents(t testing.TB, shared fs.FS) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"openapi/*.json", "openapi/*.yaml", "openapi/*/*.yaml"} {
		found, err := fs.Glob(shared, pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 30 {
		t.Fatalf("only %d documents", len(files))
	}
	return files
}
