package cli

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func TestJailFS(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"secret": "s", "jail/a/b/one": "1", "jail/a/two": "2"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(filepath.Join(dir, "jail"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	fsys := newJailFS(root)
	if err := fstest.TestFS(fsys, "a/b/one", "a/two"); err != nil {
		t.Error(err)
	}
	sub, err := fs.Sub(fsys, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(sub, "b/one", "two"); err != nil {
		t.Error(err)
	}
	// Nothing outside can be reached, through a link neither.
	for link, target := range map[string]string{"jail/a/out": "../../secret", "jail/up": "..", "jail/a/over": "../a/two"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"out", "over", "../two", "/two"} {
		if _, err := fs.ReadFile(sub, name); err == nil {
			t.Errorf("%q was read", name)
		}
	}
	for _, name := range []string{"up", "..", "a/two", "nowhere"} {
		if s, err := fs.Sub(fsys, name); err == nil {
			t.Errorf("%q was opened: %v", name, s)
		}
	}
	if err := sub.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(sub, "two"); err == nil {
		t.Error("a closed folder was read")
	}
}
