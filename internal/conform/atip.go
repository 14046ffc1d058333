package conform

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An atipTalk is what a program says of itself.
type atipTalk struct {
	// file is the name of the program's file.
	file                   string
	whole, depth, commands *exchange
	// asked is the command that commands asked for.
	asked string
}

// programTime bounds one run of a program.
const programTime = 10 * time.Second

// Program judges a program by ATIP. It is run with --agent, and with the flags
// that go with it once it has answered, each time in an empty folder that is its
// home. An error means that it could not be started.
func Program(ctx context.Context, path string) (*Report, error) {
	found, err := exec.LookPath(path)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return nil, err
	}
	var r recording
	recordATIP(func(args ...string) *exchange { return run(ctx, found, args) }, filepath.Base(found), &r)
	if x := r.atip.whole; x.err != nil && !errors.Is(x.err, context.DeadlineExceeded) {
		return nil, x.err
	}
	return judge("atip", path, atipRows, &r), nil
}

// recordATIP asks for everything, and then for parts of it.
func recordATIP(ask func(args ...string) *exchange, file string, r *recording) {
	t := &atipTalk{file: strings.TrimSuffix(file, ".exe"), whole: ask("--agent")}
	r.atip = t
	commands := slices.Sorted(maps.Keys(object(t.whole.object()["commands"])))
	if len(commands) == 0 || t.whole.status != 0 {
		return // what does not know --agent is given no other flags
	}
	t.asked = commands[0]
	t.depth = ask("--agent", "--depth=1")
	t.commands = ask("--agent", "--commands="+t.asked)
}

// run runs a program and looks at what it leaves in its folder.
func run(ctx context.Context, path string, args []string) *exchange {
	x := &exchange{key: strings.Join(args, " ")}
	dir, err := os.MkdirTemp("", "conform")
	if err != nil {
		x.err = err
		return x
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out, talk bounded
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &out, &talk, time.Second
	cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir)
	err = cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		x.err = err
	}
	if ctx.Err() != nil {
		x.err = ctx.Err()
	}
	if cmd.ProcessState != nil {
		x.status = cmd.ProcessState.ExitCode()
	}
	x.body, x.talk = out.Bytes(), talk.String()
	x.doc = parse(x.body)
	x.left = filesIn(dir)
	return x
}

// bounded keeps the beginning of what is written.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, largestAnswer-b.Len()))])
	return len(p), nil
}

// filesIn lists what is in a folder.
func filesIn(dir string) []string {
	var names []string
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error { // what cannot be listed was not there before
		if path != dir {
			names = append(names, strings.TrimPrefix(path, dir+string(filepath.Separator)))
		}
		return err
	})
	return names
}

// An entry is a part of the description and where it is.
type entry struct {
	at string
	m  map[string]any
}

// all walks over the commands, nested ones after their parents.
func (t *atipTalk) all() []entry {
	var list []entry
	var walk func(at string, commands map[string]any)
	walk = func(at string, commands map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(commands)) {
			c := object(commands[name])
			list = append(list, entry{at + name, c})
			walk(at+name+" ", object(c["commands"]))
		}
	}
	walk("", object(t.whole.object()["commands"]))
	return list
}

// members are the elements of a list of every command; the list of the root has
// another name.
func (t *atipTalk) members(list, ofRoot string) []entry {
	var all []entry
	add := func(where, name string, v any) {
		for i, e := range array(v) {
			all = append(all, entry{where + at(name, i), object(e)})
		}
	}
	if root := t.whole.object(); ofRoot != "" {
		add("", ofRoot, root[ofRoot])
	}
	for _, c := range t.all() {
		add(c.at+": ", list, c.m[list])
	}
	return all
}
