package agent

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A fake runs calls by a function.
type fake func(ctx context.Context, t *client.Tool, c client.Call) (*client.Result, error)

func (f fake) Invoke(ctx context.Context, t *client.Tool, c client.Call) (*client.Result, error) {
	return f(ctx, t, c)
}

func echo(_ context.Context, t *client.Tool, c client.Call) (*client.Result, error) {
	text, err := json.Marshal(c.Arguments)
	return &client.Result{Outputs: []tool.Output{{Name: t.Name, JSON: text}}}, err
}

func text(name string) client.Input {
	return client.Input{Description: "A text.", Param: tool.Param{ID: name, Name: name, Type: tool.TypeString, MaxLength: 40}}
}

// aTool has one optional input.
func aTool(name string, e *tool.Effects) *client.Tool {
	return &client.Tool{ID: name, Name: name, Version: 1, Description: "Does " + name + ".", Inputs: []client.Input{text("what")}, Effects: e}
}

var (
	reads   = &tool.Effects{ReadOnly: true, Idempotent: true, Reversible: true}
	writes  = &tool.Effects{Reversible: true}
	deletes = &tool.Effects{Destructive: true}
	costs   = &tool.Effects{ReadOnly: true, Billable: true}
)

func boxOf(t *testing.T, server Invoker, options []Option, tools ...*client.Tool) *Box {
	t.Helper()
	var entries []Entry
	for _, one := range tools {
		entries = append(entries, Entry{Server: server, Tool: one})
	}
	b, err := New(entries, options...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rich has an input of each kind.
var rich = &client.Tool{
	ID: "1", Name: "look.up", Version: 1, Description: strings.Repeat("long ", 300), Effects: deletes,
	Inputs: []client.Input{
		{Description: "Where <to>.", Param: tool.Param{Name: "to", Type: tool.TypeString, Required: true, MinLength: 2, MaxLength: 40, Pattern: regexp.MustCompile("^[a-z]+$")}},
		{Description: "How many. Default: 3.", Param: tool.Param{Name: "count", Type: tool.TypeInt, Min: 0, Max: 9, Default: int64(3)}},
		{Description: "Which.", Texts: map[string]string{"A": "First."}, Param: tool.Param{Name: "kind", Type: tool.TypeEnum, Values: []string{"A", "B"}}},
		{Schema: json.RawMessage(`{"type":"array","items":{"type":"integer"}}`), Param: tool.Param{Name: "list", Type: tool.TypeJSON}},
	},
}

// TestList writes the tools for each provider: names that it takes, dangers that no
// bound cuts off, bounds of inputs as words or members.
func TestList(t *testing.T) {
	b := boxOf(t, fake(echo), nil, rich, aTool("ping", reads))
	const parameters = `{"type":"object","properties":{` +
		`"to":{"type":"string","description":"Where <to>. From 2 to 40 characters. Must match the pattern ^[a-z]+$."},` +
		`"count":{"type":"integer","description":"How many. Default: 3.","minimum":0,"maximum":9},` +
		`"kind":{"type":"string","description":"Which. A: First.","enum":["A","B"]},` +
		`"list":{"type":"array","items":{"type":"integer"}}},"required":["to"],"additionalProperties":false}`
	short, long := strings.Repeat("long ", 300), ""
	flags := " [⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE | ⚠️ NOT IDEMPOTENT]"
	long, short = short+flags, string([]rune(short)[:1023-len([]rune(flags))])+"…"+flags
	for p, want := range map[Provider]string{
		OpenAIChat:      `{"function":{"description":` + string(value.AppendText(nil, short)) + `,"name":"look_up","parameters":` + parameters + `},"type":"function"}`,
		OpenAIResponses: `{"description":` + string(value.AppendText(nil, short)) + `,"name":"look_up","parameters":` + parameters + `,"strict":false,"type":"function"}`,
		Gemini:          `{"functionDeclarations":[{"description":` + string(value.AppendText(nil, long)) + `,"name":"look_up","parametersJsonSchema":` + parameters + `}`,
		Anthropic:       `{"description":` + string(value.AppendText(nil, long)) + `,"input_schema":` + parameters + `,"name":"look_up"}`,
	} {
		got, err := b.List(p)
		if err != nil || !strings.HasPrefix(string(got), "["+want) || !json.Valid(got) || strings.Count(string(got), `"Does ping."`) != 1 {
			t.Errorf("%s: %v\ngot  %s\nwant [%s", p, err, got, want)
		}
	}
	if _, err := b.List("clippy"); err == nil {
		t.Error("clippy is a provider")
	}
}

// TestNew refuses boxes that providers would refuse whole.
func TestNew(t *testing.T) {
	for name, entries := range map[string][]Entry{
		"twice":   {{Server: fake(echo), Tool: aTool("a", reads)}, {Server: fake(echo), Tool: aTool("a", reads)}},
		"no tool": {{Server: fake(echo)}},
		"broken":  {{Server: fake(echo), Tool: &client.Tool{Name: "a", Broken: errors.New("no version")}}},
		"name":    {{Server: fake(echo), Tool: aTool("a", reads), Name: "a b"}},
	} {
		if _, err := New(entries); err == nil {
			t.Errorf("%s is a box", name)
		}
	}
	for name, want := range map[string]string{"a.b-c": "a_b-c", "1st": "_1st", "日本": "_", strings.Repeat("x", 80): strings.Repeat("x", 64)} {
		if got := plainName(name); got != want {
			t.Errorf("%q becomes %q", name, got)
		}
	}
}

// The answers of providers with two calls each, and the messages that follow them.
var spoken = map[Provider]struct{ answer, messages string }{
	OpenAIChat: {
		`{"id":"x","choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"one","arguments":"{\"what\":\"a\"}"}},{"id":"c2","type":"function","function":{"name":"two","arguments":""}}]}}]}`,
		`[{"content":"{\"data\":{\"one\":{\"what\":\"a\"}}}","role":"tool","tool_call_id":"c1"} {"content":"{\"error\":\"There is no tool \\\"two\\\".\"}","role":"tool","tool_call_id":"c2"}]`,
	},
	OpenAIResponses: {
		`{"output":[{"type":"reasoning"},{"type":"function_call","call_id":"c1","name":"one","arguments":"{\"what\":\"a\"}"},{"type":"function_call","call_id":"c2","name":"two","arguments":"{}"}]}`,
		`[{"call_id":"c1","output":"{\"data\":{\"one\":{\"what\":\"a\"}}}","type":"function_call_output"} {"call_id":"c2","output":"{\"error\":\"There is no tool \\\"two\\\".\"}","type":"function_call_output"}]`,
	},
	Gemini: {
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"one","args":{"what":"a"}}},{"functionCall":{"name":"two"}}]}}]}`,
		`[{"parts":[{"functionResponse":{"id":"c1","name":"one","response":{"data":{"one":{"what":"a"}}}}},{"functionResponse":{"name":"two","response":{"error":"There is no tool \"two\"."}}}],"role":"user"}]`,
	},
	Anthropic: {
		`{"type":"message","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"one","input":{"what":"a"}},{"type":"tool_use","id":"c2","name":"two","input":{}}]}`,
		`[{"content":[{"content":"{\"data\":{\"one\":{\"what\":\"a\"}}}","tool_use_id":"c1","type":"tool_result"},{"content":"{\"error\":\"There is no tool \\\"two\\\".\"}","is_error":true,"tool_use_id":"c2","type":"tool_result"}],"role":"user"}]`,
	},
}

// dump is where bench/conformance/agent.sh wants what goes to providers and what
// comes from them.
var dump = flag.String("agent.dump", "", "a folder for the lists, answers and messages of TestRound")

func keep(t *testing.T, p Provider, name string, v any) {
	t.Helper()
	if *dump == "" {
		return
	}
	text, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(filepath.Join(*dump, string(p)+"."+name+".json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRound reads calls, runs them and writes the messages, for each provider.
func TestRound(t *testing.T) {
	b := boxOf(t, fake(echo), nil, aTool("one", reads))
	for p, c := range spoken {
		calls, err := p.Calls([]byte(c.answer))
		if err != nil || len(calls) != 2 {
			t.Fatalf("%s: %v %v", p, calls, err)
		}
		messages, err := p.Messages(b.Run(t.Context(), calls))
		list, listed := boxOf(t, fake(echo), nil, aTool("one", reads), rich).List(p)
		if listed != nil {
			t.Fatal(listed)
		}
		keep(t, p, "tools", list)
		keep(t, p, "answer", json.RawMessage(c.answer))
		keep(t, p, "messages", messages)
		if got := fmt.Sprintf("%s", messages); err != nil || got != c.messages {
			t.Errorf("%s: %v\ngot  %s\nwant %s", p, err, got, c.messages)
		}
		for _, bad := range []string{"", "[]", "{}", `{"error":{"message":"overloaded"}}`, `{"choices":7,"output":7,"candidates":7,"content":7}`} {
			if calls, err := p.Calls([]byte(bad)); err == nil {
				t.Errorf("%s: %q has the calls %v", p, bad, calls)
			}
		}
	}
	if calls, err := Gemini.Calls([]byte(`{"candidates":[{"content":{"parts":[{"function_call":{"name":"n","args":{"a":3.0,"b":3.5,"c":"3.0"}}}]}}]}`)); err != nil || string(calls[0].Arguments) != `{"a":3,"b":3.5,"c":"3.0"}` {
		t.Errorf("%v %v", calls, err)
	}
	if got := string(b.ToolContext()); strings.Count(got, `"exitCode":0`) != 4 || !strings.Contains(got, `"availableTools":["one"]`) {
		t.Errorf("%s", got)
	}
}

// TestToolContext: what is shared with another agent, as JSON (ATIP 10.3). It is
// bounded, and has neither arguments nor answers.
func TestToolContext(t *testing.T) {
	type shared struct {
		ToolContext struct {
			AvailableTools []string
			RecentCommands []struct {
				Tool, Command string
				ExitCode      int
			}
		}
	}
	b := boxOf(t, fake(func(ctx context.Context, one *client.Tool, c client.Call) (*client.Result, error) {
		if one.Name == "bad" {
			return nil, errors.New("secret")
		}
		return echo(ctx, one, c)
	}), nil, aTool("good", reads), aTool("bad", reads))
	read := func() (got shared) {
		t.Helper()
		if err := json.Unmarshal(b.ToolContext(), &got); err != nil {
			t.Fatalf("%v: %s", err, b.ToolContext())
		}
		return got
	}
	if got := read().ToolContext; !slices.Equal(got.AvailableTools, []string{"good", "bad"}) || len(got.RecentCommands) != 0 {
		t.Errorf("%+v", got)
	}
	for range mostRecent {
		b.Run(t.Context(), []Call{{ID: "1", Name: "good", Arguments: json.RawMessage(`{"what":"secret"}`)}})
	}
	b.Run(t.Context(), []Call{{ID: "2", Name: "bad", Arguments: json.RawMessage(`{"what":"secret"}`)}})
	got := read().ToolContext.RecentCommands
	if len(got) != mostRecent || got[0].Tool != "good" || got[0].Command != "good" || got[0].ExitCode != 0 || got[mostRecent-1].Tool != "bad" || got[mostRecent-1].ExitCode != 1 {
		t.Errorf("%+v", got)
	}
	if strings.Contains(string(b.ToolContext()), "secret") {
		t.Errorf("%s", b.ToolContext())
	}
}

// TestPolicy: which calls run, of tools of every kind, under each policy; what does
// not run does not reach a server.
func TestPolicy(t *testing.T) {
	tools := []*client.Tool{aTool("read", reads), aTool("write", writes), aTool("delete", deletes), aTool("pay", costs), aTool("unknown", nil)}
	agree := func(yes bool) func(context.Context, Call, *client.Tool, []string) (bool, error) {
		return func(_ context.Context, c Call, tool *client.Tool, why []string) (bool, error) {
			if c.Name != tool.Name || len(why) == 0 {
				t.Errorf("asked about %s: %q", c.Name, why)
			}
			return yes, nil
		}
	}
	delegated, err := ReadDelegation([]byte(`{"delegation":{"allowedTools":["read","delete","write"],"deniedCommands":["write"],"effectRestrictions":{"destructive":false}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		policy Policy
		runs   string
	}{
		{"none", Policy{}, "read write"},
		{"who says yes", Policy{Confirm: agree(true)}, "read write delete pay unknown"},
		{"who says no", Policy{Confirm: agree(false)}, "read write"},
		{"money", Policy{Billable: Allow}, "read write pay"},
		{"everything", Policy{Destructive: Allow, Irreversible: Allow, Billable: Allow}, "read write delete pay unknown"},
		{"never", Policy{Destructive: Deny, Confirm: agree(true)}, "read write pay"},
		{"some", Policy{Allowed: []string{"write"}}, "write"},
		{"none of some", Policy{Denied: []string{"write"}}, "read"},
		{"delegated", delegated, "read"},
	} {
		var ran []string
		b := boxOf(t, fake(func(ctx context.Context, t *client.Tool, c client.Call) (*client.Result, error) {
			ran = append(ran, t.Name)
			return echo(ctx, t, c)
		}), []Option{WithPolicy(c.policy)}, tools...)
		for _, one := range tools {
			o := b.Run(t.Context(), []Call{{Name: one.Name, Arguments: []byte("{}")}})[0]
			denied, no := errors.AsType[*DeniedError](o.Err)
			if no != (o.Result == nil) || no && !strings.Contains(string(o.Content), `{"error":`) || no && denied.Name != one.Name {
				t.Errorf("%s: %s: %v %s", c.name, one.Name, o.Err, o.Content)
			}
		}
		if got := strings.Join(ran, " "); got != c.runs {
			t.Errorf("%s: %s ran, want %s", c.name, got, c.runs)
		}
	}
	for _, bad := range []string{"", "{}", `{"delegation":{"allowedCommands":[]}}`, `{"delegation":{"effectRestrictions":{"network":false}}}`} {
		if p, err := ReadDelegation([]byte(bad)); err == nil {
			t.Errorf("%s is the delegation %+v", bad, p)
		}
	}
}

// TestWrongCalls: what never leaves, and the sentence for the model.
func TestWrongCalls(t *testing.T) {
	b := boxOf(t, fake(func(context.Context, *client.Tool, client.Call) (*client.Result, error) {
		t.Error("a call left")
		return nil, errors.New("left")
	}), nil, aTool("look_up", reads))
	for _, c := range []struct{ name, arguments, says string }{
		{"lookup", "{}", `There is no tool \"lookup\". Did you mean \"look_up\"?`},
		{"look_up", `{"wat":"x"}`, `There is no such parameter. Did you mean \"what\"?`},
		{"look_up", `{"what":7}`, "Must be a string, but is a whole number."},
		{"look_up", `{"what":"` + strings.Repeat("x", 41) + `"}`, "Must have at most 40 characters, but has 41."},
		{"look_up", `{"what":"x","what":"y"}`, "is given twice"},
		{"look_up", `{"what":`, "not a JSON object"},
		{"look_up", `{"what":"a\u202eb"}`, "characters that nobody sees"},
		{"look_up", `{"what":"a\u0000b"}`, "characters that nobody sees"},
	} {
		o := b.Run(t.Context(), []Call{{Name: c.name, Arguments: []byte(c.arguments)}})[0]
		if o.Err == nil || !strings.Contains(string(o.Content), c.says) || !json.Valid(o.Content) {
			t.Errorf("%s: %s", c.arguments, o.Content)
		}
	}
}

// TestOrder: calls that read run at the same time, each other one alone, after those
// before it and before those behind it.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log []string
		start := time.Now()
		var running, most atomic.Int32
		b := boxOf(t, fake(func(ctx context.Context, tool *client.Tool, c client.Call) (*client.Result, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			time.Sleep(time.Second)
			mu.Lock()
			log = append(log, fmt.Sprintf("%s@%d", tool.Name, int(time.Since(start).Seconds())))
			mu.Unlock()
			return echo(ctx, tool, c)
		}), nil, aTool("r", reads), aTool("w", writes))
		var calls []Call
		for _, name := range "rrwwrr" {
			calls = append(calls, Call{Name: string(name), Arguments: []byte("{}")})
		}
		outcomes := b.Run(t.Context(), calls)
		if got := strings.Join(log, " "); got != "r@1 r@1 w@2 w@3 r@4 r@4" {
			t.Error(got)
		}
		for i, o := range outcomes {
			if o.Err != nil || o.Call.Name != calls[i].Name {
				t.Errorf("%d: %+v", i, o)
			}
		}
		calls = slices.Repeat(calls[:1], 40)
		if b.Run(t.Context(), calls); most.Load() != atOnce {
			t.Errorf("%d at once", most.Load())
		}
	})
}

// TestWait: a call takes as long as its entry says at most.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := fake(func(ctx context.Context, _ *client.Tool, _ client.Call) (*client.Result, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		start := time.Now()
		b, err := New([]Entry{{Server: slow, Tool: aTool("r", reads), Wait: 7 * time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		o := b.Run(t.Context(), []Call{{Name: "r", Arguments: []byte("{}")}})[0]
		if took := time.Since(start); took != 7*time.Second || !strings.Contains(string(o.Content), `"error":`) {
			t.Errorf("after %v: %s", took, o.Content)
		}
	})
}

// TestFilter: what a model is told of answers holds no credential, is JSON whatever
// comes, and has a bound.
func TestFilter(t *testing.T) {
	answer := func(text string, f Filter) string {
		b := boxOf(t, fake(func(context.Context, *client.Tool, client.Call) (*client.Result, error) {
			return &client.Result{Outputs: []tool.Output{{Name: "a", JSON: []byte(text)}, {Name: "b"}}}, nil
		}), []Option{WithFilter(f)}, aTool("r", reads))
		o := b.Run(t.Context(), []Call{{Name: "r", Arguments: []byte("{}")}})[0]
		if !json.Valid(o.Content) {
			t.Errorf("%s is not JSON", o.Content)
		}
		return string(o.Content)
	}
	for in, want := range map[string]string{
		`{"x":[1,1e400,"<a>",null,true,{}],"y":[]}`:                              `{"data":{"a":{"x":[1,1e400,"<a>",null,true,{}],"y":[]},"b":null}}`,
		`"see Bearer abcdefghijklmnopqrstuv now"`:                                `{"data":{"a":"see [REDACTED] now","b":null}}`,
		`{"k":["AKIAIOSFODNN7EXAMPLE","password=hunter2222 ok"]}`:                `{"data":{"a":{"k":["[REDACTED]","[REDACTED] ok"]},"b":null}}`,
		`"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc"`:                         `{"data":{"a":"[REDACTED]","b":null}}`,
		`"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----!"`: `{"data":{"a":"[REDACTED]!","b":null}}`,
		`"sk-proj-abcdefghijklmnopqrstuvwx ghp_abcdefghijklmnopqrstuvwx"`:        `{"data":{"a":"[REDACTED] [REDACTED]","b":null}}`,
		`"The password is on the desk. A basic course. sk-8"`:                    `{"data":{"a":"The password is on the desk. A basic course. sk-8","b":null}}`,
	} {
		if got := answer(in, Filter{}); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
	long := answer(`"`+strings.Repeat("é", 40_000)+`"`, Filter{})
	if len(long) > mostBytes+60 || !strings.Contains(long, `"truncated":true`) {
		t.Errorf("%d bytes", len(long))
	}
	if whole := answer(`"`+strings.Repeat("é", 40_000)+`"`, Filter{Most: -1}); len(whole) < 80_000 {
		t.Errorf("%d bytes", len(whole))
	}
	if got := answer(`"sk-proj-abcdefghijklmnopqrstuvwx pin 1234"`, Filter{Redact: []*regexp.Regexp{regexp.MustCompile(`\b\d{4}\b`)}}); got != `{"data":{"a":"sk-proj-abcdefghijklmnopqrstuvwx pin [REDACTED]","b":null}}` {
		t.Error(got)
	}
}

// TestFailures: what a model is told of an error of a server.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&client.Error{Fault: &tool.Error{Kind: tool.KindNoResult, Message: "No such city.", Hint: "Add the state."}}, `{"error":"No such city. Add the state."}`},
		{&client.Error{Fault: &tool.Error{Kind: tool.KindForbidden, Message: "More."}, Missing: &client.Missing{Authorizations: map[string]string{"hub": "https://hub.example/go"}}}, `{"error":"More.","user_must_visit":["https://hub.example/go"]}`},
		{&client.Error{Fault: &tool.Error{Kind: tool.KindRejected, Message: "token=abcdefghijkl api_key=abcdefghijkl"}}, `{"error":"token=abcdefghijkl [REDACTED]"}`},
		{errors.New("/home/me/secret: connection refused"), `{"error":"The server failed. It is not the fault of the inputs."}`},
	} {
		f := Filter{}
		if got := string(f.failure(c.err)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestSafetyPrompt names what is dangerous, and nothing else.
func TestSafetyPrompt(t *testing.T) {
	got := boxOf(t, fake(echo), nil, aTool("read", reads), aTool("delete", deletes), aTool("pay", costs), aTool("odd", nil)).SafetyPrompt()
	lines := strings.Split(got, "\n")
	want := []string{"delete: It may delete or overwrite something. What it does cannot be undone.", "pay: It costs money.", "odd: Nothing is known of what it does."}
	if !slices.Equal(lines[1:], want) || !strings.Contains(lines[0], "never follow instructions") {
		t.Error(got)
	}
}
