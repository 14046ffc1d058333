package toolcli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// The tools of the tests answer with the arguments that reach them.
var (
	bookTrip = &signature.Signature{
		ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: "book_trip", Toolkit: "Shop", ToolName: "BookTrip", Version: 1,
		Title: "Book a trip", Description: "Book a trip by train. It has to be paid then.",
		Inputs: []signature.Input{
			{ID: "to", Name: "to", Type: signature.String, Description: "Where the trip goes.", Required: true, MaxLength: 40},
			{ID: "seats", Name: "seats", Type: signature.Int, Description: "How many `seats`.", Min: -3, Max: 9},
			{ID: "travel_class", Name: "travel_class", Type: signature.Enum, Description: "The class.", Values: []signature.Value{{Name: "FIRST", Text: "First."}, {Name: "SECOND", Text: "Second."}}, Default: "SECOND"},
			{ID: "flexible", Name: "flexible", Type: signature.Boolean, Description: "Whether it can change.", Required: true},
			{ID: "quiet", Name: "quiet", Type: signature.Boolean, Description: "Whether it is quiet."},
			{ID: "insured", Name: "insured", Type: signature.Boolean, Description: "Whether it is insured.", Default: true},
			{ID: "window", Name: "window", Type: signature.Boolean, Description: "Whether at a window.", Default: false},
			{ID: "agent", Name: "agent", Type: signature.String, Description: "Who books.", MaxLength: 40},
			{ID: "json", Name: "json", Type: signature.String, Description: "More.", MaxLength: 40},
		},
		Outputs: []signature.Output{{ID: "got", Name: "got", Type: signature.JSON, Description: "The arguments."}, {ID: "note", Name: "note", Type: signature.String, Description: "A note.", Optional: true}},
		Effects: signature.Effects{Billable: true}, Needs: signature.Needs{UserID: true, Secrets: []string{"loyalty card"}},
		Examples: []signature.Example{{Goal: "A trip", Inputs: map[string]any{"to": `Bob's "inn" $HOME`, "seats": int64(2), "flexible": true, "insured": false, "quiet": true}}},
		Notes:    signature.Notes{Creates: []string{"trip"}, Cost: "medium", Typical: "1-5s", Deadline: 1500 * time.Millisecond, Homepage: "https://shop.example"},
	}
	serveTool = &signature.Signature{
		ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a12", Name: "serve", Toolkit: "Shop", ToolName: "Serve", Version: 3,
		Description: "Serve a meal.", Outputs: []signature.Output{{ID: "got", Name: "got", Type: signature.JSON, Description: "The arguments."}},
		Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
	}
)

// A shop is a program and what it was called with.
type shop struct {
	*testing.T
	fail error
	// configured counts how often the tools were.
	configured int
	principal  *tool.Principal
	env        map[string]string
}

func newShop(t *testing.T) *shop {
	return &shop{T: t, env: map[string]string{"THE_SHOP_USER_ID": "u-1", "THE_SHOP_SECRET_LOYALTY_CARD": "4711"}}
}

func (s *shop) docs() fstest.MapFS {
	key := &operation.Scheme{Name: "key", Type: "apiKey", In: operation.Header, Param: "X-Key"}
	files, findings := gen.Export(&ir.Program{
		Toolkit: "Shop", Package: "the_shop", Description: "A shop.",
		Env: []*ir.Env{{Name: "SHOP_LOG", Description: "Where the shop writes.", Default: new(string)}, {Name: "SHOP_KEY", Description: "The key of the shop."}},
		APIs: []*ir.API{{Name: "shop", Credentials: []ir.Credential{
			{Scheme: key, Source: ir.Source{Env: "SHOP_KEY"}}, {Scheme: &operation.Scheme{Name: "user", Type: "http", HTTP: "bearer"}, Source: ir.Source{Caller: true}},
		}}},
		CommandLine: &signature.CommandLine{Setup: "shop login", Check: "shop whoami", Patterns: []signature.Pattern{{
			Name: "there-and-back", Description: "Books both ways.", Tags: []string{"trips"}, Variables: []signature.PatternVariable{{Name: "city", Description: "Where to."}},
			Steps: []signature.PatternStep{{Command: "the-shop book-trip --to {city}", Description: "There."}, {Command: "the-shop book-trip --to Home"}},
		}}},
		Tools: []*ir.Tool{{Signature: bookTrip}, {Signature: serveTool, Released: []*signature.Signature{older(serveTool, 1), older(serveTool, 2)}}},
	})
	if findings.HasErrors() {
		s.Fatal(findings)
	}
	docs := fstest.MapFS{}
	for _, f := range files {
		docs[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return docs
}

func older(s *signature.Signature, version int) *signature.Signature {
	o := *s
	o.Version = version
	return &o
}

func (s *shop) handler() (http.Handler, error) {
	s.configured++
	if s.env["UNCONFIGURED"] != "" {
		return nil, errors.New("the_shop: SHOP_KEY is not set")
	}
	unreleased := s.env["UNRELEASED"] != ""
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Shop", Docs: s.docs(), Tools: []tool.Tool{toolOf(bookTrip, unreleased, s.call), toolOf(serveTool, unreleased, s.call)}}
	return serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(slog.New(slog.DiscardHandler)))
}

// toolOf is the table that the generator makes of a signature.
func toolOf(sig *signature.Signature, unreleased bool, call func(context.Context, tool.Args) (tool.Result, error)) tool.Tool {
	types := map[signature.Type]tool.Type{
		signature.String: tool.TypeString, signature.Int: tool.TypeInt, signature.Boolean: tool.TypeBoolean, signature.Enum: tool.TypeEnum, signature.JSON: tool.TypeJSON,
	}
	t := tool.Tool{
		ID: sig.ID, Name: sig.Name, ToolName: sig.ToolName, Effects: tool.Effects(sig.Effects),
		Needs: tool.Needs{UserID: sig.Needs.UserID, Secrets: sig.Needs.Secrets}, Call: call,
	}
	for n := 1; n <= sig.Version; n++ {
		v := tool.Version{N: n, Released: !unreleased || n < sig.Version}
		for _, in := range sig.Inputs {
			p := tool.Param{ID: in.ID, Name: in.Name, Type: types[in.Type], Required: in.Required, MaxLength: in.MaxLength, Min: in.Min, Max: in.Max, Default: in.Default}
			for _, value := range in.Values {
				p.Values = append(p.Values, value.Name)
			}
			v.Inputs = append(v.Inputs, p)
		}
		for _, out := range sig.Outputs {
			v.Outputs = append(v.Outputs, tool.OutputSlot{ID: out.ID, Name: out.Name, Type: types[out.Type], Optional: out.Optional})
		}
		t.Versions = append(t.Versions, v)
	}
	return t
}

// call answers with the arguments.
func (s *shop) call(ctx context.Context, args tool.Args) (tool.Result, error) {
	s.principal = tool.CallerOf(ctx)
	if s.fail != nil {
		return nil, s.fail
	}
	got, err := json.Marshal(args)
	result := tool.Result{{Name: "got", JSON: got}}
	if args["to"] != nil {
		result = append(result, tool.Output{Name: "note"})
	}
	return result, err
}

// run runs the program.
func (s *shop) run(args ...string) (code int, stdout, stderr string) {
	s.Helper()
	var out, talk bytes.Buffer
	p := toolcli.Program{Docs: s.docs(), Handler: s.handler}
	code = p.Run(context.Background(), toolcli.Console{
		Args: append([]string{"/usr/bin/the-shop"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
		Lookup: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok },
	})
	s.record(args, code, out.String(), talk.String())
	return code, out.String(), talk.String()
}

// TestTerminalIsGuarded: what an upstream sends unasked does not get from the
// log of net/http to the terminal.
func TestTerminalIsGuarded(t *testing.T) {
	var written bytes.Buffer
	log.SetOutput(&written)
	defer log.SetOutput(os.Stderr)
	newShop(t).run("book-trip", "--to", "Rome")
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=<nil>", "secret")
	if !strings.Contains(written.String(), "Unsolicited") || strings.Contains(written.String(), "secret") {
		t.Errorf("the log holds %q", &written)
	}
}

// TestFlags: what reaches the tool.
func TestFlags(t *testing.T) {
	const rest = `"insured":true,"to":"Rome","travel_class":"SECOND","window":false`
	for _, c := range []struct{ args, want string }{
		{"--to Rome", `{"flexible":false,` + rest + `}`},
		{"--to=Rome --flexible", `{"flexible":true,` + rest + `}`},
		{"--flexible=false -to Rome", `{"flexible":false,` + rest + `}`},
		{"--to Rome --quiet", `{"flexible":false,"insured":true,"quiet":true,"to":"Rome","travel_class":"SECOND","window":false}`},
		{"--to Rome --no-quiet", `{"flexible":false,"insured":true,"quiet":false,"to":"Rome","travel_class":"SECOND","window":false}`},
		{"--to Rome --no-insured --window", `{"flexible":false,"insured":false,"to":"Rome","travel_class":"SECOND","window":true}`},
		{"--to Rome --seats -3", `{"flexible":false,"insured":true,"seats":-3,"to":"Rome","travel_class":"SECOND","window":false}`},
		{"--to Rome --seats 07 --travel-class FIRST", `{"flexible":false,"insured":true,"seats":7,"to":"Rome","travel_class":"FIRST","window":false}`},
		{"--to --flexible", `{"flexible":false,"insured":true,"to":"--flexible","travel_class":"SECOND","window":false}`},
		{"--to Rome --input.agent me --input.json {}", `{"agent":"me","flexible":false,"insured":true,"json":"{}","to":"Rome","travel_class":"SECOND","window":false}`},
	} {
		s := newShop(t)
		code, out, talk := s.run(append([]string{"book-trip"}, strings.Fields(c.args)...)...)
		if want := `{"got":` + c.want + `,"note":null}` + "\n"; code != 0 || out != want || talk != "" {
			t.Errorf("%s: exit code %d\n got %s want %s%s", c.args, code, out, want, talk)
		}
		if p := s.principal; p == nil || p.UserID != "u-1" || p.Secrets["loyalty card"] != "4711" {
			t.Errorf("%s: the caller is %+v", c.args, p)
		}
	}
	if _, out, _ := newShop(t).run("tool--serve", "--json"); out != `{"got":{}}`+"\n" {
		t.Errorf("the tool that is named like a command answers %q", out)
	}
}

// TestRefusals: exit code, what is said, and nothing on stdout.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		say  string
	}{
		{"", 2, "a command is missing"},
		{"boook-trip", 2, `there is no command "boook-trip", did you mean "book-trip"?`},
		{"xyz", 2, `there is no command "xyz"` + "\n"},
		{"--to Rome book-trip", 2, `there is no flag "--to" here: a command comes first`},
		{"book-trip --too Rome", 2, `there is no flag "--too", did you mean "--to"?`},
		{"book-trip --zzz Rome", 2, `there is no flag "--zzz"` + "\n"},
		{"book-trip ---", 2, "bad flag syntax"},
		{"book-trip --to", 2, "the flag --to needs a value"},
		{"book-trip Rome", 2, `"Rome" is too much: book-trip takes flags only`},
		{"book-trip --to Rome -- x", 2, `"x" is too much`},
		{"book-trip --to Rome --to Paris", 2, "--to is given twice"},
		{"book-trip --to Rome --quiet --no-quiet", 2, "--quiet and --no-quiet contradict each other"},
		{"book-trip --to Rome --flexible=x", 2, `invalid boolean value "x"`},
		{"book-trip", 2, "--to: This parameter is required."},
		{"book-trip --to Rome --seats many --travel-class THIRD", 2, "--seats: Must be a whole number, but is a string. --travel-class: \"THIRD\" is not one of the allowed values."},
		{"book-trip --to Rome --seats 99999999999999999999", 2, "--seats: "},
		{"book-trip --to Rome --seats 10", 2, "--seats: Must be from -3 to 9."},
		{"book-trip --to " + strings.Repeat("x", 41), 2, "--to: Must have at most 40 characters"},
		{"book-trip --to \xff", 2, "--to: Must be a string, but is not valid UTF-8."},
		{"serve here", 2, `"here" is too much`},
		{"serve --addr nowhere", 1, "nowhere"},
		{"mcp --fast", 2, `there is no flag "--fast"`},
	} {
		code, out, talk := newShop(t).run(strings.Fields(c.args)...)
		if code != c.code || out != "" || !strings.HasPrefix(talk, "the-shop: ") || !strings.Contains(talk, c.say) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %s", c.args, code, out, talk)
		}
	}
}

// TestFailures: what the tool says, with the exit code of its kind.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		fail error
		code int
		say  string
	}{
		{&tool.Error{Kind: tool.KindNoResult, Message: "No such place.", Hint: "Ask for another."}, 1, "No such place. Ask for another."},
		{&tool.Error{Kind: tool.KindUnavailable, Retryable: true, RetryAfter: 3 * time.Second}, 1, "Try again in 3 s."},
		{&tool.Error{Kind: tool.KindRejected, Message: "No\x1b[2Jseats\u202e."}, 1, "No�[2Jseats�."},
		{&tool.Error{Kind: tool.KindInvalidInput, Message: "Not there."}, 2, "Not there."},
		{errors.New("secret reason"), 1, "The server failed."},
	} {
		s := newShop(t)
		s.fail = c.fail
		code, out, talk := s.run("tool--serve")
		if code != c.code || out != "" || !strings.Contains(talk, c.say) || strings.Contains(talk, "secret") {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q", c.fail, code, out, talk)
		}
		code, out, talk = s.run("tool--serve", "--json")
		var problem struct{ Code string }
		if err := json.Unmarshal([]byte(talk), &problem); err != nil || code != c.code || problem.Code == "" || out != "" || strings.Contains(talk, "secret") {
			t.Errorf("%v as JSON: exit code %d, stdout %q, stderr %q: %v", c.fail, code, out, talk, err)
		}
	}
}

// TestSurroundings: configuration, credentials and versions.
func TestSurroundings(t *testing.T) {
	for _, c := range []struct {
		set, unset string
		say        string
	}{
		{"UNCONFIGURED", "", "the-shop: the_shop: SHOP_KEY is not set"},
		{"UNRELEASED", "", "it is not released"},
		{"UNRELEASED", "", "serve it with WithUnreleased\nthe-shop: serve: tool "}, // each on a line
		{"", "THE_SHOP_USER_ID", "= fix: set THE_SHOP_USER_ID\n"},
		{"", "THE_SHOP_SECRET_LOYALTY_CARD", "This tool needs the secret loyalty card of its caller."},
	} {
		s := newShop(t)
		s.env[c.set] = "yes"
		delete(s.env, c.unset)
		code, out, talk := s.run("book-trip", "--to", "Rome")
		if code != 1 || out != "" || !strings.Contains(talk, c.say) {
			t.Errorf("%+v: exit code %d, stdout %q, stderr %q", c, code, out, talk)
		}
	}
	p := toolcli.Program{Docs: fstest.MapFS{}}
	var talk bytes.Buffer
	if code := p.Run(context.Background(), toolcli.Console{Args: []string{"shop", "--agent"}, Stderr: &talk}); code != 1 || !strings.Contains(talk.String(), "sculpt generate") {
		t.Errorf("without documents: exit code %d, %s", code, &talk)
	}
}

// TestAgent: the answer to --agent needs no configuration and wins over
// everything else on the command line.
func TestAgent(t *testing.T) {
	s := newShop(t)
	s.env = map[string]string{"UNCONFIGURED": "yes"}
	_, whole, _ := s.run("--agent")
	for _, args := range [][]string{{"--agent", "xyz"}, {"book-trip", "--zzz", "--agent"}, {"serve", "--addr", "--agent"}, {"--help", "--agent"}} {
		if code, out, talk := s.run(args...); code != 0 || out != whole || talk != "" {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, out, talk)
		}
	}
	if s.configured != 0 {
		t.Error("the tools were configured")
	}
	if _, out, _ := s.run("book-trip", "--", "--agent"); out != "" {
		t.Errorf("behind -- it is no flag: %s", out)
	}
	golden.JudgeATIP(t, []byte(whole))
	var doc toolcli.Document
	if err := json.Unmarshal([]byte(whole), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Name != "the-shop" || doc.Version != "3.0.0" || doc.Homepage != "https://shop.example" || doc.Partial != nil || len(doc.Commands) != 2 || doc.Commands["serve"] != nil || doc.Commands["mcp"] != nil {
		t.Errorf("%s", whole)
	}
	book := doc.Commands["book-trip"]
	want := `the-shop book-trip --to 'Bob'\''s "inn" $HOME' --seats 2 --flexible --quiet --no-insured`
	if len(book.Examples) != 1 || book.Examples[0] != want {
		t.Errorf("got  %s\nwant %s", book.Examples, want)
	}
	if !cmp.Equal(book.Effects.Creates, []string{"trip"}) || *book.Effects.Cost != (toolcli.Cost{Estimate: "medium", Billable: true}) ||
		*book.Effects.Duration != (toolcli.Duration{Typical: "1-5s", Timeout: "2s"}) {
		t.Errorf("%+v", book.Effects)
	}
	auth := doc.Authentication
	if auth == nil || !auth.Required || len(auth.Methods) != 3 || auth.Methods[0].EnvVar != "SHOP_KEY" {
		t.Errorf("%+v", auth)
	}
	if auth.Methods[0].SetupCommand != "shop login" || auth.CheckCommand != "shop whoami" {
		t.Errorf("%+v", auth)
	}
	patterns, _ := json.Marshal(doc.Patterns)
	if want := `[{"name":"there-and-back","description":"Books both ways.","steps":[{"command":"the-shop book-trip --to {city}","description":"There."},` +
		`{"command":"the-shop book-trip --to Home"}],"variables":{"city":{"type":"string","description":"Where to."}},"tags":["trips"],"executable":false}]`; string(patterns) != want {
		t.Errorf("got  %s\nwant %s", patterns, want)
	}
	for args, want := range map[string]string{
		"--agent --commands=book-trip":                       "1 of 4 true filtered",
		"--agent --commands book-trip,serve":                 "2 of 4 true filtered",
		"--agent --commands=book-trip,tool--serve,serve,mcp": "4 of 4 false ",
		"--commands=nothing --agent":                         "0 of 4 true filtered",
		"--agent --depth=1":                                  "2 of 4 true filtered",
		"--agent --depth 2":                                  "2 of 4 true filtered",
		"--agent --commands=book-trip,tool--serve --depth=1": "2 of 4 true filtered",
	} {
		var part toolcli.Document
		code, out, _ := s.run(strings.Fields(args)...)
		if err := json.Unmarshal([]byte(out), &part); err != nil || code != 0 {
			t.Fatalf("%s: exit code %d, %v", args, code, err)
		}
		reason := ""
		if part.Omitted != nil {
			reason = part.Omitted.Reason
		}
		if got := fmt.Sprintf("%d of %d %t %s", *part.IncludedCommands, *part.TotalCommands, *part.Partial, reason); got != want || len(part.Commands) != *part.IncludedCommands {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	// The servers say that they do not end, and what they read meanwhile.
	var servers toolcli.Document
	if _, out, _ := s.run("--agent", "--commands=serve,mcp"); json.Unmarshal([]byte(out), &servers) != nil || servers.Commands["serve"] == nil || servers.Commands["mcp"] == nil {
		t.Fatalf("no servers: %s", out)
	}
	if e := servers.Commands["mcp"].Effects; e.Interactive.Stdin != "required" || e.Duration == nil || e.Duration.Typical != "1-8760h" {
		t.Errorf("mcp: %+v", e)
	}
	if c := servers.Commands["serve"]; c.Effects.Interactive.Stdin != "none" || c.Effects.Duration == nil || !c.Effects.Network || len(c.Options) != 9 || c.Options[1].Type != "integer" || c.Options[1].Description == "" {
		t.Errorf("serve: %+v", c)
	}
	for _, args := range []string{"--agent --depth=0", "--agent --depth=x", "--agent --depth", "--agent --commands", "--agent --commands=", "--commands --agent"} {
		if code, out, talk := s.run(strings.Fields(args)...); code != 2 || out != "" || !strings.Contains(talk, " needs ") {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", args, code, out, talk)
		}
	}
}

// TestAgentDeprecated: a tool that is to end is described to those who ask for it
// by name; the others learn that something is left out, and why.
func TestAgentDeprecated(t *testing.T) {
	was := bookTrip.Notes.Deprecated
	t.Cleanup(func() { bookTrip.Notes.Deprecated = was })
	bookTrip.Notes.Deprecated = signature.Deprecation{Since: "2027-03-01", Use: "serve"}
	s := newShop(t)
	for args, want := range map[string]string{
		"--agent":                      `{"tool--serve"} 1 of 4 true deprecated`,
		"--agent --depth=1":            `{"tool--serve"} 1 of 4 true deprecated`,
		"--agent --commands=book-trip": `{"book-trip"} 1 of 4 true filtered`,
	} {
		var part toolcli.Document
		code, out, _ := s.run(strings.Fields(args)...)
		if err := json.Unmarshal([]byte(out), &part); err != nil || code != 0 || part.Omitted == nil {
			t.Fatalf("%s: exit code %d, %v: %s", args, code, err, out)
		}
		golden.JudgeATIP(t, []byte(out))
		for name, c := range part.Commands {
			if got := fmt.Sprintf("{%q} %d of %d %t %s", name, *part.IncludedCommands, *part.TotalCommands, *part.Partial, part.Omitted.Reason); got != want {
				t.Errorf("%s: %s, want %s", args, got, want)
			}
			if strings.Contains(c.Description, "Deprecated from 2027-03-01 on. Use serve instead.") != (name == "book-trip") {
				t.Errorf("%s: %s", name, c.Description)
			}
		}
	}
	if code, _, talk := s.run("book-trip", "--to", "Rome", "--flexible"); code != 0 {
		t.Errorf("a deprecated tool is not called any more: %s", talk)
	}
}

// TestHelp: what a person, and an agent that looks for its flag, reads.
func TestHelp(t *testing.T) {
	s := newShop(t)
	for _, args := range [][]string{{"--help"}, {"-h"}} {
		code, out, talk := s.run(args...)
		for _, want := range []string{"the-shop - A shop.", "book-trip", "Book a trip by train\n", "  serve ", "Serve the tools over HTTP", "  mcp ", "Speak MCP on stdin", "--agent", "SHOP_KEY", "The key of the shop.", "SHOP_LOG", "THE_SHOP_USER_ID", "Who calls: user id\n", "Exit codes: 0 an answer"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in %s", args, want, out)
			}
		}
		if code != 0 || talk != "" {
			t.Errorf("%s: exit code %d, %s", args, code, talk)
		}
	}
	code, out, _ := s.run("book-trip", "--to", "Rome", "--help")
	for _, want := range []string{"It has to be paid then.", "--to value", "(required)", "one of FIRST, SECOND; default: SECOND", "How many 'seats'.", "--no-insured", "--json"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if code != 0 || s.configured != 0 {
		t.Errorf("exit code %d, configured %d times", code, s.configured)
	}
	if _, out, _ = s.run("--version"); out != "the-shop version 3.0.0\n" {
		t.Errorf("version: %q", out)
	}
}

// TestNameOfACommand: a program may have the name of its only tool.
func TestNameOfACommand(t *testing.T) {
	s := newShop(t)
	p := toolcli.Program{Docs: s.docs(), Handler: s.handler}
	var talk bytes.Buffer
	code := p.Run(t.Context(), toolcli.Console{Args: []string{"book-trip", "book-trip", "--too", "x"}, Stderr: &talk})
	if code != 2 || !strings.Contains(talk.String(), `there is no flag "--too", did you mean "--to"?`) {
		t.Errorf("exit code %d, %s", code, &talk)
	}
}

// TestUnwritten: an answer that nobody got is a failure.
func TestUnwritten(t *testing.T) {
	s := newShop(t)
	for _, args := range [][]string{{"shop", "--agent"}, {"shop", "tool--serve"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var talk bytes.Buffer
		p := toolcli.Program{Docs: s.docs(), Handler: s.handler}
		code := p.Run(t.Context(), toolcli.Console{Args: args, Stdout: w, Stderr: &talk, Lookup: func(string) (string, bool) { return "", false }})
		if code != 1 || talk.Len() == 0 {
			t.Errorf("%q: exit code %d, %s", args, code, &talk)
		}
		w.Close()
	}
}

// TestServers: the commands that are beside the tools.
func TestServers(t *testing.T) {
	s := newShop(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var status int
	p := toolcli.Program{Docs: s.docs(), Handler: s.handler, Serve: serve.RunOptions{DrainDelay: -1, Bound: func(a net.Addr) {
		go func() {
			defer stop()
			if resp, err := http.Get("http://" + a.String() + "/a2t/tools"); err == nil {
				status = resp.StatusCode
				resp.Body.Close()
			}
		}()
	}}}
	var out, talk bytes.Buffer
	console := toolcli.Console{Args: []string{"shop", "serve"}, Stdout: &out, Stderr: &talk, Lookup: func(name string) (string, bool) {
		return "127.0.0.1:0", name == "SCULPT_ADDR"
	}}
	if code := p.Run(ctx, console); code != 0 || status != http.StatusOK {
		t.Errorf("serve: exit code %d, status %d, %s", code, status, &talk)
	}
	console.Args, console.Stdin = []string{"shop", "mcp"}, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if code := p.Run(t.Context(), console); code != 0 || !strings.Contains(out.String(), `"name":"book_trip"`) {
		t.Errorf("mcp: exit code %d, %s%s", code, &out, &talk)
	}
	// The flags are the query of /mcp, and what they name must be there.
	for flags, want := range map[string]struct {
		code int
		text string
	}{"--tools book_trip": {0, `"name":"book_trip"`}, "--pins book_trip@1": {0, `"name":"book_trip"`}, "--tags none": {2, `No tool has the tag "none".`}, "--pins book_trip@9": {2, "no such version"}} {
		out.Reset()
		talk.Reset()
		console.Args = append([]string{"shop", "mcp"}, strings.Fields(flags)...)
		console.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if code := p.Run(t.Context(), console); code != want.code || !strings.Contains(out.String()+talk.String(), want.text) {
			t.Errorf("mcp %s: exit code %d, %s%s", flags, code, &out, &talk)
		}
	}
}

// TestCallerOfStdio: who starts the program for MCP is its caller, by the same
// variables as on the command line; what a program of its own says counts more.
func TestCallerOfStdio(t *testing.T) {
	for name, c := range map[string]struct {
		own  *tool.Principal
		want string
	}{"variables": {nil, "u-1"}, "a program's own": {&tool.Principal{ID: "desk", UserID: "u-7", Secrets: map[string]string{"loyalty card": "1"}}, "u-7"}} {
		s := newShop(t)
		ctx := t.Context()
		if c.own != nil {
			ctx = tool.WithPrincipal(ctx, c.own)
		}
		var out, talk bytes.Buffer
		p := toolcli.Program{Docs: s.docs(), Handler: s.handler}
		code := p.Run(ctx, toolcli.Console{
			Args: []string{"the-shop", "mcp"}, Stdout: &out, Stderr: &talk, Lookup: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok },
			Stdin: strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_trip","arguments":{"to":"Rome","flexible":true}}}`),
		})
		if code != 0 || s.principal == nil || s.principal.UserID != c.want || s.principal.Secrets["loyalty card"] == "" {
			t.Errorf("%s: exit code %d, caller %+v: %s%s", name, code, s.principal, &out, &talk)
		}
	}
}
