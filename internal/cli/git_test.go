package cli

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// repositoryOf makes a repository with a package pkg and the given files in
// one commit on main.
func repositoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, link := strings.CutPrefix(text, "-> "); link {
			if err := os.Symlink(target, full); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=v", "-c", "user.email=v@tools.example", "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestCopies(t *testing.T) {
	dir := repositoryOf(t, map[string]string{
		"pkg/history/find/v0001.json": "one\n", "pkg/history/find/v0002.json": "one\n", "pkg/history/find/retired.json": "gone\n",
		"pkg/history/find/v0001.plan.json": "plan", "pkg/history/find/deep/v0001.json": "deep", "pkg/history/v0001.json": "top",
		"pkg/history/a \"b\"\tc/v0001.json": "odd name\n", "pkg/history/link/v0001.json": "-> ../find/v0001.json",
		"history/other/v0001.json": "another package", "pkg/history.json": "x",
	})
	c, err := copiesAt(filepath.Join(dir, "pkg"), "main")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"find/v0001.json": history.DigestOf([]byte("one\n")), "find/v0002.json": history.DigestOf([]byte("one\n")),
		"find/retired.json": history.DigestOf([]byte("gone\n")), "a \"b\"\tc/v0001.json": history.DigestOf([]byte("odd name\n")),
		"link/v0001.json": "120000",
	}
	if len(c.Base) != len(want) || len(c.Tip) != len(want) || len(c.Ref) != 12 {
		t.Errorf("%d %d %q", len(c.Base), len(c.Tip), c.Ref)
	}
	for name, digest := range want {
		if c.Base[name] != digest || c.Tip[name] != digest {
			t.Errorf("%s: %q %q, want %q", name, c.Base[name], c.Tip[name], digest)
		}
	}
}

// Records that were added to the branch and to main after it began are in the
// tip and not in the base.
func TestCopiesOfTwoBranches(t *testing.T) {
	dir := repositoryOf(t, map[string]string{"history/find/v0001.json": "one\n"})
	commit := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "history/find/v0002.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", "-A")
		git(t, dir, "-c", "user.name=v", "-c", "user.email=v@tools.example", "commit", "-q", "-m", text)
	}
	git(t, dir, "checkout", "-q", "-b", "work")
	commit("ours")
	git(t, dir, "checkout", "-q", "main")
	commit("theirs")
	git(t, dir, "checkout", "-q", "work")
	c, err := copiesAt(dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Base) != 1 || len(c.Tip) != 2 || c.Tip["find/v0002.json"] != history.DigestOf([]byte("theirs")) {
		t.Errorf("%v %v", c.Base, c.Tip)
	}
}

// A package that moved takes its history along: records that were left behind
// are missed.
func TestCopiesOfMovedPackage(t *testing.T) {
	dir := repositoryOf(t, map[string]string{
		"old/history/find/v0001.json": "one\n", "old/history/find/v0002.json": "two\n", "old/history/gone/v0001.json": "three\n",
		"stays/history/book/v0001.json": "four\n",
	})
	for _, move := range [][2]string{{"old/history/find/v0001.json", "new/history/find/v0001.json"}, {"stays/history/book/v0001.json", "new/history/book/v0001.json"}} {
		data, err := os.ReadFile(filepath.Join(dir, move[0]))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, move[1])), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, move[1]), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "old")); err != nil {
		t.Fatal(err)
	}
	c, err := copiesAt(filepath.Join(dir, "new"), "main")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"find/v0001.json": history.DigestOf([]byte("one\n")), "find/v0002.json": history.DigestOf([]byte("two\n"))}
	if !maps.Equal(c.Base, want) {
		t.Errorf("got %v, want %v", c.Base, want)
	}
	if c, err = copiesAt(filepath.Join(dir, "stays"), "main"); err != nil || len(c.Base) != 1 {
		t.Errorf("%v %v", c, err)
	}
}

// What cannot be answered is a failure with a way out, and never an empty
// history: that would pass every check.
func TestCopiesFail(t *testing.T) {
	big := repositoryOf(t, map[string]string{"history/find/v0001.json": strings.Repeat("x", maxBlob+1)})
	plain := repositoryOf(t, map[string]string{"history/find/v0001.json": "one\n"})
	lost := repositoryOf(t, map[string]string{"history/find/v0001.json": "one\n"})
	object := ".git/objects/56/26abf0f72e58d7a153368ba57db4c673c0e171" // the blob "one\n"
	if err := os.Remove(filepath.Join(lost, object)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, dir, ref, want string }{
		{"no repository", t.TempDir(), "main", "not a git repository"},
		{"no name", plain, "", "not the name of a commit"},
		{"an option", plain, "-h", "not the name of a commit"},
		{"a long option", plain, "--output=x", "not the name of a commit"},
		{"a line break", plain, "main\nx", "not the name of a commit"},
		{"unknown", plain, "other", `no commit "other"`},
		{"a folder", plain, "main:history", `no commit "main:history"`},
		{"a range", plain, "main..main", `no commit "main..main"`},
		{"a record that is too big", big, "main", "too big for a record"},
		{"an object that is not there", lost, "main", "does not have the object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := copiesAt(c.dir, c.ref)
			if f, ok := errors.AsType[*failure](err); !ok || f.code != exitUnable || !strings.Contains(f.text, c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	t.Setenv("PATH", "")
	if _, err := copiesAt(plain, "main"); err == nil || !strings.Contains(err.Error(), "git is not at hand") {
		t.Errorf("got %v", err)
	}
}

// In a hook git sets variables that speak of another repository.
func TestCopiesIgnoreTheEnvironment(t *testing.T) {
	dir := repositoryOf(t, map[string]string{"history/find/v0001.json": "one\n"})
	t.Setenv("GIT_DIR", repositoryOf(t, nil))
	t.Setenv("GIT_INDEX_FILE", "elsewhere")
	if c, err := copiesAt(dir, "main"); err != nil || len(c.Base) != 1 {
		t.Errorf("%v %v", c, err)
	}
}

func TestFetchCommand(t *testing.T) {
	dir := repositoryOf(t, nil)
	r := &repository{ctx: t.Context(), dir: dir}
	if got := r.fetch("main2"); !strings.Contains(got, "no remote") {
		t.Error(got)
	}
	git(t, dir, "remote", "add", "up", "https://git.example/x")
	git(t, dir, "remote", "add", "up/stream", "https://git.example/y")
	sha := strings.Repeat("ab", 20)
	for ref, want := range map[string]string{
		"up/main":        "git fetch up +refs/heads/main:refs/remotes/up/main",
		"up/stream/main": "git fetch up/stream +refs/heads/main:refs/remotes/up/stream/main",
		"v1":             "git fetch up/stream v1:v1",
		sha:              "git fetch up/stream " + sha,
		"x;$(id)'y":      `git fetch up/stream 'x;$(id)'\''y:x;$(id)'\''y'`,
	} {
		if got := r.fetch(ref); got != want {
			t.Errorf("%s: got %s, want %s", ref, got, want)
		}
	}
}

func TestLimited(t *testing.T) {
	var b bytes.Buffer
	w := &limited{w: &b, rest: 4}
	if _, err := io.WriteString(w, "1234"); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(w, "5"); err == nil || b.String() != "1234" {
		t.Errorf("%v %q", err, b.String())
	}
}
