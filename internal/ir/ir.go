// Package ir is the typed program between front end and back end: plain data
// in which nothing is left to look up. A tool is two things: its
// [signature.Signature], which is published, and its [Plan], which is not.
//
// The package imports diag, types, operation, signature and expr only.
package ir

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A Program is everything that one manifest says, resolved.
type Program struct {
	// Manifest is the manifest's file name, Package the Go package's name.
	Manifest, Package string
	Toolkit           string
	Title             string
	Description       string
	Env               []*Env
	APIs              []*API
	Constants         []*Constant
	// Tools are sorted by name.
	Tools []*Tool
}

// Env is an environment variable.
type Env struct {
	Name, Description string
	// Default is used where HasDefault says that there is one; a variable
	// without default must be set.
	Default    string
	HasDefault bool
}

// An API is one upstream service.
type API struct {
	Name, Title string
	File        string
	// BaseURL is the default; "" means that the vendor must configure one.
	BaseURL     string
	Headers     []Header
	Credentials []Credential
	Timeout     time.Duration
	Attempts    int
}

// BaseURLEnv is the environment variable that replaces the servers of an api.
func BaseURLEnv(api string) string { return strings.ToUpper(api) + "_BASE_URL" }

// A Header goes with every request of an api: literal text and environment
// variables by turns.
type Header struct {
	Name  string
	Parts []HeaderPart
}

// A HeaderPart is literal Text or the value of the variable Env.
type HeaderPart struct {
	Text, Env string
}

// A Credential satisfies a security scheme.
type Credential struct {
	Scheme *operation.Scheme
	// Exactly one of these is set: an environment variable, a file that holds
	// the secret, or the caller's own credential.
	Env, File string
	Caller    bool
}

// A Constant is a named literal of the manifest.
type Constant struct {
	Name string
	Type *types.Type
	// Value is bool, int64, float64, string, []any or Map.
	Value any
	Decl  *expr.Decl
}

// Literal is the constant as a term: a scalar, or a list or map of scalars. It
// is nil for anything else.
func (k *Constant) Literal() *expr.Term { return literal(k.Value, k.Type) }

func literal(v any, t *types.Type) *expr.Term {
	switch v := v.(type) {
	case []any:
		if !t.Elem.IsScalar() {
			return nil
		}
		out := &expr.Term{Op: expr.OpList, Type: t, Opts: make([]bool, len(v))}
		for _, e := range v {
			out.Args = append(out.Args, literal(e, t.Elem))
		}
		return out
	case Map:
		if !t.Elem.IsScalar() {
			return nil
		}
		out := &expr.Term{Op: expr.OpMap, Type: t}
		for i, key := range v.Keys {
			out.Args = append(out.Args, literal(key, t.Key), literal(v.Values[i], t.Elem))
		}
		return out
	}
	if !t.IsScalar() {
		return nil
	}
	return &expr.Term{Op: expr.OpConst, Type: t, Lit: v}
}

// A Map keeps the entries of a constant map in file order.
type Map struct {
	Keys   []string
	Values []any
}

// A Tool is one sculpted tool.
type Tool struct {
	Signature *signature.Signature
	// Details are what callers rely on besides; what the plan is, they do not
	// say.
	Details signature.Details
	Plan    *Plan
	Span    diag.Span
	// Places has the spans of parts in the manifest, such as "inputs.days" and
	// "inputs.days.max".
	Places map[string]diag.Span
	// Released are the signatures of the releases, the oldest first.
	Released []*signature.Signature
	// Fallbacks are the names, by version and output, that callers of a release
	// get for a value of an enum that was added after it.
	Fallbacks map[int]map[string]string
	// Frozen are the releases that keep their own chain.
	Frozen []*Frozen
	// Loosened are the parts, such as "inputs.city", that may differ from the
	// releases in the way they do.
	Loosened []string
	// Policy is the name of the compatibility policy, "" for the default.
	Policy string
	Accept []Accept
}

// A Frozen release runs the chain that it was released with, over the apis as
// they are configured now.
type Frozen struct {
	Version   int
	Plan      *Plan
	Outputs   []signature.Output
	Inputs    []signature.Input
	Constants []*Constant
}

// An Accept entry lets one breaking change pass. What it speaks of is for the
// compatibility rules to find out.
type Accept struct {
	Rule, At string
	// Since is the oldest release that may be broken.
	Since  int
	Reason string
	// Until is the last day (YYYY-MM-DD) on which the entry counts, or "".
	Until string
	Span  diag.Span
}

// A Plan is the private half of a tool: how it does its work.
type Plan struct {
	Inputs  []*Input
	Steps   []*Step
	Lets    []*Let
	Outputs []*Output
	// Regions hold every step once. They run one after the other; the branches
	// of one region run concurrently.
	Regions [][]*Branch
	// Deadline is how long a call may take, 0 for the default of the run time.
	Deadline time.Duration
	Budget   Budget
}

// A Budget is what one call of a tool may cost at worst: how many calls of its
// backends, how many with all repeats, and how long along the longest path.
type Budget struct {
	Calls, Attempts int
	Time            time.Duration
}

// A Branch is a run of steps, one after the other. It starts when the branches
// of its region that it comes After have ended.
type Branch struct {
	Steps []*Step
	After []*Branch
}

// An Input is what the chain makes of an input.
type Input struct {
	Name string
	Decl *expr.Decl
	// Send maps the names of an enum to what expressions see; nil where the
	// name itself is sent.
	Send map[string]string
}

// An Expr is a checked expression with its place in the manifest.
type Expr struct {
	Term *expr.Term
	// Text is the scalar that holds the expression, Span its place, Places the
	// position of each byte of Text (nil: straight from Span).
	Text   string
	Span   diag.Span
	Places []diag.Pos
}

// At returns the manifest position of a byte offset of Text.
func (e *Expr) At(offset int) diag.Span {
	s := diag.Span{File: e.Span.File, Start: e.Span.Start}
	if offset >= 0 && offset < len(e.Places) {
		s.Start = e.Places[offset]
	}
	return s
}

// Pos returns the manifest position of a byte offset of Text as file:line:col,
// without the folder: generated code must not depend on where it lies.
func (e *Expr) Pos(offset int) string {
	at := e.At(offset)
	at.File = path.Base(at.File)
	return at.String()
}

// A Let is a named value.
type Let struct {
	Name string
	Decl *expr.Decl
	Expr *Expr
}

// CallEffect says what a call may change.
type CallEffect string

// The effects of a call.
const (
	Read       CallEffect = "read"
	Idempotent CallEffect = "idempotent"
	Unsafe     CallEffect = "unsafe"
)

// A Step is one backend call.
type Step struct {
	ID     string
	API    string
	Op     *operation.Operation
	Decl   *expr.Decl
	Effect CallEffect
	// Server is the base URL of an operation that has a server of its own, ""
	// for that of the api.
	Server string
	// Schemes are the security schemes of the credentials that go along.
	Schemes []string
	// Because is the vendor's reason for a milder effect than the method's.
	Because string
	// Bindings cover every parameter of the operation, in its order.
	Bindings []*Binding
	// Body is nil where none is sent; BodyMedia is its media type.
	Body      *Body
	BodyMedia string
	// Accept is the media type that the answer is read as, Answer the type of
	// one answer; Result is the same, nil where nothing reads it. What
	// expressions see is the type of Decl: a list of answers with Each, an
	// optional where MayBeMissing.
	Accept         string
	Answer, Result *types.Type
	// When is the condition under which the call is made, nil for always.
	When *Expr
	// Each is nil for a single call.
	Each *Each
	// MayBeEmpty says that the operation has an answer without body beside the
	// one that is read, or that this may be null.
	MayBeEmpty bool
	// HTTP says that expressions read status or header of the answer.
	HTTP bool
	// Reads lists the paths of the answer that expressions touch, sorted.
	Reads  []string
	Expect []*Expect
	Errors []*ErrorCase
	// Cache is how long an answer may be used again, 0 for not at all.
	Cache time.Duration
	// After lists the steps that must have ended before this one starts.
	After    []*Step
	Timeout  time.Duration
	Attempts int
	Span     diag.Span
}

// MayBeMissing says that the step may end well without an answer: it has a
// condition, an answer without body, or an error case that stands for none. The
// elements of a list with Each are left out instead.
func (s *Step) MayBeMissing() bool {
	none := s.MayBeEmpty || slices.ContainsFunc(s.Errors, func(c *ErrorCase) bool { return c.Missing })
	return s.When != nil || s.Each == nil && none
}

// An Each makes a call for every element of a list.
type Each struct {
	// Over is the list, or an optional one, whose absence counts as empty.
	Over *Expr
	// Max is the most elements that the list may have.
	Max int
	// Item and Index are the names of the element and its number.
	Item, Index *expr.Decl
}

// Origin says where the value of a parameter comes from.
type Origin string

// The origins of a bound or unbound parameter.
const (
	FromInput    Origin = "input"
	FromConstant Origin = "constant"
	FromChain    Origin = "bound"
	FromCaller   Origin = "caller"
	LeftOut      Origin = "left out"
)

// A Binding is what a parameter gets.
type Binding struct {
	Param  *operation.Param
	Origin Origin
	// Value is nil where the parameter is left out.
	Value *Expr
	// JSON says that the value is sent as a JSON document.
	JSON bool
	// Reason says in a few words why: "optional, not bound".
	Reason string
}

// A Body is a tree of literals and expressions.
type Body struct {
	// Exactly one of Expr, Members (with IsObject) and Items (with IsList) is
	// used.
	Expr     *Expr
	IsObject bool
	Members  []BodyMember
	IsList   bool
	Items    []*Body
	// IsNull is a literal null.
	IsNull bool
}

// A BodyMember is one member of an object in a body.
type BodyMember struct {
	Name  string
	Value *Body
	// JSON says that a field of a form holds a JSON document.
	JSON bool
}

// An Expect is a condition on an answer.
type Expect struct {
	Check *Expr
	Failure
}

// An ErrorCase maps an upstream status to an error of the tool.
type ErrorCase struct {
	// Status is exact (404), or a class (4) where Class is set, or 0 for any.
	Status  int
	Class   bool
	Problem string
	// Missing says that the case is no error: the answer is missing. The
	// Failure is empty then.
	Missing bool
	Failure
}

// A Failure is what the caller of the tool is told.
type Failure struct {
	Code      string
	Message   *Expr
	Developer *Expr
	Hint      *Expr
	// Retry is never, same, changed or "".
	Retry      string
	RetryAfter time.Duration
}

// An Output is one output of a tool.
type Output struct {
	Name     string
	Expr     *Expr
	Optional bool
	Type     *types.Type
	// MaxItems and MaxLength bound what is passed on; 0 means the default.
	MaxItems, MaxLength int
	// Enum maps wire values to names; Fallback is the name for any other.
	Enum     []EnumValue
	Fallback string
}

// An EnumValue maps a wire value to a name.
type EnumValue struct {
	Wire, Name string
}
