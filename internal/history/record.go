package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Format is the format of records that this package writes, and the newest
// that it reads: plan and examples are in the record, and its plan is read as
// since [pairs].
const Format = pairs

// pairs is the first format of records whose plans are read with {item, value} as
// the elements of a for_each with missing answers, and with optional status and
// headers of a step that may not run. Plans of earlier records are read as when
// they were released.
const pairs = 3

// inPieces is the format of records that have plan and examples in files beside
// them, and the format of all that is no record.
const inPieces = 1

// Attributes is the content of .gitattributes in the folder of the history:
// line ends stay as they are written, and the text merge stays on, so that two
// releases of one number leave their markers in the file.
const Attributes = "* -text\n"

// A Record is one released version.
type Record struct {
	// Rules is the rule set that the defaults and the meaning of rules are
	// taken from; Policy is the one that the release was judged by.
	Rules  string
	Policy compat.Policy
	// Tool is the name of the folder: the name of the first release.
	Tool    string
	Version int
	// Released is the date of the release, YYYY-MM-DD.
	Released string
	// Prev is the digest of the record before, "" in version 1.
	Prev string
	// Changes lists what the release changed for callers of any version
	// before; Accepted lists the entries that it was made under.
	Changes  []compat.Ref
	Accepted []compat.Accept
	// Signature is complete: served half and contract.
	Signature *signature.Signature
	Details   *signature.Details
	// Digest is that of the record's own bytes: sha256:<hex>.
	Digest string
	// served and contract are the two halves as they were written.
	served, contract []byte
	// format is that of the file.
	format int
	kept
}

// Served returns the half of the release that A2T serves, as it was locked.
// Documents tell more, in words of ours and in members of ours: all of it is
// made of this half, of the contract and of notes that are not locked.
func (r *Record) Served() []byte { return r.Signature.Canonical() }

// side is the record as package compat sees it.
func (r *Record) side(file string) *compat.Side {
	return &compat.Side{
		Signature: r.Signature, Details: *r.Details, Span: diag.Span{File: file}, Known: r.Changes, Accepted: r.Accepted,
	}
}

// The members of a record, in order. Each format has one spelling: JSON of this
// form, indented by two spaces, in the first one with a line for each value, and
// since then folded, see [folding], with a line for each value that is shared.
type recordDoc struct {
	Format    int             `json:"format"`
	Rules     string          `json:"rules"`
	Policy    string          `json:"policy"`
	Tool      string          `json:"tool"`
	Version   int             `json:"version"`
	Released  string          `json:"released"`
	Prev      string          `json:"prev"`
	Changes   []string        `json:"changes"`
	Accepted  []acceptDoc     `json:"accepted"`
	Signature json.RawMessage `json:"signature"`
	Contract  json.RawMessage `json:"contract"`
	// Of records with all that a release keeps; see [kept].
	Plan     *planPart                  `json:"plan,omitempty"`
	Examples map[string]examplePart     `json:"examples,omitempty"`
	Shared   map[string]json.RawMessage `json:"shared,omitempty"`
}

type acceptDoc struct {
	Rule   string `json:"rule"`
	At     string `json:"at"`
	Since  int    `json:"since"`
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"`
}

func acceptOf(a *compat.Accept) acceptDoc {
	return acceptDoc{Rule: a.Rule, At: a.At, Since: a.Since, Reason: a.Reason, Until: a.Until}
}

func (a *acceptDoc) accept() compat.Accept {
	return compat.Accept{Rule: a.Rule, At: a.At, Since: a.Since, Reason: a.Reason, Until: a.Until}
}

// encode writes the record.
func (r *Record) encode() []byte {
	r.served, r.contract = r.Served(), r.Signature.Contract(r.Details)
	doc := recordDoc{
		Format: r.format, Rules: r.Rules, Policy: r.Policy.String(), Tool: r.Tool, Version: r.Version, Released: r.Released, Prev: r.Prev,
		Changes: []string{}, Accepted: []acceptDoc{}, Signature: r.served, Contract: r.contract,
	}
	for _, c := range r.Changes {
		doc.Changes = append(doc.Changes, c.String())
	}
	for i := range r.Accepted {
		doc.Accepted = append(doc.Accepted, acceptOf(&r.Accepted[i]))
	}
	if r.format == inPieces {
		return spell(doc)
	}
	doc.Plan, doc.Examples = r.plan.part(), r.exampleParts()
	return r.withShared(folding.spell(doc))
}

// spell writes a document with a line for each value: two spaces, LF, final newline.
func spell(doc any) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, encoded(doc), "", "  "); err != nil {
		panic("history: " + err.Error()) // so does what was encoded
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// A spelling says which objects and lists have lines of their own for what is in
// them: those down to a depth, but below the top only those that are wider, and
// in one member of the top only its own members.
type spelling struct {
	deep, wide int
	plain      string
}

var (
	// stepwise gives each member of a document a line, and each member of an
	// object or a list among them. Digests of plans and examples are taken over
	// it, so it stays as it is for ever.
	stepwise = spelling{deep: 2}
	// folding shows single facts in a review, and nobody has to look through
	// brackets; what a plan says was reviewed in the manifest. Records are written in
	// it, so it stays as it is for ever.
	folding = spelling{deep: 3, wide: 110, plain: "plan"}
)

// spell writes a document, with a final newline.
func (s spelling) spell(doc any) []byte {
	var b bytes.Buffer
	s.lines(&b, encoded(doc), 0)
	b.WriteByte('\n')
	return b.Bytes()
}

// Folded writes JSON over several lines as records have it, so that a change of
// one fact is a change of one line; what is not JSON stays.
func Folded(doc string) string {
	if !json.Valid([]byte(doc)) {
		return doc
	}
	return strings.TrimSuffix(string(folding.spell(json.RawMessage(doc))), "\n")
}

// lines writes a value that is so many objects and lists deep in its document.
func (s spelling) lines(b *bytes.Buffer, value json.RawMessage, depth int) {
	if depth == s.deep || depth > 0 && len(value) <= s.wide || value[0] != '{' && value[0] != '[' || len(value) == 2 {
		b.Write(value)
		return
	}
	d := json.NewDecoder(bytes.NewReader(value))
	open, _ := d.Token() // it was encoded a moment ago, so nothing of it can fail
	b.WriteByte(value[0])
	for first := true; d.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat("  ", depth+1))
		within := s
		if open == json.Delim('{') {
			name, _ := d.Token()
			b.Write(encoded(name))
			b.WriteString(": ")
			if depth == 0 && name == s.plain {
				within.deep = 2
			}
		}
		var member json.RawMessage
		_ = d.Decode(&member)
		within.lines(b, member, depth+1)
	}
	b.WriteString("\n" + strings.Repeat("  ", depth))
	b.WriteByte(value[len(value)-1])
}

// encoded is compact JSON.
func encoded(doc any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		panic("history: " + err.Error()) // plain data always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// digestOf is the digest of a file as records write it.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// short is a digest as messages show it.
func short(digest string) string {
	digest = strings.TrimPrefix(digest, "sha256:")
	return digest[:min(10, len(digest))]
}

// refOf reads a change as records write it.
func refOf(text string) (compat.Ref, bool) {
	rule, place, ok := strings.Cut(text, " ")
	return compat.Ref{Rule: rule, Place: place}, ok && rule != "" && place != ""
}

// recordName is the file name of a version.
func recordName(version int) string { return fmt.Sprintf("v%04d.json", version) }

// RetiredName is the file name of a tombstone in the folder of a tool.
const RetiredName = "retired.json"

// A Tombstone says that a tool ends. Its name and its id stay taken for ever.
type Tombstone struct {
	Tool, ToolID string
	// Version is the last one, Prev the digest of its record.
	Version int
	Prev    string
	// Retired is the day it was written, Sunset the first day on which the
	// tool need not be served any more (YYYY-MM-DD).
	Retired, Sunset string
	// Use names the tool to use instead.
	Use string
	// Digest is that of the tombstone's own bytes.
	Digest string
}

type tombstoneDoc struct {
	Format  int    `json:"format"`
	Tool    string `json:"tool"`
	ToolID  string `json:"toolId"`
	Version int    `json:"version"`
	Prev    string `json:"prev"`
	Retired string `json:"retired"`
	Sunset  string `json:"sunset"`
	Use     string `json:"use,omitempty"`
}

func (t *Tombstone) encode() []byte {
	return spell(tombstoneDoc{inPieces, t.Tool, t.ToolID, t.Version, t.Prev, t.Retired, t.Sunset, t.Use})
}
