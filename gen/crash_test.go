package gen

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A faultyDisk does something else than it should at one of its operations.
type faultyDisk struct {
	*os.Root
	left int
	// fault happens when left operations are over; its error, if it returns,
	// is that of the operation.
	fault func(op string) error
}

func (d *faultyDisk) step(op string) error {
	d.left--
	if d.left >= 0 {
		return nil
	}
	return d.fault(op)
}

func (d *faultyDisk) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if flag&os.O_CREATE == 0 {
		return d.Root.OpenFile(name, flag, perm)
	}
	if err := d.step("create"); err != nil {
		if full, openErr := os.OpenFile("/dev/full", os.O_WRONLY, 0); openErr == nil {
			empty, _ := d.Root.Create(name) // there is room for a name, and for nothing in it
			empty.Close()
			return full, nil
		}
		return nil, err
	}
	return d.Root.OpenFile(name, flag, perm)
}

func (d *faultyDisk) Mkdir(name string, perm fs.FileMode) error {
	if err := d.step("mkdir"); err != nil {
		return err
	}
	return d.Root.Mkdir(name, perm)
}

func (d *faultyDisk) Rename(from, to string) error {
	if err := d.step("rename"); err != nil {
		return err
	}
	return d.Root.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.step("remove"); err != nil {
		return err
	}
	return d.Root.Remove(name)
}

// killed is what ends a process in the middle.
type killed struct{}

// writeUntil writes and is killed before operation k; done says that it came to
// its end.
func writeUntil(b *box, k int, files []File) (done bool) {
	defer func() {
		if p := recover(); p != nil && p != any(killed{}) {
			panic(p)
		}
	}()
	_, err := Write(&faultyDisk{b.root, k, func(string) error { panic(killed{}) }}, files, nil)
	return err == nil
}

// before has one file of each fate, and after what becomes of it: changed,
// new, removed and kept, in exports, among the Go files and in the history.
func before() []File {
	return fresh("exports/a2t/x.v1.json", "{\"a\":1}\n", "exports/docs/gone.md", "# gone\n", "exports/docs/x.md", "# x\n",
		"tool_gone_gen.go", goFile, "tools_gen.go", goFile)
}

func after() []File {
	return append(fresh("exports/a2t/x.v1.json", "{\"a\":2}\n", "exports/a2t/y.v1.json", "{\"b\":1}\n", "exports/docs/x.md", "# x\n",
		"tool_new_gen.go", goFile, "tools_gen.go", goFile+"\n// More.\n"),
		File{"history/find/v0001.json", []byte("record")}, File{"history/find/v0001.plan.json", []byte("plan")},
		File{"history/find/examples/v0001-x.json", []byte("example")})
}

func files(content map[string]string) map[string]string {
	content = maps.Clone(content)
	maps.DeleteFunc(content, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	return content
}

// TestKilled stops a Write before each of its operations, with nothing that
// could take back. Every file is then whole, old or new, no record is without
// its plan and examples, and each of three commands that may come next finds
// nothing in its way: the same one, the one before, and one after an edit.
func TestKilled(t *testing.T) {
	edited := fresh("exports/a2t/x.v1.json", "{\"a\":3}\n", "exports/a2t/y.v1.json", "{\"b\":3}\n", "tools_gen.go", goFile+"\n// Other.\n")
	wholes := map[string]map[string]bool{}
	for _, list := range [][]File{before(), after()} {
		for _, f := range list {
			if wholes[f.Name] == nil {
				wholes[f.Name] = map[string]bool{}
			}
			wholes[f.Name][string(f.Data)] = true
		}
	}
	k := 0
	for done := false; !done; k++ {
		for name, next := range map[string][]File{"again": after(), "undone": before(), "edited": edited} {
			b := newBox(t)
			b.write(before())
			done = writeUntil(b, k, after())
			for file, data := range files(b.content()) {
				if file != indexPath && !temporary.MatchString(path.Base(file)) && !wholes[file][data] {
					t.Fatalf("killed before operation %d: %s holds %q", k, file, data)
				}
			}
			content := b.content()
			if content["history/find/v0001.json"] != "" && (content["history/find/v0001.plan.json"] == "" || content["history/find/examples/v0001-x.json"] == "") {
				t.Fatalf("killed before operation %d: there is a record without its evidence", k)
			}
			if _, code := content["tool_new_gen.go"]; code && content["history/find/v0001.json"] == "" {
				t.Fatalf("killed before operation %d: there is code without the record", k)
			}
			if _, err := Write(b.root, next, nil); err != nil {
				t.Fatalf("killed before operation %d, then %s: %s", k, name, err)
			}
			got := files(b.content())
			want := map[string]string{}
			for _, f := range next {
				want[f.Name] = string(f.Data)
			}
			for file := range got {
				if strings.HasPrefix(file, "history/") {
					want[file] = got[file] // no Write removes anything there
				}
				if temporary.MatchString(path.Base(file)) {
					t.Errorf("killed before operation %d, then %s: %s is left over", k, name, file)
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("killed before operation %d, then %s: got\n%v\nwant\n%v", k, name, got, want)
			}
		}
	}
	if k < 30 {
		t.Errorf("there were %d operations only", k)
	}
}

// TestFullDisk has no room from one operation on, and TestRefusedMove refuses
// one move: what was there is there, and nothing else.
func TestFullDisk(t *testing.T) {
	full := func(op string) error {
		if op == "create" || op == "mkdir" {
			return syscall.ENOSPC
		}
		return nil
	}
	everyFault(t, full, syscall.ENOSPC)
}

func TestRefusedMove(t *testing.T) {
	once := false
	everyFault(t, func(op string) error {
		if op != "rename" || once {
			return nil
		}
		once = true
		return syscall.EIO
	}, syscall.EIO, &once)
}

func everyFault(t *testing.T, fault func(string) error, want syscall.Errno, reset ...*bool) {
	t.Helper()
	failed := 0
	for k := range 200 {
		for _, r := range reset {
			*r = false
		}
		b := newBox(t)
		b.write(before())
		b.put("mine.txt", "mine")
		was := b.content()
		changed, err := Write(&faultyDisk{b.root, k, fault}, after(), nil)
		if err == nil {
			break
		}
		failed++
		if changed != nil || !strings.Contains(err.Error(), want.Error()) {
			t.Errorf("operation %d: %v, %v", k, changed, err)
		}
		if now := b.content(); !maps.Equal(now, was) {
			t.Errorf("operation %d: the folder changed from\n%v\nto\n%v", k, was, now)
		}
	}
	if failed < 8 {
		t.Errorf("%d operations failed", failed)
	}
}

// TestPut leaves no half of a file, and nothing else, whatever fails.
func TestPut(t *testing.T) {
	for k := range 3 {
		b := newBox(t)
		b.put("broken_gen.go", "old")
		was := b.content()
		err := Put(&faultyDisk{b.root, k, func(op string) error {
			if op == "remove" {
				return nil
			}
			return syscall.ENOSPC
		}}, File{"broken_gen.go", []byte(goFile)})
		if k < 2 {
			b.same(was)
		}
		if (err == nil) != (k == 2) || k == 2 && b.content()["broken_gen.go"] != goFile {
			t.Errorf("operation %d: %v, %v", k, err, b.content())
		}
	}
}

// TestSweep removes temporary files of ours alone, and wherever they may be.
func TestSweep(t *testing.T) {
	b := newBox(t)
	ours := ".sculpt-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, name := range []string{ours, "exports/a2t/" + ours, "history/find/examples/" + ours} {
		b.put(name, "x")
	}
	others := []string{".sculpt-mine", "x" + ours, ours + ".txt", "replay/" + ours, "sub/exports/" + ours}
	for _, name := range others {
		b.put(name, "x")
	}
	b.put(filepath.Join("exports", ours+"2", "x"), "x")
	Sweep(b.root)
	left := slices.Sorted(maps.Keys(files(b.content())))
	want := slices.Concat(others, []string{"exports/" + ours + "2/x"})
	slices.Sort(want)
	if fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("left %v, want %v", left, want)
	}
}
