package golden_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

// seeds are the ten mistakes that every generator of tools should find before
// it writes anything. Each replaces one text of the example's manifest; at is
// the part of it that the finding must mark.
var seeds = []struct {
	name, old, new, at string
	rule, message      string
}{
	{
		"unknown input", `'${input.state.trim()`, `'${input.stat.trim()`, "stat",
		"unknown-field", `this object has no field "stat", did you mean "state"?`,
	},
	{
		"unknown step", "'${forecast.properties.periods}'", "'${forcast.properties.periods}'", "forcast",
		"unknown-name", `unknown name "forcast", did you mean "forecast"?`,
	},
	{
		"misspelt response field", "x: '${grid.properties.gridX}'", "x: '${grid.properties.gridx}'", "gridx",
		"unknown-field", `Point has no field "gridx", did you mean "gridX"?`,
	},
	{
		"string into integer path parameter", "x: '${grid.properties.gridX}'", "x: '${grid.properties.gridId}'", "grid.properties.gridId",
		"not-assignable", "parameter x wants int, the value is string",
	},
	{
		"required upstream parameter unbound", "with: {wfo: '${grid.properties.gridId}', x:", "with: {x:", "",
		"unbound-parameter", `the required parameter "wfo" (path) of gridpoint_forecast is not bound`,
	},
	{
		"unknown upstream parameter", "with: {name: '${name}', count: 100}", "with: {name: '${name}', cuont: 100}", "cuont",
		"unknown-parameter", `search has no parameter "cuont", did you mean "count"?`,
	},
	{
		"unknown operation", "call: nws.gridpoint_forecast", "call: nws.gridpoint_forcast", "gridpoint_forcast",
		"unknown-operation", `did you mean "gridpoint_forecast"?`,
	},
	{
		"uses a later step", "latitude: '${math.round(place.latitude * 10000) / 10000}'", "latitude: '${double(periods.size())}'", "periods",
		"cycle", "the steps wait for each other in a circle: grid -> forecast -> grid",
	},
	{
		"tool output from a missing field", ": chosen.shortForecast}'", ": chosen.shortForcast}'", "shortForcast",
		"unknown-field", `has no field "shortForcast", did you mean "shortForecast"?`,
	},
	{
		"list used as an object", "value: '${place.name}'", "value: '${matches.name}'", "name",
		"not-an-object", `a list has no field "name"`,
	},
}

const (
	exampleDir = "examples/nws"
	realNWS    = "openapi/nws-3.8.1-clean.json"
)

// TestSeededMistakes plants each mistake alone: one finding, at the very
// token, and no file.
func TestSeededMistakes(t *testing.T) {
	for _, seed := range seeds {
		t.Run(strings.ReplaceAll(seed.name, " ", "_"), func(t *testing.T) {
			fsys := example(t)
			text := manifestOf(fsys)
			if n := strings.Count(text, seed.old); n != 1 {
				t.Fatalf("the manifest has %q %d times, want once", seed.old, n)
			}
			at := strings.Index(text, seed.old) + strings.Index(seed.new, seed.at)
			text = strings.Replace(text, seed.old, seed.new, 1)
			width := len(seed.at)
			if seed.at == "" { // the mistake is what is not there: the call is marked
				const call = "nws.gridpoint_forecast"
				at, width = strings.LastIndex(text[:at], call), len(call)
			}
			setManifest(fsys, text)

			files, findings := build(fsys, exampleDir)
			if len(findings) != 1 {
				t.Fatalf("%d findings, want 1:\n%s", len(findings), render(t, fsys, findings))
			}
			f := findings[0]
			want := diag.Span{File: exampleDir + "/sculpt.yaml", Start: posOf(text, at), End: posOf(text, at+width)}
			if f.Severity != diag.Error || f.Rule != seed.rule || f.Span != want || !strings.Contains(f.Message, seed.message) {
				t.Errorf("got %s at %v, want %s %q at %v\n%s", f.Rule, f.Span, seed.rule, seed.message, want, render(t, fsys, findings))
			}
			if len(files) > 0 {
				t.Errorf("%d files for a manifest with errors", len(files))
			}
		})
	}
}

// TestExampleHasNoFinding is the other half: no false alarm.
func TestExampleHasNoFinding(t *testing.T) {
	fsys := example(t)
	files, findings := build(fsys, exampleDir)
	if len(findings) > 0 || len(files) == 0 {
		t.Fatalf("%d files\n%s", len(files), render(t, fsys, findings))
	}
}

// TestExampleOverTheRealDocument puts the published document in the place of
// the example's own: nothing to complain about, and the same promise.
func TestExampleOverTheRealDocument(t *testing.T) {
	data, err := os.ReadFile(golden.Shared(t, realNWS))
	if err != nil {
		t.Fatal(err)
	}
	fsys := example(t)
	ours := canonical(t, fsys)
	fsys[exampleDir+"/"+realNWS] = &fstest.MapFile{Data: data}
	setManifest(fsys, strings.Replace(manifestOf(fsys), "openapi: openapi/nws.yaml", "openapi: "+realNWS, 1))
	if theirs := canonical(t, fsys); !slices.EqualFunc(ours, theirs, bytes.Equal) {
		t.Errorf("the signatures differ:\n%s\n%s", bytes.Join(ours, []byte("\n")), bytes.Join(theirs, []byte("\n")))
	}
}

// canonical returns the signatures of the example's tools.
func canonical(t *testing.T, fsys fs.FS) [][]byte {
	t.Helper()
	project, findings := sculpt.Load(fsys, exampleDir)
	if len(findings) > 0 {
		t.Fatal(render(t, fsys, findings))
	}
	var out [][]byte
	for _, tool := range project.Program.Tools {
		out = append(out, tool.Signature.Canonical())
	}
	return out
}

// example returns manifest, documents and history of the example in memory.
func example(t testing.TB) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	root := filepath.Join(golden.Root(t), filepath.FromSlash(exampleDir))
	for _, pattern := range []string{"sculpt.yaml", "openapi/*", "history/*/*.json"} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s in %s (%v)", pattern, exampleDir, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				t.Fatal(err)
			}
			fsys[exampleDir+"/"+filepath.ToSlash(rel)] = &fstest.MapFile{Data: data}
		}
	}
	return fsys
}

func manifestOf(fsys fstest.MapFS) string { return string(fsys[exampleDir+"/sculpt.yaml"].Data) }

func setManifest(fsys fstest.MapFS, text string) {
	fsys[exampleDir+"/sculpt.yaml"] = &fstest.MapFile{Data: []byte(text)}
}

// posOf is the line and column of a byte offset.
func posOf(text string, offset int) diag.Pos {
	before := text[:offset]
	return diag.Pos{
		Line: strings.Count(before, "\n") + 1,
		Col:  utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1,
	}
}

// build runs the whole pipeline: all findings, and the files if no finding is
// an error.
func build(fsys fs.FS, dir string) ([]gen.File, diag.List) {
	project, findings := sculpt.Load(fsys, dir)
	if findings.HasErrors() {
		return nil, findings
	}
	files, more := gen.Generate(project.Program, gen.Options{Guard: project.Promises()})
	return files, append(findings, more...).Sorted()
}

// render writes findings as the command line shows them.
func render(t testing.TB, fsys fs.FS, findings diag.List) string {
	t.Helper()
	var b strings.Builder
	err := diag.Text(&b, findings, func(file string) []byte {
		data, _ := fs.ReadFile(fsys, file) // a finding may be about a missing file
		return data
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
