package toolcli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// names are those of inputs that flags may get wrong.
var names = []string{"city", "hours_ahead", "agent", "json", "help", "h", "verbose", "version", "v", "commands", "depth", "input_agent", "no_x", "x", "no_no_x", "a__b", "a_"}

// texts are values that a command line may get wrong.
var texts = []string{"", "Omaha, NE", "-5", "--city", "--agent", "--", "-h", "--help", "=", "a=b", "true", "\x00", "\u202e", "é\n", "'\"$(x)`\\"}

func drawInput(t *rapid.T, name string) signature.Input {
	in := signature.Input{ID: name, Name: name, Description: "An input.", Required: rapid.Bool().Draw(t, "required")}
	in.Type = rapid.SampledFrom([]signature.Type{signature.String, signature.Int, signature.Boolean, signature.Enum}).Draw(t, "type")
	switch in.Type {
	case signature.String:
		in.MaxLength = 1000
	case signature.Int:
		in.Min, in.Max = signature.DefaultMin, signature.DefaultMax
	case signature.Enum:
		in.Values = []signature.Value{{Name: "ONE", Text: "First."}, {Name: "TWO", Text: "Second."}}
	}
	if !in.Required && rapid.Bool().Draw(t, "has default") {
		in.Default = drawValue(t, in)
	}
	return in
}

func drawValue(t *rapid.T, in signature.Input) any {
	switch in.Type {
	case signature.Int:
		return rapid.Int64Range(in.Min, in.Max).Draw(t, in.Name)
	case signature.Boolean:
		return rapid.Bool().Draw(t, in.Name)
	case signature.Enum:
		return rapid.SampledFrom([]string{"ONE", "TWO"}).Draw(t, in.Name)
	}
	return rapid.SampledFrom(texts).Draw(t, in.Name)
}

// TestAgentReachesTheTool draws tools and calls of them. An agent that has the
// description of the program and nothing else gets every call to the tool as
// the model made it.
func TestAgentReachesTheTool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sig := *serveTool
		sig.Name, sig.Version = rapid.SampledFrom([]string{"serve", "mcp", "help", "look_up", "tool_mcp", "h"}).Draw(t, "tool"), 1
		want, model := tool.Args{}, map[string]any{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 8, rapid.ID).Draw(t, "names") {
			in := drawInput(t, name)
			sig.Inputs = append(sig.Inputs, in)
			switch {
			case in.Required || rapid.Bool().Draw(t, "given"):
				v := drawValue(t, in)
				want[name], model[name] = v, v
				if n, ok := v.(int64); ok {
					model[name] = int(n)
				}
			case in.Default != nil:
				want[name] = in.Default
			}
		}
		var got tool.Args
		docs, handler := programOf(t, &sig, func(args tool.Args) { got = args })
		p := toolcli.Program{Docs: docs, Handler: func() (http.Handler, error) { return handler, nil }}
		run := func(args ...string) (int, string, string) {
			var out, talk bytes.Buffer
			code := p.Run(context.Background(), toolcli.Console{Args: args, Stdout: &out, Stderr: &talk, Lookup: func(string) (string, bool) { return "", false }})
			return code, out.String(), talk.String()
		}
		code, doc, talk := run("shop", "xyz", "--agent")
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, talk)
		}
		argv, err := golden.ArgvATIP([]byte(doc), "shop_"+commandOf(t, doc, &sig, model), model)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(slices.Collect(maps.Values(model)), any("--agent")) {
			return // who sends this text asks for the description (ATIP 3.1)
		}
		if code, _, talk := run(argv...); code != 0 || !cmp.Equal(got, want) {
			t.Fatalf("%q: exit code %d, %s%s", argv, code, talk, cmp.Diff(want, got))
		}
	})
}

// programOf makes a program of one tool.
func programOf(t *rapid.T, sig *signature.Signature, called func(tool.Args)) (fstest.MapFS, http.Handler) {
	files, findings := gen.Export(&ir.Program{Toolkit: "Shop", Package: "shop", Tools: []*ir.Tool{{Signature: sig}}})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	docs := fstest.MapFS{}
	for _, f := range files {
		docs[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	served := toolOf(sig, false, func(_ context.Context, args tool.Args) (tool.Result, error) {
		called(args)
		return tool.Result{{Name: "got", JSON: []byte("1")}}, nil
	})
	handler, err := serve.NewHandler([]tool.Toolset{{Handshake: tool.Handshake, Name: "Shop", Docs: docs, Tools: []tool.Tool{served}}},
		serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return docs, handler
}

// commandOf finds the command of the tool, and says no to a boolean as its
// description wants it.
func commandOf(t *rapid.T, text string, sig *signature.Signature, model map[string]any) string {
	var doc toolcli.Document
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	for name, c := range doc.Commands {
		if c.Tool != sig.Name && (c.Tool != "" || strings.ReplaceAll(name, "-", "_") != sig.Name) {
			continue
		}
		for _, o := range c.Options {
			if o.Negates != "" && model[o.Negates] == false {
				model[o.Name] = true
			}
		}
		return name
	}
	t.Fatalf("no command calls %s: %s", sig.Name, text)
	return ""
}
