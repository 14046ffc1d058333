package history_test

import (
	"bytes"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestRename: a tool whose name changed goes on in its folder, and says so.
func TestRename(t *testing.T) {
	w := newWorld(t)
	side := draft(4, "a", "b", "c")
	side.Signature.Name = "forecast_by_city"
	w.tools = []*compat.Side{side}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "tool-renamed" {
		t.Error(render(list))
	}
	side.Accept = []compat.Accept{{Rule: "tool-renamed", At: "name", Since: 1, Reason: "a typing error of the first day"}}
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	w.release(side)
	if w.files[name(4)] == nil {
		t.Error("the release is not in the tool's folder")
	}
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	// A new tool cannot take the id while the old one is there.
	w = newWorld(t)
	w.tools = append(w.tools, side)
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "tool-id-taken" {
		t.Error(render(list))
	}
}

// TestRetire follows a tool to its end.
func TestRetire(t *testing.T) {
	w := newWorld(t)
	h, _ := history.Read(w.files, dir)
	if _, err := h.Retire("other", today, signature.Deprecation{Sunset: "2027-06-30"}, 0); err == nil {
		t.Error("retired a tool that does not exist")
	}
	if _, err := h.Retire(tool, today, signature.Deprecation{Sunset: "2026-06-30"}, 0); err == nil {
		t.Error("retired into the past")
	}
	f, err := h.Retire(tool, today, signature.Deprecation{Sunset: "2027-06-30", Use: "forecast_by_city"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
	if list := w.check(); len(list) > 0 {
		t.Errorf("a retired tool is served until its sunset:\n%s", render(list))
	}
	if h, _ = history.Read(w.files, dir); h.Tool(tool).Retired.Use != "forecast_by_city" {
		t.Error("the tombstone lost something")
	}
	if _, err := h.Next(draft(4, "a", "b", "c", "d"), w.opts, today, history.Evidence{}); err == nil {
		t.Error("a retired tool got a new version")
	}
	w.tools = nil
	// On no day does it go while its promises are kept.
	w.opts.Frozen = map[string]string{tool: "released_x_gen.go"}
	for day, fix := range map[string]string{"2027-06-29": "restore it until then", "2027-06-30": "retire " + tool + " --end", "": "retire " + tool + " --end"} {
		w.opts.Compat.Today = day
		if list := w.check(); !list.HasErrors() || len(list) != 1 || !strings.Contains(list[0].Fix, fix) {
			t.Errorf("%q:\n%s", day, render(list))
		}
	}
	w.opts.Frozen = nil
	// Without a day nobody can say that it is too early.
	for day, want := range map[string]int{"2027-06-29": 1, "2027-06-30": 0, "": 0} {
		w.opts.Compat.Today = day
		if list := w.check(); len(list) != want {
			t.Errorf("on %q:\n%s", day, render(list))
		}
	}
	// The tombstone is an anchor of its own.
	w.opts.Anchors = nil
	delete(w.files, name(3))
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-truncated" {
		t.Error(render(list))
	}
}

// TestExamplesInAnyFolder: the names of folders are names and no patterns.
func TestExamplesInAnyFolder(t *testing.T) {
	for _, dir := range []string{"history", "a[b/history", "a[bc]/history", "a*/history", `a\b/history`} {
		files := fstest.MapFS{}
		h, _ := history.Read(files, dir)
		side := draft(1, "a")
		released, err := h.NextInPieces(side, history.Options{}, today, history.Evidence{Examples: []*history.Example{{Tool: tool, Version: 1, Goal: "now", Inputs: []byte("{}"), Answer: []byte("{}")}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range released {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		files[path.Join(dir, tool, "examples", "README.md")] = &fstest.MapFile{}
		h, list := history.Read(files, dir)
		examples := h.Examples([]*compat.Side{side})
		if list = append(list, history.Check(h, []*compat.Side{side}, history.Options{})...); len(list) > 0 || len(examples) != 1 {
			t.Errorf("%s: %d examples\n%s", dir, len(examples), render(list))
		}
	}
}

// TestAgainst sees the rival release before the merge, and what is gone.
func TestAgainst(t *testing.T) {
	w := newWorld(t)
	w.opts.Base = history.Digests(w.files, dir)
	w.opts.Tip = maps.Clone(w.opts.Base)
	w.opts.Tip[tool+"/v0004.json"] = "sha256:theirs"
	w.release(draft(4, "a", "b", "c", "d"))
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-conflict" {
		t.Error(render(list))
	}
	w = newWorld(t)
	w.opts.Base, w.opts.Anchors = history.Digests(w.files, dir), nil
	delete(w.files, name(3))
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-truncated" {
		t.Error(render(list))
	}
}

// TestNext refuses what could not be released.
func TestNext(t *testing.T) {
	w := newWorld(t)
	h, _ := history.Read(w.files, dir)
	for _, version := range []int{0, 1, 3, 5} {
		if _, err := h.Next(draft(version, "a"), w.opts, today, history.Evidence{}); err == nil {
			t.Errorf("released v%d after v3", version)
		}
	}
	if _, err := h.Next(draft(4, "a"), w.opts, "20.11.2026", history.Evidence{}); err == nil {
		t.Error("released on no day")
	}
	first, err := h.Next(draft(4, "a", "b", "c"), w.opts, today, history.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := h.Next(draft(4, "a", "b", "c"), w.opts, today, history.Evidence{}); err != nil || !bytes.Equal(first.Data, second.Data) {
		t.Error("two runs gave two records")
	}
	w.edit(1, "Get the forecast.", "Get it.")
	h, _ = history.Read(w.files, dir)
	if _, err := h.Next(draft(4, "a", "b", "c"), w.opts, today, history.Evidence{}); err == nil {
		t.Error("released on top of a broken history")
	}
}

// TestFirst: a tool without releases starts at 1.
func TestFirst(t *testing.T) {
	w := &world{t: t, files: fstest.MapFS{}, tools: []*compat.Side{draft(1, "a")}}
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	w.tools = []*compat.Side{draft(2, "a")}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "version-not-from-one" {
		t.Error(render(list))
	}
	// Two new tools with one id.
	other := draft(1, "a")
	other.Signature.Name = "other"
	w.tools = []*compat.Side{draft(1, "a"), other}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "tool-id-taken" {
		t.Error(render(list))
	}
}

// FuzzRead: no bytes make reading panic, and what is accepted is written back
// the same.
func FuzzRead(f *testing.F) {
	w := newWorld(f)
	f.Add(w.files[name(3)].Data)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := fstest.MapFS{"history/get_forecast/v0001.json": &fstest.MapFile{Data: data}}
		h, list := history.Read(files, dir)
		history.Check(h, []*compat.Side{draft(1, "a")}, history.Options{})
		for _, finding := range list {
			if finding.Span.File == "" {
				t.Error("a finding without a place")
			}
		}
	})
}

// TestAgainstTombstone: what ended stays ended. The copy of a tombstone shows
// that it was deleted or moved to another day.
func TestAgainstTombstone(t *testing.T) {
	w := newWorld(t)
	retire := func(sunset string) history.File {
		h, _ := history.Read(w.files, dir)
		f, err := h.Retire(tool, today, signature.Deprecation{Sunset: sunset}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f, other := retire("2027-06-30"), retire("2026-12-31")
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
	w.opts.Base, w.opts.Ref = history.Digests(w.files, dir), "abc"
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	w.files[f.Name] = &fstest.MapFile{Data: other.Data}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-rewritten" || list[0].Fix != "restore it: git checkout abc -- "+path.Dir(f.Name) {
		t.Error(render(list))
	}
	delete(w.files, f.Name)
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-truncated" {
		t.Error(render(list))
	}
	for name, want := range map[string]bool{
		"find/v0001.json": true, "find/v10000.json": true, "find/retired.json": true, "find/v1.json": false, "find/v0001.plan.json": false,
		"v0001.json": false, "/v0001.json": false, "a/find/v0001.json": false, "find/CHANGELOG.md": false, "": false,
	} {
		if history.IsRecord(name) != want {
			t.Errorf("IsRecord(%q) is %v", name, !want)
		}
	}
}
