package history_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// releases have the same document and the same exchange. The first of them are
// written as they were before.
func releases(t *testing.T, before, now int) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for v := 1; v <= before+now; v++ {
		h, findings := history.Read(files, dir)
		if len(findings) > 0 {
			t.Fatal(said(findings))
		}
		plan := &history.Plan{Manifest: json.RawMessage(fmt.Sprintf(`{"sculpt": %d}`, v)), Documents: []history.Document{{API: "a", File: "a.json", OpenAPI: json.RawMessage(`{"openapi": "3.0.3"}`)}}}
		e := &history.Example{Tool: tool, Version: v, Goal: "Rain", Inputs: json.RawMessage(`{"a":"x"}`), Answer: json.RawMessage(`{"outputs":{}}`), Exchanges: []json.RawMessage{json.RawMessage(`{"request": {"url": "u"}}`)}}
		side := draft(v, "a")
		evidence := history.Evidence{Plan: plan, Examples: []*history.Example{e}}
		if v > before {
			record, err := h.Next(side, history.Options{}, today, evidence)
			if err != nil {
				t.Fatal(err)
			}
			files[record.Name] = &fstest.MapFile{Data: record.Data}
			continue
		}
		list, err := h.NextInPieces(side, history.Options{}, today, evidence)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return files
}

// findingsOf are those of a reading and a check.
func findingsOf(files fstest.MapFS) string {
	h, findings := history.Read(files, dir)
	return said(append(findings, history.Check(h, nil, history.Options{})...))
}

// What two releases have in common is there once, and is read as if each had it:
// also where the older one is of before.
func TestShared(t *testing.T) {
	for before := range 3 {
		testShared(t, releases(t, before, 2-before), before)
	}
}

func testShared(t *testing.T, files fstest.MapFS, before int) {
	t.Helper()
	var names []string
	for name := range files {
		if strings.Contains(name, "/shared/") {
			names = append(names, name)
		}
	}
	if want := map[bool]int{true: 2}[before > 0]; len(names) != want {
		t.Fatalf("%d of before: shared are %v, and not one document and one exchange", before, names)
	}
	for name, f := range files {
		if n, want := strings.Count(string(f.Data), `"openapi":"3.0.3"`), 1; before == 0 && strings.HasSuffix(name, "v0001.json") && n != want || n > want {
			t.Errorf("%s has the document %d times", name, n)
		}
	}
	h, _ := history.Read(files, dir)
	for v := 1; v <= 2; v++ {
		plan, findings := h.Plan(tool, v)
		if len(findings) > 0 || string(plan.Documents[0].OpenAPI) != `{"openapi":"3.0.3"}` {
			t.Errorf("v%d: %+v %s", v, plan, said(findings))
		}
		if record, _ := h.Record(tool, v); plan.Digest() != record.Details.Plan {
			t.Errorf("v%d: the plan that was read has another digest", v)
		}
	}
	for _, e := range h.Examples([]*compat.Side{draft(2, "a")}) {
		if got := string(e.Exchanges[0]); got != `{"request":{"url":"u"}}` {
			t.Errorf("%s was told %s", e.Name, got)
		}
	}
	// Whoever moves the folder of a tool moves all of it.
	moved := fstest.MapFS{}
	for name, f := range files {
		moved["other/"+name] = f
	}
	h, findings := history.Read(moved, "other/"+dir)
	if plan, more := h.Plan(tool, 1); plan == nil || len(findings)+len(more) > 0 {
		t.Errorf("moved: %s", said(append(findings, more...)))
	}
	// What is shared is vouched for like what is not.
	for _, name := range names {
		was := files[name]
		files[name] = &fstest.MapFile{Data: []byte("{}\n")}
		if got := findingsOf(files); !strings.Contains(got, "history-tampered "+name+": what releases of \""+tool+"\" share is not what was released") {
			t.Errorf("%s was edited: %s", name, got)
		}
		delete(files, name)
		if got := findingsOf(files); !strings.Contains(got, "history-tampered "+name+": what releases of \""+tool+"\" share is gone") {
			t.Errorf("%s was deleted: %s", name, got)
		}
		files[name] = was
	}
}

// Nothing in a record can be edited without a finding, in the newest one neither,
// which no other has the digest of: not by somebody who knows how records are
// spelled.
func TestKeptInRecords(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"sculpt":1`, `"sculpt":3`, "the plan of v1 is not the one that was released"},
		{`"goal":"Rain"`, `"goal":"Snow"`, "the examples of v1 are not those that were released"},
		{`"outputs":{}`, `"outputs":{"a":1}`, "the examples of v1 are not those that were released"},
		{`v0001-rain`, `v0001-snow`, "the examples of v1 are not those that were released"},
		{`"openapi":"3.0.3"`, `"openapi":"3.0.4"`, "what releases of \"" + tool + "\" share is not what was released"},
		{`"url":"u"`, `"url":"w"`, "what releases of \"" + tool + "\" share is not what was released"},
	} {
		edit := func(record string) string { return strings.Replace(record, c.old, c.new, 1) }
		files := releases(t, 0, 1)
		file := dir + "/" + tool + "/v0001.json"
		files[file] = &fstest.MapFile{Data: history.Respelled(files[file].Data, edit)}
		if got := findingsOf(files); !strings.HasPrefix(got, "history-tampered "+file+": "+c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s", c.old, got)
		}
		// In an older one the chain tells.
		files = releases(t, 0, 2)
		files[file] = &fstest.MapFile{Data: history.Respelled(files[file].Data, edit)}
		if got := findingsOf(files); !strings.HasPrefix(got, "history-tampered "+file+": ") || strings.Contains(got, "\n") {
			t.Errorf("%s, of two: %s", c.old, got)
		}
	}
	for name, want := range map[string]string{"v0001.plan.json": "this plan belongs to no release", "examples/v0001-x.json": "this example belongs to no release"} {
		files := releases(t, 0, 1)
		files[dir+"/"+tool+"/"+name] = &fstest.MapFile{Data: []byte("{}\n")}
		if got := findingsOf(files); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A history that was written before records kept plans and examples is read, and
// everything in it is held against its digests. Another release goes on with it.
func TestHistoryInPieces(t *testing.T) {
	files := fstest.MapFS{}
	if err := fs.WalkDir(os.DirFS("testdata/pieces"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("testdata/pieces/" + name)
		files[dir+"/"+name] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	h, findings := history.Read(files, dir)
	if findings = append(findings, history.Check(h, sidesOf(h), history.Options{})...); findings.HasErrors() || len(h.Tools) != 2 {
		t.Fatal(said(findings))
	}
	if got := h.Examples(sidesOf(h)); len(got) != 3 || len(got[1].Exchanges) == 0 || !strings.Contains(string(got[0].Exchanges[0]), "places.example") {
		t.Errorf("%d examples: %+v", len(got), got)
	}
	for _, one := range h.Tools {
		for v := 1; v <= 2; v++ {
			if plan, findings := h.Plan(one.Name, v); plan == nil || len(plan.Documents[0].OpenAPI) < 100 {
				t.Errorf("%s v%d: %s", one.Name, v, said(findings))
			}
		}
	}
	for file, was := range files {
		if strings.HasSuffix(file, "/v0001.plan.json") {
			continue // read where it is needed: TestExamplesAndPlanAreWhole
		}
		for what, now := range map[string]*fstest.MapFile{"edited": {Data: append(slices.Clone(was.Data), ' ')}, "deleted": nil} {
			files[file] = now
			if now == nil {
				delete(files, file)
			}
			h, findings := history.Read(files, dir)
			findings = append(findings, history.Check(h, nil, history.Options{})...)
			if newest := strings.HasSuffix(file, "/v0002.json") && now == nil; !findings.HasErrors() && !newest {
				t.Errorf("%s was %s, and nothing is found", file, what)
			}
			files[file] = was
		}
	}
	goesOn(t, h, files)
}

// goesOn releases the tools once more, with the evidence of their newest releases.
func goesOn(t *testing.T, h *history.History, files fstest.MapFS) {
	t.Helper()
	for _, side := range sidesOf(h) {
		var evidence history.Evidence
		evidence.Plan, _ = h.Plan(side.Signature.Name, 2)
		for _, e := range h.Examples([]*compat.Side{side}) {
			if e.Version == 2 {
				e.Version = 3
				evidence.Examples = append(evidence.Examples, e)
			}
		}
		next := *side.Signature
		next.Version = 3
		record, err := h.Next(&compat.Side{Signature: &next, Details: side.Details}, history.Options{}, today, evidence)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(record.Data), "shared") {
			t.Errorf("what is in files already is repeated:\n%s", record.Data)
		}
		files[record.Name] = &fstest.MapFile{Data: record.Data}
	}
	h, findings := history.Read(files, dir)
	if findings = append(findings, history.Check(h, sidesOf(h), history.Options{})...); findings.HasErrors() {
		t.Fatal(said(findings))
	}
	if got := h.Examples(sidesOf(h)); len(got) != 5 || !strings.Contains(string(got[4].Exchanges[0]), "places.example") {
		t.Errorf("%d examples", len(got))
	}
}

// sidesOf are the tools as they were released last.
func sidesOf(h *history.History) []*compat.Side {
	var out []*compat.Side
	for _, t := range h.Tools {
		out = append(out, &compat.Side{Signature: t.Newest.Signature, Details: *t.Newest.Details})
	}
	return out
}
