// Package manifest reads sculpt.yaml: syntax and shape, nothing semantic. One
// table of keys (see Keys) drives the decoder, the editor schema and the docs.
// Every key and value keeps its place, down to the characters inside a scalar,
// so that later stages can point at the very token.
//
// The package imports diag, value (its table of hidden characters) and the YAML
// parser only.
package manifest

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A Manifest is one sculpt.yaml. Members that were not written are zero; maps
// of the file are slices in file order.
type Manifest struct {
	// File is the name for messages, Digest the SHA-256 of the bytes.
	File, Digest string

	Package     Scalar
	Toolkit     Scalar
	Title       Scalar
	Description Scalar
	Namespace   Scalar
	// Policy is a2t, letter, client-safe or not set.
	Policy Scalar
	// Levels are note, warning or error, by the id of a rule.
	Levels []Pair

	Env       []*Env
	APIs      []*API
	Constants []*Constant
	Flows     []*Flow
	Tools     []*Tool
	Ignores   []*Ignore

	root *Node
}

// An Ignore is a warning that the vendor has looked at.
type Ignore struct {
	Span             diag.Span
	Rule, At, Reason Scalar
}

// Place returns the place of a part of the manifest with its key, such as
// "tools.find.outputs.id".
func (m *Manifest) Place(path string) (diag.Span, bool) {
	var at diag.Span
	for n := m.root; path != ""; {
		if n == nil {
			return at, false
		}
		i := slices.IndexFunc(n.Members, func(p Pair) bool { return path == p.Key.Value || strings.HasPrefix(path, p.Key.Value+".") })
		if i < 0 {
			return at, false
		}
		p := &n.Members[i]
		at = diag.Span{File: m.File, Start: p.Key.Span.Start, End: p.Value.Span.End}
		path = strings.TrimPrefix(strings.TrimPrefix(path, p.Key.Value), ".")
		n = &p.Value
	}
	return at, !at.IsZero()
}

// A Flow is a sequence of calls that several tools use.
type Flow struct {
	Name   Scalar
	Inputs []FlowInput
	Steps  []*Step
	Lets   []Pair
	// Results are the values that the flow gives.
	Results []Pair
}

// A FlowInput is what a flow is given.
type FlowInput struct {
	Name Scalar
	// Type is string, int, double, boolean or empty.
	Type Scalar
}

// An Env declares an environment variable that the generated package reads.
type Env struct {
	Name, Description, Default Scalar
}

// An API is one OpenAPI document and how to reach it.
type API struct {
	Name    Scalar
	OpenAPI Scalar
	// BaseURL overrides the document's server.
	BaseURL Scalar
	// Headers are sent with every request of the api.
	Headers []Pair
	// Auth maps security schemes to env:NAME, file:PATH or caller.
	Auth    []Pair
	Timeout Scalar
	Retry   Retry
}

// Retry is how often a safe call is tried.
type Retry struct {
	Span     diag.Span
	Attempts Scalar
}

// A Constant is a named literal: scalar, list or map.
type Constant struct {
	Name  Scalar
	Value Node
}

// A Tool is one sculpted tool as written.
type Tool struct {
	Name Scalar
	Span diag.Span

	ID, Version, Title, Description, WhenToUse, Timeout Scalar

	Tags     []Scalar
	Inputs   []*Input
	Steps    []*Step
	Lets     []Pair
	Outputs  []*Output
	Examples []*Example
	// Effects the vendor states; unset where not written.
	Effects Effects
	// Policy overrides that of the manifest.
	Policy Scalar
	Accept []*Accept
	// Since, Sunset and Use are those of deprecated.
	Since, Sunset, Use Scalar
	// Freeze lists versions that keep their own chain.
	Freeze []Scalar
	Notes  Notes
	// ShortForm says that the single step was written as call/with directly on
	// the tool; its id is then "result".
	ShortForm bool
}

// An Accept entry lets one breaking change pass.
type Accept struct {
	Span                           diag.Span
	Rule, At, Since, Reason, Until Scalar
}

// Notes are the texts of a tool that are for catalogues and planners.
type Notes struct {
	Author, Category, Homepage, Success Scalar

	Localization                            []*Localization
	Tools, Conditions, Progress, Completion []Scalar
}

// A Localization is the face of a tool in a language.
type Localization struct {
	Language, Description, WhenToUse Scalar
}

// Effects are the vendor's own, more cautious words about a tool, and what no
// method tells.
type Effects struct {
	ReadOnly, Idempotent, Destructive, Reversible, Billable Scalar

	Creates, Modifies, Deletes []Scalar
	Cost, Duration             Scalar
}

// An Input is one input of a tool.
type Input struct {
	Name Scalar
	ID   Scalar
	// Type is string, int, boolean or empty.
	Type        Scalar
	Description Scalar
	Optional    Scalar
	Default     Scalar

	MinLength, MaxLength, Pattern, Min, Max Scalar
	// MCPHeader is the name of the header that repeats the input, without
	// Mcp-Param- before it.
	MCPHeader Scalar
	// Values of an enum, in file order.
	Values []*EnumValue
	From   *From
}

// An EnumValue is one allowed value.
type EnumValue struct {
	// Name is the A2T name, Text its description, Send the wire value.
	Name, Text, Send Scalar
}

// From names the upstream parameter that an input inherits text, bounds and
// enum from.
type From struct {
	Span diag.Span
	// Short is the short form api.operation.parameter, if that was used.
	Short Scalar
	// Call, Parameter and In are the long form.
	Call, Parameter, In Scalar
}

// A Step is one backend call.
type Step struct {
	ID   Scalar
	Call Scalar
	// Flow is the flow that the step runs in place of a call.
	Flow Scalar
	With []Pair
	// Body is nil where no body was written.
	Body    *Node
	Expect  []*Expect
	Errors  []*ErrorCase
	Effect  Scalar
	Because Scalar
	// When is the condition under which the call is made.
	When Scalar
	// ForEach is the list for each element of which the call is made, Max the
	// most elements that it may have.
	ForEach, Max Scalar
	// Response is a list of statuses or a schema, nil where none was written.
	Response *Node
	// Cache is how long an answer may be used again.
	Cache   Scalar
	Timeout Scalar
	Retry   Retry
}

// An Expect is a condition on an answer.
type Expect struct {
	Check Scalar
	Failure
}

// An ErrorCase maps an upstream status, and perhaps a problem type, to an
// error of the tool. Key is as written: 404, 4xx, default, "404 InvalidPoint".
type ErrorCase struct {
	Key Scalar
	// Missing says that this is no error: the value of the step is missing.
	Missing Scalar
	Failure
}

// A Failure is what the caller of a tool is told.
type Failure struct {
	Span                                  diag.Span
	Code, Message, DeveloperMessage, Hint Scalar
	// Retry is never, same, changed or empty; RetryAfter a duration.
	Retry, RetryAfter Scalar
}

// An Output is one output of a tool.
type Output struct {
	Name, ID, Value, Description, Optional Scalar
	// MaxItems and MaxLength bound what is passed on.
	MaxItems, MaxLength Scalar
	// Values turn an upstream string into an enum: wire -> NAME.
	Values []*EnumValue
	// Fallback is the NAME for wire values that Values does not list.
	Fallback Scalar
}

// An Example is one call of a tool with a goal in words.
type Example struct {
	Span         diag.Span
	Goal, Result Scalar
	Inputs       []Pair
}

// A Pair is one entry of a map.
type Pair struct {
	Key   Scalar
	Value Node
}

// NodeKind is the shape of a Node.
type NodeKind uint8

// The kinds of nodes.
const (
	NoNode NodeKind = iota
	ScalarNode
	ListNode
	MapNode
)

// A Node is a value tree of literals and expressions.
type Node struct {
	Kind    NodeKind
	Span    diag.Span
	Scalar  Scalar
	Items   []Node
	Members []Pair
}

// Type is the YAML core type of a scalar.
type Type uint8

// The core types. NoType is the type of a Scalar that was not written.
const (
	NoType Type = iota
	TextType
	IntType
	FloatType
	BoolType
	NullType
)

// A Scalar is a YAML scalar as written. The zero Scalar was not written.
type Scalar struct {
	// Value is the decoded text, also of numbers and booleans.
	Value string
	Type  Type
	// Span covers the scalar in the file, quotes included.
	Span diag.Span
	// places holds, for each byte of Value and one behind it, the position in
	// the file; nil means that it runs straight from Span.Start.
	places []diag.Pos
}

// Places returns the position of each byte of Value and of the one behind it;
// nil where the value stands in the file as it is, from Span.Start on. The
// bytes of a character share its position, and so do those that an escape made.
func (s Scalar) Places() []diag.Pos { return s.places }

// IsSet reports whether the scalar was written.
func (s Scalar) IsSet() bool { return s.Type != NoType }

// At returns the place of the bytes from start up to end of Value.
func (s Scalar) At(start, end int) diag.Span {
	return diag.Span{File: s.Span.File, Start: s.place(start), End: s.place(end)}
}

func (s Scalar) place(i int) diag.Pos {
	if s.places == nil {
		p := s.Span.Start
		p.Col += len([]rune(s.Value[:min(i, len(s.Value))]))
		return p
	}
	return s.places[min(i, len(s.places)-1)]
}
