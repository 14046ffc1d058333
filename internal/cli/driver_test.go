package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/strictjson"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// told runs a part of a command, and returns its result, its talk and how it
// ended.
func told(run func(*command) error) string {
	var out, talk bytes.Buffer
	s := &session{stdout: &out, stderr: &talk, lookup: noEnv}
	code := s.conclude(run(&command{session: s}))
	return fmt.Sprintf("%s|%s|%d", out.String(), talk.String(), code)
}

// What a driver tells last is what the call came to, and each has its exit code.
func TestOutcome(t *testing.T) {
	yes := json.RawMessage(`{"b":1,"a":"\u202e"}`)
	for _, c := range []struct {
		mode  string
		last  event
		ended error
		want  string
	}{
		{"call", event{Event: "result"}, nil, "{}\n||0"},
		{"call", event{Event: "result", Outputs: []output{{"one", yes}, {Name: "none"}}}, nil, "{\n  \"one\": {\n    \"b\": 1,\n    \"a\": \"\\u202e\"\n  },\n  \"none\": null\n}\n||0"},
		{"call", event{Event: "result", Outputs: []output{{"one", json.RawMessage(`{`)}}}, nil, "|sculpt: unexpected end of JSON input|2"},
		{"dry", event{Event: "result", Outputs: []output{{"one", yes}}}, nil, "|sculpt: every request has a recorded answer; nothing was sent\n|0"},
		{"dry", event{Event: "stopped"}, nil, "|sculpt: stopped at the first request without a recorded answer; nothing was sent\n|0"},
		{"call", event{Event: "refused", Text: "Not today."}, nil, "|sculpt: look: Not today.\n|1"},
		{"call", event{Event: "refused", Text: "Not\x1b today", Hint: "Ask\x1b later."}, nil, "|sculpt: look: Not\\x1b today\nsculpt: hint for the model: Ask\\x1b later.\n|1"},
		{"call", event{Event: "failed", Text: "no such tool"}, nil, "|sculpt: no such tool\n|2"},
		{"call", event{}, nil, "|sculpt: the tool ended without an answer\n|2"},
		{"call", event{Event: "request"}, errors.New("exit status 3"), "|sculpt: the tool ended without an answer: exit status 3\n|2"},
	} {
		got := told(func(cmd *command) error { return cmd.outcome(&job{Mode: c.mode, Tool: "look"}, c.last, c.ended) })
		if !strings.HasPrefix(got, strings.TrimSuffix(c.want, "|2")) || !strings.HasSuffix(got, c.want[len(c.want)-2:]) {
			t.Errorf("%+v: %q, want %q", c.last, got, c.want)
		}
	}
}

// A refused input is named once, with what would be right.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		e    event
		want string
	}{
		{event{Text: "It failed."}, "It failed."},
		{event{Text: "a cause: b"}, "a cause: b"}, {event{Text: "It failed.: a cause."}, "It failed: a cause."},
		{event{Text: "x", Issues: []tool.Issue{{Param: "city", Detail: "city is missing."}}}, "city is missing."},
		{event{Issues: []tool.Issue{{Param: "city", Detail: "cityname is missing."}, {Param: "n", Detail: "Too many.", Allowed: []string{"1", "2"}, Nearest: `1"`}}},
			`city: cityname is missing. n: Too many. It allows 1, 2. Did you mean "1\""?`},
	} {
		if got := refusal(c.e); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A dry run shows requests in the form of HTTP, and never what a terminal would
// obey.
func TestShowRequest(t *testing.T) {
	request := func(body string) *replay.Exchange {
		e := &replay.Exchange{}
		e.Request.Method, e.Request.URL, e.Request.Body = "POST", "https://a.example/\x1b", json.RawMessage(body)
		return e
	}
	for _, c := range []struct {
		e    event
		want string
	}{
		{event{Event: "request", Exchange: request("")}, "POST https://a.example/\\x1b\n"},
		{event{Event: "request", Exchange: request(`{"a":[1,"\u202e"]}`), Headers: map[string]string{"X-B": "2\n", "Accept": "a/b"}},
			"POST https://a.example/\\x1b\nAccept: a/b\nX-B: 2\\n\n\n{\n  \"a\": [\n    1,\n    \"\\u202e\"\n  ]\n}\n"},
		{event{Event: "request", Exchange: request(`"a=1\nb=\u001b"`)}, "POST https://a.example/\\x1b\n\na=1\nb=\\x1b\n"},
		{event{Event: "request", Exchange: request("{\x1b")}, "POST https://a.example/\\x1b\n\n{\\x1b\n"},
		{event{Event: "answered", Status: http.StatusNotFound}, "# answered from replay: 404 Not Found\n\n"},
		{event{Event: "answered", Status: 299}, "# answered from replay: 299\n\n"},
		{event{Event: "unanswered"}, "# no answer is recorded\n\n"},
		{event{Event: "unanswered", Text: "GET /\x1b"}, "# no answer is recorded; there is one for GET /\\x1b\n\n"},
		{event{Event: "unreached", Text: "x"}, ""},
	} {
		if got := told(func(cmd *command) error { return cmd.showRequest(c.e) }); got != c.want+"||0" {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

// A service that cannot be reached is told while the tool goes on.
func TestWarn(t *testing.T) {
	got := told(func(cmd *command) error {
		cmd.warn(event{Event: "unreached", Text: "no \x1b"}, nil)
		cmd.warn(event{Event: "result", Text: "quiet"}, []recording{{text: "a"}})
		return nil
	})
	if got != "|sculpt: no \\x1b\n|0" {
		t.Errorf("%q", got)
	}
}

// Real services are never behind a door that is open to other machines.
func TestCheckAddress(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:0": "", "127.1.2.3:80": "", "localhost:8080": "", "[::1]:65535": "", "[::ffff:127.0.0.1]:1": "",
		"0.0.0.0:80": "open", ":80": "open", "[::]:80": "open", "192.0.2.1:80": "open", "example:80": "open", "localhost.example:80": "open",
		"127.0.0.1": "wrong", "127.0.0.1:": "wrong", "127.0.0.1:65536": "wrong", "127.0.0.1:-1": "wrong", "127.0.0.1:http": "wrong", "::1:80": "wrong", "": "wrong",
	} {
		for _, live := range []bool{false, true} {
			j := &job{Addr: addr}
			got := told(func(*command) error { return j.checkAddress(live) })
			expect := "||0"
			switch {
			case want == "wrong":
				expect = "|sculpt: " + strconv.Quote(addr) + " is not an address\n   = fix: write --addr 127.0.0.1:8080\n|2"
			case want == "open" && live:
				expect = "|sculpt: " + addr + " may be reached by other machines, so --live is refused\n   = fix: use a loopback address, or build the program of the package, which can ask who calls\n|2"
			}
			if got != expect || j.Open != (want == "open" && !live) {
				t.Errorf("%q, live %t: %q, open %t", addr, live, got, j.Open)
			}
		}
	}
	for in, want := range map[string]string{"0.0.0.0:80": "127.0.0.1:80", "[::]:9": "127.0.0.1:9", "192.0.2.1:80": "192.0.2.1:80", "127.0.0.1:1": "127.0.0.1:1", "a.example:2": "a.example:2"} {
		if got := reachable(in); got != want {
			t.Errorf("%s is reached at %s, want %s", in, got, want)
		}
	}
	if got := quoteShell("it's"); got != `'it'\''s'` {
		t.Error(got)
	}
}

// A value on the command line has the type of its input.
func TestTyped(t *testing.T) {
	for _, c := range []struct {
		in   signature.Type
		text string
		want any
		err  string
	}{
		{signature.Int, "-7", int64(-7), ""}, {signature.Int, "9223372036854775807", int64(math.MaxInt64), ""}, {signature.Int, "9223372036854775808", nil, "n wants an integer, not \"9223372036854775808\""},
		{signature.Int, "1.0", nil, `n wants an integer, not "1.0"`}, {signature.Int, "", nil, `n wants an integer, not ""`},
		{signature.Boolean, "true", true, ""}, {signature.Boolean, "false", false, ""}, {signature.Boolean, "yes", nil, `n wants true or false, not "yes"`},
		{signature.String, "a=b", "a=b", ""}, {signature.Enum, "", "", ""},
	} {
		got, err := typed(&signature.Input{Name: "n", Type: c.in}, c.text)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != c.want || text != c.err {
			t.Errorf("%s %q: %v, %q", c.in, c.text, got, text)
		}
	}
}

// Where a package and a tool are meant, whatever their order.
func TestSplitCall(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"tool", "|tool|"}, {"tool a=1 b=", "|tool|a=1 b="}, {"a=1 tool b=2", "|tool|a=1 b=2"}, {"./pkg tool a=1", "./pkg|tool|a=1"}, {"tool ./pkg", "./pkg|tool|"}, {"tool .", ".|tool|"},
		{"pkg tool", "pkg|tool|"}, {"a/b=c tool", "a/b=c|tool|"}, {`tool a\b=c`, `a\b=c|tool|`},
		{"", `a tool is missing: sculpt call TOOL name=value...`}, {"a=1", `a tool is missing: sculpt call TOOL name=value...`},
		{"./pkg", "a tool is missing: sculpt call ./pkg TOOL name=value..."}, {"one two three", `"three" is not an input`}, {"..", "a tool is missing: sculpt call .. TOOL name=value..."},
	} {
		where, name, given, err := splitCall(strings.Fields(c.args), "call")
		got := where + "|" + name + "|" + strings.Join(given, " ")
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.args, diff)
		}
	}
}

// What a server gives is held against the record, and the first difference is
// named with both values, shortened.
func TestDiffers(t *testing.T) {
	long := strings.Repeat("é", 61)
	for _, c := range []struct{ served, released, at, was, is string }{
		{`{"a":1,"currentVersion":3}`, `{"a":1}`, "", "", ""},
		{`{"a":2}`, `{"a":1}`, "a", "1", "2"},
		{`{"a":1}`, `{"a":1,"b":null}`, "b", "null", "nothing"},
		{`{"a":1,"b":{"c":[1,2]}}`, `{"a":1,"b":{"c":[1]}}`, "b.c[1]", "nothing", "2"},
		{`{"b":{"c":[2,1]}}`, `{"b":{"c":[1,1]}}`, "b.c[0]", "1", "2"},
		{`{"b":[]}`, `{"b":{}}`, "b", "{}", "[]"}, {`{"b":{}}`, `{"b":[]}`, "b", "[]", "{}"},
		{`{"a b":1}`, `{}`, `"a b"`, "nothing", "1"}, {`{"":1}`, `{}`, `""`, "nothing", "1"},
		{`{"a":"` + long + `"}`, `{"a":"` + long[2:] + `"}`, "a", `"` + long[:2*59] + "...", `"` + long[:2*59] + "..."},
		{`{}`, `nonsense`, "signature", "an unreadable record", "something"},
		{`{"version":1.0}`, `{"version":1}`, "version", "1", "1.0"},
	} {
		doc, err := strictjson.Read([]byte(c.served), maxNesting)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := documentOf(doc)
		if !ok {
			t.Fatal(c.served)
		}
		if at, was, is := s.differs([]byte(c.released)); at != c.at || was != c.was || is != c.is {
			t.Errorf("%s: %q %q %q, want %q %q %q", c.served, at, was, is, c.at, c.was, c.is)
		}
	}
	for text, want := range map[string]int{`{"version":7}`: 7, `{"version":"7"}`: 0, `{}`: 0, `{"version":1.5}`: 0} {
		doc, _ := strictjson.Read([]byte(text), maxNesting)
		if s, _ := documentOf(doc); s.version() != want {
			t.Errorf("%s is version %d", text, s.version())
		}
	}
	if _, ok := documentOf([]any{}); ok {
		t.Error("a list is a document")
	}
}
