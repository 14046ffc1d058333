package history_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

const (
	dir   = "history"
	tool  = "get_forecast"
	today = "2026-11-20"
)

// world is a package folder in memory: what is released, what the manifest
// says and what generated code remembers.
type world struct {
	t     testing.TB
	files fstest.MapFS
	tools []*compat.Side
	opts  history.Options
}

// draft is a tool with an input for each of the given names.
func draft(version int, inputs ...string) *compat.Side {
	s := &signature.Signature{
		ID: "0479a45d-ad0a-49d4-94db-75edf00d2ca4", Name: tool, Description: "Get the forecast.", Version: version, Toolkit: "Weather", ToolName: "GetForecast",
		Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
		Outputs: []signature.Output{
			{ID: "summary", Name: "summary", Type: signature.String, Description: "Summary."},
			{ID: "days", Name: "days", Type: signature.JSON, Optional: true, Schema: &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{
				{Name: "name", Type: types.EnumOf("MON", "TUE"), Doc: "The <day>."}, {Name: "wind", Type: types.OptionalOf(types.IntType)},
			}}},
		},
	}
	for _, name := range inputs {
		s.Inputs = append(s.Inputs, signature.Input{ID: name, Name: name, Type: signature.String, MaxLength: 100, Pattern: "^[a-z]+$", Default: "x"})
	}
	return &compat.Side{Signature: s, Span: diag.Span{File: "sculpt.yaml", Start: diag.Pos{Line: 1, Col: 1}}}
}

// newWorld has three releases of one tool, and a manifest that says the same
// as the third.
func newWorld(t testing.TB) *world {
	w := &world{t: t, files: fstest.MapFS{}, opts: history.Options{Rules: signature.FirstRules, Compat: compat.Options{Today: today}, Manifest: diag.Span{File: "sculpt.yaml"}}}
	w.release(draft(1, "a"))
	w.release(draft(2, "a", "b"))
	w.release(draft(3, "a", "b", "c"))
	return w
}

// release adds a release and makes it the manifest and the anchor.
func (w *world) release(side *compat.Side, kept ...history.Evidence) {
	w.t.Helper()
	h, findings := history.Read(w.files, dir)
	if len(findings) > 0 {
		w.t.Fatal(findings)
	}
	f, err := h.Next(side, w.opts, today, append(kept, history.Evidence{})[0])
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
	w.tools = []*compat.Side{side}
	w.anchor()
}

// releaseInPieces is release with the digests of the tool, for what lies beside
// records of before.
func (w *world) releaseInPieces(side *compat.Side) {
	w.t.Helper()
	h, findings := history.Read(w.files, dir)
	if len(findings) > 0 {
		w.t.Fatal(findings)
	}
	list, err := h.NextInPieces(side, w.opts, today, history.Evidence{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.files[list[0].Name] = &fstest.MapFile{Data: list[0].Data}
	w.tools = []*compat.Side{side}
	w.anchor()
}

// anchor remembers the heads, as generated code does.
func (w *world) anchor() {
	h, _ := history.Read(w.files, dir)
	w.opts.Anchors = map[string]history.Anchor{}
	for _, t := range h.Tools {
		w.opts.Anchors[t.Name] = t.Head()
	}
}

func name(version int) string { return fmt.Sprintf("%s/%s/v%04d.json", dir, tool, version) }

// edit changes a record.
func (w *world) edit(version int, old, new string) {
	w.t.Helper()
	f := w.files[name(version)]
	if f == nil || !bytes.Contains(f.Data, []byte(old)) {
		w.t.Fatalf("v%d has no %q", version, old)
	}
	w.files[name(version)] = &fstest.MapFile{Data: bytes.Replace(f.Data, []byte(old), []byte(new), 1)}
}

// move renames a record.
func (w *world) move(from, to int) {
	w.files[name(to)] = w.files[name(from)]
	delete(w.files, name(from))
}

// chain computes the digests of all records anew.
func (w *world) chain(versions ...int) {
	prev := ""
	for _, v := range versions {
		data := w.files[name(v)].Data
		i := bytes.Index(data, []byte(`"prev": "`)) + len(`"prev": "`)
		j := i + bytes.IndexByte(data[i:], '"')
		data = slices.Concat(data[:i], []byte(prev), data[j:])
		w.files[name(v)] = &fstest.MapFile{Data: data}
		prev = digest(data)
	}
}

func digest(data []byte) string {
	f := fstest.MapFS{"h/t/v0001.json": &fstest.MapFile{Data: data}}
	return history.Digests(f, "h")["t/v0001.json"]
}

// check returns all findings that matter.
func (w *world) check() diag.List {
	h, findings := history.Read(w.files, dir)
	findings = append(findings, history.Check(h, w.tools, w.opts)...)
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity == diag.Note })
}

func (w *world) manifest() *compat.Side { return w.tools[0] }

// conflict writes a record as a merge leaves it.
func (w *world) conflict(ours, theirs []byte) {
	a, b := strings.SplitAfter(string(ours), "\n"), strings.SplitAfter(string(theirs), "\n")
	i := 0
	for a[i] == b[i] {
		i++
	}
	text := strings.Join(a[:i], "") + "<<<<<<< HEAD\n" + strings.Join(a[i:], "") + "=======\n" + strings.Join(b[i:], "") + ">>>>>>> main\n"
	w.files[name(4)] = &fstest.MapFile{Data: []byte(text)}
}

// fourth returns the record of a fourth release with one more input.
func (w *world) fourth(input string) []byte {
	w.t.Helper()
	h, _ := history.Read(w.files, dir)
	f, err := h.Next(draft(4, "a", "b", "c", input), w.opts, today, history.Evidence{})
	if err != nil {
		w.t.Fatal(err)
	}
	return f.Data
}

// accidents does to a history what the corpus says.
var accidents = map[string]func(w *world){
	"untouched":    func(*world) {},
	"edit-old":     func(w *world) { w.edit(1, "Get the forecast.", "Get the Forecast.") },
	"edit-newest":  func(w *world) { w.edit(3, "Get the forecast.", "Get the Forecast.") },
	"reformat-old": func(w *world) { w.edit(1, `  "rules"`, `    "rules"`) },
	"crlf": func(w *world) {
		w.files[name(1)] = &fstest.MapFile{Data: bytes.ReplaceAll(w.files[name(1)].Data, []byte("\n"), []byte("\r\n"))}
	},
	"delete-first":  func(w *world) { delete(w.files, name(1)) },
	"delete-middle": func(w *world) { delete(w.files, name(2)) },
	"delete-newest": func(w *world) { delete(w.files, name(3)) },
	"delete-all":    func(w *world) { clear(w.files) },
	"delete-tool":   func(w *world) { w.tools = nil },
	"rewrite-chain": func(w *world) {
		w.opts.Base, w.opts.Ref = history.Digests(w.files, dir), "base"
		w.edit(1, "Get the forecast.", "Get the Forecast.")
		w.chain(1, 2, 3)
		w.anchor()
	},
	"skip": func(w *world) {
		w.move(3, 4)
		w.edit(4, `"version": 3`, `"version": 4`)
		w.edit(4, `    "version": 3`, `    "version": 4`)
		w.manifest().Signature.Version = 4
	},
	"start-at-0": func(w *world) {
		for v := 1; v <= 3; v++ {
			w.move(v, v-1)
			w.edit(v-1, fmt.Sprintf(`"version": %d`, v), fmt.Sprintf(`"version": %d`, v-1))
			w.edit(v-1, fmt.Sprintf(`    "version": %d`, v), fmt.Sprintf(`    "version": %d`, v-1))
		}
		w.chain(0, 1, 2)
		w.manifest().Signature.Version = 2
	},
	"file-name-lies": func(w *world) {
		w.files[name(2)], w.files[name(3)] = w.files[name(3)], w.files[name(2)]
	},
	"version-decreased":    func(w *world) { w.manifest().Signature.Version = 2 },
	"version-ahead":        func(w *world) { w.manifest().Signature.Version = 5 },
	"edit-without-release": func(w *world) { w.manifest().Signature.Description = "Get it." },
	"merge-both-released": func(w *world) {
		ours, theirs := w.fourth("d"), w.fourth("e")
		w.conflict(ours, theirs)
		w.tools = []*compat.Side{draft(4, "a", "b", "c", "d")}
	},
	"merge-both-same": func(w *world) {
		w.files[name(4)] = &fstest.MapFile{Data: w.fourth("d")}
		w.opts.Base, w.opts.Tip, w.opts.Ref = nil, history.Digests(w.files, dir), "base"
		w.tools = []*compat.Side{draft(4, "a", "b", "c", "d")}
	},
	"merge-resolved-by-hand": func(w *world) {
		w.files[name(4)] = &fstest.MapFile{Data: w.fourth("d")}
		w.opts.Base, w.opts.Ref = history.Digests(w.files, dir), "base"
		delete(w.files, name(4))
		both := draft(4, "a", "b", "c", "d", "e")
		w.opts.Anchors = nil
		w.release(both)
	},
	"tool-id-changed": func(w *world) { w.manifest().Signature.ID = "f3e1f6ae-0c0f-4f4d-9a3e-93f0e1d8a001" },
	"tool-copied": func(w *world) {
		for v := 1; v <= 3; v++ {
			w.files[strings.Replace(name(v), tool, "get_forecast_copy", 1)] = w.files[name(v)]
		}
		twin := draft(3, "a", "b", "c")
		twin.Signature.Name = "get_forecast_copy"
		w.tools = append(w.tools, twin)
	},
	"name-of-retired-tool": func(w *world) {
		h, _ := history.Read(w.files, dir)
		f, err := h.Retire(tool, "2026-01-01", signature.Deprecation{Sunset: "2026-06-30"}, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		w.files[f.Name] = &fstest.MapFile{Data: f.Data}
		other := draft(1, "a")
		other.Signature.ID = "f3e1f6ae-0c0f-4f4d-9a3e-93f0e1d8a001"
		w.tools = []*compat.Side{other}
	},
	"unknown-member": func(w *world) {
		w.edit(3, `  "policy"`, "  \"owner\": \"me\",\n  \"policy\"")
		w.anchor()
	},
	"newer-format": func(w *world) {
		w.edit(3, `"format": 3`, `"format": 4`)
		w.anchor()
	},
	"transitive": func(w *world) {
		w.dropped(func(a *signature.Input) { a.Type, a.Pattern, a.Max, a.Default = signature.Int, "", 10, nil })
	},
	"id-reuse": func(w *world) { w.dropped(func(a *signature.Input) { a.Name = "b" }) },
	"accept-unused": func(w *world) {
		w.manifest().Accept = []compat.Accept{{Rule: "input-removed", At: "inputs.a", Since: 1, Reason: "unused"}}
	},
	"accept-expired": func(w *world) {
		w.manifest().Signature.Version = 4
		w.manifest().Accept = []compat.Accept{{Rule: "input-removed", At: "inputs.a", Since: 1, Reason: "unused", Until: "2026-11-19"}}
	},
	"accept-history": func(w *world) {
		w.manifest().Accept = []compat.Accept{{Rule: "history-tampered", Since: 1, Reason: "we know"}}
	},
}

// dropped starts anew: version 1 has input a, version 2 dropped it under an
// accept entry, and the manifest has it again, changed.
func (w *world) dropped(change func(a *signature.Input)) {
	clear(w.files)
	w.release(draft(1, "a"))
	without := draft(2)
	without.Accept = []compat.Accept{{Rule: "input-removed", At: "inputs.a", Since: 1, Reason: "nobody uses it"}}
	w.release(without)
	again := draft(3, "a")
	change(&again.Signature.Inputs[0])
	w.tools = []*compat.Side{again}
}

// TestAccidents runs what can happen to a history of three releases.
func TestAccidents(t *testing.T) {
	data, err := os.ReadFile(golden.Shared(t, "compat-corpus", "history", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Case, Do string
			Rules    []string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	exact := 0
	for _, c := range file.Cases {
		ok := t.Run(c.Case, func(t *testing.T) {
			do := accidents[c.Case]
			if do == nil {
				t.Fatalf("nothing does %q", c.Do)
			}
			for _, policy := range []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe} {
				w := newWorld(t)
				w.opts.Compat.Policy = policy
				do(w)
				findings := w.check()
				got := []string{}
				for _, f := range findings {
					// Read by the letter, the edit of a text is an error of its own.
					if rule, _ := compat.RuleOf(f.Rule.String()); policy != compat.Letter || rule.Levels.ClientSafe > compat.Note {
						got = append(got, f.Rule.String())
					}
					if f.Span.File == "" || f.Fix == "" || f.Tool == "" {
						t.Errorf("%s: span %v, fix %q, tool %q", f.Rule.String(), f.Span, f.Fix, f.Tool)
					}
				}
				slices.Sort(got)
				if got = slices.Compact(got); !slices.Equal(got, c.Rules) {
					t.Errorf("%s: got %v, want %v\n%s", policy, got, c.Rules, render(findings))
				}
			}
		})
		if ok {
			exact++
		}
	}
	t.Logf("exact: %d of %d", exact, len(file.Cases))
	if len(file.Cases) != len(accidents) {
		t.Errorf("%d cases, %d accidents: %v", len(file.Cases), len(accidents), slices.Sorted(maps.Keys(accidents)))
	}
}

func render(findings diag.List) string {
	var b strings.Builder
	if err := diag.Text(&b, findings, nil); err != nil {
		panic(err)
	}
	return b.String()
}

// TestWords gives the words and places of some findings.
func TestWords(t *testing.T) {
	for accident, want := range map[string]string{
		"edit-old": "history/get_forecast/v0001.json: error[history-tampered]: this record was edited after release (want ",
		"crlf":     "history/get_forecast/v0001.json:1:2: error[history-tampered]: the line ends of this record are not LF, so its bytes are not those that were released\n   = fix: let git keep line ends, with * -text in the .gitattributes of the history; restore it: git checkout $(git log ",
		"merge-both-released": "history/get_forecast/v0004.json:9:1: error[history-conflict]: two branches released this version, and the merge left its markers\n" +
			"   = fix: settle the manifest, then \"sculpt release --renumber\" gives yours the next number",
		"unknown-member":       `history/get_forecast/v0003.json:4:3: error[history-unreadable]: unknown member "owner"`,
		"newer-format":         "history/get_forecast/v0003.json:2:13: error[history-unreadable]: format 4 is newer than this program, which reads formats up to 3 and the rule sets up to a2t/2\n   = fix: use the version of sculpt that wrote it",
		"delete-middle":        "history/get_forecast/v0002.json: error[version-removed]: the record of the released v2 is gone",
		"delete-newest":        `history/get_forecast/v0003.json: error[history-truncated]: v3 of "get_forecast" was released and its record is gone`,
		"edit-without-release": "error[signature-changed-without-version]: \"get_forecast\" differs from the released v3 in its texts or what it promises as a whole\n   = fix: version: 4, then \"sculpt release --tool get_forecast\"",
		"delete-tool":          "error[tool-removed]: \"get_forecast\" has 3 released versions but is not in the manifest",
		"transitive":           `sculpt.yaml:1:1: error[input-type-changed]: input "a" was string in v1 and is now int; `,
		"file-name-lies":       "history/get_forecast/v0002.json: error[history-tampered]: this is the record of v3, not of v2",
		"tool-copied":          `error[tool-id-taken]: the folder "get_forecast_copy" is a copy of the history of "get_forecast"`,
		"name-of-retired-tool": `error[tool-name-taken]: the name "get_forecast" belongs to a tool that was retired on 2026-01-01`,
	} {
		t.Run(accident, func(t *testing.T) {
			w := newWorld(t)
			accidents[accident](w)
			if got := render(w.check()); !strings.Contains(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// TestRecord shows records whole, in all formats: the spelling is a promise.
func TestRecord(t *testing.T) {
	for format := 1; format <= history.Format; format++ {
		testRecord(t, format)
	}
}

func testRecord(t *testing.T, format int) {
	t.Helper()
	w := newWorld(t)
	side := draft(4, "b", "c")
	side.Signature.WhenToUse = "Now & then."
	side.Signature.Needs.Secrets = []string{"KEY"}
	side.Accept = []compat.Accept{
		{Rule: "input-removed", At: "inputs.a", Since: 1, Reason: "nobody uses it", Until: "2026-12-31"},
		{Rule: "auth-tightened", At: "auth.secrets.KEY", Since: 1, Reason: "the law"},
	}
	if format == 1 {
		side.Details.Plan = digest([]byte("{}\n"))
		w.releaseInPieces(side)
		w.files[path.Join(dir, tool, "v0004.plan.json")] = &fstest.MapFile{Data: []byte("{}\n")}
	} else {
		e := evidence(`{"outputs":{"a":1}}`, `{"outputs":{"a":2}}`)
		e.Examples[0].Version, e.Examples[1].Version = 4, 4
		e.Examples[1].Exchanges = []json.RawMessage{json.RawMessage(`{"request": {"url": "u"}}`)}
		w.release(side, e)
		w.edit(4, `"format": 3`, fmt.Sprintf(`"format": %d`, format))
		w.anchor()
	}
	want, err := os.ReadFile(fmt.Sprintf("testdata/record%d.json", format))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Replace(string(w.files[name(4)].Data), digest(w.files[name(3)].Data), "PREV", 1)
	got = strings.Replace(got, digest([]byte("{}\n")), "sha256:1", 1)
	if got != string(want) {
		t.Errorf("got:\n%s", got)
	}
	// What is locked is on the wire as it is, beside what is ours.
	h, findings := history.Read(w.files, dir)
	r, more := h.Record(tool, 4)
	if len(findings)+len(more) > 0 {
		t.Fatal(findings, more)
	}
	var locked, served any
	if err := errors.Join(json.Unmarshal(r.Served(), &locked), json.Unmarshal(side.Signature.Document(4), &served)); err != nil {
		t.Fatal(err)
	}
	delete(golden.Drafted(served).(map[string]any), "currentVersion")
	if diff := cmp.Diff(locked, served); diff != "" {
		t.Errorf("locked and served differ: %s", diff)
	}
	if history.Differs(r, side) {
		t.Error("a release differs from what it was made of")
	}
	if r.Signature.Description != side.Signature.Description || r.Signature.Inputs[0].Default != "x" || r.Signature.Outputs[1].Schema.JSONSchema().Properties[0].Name != "name" {
		t.Error("the signature is not complete")
	}
	// A change that was accepted is not asked for again.
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
}

// TestSpelling: a byte more, less or other is noticed in every record.
func TestSpelling(t *testing.T) {
	w := newWorld(t)
	for v := 1; v <= 3; v++ {
		data := w.files[name(v)].Data
		for i := v; i < len(data); i += 5 {
			for _, change := range [][]byte{
				slices.Concat(data[:i], data[i+1:]), slices.Concat(data[:i], []byte(" "), data[i:]), slices.Concat(data[:i], []byte{data[i] ^ 1}, data[i+1:]),
			} {
				w.files[name(v)] = &fstest.MapFile{Data: change}
				if list := w.check(); !list.HasErrors() {
					t.Fatalf("v%d byte %d: nothing found", v, i)
				}
			}
		}
		w.files[name(v)] = &fstest.MapFile{Data: data}
	}
}

// TestFolder looks at what else lies beside records.
func TestFolder(t *testing.T) {
	for file, want := range map[string]string{
		"CHANGELOG.md": "", "examples/v0001-omaha.json": "history-tampered", "examples/notes.txt": "", "notes.json": "", ".DS_Store": "",
		"v1.json": "history-conflict", "v0002 (1).json": "history-conflict", "v00003.json": "history-conflict", "v9.json": "history-unreadable",
		"v0003.plan.json": "history-tampered", "retired.json": "history-unreadable", "v0004.json": "history-unreadable",
	} {
		w := newWorld(t)
		w.files[path.Join(dir, tool, file)] = &fstest.MapFile{Data: []byte("{}\n")}
		list := w.check()
		if want == "" && len(list) > 0 || want != "" && (len(list) != 1 || list[0].Rule.String() != want) {
			t.Errorf("%s: want %q, got:\n%s", file, want, render(list))
		}
	}
	// An empty folder and a lone file are not history.
	h, list := history.Read(fstest.MapFS{"history/.gitattributes": &fstest.MapFile{}, "history/empty/notes.txt": &fstest.MapFile{}}, dir)
	if len(list) > 0 || len(h.Tools) > 0 {
		t.Errorf("got %v, %v", h.Tools, list)
	}
	if h, list := history.Read(fstest.MapFS{}, dir); len(list) > 0 || len(h.Tools) > 0 {
		t.Errorf("got %v, %v", h.Tools, list)
	}
}

// TestLeftovers: what a release that was killed before its record left counts
// for nothing; what lies further off belongs to no release that could have been.
func TestLeftovers(t *testing.T) {
	w := newWorld(t)
	left := []string{"v0004.plan.json", "examples/v0004-omaha.json"}
	for _, file := range append(left, "v0005.plan.json", "examples/notes.txt") {
		w.files[path.Join(dir, tool, file)] = &fstest.MapFile{Data: []byte("{}\n")}
	}
	w.files[path.Join(dir, "new_tool/v0001.plan.json")] = &fstest.MapFile{Data: []byte("{}\n")}
	h, findings := history.Read(w.files, dir)
	if list := slices.Concat(findings, w.check()); len(list) > 0 {
		t.Error(render(list))
	}
	want := []string{path.Join(dir, tool, left[0]), path.Join(dir, tool, left[1]), path.Join(dir, "new_tool/v0001.plan.json")}
	if got := h.Leftovers(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	w.files[path.Join(dir, tool, "examples/v0005-omaha.json")] = &fstest.MapFile{Data: []byte("{}\n")}
	if list := w.check(); len(list) != 1 || list[0].Message != "this example belongs to no release" {
		t.Error(render(list))
	}
}

// TestPlan: the plan beside a record is locked by the record.
func TestPlan(t *testing.T) {
	w := newWorld(t)
	side := draft(4, "a", "b", "c", "d")
	plan := []byte("{}\n")
	side.Details.Plan = digest(plan)
	w.releaseInPieces(side)
	file := path.Join(dir, tool, "v0004.plan.json")
	w.files[file] = &fstest.MapFile{Data: plan}
	if list := w.check(); len(list) > 0 {
		t.Error(render(list))
	}
	w.files[file] = &fstest.MapFile{Data: bytes.Repeat([]byte(" "), 5<<20)}
	if list := w.check(); len(list) != 1 || list[0].Message != "the plan of v4 cannot be read: the file is too big" {
		t.Error(render(list))
	}
	w.files[file] = &fstest.MapFile{Data: []byte("{ }\n")}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "history-tampered" {
		t.Error(render(list))
	}
}
