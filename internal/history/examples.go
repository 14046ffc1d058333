package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// examplesFolder holds the examples of releases in pieces.
const examplesFolder = "examples"

// An Example is a call of a released version, with everything that the backend
// answered and what the caller was told. The record of the version has the
// digest of all its examples.
type Example struct {
	// Name is the version and what the example is about: v0001-weather_in_omaha.
	Name string
	// Tool is the name that the tool has now; the file has that of its release.
	Tool    string
	Version int
	Goal    string
	// Inputs and Answer are JSON objects; Answer has the member outputs, or
	// error with kind, code and message.
	Inputs, Answer json.RawMessage
	// Exchanges are replay files, one for each request.
	Exchanges []json.RawMessage
	// file is the one that it was read from.
	file string
}

type exampleDoc struct {
	Format    int               `json:"format"`
	Tool      string            `json:"tool"`
	Version   int               `json:"version"`
	Goal      string            `json:"goal"`
	Inputs    json.RawMessage   `json:"inputs"`
	Answer    json.RawMessage   `json:"answer"`
	Exchanges []json.RawMessage `json:"exchanges"`
}

// encode writes what the digest of an example is taken over: the file of examples
// of before.
func (e *Example) encode() []byte {
	return stepwise.spell(exampleDoc{inPieces, e.Tool, e.Version, e.Goal, e.Inputs, e.Answer, e.references()})
}

// references are what stands for the exchanges.
func (e *Example) references() []json.RawMessage {
	out := []json.RawMessage{}
	for _, x := range e.Exchanges {
		out = append(out, refer(x))
	}
	return out
}

func byName(a, b *Example) int { return strings.Compare(a.Name, b.Name) }

// nameExamples gives the examples of a release their names.
func nameExamples(examples []*Example) {
	taken := map[string]bool{}
	for _, e := range examples {
		base := fmt.Sprintf("v%04d-%s", e.Version, slug(e.Goal))
		e.Name = base
		for n := 2; taken[e.Name]; n++ {
			e.Name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[e.Name] = true
	}
}

// digestOfExamples is "" for none.
func digestOfExamples(examples []*Example) string {
	files := make([]File, 0, len(examples))
	for _, e := range slices.SortedFunc(slices.Values(examples), byName) {
		files = append(files, File{e.Name + ".json", e.encode()})
	}
	return digestOfFiles(files)
}

// digestOfFiles is the digest of files of examples, sorted by name.
func digestOfFiles(files []File) string {
	if len(files) == 0 {
		return ""
	}
	var all []byte
	for _, f := range files {
		all = fmt.Appendf(all, "%s %s\n", path.Base(f.Name), digestOf(f.Data))
	}
	return digestOf(all)
}

const longSlug = 40

// slug makes a part of a file name of any text.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case b.Len() >= longSlug:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	if s := strings.Trim(b.String(), "_"); s != "" {
		return s
	}
	return "example"
}

// Examples reads the examples of all releases of some tools. Those that are not
// what their record has the digest of, which is for [Check] to report, are left
// out, as are those of tools whose records have a finding.
func (h *History) Examples(tools []*compat.Side) []*Example {
	var all []*Example
	for _, side := range tools {
		t := h.Of(side.Signature)
		if t == nil || !t.sound || t.Newest == nil {
			continue
		}
		for _, e := range h.keptExamples(t) {
			e.Tool = side.Signature.Name
			for i, x := range e.Exchanges {
				e.Exchanges[i], _ = h.shared(t.Name, x) // keptExamples has seen to it
			}
			all = append(all, e)
		}
	}
	return all
}

// exampleFiles lists the files of examples, sorted; none if there is no folder
// that can be read, and then the records miss them.
func (h *History) exampleFiles(t *Tool) []string {
	folder := path.Join(h.dir, t.Name, examplesFolder)
	entries, err := fs.ReadDir(h.fsys, folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names
}

// keptExamples returns the examples of all releases of a tool that are as they
// were released, with what stands for their exchanges.
func (h *History) keptExamples(t *Tool) []*Example {
	kept, _ := h.inPieces(t)
	for i := range t.Releases {
		if rel := &t.Releases[i]; rel.header.format != inPieces {
			kept = append(kept, h.whole(t, h.inRecord(t, rel))...)
		}
	}
	return kept
}

// inPieces holds the examples beside the records of a tool against the records.
// For those in records the chain vouches, and for what they share with files the
// examples that needed it first.
func (h *History) inPieces(t *Tool) (kept []*Example, findings diag.List) {
	files, findings := h.exampleSets(t)
	for i := range t.Releases {
		rel := &t.Releases[i]
		beside := files[rel.Version]
		switch {
		case rel.header.format != inPieces && len(beside) > 0:
			findings.Add(diag.Finding{Rule: compat.RuleHistoryTampered, Tool: t.Name, Span: diag.Span{File: beside[0].Name}, Fix: "delete it", Message: "this example belongs to no release"})
			continue
		case rel.header.format == inPieces && digestOfFiles(beside) != rel.header.examples:
			findings.Add(diag.Finding{Rule: compat.RuleHistoryTampered, Tool: t.Name, Fix: restore(path.Join(h.dir, t.Name, recordName(rel.Version))),
				Span:    diag.Span{File: path.Join(h.dir, t.Name, examplesFolder)},
				Message: fmt.Sprintf("the examples of v%d are not those that were released", rel.Version)})
			continue
		}
		for _, f := range beside {
			e := readExample(f)
			if finding := h.missing(t, e); finding != nil {
				findings.Add(*finding)
				continue
			}
			kept = append(kept, e)
		}
	}
	return kept, findings
}

// whole leaves out examples that miss what they share.
func (h *History) whole(t *Tool, examples []*Example) []*Example {
	return slices.DeleteFunc(examples, func(e *Example) bool { return h.missing(t, e) != nil })
}

// inRecord reads the examples in a record.
func (h *History) inRecord(t *Tool, rel *Release) []*Example {
	var buffer []byte
	var doc struct {
		Examples map[string]examplePart `json:"examples"`
	}
	data, err := read(h.fsys, rel.File, &buffer)
	if err != nil || json.Unmarshal(data, &doc) != nil {
		return nil // it could be read a moment ago
	}
	var list []*Example
	for _, name := range sorted(doc.Examples) {
		e := doc.Examples[name]
		list = append(list, &Example{Name: name, Tool: t.Name, Version: rel.Version, Goal: e.Goal, Inputs: e.Inputs, Answer: e.Answer, Exchanges: e.Exchanges, file: rel.File})
	}
	return list
}

// missing is the finding about what an example shares with others and is not there.
func (h *History) missing(t *Tool, e *Example) *diag.Finding {
	for _, x := range e.Exchanges {
		if _, finding := h.shared(t.Name, x); finding != nil {
			return finding
		}
	}
	return nil
}

// exampleSets reads the examples of a tool, by version.
func (h *History) exampleSets(t *Tool) (files map[int][]File, findings diag.List) {
	files = map[int][]File{}
	for _, name := range h.exampleFiles(t) {
		version := exampleVersion(path.Base(name))
		if version == t.Version()+1 {
			continue // a release that was killed left it, see Leftovers
		}
		if version < 1 || version > t.Version() {
			findings.Add(diag.Finding{Rule: compat.RuleHistoryTampered, Tool: t.Name, Span: diag.Span{File: name}, Fix: "delete it",
				Message: "this example belongs to no release"})
			continue
		}
		var buffer []byte
		data, err := read(h.fsys, name, &buffer)
		if err != nil {
			findings.Add(diag.Finding{Rule: compat.RuleHistoryUnreadable, Tool: t.Name, Span: diag.Span{File: name}, Fix: "look at its permissions",
				Message: fmt.Sprintf("the example cannot be read: %s", diag.Cause(err))})
			continue
		}
		files[version] = append(files[version], File{name, data})
	}
	return files, findings
}

// exampleVersion is the version that the name of an example begins with, or 0.
func exampleVersion(name string) (version int) {
	if _, err := fmt.Sscanf(name, "v%d-", &version); err != nil {
		return 0
	}
	return version
}

// readExample reads what is known to be what [Example.encode] wrote.
func readExample(f File) *Example {
	e := &Example{Name: strings.TrimSuffix(path.Base(f.Name), ".json"), file: f.Name}
	var doc exampleDoc
	if json.Unmarshal(f.Data, &doc) == nil {
		e.Tool, e.Version, e.Goal, e.Inputs, e.Answer, e.Exchanges = doc.Tool, doc.Version, doc.Goal, doc.Inputs, doc.Answer, doc.Exchanges
	}
	return e
}

// Rehearse calls every example of every release again and reports answers that
// are not what they were, as far as the accept entries of the tools do not
// allow it. Answers to callers of old versions are promised as much as the
// signature. Messages of errors may change, their codes may not.
func (h *History) Rehearse(tools []*compat.Side, call func(*Example) ([]byte, error)) diag.List {
	accept := map[string][]compat.Accept{}
	for _, side := range tools {
		accept[side.Signature.Name] = side.Accept
	}
	var findings diag.List
	used := map[*compat.Accept]bool{}
	for _, e := range h.Examples(tools) {
		answer, err := call(e)
		what := ""
		if err != nil {
			what = "cannot be answered any more: " + err.Error()
		} else {
			what = difference(e.Answer, answer)
		}
		if what == "" || accepted(accept[e.Tool], e, used) {
			continue
		}
		findings.Add(diag.Finding{
			Rule: compat.RuleBehaviourChanged, Tool: e.Tool, Span: diag.Span{File: e.file},
			Message: fmt.Sprintf("v%d of %q answers %q otherwise than when it was released: %s", e.Version, e.Tool, e.Goal, what),
			Fix: fmt.Sprintf("let the chain answer as before, keep the old chain with freeze: [%d], or accept it under the next version: accept: [{rule: %s, at: examples.%s, reason: \"\"}] with a reason",
				e.Version, compat.RuleBehaviourChanged, e.Name),
		})
	}
	return append(findings, unusedAccepts(accept, used)...)
}

// accepted reports whether an entry speaks of the example.
func accepted(entries []compat.Accept, e *Example, used map[*compat.Accept]bool) bool {
	found := false
	for i := range entries {
		if a := &entries[i]; a.Rule == compat.RuleBehaviourChanged.String() && a.At == examplesFolder+"."+e.Name && a.Since <= e.Version {
			used[a], found = true, true
		}
	}
	return found
}

// unusedAccepts reports entries about examples that are answered as before.
func unusedAccepts(accept map[string][]compat.Accept, used map[*compat.Accept]bool) diag.List {
	var findings diag.List
	for _, tool := range sorted(accept) {
		for i := range accept[tool] {
			if a := &accept[tool][i]; a.Rule == compat.RuleBehaviourChanged.String() && !used[a] {
				findings.Add(diag.Finding{Rule: compat.RuleAcceptUnused, Tool: tool, Span: a.Span, Fix: "delete it",
					Message: fmt.Sprintf("this accept entry (%s %s) matches nothing", a.Rule, a.At)})
			}
		}
	}
	return findings
}

// An answered is the form of answers.
type answered struct {
	Outputs map[string]json.RawMessage
	Error   *struct{ Kind, Code, Message string }
}

// difference says how two answers differ, "" if they do not.
func difference(was, is []byte) string {
	var a, b answered
	if err := errors.Join(json.Unmarshal(was, &a), json.Unmarshal(is, &b)); err != nil {
		return "the answer cannot be read"
	}
	switch {
	case a.Error != nil && b.Error != nil:
		if a.Error.Kind != b.Error.Kind || a.Error.Code != b.Error.Code {
			return fmt.Sprintf("the error was %s and is %s now", words(a.Error), words(b.Error))
		}
		return ""
	case a.Error != nil:
		return fmt.Sprintf("it was the error %s and is an answer now", words(a.Error))
	case b.Error != nil:
		return fmt.Sprintf("it is the error %s now: %s", words(b.Error), b.Error.Message)
	}
	var changes []string
	for _, name := range sorted(a.Outputs) {
		old, now := squeeze(a.Outputs[name]), squeeze(b.Outputs[name])
		if old != now {
			changes = append(changes, fmt.Sprintf("%s was %s and is %s", name, clip(old), clip(now)))
		}
	}
	for _, name := range sorted(b.Outputs) {
		if _, there := a.Outputs[name]; !there {
			changes = append(changes, name+" is new")
		}
	}
	return strings.Join(changes, ", ")
}

func words(e *struct{ Kind, Code, Message string }) string {
	return strings.TrimSpace(e.Code + " (" + e.Kind + ")")
}

// squeeze is equal for JSON texts that differ in spaces only.
func squeeze(data json.RawMessage) string {
	if data == nil {
		return "missing"
	}
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return string(data)
	}
	return b.String()
}

// clip shortens a value for a message.
func clip(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}
