package history_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// What generated tests hold of the manifest: places in the order of their names,
// a line each with what is in them, with the file where it is a part of the manifest, and accept entries.
func TestEncoded(t *testing.T) {
	places := map[string]diag.Span{
		"outputs.b":    {File: "billing.yaml", Start: diag.Pos{Line: 9, Col: 1}, End: diag.Pos{Line: 9, Col: 2}},
		"inputs.a":     {Start: diag.Pos{Line: 7, Col: 11}, End: diag.Pos{Line: 8, Col: 3}},
		"inputs.a.max": {Start: diag.Pos{Line: 7, Col: 20}, End: diag.Pos{Line: 7, Col: 22}},
		"inputs.a_b":   {Start: diag.Pos{Line: 9, Col: 3}, End: diag.Pos{Line: 9, Col: 4}},
		"":             {},
	}
	if got, want := history.EncodePlaces(places), " 0:0-0:0\ninputs.a 7:11-8:3\tinputs.a.max 7:20-7:22\ninputs.a_b 9:3-9:4\noutputs.b billing.yaml:9:1-9:2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := history.EncodePlaces(nil) + history.EncodeAccept(nil); got != "" {
		t.Errorf("%q of nothing", got)
	}
	accepted := []compat.Accept{{Rule: "input-removed", At: "inputs.a", Since: 1, Reason: "<unused>", Until: "2026-12-31", Span: places["inputs.a"]}, {Rule: "output-removed", Since: 2, Reason: "b"}}
	if got, want := history.EncodeAccept(accepted), `[{"rule":"input-removed","at":"inputs.a","since":1,"reason":"\u003cunused\u003e","until":"2026-12-31"},{"rule":"output-removed","at":"","since":2,"reason":"b"}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
