package history

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Every value of an enum is a promise of its own, and so is every error; what an
// input is left out for is pinned with its default.
func TestPins(t *testing.T) {
	values := []signature.Value{{Name: "A"}, {Name: "B"}}
	r := &Record{Version: 3, Signature: &signature.Signature{
		Inputs:  []signature.Input{{Name: "kind", Values: values, Default: "B"}, {Name: "word"}, {Name: "count", Default: int64(7)}},
		Outputs: []signature.Output{{Name: "state", Values: values}, {Name: "text"}},
	}, Details: &signature.Details{Errors: []string{"gone", "late"}}}
	for _, c := range []struct{ inputs, answer, pinned string }{
		{"", "", ""},
		{`{}`, `{}`, "inputs.kind.values.B"},
		{`{"kind": "A", "word": "x"}`, `{"outputs": {"state": "B", "text": null}}`, "inputs.kind.values.A inputs.word outputs.state.values.B"},
		{`{"kind": "A", "count": 1}`, `{"outputs": {"text": ""}}`, "inputs.kind.values.A inputs.count outputs.text"},
		{`{"kind": "B"}`, `{"error": {"code": "late"}}`, "inputs.kind.values.B errors.late"},
		{`{"kind": "B"}`, `{"error": {"code": "early"}}`, "inputs.kind.values.B"},
		{`[]`, `{"error": {"code": "late"}}`, ""}, {`{"kind": "A"}`, `[]`, ""},
	} {
		var examples []*Example
		if c.inputs != "" {
			examples = []*Example{{Inputs: json.RawMessage(c.inputs), Answer: json.RawMessage(c.answer)}}
		}
		got := r.coverage(examples)
		var all, pinned, missing []string
		for _, p := range got.Promises {
			all = append(all, p.Part)
			if p.Pinned {
				pinned = append(pinned, p.Part)
			} else {
				missing = append(missing, p.Part)
			}
		}
		if want := "inputs.kind.values.A inputs.kind.values.B inputs.word inputs.count outputs.state.values.A outputs.state.values.B outputs.text errors.gone errors.late"; strings.Join(all, " ") != want || got.Version != 3 {
			t.Errorf("v%d promises %v, want %s", got.Version, all, want)
		}
		if strings.Join(pinned, " ") != c.pinned || got.Pinned() != len(pinned) || strings.Join(got.Missing(), " ") != strings.Join(missing, " ") {
			t.Errorf("%s and %s pin %v (%d, and %v is missing), want %s", c.inputs, c.answer, pinned, got.Pinned(), got.Missing(), c.pinned)
		}
	}
}
