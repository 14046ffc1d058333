// Package doors puts one question about a tool at every door there is: the
// generated method, the call in process, each protocol in each of its forms, and
// the command line. Tests of examples say once what they want of a call; this
// package knows what each door has room for.
//
// It is imported by tests only.
package doors

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// The sorts of questions. Doors that cannot put one say so by its name.
const (
	Good       = "good"
	LeftOut    = "optional input left out"
	Missing    = "required input missing"
	Unknown    = "unknown input"
	WrongType  = "wrong type"
	NotAllowed = "value not allowed"
	NoResult   = "no result"
	Down       = "backend down"
	Garbage    = "backend answers garbage"
	OldVersion = "version by number"
)

// A Question is one call of one tool.
type Question struct {
	Sort, Tool string
	Version    int // 0: the current one
	Inputs     map[string]any
	// Upstream is the backend; nil is the one of the test.
	Upstream http.RoundTripper
	Want     Outcome
}

// String names a question in the output of tests.
func (q *Question) String() string {
	inputs, err := json.Marshal(q.Inputs)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s@%d/%s/%.60s", q.Tool, q.Version, q.Sort, inputs)
}

// Served is the tools over one backend, as doors want them.
type Served struct {
	// Program is the name of the command line, Docs what it describes itself by.
	Program string
	Docs    fs.FS
	Set     tool.Toolset
	// Plain serves over all protocols; what Judged answers is also held against
	// the schemas.
	Plain, Judged http.Handler
	// Method calls the generated method of a tool.
	Method func(ctx context.Context, tool string, inputs map[string]any) (any, error)
	// Caller is who asks; the zero value is nobody.
	Caller Caller
}

// A Caller says who asks, at each door in its own way.
type Caller struct {
	// Principal is who calls in process and over stdin and stdout, nil for nobody.
	Principal *tool.Principal
	// Headers go with requests: "Name: value".
	Headers []string
	// Env are the variables of the command line.
	Env map[string]string
}

func (c *Caller) context() context.Context {
	ctx := context.Background()
	if c.Principal != nil {
		ctx = tool.WithPrincipal(ctx, c.Principal)
	}
	return ctx
}

// Tool returns a tool of the set by its name.
func (s *Served) Tool(t testing.TB, name string) *tool.Tool {
	t.Helper()
	at := slices.IndexFunc(s.Set.Tools, func(t tool.Tool) bool { return t.Name == name })
	if at < 0 {
		t.Fatalf("there is no tool %q", name)
	}
	return &s.Set.Tools[at]
}

// otcName is the name of a tool in OTC.
func (s *Served) otcName(t testing.TB, name string) string {
	return s.Set.Name + "." + s.Tool(t, name).ToolName
}

// An Outcome is all that a caller learns. A question wants one, in the words of
// tool.Error; each door tells of it what its protocol has room for.
type Outcome struct {
	// Status is that of HTTP, 0 where there is none.
	Status int
	// Outputs are the values of the outputs, as encoding/json reads them.
	Outputs map[string]any
	// Kind is the word of tool.Kind, "" for no error; A2T has words of its own.
	Kind string
	// Reason is the code that the manifest gives to an error.
	Reason string
	// Message is empty in what a question wants where the run time has a
	// sentence for the kind.
	Message, Hint string
	Retry         bool
	Wait          time.Duration
	Issues        []Issue
	// Done are the steps whose effects have happened.
	Done []string
}

// An Issue is what is wrong with one input.
type Issue struct {
	Param, Code, Detail string
	Allowed             []string
	Nearest             string
}

// sentences are what the model reads where nobody said anything better.
var sentences = map[string]string{
	"invalid_input": "Some input parameters are invalid",
	"unavailable":   "The backend is not available at the moment. Try again later.",
	"timeout":       "The backend did not answer in time. Try again later.",
	"bad_backend":   "The backend gave an answer that this tool cannot use.",

	"unknown_outcome": "It is not known whether the call took effect. Check before you repeat it.",
}

func (o *Outcome) sentence() string {
	if o.Message == "" {
		return sentences[o.Kind]
	}
	return o.Message
}
