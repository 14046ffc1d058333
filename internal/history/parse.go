package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A mistake is what is wrong with a file, with the byte where it is wrong.
type mistake struct {
	rule         diag.RuleID
	message, fix string
	offset       int
}

// asReleased in a fix is the command that restores the file.
const asReleased = "<restore>"

// finding gives the mistake its place.
func (m *mistake) finding(file, tool string, data []byte) diag.Finding {
	return diag.Finding{Rule: m.rule, Message: m.message, Fix: strings.ReplaceAll(m.fix, asReleased, restore(file)), Tool: tool, Span: diag.Span{File: file, Start: place(data, m.offset)}}
}

// place is the line and column of a byte.
func place(data []byte, offset int) diag.Pos {
	before := data[:min(offset, len(data))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return diag.Pos{Line: bytes.Count(before, []byte("\n")) + 1, Col: utf8.RuneCount(before[line:]) + 1}
}

func unreadable(offset int, format string, args ...any) *mistake {
	return &mistake{compat.RuleHistoryUnreadable, fmt.Sprintf(format, args...), asReleased, offset}
}

// parseRecord reads a record in its one spelling. Where what was read is
// written back as the same bytes, nothing was overlooked: no member twice, none
// unknown, none left out. Otherwise the record is read again to find out what
// is wrong with it.
func parseRecord(data []byte) (*Record, *mistake) {
	var doc recordDoc
	if json.Unmarshal(data, &doc) == nil && doc.Format >= inPieces && doc.Format <= Format {
		if r, m := doc.record(nil); m == nil && bytes.Equal(data, r.encode()) {
			r.Digest = digestOf(data)
			return r, nil
		}
	}
	return nil, diagnose(data)
}

// diagnose says what is wrong with a record, and where.
func diagnose(data []byte) *mistake {
	if m := visible(data); m != nil {
		return m
	}
	var doc recordDoc
	offsets, m := members(data, &doc, "format", "rules", "policy", "tool", "version", "released", "prev", "changes", "accepted", "signature", "contract")
	if m != nil {
		return m
	}
	r, m := doc.record(offsets)
	if m != nil {
		return m
	}
	return sameSpelling(data, r.encode())
}

// record makes a record of its members, which begin at the given offsets.
func (doc *recordDoc) record(offsets map[string]int) (*Record, *mistake) {
	r := &Record{format: doc.Format, Rules: doc.Rules, Tool: doc.Tool, Version: doc.Version, Released: doc.Released, Prev: doc.Prev}
	if !signature.KnownRules(doc.Rules) {
		return nil, newer(offsets["rules"], "the rule set %q", doc.Rules)
	}
	var err error
	if r.Policy, err = compat.ParsePolicy(doc.Policy); err != nil {
		return nil, unreadable(offsets["policy"], "%s", err)
	}
	for _, text := range doc.Changes {
		ref, ok := refOf(text)
		if !ok {
			return nil, unreadable(offsets["changes"], "the change %q is not a rule and a place", text)
		}
		r.Changes = append(r.Changes, ref)
	}
	for i := range doc.Accepted {
		r.Accepted = append(r.Accepted, doc.Accepted[i].accept())
	}
	if r.Signature, err = signature.Parse(doc.Signature); err != nil {
		return nil, within(err, offsets["signature"], "signature")
	}
	if r.Details, err = signature.ReadContract(doc.Contract, r.Signature); err != nil {
		return nil, within(err, offsets["contract"], "contract")
	}
	if r.Signature.Version != r.Version {
		return nil, unreadable(offsets["signature"], "the signature is of version %d, the record of version %d", r.Signature.Version, r.Version)
	}
	if r.format == inPieces {
		return r, nil
	}
	return r, r.keeps(doc, offsets)
}

// parseTombstone reads a tombstone in its one spelling.
func parseTombstone(data []byte) (*Tombstone, *mistake) {
	if m := visible(data); m != nil {
		return nil, m
	}
	var doc tombstoneDoc
	if _, m := members(data, &doc, "format", "tool", "toolId", "version", "prev", "retired", "sunset"); m != nil {
		return nil, m
	}
	t := &Tombstone{Tool: doc.Tool, ToolID: doc.ToolID, Version: doc.Version, Prev: doc.Prev, Retired: doc.Retired, Sunset: doc.Sunset, Use: doc.Use, Digest: digestOf(data)}
	return t, sameSpelling(data, t.encode())
}

// visible finds the mistakes that people see at once.
func visible(data []byte) *mistake {
	if at := marker(data); at >= 0 {
		return &mistake{
			compat.RuleHistoryConflict, "two branches released this version, and the merge left its markers",
			"settle the manifest, then \"sculpt release --renumber\" gives yours the next number", at,
		}
	}
	if at := bytes.IndexByte(data, '\r'); at >= 0 {
		return &mistake{
			compat.RuleHistoryTampered, "the line ends of this record are not LF, so its bytes are not those that were released",
			"let git keep line ends, with * -text in the .gitattributes of the history; " + asReleased, at,
		}
	}
	return nil
}

// marker returns the place of the first line that a merge left, or -1.
func marker(data []byte) int {
	at := -1
	for _, m := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		i := bytes.Index(data, []byte("\n"+m)) + 1
		if bytes.HasPrefix(data, []byte(m)) {
			i = 0
		} else if i == 0 {
			continue
		}
		if at < 0 || i < at {
			at = i
		}
	}
	return at
}

func newer(offset int, format string, args ...any) *mistake {
	m := unreadable(offset, "%s is newer than this program, which reads formats up to %d and the rule sets up to %s", fmt.Sprintf(format, args...), Format, signature.Rules)
	m.fix = "use the version of sculpt that wrote it"
	return m
}

// within moves the mistake of a part to its place in the record.
func within(err error, offset int, what string) *mistake {
	if read, ok := errors.AsType[*signature.ReadError](err); ok {
		return unreadable(offset+read.Offset, "%s: %s", what, read.Reason)
	}
	return unreadable(offset, "%s: %s", what, err)
}

// members decodes an object into a struct and returns where the values of its
// members begin. Duplicates, unknown and missing members and a newer format are
// mistakes.
func members(data []byte, doc any, needed ...string) (map[string]int, *mistake) {
	dec := json.NewDecoder(bytes.NewReader(data))
	offsets := map[string]int{}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, unreadable(0, "this is not a JSON object")
	}
	for dec.More() {
		at := next(data, int(dec.InputOffset()))
		t, err := dec.Token()
		if err != nil {
			return nil, unreadable(at, "this is not JSON: %s", err)
		}
		name, _ := t.(string)
		if _, twice := offsets[name]; twice {
			return nil, unreadable(at, "member %q is there twice", name)
		}
		offsets[name] = next(data, int(dec.InputOffset()))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, unreadable(offsets[name], "this is not JSON: %s", err)
		}
		if m := member(name, value, offsets[name], at, doc); m != nil {
			return nil, m
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, unreadable(len(data), "the file ends too early")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, unreadable(int(dec.InputOffset()), "something follows the record")
	}
	for _, name := range needed {
		if _, there := offsets[name]; !there {
			return nil, unreadable(0, "member %q is missing", name)
		}
	}
	return offsets, nil
}

// member decodes one member into the field of the struct that has its name.
func member(name string, value json.RawMessage, offset, nameOffset int, doc any) *mistake {
	if n, err := strconv.Atoi(string(value)); name == "format" && (err != nil || n < inPieces || n > Format) {
		return newer(offset, "format %s", value)
	}
	one := append(append(append([]byte{'{'}, encodeName(name)...), value...), '}')
	dec := json.NewDecoder(bytes.NewReader(one))
	dec.DisallowUnknownFields()
	if err := dec.Decode(doc); err != nil {
		if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return unreadable(offset, "%q must be of type %s", name, kind.Type)
		}
		return unreadable(nameOffset, "unknown member %q", name)
	}
	return nil
}

func encodeName(name string) []byte {
	b, err := json.Marshal(name)
	if err != nil {
		panic("history: " + err.Error()) // texts always encode
	}
	return append(b, ':')
}

// next skips to where the next token begins.
func next(data []byte, at int) int {
	for at < len(data) && strings.IndexByte(" \t\r\n,:", data[at]) >= 0 {
		at++
	}
	return at
}

// sameSpelling compares a file with what would have been written.
func sameSpelling(data, want []byte) *mistake {
	if bytes.Equal(data, want) {
		return nil
	}
	at := 0
	for at < min(len(data), len(want)) && data[at] == want[at] {
		at++
	}
	return &mistake{
		compat.RuleHistoryTampered, "this record was edited after release: from here on it is not spelled as it was written",
		asReleased, at,
	}
}

// A header is what the chain and the files beside a record need of it.
type header struct {
	tool, prev      string
	version, format int
	// examples is the digest of the examples beside a record, "" for none.
	examples string
}

// readHeader reads the first lines of a record in its one spelling, and the
// digest of its examples, without parsing the rest, whose bytes the digest
// vouches for. It reports whether the lines are as they should be.
func readHeader(data []byte) (h header, ok bool) {
	rest := data
	value := func(name string) []byte {
		line, after, _ := bytes.Cut(rest, []byte(",\n"))
		rest = after
		v, found := bytes.CutPrefix(line, []byte(`  "`+name+`": `))
		ok = ok && found
		return v
	}
	rest, ok = bytes.CutPrefix(rest, []byte("{\n"))
	format, err := strconv.Atoi(string(value("format")))
	ok = ok && err == nil && format >= inPieces && format <= Format
	value("rules")
	value("policy")
	tool, version := value("tool"), value("version")
	value("released")
	prev := value("prev")
	h.tool, h.prev = unquoted(tool, &ok), unquoted(prev, &ok)
	n, err := strconv.Atoi(string(version))
	h.version, h.format = n, format
	if format == inPieces {
		h.examples = examplesIn(data)
	}
	return h, ok && err == nil
}

// examplesIn finds the digest of the examples in the contract of a record that has
// them beside it. The spelling of those makes the line plain: texts have no line
// feeds, and no other member of that depth has the name.
func examplesIn(data []byte) string {
	_, rest, _ := bytes.Cut(data, []byte("\n    \"examples\": \""))
	digest, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(digest)
}

// unquoted reads a text; names and digests have nothing to escape.
func unquoted(text []byte, ok *bool) string {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' || bytes.IndexByte(text, '\\') >= 0 {
		*ok = false
		return ""
	}
	return string(text[1 : len(text)-1])
}
