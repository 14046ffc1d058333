package tool

import (
	"context"
	"io/fs"
	"regexp"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// Handshake is the version of the contract between generated code and this
// package. Generated code carries the number it was written for; NewHandler
// refuses another one and says to run "sculpt generate" again.
const Handshake = 7

// A Toolset is what one generated package serves.
type Toolset struct {
	// Handshake is the constant Handshake at generate time.
	Handshake int
	// Name is the toolkit name, the part before the dot of an OTC tool id.
	Name string
	// Title is for people.
	Title string
	// Description says in at most 200 characters what the toolkit is for.
	Description string
	// Docs holds the wire documents that were rendered at generate time:
	// a2t/<tool>.v<N>.json (a tool signature with currentVersion),
	// otc/<tool>.v<N>.json (a tool definition in the dual shape),
	// mcp/<tool>.v<N>.json (a tool of MCP), and
	// atdf/<tool>.basic.json and .enhanced.json (its descriptors).
	Docs fs.FS
	// Tools are sorted by name.
	Tools []Tool
	// Window remembers calls that must not be made twice, over all protocols and
	// in process. Without one a handler has its own, and [Invoke] refuses calls
	// with an idempotency key that it would have to keep.
	Window *Window
}

// A Window is where package serve remembers the calls of a toolset, so that those
// over the wire and those in process know of each other. The zero value is ready
// for use.
type Window struct {
	mu    sync.Mutex
	state any
}

// State returns what is kept in the window; begin makes it the first time.
func (w *Window) State(begin func() any) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == nil {
		w.state = begin()
	}
	return w.state
}

// A Tool is one tool in all its versions.
type Tool struct {
	// ID is the UUID of the tool, the same in every version (A2T 6.1).
	ID string
	// Name is snake_case and unique on a server (A2T 6.1).
	Name string
	// ToolName is the PascalCase name in an OTC tool id.
	ToolName string
	Tags     []string
	Effects  Effects
	// IdempotentIfNamed says that a call which is not idempotent by itself is so for
	// callers who repeat it under the same name (Idempotency-Key, call_id): what makes
	// it differ from call to call is derived from that ([UUID]).
	IdempotentIfNamed bool
	// Deadline bounds one call; 0 means the default of 30 s.
	Deadline time.Duration
	// Polls says that the tool waits for something that takes its time: a client
	// that knows tasks (MCP 2026-07-28) may get a handle instead of the answer.
	Polls bool
	// Needs says what the tool wants of its caller.
	Needs Needs
	// CallerAuth says that an api of the tool gets what its caller presented
	// ("auth: caller").
	CallerAuth bool
	// Deprecated is the day (YYYY-MM-DD) from which the tool should no longer be
	// used, Sunset the first one, in UTC, on which it is not served any more, and
	// Use the name of the tool to use instead; "" where nothing is announced.
	Deprecated, Sunset, Use string
	// Places has the place in the manifest of each part that errors name, a line
	// each: "let.name:17\tsculpt.yaml:157:16".
	Places string
	// Versions ascend; the last one is current.
	Versions []Version
	// Call runs the chain. The arguments are validated and hold defaults.
	Call func(context.Context, Args) (Result, error)
}

// Effects says what a call may do, from the methods of its operations or, more
// cautiously, as the manifest says.
type Effects struct {
	ReadOnly, Idempotent, Destructive, Reversible, Billable bool
}

// Needs lists what the caller of a tool must bring, from the caller values
// that its plan binds. It becomes OTC requirements.
type Needs struct {
	UserID  bool
	Secrets []string
	// Tokens are the ids of the authorization providers whose token is used.
	Tokens []string
	// Claims of the authenticated principal.
	Claims []string
}

// A Version is the contract of one version of a tool.
type Version struct {
	N int
	// Released is false for a version that is still being prepared.
	Released bool
	Inputs   []Param
	Outputs  []OutputSlot
}

// Type is the type of an input or output parameter (A2T 5.1).
type Type uint8

// The parameter types. JSON is for outputs only.
const (
	TypeString Type = iota + 1
	TypeInt
	TypeBoolean
	TypeEnum
	TypeJSON
)

// A Param is one input of one version, with everything that validation needs.
type Param struct {
	ID, Name string
	Type     Type
	Required bool
	// MinLength and MaxLength count code points of a string.
	MinLength, MaxLength int
	Min, Max             int64
	// Pattern must match somewhere in the string; nil means any.
	Pattern *regexp.Regexp
	// Values are the names of an enum.
	Values []string
	// Default stands in for an absent optional input: string, int64, bool, or
	// nil for none.
	Default any
	// MCPHeader is the name under which clients of MCP 2026-07-28 repeat the
	// input in a header, Mcp-Param-<name>; "" for none. Only that of the newest
	// version counts.
	MCPHeader string
}

// An OutputSlot is one output of one version.
type OutputSlot struct {
	ID, Name string
	Type     Type
	// Optional outputs may be null.
	Optional bool
	// Values are the names of an enum; nil bounds nothing.
	Values []string
	// Fallback stands in for a name that Values does not have: a later version
	// may know more. Without it such an answer is an error of the backend.
	Fallback string
}

// Args are validated arguments by input name: string (also for enums), int64
// or bool. An absent optional input without default has no entry.
type Args map[string]any

// Text returns a string or enum argument.
func (a Args) Text(name string) string { s, _ := a[name].(string); return s }

// OptText returns a string or enum argument, nil if it is absent.
func (a Args) OptText(name string) *string { return opt[string](a, name) }

// Int returns an int argument.
func (a Args) Int(name string) int64 { i, _ := a[name].(int64); return i }

// OptInt returns an int argument, nil if it is absent.
func (a Args) OptInt(name string) *int64 { return opt[int64](a, name) }

// Bool returns a boolean argument.
func (a Args) Bool(name string) bool { b, _ := a[name].(bool); return b }

// OptBool returns a boolean argument, nil if it is absent.
func (a Args) OptBool(name string) *bool { return opt[bool](a, name) }

func opt[T any](a Args, name string) *T {
	v, ok := a[name].(T)
	if !ok {
		return nil
	}
	return &v
}

// A Result holds the outputs of a call of the current chain.
type Result []Output

// An Output is one output value as JSON text; nil JSON means that the backend
// gave none.
type Output struct {
	Name string
	JSON []byte
}

// AppendJSON appends the outputs as one JSON object, in their order.
func (r Result) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, o := range r {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(value.AppendText(b, o.Name), ':')
		if o.JSON == nil {
			b = append(b, "null"...)
		}
		b = append(b, o.JSON...)
	}
	return append(b, '}')
}
