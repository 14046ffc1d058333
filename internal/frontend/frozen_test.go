package frontend_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// first and second are two versions of a tool, the second of which has another
// chain and another value of an enum.
const (
	first = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {KEY: {description: The key.}}
apis: {shop: {openapi: shop.yaml, headers: {X-Key: '${env.KEY}'}}}
tools:
  find:
    version: 1
    description: Find a thing.
    inputs: {thing: {description: The thing., max_length: 40}}
    call: shop.find
    with: {thing: '${input.thing}'}
    outputs:
      kind: {value: '${result.kind}', description: The kind., values: {A: {name: A, text: An a.}, B: {name: B, text: A b.}}, fallback: B}
`
	frozenDocument = `openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: https://shop.example}]
paths:
  /things:
    get:
      operationId: find
      parameters: [{name: thing, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: It., content: {application/json: {schema: {type: object, required: [kind], properties: {kind: {type: string, enum: [A, B]}}}}}}}
`
)

// released is a project of which the first version was released.
func released(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(first)}, "shop.yaml": {Data: []byte(frozenDocument)}}
	p, findings := frontend.Load(files, ".")
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	plan, findings := p.Plan(files, "find")
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	record, err := p.History.Next(frontend.Side(p.Program.Tools[0]), history.Options{}, "2026-11-01", history.Evidence{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	files[record.Name] = &fstest.MapFile{Data: record.Data}
	return files
}

func with(files fstest.MapFS, edits ...string) fstest.MapFS {
	out := maps.Clone(files)
	text := first
	for i := 0; i < len(edits); i += 2 {
		text = strings.ReplaceAll(text, edits[i], edits[i+1])
	}
	out["sculpt.yaml"] = &fstest.MapFile{Data: []byte(text)}
	return out
}

func told(findings diag.List) string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %s %q: %s (%s)", f.Span, f.Rule, f.Tool, f.Message, f.Fix))
	}
	return strings.Join(out, "\n")
}

const frozenTwo = "    version: 2\n    freeze: "

// A release keeps its own chain where it is listed, and what it needs is there.
func TestFreeze(t *testing.T) {
	files := released(t)
	for _, c := range []struct {
		name  string
		edits []string
		want  string
	}{
		{"one", []string{"    version: 1\n", frozenTwo + "[1]\n"}, ""},
		{"twice", []string{"    version: 1\n", frozenTwo + "[1, 1]\n"}, `sculpt.yaml:10:17 freeze-impossible "find": v1 is there twice (delete one of them)`},
		{"not released", []string{"    version: 1\n", frozenTwo + "[2]\n"},
			`sculpt.yaml:10:14 freeze-impossible "find": v2 of "find" is not released: a version that is being prepared runs the chain of the manifest (freeze a released version)`},
		{"without its api", []string{"    version: 1\n", frozenTwo + "[1]\n", "{shop: {openapi", "{mall: {openapi", "call: shop", "call: mall"},
			`sculpt.yaml:10:14 freeze-impossible "find": v1 of "find" needs the api "shop", which the manifest does not have any more (keep it in the manifest)`},
		{"without its variable", []string{"    version: 1\n", frozenTwo + "[1]\n", "env: {KEY: {", "env: {OTHER: {", "env.KEY", "env.OTHER"},
			`sculpt.yaml:10:14 freeze-impossible "find": v1 of "find" needs the variable KEY, which the manifest does not have any more (keep it in the manifest)`},
	} {
		p, findings := frontend.Load(with(files, c.edits...), ".")
		if got := told(findings); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		frozen := p.Program.Tools[0].Frozen
		if kept := strings.Contains(c.name, "one") || c.name == "twice"; kept != (len(frozen) == 1) {
			t.Errorf("%s: %d chains are kept", c.name, len(frozen))
		} else if kept && (frozen[0].Version != 1 || len(frozen[0].Plan.Steps) != 1 || len(frozen[0].Inputs) != 1 || len(frozen[0].Outputs) != 1) {
			t.Errorf("%s: v%d keeps %+v", c.name, frozen[0].Version, frozen[0])
		}
	}
}

// A chain that a release keeps is held against the documents of tomorrow too.
func TestFreezeUpstream(t *testing.T) {
	p, findings := frontend.Load(with(released(t), "    version: 1\n", frozenTwo+"[1]\n", "with: {thing: '${input.thing}'}", "with: {thing: '${input.thing}'}"), ".")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	for tomorrow, want := range map[string]string{
		frozenDocument: "",
		strings.Replace(frozenDocument, "required: [kind], properties: {kind:", "required: [sort], properties: {sort:", 1): `sculpt.yaml:10:14 unknown-field "find": the chain that v1 keeps would break: FindResponse has no field "kind"`,
	} {
		files := fstest.MapFS{"tomorrow.yaml": {Data: []byte(tomorrow)}}
		got := told(frontend.Upstream(p, map[string]frontend.Replacement{"shop": {Files: files, Name: "tomorrow.yaml"}}))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
		if want != "" && !strings.Contains(got, "(take it out of the list, so that it runs the chain of today)") {
			t.Errorf("no way out: %s", got)
		}
	}
}

// Callers of a release get its fallback for values that they do not know.
func TestFallbacks(t *testing.T) {
	files := released(t)
	for name, c := range map[string]struct{ old, new, want string }{
		"a new value": {"B: {name: B, text: A b.}}", "B: {name: B, text: A b.}, C: {name: C, text: A c.}}", "map[1:map[kind:B]]"},
		"the same":    {"The thing.", "A thing.", "map[]"},
		"fewer":       {"A: {name: A, text: An a.}, ", "", "map[]"},
		"a text":      {", values: {A: {name: A, text: An a.}, B: {name: B, text: A b.}}, fallback: B", "", "map[1:map[kind:B]]"},
		"removed":     {"      kind:", "      sort:", "map[]"},
	} {
		changed := with(files, "version: 1\n", "version: 2\n", c.old, c.new, "    description: Find a thing.", "    policy: a2t\n    description: Find a thing.")
		changed["shop.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(frozenDocument, "[A, B]", "[A, B, C]", 1))}
		p, findings := frontend.Load(changed, ".")
		if p.Program == nil {
			t.Fatal(name, told(findings))
		}
		if got := fmt.Sprint(p.Program.Tools[0].Fallbacks); got != c.want {
			t.Errorf("%s: %s, want %s; %s", name, got, c.want, told(findings))
		}
	}
}

// Levels count for rules that may have them.
func TestLevels(t *testing.T) {
	for level, want := range map[string]string{
		"output-added: warning":             "",
		"tool-description-changed: error":   "",
		"input-removed: error":              "",
		"input-removed: warning":            `sculpt.yaml:5:10 level-not-allowed "": "input-removed" breaks callers; it stays an error (delete it; accept lets single breaks pass)`,
		"history-tampered: warning":         `sculpt.yaml:5:10 level-not-allowed "": "history-tampered" guards what is released; its level cannot be chosen (delete it)`,
		"input-remove: warning":             `sculpt.yaml:5:10 level-not-allowed "": there is no rule of compatibility "input-remove", did you mean "input-removed"? (sculpt rules lists all)`,
		"nothing-of-the-sort-here: warning": `sculpt.yaml:5:10 level-not-allowed "": there is no rule of compatibility "nothing-of-the-sort-here" (sculpt rules lists all)`,
	} {
		_, findings := frontend.Load(with(released(t), "\nenv:", "\nlevels: {"+level+"}\nenv:"), ".")
		if got := told(findings); got != want {
			t.Errorf("%s: %s\nwant %s", level, got, want)
		}
	}
}

// What generated code remembers of releases is the newest one of each tool.
func TestAnchors(t *testing.T) {
	files := released(t)
	p, _ := frontend.Load(files, ".")
	anchor := p.Anchors()["find"]
	if want := "find/v0001.json " + history.DigestOf(files["history/find/v0001.json"].Data); anchor != want || p.Unfinished()["find"] != want {
		t.Errorf("got %q and %v, want %q", anchor, p.Unfinished(), want)
	}
	files["released_find_gen.go"] = &fstest.MapFile{Data: []byte("package shop\n\nconst anchor = \"" + anchor + "\"\n")}
	if p, findings := frontend.Load(files, "."); len(p.Unfinished()) > 0 || p.Anchors()["find"] != anchor || len(findings) > 0 {
		t.Errorf("unfinished: %v %s", p.Unfinished(), told(findings))
	}
	delete(files, "history/find/v0001.json")
	if _, findings := frontend.Load(files, "."); !findings.HasErrors() {
		t.Error("a record that code remembers is gone, and nothing is found")
	}
}
