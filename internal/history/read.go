package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A History holds the releases of all tools of a package.
type History struct {
	fsys fs.FS
	dir  string
	// texts has what was read of shared files, by name and digest.
	texts sync.Map
	// Tools are sorted by the name of their folder.
	Tools []*Tool
}

// A Tool is the folder of one tool.
type Tool struct {
	// Name is the name of the folder: that of the tool's first release.
	Name string
	// Releases are sorted by version.
	Releases []Release
	// Newest is the newest release; nil if there is none or it cannot be read.
	Newest *Record
	// Retired is the tombstone of a tool that ends; nil for others.
	Retired *Tombstone
	// announcements say what was announced of the end of the tool, the newest
	// last.
	announcements []announcement
	// sound tools had no finding: what they hold can be relied on.
	sound bool
	// shared has the versions whose records have a value for others too, by its
	// digest. Of a tool in pieces others are in files, as are plans and examples.
	shared map[string]int
	pieces bool
	// copyOf is the folder that this one was copied from.
	copyOf string
}

// A Release is what is known of a version without reading its record whole.
type Release struct {
	Version int
	// File is the path of the record, Digest that of its bytes.
	File, Digest string
	header       header
	headerOK     bool
}

// Tool returns the folder of that name, or nil.
func (h *History) Tool(name string) *Tool {
	i, ok := slices.BinarySearchFunc(h.Tools, name, func(t *Tool, name string) int { return strings.Compare(t.Name, name) })
	if !ok {
		return nil
	}
	return h.Tools[i]
}

// Version is the newest released version, 0 if there is none.
func (t *Tool) Version() int {
	if len(t.Releases) == 0 {
		return 0
	}
	return t.Releases[len(t.Releases)-1].Version
}

// ID is the tool id of all releases (A2T 6.1), "" if none can be read.
func (t *Tool) ID() string {
	switch {
	case t.Newest != nil:
		return t.Newest.Signature.ID
	case t.Retired != nil:
		return t.Retired.ToolID
	}
	return ""
}

// maxRecord bounds what is read of a record.
const maxRecord = 4 << 20

// Read reads the history in a folder of fsys; no folder is a history without
// releases. It takes the digest of every record and checks the chain, but
// parses the newest record of each tool only: the chain vouches for the rest.
// The history is never nil and holds what could be read; a tool with a finding
// is left out of later checks.
func Read(fsys fs.FS, dir string) (*History, diag.List) {
	h := &History{fsys: fsys, dir: dir}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		var findings diag.List
		if !errors.Is(err, fs.ErrNotExist) {
			findings.Errorf(compat.RuleHistoryUnreadable, diag.Span{File: dir}, "look at its permissions", "the history cannot be read: %s", diag.Cause(err))
		}
		return h, findings
	}
	for _, e := range entries {
		if e.IsDir() {
			h.Tools = append(h.Tools, &Tool{Name: e.Name()})
		}
	}
	findings := make([]diag.List, len(h.Tools))
	h.each(func(i int, buffer *[]byte) { findings[i] = h.readTool(h.Tools[i], buffer) })
	h.Tools = slices.DeleteFunc(h.Tools, func(t *Tool) bool { return len(t.Releases) == 0 && t.Retired == nil && t.sound })
	return h, slices.Concat(findings...)
}

// each runs work for every tool, on all processors: most of the time goes into
// opening files.
func (h *History) each(work func(i int, buffer *[]byte)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(h.Tools)) {
		group.Go(func() {
			buffer := make([]byte, 0, 16<<10)
			for i := range next {
				work(i, &buffer)
			}
		})
	}
	for i := range h.Tools {
		next <- i
	}
	close(next)
	group.Wait()
}

// read reads a file into the buffer.
func read(fsys fs.FS, name string, buffer *[]byte) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := (*buffer)[:0]
	for {
		if len(data) == cap(data) {
			data = slices.Grow(data, cap(data)+1024)
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		*buffer = data
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, err
		case len(data) > maxRecord:
			return nil, errors.New("the file is too big")
		}
	}
}

// names lists a folder, sorted. Where the names alone can be had, no file is
// looked at for more: a history has many.
func names(fsys fs.FS) ([]string, error) {
	f, err := fsys.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	if lister, ok := f.(interface {
		Readdirnames(n int) ([]string, error)
	}); ok {
		out, err = lister.Readdirnames(-1)
		slices.Sort(out)
		return out, err
	}
	entries, err := fs.ReadDir(fsys, ".")
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out, err
}

var likeRecord = regexp.MustCompile(`^[vV]0*([0-9]+)\b.*\.(?i:json)`)

// leftover is a file that an editor, a merge or a patch left beside a record.
var leftover = regexp.MustCompile(`(\.orig|\.rej|\.bak|\.sw[a-p]|~)$`)

// recordVersion returns the version that a file name with that end stands for:
// v, four digits or more, no zero in front of more than four.
func recordVersion(name, end string) (version int, ok bool) {
	digits, ok := strings.CutSuffix(name, end)
	if !ok || len(digits) < 5 || digits[0] != 'v' || len(digits) > 5 && digits[1] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits[1:], 10, 31)
	return int(n), err == nil
}

const (
	recordEnd = ".json"
	planEnd   = ".plan.json"
)

// toolReader collects what is wrong in one folder.
type toolReader struct {
	h    *History
	tool *Tool
	// dir is the folder, opened once where the file system can do that: else
	// every file is looked for from the root on.
	dir      fs.FS
	buffer   *[]byte
	findings diag.List
	// bad versions have a finding: links to them say nothing new.
	bad map[int]bool
	// others are the names of files that are no records.
	others map[string]bool
}

func (h *History) readTool(t *Tool, buffer *[]byte) diag.List {
	r := &toolReader{h: h, tool: t, buffer: buffer, bad: map[int]bool{}, others: map[string]bool{}}
	if !r.open() {
		return r.findings
	}
	if c, ok := r.dir.(io.Closer); ok {
		defer c.Close()
	}
	r.list()
	r.numbers()
	r.names()
	r.links()
	r.newest()
	r.announcements()
	r.retired()
	t.sound = len(r.findings) == 0
	return r.findings
}

func (r *toolReader) file(name string) string { return path.Join(r.h.dir, r.tool.Name, name) }

func (r *toolReader) add(rule diag.RuleID, file, fix, format string, args ...any) {
	r.findings.Add(diag.Finding{Rule: rule, Span: diag.Span{File: file}, Fix: fix, Message: fmt.Sprintf(format, args...), Tool: r.tool.Name})
}

// restore is the fix for a file of a tool that is not what it was: the commit
// that added it has it as it was released, and all that belongs to it.
func restore(file string) string {
	folder := path.Dir(file)
	if path.Base(folder) == examplesFolder {
		folder = path.Dir(folder)
	}
	return "restore it: git checkout $(git log --diff-filter=A --format=%h -- " + file + " | tail -1) -- " + folder
}

// open opens the folder.
func (r *toolReader) open() bool {
	dir := path.Join(r.h.dir, r.tool.Name)
	var err error
	if r.dir, err = fs.Sub(r.h.fsys, dir); err == nil {
		return true
	}
	r.add(compat.RuleHistoryUnreadable, dir, "look at its permissions", "the folder cannot be read: %s", diag.Cause(err))
	return false
}

func (r *toolReader) isFolder(name string) bool {
	info, err := fs.Stat(r.dir, name)
	return err == nil && info.IsDir()
}

// list takes the digests of all records.
func (r *toolReader) list() {
	all, err := names(r.dir)
	if err != nil {
		dir := path.Join(r.h.dir, r.tool.Name)
		r.add(compat.RuleHistoryUnreadable, dir, "look at its permissions", "the folder cannot be read: %s", diag.Cause(err))
		return
	}
	var like []string
	r.tool.shared = map[string]int{}
	for _, name := range all {
		version, ok := recordVersion(name, recordEnd)
		if !ok {
			r.others[name] = true
			_, isPlan := recordVersion(name, planEnd)
			if !isPlan && likeRecord.MatchString(name) && !leftover.MatchString(name) && !r.isFolder(name) {
				like = append(like, name)
			}
			continue
		}
		release := Release{Version: version, File: r.file(name)}
		data, err := read(r.dir, name, r.buffer)
		switch {
		case err == nil:
			release.Digest = digestOf(data)
			release.header, release.headerOK = readHeader(data)
			for _, digest := range sharedIn(data) {
				r.tool.shared[digest] = version
			}
		case r.isFolder(name):
			r.add(compat.RuleHistoryUnreadable, release.File, restore(release.File), "a folder is where the record should be")
			continue
		default:
			r.bad[version] = true
			r.add(compat.RuleHistoryUnreadable, release.File, "look at its permissions", "the record cannot be read: %s", diag.Cause(err))
		}
		r.tool.Releases = append(r.tool.Releases, release)
	}
	slices.SortFunc(r.tool.Releases, func(a, b Release) int { return a.Version - b.Version })
	r.tool.pieces = r.others[examplesFolder] || slices.ContainsFunc(r.tool.Releases, func(rel Release) bool { return rel.header.format == inPieces })
	for _, name := range like {
		r.stray(name)
	}
}

// stray is a file that looks like a record and is none.
func (r *toolReader) stray(name string) {
	n, err := strconv.ParseInt(likeRecord.FindStringSubmatch(name)[1], 10, 32)
	if err != nil {
		r.add(compat.RuleHistoryUnreadable, r.file(name), "delete it", "no version has this number")
		return
	}
	if slices.ContainsFunc(r.tool.Releases, func(rel Release) bool { return rel.Version == int(n) }) {
		r.add(compat.RuleHistoryConflict, r.file(name), "delete the one that was not released", "this is a second record of v%d", n)
		return
	}
	r.add(compat.RuleHistoryUnreadable, r.file(name), "name it "+recordName(int(n))+" if it was released, or delete it", "records are named like %s", recordName(int(n)))
}

// numbers looks for gaps. The chain tells whether a number was left out or a
// record deleted: the next record knows the digest of the one before it.
func (r *toolReader) numbers() {
	list := r.tool.Releases
	if len(list) == 0 {
		return
	}
	switch first := list[0]; {
	case first.Version == 0, first.Version > 1 && first.headerOK && first.header.prev == "":
		r.add(compat.RuleVersionNotFromOne, first.File, "release version 1", "the first version of %q is %d; versions start at 1", r.tool.Name, first.Version)
		return
	case first.Version > 1:
		r.gone(1, first.Version-1)
	}
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		switch {
		case b.Version == a.Version+1:
		case b.headerOK && b.header.prev == a.Digest:
			r.add(compat.RuleVersionSkipped, b.File, "release it as v"+strconv.Itoa(a.Version+1), "v%d follows v%d; a gap looks like a release that was deleted", b.Version, a.Version)
		default:
			r.gone(a.Version+1, b.Version-1)
		}
	}
}

// gone reports deleted records, once.
func (r *toolReader) gone(first, last int) {
	file := r.file(recordName(first))
	if first == last {
		r.add(compat.RuleVersionRemoved, file, restore(file), "the record of the released v%d is gone; every version stays invocable", first)
		return
	}
	r.add(compat.RuleVersionRemoved, file, restore(r.file(recordName(last))), "the records of the released v%d..v%d are gone; every version stays invocable", first, last)
}

// names compares what records say they are with where they lie.
func (r *toolReader) names() {
	for _, rel := range r.tool.Releases {
		switch {
		case r.bad[rel.Version] || !rel.headerOK:
		case rel.header.tool != r.tool.Name:
			if r.h.Tool(rel.header.tool) != nil {
				r.copied(rel)
				return
			}
			r.bad[rel.Version] = true
			r.add(compat.RuleHistoryTampered, rel.File, "put it back where it belongs", "this is the record of the tool %q, not of %q", rel.header.tool, r.tool.Name)
		case rel.header.version != rel.Version:
			r.bad[rel.Version] = true
			r.add(compat.RuleHistoryTampered, rel.File, "put it back where it belongs", "this is the record of v%d, not of v%d", rel.header.version, rel.Version)
		}
	}
}

// copied is one finding for a whole folder.
func (r *toolReader) copied(rel Release) {
	r.tool.copyOf = rel.header.tool
	for _, rel := range r.tool.Releases {
		r.bad[rel.Version] = true
	}
	r.add(compat.RuleToolIDTaken, rel.File, "delete the folder; a new tool gets a new id and starts at version 1",
		"the folder %q is a copy of the history of %q", r.tool.Name, r.tool.copyOf)
}

// links follows the chain of digests.
func (r *toolReader) links() {
	if len(r.findings) > 0 && r.tool.copyOf != "" {
		return
	}
	list := r.tool.Releases
	for i := range list {
		b := &list[i]
		switch {
		case r.bad[b.Version]:
		case !b.headerOK:
			// Either the newest record, which is parsed anyway, or one whose
			// bytes are not what the next one has the digest of.
			if i < len(list)-1 {
				r.edited(b, "")
			}
		case i == 0:
			if b.Version == 1 && b.header.prev != "" {
				r.edited(b, "")
			}
		case list[i-1].Version == b.Version-1 && !r.bad[b.Version-1] && b.header.prev != list[i-1].Digest && r.vouched(i):
			r.edited(&list[i-1], b.header.prev)
		}
	}
}

// vouched reports whether the next record, if there is one, has the digest of
// this one: otherwise this one was edited, and what it says of the one before
// it proves nothing.
func (r *toolReader) vouched(i int) bool {
	list := r.tool.Releases
	return i+1 == len(list) || !list[i+1].headerOK || list[i+1].header.prev == list[i].Digest
}

// edited reports a record that is not what it was, and says how that shows.
func (r *toolReader) edited(rel *Release, want string) {
	if r.bad[rel.Version] {
		return
	}
	r.bad[rel.Version] = true
	data, err := read(r.dir, path.Base(rel.File), r.buffer)
	if err == nil {
		if m := diagnose(data); m != nil {
			if want != "" && m.rule != compat.RuleHistoryConflict {
				m.rule = compat.RuleHistoryTampered
			}
			r.findings.Add(m.finding(rel.File, r.tool.Name, data))
			return
		}
	}
	r.add(compat.RuleHistoryTampered, rel.File, restore(rel.File),
		"this record was edited after release (want %s, have %s)", short(want), short(rel.Digest))
}

// newest parses the newest record.
func (r *toolReader) newest() {
	if len(r.tool.Releases) == 0 {
		return
	}
	rel := &r.tool.Releases[len(r.tool.Releases)-1]
	if r.bad[rel.Version] {
		return
	}
	data, err := read(r.dir, path.Base(rel.File), r.buffer)
	if err != nil {
		r.add(compat.RuleHistoryUnreadable, rel.File, "look at its permissions", "the record cannot be read: %s", diag.Cause(err))
		return
	}
	record, m := parseRecord(data)
	if m != nil {
		r.findings.Add(m.finding(rel.File, r.tool.Name, data))
		return
	}
	r.tool.Newest = record
	r.plan(rel, record)
}

// plan checks the plan of a record, which older ones have in a file beside them.
func (r *toolReader) plan(rel *Release, record *Record) {
	name := strings.TrimSuffix(rel.File, ".json") + ".plan.json"
	switch there := r.others[path.Base(name)]; {
	case there && record.format != inPieces:
		r.add(compat.RuleHistoryTampered, name, "delete it", "this plan belongs to no release")
		return
	case record.plan != nil:
		r.documents(record.plan)
		return
	case !there && record.Details.Plan == "":
		return
	case !there:
		r.add(compat.RuleHistoryTampered, name, restore(rel.File), "the plan of v%d is gone", rel.Version)
		return
	}
	data, err := read(r.dir, path.Base(name), r.buffer)
	switch {
	case err != nil:
		r.add(compat.RuleHistoryUnreadable, name, restore(rel.File), "the plan of v%d cannot be read: %s", rel.Version, diag.Cause(err))
	case digestOf(data) != record.Details.Plan:
		r.add(compat.RuleHistoryTampered, name, restore(rel.File), "the plan of v%d is not the one that was released", rel.Version)
	default:
		if plan, err := readPlan(data); err == nil { // else who needs the plan says so
			r.documents(plan)
		}
	}
}

// documents checks what a plan shares with those of other releases.
func (r *toolReader) documents(plan *Plan) {
	if len(r.findings) > 0 {
		return // a record that was edited may be the one that has it
	}
	for _, d := range plan.Documents {
		if _, finding := r.h.shared(r.tool.Name, d.OpenAPI); finding != nil {
			r.findings.Add(*finding)
		}
	}
}

// retired reads the tombstone, if there is one.
func (r *toolReader) retired() {
	if !r.others[RetiredName] {
		return
	}
	file := r.file(RetiredName)
	data, err := read(r.dir, RetiredName, r.buffer)
	if err != nil {
		r.add(compat.RuleHistoryUnreadable, file, "look at its permissions", "the tombstone cannot be read: %s", diag.Cause(err))
		return
	}
	t, m := parseTombstone(data)
	if m != nil {
		r.findings.Add(m.finding(file, r.tool.Name, data))
		return
	}
	r.tool.Retired = t
	newest := r.tool.Version()
	switch {
	case len(r.findings) > 0:
	case newest < t.Version:
		r.add(compat.RuleHistoryTruncated, r.file(recordName(t.Version)), restore(r.file(recordName(t.Version))), "%q was retired at v%d, but the newest record is v%d", t.Tool, t.Version, newest)
	case newest > t.Version || r.tool.Releases[len(r.tool.Releases)-1].Digest != t.Prev:
		r.add(compat.RuleHistoryTampered, file, restore(file), "the tombstone does not belong to v%d", newest)
	}
}

// sides parses all records of a tool, oldest first.
func (h *History) sides(t *Tool) ([]*compat.Side, diag.List) {
	var out []*compat.Side
	var findings diag.List
	for i := range t.Releases {
		rel := &t.Releases[i]
		record := t.Newest
		if i < len(t.Releases)-1 {
			var list diag.List
			if record, list = h.record(t, rel); record == nil {
				findings = append(findings, list...)
				continue
			}
		}
		side := record.side(rel.File)
		side.Details.Deprecation = t.Announced() // it is about the tool
		findings = append(findings, h.fallBack(t.Name, record, side)...)
		out = append(out, side)
	}
	return out, findings
}

// record parses one record and makes sure that it still is the one whose
// digest was taken.
func (h *History) record(t *Tool, rel *Release) (*Record, diag.List) {
	var buffer []byte
	data, err := read(h.fsys, rel.File, &buffer)
	if err != nil {
		return nil, diag.List{{Rule: compat.RuleHistoryUnreadable, Span: diag.Span{File: rel.File}, Tool: t.Name, Fix: "look at its permissions",
			Message: fmt.Sprintf("the record cannot be read: %s", diag.Cause(err))}}
	}
	record, m := parseRecord(data)
	switch {
	case m != nil:
		return nil, diag.List{m.finding(rel.File, t.Name, data)}
	case record.Digest != rel.Digest:
		return nil, diag.List{{Rule: compat.RuleHistoryTampered, Span: diag.Span{File: rel.File}, Tool: t.Name, Fix: restore(rel.File), Message: "this record changed while it was read"}}
	}
	return record, nil
}

// Record returns a released version of a tool, read whole.
func (h *History) Record(tool string, version int) (*Record, diag.List) {
	t := h.Tool(tool)
	if t == nil {
		return nil, nil
	}
	if t.Newest != nil && t.Newest.Version == version {
		return t.Newest, nil
	}
	for i := range t.Releases {
		if t.Releases[i].Version == version {
			return h.record(t, &t.Releases[i])
		}
	}
	return nil, nil
}
