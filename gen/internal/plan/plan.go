// Package plan makes every decision of the back end: files, Go names, Go
// types, descriptors and the statements of each chain. The emitter writes the
// plan down with loops and hardly an if. Name clashes are findings here.
//
// It is the only mapping from types to Go types. It imports diag, types,
// operation, signature, ir, expr, history, lower and naming.
package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A Package is one generated Go package.
type Package struct {
	// Name is the package clause, Manifest the file it was made from.
	Name, Manifest string
	Toolkit        string
	Title          string
	Description    string
	Env            []*Env
	APIs           []*API
	// Answers are the structs of upstream answers, Unions their members that
	// can have several JSON kinds.
	Answers []*Struct
	Unions  []*Union
	// Wholes read those of them that are answers as such.
	Wholes []*Whole
	// Records are structs that expressions make.
	Records   []*Struct
	Constants []*Constant
	Patterns  []*Pattern
	Tools     []*Tool
	// Client says that the package has callers of its tools.
	Client bool

	types *typeTable
	// standIns are for the variables that addresses are made of.
	standIns map[string]string
}

// An Env is a configuration value of the package.
type Env struct {
	// Field is the Go name in Config, Local the one in Tools, "" where no chain
	// reads it.
	Field, Local, Name, Description, Default string
	HasDefault                               bool
}

// An API is one upstream of the package.
type API struct {
	Name, Title, BaseURL string
	// Field is the exported name in Config, Local the one in Tools.
	Field, Local string
	// BaseURLEnv is the environment variable that overrides the base URL,
	// TokenURLEnv the one that overrides the token endpoint, "" without one.
	BaseURLEnv, TokenURLEnv string
	// Servers are those of single operations, sorted.
	Servers     []string
	Variables   []ServerVariable
	Headers     []Header
	Credentials []Credential
	Timeout     time.Duration
	Attempts    int
}

// A ServerVariable is one that the addresses of an api have. From is how a
// manifest writes its value.
type ServerVariable struct {
	Name, From string
	Parts      []HeaderPart
	Enum       []string
}

// A Header is alternating literal text and Config fields.
type Header struct {
	Name  string
	Parts []HeaderPart
}

// A HeaderPart is Text or the Config field Field.
type HeaderPart struct{ Text, Field string }

// A Credential is what satisfies a security scheme.
type Credential struct {
	In, Name, Prefix string
	// Field is the Config field that holds the secret; it comes from the
	// environment variable Env or the file File. Caller has none of them.
	Field, Env, File string
	Caller           bool
	// Grant, unless nil, is what a token endpoint gives the credential for.
	Grant *Grant
	// Scheme is the name of the security scheme, for the comment.
	Scheme string
}

// A Grant is what a token endpoint gives an access token for. The Config fields
// are "" for what it does not have.
type Grant struct {
	Type, TokenURL, AuthorizationURL, Issuer, Audience string
	Scopes                                             []string
	InBody                                             bool
	IDField, SecretField, RefreshField                 string
}

// A Struct is a Go struct type. Scan is the name of its decoder, Keys that of
// its key set; records have none.
type Struct struct {
	Name   string
	Doc    string
	Scan   string
	Keys   string
	Fields []Field
	// Extra holds the members that the schema does not list, nil if nothing
	// reads them; Listed are the listed members that nothing reads.
	Extra  *Field
	Listed []string
	Type   *types.Type
}

// A Field is one field of a Struct.
type Field struct {
	Name, Wire string
	Type       GoType
	// Read decodes the field.
	Read Reader
	Doc  string
	// Optional says that a record's field may be nil, Of its plain type.
	Optional bool
	Of       *types.Type
}

// A Union is a struct with a member for each JSON kind that is read.
type Union struct {
	Name, Scan string
	Doc        string
	// Want says in an error what the value should be.
	Want   string
	Fields []UnionField
}

// A UnionField is one variant of a Union.
type UnionField struct {
	Name string
	// Kind is the constant of package scan that announces it.
	Kinds []string
	Type  GoType
	Read  Reader
}

// A Whole is a function that reads an answer which is an object: it points to a
// value of the type Of, which the decoder Scan reads. With Nullable a null is nil.
type Whole struct {
	Name, Of, Scan string
	Nullable       bool
}

// A TypeForm says how a GoType is put together.
type TypeForm uint8

// The forms of Go types. The zero GoType is not a type.
const (
	// Named types have a Name, and a Pkg where they are not of the package.
	Named TypeForm = iota + 1
	// Pointer and Slice are *Elem and []Elem.
	Pointer
	Slice
	// Mapping is map[Key]Elem.
	Mapping
	// Optional is scan.Optional[Elem].
	Optional
)

// A GoType is a Go type in parts.
type GoType struct {
	Form      TypeForm
	Pkg, Name string
	Key, Elem *GoType
}

// A ReaderForm says what the name of a Reader is.
type ReaderForm uint8

// The forms of readers.
const (
	// ByMethod is a method of the scanner, such as Text or OptText.
	ByMethod ReaderForm = iota
	// ByDecoder is a decoder of the package.
	ByDecoder
	// Around is a function of package scan around the reader Elem: List, First,
	// Map, Opt and Pointers read a value, Pointer and Nullable make a reader.
	Around
)

// A Reader says how generated code decodes a value with package scan.
type Reader struct {
	Form ReaderForm
	Name string
	Elem *Reader
	// Most bounds a list: its first elements are all that is wanted.
	Most int
	// Type is what the reader returns.
	Type GoType
}

// A Constant is a package variable for a list or map of the manifest.
type Constant struct {
	Name string
	Doc  string
	V    lower.Value
}

// A Pattern is a regular expression of matches().
type Pattern struct{ Name, Text string }

// A Tool is everything about one generated tool.
type Tool struct {
	Signature *signature.Signature
	// File is the file name, Method the exported method, Chain the unexported
	// one, Var the variable of its descriptor.
	File, Method, Chain, Var string
	Input, Output            *Face
	Descriptor               Descriptor
	// Version is that of a frozen chain, 0 for a tool; Frozen are the chains of
	// releases that keep their own. Of a frozen chain only names, output, notes,
	// locals and body count.
	Version int
	Frozen  []*Tool
	// Promises is nil for tools without a release.
	Promises *Promises
	// PlacesVar is the name of the table of Places: the lines and columns of the
	// parts of the manifest that errors of the chain name. A frozen chain has its
	// own in the table of its tool.
	PlacesVar string
	Places    map[string]diag.Span
	// PartsVar is the name of the table of Parts: the places of what the generated
	// test speaks of, as history.Current has them.
	PartsVar, Parts string
	// Notes say for each parameter of each operation where its value comes
	// from and why.
	Notes []StepNote
	// Locals are the inputs that the chain reads.
	Locals []InputLocal
	Body   *lower.Block
}

// A Face is the exported struct of inputs or outputs.
type Face struct {
	Name   string
	Fields []FaceField
	// Enums are the exported enum types of the fields.
	Enums []*Enum
}

// A FaceField is one input or output.
type FaceField struct {
	Name, Wire, Doc string
	Type            GoType
	Param           *signature.Input
	Out             *signature.Output
	// Enum fields have an exported string type; Optional fields are pointers
	// (or nil-able).
	Enum, Optional bool
	Of             *types.Type
	// Max is the bound of a text output in code points, 0 for the default.
	Max int
}

// An Enum is an exported string type.
type Enum struct {
	Name, Doc string
	Values    []EnumConst
}

// An EnumConst is one constant of an Enum.
type EnumConst struct{ Name, Value, Doc string }

// A StepNote documents the hidden half of one step.
type StepNote struct {
	Step, Operation string
	Lines           []string
}

// An InputLocal is a variable of the chain that holds an input.
type InputLocal struct {
	Name, Wire string
	Type       types.Kind
	Optional   bool
	// Send maps enum names to wire values; nil if they are equal.
	Send []EnumConst
}

// An Effect is the constant of package upstream that says what a call may
// change.
type Effect string

// The effects of calls.
const (
	EffectRead       Effect = "EffectRead"
	EffectIdempotent Effect = "EffectIdempotent"
	EffectUnsafe     Effect = "EffectUnsafe"
)

// A Call is a backend call in a chain; it is the data of a lower.Node.
type Call struct {
	// Var is the request, Result the answer ("" if nothing reads it), Upstream
	// the field of Tools.
	Var, Result, Upstream string
	Step, Method, Comment string
	Effect                Effect
	// Parts of the path: alternating literals and values, the first a literal.
	// Then come parameters that are not one text, each with what follows it.
	Parts []lower.Value
	Then  []PathParam
	// Server is "" for that of the api; Schemes are the credentials that go
	// along.
	Server  string
	Schemes []string
	// Query is the fixed part of the query.
	Query  string
	Params []Param
	Body   *Body
	Form   []FormField
	Accept string
	// As is the media type of an answer that is read and is not JSON.
	As    string
	Cases []Case
	Read  *Reader
	Type  GoType

	Timeout  time.Duration
	Attempts int
	// Cache is how long an answer may be used again, 0 for not at all.
	Cache time.Duration
	// MayBeEmpty says that there may be no answer, and with Skip no element in a
	// list of answers.
	MayBeEmpty, Skip bool
	// Strict says that the answer is read to its end.
	Strict bool
	// Round is the variable of the Round that the call belongs to, "" for none.
	Round string
	// Keep is the variable for status and header of the answer, "" for none.
	Keep string
}

// A Param is one query, header or cookie parameter: a method of upstream.Call.
type Param struct {
	Method, Name string
	Value        lower.Value
	// Style is the constant of package upstream for lists, and for the method
	// Structured the style of OpenAPI at the place In.
	Style string
	In    operation.In
	// JSON is the document that is sent as the value, instead of Value.
	JSON *Body
	// If is the condition under which the parameter is sent; nil: always.
	If lower.Value
}

// A PathParam is a parameter in the path, and the alternating literals and values
// after it.
type PathParam struct {
	Param Param
	Parts []lower.Value
}

// A FormField is one field of a form body or part of a multipart body.
type FormField struct {
	Name  string
	Value lower.Value
	// JSON is the document that is sent as the value, instead of Value; with
	// Style it is taken apart.
	JSON  *Body
	Style string
	If    lower.Value
	// Multipart says that the field is a part, of the media type Type ("" for
	// plain text), a file with File. Bytes says that Value is bytes.
	Multipart, File, Bytes bool
	Type                   string
}

// A Body is a JSON document: a body, or the value of a parameter or field.
type Body struct {
	// Var is the writer, Media the content type.
	Var, Media string
	Root       *BodyNode
	// Raw is sent as it is, instead of a document; Bytes says that it is bytes.
	Raw   lower.Value
	Bytes bool
}

// A BodyNode writes one value.
type BodyNode struct {
	Object  bool
	Members []BodyMember
	List    bool
	Items   []*BodyNode
	Null    bool
	Value   lower.Value
	Type    *types.Type
}

// A BodyMember is one member of an object.
type BodyMember struct {
	Name  string
	Value *BodyNode
	If    lower.Value
}

// A Case is an error case of a call; Block holds what its texts need.
type Case struct {
	Status  int
	Class   bool
	Problem string
	Retry   string
	// Missing says that the case is not an error: there is no answer, and with
	// Skip no element in a list of answers.
	Missing, Skip bool
	Block         *lower.Block
	Failure       Failure
}

// A Failure makes a tool.Error.
type Failure struct {
	Kind, Code               string
	Message, Hint, Developer lower.Value
	Retryable                bool
	RetryAfter               time.Duration
	Step                     string
}

// An Expect fails the chain unless Cond holds; it is the data of a lower.Node whose
// only block holds what the texts need.
type Expect struct {
	Cond    lower.Value
	Failure Failure
}

// Holds is what is known after it.
func (e *Expect) Holds() lower.Value { return e.Cond }

// A Parallel runs its blocks at once; it is the data of a lower.Node with one block
// for each branch.
type Parallel struct {
	Group    string
	Branches []Branch
}

// A Branch of a Parallel starts when the tasks After have ended. Task is the
// name by which others wait for it, "" if none does.
type Branch struct {
	Task  string
	After []string
}

// An Each makes a call for every element of a list; it is the data of a lower.Node
// whose block ends in a Return. Result is "" where nothing reads the answers.
type Each struct {
	Result, Step string
	Over         lower.Value
	Max          int
	Item, Index  string
	ItemType     GoType
	// Type is that of one answer.
	Type GoType
	// InTurn says that the calls are made one after the other.
	InTurn bool
}

// A Consent ends the chain if the user of the call has not agreed to what the step
// needs. It is the data of a lower.Node.
type Consent struct {
	Upstream, Step string
	Schemes        []string
}

// A Return ends the block of an Each or Rounds with the answer Value, nil for
// none.
type Return struct{ Value lower.Value }

// An Emit sets one output; it is the data of a lower.Node. With Optional, a missing
// value leaves the output out.
type Emit struct {
	Field    string
	Value    lower.Value
	Optional bool
	// Enum maps wire values to names, with Fallback or an error otherwise.
	Enum     *Enum
	Wires    []EnumConst
	Fallback string
	Max      int
	Step     string
	At       string
	Name     string
	Type     GoType
}

// String names the step.
func (c *Call) String() string { return "call " + c.Step }

// String names the code of the failure.
func (e *Expect) String() string { return "expect " + e.Failure.Code }

// String names the step.
func (c *Consent) String() string { return "consent " + c.Step + " " + strings.Join(c.Schemes, " ") }

// String says which branches wait for which tasks.
func (p *Parallel) String() string {
	var parts []string
	for _, b := range p.Branches {
		parts = append(parts, strings.TrimSpace(b.Task+" after "+fmt.Sprint(b.After)))
	}
	return "parallel " + strings.Join(parts, ", ")
}

// String names the step and its bound.
func (e *Each) String() string { return fmt.Sprintf("each %s max %d", e.Step, e.Max) }

// String says that a call of an Each or a round ends here.
func (*Return) String() string { return "return" }

// String names the output.
func (e *Emit) String() string { return "emit " + e.Name }
