package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
)

// A watchedDisk takes a picture before everything that it does: what a process
// that is killed there leaves.
type watchedDisk struct {
	*os.Root
	picture func()
}

func (d watchedDisk) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	d.picture()
	return d.Root.OpenFile(name, flag, perm)
}

func (d watchedDisk) Mkdir(name string, perm fs.FileMode) error {
	d.picture()
	return d.Root.Mkdir(name, perm)
}

func (d watchedDisk) Rename(from, to string) error {
	d.picture()
	return d.Root.Rename(from, to)
}

func (d watchedDisk) Remove(name string) error {
	d.picture()
	return d.Root.Remove(name)
}

// A vendor is a module with the package places.
type vendor struct {
	t   *testing.T
	dir string
}

func newVendor(t *testing.T) *vendor {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	v := &vendor{t, t.TempDir()}
	if err := vendorModule(root, v.dir); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *vendor) run(verb string, args ...string) {
	v.t.Helper()
	var out bytes.Buffer
	line := append([]string{verb, filepath.Join(v.dir, "places")}, args...)
	if code := Main(line, strings.NewReader(""), &out, &out, noEnv); code != 0 {
		v.t.Fatalf("%s %v: exit code %d:\n%s", verb, args, code, &out)
	}
}

// files returns the files of the package.
func (v *vendor) files() map[string]string {
	v.t.Helper()
	all := map[string]string{}
	fsys := os.DirFS(filepath.Join(v.dir, "places"))
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		all[name] = string(data)
		return err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return all
}

// restore makes the package what it was in a picture.
func (v *vendor) restore(files map[string]string) {
	v.t.Helper()
	dir := filepath.Join(v.dir, "places")
	if err := os.RemoveAll(dir); err != nil {
		v.t.Fatal(err)
	}
	for name, data := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			v.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			v.t.Fatal(err)
		}
	}
}

func (v *vendor) same(want map[string]string, after string) {
	v.t.Helper()
	got := v.files()
	if maps.Equal(got, want) {
		return
	}
	for name := range want {
		if got[name] != want[name] {
			v.t.Errorf("%s: %s is\n%s\nwant\n%s", after, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			v.t.Errorf("%s: %s is left over", after, name)
		}
	}
}

// picturesOf returns what each kill of a release leaves, without two that have
// the same files: those under temporary names count for little.
func (v *vendor) picturesOf(args ...string) []map[string]string {
	v.t.Helper()
	var pictures []map[string]string
	last := map[string]string{}
	diskOf = func(root *os.Root) gen.Disk {
		return watchedDisk{root, func() {
			whole := v.files()
			seen := maps.Clone(whole)
			maps.DeleteFunc(seen, func(name, _ string) bool { return strings.HasPrefix(filepath.Base(name), ".sculpt-") })
			if !maps.Equal(seen, last) {
				pictures, last = append(pictures, whole), seen
			}
		}}
	}
	defer func() { diskOf = func(root *os.Root) gen.Disk { return root } }()
	v.run("release", args...)
	return pictures
}

// git runs git in the vendor's repository.
func (v *vendor) git(args ...string) {
	v.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=v", "-c", "user.email=v@vendor.example"}, args...)...)
	cmd.Dir = v.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		v.t.Fatalf("git %v: %s", args, out)
	}
}

// releaseOn releases the second version on a branch, with words of its own.
func (v *vendor) releaseOn(branch, words string) {
	v.t.Helper()
	v.git("checkout", "-q", "-b", branch, "main")
	name := filepath.Join(v.dir, "places/sculpt.yaml")
	manifest := strings.ReplaceAll(v.files()["sculpt.yaml"], "version: 1", "version: 2")
	if err := os.WriteFile(name, []byte(strings.Replace(manifest, "description: Find", "description: "+words+" Find", 1)), 0o644); err != nil {
		v.t.Fatal(err)
	}
	v.run("release", "--date", "2026-11-22")
	v.git("add", "-A")
	v.git("commit", "-q", "-m", "Release on "+branch)
}

// TestKilledRenumber kills a release that gets another number at every one of its
// steps: the next one ends with the very files of one that was not killed.
func TestKilledRenumber(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	for name, value := range map[string]string{"GOPROXY": "off", "GOFLAGS": goFlags, "GOWORK": "off", "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	v := newVendor(t)
	v.git("init", "-q", "-b", "main")
	v.run("release", "--date", "2026-11-21")
	v.git("add", "-A")
	v.git("commit", "-q", "-m", "Release")
	v.releaseOn("theirs", "Theirs.")
	v.releaseOn("ours", "Ours.")
	again := []string{"--renumber", "--against", "theirs"}
	pictures := v.picturesOf(again...)
	want := v.files()
	if len(pictures) < 10 || want["history/find_place/v0003.json"] == "" || !strings.Contains(want["history/find_place/v0002.json"], "Theirs.") {
		t.Fatalf("%d pictures of %v", len(pictures), slices.Sorted(maps.Keys(historyOf(want))))
	}
	for _, picture := range pictures {
		v.restore(picture)
		v.run("release", again...)
		v.same(want, "after another release")
		if t.Failed() {
			t.FailNow()
		}
	}
}

func historyOf(files map[string]string) map[string]string {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(name, _ string) bool {
		return !strings.HasPrefix(name, "history/") || strings.Contains(name, ".sculpt-")
	})
	return files
}

// TestKilledRelease kills the first release of a package, and the second, at
// every one of its steps. Whatever command comes next finds the package sound,
// and a release ends with the very files of one that was not killed.
func TestKilledRelease(t *testing.T) {
	for name, value := range map[string]string{"GOPROXY": "off", "GOFLAGS": goFlags, "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	v := newVendor(t)
	v.run("generate")
	for _, date := range []string{"2026-11-21", "2026-11-22"} {
		pictures := v.picturesOf("--date", date)
		want := v.files()
		if len(pictures) < 10 {
			t.Errorf("%s: %d pictures", date, len(pictures))
		}
		last := map[string]string(nil)
		for _, picture := range pictures {
			v.restore(picture)
			for _, verb := range []string{"lint", "status", "check", "generate"} {
				v.run(verb)
			}
			v.run("generate", "--check")
			generated := v.files()
			if history := historyOf(picture); !maps.Equal(history, last) {
				last = history
				v.run("release", "--date", date)
				v.same(want, date+" after generate and release")
				v.restore(picture)
				v.run("release", "--date", date)
				v.same(want, date+" after release")
			} else if maps.Equal(historyOf(generated), historyOf(want)) {
				v.restore(generated)
				v.same(want, date+" after generate")
			}
			if t.Failed() {
				t.FailNow()
			}
		}
		v.restore(want)
		manifest := strings.ReplaceAll(want["sculpt.yaml"], "version: 1", "version: 2")
		if err := os.WriteFile(filepath.Join(v.dir, "places/sculpt.yaml"), []byte(manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		v.run("generate")
	}
}
