package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A rival is a tool of which two branches released the same number. What the
// target branch released is taken as it is; what this branch released is dropped
// and released again.
type rival struct {
	tool string
	// theirs are the files of the tool on the target branch, own those that lie
	// here and are not among them; both by their paths in the jail.
	theirs map[string][]byte
	own    []string
	// version and day are those of the newest own release, 0 and "" if none is
	// left.
	version int
	day     string
}

// renumber loads the package as it is when each rival has the releases of the
// target branch, and the manifest the number that follows them.
func (r *releaser) renumber() error {
	at, err := r.locate(r.Args().First())
	if err != nil {
		return err
	}
	if err := r.takeOver(at); err != nil {
		at.close()
		return err
	}
	if r.p, err = at.load(frontend.AsOf(r.date)); err != nil {
		return err
	}
	for _, one := range r.rivals {
		r.p.take(one)
	}
	return nil
}

// takeOver drafts what the rivals are replaced by.
func (r *releaser) takeOver(at *place) error {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	repo := &repository{ctx: ctx, dir: at.folder()}
	ref, err := repo.target(r.String("against"))
	if err != nil {
		return err
	}
	dir, _, findings := frontend.Locate(at.fs(), at.name)
	if findings.HasErrors() {
		return notFound(at.relabel(findings))
	}
	if r.rivals, err = repo.rivals(at, dir, ref); err != nil {
		return err
	}
	if name := r.String("tool"); name != "" {
		maps.DeleteFunc(r.rivals, func(tool string, _ *rival) bool { return tool != name })
	}
	if len(r.rivals) == 0 {
		return unable("", "no tool has another release here than %s under the same number", ref)
	}
	d := &draft{FS: at.fs(), files: r.files}
	for _, one := range r.rivals {
		maps.Copy(r.files, one.theirs)
		d.gone = append(d.gone, one.own...)
	}
	at.drafted = d
	return r.raise(at)
}

// raise writes into the manifest the number that each rival gets: the one after
// those of the target branch, or the newest of these where nothing differs.
func (r *releaser) raise(at *place) error {
	p, _ := frontend.Load(at.fs(), at.name) // what is wrong is reported when all is drafted
	if p.Program == nil || p.History == nil {
		return nil
	}
	for _, t := range p.Program.Tools {
		folder := p.History.Of(t.Signature)
		if folder == nil || folder.Newest == nil || r.rivals[folder.Name] == nil {
			continue
		}
		side, number := p.Side(t), folder.Version()
		if plan := side.PlanDigest(); history.Differs(folder.Newest, side) || plan != "" && plan != folder.Newest.Details.Plan {
			number++
		}
		if t.Signature.Version == number {
			continue
		}
		if err := r.rewrite(at, p, t, number); err != nil {
			return err
		}
	}
	return nil
}

// rewrite changes the version of a tool in the drafted manifest.
func (r *releaser) rewrite(at *place, p *frontend.Project, t *ir.Tool, number int) error {
	span := t.Places["version"]
	was := strconv.Itoa(t.Signature.Version)
	data, err := at.jail.ReadFile(span.File)
	if drafted, ok := r.files[span.File]; ok {
		data, err = drafted, nil
	}
	offset := offsetOf(data, span.Start)
	inside := p.Dir == "." || strings.HasPrefix(span.File, p.Dir+"/")
	if err != nil || !inside || offset < 0 || !bytes.HasPrefix(data[offset:], []byte(was)) {
		return unable("write it and run the command again", "%s must say version: %d of %q", at.shown(cmp.Or(span.File, p.ManifestPath)), number, t.Signature.Name)
	}
	r.files[span.File] = slices.Concat(data[:offset], []byte(strconv.Itoa(number)), data[offset+len(was):])
	return nil
}

// offsetOf is where a position is in a text, -1 if it is not there.
func offsetOf(data []byte, at diag.Pos) int {
	offset := 0
	for range at.Line - 1 {
		n := bytes.IndexByte(data[offset:], '\n')
		if n < 0 {
			return -1
		}
		offset += n + 1
	}
	chars := []rune(string(data[offset:]))
	if at.Line == 0 || at.Col-1 > len(chars) {
		return -1
	}
	return offset + len(string(chars[:at.Col-1]))
}

// take makes the package compile against the releases of the target branch, and
// lets go of the files of its own.
func (p *project) take(one *rival) {
	for _, name := range slices.Sorted(maps.Keys(one.theirs)) {
		inside, data := p.inside(name), one.theirs[name]
		frozen := func(f gen.File) bool { return f.Name == inside }
		if gen.IsFrozen(inside) && !slices.ContainsFunc(p.files, frozen) {
			p.files = append(p.files, gen.File{Name: inside, Data: data})
		}
	}
	for _, name := range one.own {
		p.givenUp = append(p.givenUp, p.inside(name))
	}
}

// day is the date of the release of a tool: that of the own release that it
// replaces, but not before what it follows.
func (r *releaser) day(t *ir.Tool) string {
	one := r.rivals[r.folder(t)]
	if one == nil || one.day == "" || r.IsSet("date") {
		return r.date
	}
	if of := r.p.History.Of(t.Signature); of != nil && of.Newest != nil {
		return max(one.day, of.Newest.Released)
	}
	return one.day
}

// tellRivals says what became of the numbers, and what is left to do.
func (r *releaser) tellRivals(tools []*ir.Tool) {
	for _, name := range slices.Sorted(maps.Keys(r.rivals)) {
		one := r.rivals[name]
		now := "nothing of yours is left to release"
		if i := slices.IndexFunc(tools, func(t *ir.Tool) bool { return r.folder(t) == name }); i >= 0 {
			now = "yours is v" + strconv.Itoa(tools[i].Signature.Version) + " now"
		}
		r.say("%s: v%d is theirs; %s", name, r.p.History.Tool(name).Version(), now)
		if slices.ContainsFunc(one.own, func(file string) bool { return path.Base(file) == history.RetiredName }) {
			r.say("%s: your tombstone was of a version that is not the newest any more; retire the tool again", name)
		}
	}
	r.say("commit it: git add -A %s", quoteWords(r.p.at.shown(r.p.Dir)))
}

// target is the commit that the branch goes to: the one that is named, else the
// side that is being merged or rebased onto, else the remote's own branch.
func (r *repository) target(named string) (string, error) {
	if named != "" {
		_, err := r.commit(named)
		return named, err
	}
	main, _ := r.run("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
	main = strings.TrimSpace(main)
	here, _ := r.run("symbolic-ref", "--quiet", "--short", "HEAD")
	switch {
	case r.has("REBASE_HEAD"), r.has("CHERRY_PICK_HEAD"):
		return "HEAD", nil
	case r.has("MERGE_HEAD") && main != "" && "origin/"+strings.TrimSpace(here) == main:
		return "HEAD", nil
	case r.has("MERGE_HEAD"):
		return "MERGE_HEAD", nil
	case main != "" && r.has(main):
		return main, nil
	}
	return "", unable("name the branch that this one goes to: --against origin/main", "nothing is being merged, and the remote names no branch of its own")
}

// rivals finds the tools of a package that have another release here than at a
// commit, under the same number.
func (r *repository) rivals(at *place, dir, ref string) (map[string]*rival, error) {
	theirs, err := r.files(ref, frontend.HistoryFolder+"/", ".")
	if err != nil {
		return nil, err
	}
	own, err := r.own()
	if err != nil {
		return nil, err
	}
	var wanted []string
	for name, object := range theirs {
		if toolOf(name) != "" {
			wanted = append(wanted, object)
		}
	}
	for _, objects := range own {
		wanted = append(wanted, objects...)
	}
	slices.Sort(wanted)
	contents := map[string][]byte{}
	if err := r.read(slices.Compact(wanted), func(object string, data []byte) { contents[object] = data }); err != nil {
		return nil, err
	}
	out := map[string]*rival{}
	for name, object := range theirs {
		tool := toolOf(name)
		if tool == "" {
			continue
		}
		if out[tool] == nil {
			out[tool] = &rival{tool: tool, theirs: map[string][]byte{}}
		}
		out[tool].theirs[path.Join(dir, name)] = contents[object]
	}
	maps.DeleteFunc(out, func(_ string, one *rival) bool { return !one.differs(at, dir, own, contents) })
	return out, nil
}

// own has the objects of all records that the branch has, or that an unfinished
// merge has of it, by path from the package folder.
func (r *repository) own() (map[string][]string, error) {
	head, err := r.files("HEAD", frontend.HistoryFolder+"/")
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for name, object := range head {
		if history.IsRecord(strings.TrimPrefix(name, frontend.HistoryFolder+"/")) {
			out[name] = append(out[name], object)
		}
	}
	staged, err := r.run("ls-files", "-z", "--unmerged", "--", frontend.HistoryFolder+"/")
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(staged, "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		words := strings.Fields(about)
		if len(words) == 3 && history.IsRecord(strings.TrimPrefix(name, frontend.HistoryFolder+"/")) {
			out[name] = append(out[name], words[1])
		}
	}
	return out, nil
}

// toolOf is the tool that a file of a package keeps releases of, "" for others.
func toolOf(name string) string {
	if below, ok := strings.CutPrefix(name, frontend.HistoryFolder+"/"); ok {
		if tool, _, deeper := strings.Cut(below, "/"); deeper {
			return tool
		}
		return ""
	}
	if tool, ok := strings.CutPrefix(name, frozenPrefix); ok && gen.IsFrozen(name) {
		return strings.TrimSuffix(tool, "_gen.go")
	}
	return ""
}

// differs compares what lies here, and what the branch has, with the releases of
// the target, and completes the rival.
func (one *rival) differs(at *place, dir string, own map[string][]string, contents map[string][]byte) bool {
	differs := false
	frozen := path.Join(dir, gen.FrozenFile(one.tool))
	records := map[string][][]byte{}
	for _, name := range filesBelow(at, path.Join(dir, frontend.HistoryFolder, one.tool)) {
		data, _ := at.jail.ReadFile(name) // a file that cannot be read is not the one of the target
		records[name] = append(records[name], data)
		if _, there := one.theirs[name]; !there && path.Ext(name) == ".json" {
			one.own = append(one.own, name)
		}
	}
	for name, objects := range own {
		for _, object := range objects {
			records[path.Join(dir, name)] = append(records[path.Join(dir, name)], contents[object])
		}
	}
	for name, list := range records {
		below := strings.TrimPrefix(name, path.Join(dir, frontend.HistoryFolder)+"/")
		if !history.IsRecord(below) || toolOf(frontend.HistoryFolder+"/"+below) != one.tool {
			continue
		}
		theirs, there := one.theirs[name]
		for _, data := range list {
			if !bytes.Equal(data, theirs) {
				differs = differs || there
				one.released(data)
			}
		}
	}
	if _, there := one.theirs[frozen]; !there && at.exists(frozen) {
		one.own = append(one.own, frozen)
	}
	return differs
}

// released takes the number and the day of an own release.
func (one *rival) released(data []byte) {
	var record struct {
		Tool     string `json:"tool"`
		Version  int    `json:"version"`
		Released string `json:"released"`
	}
	if json.Unmarshal(data, &record) == nil && record.Tool == one.tool && record.Version >= one.version {
		one.version, one.day = record.Version, record.Released
	}
}
