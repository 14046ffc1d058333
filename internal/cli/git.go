package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/pattern"
)

// Bounds of what is read of a repository.
const (
	gitTime   = 2 * time.Minute
	maxListed = 64 << 20
	maxBlob   = 4 << 20
)

// copiesAt reads the records of a package at a commit and where the branch
// began, without a checkout and without the network.
func copiesAt(folder, ref string) (*frontend.Copies, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	r := &repository{ctx: ctx, dir: folder}
	tip, bases, err := r.began(ref)
	if err != nil {
		return nil, err
	}
	digests := map[string]string{}
	c := &frontend.Copies{Target: ref, Ref: bases[0][:12], Base: map[string]string{}, Moved: map[string]string{}}
	if c.Tip, err = r.records(tip, digests); err != nil {
		return nil, err
	}
	// Branches that were merged both ways began at several commits.
	for _, base := range bases {
		records, err := r.records(base, digests)
		if err != nil {
			return nil, err
		}
		moved, err := r.moved(base, records, digests, c.Moved)
		if err != nil {
			return nil, err
		}
		if err := r.leave(records); err != nil {
			return nil, err
		}
		maps.Copy(c.Base, records)
		maps.Copy(c.Base, moved)
	}
	return c, nil
}

// releasesAt reads the history of a package where the branch began, by path from
// the package folder.
func releasesAt(folder, ref string) (map[string][]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	r := &repository{ctx: ctx, dir: folder}
	_, bases, err := r.began(ref)
	if err != nil {
		return nil, err
	}
	objects, err := r.files(bases[0], frontend.HistoryFolder+"/")
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	if err := r.read(slices.Compact(slices.Sorted(maps.Values(objects))), func(object string, data []byte) { contents[object] = data }); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, object := range objects {
		files[name] = contents[object]
	}
	return files, nil
}

// A repository is asked by the git command, from the folder of the package.
type repository struct {
	ctx context.Context
	dir string
}

// command prepares git so that it asks nobody and reads what is recorded and
// nothing else.
func (r *repository) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, "git", args...)
	cmd.Dir = r.dir
	cmd.WaitDelay = time.Second
	// In a hook these variables speak of the repository of the hook.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1")
	return cmd
}

// run returns what git prints; a failure says what git says.
func (r *repository) run(args ...string) (string, error) {
	cmd := r.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &limited{w: &stdout, rest: maxListed}, &limited{w: &stderr, rest: 1 << 16}
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", unable("install git, or leave --against out", "git is not at hand")
	case r.ctx.Err() != nil:
		return "", unable("", "git did not answer within %s", gitTime)
	case err != nil:
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		return "", unable("", "git %s: %s", args[0], said)
	}
	return stdout.String(), nil
}

// limited refuses to write more than rest bytes.
type limited struct {
	w    io.Writer
	rest int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.rest -= len(p); l.rest < 0 {
		return 0, errors.New("the answer is too long")
	}
	return l.w.Write(p)
}

var objectID = pattern.Of(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// commit resolves a name, which git must not take for an option.
func (r *repository) commit(ref string) (string, error) {
	if ref == "" || strings.HasPrefix(ref, "-") || strings.ContainsFunc(ref, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", unable("name a branch, a tag or a commit, such as origin/main", "%q is not the name of a commit", ref)
	}
	if _, err := r.run("rev-parse", "--git-dir"); err != nil {
		return "", err
	}
	out, err := r.run("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if id := strings.TrimSpace(out); err == nil && objectID().MatchString(id) {
		return id, nil
	}
	return "", unable(r.fetch(ref), "this repository has no commit %q", ref)
}

// began resolves a name, and says where the branch of the work tree left it.
func (r *repository) began(ref string) (tip string, bases []string, err error) {
	if tip, err = r.commit(ref); err == nil {
		bases, err = r.bases(tip, ref)
	}
	return tip, bases, err
}

// bases returns the commits where the branch of the work tree began. In a
// shallow clone only a tip that the branch contains is certain to be one.
func (r *repository) bases(tip, ref string) ([]string, error) {
	out, err := r.run("merge-base", "--all", tip, "HEAD")
	bases := slices.DeleteFunc(strings.Fields(out), func(id string) bool { return !objectID().MatchString(id) })
	shallow, _ := r.run("rev-parse", "--is-shallow-repository")
	switch {
	case strings.TrimSpace(shallow) == "true" && !slices.Equal(bases, []string{tip}):
		return nil, unable(r.fetch(ref), "this clone is shallow: where the branch left %q cannot be seen", ref)
	case err != nil || len(bases) == 0:
		return nil, unable("name a commit that the branch comes from", "%q and HEAD have no commit in common", ref)
	}
	return bases, nil
}

// fetch is the command that brings what is missing of a ref.
func (r *repository) fetch(ref string) string {
	words := []string{"git", "fetch"}
	if shallow, _ := r.run("rev-parse", "--is-shallow-repository"); strings.TrimSpace(shallow) == "true" {
		words = append(words, "--unshallow")
	}
	out, _ := r.run("remote")
	remotes := strings.Fields(out)
	slices.SortFunc(remotes, func(a, b string) int { return len(b) - len(a) })
	for _, remote := range remotes {
		if branch, ok := strings.CutPrefix(ref, remote+"/"); ok {
			return quoteWords(append(words, remote, "+refs/heads/"+branch+":refs/remotes/"+ref)...)
		}
	}
	remote := "origin"
	if !slices.Contains(remotes, remote) && len(remotes) > 0 {
		remote = remotes[0]
	}
	switch {
	case len(remotes) == 0:
		return "name a branch, a tag or a commit of this repository: it has no remote to fetch from"
	case r.has(ref):
		return quoteWords(append(words, remote)...)
	case objectID().MatchString(ref):
		return quoteWords(append(words, remote, ref)...)
	}
	return quoteWords(append(words, remote, ref+":"+ref)...)
}

// has reports whether the ref is known.
func (r *repository) has(ref string) bool {
	_, err := r.run("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	return err == nil
}

var plainWord = pattern.Of(`^[A-Za-z0-9_./:@%+=,^~-]+$`)

// quoteWords writes a command to paste into a shell.
func quoteWords(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; !plainWord().MatchString(w) {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// moved returns the records of tools that lay in another package at a commit
// and lie in this one now: a history that moves goes on. They are deleted
// where they were, which from keeps, and the commit has none of the tool here.
func (r *repository) moved(commit string, here, digests, from map[string]string) (map[string]string, error) {
	out, err := r.run("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--diff-filter=D", commit, "--",
		":(top,glob)**/"+frontend.HistoryFolder+"/*/*.json")
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for name := range here {
		known[path.Dir(name)] = true
	}
	objects := map[string]string{}
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		about, file := strings.Fields(fields[i]), fields[i+1]
		name := path.Join(path.Base(path.Dir(file)), path.Base(file))
		tool := path.Dir(name)
		info, err := os.Stat(filepath.Join(r.dir, frontend.HistoryFolder, tool))
		if len(about) == 5 && history.IsRecord(name) && !known[tool] && err == nil && info.IsDir() {
			objects[name], from[name] = about[2], file
		}
	}
	return r.digests(objects, digests)
}

// leave drops the records of tools that lie in another package now, as they were:
// a tool may leave a package with its history. That package is checked by itself.
func (r *repository) leave(records map[string]string) error {
	gone := map[string]bool{}
	for name := range records {
		if _, err := os.Lstat(filepath.Join(r.dir, frontend.HistoryFolder, path.Dir(name))); err != nil {
			gone[name] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	root, err := r.run("rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	out, err := r.run("ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", ":(top,glob)**/"+frontend.HistoryFolder+"/*/*.json")
	if err != nil {
		return err
	}
	for file := range strings.SplitSeq(out, "\x00") {
		name := path.Join(path.Base(path.Dir(file)), path.Base(file))
		if !gone[name] {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), filepath.FromSlash(file))); err == nil && history.DigestOf(data) == records[name] {
			delete(records, name)
		}
	}
	return nil
}

// records returns the digests of the records at a commit. It keeps those of
// the objects that it has read.
func (r *repository) records(commit string, digests map[string]string) (map[string]string, error) {
	out, err := r.run("ls-tree", "-r", "-z", commit, "--", frontend.HistoryFolder+"/")
	if err != nil {
		return nil, err
	}
	objects := map[string]string{}
	for entry := range strings.SplitSeq(out, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		name = strings.TrimPrefix(name, frontend.HistoryFolder+"/")
		words := strings.Fields(about)
		if len(words) != 3 || !history.IsRecord(name) {
			continue
		}
		objects[name] = words[2]
		if words[1] != "blob" || words[0] == "120000" {
			// A link or a module in the place of a record equals no record.
			digests[words[2]] = words[0]
		}
	}
	return r.digests(objects, digests)
}

// files returns the files at a commit below paths that are seen from the folder
// of the package, as their objects. Links and modules are none.
func (r *repository) files(commit string, paths ...string) (map[string]string, error) {
	out, err := r.run(append([]string{"ls-tree", "-r", "-z", commit, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	objects := map[string]string{}
	for entry := range strings.SplitSeq(out, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if words := strings.Fields(about); len(words) == 3 && words[1] == "blob" && words[0] != "120000" {
			objects[name] = words[2]
		}
	}
	return objects, nil
}

// digests replaces objects by the digests of what they hold.
func (r *repository) digests(objects, digests map[string]string) (map[string]string, error) {
	var missing []string
	for _, object := range objects {
		if _, known := digests[object]; !known {
			missing, digests[object] = append(missing, object), ""
		}
	}
	if err := r.read(missing, func(object string, data []byte) { digests[object] = history.DigestOf(data) }); err != nil {
		return nil, err
	}
	for name, object := range objects {
		objects[name] = digests[object]
	}
	return objects, nil
}

// read hands over what objects hold, all in one process.
func (r *repository) read(objects []string, take func(object string, data []byte)) error {
	if len(objects) == 0 {
		return nil
	}
	cmd := r.command("cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(objects, "\n") + "\n")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	in := bufio.NewReaderSize(stdout, 1<<16)
	for _, object := range objects {
		data, err := readObject(in, object)
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return err
		}
		take(object, data)
	}
	return cmd.Wait()
}

// readObject reads one answer of cat-file.
func readObject(in *bufio.Reader, object string) ([]byte, error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, unable("", "git cat-file ended early: %s", err)
	}
	words := strings.Fields(head)
	if len(words) != 3 || words[0] != object || words[1] != "blob" {
		return nil, unable("fetch the whole history: git fetch --refetch", "git does not have the object %s", object)
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size < 0 || size > maxBlob {
		return nil, unable("", "the object %s is too big for a record", object)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, unable("", "git cat-file ended early: %s", err)
	}
	return data[:size], nil
}

// folder is the folder of the package on disk, or the nearest one above that
// exists.
func (p *place) folder() string {
	name := filepath.Join(p.root, filepath.FromSlash(p.name))
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return name
	}
	return existingParent(name)
}
