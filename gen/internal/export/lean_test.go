package export_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// assumed are the hints that MCP takes for granted (ToolAnnotations).
func assumed() map[string]any {
	return map[string]any{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}
}

// The lean document says of a tool and its inputs what the whole one does, for
// every effect that a tool can have.
func TestLean(t *testing.T) {
	_, s := weather()
	for i := range 8 {
		s.Effects = signature.Effects{ReadOnly: i&1 > 0, Idempotent: i&2 > 0, Destructive: i&4 > 0}
		s.Inputs[0].MCPHeader, s.Inputs[0].Pattern = "City", "^[A-Z]"
		whole, lean := documentsOf(t, s)
		if lean["title"] != nil || lean["outputSchema"] != nil || lean["name"] != whole["name"] || lean["description"] != whole["description"] {
			t.Errorf("%v", lean)
		}
		schema := whole["inputSchema"].(map[string]any)
		delete(schema, "additionalProperties")
		if !reflect.DeepEqual(lean["inputSchema"], whole["inputSchema"]) {
			t.Errorf("inputs are %v, and lean %v", whole["inputSchema"], lean["inputSchema"])
		}
		short, long := assumed(), whole["annotations"].(map[string]any)
		hints, _ := lean["annotations"].(map[string]any)
		for name, value := range hints {
			if short[name] == value {
				t.Errorf("%+v: %s is %t anyway", s.Effects, name, value)
			}
			short[name] = value
		}
		for name, value := range long {
			// Of a tool that only reads the others mean nothing.
			meant := name == "readOnlyHint" || name == "openWorldHint" || !s.Effects.ReadOnly && name != "title"
			if meant && short[name] != value {
				t.Errorf("%+v: %s is %t, and lean %t", s.Effects, name, value, short[name])
			}
		}
	}
}

func documentsOf(t *testing.T, s *signature.Signature) (whole, lean map[string]any) {
	t.Helper()
	first, _ := weather()
	files, findings := export.Documents([]*signature.Signature{first, s})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for _, f := range files {
		into := map[string]*map[string]any{"mcp/" + s.Name + ".v2.json": &whole, "mcp/" + s.Name + ".lean.json": &lean}[f.Name]
		if into == nil {
			continue
		}
		if err := json.Unmarshal(f.Data, into); err != nil {
			t.Fatal(err)
		}
	}
	if whole == nil || lean == nil {
		t.Fatal("a document is missing")
	}
	return whole, lean
}
