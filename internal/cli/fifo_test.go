//go:build unix

package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestNamedPipes: no command waits for a named pipe among the files of a package;
// the first that needs the file refuses it.
func TestNamedPipes(t *testing.T) {
	recipe := filepath.Join(golden.Root(t), "examples", "cookbook", "tables")
	var files []string
	err := fs.WalkDir(os.DirFS(recipe), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	refused := 0
	for _, pipe := range append(files, "history/euro_rate/v0001.json", "history/euro_rate/retired.json", "replay/a.json", "other.go") {
		module := t.TempDir()
		if err := os.CopyFS(filepath.Join(module, "tables"), os.DirFS(recipe)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte("module vendor.example/tools\n\ngo 1.26\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(module, "tables", filepath.FromSlash(pipe))
		_ = os.Remove(name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"lint", "generate --check", "check", "status", "changelog", "diff", "release --dry-run", "export openai", "generate"} {
			args := append(strings.Fields(command), filepath.Join(module, "tables"))
			done := make(chan string, 1)
			go func() {
				var out bytes.Buffer
				Main(args, strings.NewReader(""), &out, &out, os.LookupEnv)
				done <- out.String()
			}()
			select {
			case out := <-done:
				if strings.Contains(out, "not a regular file") {
					refused++
				}
			case <-time.After(time.Minute): // nobody waits that long for a command of a second
				t.Fatalf("%s waits for %s", command, pipe)
			}
		}
	}
	if refused < 20 {
		t.Errorf("only %d commands refuse a pipe", refused)
	}
}
