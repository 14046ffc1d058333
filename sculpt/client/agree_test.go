package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// pick has an input of each type with each bound.
var pick = &signature.Signature{
	ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: "pick", Toolkit: "Kit", ToolName: "Pick", Version: 1, Description: "Pick one.",
	Inputs: []signature.Input{
		{ID: "word", Name: "word", Type: signature.String, Description: "A word.", Required: true, MinLength: 2, MaxLength: 5},
		{ID: "code", Name: "code", Type: signature.String, Description: "A code.", MaxLength: 9, Pattern: "^[a-c]+$"},
		{ID: "count", Name: "count", Type: signature.Int, Description: "How many.", Min: -3, Max: 9, Default: int64(4)},
		{ID: "kind", Name: "kind", Type: signature.Enum, Description: "The kind.", Values: []signature.Value{{Name: "FIRST", Text: "First."}, {Name: "SECOND", Text: "Second."}}},
		{ID: "flag", Name: "flag", Type: signature.Boolean, Description: "Whether.", Required: true},
	},
	Outputs: []signature.Output{{ID: "got", Name: "got", Type: signature.JSON, Description: "The arguments."}},
	Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
}

var pickParams = []tool.Param{
	{ID: "word", Name: "word", Type: tool.TypeString, Required: true, MinLength: 2, MaxLength: 5},
	{ID: "code", Name: "code", Type: tool.TypeString, MaxLength: 9, Pattern: regexp.MustCompile("^[a-c]+$")},
	{ID: "count", Name: "count", Type: tool.TypeInt, Min: -3, Max: 9, Default: int64(4)},
	{ID: "kind", Name: "kind", Type: tool.TypeEnum, Values: []string{"FIRST", "SECOND"}},
	{ID: "flag", Name: "flag", Type: tool.TypeBoolean, Required: true},
}

// picking serves the tool as often as is said, which answers with its arguments.
func picking(t *testing.T, times int) http.Handler {
	t.Helper()
	program := &ir.Program{Toolkit: "Kit", Package: "kit"}
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Kit"}
	for i := range times {
		sig := *pick
		if i > 0 {
			sig.ID, sig.Name, sig.ToolName = fmt.Sprintf("6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b%04x", i), fmt.Sprintf("pick_%03d", i), fmt.Sprintf("Pick%03d", i)
		}
		program.Tools = append(program.Tools, &ir.Tool{Signature: &sig})
		set.Tools = append(set.Tools, tool.Tool{
			ID: sig.ID, Name: sig.Name, ToolName: sig.ToolName, Effects: tool.Effects(sig.Effects),
			Versions: []tool.Version{{N: 1, Released: true, Inputs: pickParams, Outputs: []tool.OutputSlot{{ID: "got", Name: "got", Type: tool.TypeJSON}}}},
			Call: func(_ context.Context, args tool.Args) (tool.Result, error) {
				got, err := json.Marshal(args)
				return tool.Result{{Name: "got", JSON: got}}, err
			},
		})
	}
	files, findings := gen.Export(program)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	docs := fstest.MapFS{}
	for _, f := range files {
		docs[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	set.Docs = docs
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// inMemory sends requests to a handler.
type inMemory struct{ http.Handler }

func (h inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

// anArgument draws what a model might write.
func anArgument(r *rand.Rand) any {
	values := []any{
		nil, "", "a", "ab", "abc", "abcde", "abcdef", "ééééé", "éééééé", "FIRST", "first", "SECOND", "FRIST", true, false, json.Number("0"), json.Number("-3"), json.Number("9"),
		json.Number("10"), json.Number("1.0"), json.Number("1e2"), json.Number("99999999999999999999"), []any{}, map[string]any{}, []any{"FIRST"}, "<b>&\u2028", "日本語",
	}
	return values[r.IntN(len(values))]
}

// TestAgreement: what the client lets through the server accepts, and what it
// refuses the server refuses with the same issues in the same words, over A2T.
func TestAgreement(t *testing.T) {
	h := picking(t, 1)
	c, err := client.New(client.ProtocolA2T, "http://kit.example/a2t", client.WithHTTPClient(&http.Client{Transport: inMemory{h}}))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := c.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2)) // the same calls each time
	names := []string{"word", "code", "count", "kind", "flag", "wrod"}
	valid, calls := 0, 100_000
	if golden.Race {
		calls = 5_000 // it takes ten times as long then
	}
	for range calls {
		args := map[string]any{}
		for _, name := range names {
			if r.IntN(8) > 1 && (name != "wrod" || r.IntN(9) == 0) {
				args[name] = anArgument(r)
			}
		}
		if r.IntN(2) == 0 { // so that many are valid
			args["word"], args["flag"] = "abc", true
			delete(args, "wrod")
		}
		answer := invoked(t, h, args)
		e, refused := errors.AsType[*client.Error](tools[0].Validate(args))
		if !refused {
			if valid++; answer.Code != http.StatusOK {
				t.Fatalf("%v is valid here and not there: %s", args, answer.Body)
			}
			continue
		}
		var said struct {
			Errors []tool.Issue
		}
		if err := json.Unmarshal(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"parameter":`), []byte(`"Param":`)), &said); err != nil {
			t.Fatal(err)
		}
		issues := e.Fault.Issues
		for i := range issues {
			issues[i].Nearest = "" // it is in the detail over A2T
		}
		if diff := cmp.Diff(said.Errors, issues); diff != "" || answer.Code != http.StatusUnprocessableEntity {
			t.Fatalf("%v: %d %s", args, answer.Code, diff)
		}
	}
	t.Logf("%d of %d calls are valid", valid, calls)
	if valid < calls/50 || valid > calls*9/10 {
		t.Errorf("%d of %d calls are valid", valid, calls)
	}
}

// invoked sends arguments as they are.
func invoked(t *testing.T, h http.Handler, args map[string]any) *httptest.ResponseRecorder {
	t.Helper()
	type one struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	list := []one{}
	for _, name := range []string{"word", "code", "count", "kind", "flag", "wrod"} {
		if v, ok := args[name]; ok {
			list = append(list, one{name, v})
		}
	}
	body, err := json.Marshal(map[string]any{"name": "pick", "input_parameters": list})
	if err != nil {
		t.Fatal(err)
	}
	q := httptest.NewRequest(http.MethodPost, "/a2t/tools/"+pick.ID+":invoke", io.NopCloser(bytes.NewReader(body)))
	q.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

// TestManyTools pages through a thousand tools over every protocol, and calls the
// last one.
func TestManyTools(t *testing.T) {
	h := picking(t, 1000)
	for p, path := range doors {
		c, err := client.New(p, "http://kit.example"+path, client.WithHTTPClient(&http.Client{Transport: inMemory{h}}))
		if err != nil {
			t.Fatal(err)
		}
		tools, err := c.Tools(t.Context())
		if err != nil || len(tools) != 1000 || tools[999].Name != "pick_999" {
			t.Fatalf("%s: %d tools, %v", p, len(tools), err)
		}
		got, err := c.Invoke(t.Context(), tools[999], client.Call{Arguments: map[string]any{"word": "abc", "flag": true}})
		if err != nil || string(got.JSON("got")) != `{"count":4,"flag":true,"word":"abc"}` {
			t.Errorf("%s: %+v %v", p, got, err)
		}
		if again, err := c.Tool(t.Context(), tools[999].ID); err != nil || again.Name != "pick_999" {
			t.Errorf("%s: %v %v", p, again, err)
		}
	}
}
