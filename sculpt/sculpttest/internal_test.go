package sculpttest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// TestPackagesArriveWhole: what generated code says reaches the check, member by
// member.
func TestPackagesArriveWhole(t *testing.T) {
	failed := errors.New("failed")
	var called *Example
	p := &Package{
		Manifest: "m", Inputs: map[string]string{"i": "1"}, Code: map[string]string{"c": "2"}, Heads: map[string]Anchor{"a": {Version: 3, Digest: "d"}, "b": {Version: 4}},
		Levels: map[string]string{"rule": "off"}, Tools: []Current{{Signature: "s", Contract: "c", Policy: "p", Accept: "a", Places: "l"}, {Signature: "t"}},
		Files: os.DirFS("."), Read: func(name string) ([]byte, error) { return []byte(name), failed },
		Call: func(e *Example) ([]byte, error) { called = e; return []byte("out"), failed },
	}
	got := p.internal()
	if got.Manifest != "m" || !maps.Equal(got.Inputs, p.Inputs) || !maps.Equal(got.Code, p.Code) || !maps.Equal(got.Levels, p.Levels) || got.Files != p.Files {
		t.Errorf("%+v", got)
	}
	if !maps.Equal(got.Heads, map[string]history.Anchor{"a": {Version: 3, Digest: "d"}, "b": {Version: 4}}) ||
		!slices.Equal(got.Tools, []history.Current{{Signature: "s", Contract: "c", Policy: "p", Accept: "a", Places: "l"}, {Signature: "t"}}) {
		t.Errorf("%+v, %+v", got.Heads, got.Tools)
	}
	if text, err := got.Read("x"); string(text) != "x" || !errors.Is(err, failed) {
		t.Errorf("%s, %v", text, err)
	}
	text, err := got.Call(&history.Example{Tool: "t", Version: 5, Inputs: json.RawMessage("{}"), Exchanges: []json.RawMessage{json.RawMessage("[]")}})
	if string(text) != "out" || !errors.Is(err, failed) || called.Tool != "t" || called.Version != 5 || string(called.Inputs) != "{}" || len(called.Exchanges) != 1 || string(called.Exchanges[0]) != "[]" {
		t.Errorf("%s, %v, %+v", text, err, called)
	}
	p.Call = nil
	if p.internal().Call != nil {
		t.Error("there is something to call")
	}
}
