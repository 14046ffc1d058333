// Package signature is the public promise of a tool: what the model sees, what
// is versioned, locked, compared and exported. It holds nothing of how the
// tool does its work; packages that publish may import it and may not import
// the plan.
//
// The package imports types only.
package signature

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// Rules names the set of defaults that the signature of a new tool is written
// under. They are always written out, so that nobody depends on them (A2T 6.1).
const Rules = "a2t/2"

// FirstRules is the set of the first tools, in which a required text may be
// empty. A tool keeps the set of its first release.
const FirstRules = "a2t/1"

// Limits of A2T that are not stated in a manifest (all rule sets).
const (
	DefaultMaxLength = 1000
	DefaultMin       = -1 << 31
	DefaultMax       = 65535
)

// KnownRules reports whether there is a rule set of that name.
func KnownRules(name string) bool { return name == Rules || name == FirstRules }

// DefaultMinLength is the fewest characters of a text that states none. A caller
// who has to send a text and sends an empty one has forgotten it.
func DefaultMinLength(rules string, required bool) int {
	if required && rules != FirstRules {
		return 1
	}
	return 0
}

// A Signature is one version of one tool as its callers know it.
type Signature struct {
	// ID is the UUID of the tool, the same in all versions (A2T 6.1).
	ID string
	// Name is snake_case; ToolName is its PascalCase form in an OTC tool id,
	// after Toolkit and a dot.
	Name, Toolkit, ToolName string
	Title                   string
	Description             string
	WhenToUse               string
	// Image is the address of a picture of the tool. The contract locks it;
	// A2T serves it with the signature (img).
	Image    string
	Version  int
	Tags     []string
	Inputs   []Input
	Outputs  []Output
	Effects  Effects
	Needs    Needs
	Examples []Example
	// Notes are not locked; those of a release have no more than Deprecated.
	Notes Notes
}

// Type is the type of an input or output (A2T 5.1).
type Type string

// The types. JSON is for outputs only.
const (
	String  Type = "string"
	Int     Type = "int"
	Boolean Type = "boolean"
	Enum    Type = "enum"
	JSON    Type = "json"
)

// An Input is one input parameter. Bounds are always set.
type Input struct {
	ID, Name    string
	Type        Type
	Description string
	Required    bool
	// MinLength and MaxLength count code points of a string.
	MinLength, MaxLength int
	Pattern              string
	Min, Max             int64
	Values               []Value
	// Default stands in for an absent input: string, int64, bool or nil.
	Default any
	// MCPHeader is the name under which clients of MCP repeat the input in a
	// header, Mcp-Param-<name>; "" for none (MCP 2026-07-28, x-mcp-header). A
	// release records it, so that a change is seen, and does not lock it: how a
	// call travels is not a promise of what it does.
	MCPHeader string
}

// A Value is one allowed value of an enum.
type Value struct {
	Name, Text string
}

// An Output is one output parameter.
type Output struct {
	ID, Name    string
	Type        Type
	Description string
	// Optional outputs may be null.
	Optional bool
	Values   []Value
	// Schema is the type of a json output; nil otherwise.
	Schema *types.Type
}

// Effects says what a call may do.
type Effects struct {
	ReadOnly, Idempotent, Destructive, Reversible, Billable bool
}

// Needs lists what a caller must bring.
type Needs struct {
	UserID  bool
	Secrets []string
	Tokens  []string
	Claims  []string
}

// An Example is a call with a goal in words.
type Example struct {
	Goal string
	// Inputs are string, int64 or bool by input name.
	Inputs map[string]any
	// Result says in words what the call gives; "" where nobody said.
	Result string
}

// The wire form of A2T 6.1, in the order of the draft's figure. It is here
// and not with the other wire documents because it is what history locks.
type document struct {
	ToolID      string      `json:"toolId"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Image       string      `json:"img,omitempty"`
	Version     int         `json:"version"`
	Tags        []string    `json:"tags,omitempty"`
	Inputs      []inputDoc  `json:"input_parameters"`
	Outputs     []outputDoc `json:"output_parameters"`
	extension
	CurrentVersion int `json:"currentVersion,omitempty"`
}

type inputDoc struct {
	ID            string     `json:"id"`
	Name          string     `json:"name"`
	Type          Type       `json:"type"`
	Description   string     `json:"description"`
	Required      bool       `json:"required"`
	MaxLength     *int       `json:"maxLength,omitempty"`
	Min           *int64     `json:"min,omitempty"`
	Max           *int64     `json:"max,omitempty"`
	AllowedValues []valueDoc `json:"allowed-values,omitempty"`
	inputExtension
}

// inputExtension is what the draft has no member of an input for.
type inputExtension struct {
	MinLength int    `json:"minLength,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
	Default   any    `json:"default,omitempty"`
}

type outputDoc struct {
	ID            string     `json:"id"`
	Name          string     `json:"name"`
	Type          Type       `json:"type"`
	Description   string     `json:"description"`
	AllowedValues []valueDoc `json:"allowed-values,omitempty"`
}

type valueDoc struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Extensions names the members of a served document that are not of A2T 6.1,
// InputExtensions those of its inputs.
var (
	Extensions      = []string{"effects", "prerequisites", "deprecated"}
	InputExtensions = []string{"minLength", "pattern", "default"}
)

// An extension is what a document says beside the members of A2T 6.1: effects,
// what has to be so before a call, and the end of the tool. It is served and not
// locked: a vendor corrects notes without a new version, and the effects that
// it repeats are locked by the contract.
type extension struct {
	Effects       *effectsDoc  `json:"effects,omitempty"`
	Prerequisites *needsDoc    `json:"prerequisites,omitempty"`
	Deprecated    *Deprecation `json:"deprecated,omitempty"`
}

type effectsDoc struct {
	ReadOnly     bool     `json:"read_only"`
	Idempotent   bool     `json:"idempotent"`
	Destructive  bool     `json:"destructive"`
	Irreversible bool     `json:"irreversible"`
	Billable     bool     `json:"billable"`
	Creates      []string `json:"creates,omitempty"`
	Modifies     []string `json:"modifies,omitempty"`
	Deletes      []string `json:"deletes,omitempty"`
	Cost         string   `json:"cost,omitempty"`
	Duration     string   `json:"duration,omitempty"`
}

type needsDoc struct {
	Tools       []string `json:"tools,omitempty"`
	Conditions  []string `json:"conditions,omitempty"`
	Permissions []string `json:"permissions,omitempty"`
}

// extend writes the extension of a document.
func (s *Signature) extend() extension {
	e, n := s.Effects, &s.Notes
	x := extension{Effects: &effectsDoc{
		ReadOnly: e.ReadOnly, Idempotent: e.Idempotent, Destructive: e.Destructive, Irreversible: !e.Reversible && !e.ReadOnly, Billable: e.Billable,
		Creates: n.Creates, Modifies: n.Modifies, Deletes: n.Deletes, Cost: n.Cost, Duration: n.Typical,
	}}
	permissions := append(s.Credentials(), s.Permissions()...)
	if len(n.Tools)+len(n.Conditions)+len(permissions) > 0 {
		x.Prerequisites = &needsDoc{n.Tools, n.Conditions, permissions}
	}
	if n.Deprecated != (Deprecation{}) {
		x.Deprecated = &n.Deprecated
	}
	return x
}

// Canonical returns the compact A2T document of the signature without
// currentVersion: the part of a version that never changes (A2T 6.1). The same
// signature always gives the same bytes.
func (s *Signature) Canonical() []byte { return s.document().encode() }

// Document returns the A2T document as it is served: with the picture, which
// the contract locks, with what the draft has no member for, and with
// currentVersion as its last member.
func (s *Signature) Document(currentVersion int) []byte {
	d := s.document()
	d.Image, d.extension, d.CurrentVersion = s.Image, s.extend(), currentVersion
	for i, in := range s.Inputs {
		d.Inputs[i].inputExtension = inputExtension{in.MinLength, in.Pattern, in.Default}
	}
	return d.encode()
}

// FullDescription is the description as a release locks it, with the words of
// the vendor about when to use the tool. Documents join them in words of ours
// ([UseWhen]), which may become better without a new version.
func (s *Signature) FullDescription() string {
	if strings.HasSuffix(s.Description, s.WhenToUse) {
		return s.Description // said already, or nothing to say
	}
	return Sentences(s.Description, s.WhenToUse)
}

// Sentences joins texts with a blank; what would run into the next one gets a
// full stop.
func Sentences(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			if last, _ := utf8.DecodeLastRuneInString(b.String()); !strings.ContainsRune(".!?:;,…", last) {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

// Digest returns the SHA-256 of the canonical form in hexadecimal.
func (s *Signature) Digest() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

func (s *Signature) document() document {
	d := document{
		ToolID: s.ID, Name: s.Name, Description: s.FullDescription(), Version: s.Version, Tags: s.Tags,
		Inputs: make([]inputDoc, len(s.Inputs)), Outputs: make([]outputDoc, len(s.Outputs)),
	}
	for i := range s.Inputs {
		d.Inputs[i] = inputDocument(&s.Inputs[i])
	}
	for i, o := range s.Outputs {
		d.Outputs[i] = outputDoc{ID: o.ID, Name: o.Name, Type: o.Type, Description: o.Description, AllowedValues: valueDocs(o.Values)}
	}
	return d
}

func (d document) encode() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		panic("signature: " + err.Error()) // plain data always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func inputDocument(in *Input) inputDoc {
	d := inputDoc{
		ID: in.ID, Name: in.Name, Type: in.Type, Description: in.Description, Required: in.Required,
		AllowedValues: valueDocs(in.Values),
	}
	switch in.Type {
	case String:
		d.MaxLength = &in.MaxLength
	case Int:
		d.Min, d.Max = &in.Min, &in.Max
	}
	return d
}

func valueDocs(values []Value) []valueDoc {
	var out []valueDoc
	for _, v := range values {
		out = append(out, valueDoc{v.Name, v.Text})
	}
	return out
}
