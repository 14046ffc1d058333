package history

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Folder is the name of the folder of the history in a package folder.
const Folder = "history"

// A T is what [Test] needs of *testing.T: importing package testing would put
// its flags into programs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// A Package is what a generated package knows of itself: what it was made
// from, and what it promises.
type Package struct {
	// Manifest is the name of the manifest in the package folder.
	Manifest string
	// Inputs are the digests of the manifest and of all documents, Code those
	// of the generated files: SHA-256 in hexadecimal, over lines that end in a
	// line feed. Paths begin at the package folder.
	Inputs, Code map[string]string
	// Heads are the newest releases that the code was generated with, by the
	// name of the tool.
	Heads map[string]Anchor
	// Levels are the levels that the manifest gives single rules, by their ids.
	Levels map[string]string
	// Tools are those of the manifest.
	Tools []Current
	// Files is the package folder; Read reads a file that may lie outside of
	// it.
	Files fs.FS
	Read  func(name string) ([]byte, error)
	// Call answers an example with the chain of the package, from recorded
	// answers; nil calls none.
	Call func(*Example) ([]byte, error)
}

// A Current is a tool as the generated code serves it, in the form of records.
type Current struct {
	// Signature and Contract are the two halves of what is locked.
	Signature, Contract string
	// Policy is the name of the policy, Accept the accept entries in the form
	// of records.
	Policy, Accept string
	// Places has the place of each part in the manifest: "inputs.city
	// 12:7-12:11", a line each, which goes on with what is in the part.
	Places string
}

// Test holds a generated package against its history and against what it was
// generated from, and reports what [Check] would report, in the words of the
// command line. The generated file compat_gen_test.go calls it.
//
// It reads the history as it is on disk, and not as it was when the code was
// generated: a record that was added, edited or deleted since is a finding.
func Test(t T, p *Package) {
	t.Helper()
	findings := p.stale()
	h, list := Read(p.Files, Folder)
	findings = append(findings, list...)
	findings = append(findings, p.judge(h)...)
	findings = append(findings, p.unknown(h)...)
	findings = append(findings, p.rehearse(h)...)
	report(t, findings, p.source)
}

// report fails the test with the errors among the findings.
func report(t T, findings diag.List, source func(string) []byte) {
	t.Helper()
	var errors diag.List
	for _, f := range findings {
		if f.Severity == diag.Error {
			errors.Add(f)
		}
	}
	if len(errors) == 0 {
		return
	}
	var b strings.Builder
	if err := diag.Text(&b, errors, source); err != nil {
		panic("history: " + err.Error()) // a strings.Builder takes everything
	}
	t.Errorf("\n%s", b.String())
}

func (p *Package) source(name string) []byte {
	data, err := p.Read(name)
	if err != nil {
		return nil // an excerpt is a courtesy
	}
	return data
}

// textDigest is the digest of a file whose line ends do not count.
func textDigest(data []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// RuleStale is the rule of files that do not belong to the generated code, for
// the command line too.
var RuleStale = diag.ID("stale-file")

// Rules documents the rules that compat.Rules does not list: they say nothing
// of releases.
var Rules = []diag.Rule{
	{ID: RuleStale, Summary: "A generated file is not what sculpt generate would write.",
		Why: "What is built and served must be what the manifest says.", Fix: "Run sculpt generate and commit what it writes."},
}

// stale finds files that changed since the code was generated, and generated
// files that were edited.
func (p *Package) stale() diag.List {
	var list diag.List
	compare := func(name, want, fix, what string) {
		at := diag.Span{File: name}
		data, err := p.Read(name)
		switch {
		case err != nil:
			list.Errorf(RuleStale, at, regenerate, "the file cannot be read: %s", diag.Cause(err))
		case textDigest(data) != want:
			list.Errorf(RuleStale, at, fix, "%s", what)
		}
	}
	for _, name := range sorted(p.Inputs) {
		compare(name, p.Inputs[name], regenerate, "the file changed since the code was generated from it")
	}
	for _, name := range sorted(p.Code) {
		compare(name, p.Code[name], anew(name), edited)
		for listed, digest := range p.index(name) {
			file := path.Join(path.Dir(name), listed)
			compare(file, digest, anew(file), edited)
		}
	}
	return list.Sorted()
}

// regenerate is the fix for files that do not belong together.
const regenerate = "run \"sculpt generate\", or go generate where a file has the directive"

// anew is the fix for a generated file that was edited: generate leaves alone
// what somebody may have wanted.
func anew(name string) string { return `run "rm ` + name + ` && sculpt generate"` }

const edited = "the generated file was edited"

// index returns the files that an index.json among the generated files lists
// beside itself, with their digests.
func (p *Package) index(name string) map[string]string {
	if path.Base(name) != "index.json" {
		return nil
	}
	data, err := p.Read(name)
	var index struct {
		Files []struct{ Path, SHA256 string }
	}
	if err != nil || json.Unmarshal(data, &index) != nil {
		return nil // that the index was edited is said already
	}
	files := map[string]string{}
	for _, f := range index.Files {
		files[f.Path] = f.SHA256
	}
	return files
}

// judge runs the check of the command line over the tools of the code.
func (p *Package) judge(h *History) diag.List {
	opts := Options{Manifest: diag.Span{File: p.Manifest}, Anchors: p.Heads, Tools: map[string]compat.Options{}}
	var list diag.List
	var sides []*compat.Side
	unreadable := func(err error) diag.List {
		list.Errorf(RuleStale, diag.Span{File: p.Manifest}, regenerate, "the promises in compat_gen_test.go cannot be read: %s", err)
		return list
	}
	var err error
	if opts.Compat.Levels, err = readLevels(p.Levels); err != nil {
		return unreadable(err)
	}
	for i := range p.Tools {
		side, options, err := p.Tools[i].side(p.Manifest)
		if err != nil {
			return unreadable(err)
		}
		options.Levels = opts.Compat.Levels
		sides = append(sides, side)
		opts.Tools[side.Signature.Name] = options
	}
	return append(list, Check(h, sides, opts)...)
}

// unknown finds releases that are newer than the code. What is missing or
// edited is found by [Check], with the heads as anchors.
func (p *Package) unknown(h *History) diag.List {
	var list diag.List
	for _, t := range h.Tools {
		if head := t.Head(); t.sound && head.Version > p.Heads[t.Name].Version {
			list.Add(diag.Finding{
				Rule: RuleStale, Tool: t.Name, Span: diag.Span{File: path.Join(Folder, t.Name, recordName(head.Version))}, Fix: regenerate,
				Message: fmt.Sprintf("v%d of %q is released, and the code was generated before that", head.Version, t.Name),
			})
		}
	}
	return list
}

// rehearse calls the examples of all releases.
func (p *Package) rehearse(h *History) diag.List {
	if p.Call == nil {
		return nil
	}
	var tools []*compat.Side
	for i := range p.Tools {
		if side, _, err := p.Tools[i].side(p.Manifest); err == nil { // judge reports the error
			tools = append(tools, side)
		}
	}
	return h.Rehearse(tools, p.Call)
}

// side reads what a tool promises.
func (c *Current) side(manifest string) (*compat.Side, compat.Options, error) {
	var opts compat.Options
	s, err := signature.Parse([]byte(c.Signature))
	if err != nil {
		return nil, opts, err
	}
	d, err := signature.ReadContract([]byte(c.Contract), s)
	if err != nil {
		return nil, opts, err
	}
	side := &compat.Side{Signature: s, Details: *d, Places: readPlaces(manifest, c.Places)}
	side.Span = side.Places["name"]
	if side.Span.IsZero() {
		side.Span.File = manifest
	}
	if opts.Policy, err = compat.ParsePolicy(c.Policy); err != nil {
		return nil, opts, err
	}
	var entries []acceptDoc
	if err := json.Unmarshal([]byte(cmp.Or(c.Accept, "[]")), &entries); err != nil {
		return nil, opts, err
	}
	for i, a := range entries {
		accept := a.accept()
		accept.Span = side.Places[fmt.Sprintf("accept.%d", i)]
		side.Accept = append(side.Accept, accept)
	}
	return side, opts, nil
}

func readLevels(names map[string]string) (map[string]compat.Level, error) {
	levels := map[string]compat.Level{}
	for rule, name := range names {
		level, err := compat.ParseLevel(name)
		if err != nil {
			return nil, err
		}
		levels[rule] = level
	}
	return levels, nil
}

// EncodeAccept writes accept entries for [Current].
func EncodeAccept(entries []compat.Accept) string {
	if len(entries) == 0 {
		return ""
	}
	docs := make([]acceptDoc, 0, len(entries))
	for i := range entries {
		docs = append(docs, acceptOf(&entries[i]))
	}
	data, err := json.Marshal(docs)
	if err != nil {
		panic("history: " + err.Error()) // texts and numbers always encode
	}
	return string(data)
}

// EncodePlaces writes the places of parts for [Current]. The file is that of the
// manifest, "" here, or another one as seen from the package folder.
func EncodePlaces(places map[string]diag.Span) string {
	var b strings.Builder
	part, end := "", ""
	for _, name := range sorted(places) {
		s := places[name]
		file := ""
		if s.File != "" {
			file = s.File + ":"
		}
		if part == "" || !strings.HasPrefix(name, part+".") {
			b.WriteString(end)
			part = name
		} else {
			b.WriteByte('\t')
		}
		end = "\n"
		fmt.Fprintf(&b, "%s %s%d:%d-%d:%d", name, file, s.Start.Line, s.Start.Col, s.End.Line, s.End.Col)
	}
	return b.String()
}

var placeForm = regexp.MustCompile(`^(\S+) (?:(.+):)?([0-9]{1,9}):([0-9]{1,9})-([0-9]{1,9}):([0-9]{1,9})$`)

// readPlaces is lenient: a place tells only where to point.
func readPlaces(manifest, text string) map[string]diag.Span {
	places := map[string]diag.Span{}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\t' }) {
		m := placeForm.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		number := func(i int) int {
			n, _ := strconv.Atoi(m[i]) // the form has nine digits at most
			return n
		}
		places[m[1]] = diag.Span{
			File: cmp.Or(m[2], manifest), Start: diag.Pos{Line: number(3), Col: number(4)}, End: diag.Pos{Line: number(5), Col: number(6)},
		}
	}
	return places
}
