// Package manifest reads sculpt.yaml: syntax and shape, nothing semantic. A key
// is one row of a table (see [Keys]) and the tag of the member that it fills:
// decoding, the editor schema and what the plan of a release keeps follow.
// Every key and value keeps its place, down to the characters inside a scalar,
// so that later stages can point at the very token.
//
// The package imports diag, pattern, value (its table of hidden characters) and the YAML
// parser only.
package manifest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A Manifest is one sculpt.yaml, with the parts that it includes. Members that were not written are zero; maps
// of the file are slices in file order. The tags say which key of the table a
// member holds, see [decode].
type Manifest struct {
	// File is the name for messages, Digest the SHA-256 of the bytes.
	File, Digest string

	Package     Scalar `key:"package"`
	Toolkit     Scalar `key:"toolkit"`
	Title       Scalar `key:"title"`
	Description Scalar `key:"description"`
	Namespace   Scalar `key:"namespace"`
	// Rules is a2t/1, a2t/2 or not set.
	Rules Scalar `key:"rules"`
	// Policy is a2t, letter, client-safe or not set.
	Policy Scalar `key:"policy"`
	// Levels are note, warning or error, by the id of a rule.
	Levels []Pair `key:"levels"`
	// Notice is a number of days.
	Notice Scalar `key:"notice"`
	// Client is true, false or not set.
	Client Scalar `key:"client"`
	// CommandLine is what is told of the program that is made of the package.
	CommandLine CommandLine `key:"program"`

	Env  []*Env `key:"env"`
	APIs []*API `key:"apis"`
	// Constants are named literals: scalars, lists and maps.
	Constants []Pair    `key:"constants"`
	Flows     []*Flow   `key:"flows"`
	Tools     []*Tool   `key:"tools"`
	Ignores   []*Ignore `key:"ignore"`
	// Includes are the files that hold parts of the manifest: see [Manifest.Include].
	Includes []Scalar `key:"include"`

	root *Node
	// size, marks and nodes are what all files together cost so far.
	size, marks, nodes int
	// spans are the places in the parts, by the keys of the manifest.
	spans map[string][]diag.Span
}

// A CommandLine says how the program of the package is used.
type CommandLine struct {
	Setup    Scalar     `key:"setup"`
	Check    Scalar     `key:"check"`
	Patterns []*Pattern `key:"patterns"`
}

// A Pattern is a sequence of command lines.
type Pattern struct {
	Name        Scalar         `key:"*"`
	Description Scalar         `key:"description"`
	Tags        []Scalar       `key:"tags"`
	Variables   []Pair         `key:"variables"`
	Steps       []*PatternStep `key:"steps"`
	Executable  Scalar         `key:"executable"`
}

// A PatternStep is one command line.
type PatternStep struct {
	Command     Scalar `key:"command"`
	Description Scalar `key:"description"`
}

// An Ignore is a warning that the vendor has looked at.
type Ignore struct {
	Span   diag.Span
	Rule   Scalar `key:"rule"`
	At     Scalar `key:"at"`
	Reason Scalar `key:"reason"`
}

// Covers reports whether a place is inside a part of the manifest with its key,
// such as "tools.find.outputs.id". What is written in several files has several
// places.
func (m *Manifest) Covers(path string, place diag.Span) bool {
	var at []diag.Span
	for n := m.root; path != ""; {
		if n == nil {
			return false
		}
		i := slices.IndexFunc(n.Members, func(p Pair) bool { return path == p.Key.Value || strings.HasPrefix(path, p.Key.Value+".") })
		if i < 0 {
			return false
		}
		p := &n.Members[i]
		path = strings.TrimPrefix(strings.TrimPrefix(path, p.Key.Value), ".")
		at = []diag.Span{p.span()}
		if n == m.root {
			at = append(at, m.spans[p.Key.Value]...)
		}
		n = &p.Value
	}
	return slices.ContainsFunc(at, func(s diag.Span) bool { return s.Contains(place) })
}

// span is the place of an entry with its key.
func (p *Pair) span() diag.Span {
	return diag.Span{File: p.Key.Span.File, Start: p.Key.Span.Start, End: p.Value.Span.End}
}

// Paths has the paths of all scalars by where they begin: "tools.find.let.name",
// "tools.find.steps.place.expect[0].check".
func (m *Manifest) Paths() map[diag.Span]string {
	out := map[diag.Span]string{}
	var visit func(n *Node, path string)
	visit = func(n *Node, path string) {
		switch n.Kind {
		case MapNode:
			for i := range n.Members {
				visit(&n.Members[i].Value, strings.TrimPrefix(path+"."+n.Members[i].Key.Value, "."))
			}
		case ListNode:
			for i := range n.Items {
				visit(&n.Items[i], path+"["+strconv.Itoa(i)+"]")
			}
		default:
			out[diag.Span{File: n.Scalar.Span.File, Start: n.Scalar.Span.Start}] = path
		}
	}
	if m.root != nil {
		visit(m.root, "")
	}
	return out
}

// A Flow is a sequence of calls that several tools use.
type Flow struct {
	Name   Scalar       `key:"*"`
	Inputs []*FlowInput `key:"inputs"`
	Steps  []*Step      `key:"steps"`
	Lets   []Pair       `key:"let"`
	// Results are the values that the flow gives.
	Results []Pair `key:"results"`
}

// A FlowInput is what a flow is given.
type FlowInput struct {
	Name Scalar `key:"*"`
	// Type is string, int, double, boolean or empty.
	Type Scalar `key:"type"`
}

// An Env declares an environment variable that the generated package reads.
type Env struct {
	Name        Scalar `key:"*"`
	Description Scalar `key:"description"`
	Default     Scalar `key:"default"`
}

// An API is one OpenAPI document and how to reach it.
type API struct {
	Name    Scalar `key:"*"`
	OpenAPI Scalar `key:"openapi"`
	// Overlays change the document.
	Overlays []Scalar `key:"overlays"`
	// BaseURL overrides the document's server.
	BaseURL Scalar `key:"base_url"`
	// Servers says what the variables of the document's servers are.
	Servers Servers `key:"servers"`
	// Headers are sent with every request of the api.
	Headers []Pair  `key:"headers"`
	Auth    []*Auth `key:"auth"`
	Timeout Scalar  `key:"timeout"`
	Retry   Retry   `key:"retry"`
}

// Servers are those of a document.
type Servers struct {
	Span      diag.Span
	Variables []Pair `key:"variables"`
}

// An Auth says where the credential of a security scheme comes from.
type Auth struct {
	Scheme Scalar `key:"*"`
	Span   diag.Span
	// Source is env:NAME, file:PATH or caller; unset where one of the others is
	// not nil.
	Source            Scalar `key:",short"`
	ClientCredentials *Grant `key:"client_credentials"`
	RefreshToken      *Grant `key:"refresh_token"`
	TokenExchange     *Grant `key:"token_exchange"`
	AuthorizationCode *Grant `key:"authorization_code"`
}

// A Grant is what a token endpoint gives an access token for. ID, Secret and
// Token are env:NAME.
type Grant struct {
	Span     diag.Span
	ID       Scalar   `key:"id"`
	Secret   Scalar   `key:"secret"`
	Token    Scalar   `key:"token"`
	Scopes   []Scalar `key:"scopes"`
	Audience Scalar   `key:"audience"`
	TokenURL Scalar   `key:"token_url"`
	// AuthorizationURL is where users agree.
	AuthorizationURL Scalar `key:"authorization_url"`
	// Issuer is the iss that the authorization server sends.
	Issuer Scalar `key:"issuer"`
	Send   Scalar `key:"send"`
}

// Retry is how often a safe call is tried.
type Retry struct {
	Span     diag.Span
	Attempts Scalar `key:"attempts"`
}

// A Tool is one sculpted tool as written.
type Tool struct {
	Name Scalar `key:"*"`
	Span diag.Span

	ID          Scalar `key:"id"`
	Version     Scalar `key:"version"`
	Title       Scalar `key:"title"`
	Description Scalar `key:"description"`
	WhenToUse   Scalar `key:"when_to_use"`
	Image       Scalar `key:"image"`
	Timeout     Scalar `key:"timeout"`
	// Allow is a condition on the caller.
	Allow Scalar `key:"allow"`

	Tags     []Scalar   `key:"tags"`
	Inputs   []*Input   `key:"inputs"`
	Steps    []*Step    `key:"steps"`
	Lets     []Pair     `key:"let"`
	Outputs  []*Output  `key:"outputs"`
	Examples []*Example `key:"examples"`
	// Effects the vendor states; unset where not written.
	Effects Effects `key:"effects"`
	// Policy overrides that of the manifest.
	Policy     Scalar     `key:"policy"`
	Accept     []*Accept  `key:"accept"`
	Deprecated Deprecated `key:"deprecated"`
	// Freeze lists versions that keep their own chain.
	Freeze []Scalar `key:"freeze"`
	Notes
	// ShortForm says that the single step was written as call/with directly on
	// the tool; its id is then "result".
	ShortForm bool
}

// Deprecated says since when a tool should no longer be used, from when on it
// is not served any more, and what to use instead.
type Deprecated struct {
	Since  Scalar `key:"since"`
	Sunset Scalar `key:"sunset"`
	Use    Scalar `key:"use"`
}

// An Accept entry lets one breaking change pass.
type Accept struct {
	Span   diag.Span
	Rule   Scalar `key:"rule"`
	At     Scalar `key:"at"`
	Since  Scalar `key:"since"`
	Reason Scalar `key:"reason"`
	Until  Scalar `key:"until"`
}

// Notes are the texts of a tool that are for catalogues and planners.
type Notes struct {
	Author        Scalar          `key:"author"`
	Category      Scalar          `key:"category"`
	Homepage      Scalar          `key:"homepage"`
	Success       Scalar          `key:"success"`
	Localization  []*Localization `key:"localization"`
	Prerequisites Prerequisites   `key:"prerequisites"`
	Feedback      Feedback        `key:"feedback"`
}

// A Localization is the face of a tool in a language.
type Localization struct {
	Language    Scalar `key:"*"`
	Description Scalar `key:"description"`
	WhenToUse   Scalar `key:"when_to_use"`
}

// Prerequisites are what has to be so before a tool is called.
type Prerequisites struct {
	Tools      []Scalar `key:"tools"`
	Conditions []Scalar `key:"conditions"`
}

// Feedback is by what one sees how a call is doing.
type Feedback struct {
	Progress   []Scalar `key:"progress"`
	Completion []Scalar `key:"completion"`
}

// Effects are the vendor's own, more cautious words about a tool, and what no
// method tells.
type Effects struct {
	ReadOnly    Scalar   `key:"read_only"`
	Idempotent  Scalar   `key:"idempotent"`
	Destructive Scalar   `key:"destructive"`
	Reversible  Scalar   `key:"reversible"`
	Billable    Scalar   `key:"billable"`
	Creates     []Scalar `key:"creates"`
	Modifies    []Scalar `key:"modifies"`
	Deletes     []Scalar `key:"deletes"`
	Cost        Scalar   `key:"cost"`
	Duration    Scalar   `key:"duration"`
}

// An Input is one input of a tool.
type Input struct {
	Name Scalar `key:"*"`
	ID   Scalar `key:"id"`
	// Type is string, int, boolean or empty.
	Type        Scalar `key:"type"`
	Description Scalar `key:"description"`
	Optional    Scalar `key:"optional"`
	Default     Scalar `key:"default"`
	MinLength   Scalar `key:"min_length"`
	MaxLength   Scalar `key:"max_length"`
	Pattern     Scalar `key:"pattern"`
	Min         Scalar `key:"min"`
	Max         Scalar `key:"max"`
	// MCPHeader is the name of the header that repeats the input, without
	// Mcp-Param- before it.
	MCPHeader Scalar `key:"mcp_header"`
	// Values of an enum, in file order.
	Values []*EnumValue `key:"values"`
	From   *From        `key:"from"`
}

// An EnumValue is one allowed value of an input.
type EnumValue struct {
	// Name is the A2T name, Text its description, Send the wire value.
	Name Scalar `key:"*"`
	Text Scalar `key:"text,short"`
	Send Scalar `key:"send"`
}

// From names the upstream parameter that an input inherits text, bounds and
// enum from.
type From struct {
	Span diag.Span
	// Short is the short form api.operation.parameter, if that was used.
	Short Scalar `key:",short"`
	// Call, Parameter and In are the long form.
	Call      Scalar `key:"call"`
	Parameter Scalar `key:"parameter"`
	In        Scalar `key:"in"`
}

// A Step is one backend call.
type Step struct {
	ID   Scalar `key:"*"`
	Call Scalar `key:"call"`
	// Flow is the flow that the step runs instead of a call.
	Flow Scalar `key:"flow"`
	With []Pair `key:"with"`
	// Body is nil where no body was written.
	Body *Node `key:"body"`
	// Media is the media type of the body.
	Media   Scalar       `key:"media"`
	Expect  []*Expect    `key:"expect"`
	Errors  []*ErrorCase `key:"errors"`
	Effect  Scalar       `key:"effect"`
	Because Scalar       `key:"because"`
	Strict  Scalar       `key:"strict"`
	// When is the condition under which the call is made.
	When Scalar `key:"when"`
	// ForEach is the list for each element of which the call is made, Max the
	// most elements that it may have.
	ForEach Scalar `key:"for_each"`
	Max     Scalar `key:"max"`
	// Collect is nil for a single call.
	Collect *Collect `key:"collect"`
	// Poll is nil for a call that is made once.
	Poll *Poll `key:"poll"`
	// Response is a list of statuses or a schema, nil where none was written.
	Response *Node `key:"response"`
	// Cache is how long an answer may be used again.
	Cache   Scalar `key:"cache"`
	Timeout Scalar `key:"timeout"`
	Retry   Retry  `key:"retry"`
}

// Collect says how the pages of a list are put together.
type Collect struct {
	Span      diag.Span
	Items     Scalar `key:"items"`
	Until     Scalar `key:"until"`
	Next      Scalar `key:"next"`
	Parameter Scalar `key:"parameter"`
	Link      Scalar `key:"link"`
	Page      Scalar `key:"page"`
	Offset    Scalar `key:"offset"`
	Max       Scalar `key:"max"`
	Partial   Scalar `key:"partial"`
}

// Poll says how long a call is made again.
type Poll struct {
	Span  diag.Span
	Until Scalar `key:"until"`
	Every Scalar `key:"every"`
	Max   Scalar `key:"max"`
}

// An Expect is a condition on an answer.
type Expect struct {
	Check Scalar `key:"check"`
	Failure
}

// An ErrorCase maps an upstream status, and perhaps a problem type, to an
// error of the tool. Key is as written: 404, 4xx, default, "404 InvalidPoint".
type ErrorCase struct {
	Key Scalar `key:"*"`
	// Missing says that this is not an error: the value of the step is missing.
	Missing Scalar `key:"missing"`
	Failure
}

// A Failure is what the caller of a tool is told.
type Failure struct {
	Span             diag.Span
	Code             Scalar `key:"code"`
	Message          Scalar `key:"message"`
	DeveloperMessage Scalar `key:"developer_message"`
	Hint             Scalar `key:"hint"`
	// Retry is never, same, changed or empty; RetryAfter a duration.
	Retry      Scalar `key:"retry"`
	RetryAfter Scalar `key:"retry_after"`
}

// An Output is one output of a tool.
type Output struct {
	Name        Scalar `key:"*"`
	ID          Scalar `key:"id"`
	Value       Scalar `key:"value"`
	Description Scalar `key:"description"`
	Optional    Scalar `key:"optional"`
	// MaxItems and MaxLength bound what is passed on.
	MaxItems  Scalar `key:"max_items"`
	MaxLength Scalar `key:"max_length"`
	// Values turn an upstream string into an enum: wire -> NAME.
	Values []*OutputValue `key:"values"`
	// Fallback is the NAME for wire values that Values does not list.
	Fallback Scalar `key:"fallback"`
}

// An OutputValue is what an upstream value becomes.
type OutputValue struct {
	// Wire is the upstream value, Name the A2T name, Text its description.
	Wire Scalar `key:"*"`
	Name Scalar `key:"name,short"`
	Text Scalar `key:"text"`
}

// An Example is one call of a tool with a goal in words.
type Example struct {
	Span   diag.Span
	Goal   Scalar `key:"goal"`
	Result Scalar `key:"result"`
	Inputs []Pair `key:"inputs"`
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
	// places holds, for each byte of Value and for its end, the position in
	// the file; nil means that it runs straight from Span.Start.
	places []diag.Pos
}

// Places returns the position of each byte of Value and of its end;
// nil where the value is in the file as it is, from Span.Start on. The
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
