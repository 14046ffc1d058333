package export_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// judged fails a rapid test as golden.JudgeATIP fails an ordinary one.
type judged struct {
	testing.TB
	t *rapid.T
}

func (j judged) Helper()                           {}
func (j judged) Error(args ...any)                 { j.t.Error(args...) }
func (j judged) Errorf(format string, args ...any) { j.t.Errorf(format, args...) }
func (j judged) Fatal(args ...any)                 { j.t.Fatal(args...) }
func (j judged) Fatalf(format string, args ...any) { j.t.Fatalf(format, args...) }

// TestATIPIsValid draws tools whatever their texts: the description of their
// program is valid, has no error for the reference linter, and the function
// that an agent makes of each command tells the same dangers as our own.
func TestATIPIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawer{t, true}.signature()
		s.Effects = signature.Effects{ReadOnly: false, Idempotent: rapid.Bool().Draw(t, "idempotent"), Destructive: rapid.Bool().Draw(t, "destructive"),
			Reversible: rapid.Bool().Draw(t, "reversible"), Billable: rapid.Bool().Draw(t, "billable")}
		p := export.Program{Name: "my_kit", Caller: rapid.Bool().Draw(t, "caller"), Face: export.Face{
			Toolkit: "Kit", Title: words().Draw(t, "title"), Description: words().Draw(t, "about"),
		}}
		f := export.ATIP(p, []*signature.Signature{s})
		golden.JudgeATIP(judged{t: t}, f.Data)
		functions, err := golden.BridgeATIP(f.Data, false)
		if err != nil || len(functions) != 1 {
			t.Fatalf("%d functions: %v", len(functions), err)
		}
		var chat []struct {
			Function struct{ Description string }
		}
		for name, data := range documents(t, s) {
			if name == "openai/chat.json" {
				if err := json.Unmarshal(data, &chat); err != nil {
					t.Fatal(err)
				}
			}
		}
		flags := func(text string) string {
			if at := strings.LastIndex(text, " ["); at >= 0 && strings.ContainsAny(text[at:], "⚠💰") {
				return text[at:]
			}
			return ""
		}
		if got, want := flags(functions[0].Description), flags(chat[0].Function.Description); got != want {
			t.Fatalf("the agent says %q, we say %q", got, want)
		}
	})
}

// TestATIPNames: what is in the way of what every program has is renamed.
func TestATIPNames(t *testing.T) {
	tool := func(name string, needs signature.Needs, page string) *signature.Signature {
		return &signature.Signature{
			ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: name, Toolkit: "Kit", ToolName: "Tool", Version: 1, Description: "A tool.", Needs: needs,
			Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true}, Notes: signature.Notes{Homepage: page},
		}
	}
	var doc struct {
		Homepage    string
		Description string
		Commands    map[string]struct {
			Tool string `json:"x-tool"`
		}
		Authentication *struct {
			Required bool
			Methods  []struct{ Type, EnvVar, Description string }
		}
		Caller []struct{ Kind, ID, EnvVar string } `json:"x-caller"`
	}
	read := func(p export.Program, sigs ...*signature.Signature) {
		doc.Authentication, doc.Caller, doc.Commands, doc.Homepage = nil, nil, nil, ""
		if err := json.Unmarshal(export.ATIP(p, sigs).Data, &doc); err != nil {
			t.Fatal(err)
		}
	}
	p := export.Program{Name: "kit", Face: export.Face{Toolkit: "Kit"}}
	read(p, tool("help", signature.Needs{}, "https://a.example"), tool("look_up", signature.Needs{}, ""), tool("mcp", signature.Needs{}, "https://a.example"))
	got := map[string]string{}
	for key, c := range doc.Commands {
		got[key] = c.Tool
	}
	if diff := cmp.Diff(map[string]string{"tool--help": "help", "look-up": "", "tool--mcp": "mcp"}, got); diff != "" {
		t.Error(diff)
	}
	if doc.Homepage != "https://a.example" || doc.Description != "The tools of Kit." || doc.Authentication != nil || doc.Caller != nil {
		t.Errorf("%+v", doc)
	}
	one, other := tool("one", signature.Needs{Secrets: []string{"a-b", "a b"}, UserID: true}, "https://a.example"), tool("other", signature.Needs{Claims: []string{"plan"}}, "https://b.example")
	read(p, one, other)
	if doc.Homepage != "" || doc.Authentication == nil || doc.Authentication.Required || len(doc.Authentication.Methods) != 2 {
		t.Errorf("%+v", doc)
	}
	var variables []string
	for _, c := range doc.Caller {
		variables = append(variables, c.EnvVar)
	}
	if diff := cmp.Diff([]string{"KIT_USER_ID", "KIT_SECRET_A_B", "X_KIT_SECRET_A_B", "KIT_CLAIM_PLAN"}, variables); diff != "" {
		t.Error(diff)
	}
	for _, required := range []bool{false, true} {
		p.Variables = []export.Variable{{Name: "KIT_HOME", Required: true}, {Method: "token", Name: "KIT_TOKEN", Required: required}}
		if read(p, other); doc.Authentication.Required != required {
			t.Errorf("a credential that is required: %t, authentication that is: %t", required, doc.Authentication.Required)
		}
	}
	p.Variables = nil
	if read(p, one); !doc.Authentication.Required {
		t.Error("no tool works without its secret")
	}
}
