package history_test

import (
	"fmt"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

const otherID = "f3e1f6ae-0c0f-4f4d-9a3e-93f0e1d8a001"

// retire ends the tool of a world.
func (w *world) retire(sunset string) {
	w.t.Helper()
	h, _ := history.Read(w.files, dir)
	f, err := h.Retire(tool, "2026-01-01", signature.Deprecation{Sunset: sunset}, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
}

// base takes what is there as what the branch began with.
func (w *world) base() {
	w.opts.Base, w.opts.Ref, w.opts.Target = history.Digests(w.files, dir), "abc123", "main"
}

// troubles are what can happen beside the accidents that all implementations of
// the rules share.
var troubles = map[string]func(w *world){
	"base: a record is gone":   func(w *world) { w.base(); delete(w.files, name(1)) },
	"base: the newest is gone": func(w *world) { w.base(); delete(w.files, name(3)) },
	"base: all are gone":       func(w *world) { w.base(); clear(w.files) },
	"base: a tombstone is gone": func(w *world) {
		w.retire("2026-12-31")
		w.base()
		delete(w.files, path.Join(dir, tool, history.RetiredName))
	},
	"base: an announcement is gone": func(w *world) { w.announced(); w.base(); delete(w.files, announcement(1)) },
	"base: a record that lay elsewhere": func(w *world) {
		w.base()
		w.opts.Moved = map[string]string{tool + "/v0003.json": "old/history/get_forecast/v0003.json"}
		delete(w.files, name(3))
	},
	"base: another one": func(w *world) {
		w.base()
		w.edit(3, "Get the forecast.", "Get the Forecast.")
		w.anchor()
	},
	"base: another one, which the tip has": func(w *world) {
		w.base()
		w.opts.Tip = w.opts.Base
		w.edit(3, "Get the forecast.", "Get the Forecast.")
		w.anchor()
	},
	"tip: a rival": func(w *world) {
		w.base()
		w.opts.Tip = maps.Clone(w.opts.Base)
		w.opts.Tip[tool+"/v0004.json"] = "sha256:" + strings.Repeat("0", 64)
		w.files[name(4)] = &fstest.MapFile{Data: w.fourth("d")}
		w.tools = []*compat.Side{draft(4, "a", "b", "c", "d")}
	},
	"tip: a rival without a name of the target": func(w *world) {
		w.base()
		w.opts.Target = ""
		w.opts.Tip = map[string]string{tool + "/v0004.json": "sha256:" + strings.Repeat("0", 64), tool + "/v0005.json": "sha256:" + strings.Repeat("1", 64)}
		w.files[name(4)] = &fstest.MapFile{Data: w.fourth("d")}
		w.tools = []*compat.Side{draft(4, "a", "b", "c", "d")}
	},
	"anchor: moved to another package": func(w *world) {
		for v := 1; v <= 3; v++ {
			w.files[".git/"+name(v)], w.files["node_modules/"+name(v)] = w.files[name(v)], w.files[name(v)]
			w.files["elsewhere/"+name(v)] = w.files[name(v)]
			delete(w.files, name(v))
		}
		w.opts.Frozen = map[string]string{tool: "released_get_forecast_gen.go"}
		w.tools = nil
	},
	"anchor: another tool of that name elsewhere": func(w *world) {
		first := w.files[name(1)]
		for v := 1; v <= 3; v++ {
			w.files["elsewhere/"+name(v)] = first
			delete(w.files, name(v))
		}
		w.opts.Frozen = map[string]string{tool: "released_get_forecast_gen.go"}
	},
	"anchor: moved, and nothing is frozen": func(w *world) {
		for v := 1; v <= 3; v++ {
			w.files["elsewhere/"+name(v)] = w.files[name(v)]
			delete(w.files, name(v))
		}
	},
	"anchor: no version": func(w *world) { w.opts.Anchors = map[string]history.Anchor{tool: {}, "gone": {Version: 2}} },
	"the id of a tool that has another name": func(w *world) {
		twin := draft(1, "a")
		twin.Signature.Name = "again"
		w.tools = append(w.tools, twin)
	},
	"the id of a retired tool": func(w *world) {
		w.retire("2026-06-30")
		twin := draft(1, "a")
		twin.Signature.Name = "again"
		w.tools = []*compat.Side{twin}
	},
	"a tool begins at 2": func(w *world) {
		other := draft(2, "a")
		other.Signature.Name, other.Signature.ID = "other", otherID
		w.tools = append(w.tools, other)
	},
	"a new tool": func(w *world) {
		other := draft(1, "a")
		other.Signature.Name, other.Signature.ID = "other", otherID
		w.tools = append(w.tools, other)
	},
	"one input more": func(w *world) { w.tools = []*compat.Side{draft(3, "a", "b", "c", "d")} },
	"two inputs more": func(w *world) {
		w.tools = []*compat.Side{draft(3, "a", "b", "c", "d", "e")}
	},
	"another order": func(w *world) { w.tools = []*compat.Side{draft(3, "b", "a", "c")} },
	"an input and an output": func(w *world) {
		w.tools = []*compat.Side{draft(3, "a", "b", "c", "d")}
		s := w.manifest().Signature
		s.Outputs = append(s.Outputs, signature.Output{ID: "more", Name: "more", Type: signature.String, Description: "More."}, signature.Output{ID: "most", Name: "most", Type: signature.String, Description: "Most."})
	},
	"a header": func(w *world) { w.manifest().Signature.Inputs[0].MCPHeader = "A" },
	"retired, and others are judged by it": func(w *world) {
		w.retire("2026-06-30")
		w.tools = nil
		w.opts.Tools = map[string]compat.Options{tool: {Policy: compat.ClientSafe, Today: today}}
	},
	"one release, and not in the manifest": func(w *world) {
		clear(w.files)
		w.release(draft(1, "a"))
		w.tools = nil
	},
	"retired with a frozen file": func(w *world) {
		w.retire("2026-06-30")
		w.tools, w.opts.Frozen = nil, map[string]string{tool: "released_get_forecast_gen.go"}
	},
	"retired with a frozen file, on no day": func(w *world) {
		w.retire("2026-06-30")
		w.tools, w.opts.Frozen, w.opts.Compat.Today = nil, map[string]string{tool: "released_get_forecast_gen.go"}, ""
	},
	"retired before its end": func(w *world) { w.retire("2027-06-30"); w.tools = nil },
}

// announced announces the end of the tool.
func (w *world) announced() {
	w.t.Helper()
	w.manifest().Details.Deprecation = signature.Deprecation{Since: today, Sunset: "2027-06-30"}
	f := w.announce(w.manifest().Details.Deprecation)
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
}

// TestTroublesInWords holds what is said of each trouble, under every policy that
// says something of its own.
func TestTroublesInWords(t *testing.T) { inWords(t, "testdata/troubles.txt", troubles) }

// TestIsRecord: what is never changed again, by its path.
func TestIsRecord(t *testing.T) {
	for file, want := range map[string]bool{
		"find/v0001.json": true, "find/v12345.json": true, "find/retired.json": true, "find/deprecated0001.json": true, "find/v0001.plan.json": false, "v0001.json": false, "/v0001.json": false, "a/find/v0001.json": false,
		"find/v1.json": false, "find/v0001.txt": false, "find/deprecated1.json": false, "find/": false, "": false, "find/examples/v0001.json": false,
	} {
		if got := history.IsRecord(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	sum := "sha256:" + strings.Repeat("a", 64)
	if got := (history.Anchor{Version: 12, Digest: sum}).String("find"); got != "find/v0012.json "+sum {
		t.Error(got)
	}
	for text, want := range map[string]string{
		`const a = "find/v0012.json ` + sum + `"`: "find 12 " + sum + " true", `"find_2/v12345.json ` + sum + `"`: "find_2 12345 " + sum + " true", `"Find/v0012.json ` + sum + `"`: " 0  false", `"find/v012.json ` + sum + `"`: " 0  false",
		`"find/v0012.json ` + sum + `a"`: " 0  false", "": " 0  false",
	} {
		name, a, ok := history.FindAnchor([]byte(text))
		if got := fmt.Sprintf("%s %d %s %v", name, a.Version, a.Digest, ok); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
