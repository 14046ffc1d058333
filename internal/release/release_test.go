package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	sample = []entry{{"sculpt/run", 0o755, []byte("program")}, {"sculpt/README.md", 0o644, []byte("page")}}
	moment = time.Date(2026, 11, 21, 12, 0, 2, 0, time.UTC)
)

func TestTarred(t *testing.T) {
	one, err := tarred(sample, moment)
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := tarred(sample, moment.In(time.FixedZone("east", 3600))); !bytes.Equal(one, two) {
		t.Error("two archives of the same files differ")
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(one))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(unpacked)
	for _, want := range sample {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(r)
		if h.Name != want.name || h.Mode != int64(want.mode) || !h.ModTime.Equal(moment) || h.Uid != 0 || h.Uname != "" || string(data) != string(want.data) {
			t.Errorf("%+v %q", h, data)
		}
	}
}

func TestZipped(t *testing.T) {
	one, err := zipped(sample, moment)
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := zipped(sample, moment); !bytes.Equal(one, two) {
		t.Error("two archives of the same files differ")
	}
	r, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.File {
		if f.Name != sample[i].name || f.Mode() != sample[i].mode || !f.Modified.Equal(moment) {
			t.Errorf("%s %s %s", f.Name, f.Mode(), f.Modified)
		}
	}
}

// The form is that of coreutils: two spaces, sorted names.
func TestDigests(t *testing.T) {
	const want = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.zip\n" +
		"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b.tar.gz\n"
	if got := digests(map[string][]byte{"b.tar.gz": []byte("b"), "a.zip": []byte("a")}); got != want {
		t.Error(got)
	}
}

// repository is one with a commit, made at a known time, and works in it.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"CHANGELOG.md": "# Changelog\n\n## v0.1.0 - 2026-11-21\n\n- all\n", "LICENSE": "free\n", "README.md": "# m\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_COMMITTER_DATE", "2026-11-21T12:00:02Z")
	git(t, "init", "--quiet")
	git(t, "add", ".")
	git(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "all")
	return dir
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func checkedOut(t *testing.T, ref string) *source {
	t.Helper()
	commit, err := resolve(context.Background(), ref)
	if err != nil {
		t.Fatal(err)
	}
	s, err := checkOut(context.Background(), commit, filepath.Join(t.TempDir(), "source"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is packed is the commit, whatever lies in the working tree.
func TestCheckOut(t *testing.T) {
	dir := repository(t)
	git(t, "tag", "v0.1.0")
	if err := os.WriteFile("README.md", []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := checkedOut(t, "v0.1.0")
	if s.version != "v0.1.0" || !s.time.Equal(moment) || !strings.HasPrefix(s.goVersion, "go1.") {
		t.Errorf("%+v", s)
	}
	if err := s.announced(); err != nil {
		t.Error(err)
	}
	name, data, err := s.pack(target{"windows", "arm64"}, filepath.Join(dir, "LICENSE"))
	if err != nil || name != "sculpt_v0.1.0_windows_arm64.zip" {
		t.Fatal(name, err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(r.File) != 4 || r.File[0].Name != "sculpt_v0.1.0_windows_arm64/sculpt.exe" {
		t.Fatal(err, r)
	}
	readme, err := r.Open("sculpt_v0.1.0_windows_arm64/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(readme); string(text) != "# m\n" {
		t.Errorf("%q was packed", text)
	}
}

func TestAnnounced(t *testing.T) {
	repository(t)
	s := checkedOut(t, "HEAD")
	if s.version != s.commit[:12] || s.announced() != nil {
		t.Errorf("a commit without a tag: %+v, %v", s, s.announced())
	}
	git(t, "tag", "v0.1.1")
	s = checkedOut(t, "HEAD")
	if err := s.announced(); err == nil || !strings.Contains(err.Error(), `no section "## v0.1.1"`) {
		t.Errorf("%v", err)
	}
}

func TestRefused(t *testing.T) {
	dir := repository(t)
	for want, args := range map[string][]string{
		"is there already":    {"-out", dir},
		"takes one commit":    {"a", "b"},
		"git rev-parse":       {"v9.9.9"},
		"Needed a single rev": {"--", "--all"},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

var pinned = regexp.MustCompile(`(?:sculpt-tools/sculpt(?:/[a-z/]*)?@|rev: )([A-Za-z0-9.]+)`)

// Pages name no version that the changelog does not have: people copy them.
func TestPagesNameNoMissingVersion(t *testing.T) {
	root := filepath.Join("..", "..")
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "action.yml"), filepath.Join(root, ".pre-commit-hooks.yaml"))
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pinned.FindAllSubmatch(text, -1) {
			found++
			if v := string(m[1]); v != "COMMIT" && v != "VERSION" && !hasSection(changelog, v) {
				t.Errorf("%s names %s, which CHANGELOG.md does not know", filepath.Base(page), v)
			}
		}
	}
	if found < 2 {
		t.Errorf("only %d versions were found", found)
	}
}
