package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// rehearsed is a toolset of one tool whose chain is given.
func rehearsed(chain func(context.Context, tool.Args) (tool.Result, error)) tool.Toolset {
	return tool.Toolset{Name: "T", Handshake: tool.Handshake, Tools: []tool.Tool{{
		ID: "06c324c8-68b5-5df9-8726-03197c61e053", Name: "ask", ToolName: "Ask", Needs: tool.Needs{Claims: []string{"team"}}, Call: chain, Effects: tool.Effects{ReadOnly: true},
		Versions: []tool.Version{
			{N: 1, Released: true, Inputs: []tool.Param{{ID: "n", Name: "n", Type: tool.TypeInt, Max: 9}}, Outputs: []tool.OutputSlot{{ID: "a", Name: "a", Type: tool.TypeInt}}},
			{N: 2, Inputs: []tool.Param{{ID: "n", Name: "n", Type: tool.TypeInt, Max: 9, Default: int64(3)}}, Outputs: []tool.OutputSlot{
				{ID: "a", Name: "a", Type: tool.TypeInt}, {ID: "b", Name: "b", Type: tool.TypeString, Optional: true}}},
		},
	}}}
}

// TestRehearse: what came of a call is the same text every time, and what
// cannot be compared is an error.
func TestRehearse(t *testing.T) {
	answer := func(ctx context.Context, args tool.Args) (tool.Result, error) {
		inv := tool.InvocationOf(ctx)
		b, _ := json.Marshal(inv.CallID + " " + inv.Time.String() + " " + tool.CallerOf(ctx).Claims["team"] + " " + tool.UUID(ctx, "x"))
		n, _ := json.Marshal(args.Int("n"))
		return tool.Result{{Name: "a", JSON: n}, {Name: "b", JSON: b}}, nil
	}
	fail := func(err error) func(context.Context, tool.Args) (tool.Result, error) {
		return func(context.Context, tool.Args) (tool.Result, error) { return nil, err }
	}
	for _, c := range []struct {
		name    string
		chain   func(context.Context, tool.Args) (tool.Result, error)
		version int
		inputs  string
		want    string
	}{
		{"outputs of that version", answer, 1, `{"n":5}`, `{"outputs":{"a":5}}`},
		{"the defaults of that version, and no others", answer, 1, `{}`, `{"outputs":{"a":0}}`},
		{"the call", answer, 2, `{}`, `{"outputs":{"a":3,"b":"00000000-0000-4000-8000-000000000000 2026-01-01 00:00:00 +0000 UTC preview-claim 87443ec5-d0f1-8824-8047-29d3c921be8d"}}`},
		{"a value that is not there", fail(nil), 2, `{"n":5}`, `{"outputs":{"a":null,"b":null}}`},
		{"an error of the manifest", fail(&tool.Error{Kind: tool.KindNoResult, Code: "none", Message: "There is none."}), 2, `{"n":5}`,
			`{"error":{"kind":"no_result","code":"none","message":"There is none."}}`},
		{"an input that is refused", answer, 1, `{"n":50}`, `{"error":{"kind":"invalid_input"}}`},
		{"an input of another version", answer, 1, `{"m":5}`, `{"error":{"kind":"invalid_input"}}`},
		{"a number that is not an integer", answer, 1, `{"n":5.5}`, "error: input n: 5.5 is not an integer"},
		{"no inputs", answer, 1, `[]`, "error: the inputs are not a JSON object: json: cannot unmarshal array into Go value of type tool.Args"},
		{"no such version", answer, 3, `{}`, "error: The tool ask has no such version; its current version is 2."},
		{"a request without an answer", fail(&replay.NotRecordedError{Method: "GET", URL: "https://x.example/"}), 2, `{}`, "error: no exchange is recorded for GET https://x.example/"},
		{"a fault of the server", fail(errors.New("broken")), 2, `{}`, "error: internal: broken"},
	} {
		got, err := serve.RunExample(context.Background(), rehearsed(c.chain), "ask", c.version, []byte(c.inputs))
		text := string(got)
		if err != nil {
			text = "error: " + err.Error()
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
	one, err := serve.RunExample(context.Background(), rehearsed(answer), "ask", 2, []byte(`{"n":1}`))
	two, again := serve.RunExample(context.Background(), rehearsed(answer), "ask", 2, []byte(`{"n":1}`))
	if err != nil || again != nil || string(one) != string(two) || !strings.Contains(string(one), "preview-claim") {
		t.Errorf("two rehearsals differ: %s, %s (%v, %v)", one, two, err, again)
	}
}

// TestReplayFirst: the exchanges come before the folder.
func TestReplayFirst(t *testing.T) {
	exchange := func(url, body string) []byte {
		return []byte(`{"request":{"method":"GET","url":"` + url + `"},"response":{"status":200,"body":` + body + `}}`)
	}
	folder := fstest.MapFS{"1.json": {Data: exchange("https://x.example/a", "1")}, "2.json": {Data: exchange("https://x.example/b", "2")}}
	transport, err := replay.OpenWith([]json.RawMessage{exchange("https://x.example/a", "10")}, folder)
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"https://x.example/a": "10", "https://x.example/b": "2", "https://x.example/c": ""} {
		req, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if want == "" {
			if _, ok := errors.AsType[*replay.NotRecordedError](err); !ok {
				t.Errorf("%s: %v", url, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		body := make([]byte, 8)
		n, _ := resp.Body.Read(body)
		if string(body[:n]) != want {
			t.Errorf("%s answers %s, want %s", url, body[:n], want)
		}
		resp.Body.Close()
	}
	if _, err := replay.OpenWith([]json.RawMessage{[]byte("{}")}, folder); err == nil {
		t.Error("an exchange without a request was taken")
	}
}

// TestRehearsalsAreApart: a tool with effects is rehearsed as often as it is asked
// for, with a window of its own set or without.
func TestRehearsalsAreApart(t *testing.T) {
	for _, window := range []*tool.Window{nil, new(tool.Window)} {
		ran := 0
		set := rehearsed(func(_ context.Context, args tool.Args) (tool.Result, error) {
			ran++
			return tool.Result{{Name: "a", JSON: []byte(strconv.FormatInt(args.Int("n"), 10))}}, nil
		})
		set.Tools[0].Effects, set.Window = tool.Effects{}, window
		for _, n := range []string{"1", "2", "2"} {
			got, err := serve.RunExample(t.Context(), set, "ask", 1, []byte(`{"n":`+n+`}`))
			if err != nil || string(got) != `{"outputs":{"a":`+n+`}}` {
				t.Errorf("%s: %s, %v", n, got, err)
			}
		}
		if ran != 3 || set.Window != window {
			t.Errorf("it ran %d times", ran)
		}
	}
}
