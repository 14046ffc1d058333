package history

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Options steer a check. The zero value judges by policy a2t, without dates,
// anchors and copies.
type Options struct {
	Compat compat.Options
	// Tools has the options of tools that are judged by others than Compat, by
	// their names.
	Tools map[string]compat.Options
	// Rules is the rule set of tools that have no release yet, "" for the newest.
	Rules string
	// Manifest is where tools that are missing are reported.
	Manifest diag.Span
	// Anchors are the newest releases that something outside of the history
	// knows of, such as generated code, by the name of the tool. They show a
	// tail that was cut off.
	Anchors map[string]Anchor
	// Frozen are the Go files that keep the promises of releases, by the name
	// of the tool. A retired tool is served while it has one: who removes it
	// says that the tool has ended.
	Frozen map[string]string
	// Notice is how many days before its end a tool has to be announced to end,
	// 0 for [DefaultNotice]. It is judged with a date only.
	Notice int
	// Base and Tip are the digests of the records where the branch began and
	// at the tip of the branch that it goes back to; see [Digests]. They show
	// a history that was rewritten, and a rival release before the merge. Ref
	// and Target are names of these commits, for fixes to type, and Moved has the
	// paths from the root of the repository, as git writes them, of records that
	// lay in another package where the branch began.
	Base, Tip, Moved map[string]string
	Ref, Target      string
}

// of returns the options of a tool.
func (o *Options) of(tool string) compat.Options {
	if own, ok := o.Tools[tool]; ok {
		return own
	}
	return o.Compat
}

// An Anchor names a release.
type Anchor struct {
	Version int
	Digest  string
}

// String writes the anchor of a tool as generated code keeps it:
// get_forecast/v0002.json sha256:<hex>.
func (a Anchor) String(tool string) string {
	return path.Join(tool, recordName(a.Version)) + " " + a.Digest
}

var anchorForm = regexp.MustCompile(`"([a-z][a-z0-9_]*)/v([0-9]{4,9})\.json (sha256:[0-9a-f]{64})"`)

// FindAnchor reads the anchor that a frozen Go file holds.
func FindAnchor(source []byte) (tool string, a Anchor, ok bool) {
	m := anchorForm.FindSubmatch(source)
	if m == nil {
		return "", a, false
	}
	a.Version, _ = strconv.Atoi(string(m[2])) // the form allows digits only
	a.Digest = string(m[3])
	return string(m[1]), a, true
}

// Head returns the anchor of a tool: what generated code and other copies may
// keep to know the history again.
func (t *Tool) Head() Anchor {
	if len(t.Releases) == 0 {
		return Anchor{}
	}
	last := &t.Releases[len(t.Releases)-1]
	return Anchor{last.Version, last.Digest}
}

// DigestOf returns the digest of a record with these bytes, as the maps of
// [Options] want it: "sha256:" and hexadecimal.
func DigestOf(data []byte) string { return digestOf(data) }

// IsRecord reports whether a path below the folder of the history, such as
// "get_forecast/v0001.json", is that of a record, a tombstone or an
// announcement: a file that is never changed or deleted again.
func IsRecord(name string) bool {
	tool, file := path.Split(name)
	_, isRecord := recordVersion(file, recordEnd)
	return strings.Count(tool, "/") == 1 && tool != "/" && (isRecord || file == RetiredName || announcedForm.MatchString(file))
}

// Digests returns the digests of all records, tombstones and announcements in a folder, by
// path below it, such as "get_forecast/v0001.json".
func Digests(fsys fs.FS, dir string) map[string]string {
	h, _ := Read(fsys, dir)
	return h.digests()
}

func (h *History) digests() map[string]string {
	out := map[string]string{}
	for _, t := range h.Tools {
		for _, r := range t.Releases {
			out[path.Join(t.Name, path.Base(r.File))] = r.Digest
		}
		for i, a := range t.announcements {
			out[path.Join(t.Name, announcedName(i+1))] = a.Digest
		}
		if t.Retired != nil {
			out[path.Join(t.Name, RetiredName)] = t.Retired.Digest
		}
	}
	return out
}

// Check holds the tools of a manifest against the history: every tool against
// every version that was released, and the history against anchors, copies and
// the examples beside it.
// Older records are parsed only for tools that differ from their newest
// release. Tools whose records had a finding in [Read] are not judged again.
func Check(h *History, tools []*compat.Side, opts Options) diag.List {
	c := &checker{h: h, opts: &opts, claimed: map[*Tool]bool{}, named: map[string]bool{}, bad: map[string]bool{}}
	c.copies()
	c.anchors()
	c.identities(tools)
	for _, side := range tools {
		c.tool(side)
	}
	for _, t := range h.Tools {
		if !c.claimed[t] {
			c.missing(t)
		}
	}
	c.examples()
	return c.findings
}

// examples holds the kept examples of every release against its record: those
// of retired tools, and of releases before one that kept none, as well.
func (c *checker) examples() {
	found := make([]diag.List, len(c.h.Tools))
	c.h.each(func(i int, _ *[]byte) {
		if t := c.h.Tools[i]; t.pieces && t.sound && !c.bad[t.Name] { // the chain vouches for all others
			_, found[i] = c.h.inPieces(t)
		}
	})
	c.findings = append(c.findings, slices.Concat(found...)...)
}

type checker struct {
	h    *History
	opts *Options
	// claimed folders belong to a tool of the manifest; named are the names of
	// all its tools.
	claimed  map[*Tool]bool
	named    map[string]bool
	findings diag.List
	// bad tools and records have a finding already.
	bad map[string]bool
}

// where is the tool that a finding is about, and its place.
type where struct {
	tool string
	at   diag.Span
}

func (c *checker) add(rule diag.RuleID, w where, fix, format string, args ...any) {
	c.findings.Add(diag.Finding{Rule: rule, Span: w.at, Fix: fix, Message: fmt.Sprintf(format, args...), Tool: w.tool})
}

// copies compares the records with those of the other branch. Every record
// where the branch began must still be there and equal; a record that both
// branches added must be the same.
func (c *checker) copies() {
	here := c.h.digests()
	for _, name := range sorted(c.opts.Base) {
		tool, file := path.Dir(name), path.Join(c.h.dir, name)
		digest, there := here[name]
		switch {
		case !there && c.h.unsound(tool):
		case !there && path.Base(name) == RetiredName:
			c.bad[tool] = true
			c.add(compat.RuleHistoryTruncated, where{tool, diag.Span{File: file}}, c.restore(name), "the tombstone of %q is gone; its name and its id stay taken", tool)
		case !there && announcedForm.MatchString(path.Base(name)):
			c.bad[tool] = true
			c.add(compat.RuleHistoryTruncated, where{tool, diag.Span{File: file}}, c.restore(name), "an announcement of the end of %q is gone; callers planned by it", tool)
		case !there:
			rule := compat.RuleVersionRemoved
			if t := c.h.Tool(tool); t == nil || name > path.Join(tool, recordName(t.Version())) {
				rule = compat.RuleHistoryTruncated
			}
			c.bad[tool] = true
			c.add(rule, where{tool, diag.Span{File: file}}, c.restore(name), "this record was released and is gone")
		case digest != c.opts.Base[name] && !c.h.unsound(tool):
			c.bad[tool] = true
			c.add(compat.RuleHistoryRewritten, where{tool, diag.Span{File: file}}, c.rewritten(name),
				"this record is not the one that was released (want %s, have %s)", short(c.opts.Base[name]), short(digest))
		}
	}
	for _, name := range sorted(c.opts.Tip) {
		digest, there := here[name]
		if _, old := c.opts.Base[name]; old || !there || digest == c.opts.Tip[name] {
			continue
		}
		tool, file := path.Dir(name), path.Join(c.h.dir, name)
		c.bad[tool] = true
		c.add(compat.RuleHistoryConflict, where{tool, diag.Span{File: file}}, "\"git merge "+cmp.Or(c.opts.Target, c.opts.Ref)+"\", settle the manifest, then \""+c.renumber()+"\" gives yours the next number",
			"the other branch released this version with different content")
	}
}

// restore is the fix for a record that the base still has, with all that
// belongs to it.
func (c *checker) restore(name string) string {
	if from := c.opts.Moved[name]; from != "" {
		return "restore it: git show " + c.opts.Ref + ":" + from + " > " + path.Join(c.h.dir, name)
	}
	return "restore it: git checkout " + c.opts.Ref + " -- " + path.Join(c.h.dir, path.Dir(name))
}

// rewritten is the fix for a record that is another one than that of the base:
// it may be a release of this branch, which a merge gave the same number.
func (c *checker) rewritten(name string) string {
	if c.opts.Tip[name] != c.opts.Base[name] {
		return c.restore(name)
	}
	return "\"" + c.renumber() + "\" takes it, and gives what you released the next number"
}

// renumber is the command that releases again what another branch has under the
// same number.
func (c *checker) renumber() string {
	return "sculpt release --renumber --against " + cmp.Or(c.opts.Target, c.opts.Ref)
}

func (h *History) unsound(tool string) bool {
	t := h.Tool(tool)
	return t != nil && !t.sound
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// anchors looks for tails that were cut off and newest records that were
// edited, which the chain cannot show.
func (c *checker) anchors() {
	for _, name := range sorted(c.opts.Anchors) {
		a, t := c.opts.Anchors[name], c.h.Tool(name)
		if c.bad[name] || a.Version == 0 || t != nil && !t.sound {
			continue
		}
		have := 0
		if t != nil {
			have = t.Version()
		}
		file := path.Join(c.h.dir, name, recordName(a.Version))
		switch moved := c.moved(name, a); {
		case moved != "":
			c.bad[name] = true
			c.add(compat.RuleHistoryTruncated, where{name, diag.Span{File: file}}, "\"git rm -q -f -- "+path.Join(path.Dir(c.h.dir), c.opts.Frozen[name])+"\" lets go of what it promises here",
				"%q moved to %s with its releases, and its promises are still frozen here", name, moved)
		case have < a.Version:
			c.bad[name] = true
			c.add(compat.RuleHistoryTruncated, where{name, diag.Span{File: file}}, restore(file),
				"v%d of %q was released and its record is gone", a.Version, name)
		case t.digest(a.Version) != a.Digest:
			c.bad[name] = true
			c.add(compat.RuleHistoryTampered, where{name, diag.Span{File: file}}, restore(file)+"; or, where another branch released this version too, \"sculpt release --renumber\"",
				"this record was edited after release (want %s, have %s)", short(a.Digest), short(t.digest(a.Version)))
		}
	}
}

// moved looks for the release of a tool in other packages of the file system,
// whose files are frozen here, and returns the folder where it lies. A tool may
// move with its history.
func (c *checker) moved(name string, a Anchor) (folder string) {
	if c.h.Tool(name) != nil || c.opts.Frozen[name] == "" {
		return ""
	}
	_ = fs.WalkDir(c.h.fsys, ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && at != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() && path.Base(path.Dir(at)) == Folder && d.Name() == name:
			if data, err := fs.ReadFile(c.h.fsys, path.Join(at, recordName(a.Version))); err == nil && digestOf(data) == a.Digest {
				folder = path.Dir(path.Dir(at))
				return fs.SkipAll
			}
		}
		return nil
	})
	return folder
}

func (t *Tool) digest(version int) string {
	for i := range t.Releases {
		if t.Releases[i].Version == version {
			return t.Releases[i].Digest
		}
	}
	return ""
}

// identities looks for ids that two tools have (A2T 6.1).
func (c *checker) identities(tools []*compat.Side) {
	owner := map[string]string{}
	for _, t := range c.h.Tools {
		id := t.ID()
		if id == "" || !t.sound {
			continue
		}
		if first := owner[id]; first != "" {
			c.bad[t.Name] = true
			c.add(compat.RuleToolIDTaken, where{t.Name, diag.Span{File: path.Join(c.h.dir, t.Name, recordName(1))}}, "delete the folder; a new tool gets a new id and starts at version 1", "%q has the id of %q", t.Name, first)
			continue
		}
		owner[id] = t.Name
	}
	seen := map[string]string{}
	for _, side := range tools {
		id, name := side.Signature.ID, side.Signature.Name
		if first := seen[id]; first != "" && !c.bad[name] && !c.h.unsound(name) {
			c.bad[name] = true
			c.add(compat.RuleToolIDTaken, where{name, at(side, "id")}, "leave id out, or write a new one", "%q has the id of %q", name, first)
		} else if first == "" {
			seen[id] = name
		}
	}
	c.claim(tools)
}

// claim finds the folder of each tool: by name, and for renamed tools by id.
func (c *checker) claim(tools []*compat.Side) {
	for _, side := range tools {
		c.named[side.Signature.Name] = true
		if t, _ := c.h.folder(side.Signature); t != nil {
			c.claimed[t] = true
		}
	}
}

// folder returns the folder of a tool, and whether it was found by name.
func (h *History) folder(s *signature.Signature) (t *Tool, byName bool) {
	if t := h.Tool(s.Name); t != nil {
		return t, true
	}
	for _, t := range h.Tools {
		if t.sound && t.ID() == s.ID && s.ID != "" {
			return t, false
		}
	}
	return nil, false
}

// Of returns the folder of a tool, found by its name or, for a tool that was
// renamed, by its id; nil if it has none.
func (h *History) Of(s *signature.Signature) *Tool {
	t, _ := h.folder(s)
	return t
}

func at(side *compat.Side, part string) diag.Span {
	if s, ok := side.Places[part]; ok {
		return s
	}
	return side.Span
}

// tool judges one tool of the manifest.
func (c *checker) tool(side *compat.Side) {
	s := side.Signature
	t, byName := c.h.folder(s)
	switch {
	case c.bad[s.Name] || t != nil && (!t.sound || c.bad[t.Name]):
		return
	case t == nil:
		c.first(side)
		return
	case t.Retired != nil && t.ID() != s.ID:
		c.add(compat.RuleToolNameTaken, where{s.Name, at(side, "name")}, "choose another name", "the name %q belongs to a tool that was retired on %s", s.Name, t.Retired.Retired)
		return
	case !byName && (t.Retired != nil || c.named[t.Name]):
		c.add(compat.RuleToolIDTaken, where{s.Name, at(side, "id")}, "leave id out, or write a new one", "%q has the id of %q", s.Name, t.Name)
		return
	case len(t.Releases) == 0:
		c.first(side)
		return
	}
	newest, want := t.Version(), s.Version
	switch {
	case want < newest:
		c.add(compat.RuleVersionDecreased, where{s.Name, at(side, "version")}, fmt.Sprintf("version: %d, or %d for a new version", newest, newest+1),
			"the version of %q is %d, but v%d is released", s.Name, want, newest)
	case want > newest+1:
		c.add(compat.RuleVersionSkipped, where{s.Name, at(side, "version")}, fmt.Sprintf("version: %d", newest+1), "the version of %q is %d, but the newest release is v%d", s.Name, want, newest)
	default:
		c.compare(t, side)
		c.notice(t, side)
	}
}

// first judges a tool without releases.
func (c *checker) first(side *compat.Side) {
	s := side.Signature
	if s.Version != 1 {
		c.add(compat.RuleVersionNotFromOne, where{s.Name, at(side, "version")}, "set version: 1, or restore "+path.Join(c.h.dir, s.Name)+" from version control",
			"no release of %q is recorded, and its version is %d", s.Name, s.Version)
		return
	}
	rule, _ := compat.RuleOf(compat.RuleToolAdded.String())
	opts := c.opts.of(s.Name)
	level := opts.Level(&rule, false)
	c.findings.Add(diag.Finding{Rule: rule.ID, Severity: level.Severity(), Tool: s.Name, Span: side.Span, Message: fmt.Sprintf("%q is new", s.Name)})
}

// compare holds a tool against all its releases, if it differs from the
// newest one or has accept entries to judge.
func (c *checker) compare(t *Tool, side *compat.Side) {
	told := *side
	told.Details.Deprecation = t.ending(side.Details.Deprecation)
	side = &told
	differs := Differs(t.Newest, side)
	plan := side.PlanDigest()
	replanned := plan != "" && plan != t.Newest.Details.Plan
	announced := side.Details.Deprecation == t.Announced()
	if !differs && !replanned && announced && len(side.Accept) == 0 && slices.Equal(headers(side.Signature), headers(t.Newest.Signature)) {
		return
	}
	history, findings := c.h.sides(t)
	if len(findings) > 0 {
		c.findings = append(c.findings, findings...)
		return
	}
	list := compat.Check(history, side, c.opts.of(side.Signature.Name))
	c.findings = append(c.findings, list...)
	if s := side.Signature; differs && s.Version == t.Version() && !slices.ContainsFunc(list, breaks) {
		c.add(compat.RuleSignatureChangedWithoutVersion, where{s.Name, at(side, "version")}, fmt.Sprintf("version: %d, then \"sculpt release --tool %s\"", s.Version+1, s.Name),
			"%q differs from the released v%d in %s", s.Name, s.Version, parts(history[len(history)-1], side, c.opts.of(s.Name)))
	}
}

// breaks reports whether a finding is about callers that break: then a new
// number is not what the tool needs.
func breaks(f diag.Finding) bool {
	rule, _ := compat.RuleOf(f.Rule.String())
	return f.Severity == diag.Error && rule.Levels.ClientSafe == compat.Error && f.Rule != compat.RulePlanChanged
}

// headers are the headers that repeat inputs, by their names.
func headers(s *signature.Signature) []string {
	var out []string
	for i := range s.Inputs {
		if in := &s.Inputs[i]; in.MCPHeader != "" {
			out = append(out, in.Name+" "+in.MCPHeader)
		}
	}
	slices.Sort(out)
	return out
}

// Differs reports whether a tool differs from a release in anything that is
// locked. Plan and examples are not, as callers do not see them, nor are the
// headers that repeat inputs, what is announced of the end of the tool and effects
// that were told wrongly ([compat.Corrected]).
func Differs(release *Record, side *compat.Side) bool {
	return differs(release, side, compat.Corrected(release.Signature.Effects, side.Signature.Effects, side.Accept))
}

func differs(release *Record, side *compat.Side, effects signature.Effects) bool {
	s, details := *side.Signature, side.Details
	s.Effects = effects
	s.Version, details.Plan, details.Examples = release.Version, release.Details.Plan, release.Details.Examples
	details.Deprecation = release.Details.Deprecation
	s.Inputs = slices.Clone(s.Inputs)
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if was := slices.IndexFunc(release.Signature.Inputs, func(o signature.Input) bool { return o.Name == in.Name }); was >= 0 {
			in.MCPHeader = release.Signature.Inputs[was].MCPHeader
		}
	}
	return !bytes.Equal(release.served, s.Canonical()) || !bytes.Equal(release.contract, s.Contract(&details))
}

// parts counts what differs: "1 input and 2 outputs".
func parts(old, new *compat.Side, opts compat.Options) string {
	places := map[string]map[string]bool{"input": {}, "output": {}}
	ordered := map[string]bool{}
	for _, ch := range compat.Compare(old, new, opts) {
		ordered[ch.Place] = true
		p := strings.SplitN(ch.Place, ".", 3)
		if len(p) > 1 && (p[0] == "inputs" || p[0] == "outputs") {
			places[strings.TrimSuffix(p[0], "s")][p[1]] = true
		}
	}
	var out []string
	for _, kind := range []string{"input", "output"} {
		switch n := len(places[kind]); n {
		case 0:
		case 1:
			out = append(out, "1 "+kind)
		default:
			out = append(out, fmt.Sprintf("%d %ss", n, kind))
		}
	}
	for _, kind := range []string{"inputs", "outputs"} {
		if ordered[kind] {
			out = append(out, "the order of its "+kind)
		}
	}
	if len(out) == 0 {
		return "its texts or what it promises as a whole"
	}
	return strings.Join(out, " and ")
}

// missing judges a folder that no tool of the manifest belongs to.
func (c *checker) missing(t *Tool) {
	if !t.sound || c.bad[t.Name] {
		return
	}
	f := diag.Finding{Rule: compat.RuleToolRemoved, Tool: t.Name, Span: c.opts.Manifest}
	rule, _ := compat.RuleOf(f.Rule.String())
	opts := c.opts.of(t.Name)
	level := opts.Level(&rule, false)
	n := fmt.Sprintf("%d released versions", len(t.Releases))
	if len(t.Releases) == 1 {
		n = "a released version"
	}
	today := c.opts.Compat.Today
	switch r := t.Retired; {
	case r == nil:
		f.Message = fmt.Sprintf("%q has %s but is not in the manifest; every version stays invocable", t.Name, n)
		f.Fix = fmt.Sprintf("restore it, or announce its end with \"sculpt retire %s --sunset YYYY-MM-DD\"", t.Name)
	case today != "" && today < r.Sunset:
		f.Message = fmt.Sprintf("%q is served until %s but is not in the manifest", t.Name, r.Sunset)
		f.Fix = "restore it until then"
	case c.opts.Frozen[t.Name] != "" && today == "":
		f.Message = fmt.Sprintf("%q is served until %s but is not in the manifest", t.Name, r.Sunset)
		f.Fix = fmt.Sprintf("restore it; from %s on \"sculpt retire %s --end\" lets it go", r.Sunset, t.Name)
	case c.opts.Frozen[t.Name] != "":
		f.Message = fmt.Sprintf("%q ended on %s, but %s still keeps its promises", t.Name, r.Sunset, c.opts.Frozen[t.Name])
		f.Fix = fmt.Sprintf("run \"sculpt retire %s --end\"", t.Name)
	default:
		level = opts.Level(&rule, true)
		f.Message = fmt.Sprintf("%q was retired and ends on %s", t.Name, r.Sunset)
		if level == compat.Error {
			f.Fix = "restore it, or let retired tools end: policy a2t, and no level of tool-removed"
		}
	}
	f.Severity = level.Severity()
	c.findings.Add(f)
}
