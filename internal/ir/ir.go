// Package ir is the typed program between front end and back end: plain data
// in which nothing is left to look up. A tool is two things: its
// [signature.Signature], which is published, and its [Plan], which is not.
//
// The package imports diag, types, operation, signature and expr only.
package ir

import (
	"fmt"
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
	Manifest    string
	Package     string      `json:"package"`
	Toolkit     string      `json:"toolkit"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Env         []*Env      `json:"env"`
	APIs        []*API      `json:"apis"`
	Constants   []*Constant `json:"constants"`
	// Tools are sorted by name.
	Tools []*Tool `json:"tools"`
	// Client says that the package has callers of its tools.
	Client bool `json:"client,omitempty"`
	// CommandLine is nil where the manifest says nothing of it.
	CommandLine *signature.CommandLine `json:"program,omitempty"`
}

// Env is an environment variable.
type Env struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Default is nil for none: the variable must be set.
	Default *string `json:"default,omitempty"`
}

// An API is one upstream service.
type API struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	File  string
	// BaseURL is the default; "" means that the vendor must configure one. It has
	// {name} for each of the Variables.
	BaseURL     string           `json:"base_url,omitempty"`
	Variables   []ServerVariable `json:"variables,omitempty"`
	Headers     []Header         `json:"headers,omitempty"`
	Credentials []Credential     `json:"credentials,omitempty"`
	Timeout     time.Duration    `json:"timeout,omitempty"`
	Attempts    int              `json:"attempts,omitempty"`
}

// BaseURLEnv is the environment variable that replaces the servers of an api.
func BaseURLEnv(api string) string { return strings.ToUpper(api) + "_BASE_URL" }

// A Header goes with every request of an api.
type Header struct {
	Name  string      `json:"name"`
	Parts HeaderParts `json:"value"`
}

// HeaderParts are literal text and environment variables, alternating.
type HeaderParts []HeaderPart

// String is how a manifest writes the parts.
func (p HeaderParts) String() string {
	var b strings.Builder
	for _, part := range p {
		if b.WriteString(part.Text); part.Env != "" {
			b.WriteString("${env." + part.Env + "}")
		}
	}
	return b.String()
}

// A HeaderPart is literal Text or the value of the variable Env.
type HeaderPart struct {
	Text, Env string
}

// A Credential satisfies a security scheme.
type Credential struct {
	Scheme *operation.Scheme `json:",inline"`
	Source `json:"source"`
}

// A Source is where a credential comes from: an environment variable, a file
// that holds the secret, the caller, or a token endpoint. Exactly one of the
// members is set.
type Source struct {
	Env, File string
	Caller    bool
	Grant     *Grant
}

// A Grant is what a token endpoint gives an access token for.
type Grant struct {
	// Type is client_credentials, refresh_token, token_exchange or
	// authorization_code, which alone has an AuthorizationURL.
	Type                       string
	TokenURL, AuthorizationURL string
	// Issuer is the iss that the authorization server promised to send, or "".
	Issuer string
	// ID, Secret and Refresh are environment variables; of the last two some
	// grants have none.
	ID, Secret, Refresh string
	Scopes              []string
	Audience            string
	// InBody says that id and secret go into the form.
	InBody bool
}

// FromCaller says that what the caller presented is needed.
func (s *Source) FromCaller() bool {
	return s.Caller || s.Grant != nil && s.Grant.Type == "token_exchange"
}

// FromUser says that each user has to agree.
func (s *Source) FromUser() bool { return s.Grant != nil && s.Grant.Type == "authorization_code" }

// Variables are the environment variables that hold what the source needs.
func (s *Source) Variables() []string {
	var all []string
	names := []string{s.Env}
	if s.Grant != nil {
		names = []string{s.Grant.ID, s.Grant.Secret, s.Grant.Refresh}
	}
	for _, name := range names {
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// TokenURLEnv is the environment variable that replaces the token endpoint of
// an api.
func TokenURLEnv(api string) string { return strings.ToUpper(api) + "_TOKEN_URL" }

// A Constant is a named literal of the manifest.
type Constant struct {
	Name string      `json:"name"`
	Type *types.Type `json:"type"`
	// Value is bool, int64, float64, string, []any or Map.
	Value any `json:"value"`
	Decl  *expr.Decl
}

// Literal is the constant as a term: a scalar, or a list or map of scalars. It
// is nil for anything else, and for what does not have its type.
func (k *Constant) Literal() *expr.Term { return literal(k.Value, k.Type) }

func literal(v any, t *types.Type) *expr.Term {
	out := &expr.Term{Op: expr.OpConst, Type: t, Lit: v}
	switch v := v.(type) {
	case []any:
		if t.Kind != types.List || !t.Elem.IsScalar() {
			return nil
		}
		out = &expr.Term{Op: expr.OpList, Type: t, Opts: make([]bool, len(v))}
		for _, e := range v {
			out.Args = append(out.Args, literal(e, t.Elem))
		}
	case Map:
		if t.Kind != types.Map || !t.Elem.IsScalar() {
			return nil
		}
		out = &expr.Term{Op: expr.OpMap, Type: t}
		for i, key := range v.Keys {
			out.Args = append(out.Args, literal(key, t.Key), literal(v.Values[i], t.Elem))
		}
	default:
		if !t.IsScalar() {
			return nil
		}
	}
	if slices.Contains(out.Args, nil) {
		return nil
	}
	return out
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
	Effects   signature.Effects
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
	// Deadline is how long a call may take, 0 for the default of the run time.
	Deadline time.Duration `json:"deadline,omitempty"`
	Budget   Budget        `json:"budget"`
	// IdempotentIfNamed says that a call which is repeated under the same name does
	// nothing more, while one without a name does.
	IdempotentIfNamed bool `json:"idempotent_if_named,omitempty"`
	// Allow is what holds for those who may call the tool, nil for everybody.
	// Frozen chains have that of today.
	Allow  *Expect  `json:"allow,omitempty"`
	Inputs []*Input `json:"inputs"`
	// Regions hold every step once.
	Regions Regions   `json:"regions"`
	Steps   []*Step   `json:"steps"`
	Lets    []*Let    `json:"lets"`
	Outputs []*Output `json:"outputs"`
}

// A Budget is what one call of a tool may cost at worst: how many calls of its
// backends, how many with all repeats, and how long along the longest path.
type Budget struct {
	Calls    int           `json:"calls"`
	Attempts int           `json:"attempts"`
	Time     time.Duration `json:"time,omitempty"`
}

// Regions run one after the other; the branches of one region run concurrently.
type Regions [][]*Branch

// A Branch is a run of steps, one after the other. It starts when the branches
// of its region that it comes After have ended.
type Branch struct {
	Steps []*Step
	After []*Branch
}

// An Input is what the chain makes of an input.
type Input struct {
	Name string `json:"name"`
	Decl *expr.Decl
	// Send maps the names of an enum to what expressions see; nil where the
	// name itself is sent.
	Send map[string]string `json:"send,omitempty"`
}

// An Expr is a checked expression with its place in the manifest.
type Expr struct {
	Term *expr.Term
	// Text is the scalar that holds the expression, Span its place, Places the
	// position of each byte of Text (nil: straight from Span).
	Text   string
	Span   diag.Span
	Places []diag.Pos
	// Path leads to the scalar: "tools.find.let.name".
	Path string
}

// At returns the manifest position of a byte offset of Text.
func (e *Expr) At(offset int) diag.Span {
	s := diag.Span{File: e.Span.File, Start: e.Span.Start}
	if offset >= 0 && offset < len(e.Places) {
		s.Start = e.Places[offset]
	}
	return s
}

// Part names a byte offset of Text by the path of the scalar in its tool, so that
// it stays the same where lines move: "let.name:17", counted from 1.
func (e *Expr) Part(offset int) string {
	part := e.Path
	if inside, ok := strings.CutPrefix(part, "tools."); ok {
		_, part, _ = strings.Cut(inside, ".")
	}
	return fmt.Sprintf("%s:%d", part, offset+1)
}

// Pos returns the manifest position of a byte offset of Text as file:line:col,
// without the folder: generated code must not depend on where it lies.
func (e *Expr) Pos(offset int) diag.Span {
	at := e.At(offset)
	at.File = path.Base(at.File)
	return at
}

// A Let is a named value.
type Let struct {
	Name string `json:"name"`
	Decl *expr.Decl
	Expr *Expr `json:"value"`
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
	ID   string               `json:"id"`
	API  string               `json:"api"`
	Op   *operation.Operation `json:",inline"`
	Decl *expr.Decl
	// Server is the base URL of an operation that has a server of its own, ""
	// for that of the api.
	Server string `json:"server,omitempty"`
	// Schemes are the security schemes of the credentials that go along.
	Schemes []string   `json:"credentials,omitempty"`
	Effect  CallEffect `json:"effect"`
	// Because is the vendor's reason for a milder effect than the method's.
	Because string `json:"because,omitempty"`
	// When is the condition under which the call is made, nil for always.
	When *Expr `json:"when,omitempty"`
	// Each is nil for a single call.
	Each *Each `json:"for_each,omitempty"`
	// Collect is nil for a step without pages.
	Collect *Collect `json:"collect,omitempty"`
	// Poll is nil for a step whose call is made once.
	Poll *Poll `json:"poll,omitempty"`
	// Strict says that an answer is read to its end.
	Strict bool `json:"strict,omitempty"`
	// Bindings cover every parameter of the operation, in its order.
	Bindings []*Binding `json:"parameters"`
	// Body is nil where none is sent; BodyMedia is its media type.
	Body      *Body  `json:"body,omitempty"`
	BodyMedia string `json:"body_media,omitempty"`
	// Accept is the media type that the answer is read as, Answer the type of
	// one answer; Result is the same, nil where nothing reads it. What
	// expressions see is the type of Decl: a list of answers with Each, of items
	// with Collect, an optional where MayBeMissing.
	Accept string      `json:"accept,omitempty"`
	Form   AnswerForm  `json:"form,omitempty"`
	Answer *types.Type `json:"answer,omitempty"`
	Result *types.Type
	// MayBeEmpty says that the operation has an answer without body beside the
	// one that is read, or that this may be null.
	MayBeEmpty bool `json:"may_be_empty,omitempty"`
	// HTTP says that expressions read status or header of the answer.
	HTTP bool
	// Reads lists the paths of the answer that expressions touch, sorted.
	Reads  []string     `json:"reads"`
	Expect []*Expect    `json:"expect,omitempty"`
	Errors []*ErrorCase `json:"errors,omitempty"`
	// Cache is how long an answer may be used again, 0 for not at all.
	Cache time.Duration `json:"cache,omitempty"`
	// After lists the steps that must have ended before this one starts.
	After    StepIDs       `json:"after,omitempty"`
	Timeout  time.Duration `json:"timeout,omitempty"`
	Attempts int           `json:"attempts,omitempty"`
	Span     diag.Span     `json:"at"`
}

// AnswerForm says what an answer is, if it is not JSON.
type AnswerForm string

// The forms of answers.
const (
	JSONAnswer AnswerForm = ""
	// TextAnswer is a string.
	TextAnswer AnswerForm = "text"
	// CSVAnswer is a list of records with strings.
	CSVAnswer AnswerForm = "csv"
	// BinaryAnswer is an object that tells of the bytes.
	BinaryAnswer AnswerForm = "binary"
)

// StepIDs are steps that JSON names by their ids.
type StepIDs []*Step

// MayBeMissing says that the step may end well without an answer: it has a
// condition, an answer without body, or an error case that means none.
func (s *Step) MayBeMissing() bool { return s.When != nil || s.MayLackAnswer() }

// MayLackAnswer says that the step may end well without an answer though it ran.
func (s *Step) MayLackAnswer() bool { return !s.Skips() && s.LeavesOut() }

// LeavesOut says that a call of the step may end well without an answer.
func (s *Step) LeavesOut() bool {
	return s.MayBeEmpty || slices.ContainsFunc(s.Errors, func(c *ErrorCase) bool { return c.Missing })
}

// Skips says that an answer that is missing is passed over: the step makes
// several calls, and its value is made of other answers.
func (s *Step) Skips() bool { return s.Each != nil || s.Collect != nil || s.Poll != nil }

// An Each makes a call for every element of a list.
type Each struct {
	// Over is the list, or an optional one, whose absence counts as empty.
	Over *Expr `json:"over"`
	// Max is the most elements that the list may have.
	Max int `json:"max"`
	// Item and Index are the names of the element and its number.
	Item, Index *expr.Decl
	// Pair is the type {item, value} of the elements of the step's value where an error
	// case leaves some out, so that none is taken for another's. It is nil where
	// the elements are the answers alone.
	Pair *types.Type `json:"element,omitempty"`
}

// A Collect joins the items of the pages of a list. Its expressions read inputs,
// constants, and the page.
type Collect struct {
	// Page is the name of the answer of one call in them.
	Page *expr.Decl
	// Items is the list of a page, Until the condition under which it is the last
	// one, nil for none.
	Items *Expr `json:"items"`
	Until *Expr `json:"until,omitempty"`
	// Next is the address of the next page, or with Parameter what that gets.
	Next *Expr    `json:"next,omitempty"`
	By   PagingBy `json:"by"`
	// Parameter is that of the query that changes from page to page.
	Parameter string `json:"parameter,omitempty"`
	Max       int    `json:"max"`
	// Partial says that a part of the list will do.
	Partial bool `json:"partial,omitempty"`
}

// A Poll makes a call again until its answer meets a condition, which reads
// inputs, constants, and that answer.
type Poll struct {
	// Answer is the name of the answer in the condition.
	Answer *expr.Decl
	Until  *Expr `json:"until"`
	// Every is the time between two calls, Max that of all of them.
	Every time.Duration `json:"every"`
	Max   time.Duration `json:"max"`
}

// PagingBy says how the next page is asked for.
type PagingBy string

// The ways to ask for the next page.
const (
	ByNext   PagingBy = "next"
	ByLink   PagingBy = "link"
	ByPage   PagingBy = "page"
	ByOffset PagingBy = "offset"
)

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
	Param  *operation.Param `json:",inline"`
	Origin Origin           `json:"origin"`
	// Value is one expression, Parts a list or a map of them; both are nil where
	// the parameter is left out.
	Value *Expr `json:"value,omitempty"`
	Parts *Body `json:"parts,omitempty"`
	// JSON says that the value is sent as a JSON document.
	JSON bool
	// Style is how the value is written, in the words of a [BodyMember].
	Style string
	// Reason says in a few words why: "optional, not bound".
	Reason string `json:"reason,omitempty"`
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
	// Raw says that Expr is sent as it is, as a whole body.
	Raw bool
	// IsNull is a literal null.
	IsNull bool
}

// A BodyMember is one member of an object in a body.
type BodyMember struct {
	Name  string `json:"name"`
	Value *Body  `json:"value"`
	// How a field of a form or a part of a multipart body is written.
	Field
}

// A Field is how a member of a form or multipart body is written: as one text
// where it is the zero Field.
type Field struct {
	// JSON says that it holds a JSON document.
	JSON bool
	// Style is the style of OpenAPI of a list or an object, with * for explode and
	// + for allowReserved, or json: a document for each element of a list.
	Style string
	// Type is the media type of a part, "" for the default; File says that the
	// part is a file.
	Type string
	File bool
}

// An Expect is a condition on an answer.
type Expect struct {
	Check *Expr `json:"check"`
	Failure
}

// An ErrorCase maps an upstream status to an error of the tool.
type ErrorCase struct {
	Span diag.Span
	Case `json:"status"`
	// Missing says that the case is not an error: the answer is missing. The
	// Failure is empty then.
	Missing bool `json:"missing,omitempty"`
	Failure
}

// A Case is the answer that an ErrorCase is about.
type Case struct {
	// Status is exact (404), or a class (4) where Class is set, or 0 for any.
	Status int
	Class  bool
	// Problem is the last part of a problem type, "" for any.
	Problem string
}

// A Failure is what the caller of the tool is told.
type Failure struct {
	Code      string `json:"code,omitempty"`
	Message   *Expr  `json:"message,omitempty"`
	Developer *Expr  `json:"developer_message,omitempty"`
	Hint      *Expr  `json:"hint,omitempty"`
	// Retry is never, same, changed or "".
	Retry      string        `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"`
}

// An Output is one output of a tool.
type Output struct {
	Name     string      `json:"name"`
	Type     *types.Type `json:"type"`
	Expr     *Expr       `json:"value"`
	Optional bool        `json:"optional,omitempty"`
	// MaxItems and MaxLength bound what is passed on; 0 means the default.
	MaxItems  int `json:"max_items,omitempty"`
	MaxLength int `json:"max_length,omitempty"`
	// Enum maps wire values to names; Fallback is the name for any other.
	Enum     []EnumValue `json:"enum,omitempty"`
	Fallback string      `json:"fallback,omitempty"`
}

// An EnumValue maps a wire value to a name.
type EnumValue struct {
	Wire string `json:"*"`
	Name string
}
