package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/guide"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// asked is an exchange of an example.
func asked(method, url, body string, status int, answer string) json.RawMessage {
	sent := ""
	if body != "" {
		sent = `, "body": ` + body
	}
	return json.RawMessage(fmt.Sprintf(`{"request": {"api": "x", "method": %q, "url": %q%s}, "response": {"status": %d, "headers": {"Content-Type": "application/json"}, "body": %s}}`,
		method, url, sent, status, answer))
}

// finding is a call of the tool find: what the search answers, and the details.
func finding(name, size string, status int, found string, details int) *history.Example {
	const at = "https://guide.example/v1"
	e := &history.Example{
		Name: name, Tool: "find", Goal: name, Inputs: json.RawMessage(fmt.Sprintf(`{"name": %q, "count": 2, "size": %q}`, name, size)),
		Answer: json.RawMessage(`{"error": {}}`), // all outputs are held
	}
	wire := map[string]string{"SMALL": "s", "LARGE": "l"}[size]
	e.Exchanges = append(e.Exchanges,
		asked("GET", at+"/search?q="+name+"&limit=2&size="+wire+"&fixed=yes-please&tags=a&tags="+name, "", status, found),
		asked("GET", at+"/places/7", "", details, `{"text": "Nice.", "age": 7}`),
		asked("GET", at+"/places/1", "", 200, `{"age": 7}`))
	for i := range 9 {
		e.Exchanges = append(e.Exchanges,
			asked("GET", fmt.Sprintf("%s/rating?name=P%d&rank=%d", at, i, i), "", 200, `{"stars": 3.6}`),
			asked("GET", fmt.Sprintf("%s/prices/%d", at, i), "", 200, `{"amount": 2}`))
	}
	return e
}

// foundAt writes what the search finds.
func foundAt(total, places int, kind string) string {
	var list []string
	for i := range places {
		list = append(list, fmt.Sprintf(`{"id": %d, "name": "P%d"}`, 7+i, i))
	}
	return fmt.Sprintf(`{"total": %d, "places": [%s], "kind": %q}`, total, strings.Join(list, ","), kind)
}

// covering are examples that together go through most of the guide.
func covering() []*history.Example {
	order := &history.Example{Name: "order", Tool: "order", Goal: "order", Inputs: json.RawMessage(`{"title": "Tea"}`), Answer: json.RawMessage(`{"error": {}}`)}
	order.Exchanges = []json.RawMessage{
		asked("POST", "https://orders.example/orders", `{"title": "Tea", "amount": 1, "address": {"city": "Bonn", "zip": "53111"}, "tags": ["a", "Tea"], "express": true}`, 201, `{"id": "o1"}`),
		asked("POST", "https://orders.example/search", `{"text": "o1"}`, 200, `{"total": 3}`),
		asked("PUT", "https://orders.example/orders/o1/confirm", "", 204, `null`),
	}
	return []*history.Example{
		order,
		finding("Town", "SMALL", 200, foundAt(2, 2, "town"), 200),
		finding("City", "LARGE", 200, foundAt(7, 7, "city"), 404),
		finding("Hamlet", "SMALL", 200, foundAt(2, 1, "hamlet"), 200),
		finding("One", "SMALL", 200, foundAt(1, 1, "town"), 200),
		finding("None", "SMALL", 200, foundAt(0, 0, "town"), 200),
		finding("Many", "SMALL", 200, foundAt(5000, 1, "town"), 200),
		finding("Gone", "SMALL", 404, `{}`, 200),
		finding("Busy", "SMALL", 429, `{}`, 200),
		finding("Broken", "SMALL", 500, `{}`, 200),
	}
}

// planOf is the plan of a tool of the guide, edited.
func planOf(t *testing.T, tool string, edits ...string) *history.Plan {
	t.Helper()
	files, err := guide.Files(edits...)
	if err != nil {
		t.Fatal(err)
	}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if gen.Check(p.Program).HasErrors() {
		return nil // such a package is not released
	}
	plan, findings := p.Plan(files, tool)
	if plan == nil {
		t.Fatal(findings)
	}
	return plan
}

// guideModule is a vendor's module with the guide in it.
func guideModule(t *testing.T) *project {
	t.Helper()
	dir := t.TempDir()
	if err := vendorModule(golden.Root(t), dir); err != nil {
		t.Fatal(err)
	}
	files, err := guide.Files()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "guide"), files); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", goFlags)
	at, err := locate(filepath.Join(dir, "guide"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := at.load()
	if err != nil || p.findings.HasErrors() {
		t.Fatal(err, p.findings)
	}
	t.Cleanup(at.close)
	return p
}

// Every change of the corpus has its verdict, part by part: with examples that
// go through the package, and with none.
func TestChangesAreCovered(t *testing.T) {
	if golden.Race {
		t.Skip("one build of some hundred chains, and nothing runs side by side")
	}
	p := guideModule(t)
	r := &releaser{command: &command{session: &session{stdout: io.Discard, stderr: os.Stderr, lookup: os.LookupEnv}}, p: p}
	var probes []*probe
	var names []string
	next := firstProbe
	for _, c := range guide.Changes {
		for _, tool := range p.Program.Tools {
			name := tool.Signature.Name
			is := planOf(t, name, c.Edits...)
			if is == nil {
				continue
			}
			found := frontend.ProbesOf(planOf(t, name), is)
			if found == nil {
				continue
			}
			q := &probe{tool: tool, probes: found, first: next}
			for _, e := range covering() {
				if e.Tool == name {
					q.examples = append(q.examples, e)
				}
			}
			next += len(q.chains())
			probes, names = append(probes, q), append(names, c.Name)
		}
	}
	covers, err := r.cover(p, probes)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, q := range probes {
		for j, part := range q.probes.Parts {
			by := covers[i][j]
			if by == "" {
				by = "none"
			}
			got = append(got, fmt.Sprintf("%s: %s %s: %s", names[i], q.tool.Signature.Name, part.Part, by))
		}
		q.examples = nil
		if slices.ContainsFunc(q.verdicts(nil), func(by string) bool { return by != "" }) {
			t.Errorf("%s: without an example %v is covered", names[i], q.verdicts(nil))
		}
	}
	golden.Text(t, "testdata/covered.txt", strings.Join(got, "\n")+"\n")
}
