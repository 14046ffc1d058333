package history_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// restored is the fix for what belongs to the release of v1.
const restored = "restore it: git checkout $(git log --diff-filter=A --format=%h -- history/get_forecast/v0001.json | tail -1) -- history/get_forecast"

// rehearsed is a history of one release that keeps examples and a plan, and
// the tool.
func rehearsed(t *testing.T, answers ...string) (fstest.MapFS, *compat.Side) {
	t.Helper()
	e, side := evidence(answers...), draft(1, "a")
	h, _ := history.Read(fstest.MapFS{}, dir)
	record, err := h.Next(side, history.Options{}, today, e)
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{record.Name: {Data: record.Data}}, side
}

// inPieces is rehearsed as it was written before.
func inPieces(t *testing.T, answers ...string) (fstest.MapFS, *compat.Side) {
	t.Helper()
	e, side, files := evidence(answers...), draft(1, "a"), fstest.MapFS{}
	h, _ := history.Read(files, dir)
	list, err := h.NextInPieces(side, history.Options{}, today, e)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files, side
}

func evidence(answers ...string) history.Evidence {
	var examples []*history.Example
	for _, answer := range answers {
		examples = append(examples, &history.Example{Tool: tool, Version: 1, Goal: " Rain, in Ömaha & elsewhere, now or in the coming days? ", Inputs: json.RawMessage(`{"a":"x"}`), Answer: json.RawMessage(answer)})
	}
	plan := &history.Plan{Manifest: json.RawMessage(`{"sculpt":1}`), Documents: []history.Document{
		{API: "b", File: "b.json", Operations: map[string]string{"GET /": "sha256:1"}, OpenAPI: json.RawMessage(`{}`)}, {API: "a", File: "a.json", OpenAPI: json.RawMessage(`{}`)}}}
	return history.Evidence{Plan: plan, Examples: examples}
}

// said lists findings as rule, file, fix and message.
func said(findings diag.List) string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %s: %s (%s)", f.Rule, f.Span.File, f.Message, f.Fix))
	}
	return strings.Join(out, "\n")
}

// Examples get names that say what they are about, each another one.
func TestKeep(t *testing.T) {
	h, _ := history.Read(fstest.MapFS{}, dir)
	goals := []string{"Rain, in Ömaha!", "rain in maha", "Rain - in - maha", "?", "", strings.Repeat("a", 40), strings.Repeat("a", 41), "a" + strings.Repeat(" b", 30)}
	var examples []*history.Example
	for _, goal := range goals {
		examples = append(examples, &history.Example{Tool: tool, Version: 1, Goal: goal})
	}
	record, err := h.Next(draft(1, "a"), history.Options{}, today, history.Evidence{Examples: examples})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 40)
	want := []string{"rain_in_maha", "rain_in_maha_2", "rain_in_maha_3", "example", "example_2", long, long + "_2", "a" + strings.Repeat("_b", 19)}
	for i, e := range examples {
		if e.Name != "v0001-"+want[i] || !strings.Contains(string(record.Data), `"`+e.Name+`": {`) {
			t.Errorf("%q is kept as %s, want %s", goals[i], e.Name, want[i])
		}
	}
}

// A rehearsal tells what an old call answers otherwise.
func TestRehearse(t *testing.T) {
	const sunny, broken = `{"outputs": {"sky": "blue", "wind": {"n": 1}}}`, `{"error": {"kind": "not_found", "code": "gone", "message": "Gone."}}`
	long := strings.Repeat("é", 70)
	for _, c := range []struct{ was, is, want string }{
		{sunny, `{"outputs":{"wind":{ "n" : 1 },"sky":"blue"}}`, ""},
		{sunny, `{"outputs": {"sky": "grey", "wind": {"n": 1}}}`, `sky was "blue" and is "grey"`},
		{sunny, `{"outputs": {"wind": null, "rain": true}}`, `sky was "blue" and is missing, wind was {"n":1} and is null, rain is new`},
		{`{"outputs": {"a": "` + long + `"}}`, `{"outputs": {"a": "` + long[:116] + `"}}`, `a was "` + long[:118] + `... and is "` + long[:116] + `"`},
		{sunny, broken, "it is the error gone (not_found) now: Gone."},
		{broken, sunny, "it was the error gone (not_found) and is an answer now"},
		{broken, `{"error": {"kind": "not_found", "code": "gone", "message": "Not here."}}`, ""},
		{broken, `{"error": {"kind": "refused", "code": "gone"}}`, "the error was gone (not_found) and is gone (refused) now"},
		{broken, `{"error": {"kind": "not_found", "code": "late"}}`, "the error was gone (not_found) and is late (not_found) now"},
		{broken, `{"error": {"kind": "not_found"}}`, "the error was gone (not_found) and is (not_found) now"},
		{sunny, `{`, "the answer cannot be read"},
		{sunny, "", "cannot be answered any more: no net"},
	} {
		files, side := rehearsed(t, c.was)
		h, _ := history.Read(files, dir)
		asked := 0
		findings := h.Rehearse([]*compat.Side{side}, func(e *history.Example) ([]byte, error) {
			if asked++; e.Tool != tool || e.Version != 1 || strings.Join(strings.Fields(string(e.Inputs)), "") != `{"a":"x"}` {
				t.Errorf("asked for %+v", e)
			}
			if c.is == "" {
				return nil, errors.New("no net")
			}
			return []byte(c.is), nil
		})
		got := ""
		if len(findings) > 0 {
			_, got, _ = strings.Cut(findings[0].Message, ": ")
		}
		if asked != 1 || len(findings) > 1 || !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s then %s: asked %d times: %s\nwant %s", c.was, c.is, asked, said(findings), c.want)
		}
	}
}

// An accept entry lets one example of releases since a version differ, and is
// superfluous where nothing differs.
func TestRehearseAccepts(t *testing.T) {
	const name = "examples.v0001-rain_in_maha_elsewhere_now_or_in_the_com"
	rule := compat.RuleBehaviourChanged.String()
	for _, c := range []struct {
		entry  compat.Accept
		answer string
		want   []string
	}{
		{compat.Accept{Rule: rule, At: name, Since: 1}, "{}", nil},
		{compat.Accept{Rule: rule, At: name, Since: 0}, "{}", nil},
		{compat.Accept{Rule: rule, At: name, Since: 2}, "{}", []string{rule, compat.RuleAcceptUnused.String()}},
		{compat.Accept{Rule: rule, At: name + "x", Since: 1}, "{}", []string{rule, compat.RuleAcceptUnused.String()}},
		{compat.Accept{Rule: "input-removed", At: name, Since: 1}, "{}", []string{rule}},
		{compat.Accept{Rule: rule, At: name, Since: 1}, `{"outputs":{"a":1}}`, []string{compat.RuleAcceptUnused.String()}},
	} {
		files, side := rehearsed(t, `{"outputs":{"a":1}}`)
		h, _ := history.Read(files, dir)
		side.Accept = []compat.Accept{c.entry}
		findings := h.Rehearse([]*compat.Side{side}, func(*history.Example) ([]byte, error) { return []byte(c.answer), nil })
		var got []string
		for _, f := range findings {
			got = append(got, f.Rule.String())
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%+v: %s, want %v", c.entry, said(findings), c.want)
		}
	}
}

// What belongs to a release is whole, or there is a finding that says which
// file to restore.
func TestExamplesAndPlanAreWhole(t *testing.T) {
	const example, plan = dir + "/" + tool + "/examples/v0001-rain_in_maha_elsewhere_now_or_in_the_com.json", dir + "/" + tool + "/v0001.plan.json"
	for _, c := range []struct {
		name     string
		edit     func(fstest.MapFS)
		examples string
		plan     string
	}{
		{"whole", func(fstest.MapFS) {}, "", ""},
		{"an example is edited", func(m fstest.MapFS) { m[example] = &fstest.MapFile{Data: []byte("{}")} },
			"history-tampered history/get_forecast/examples: the examples of v1 are not those that were released (" + restored + ")", ""},
		{"an example is missing", func(m fstest.MapFS) { delete(m, example) },
			"history-tampered history/get_forecast/examples: the examples of v1 are not those that were released (" + restored + ")", ""},
		{"the plan is edited", func(m fstest.MapFS) { m[plan] = &fstest.MapFile{Data: []byte("{}")} }, "",
			"history-tampered history/get_forecast/v0001.plan.json: the plan of v1 is not the one that was released (" + strings.ReplaceAll(restored, "v0001.json", "v0001.plan.json") + ")"},
		{"the plan is missing", func(m fstest.MapFS) { delete(m, plan) }, "",
			"history-unreadable history/get_forecast/v0001.plan.json: the plan of v1 cannot be read: file does not exist (" + strings.ReplaceAll(restored, "v0001.json", "v0001.plan.json") + ")"},
	} {
		files, side := inPieces(t, `{"outputs":{"a":1}}`)
		c.edit(files)
		h, findings := history.Read(files, dir)
		if got := said(findings); (got == "") != (c.plan == "") {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := said(history.Check(h, []*compat.Side{side}, history.Options{})); got != c.examples && c.plan == "" {
			t.Errorf("%s: examples: %s\nwant %s", c.name, got, c.examples)
		}
		p, findings := h.Plan(tool, 1)
		if got := said(findings); got != c.plan || (p == nil) != (c.plan != "") {
			t.Errorf("%s: plan: %s\nwant %s", c.name, got, c.plan)
		}
		if p != nil && (len(p.Documents) != 2 || p.Documents[0].File != "a.json" || p.Documents[1].Operations["GET /"] != "sha256:1" || string(p.Manifest) == "") {
			t.Errorf("%s: the plan is %+v", c.name, p)
		}
	}
}

// TestExamplesOfOlderReleases: what any release keeps is held against its
// record, whether newer releases keep examples or not, and whether the tool is
// still served or not. Only what is whole is called again.
func TestExamplesOfOlderReleases(t *testing.T) {
	for _, newer := range []string{"", `{"outputs":{"a":2}}`} {
		files, _ := inPieces(t, `{"outputs":{"a":1}}`, `{"outputs":{"a":1}}`)
		h, _ := history.Read(files, dir)
		side := draft(2, "a", "b")
		var kept history.Evidence
		if newer != "" {
			kept.Examples = []*history.Example{{Tool: tool, Version: 2, Goal: "Now", Inputs: json.RawMessage(`{}`), Answer: json.RawMessage(newer)}}
		}
		record, err := h.Next(side, history.Options{}, today, kept)
		if err != nil {
			t.Fatal(err)
		}
		files[record.Name] = &fstest.MapFile{Data: record.Data}
		var first string
		for name := range files {
			if strings.Contains(name, "/examples/v0001-") && (first == "" || name < first) {
				first = name
			}
		}
		const lost = "history-tampered history/get_forecast/examples: the examples of v1 are not those that were released (" + restored + ")"
		for _, c := range []struct {
			name string
			edit func(fstest.MapFS)
			want string
		}{
			{"whole", func(fstest.MapFS) {}, ""},
			{"one is edited", func(m fstest.MapFS) { m[first] = &fstest.MapFile{Data: append(m[first].Data[:0:0], "{}"...)} }, lost},
			{"one is deleted", func(m fstest.MapFS) { delete(m, first) }, lost},
			{"all are deleted", func(m fstest.MapFS) {
				for name := range m {
					if strings.Contains(name, "/examples/v0001-") {
						delete(m, name)
					}
				}
			}, lost},
			{"one is added", func(m fstest.MapFS) { m[strings.Replace(first, ".json", "_9.json", 1)] = m[first] }, lost},
		} {
			edited := maps.Clone(files)
			c.edit(edited)
			h, findings := history.Read(edited, dir)
			findings = append(findings, history.Check(h, []*compat.Side{side}, history.Options{})...)
			if got := said(findings); got != c.want {
				t.Errorf("newer %q, %s: %s\nwant %s", newer, c.name, got, c.want)
			}
			want := map[bool]int{true: 2, false: 0}[c.want == ""]
			if newer != "" {
				want++
			}
			if got := len(h.Examples([]*compat.Side{side})); got != want {
				t.Errorf("newer %q, %s: %d examples are called again, want %d", newer, c.name, got, want)
			}
			gone := history.Check(h, nil, history.Options{Manifest: diag.Span{File: "sculpt.yaml"}})
			if got := said(gone); strings.Contains(got, lost) != (c.want != "") {
				t.Errorf("newer %q, %s, and the tool is gone: %s", newer, c.name, got)
			}
		}
	}
}

// shut is a file system in which one file cannot be opened.
type shut struct {
	fs.FS
	name string
}

func (s shut) Open(name string) (fs.File, error) {
	if name == s.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}

// A file that cannot be read is named, whatever it is.
func TestUnreadable(t *testing.T) {
	for name, want := range map[string]string{
		dir:                                  "history-unreadable history: the history cannot be read: permission denied (look at its permissions)",
		dir + "/" + tool:                     "history-unreadable history/get_forecast: the folder cannot be read: permission denied (look at its permissions)",
		dir + "/" + tool + "/v0001.json":     "history-unreadable history/get_forecast/v0001.json: the record cannot be read: permission denied (look at its permissions)",
		dir + "/" + tool + "/v0003.json":     "history-unreadable history/get_forecast/v0003.json: the record cannot be read: permission denied (look at its permissions)",
		dir + "/" + tool + "/retired.json":   "history-unreadable history/get_forecast/retired.json: the tombstone cannot be read: permission denied (look at its permissions)",
		dir + "/" + tool + "/nothing_at.all": "",
	} {
		w := newWorld(t)
		if strings.HasSuffix(name, "retired.json") {
			h, _ := history.Read(w.files, dir)
			f, err := h.Retire(tool, "2026-11-20", signature.Deprecation{Sunset: "2027-11-20"}, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.files[f.Name] = &fstest.MapFile{Data: f.Data}
			name = f.Name
		}
		if _, findings := history.Read(shut{w.files, name}, dir); said(findings) != strings.Replace(want, dir+"/"+tool+"/retired.json", name, 1) {
			t.Errorf("%s: %s\nwant %s", name, said(findings), want)
		}
	}
}

// The anchor of a release is found again in what it was written into.
func TestAnchor(t *testing.T) {
	digest := history.DigestOf([]byte("a"))
	text := history.Anchor{Version: 12, Digest: digest}.String("find_it")
	if text != "find_it/v0012.json "+digest || len(digest) != len("sha256:")+64 {
		t.Errorf("the anchor is %s", text)
	}
	name, a, ok := history.FindAnchor([]byte("package p\n\nconst anchor = \"" + text + "\"\n"))
	if !ok || name != "find_it" || a.Version != 12 || a.Digest != digest {
		t.Errorf("found %s %+v", name, a)
	}
	for _, other := range []string{"", text, `"Find/v0012.json ` + digest + `"`, `"find_it/v12.json ` + digest + `"`, `"find_it/v0012.json sha256:12"`} {
		if name, a, ok := history.FindAnchor([]byte(other)); ok || name != "" || a != (history.Anchor{}) {
			t.Errorf("%s: found %s %+v", other, name, a)
		}
	}
}
