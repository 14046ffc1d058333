package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Plan is how a released version does its work: an excerpt of the manifest,
// and of each document that it calls. It is in the record, or beside one of before,
// which has its digest; the signature is what callers see, the plan is what the vendor can
// come back to.
type Plan struct {
	// Manifest is a manifest in JSON with one tool and no prose.
	Manifest json.RawMessage
	// Rules is the rule set of the tool; the record has it and not the plan.
	Rules string
	// Plain says that the record is of a format before that of [pairs], which says
	// how the expressions of the manifest are read.
	Plain bool
	// Documents are sorted by their path in that manifest.
	Documents []Document
	// digest is that of the file which the plan was read from.
	digest string
}

// A Document is an OpenAPI document with the called operations alone.
type Document struct {
	API, File string
	// Operations are the digests of the called operations, by method and path.
	Operations map[string]string
	// Around is a digest of what the operations take from the rest of their
	// document: servers and security.
	Around  string
	OpenAPI json.RawMessage
}

type planDoc struct {
	Format    int             `json:"format"`
	Manifest  json.RawMessage `json:"manifest"`
	Documents []documentDoc   `json:"documents"`
}

type documentDoc struct {
	API        string            `json:"api"`
	File       string            `json:"file"`
	Operations map[string]string `json:"operations"`
	Around     string            `json:"around,omitempty"`
	// OpenAPI is the digest of a shared file; plans of older releases have the
	// document itself there.
	OpenAPI json.RawMessage `json:"openapi"`
}

// encode writes what the digest of a plan is taken over, without its documents: the
// file of plans of before. Equal plans have equal bytes.
func (p *Plan) encode() []byte {
	return stepwise.spell(planDoc{Format: inPieces, Manifest: p.Manifest, Documents: p.documents()})
}

// documents are those of the plan as a file has them, referred to.
func (p *Plan) documents() []documentDoc {
	docs := []documentDoc{}
	for _, d := range p.Documents {
		d.OpenAPI = refer(d.OpenAPI)
		docs = append(docs, documentDoc(d))
	}
	return docs
}

// Digest is what a record says of the plan.
func (p *Plan) Digest() string {
	if p.digest != "" {
		return p.digest
	}
	return digestOf(p.encode())
}

// planName is the file name of the plan of a version.
func planName(version int) string {
	return strings.TrimSuffix(recordName(version), ".json") + ".plan.json"
}

// Fallbacks are what callers of the release get for values of its enum outputs
// that it does not have, by output.
func (p *Plan) Fallbacks() map[string]string {
	var doc struct {
		Tools map[string]struct {
			Outputs map[string]json.RawMessage `json:"outputs"`
		} `json:"tools"`
	}
	out := map[string]string{}
	if json.Unmarshal(p.Manifest, &doc) != nil {
		return out // the record vouches for its bytes; nothing of them is known
	}
	for _, t := range doc.Tools {
		for name, raw := range t.Outputs {
			var o struct {
				Fallback string `json:"fallback"`
			}
			if json.Unmarshal(raw, &o) == nil && o.Fallback != "" {
				out[name] = o.Fallback
			}
		}
	}
	return out
}

// fallBack completes the side of a record with the fallbacks of its release.
func (h *History) fallBack(tool string, r *Record, side *compat.Side) diag.List {
	closed := func(o signature.Output) bool { return o.Type == signature.Enum }
	if side.Details.Plan == "" || !slices.ContainsFunc(side.Signature.Outputs, closed) {
		return nil
	}
	plan, findings := r.plan, diag.List(nil)
	if plan == nil {
		plan, findings = h.Plan(tool, r.Version)
	}
	if plan == nil {
		return findings
	}
	details := maps.Clone(side.Details.Outputs)
	if details == nil {
		details = map[string]signature.OutputDetails{}
	}
	for name, fallback := range plan.Fallbacks() {
		d := details[name]
		d.Fallback = fallback
		details[name] = d
	}
	side.Details.Outputs = details
	return findings
}

// Plan reads the plan of a released version. A version that was released
// without one has none.
func (h *History) Plan(tool string, version int) (*Plan, diag.List) {
	record, findings := h.Record(tool, version)
	if record == nil || record.Details.Plan == "" {
		return nil, findings
	}
	if record.format != inPieces {
		return h.resolved(record, tool, record.plan)
	}
	name := path.Join(h.dir, tool, planName(version))
	bad := func(rule diag.RuleID, fix, format string, args ...any) (*Plan, diag.List) {
		return nil, diag.List{{Rule: rule, Tool: tool, Span: diag.Span{File: name}, Fix: fix, Message: fmt.Sprintf(format, args...)}}
	}
	var buffer []byte
	data, err := read(h.fsys, name, &buffer)
	if err != nil {
		return bad(compat.RuleHistoryUnreadable, restore(name), "the plan of v%d cannot be read: %s", version, diag.Cause(err))
	}
	if digestOf(data) != record.Details.Plan {
		return bad(compat.RuleHistoryTampered, restore(name), "the plan of v%d is not the one that was released", version)
	}
	p, err := readPlan(data)
	if err != nil {
		return bad(compat.RuleHistoryUnreadable, "use the version of sculpt that wrote it", "the plan of v%d has a form that this program does not know", version)
	}
	return h.resolved(record, tool, p)
}

// resolved is the plan of a record with its documents, sorted.
func (h *History) resolved(r *Record, tool string, p *Plan) (*Plan, diag.List) {
	out := Plan{Rules: r.Rules, Plain: r.format < pairs, Manifest: p.Manifest, Documents: slices.Clone(p.Documents), digest: p.Digest()}
	slices.SortFunc(out.Documents, func(a, b Document) int { return strings.Compare(a.File, b.File) })
	for i := range out.Documents {
		document, finding := h.shared(tool, out.Documents[i].OpenAPI)
		if finding != nil {
			return nil, diag.List{*finding}
		}
		out.Documents[i].OpenAPI = document
	}
	return &out, nil
}

var errFormat = errors.New("another format")

// readPlan reads the file of a plan, with the references to its documents.
func readPlan(data []byte) (*Plan, error) {
	var doc planDoc
	if err := json.Unmarshal(data, &doc); err != nil || doc.Format != inPieces {
		return nil, errors.Join(err, errFormat)
	}
	p := planOf(doc.Manifest, doc.Documents)
	p.digest = digestOf(data)
	return p, nil
}

// planOf is a plan as a file has it, with the references to its documents.
func planOf(manifest json.RawMessage, documents []documentDoc) *Plan {
	p := &Plan{Manifest: manifest}
	for _, d := range documents {
		p.Documents = append(p.Documents, Document(d))
	}
	return p
}

// Leftovers lists the files of releases that were killed before their record
// was written: plans and examples of the version that follows the newest one of
// their tool. They count for nothing, and who writes next removes them.
func (h *History) Leftovers() []string {
	var out []string
	folders, _ := fs.ReadDir(h.fsys, h.dir) // Read reports a history that cannot be read
	for _, f := range folders {
		version := 1
		if t := h.Tool(f.Name()); t != nil {
			version += t.Version()
		}
		folder := path.Join(h.dir, f.Name())
		if _, err := fs.Stat(h.fsys, path.Join(folder, planName(version))); err == nil {
			out = append(out, path.Join(folder, planName(version)))
		}
		examples, _ := fs.ReadDir(h.fsys, path.Join(folder, examplesFolder))
		for _, e := range examples {
			if exampleVersion(e.Name()) == version {
				out = append(out, path.Join(folder, examplesFolder, e.Name()))
			}
		}
	}
	return out
}
