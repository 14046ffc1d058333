package cli

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/resolve"
)

func TestRulesPage(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != rulesPage() {
		t.Error(`docs/rules.md is stale: run "go run ./cmd/sculpt rules --format markdown > docs/rules.md"`)
	}
}

// A rule says what, why and how to get out of it.
func TestRulesSayEverything(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	sentence := regexp.MustCompile("^([A-Z`$]|[a-z_]+[.:]).*[.]$")
	for _, c := range chapters() {
		seen := map[string]bool{}
		for _, r := range c.rules {
			for _, text := range []string{r.Summary, r.Why, r.Fix} {
				if !sentence.MatchString(text) {
					t.Errorf("%s: %q is no sentence", r.ID, text)
				}
			}
			if !id.MatchString(r.ID.String()) || r.Summary == "" || r.Why == "" || r.Fix == "" || strings.Contains(r.Summary+r.Why+r.Fix, "\n") {
				t.Errorf("%+v", r)
			}
			if seen[r.ID.String()] {
				t.Errorf("%s stands twice in %q", r.ID, c.title)
			}
			seen[r.ID.String()] = true
		}
		if len(seen) == 0 {
			t.Errorf("%q has no rules", c.title)
		}
	}
}

// refusedBefore are rules that guard against manifests which package manifest
// refuses itself, so that no manifest shows them.
var refusedBefore = []string{"wrong-attempts", "wrong-code", "wrong-id", "wrong-retry"}

// ofDocuments are rules of the back end about what is written, and not about
// what a manifest says.
var ofDocuments = []string{"generator-fault", "left-out", "not-exportable", "too-long"}

// Every rule about what a manifest says has an example.
func TestRulesOfManifestsHaveExamples(t *testing.T) {
	for _, r := range slices.Concat(expr.Rules, resolve.Rules, gen.Rules) {
		if len(exampleOf(r.ID.String())) == 0 && !slices.Contains(refusedBefore, r.ID.String()) && !slices.Contains(ofDocuments, r.ID.String()) {
			t.Errorf("%s has no example in internal/cli/rules", r.ID)
		}
	}
}

// Examples show what they say: failing gives the rule and no other error,
// fixed gives neither the rule nor an error.
func TestExamplesOfRules(t *testing.T) {
	archives, err := fs.Glob(examples, "rules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no examples", err)
	}
	for _, name := range archives {
		id := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(id, func(t *testing.T) {
			if !slices.ContainsFunc(allRules(), func(r diag.Rule) bool { return r.ID.String() == id }) {
				t.Fatal("there is no such rule")
			}
			parts := map[string]string{}
			for _, p := range exampleOf(id) {
				if p.title == "" {
					t.Errorf("unknown part %q", p.name)
				}
				parts[p.name] = p.text
			}
			released := releasedBy(t, parts["released.yaml"])
			failing, fixed := findingsOf(t, released, parts["failing.yaml"]), findingsOf(t, released, parts["fixed.yaml"])
			if !slices.ContainsFunc(failing, func(f diag.Finding) bool { return f.Rule.String() == id }) {
				t.Errorf("failing does not give %s: %v", id, failing)
			}
			// To judge a package its older records need not be parsed.
			files := exampleFiles(t, parts["failing.yaml"])
			maps.Copy(files, released)
			_, all := frontend.Load(files, ".")
			light, newest := frontend.Load(files, ".", frontend.NewestOnly())
			if !reflect.DeepEqual(all, newest) || light.Program != nil && slices.ContainsFunc(light.Program.Tools, func(t *ir.Tool) bool { return t.Released != nil }) {
				t.Errorf("with the newest records alone: %v, with all: %v", newest, all)
			}
			for _, f := range failing {
				if f.Severity == diag.Error && f.Rule.String() != id {
					t.Errorf("failing gives %v", f)
				}
			}
			for _, f := range fixed {
				if f.Severity == diag.Error || f.Rule.String() == id {
					t.Errorf("fixed gives %v", f)
				}
			}
		})
	}
}

// exampleFiles is a package with a manifest.
func exampleFiles(t *testing.T, manifest string) fstest.MapFS {
	t.Helper()
	read := func(name string) []byte {
		data, err := examples.ReadFile("rules/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if manifest == "" {
		t.Fatal("a part is missing")
	}
	if !strings.HasPrefix(manifest, "sculpt:") {
		manifest = string(read("header.yaml")) + manifest
	}
	return fstest.MapFS{"sculpt.yaml": {Data: []byte(manifest)}, "openapi.yaml": {Data: read("openapi.yaml")}}
}

// releasedBy returns the records of a release of the manifest, none for "".
func releasedBy(t *testing.T, manifest string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	if manifest == "" {
		return out
	}
	p, findings := frontend.Load(exampleFiles(t, manifest), ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return recordsOf(t, &project{Project: p})
}

// recordsOf returns the records that a release of the pending versions adds.
func recordsOf(t *testing.T, p *project) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for _, tool := range p.Program.Tools {
		record, err := p.History.Next(frontend.Side(tool), history.Options{}, "2026-11-21", history.Evidence{})
		if err != nil {
			t.Fatal(err)
		}
		out[record.Name] = &fstest.MapFile{Data: record.Data}
	}
	return out
}

func findingsOf(t *testing.T, released fstest.MapFS, manifest string) diag.List {
	t.Helper()
	files := exampleFiles(t, manifest)
	maps.Copy(files, released)
	return generate(files, ".", &place{root: "/", cwd: "/"}).findings
}
