package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Evidence is what a release keeps beside what callers see: how the tool did its
// work, and what it answered. Both may be missing.
type Evidence struct {
	Plan     *Plan
	Examples []*Example
}

// details completes what callers rely on with the digests of the evidence.
func (e *Evidence) details(d signature.Details) *signature.Details {
	d.Plan, d.Examples = "", digestOfExamples(e.Examples)
	if e.Plan != nil {
		d.Plan = e.Plan.Digest()
	}
	return &d
}

// What a record keeps. Documents and exchanges, which versions have in common,
// are referred to by their digests, and are in the first record that needs them.
type kept struct {
	plan *Plan
	// examples are sorted by their names.
	examples []*Example
	// shared has what this record is the first to need, by digest.
	shared map[string]json.RawMessage
}

// A planPart is a plan in a record.
type planPart struct {
	Manifest  json.RawMessage `json:"manifest"`
	Documents []documentDoc   `json:"documents"`
}

// part is the plan without its documents; nil for none.
func (p *Plan) part() *planPart {
	if p == nil {
		return nil
	}
	return &planPart{p.Manifest, p.documents()}
}

// An examplePart is an example in a record, which has the rest of it.
type examplePart struct {
	Goal      string            `json:"goal"`
	Inputs    json.RawMessage   `json:"inputs"`
	Answer    json.RawMessage   `json:"answer"`
	Exchanges []json.RawMessage `json:"exchanges"`
}

func (k *kept) exampleParts() map[string]examplePart {
	parts := map[string]examplePart{}
	for _, e := range k.examples {
		parts[e.Name] = examplePart{e.Goal, e.Inputs, e.Answer, e.references()}
	}
	return parts
}

// sharedOpen begins the last member of a record that has something to share.
const sharedOpen = "\n  \"shared\": {\n"

// withShared adds what is shared to a record, each value on a line, so that one
// can be read without the others.
func (k *kept) withShared(record []byte) []byte {
	if len(k.shared) == 0 {
		return record
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(record, []byte("\n}\n")))
	b.WriteByte(',')
	open := strings.TrimSuffix(sharedOpen, "\n")
	for _, digest := range sorted(k.shared) {
		b.WriteString(open + "\n" + sharedLine(digest))
		b.Write(k.shared[digest])
		open = ","
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes()
}

// sharedLine is how the line of a value begins.
func sharedLine(digest string) string { return `    "` + digest + `": ` }

// sharedIn lists the digests of the values that a record has for others too.
func sharedIn(record []byte) (digests []string) {
	_, rest, _ := bytes.Cut(record, []byte(sharedOpen))
	for line := range bytes.Lines(rest) {
		name, there := bytes.CutPrefix(line, []byte(`    "`))
		name, _, ends := bytes.Cut(name, []byte(`": `))
		if there && ends {
			digests = append(digests, string(name))
		}
	}
	return digests
}

// sharedValue returns a value that a record has for others too.
func sharedValue(record []byte, digest string) json.RawMessage {
	_, rest, _ := bytes.Cut(record, []byte(sharedOpen))
	_, rest, there := bytes.Cut(append([]byte{'\n'}, rest...), []byte("\n"+sharedLine(digest)))
	line, _, ends := bytes.Cut(rest, []byte("\n"))
	if !there || !ends {
		return nil
	}
	return bytes.TrimSuffix(line, []byte(","))
}

// keep names the examples of a release and finds out what its record is the first
// to need.
func (h *History) keep(t *Tool, r *Record, e *Evidence) {
	r.plan, r.examples = e.Plan, slices.Clone(e.Examples)
	r.shared = map[string]json.RawMessage{}
	if e.Plan != nil {
		for _, d := range e.Plan.Documents {
			h.share(t, r, d.OpenAPI)
		}
	}
	for _, example := range r.examples {
		for _, x := range example.Exchanges {
			h.share(t, r, x)
		}
	}
	slices.SortFunc(r.examples, byName)
}

// share keeps a value that no record before has.
func (h *History) share(t *Tool, r *Record, value json.RawMessage) {
	if _, missing := h.shared(t.Name, refer(value)); missing != nil {
		data := compact(value)
		r.shared[digestOf(data)] = bytes.TrimSuffix(data, []byte("\n"))
	}
}

// keeps takes plan and examples from the members of a record, and holds them
// against the digests in its contract.
func (r *Record) keeps(doc *recordDoc, offsets map[string]int) *mistake {
	if doc.Plan != nil {
		r.plan = planOf(doc.Plan.Manifest, doc.Plan.Documents)
	}
	for _, name := range sorted(doc.Examples) {
		e := doc.Examples[name]
		r.examples = append(r.examples, &Example{
			Name: name, Tool: r.Signature.Name, Version: r.Version, Goal: e.Goal, Inputs: e.Inputs, Answer: e.Answer, Exchanges: e.Exchanges,
		})
	}
	r.shared = doc.Shared
	whole := (&Evidence{r.plan, r.examples}).details(*r.Details)
	switch {
	case whole.Plan != r.Details.Plan:
		return otherwise(offsets["plan"], "the plan of v%d is not the one that was released", r.Version)
	case whole.Examples != r.Details.Examples:
		return otherwise(offsets["examples"], "the examples of v%d are not those that were released", r.Version)
	}
	if r.plan != nil {
		r.plan.digest = whole.Plan
	}
	for digest, value := range r.shared {
		if digestOf(append(slices.Clone(value), '\n')) != digest {
			return otherwise(offsets["shared"], "what releases of %q share is not what was released", r.Tool)
		}
	}
	return nil
}

func otherwise(offset int, format string, args ...any) *mistake {
	return &mistake{compat.RuleHistoryTampered, fmt.Sprintf(format, args...), asReleased, offset}
}
