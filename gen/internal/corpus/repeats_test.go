package corpus_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

const repeatsDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
servers: [{url: https://things.example}]
components:
  responses: {thing: {description: It., content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}}
    from: {name: from, in: query, schema: {type: string}}
    key: {name: Idempotency-Key, in: header, schema: {type: string}}
paths:
  /state: {get: {operationId: state, responses: {'200': {$ref: '#/components/responses/thing'}}}}
  /things/{id}:
    parameters: [{$ref: '#/components/parameters/id'}, {$ref: '#/components/parameters/from'}, {$ref: '#/components/parameters/key'}]
    get: {operationId: read, responses: {'200': {$ref: '#/components/responses/thing'}}}
    put: {operationId: idempotent, responses: {'200': {$ref: '#/components/responses/thing'}}}
    post: {operationId: unsafe, responses: {'200': {$ref: '#/components/responses/thing'}}}
`

// The dimensions of docs/effects.md. A row of the table is one value of each.
var (
	stepEffects = []string{"read", "idempotent", "unsafe"}
	dataFlows   = []struct{ name, words, with, more string }{
		{"inputs", "inputs alone", "", ""},
		{"key", "`call.uuid`", `, Idempotency-Key: '${call.uuid("thing")}'`, ""},
		{"clock", "`call.id`, `call.time`", `, from: '${call.id}'`, ""},
		{"answer", "an earlier answer", ", from: '${state.id}'", ""},
		{"because", "an earlier answer, with `because:`", ", from: '${state.id}'", ", effect: %s, because: The state is the same for ever."},
	}
	keys         = []string{"no", "yes"}
	firstAnswers = []string{"done", "refused", "lost"}
	repeaters    = []string{"the same caller", "the same caller, other token, no user named", "the same user, other token", "another caller",
		"nobody known, same credentials", "nobody known, other credentials"}
)

// A repeatedCall is one row of the table, and what the doors told.
type repeatedCall struct {
	Effect, Flow, Key, First, Whom string
	// Answers has for each door the words for the first answer, for that to the
	// repeated call, and how often the backend was asked.
	Answers map[string][3]string
}

// TestRepeatedCalls drives every row of the table of docs/effects.md over every
// door, and counts what reaches the backend. What must come of it is worked out
// here from the words of the row.
func TestRepeatedCalls(t *testing.T) {
	test, err := os.ReadFile(filepath.Join("testdata", "repeats_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, files, findings := buildProgram(fstest.MapFS{"things.yaml": {Data: []byte(repeatsDocument)}, "sculpt.yaml": {Data: []byte(repeatsManifest())}}, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	m := golden.NewModule(t)
	for _, f := range files {
		m.Write("things/"+f.Name, string(f.Data))
	}
	sums, err := os.ReadFile(filepath.Join(golden.Root(t), "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m.Write("go.sum", string(sums))
	m.Write("things/repeats_test.go", string(test))
	var rows []repeatedCall
	everyRow(func(r repeatedCall) { rows = append(rows, r) })
	asked, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	m.Write("things/rows.json", string(asked))
	if out, err := m.Go("test", "-run", "TestRepeats", "./things"); err != nil {
		t.Fatal(out, err)
	}
	told, err := os.ReadFile(filepath.Join(m.Dir, "things", "told.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(told, &rows); err != nil || len(rows) != 540 {
		t.Fatal(err, len(rows))
	}
	var table strings.Builder
	for i := range rows {
		table.WriteString(rows[i].line(t))
	}
	repeatsPage(t, table.String())
}

// repeatsManifest has a tool for each effect and data flow.
func repeatsManifest() string {
	var b strings.Builder
	b.WriteString("{sculpt: 1, package: things, toolkit: Things, namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11, apis: {things: {openapi: things.yaml, retry: {attempts: 1}}}, tools: {\n")
	for _, effect := range stepEffects {
		for _, flow := range dataFlows {
			if effect == "unsafe" && flow.more != "" {
				continue
			}
			state, more := "", flow.more
			if strings.Contains(flow.with, "state") {
				state = "state: {call: things.state}, "
			}
			if more != "" {
				more = fmt.Sprintf(more, effect)
			}
			fmt.Fprintf(&b, "%s_%s: {version: 1, description: A thing., inputs: {thing: {description: Which., max_length: 40}}, steps: {%sit: {call: things.%s, with: {id: '${input.thing}'%s}%s}}, "+
				"outputs: {id: {value: '${it.id}', description: Its id.}}},\n", effect, flow.name, state, effect, flow.with, more)
		}
	}
	return b.String() + "}}\n"
}

func everyRow(f func(repeatedCall)) {
	for _, effect := range stepEffects {
		for _, flow := range dataFlows {
			for _, key := range keys {
				for _, first := range firstAnswers {
					for _, whom := range repeaters {
						f(repeatedCall{Effect: effect, Flow: flow.name, Key: key, First: first, Whom: whom})
					}
				}
			}
		}
	}
}

// applies says why a row cannot be, "" for one that can.
func (r *repeatedCall) applies() string {
	if r.Effect == "unsafe" && r.Flow == "because" {
		return "not applicable: a step that says `because:` counts as read or idempotent"
	}
	return ""
}

// want works out what a door that remembers calls must answer first and then, and
// whether the repeated call may reach the backend.
func (r *repeatedCall) want() (first, again string, sent bool) {
	named := r.Key == "yes" && r.Effect != "read"
	repeatable := r.Effect == "read" || r.Effect == "idempotent" && (r.Flow == "inputs" || r.Flow == "because" || r.Flow == "key" && named)
	first = r.First
	if first == "lost" {
		first = "unknown"
		if repeatable {
			first = "try again"
		}
	}
	switch {
	case !named, r.Whom == "another caller":
		return first, "done", true
	case strings.Contains(r.Whom, "no user"), strings.Contains(r.Whom, "other credentials"):
		return first, "key reused", false
	case first == "try again":
		return first, "done", true
	}
	return first, first, false
}

// line checks what the doors told, and is the row of the table.
func (r *repeatedCall) line(t *testing.T) string {
	flow := ""
	for _, f := range dataFlows {
		if f.name == r.Flow {
			flow = f.words
		}
	}
	cells := []string{r.Effect, flow, r.Key, r.First, r.Whom}
	if why := r.applies(); why != "" {
		return "| " + strings.Join(append(cells, why, "", "", ""), " | ") + " |\n"
	}
	first, again, sent := r.want()
	hits := map[bool]string{true: "2", false: "1"}
	if len(r.Answers) != 8 {
		t.Fatalf("%+v: %d doors", r, len(r.Answers))
	}
	for door, got := range r.Answers {
		want := [3]string{first, again, hits[sent]}
		if door == "command line" { // each call is a process of its own, which remembers nothing
			want = [3]string{first, "done", "2"}
		}
		if got != want {
			t.Errorf("%+v at %s: %q, want %q", cells, door, got, want)
		}
	}
	return "| " + strings.Join(append(cells, first, again, map[bool]string{true: "yes", false: "no"}[sent], "yes"), " | ") + " |\n"
}

// repeatsPage compares the table of docs/effects.md, or writes it.
func repeatsPage(t *testing.T, table string) {
	page := filepath.Join(golden.Root(t), "docs", "effects.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "|---|---|---|---|---|---|---|---|---|\n"
	head, rows, found := strings.Cut(string(text), begin)
	switch {
	case !found:
		t.Fatal("docs/effects.md has no table")
	case rows == table:
	case *update:
		if err := os.WriteFile(page, []byte(head+begin+table), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of docs/effects.md is not what the doors answer; -update writes it")
	}
}
