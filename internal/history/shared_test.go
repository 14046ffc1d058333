package history_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// twoReleases have the same document and the same exchange.
func twoReleases(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for v := 1; v <= 2; v++ {
		h, findings := history.Read(files, dir)
		if len(findings) > 0 {
			t.Fatal(said(findings))
		}
		plan := &history.Plan{Manifest: json.RawMessage(fmt.Sprintf(`{"sculpt": %d}`, v)), Documents: []history.Document{{API: "a", File: "a.json", OpenAPI: json.RawMessage(`{"openapi": "3.0.3"}`)}}}
		e := &history.Example{Tool: tool, Version: v, Goal: "Rain", Inputs: json.RawMessage(`{"a":"x"}`), Answer: json.RawMessage(`{"outputs":{}}`), Exchanges: []json.RawMessage{json.RawMessage(`{"request": {"url": "u"}}`)}}
		side := draft(v, "a")
		kept, digest := h.Keep(tool, []*history.Example{e})
		side.Details.Examples, side.Details.Plan = digest, plan.Digest()
		record, err := h.Next(side, history.Options{}, today)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(append(kept, record), h.PlanFiles(tool, v, plan)...) {
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

// What two releases have in common is there once, and is read as if each had it.
func TestShared(t *testing.T) {
	files := twoReleases(t)
	var names []string
	for name := range files {
		if strings.Contains(name, "/shared/") {
			names = append(names, name)
		}
	}
	if len(names) != 2 {
		t.Fatalf("shared are %v, and not one document and one exchange", names)
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
