package corpus_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const (
	exampleDir = "examples/nws"
	realNWS    = "openapi/nws-3.8.1-clean.json"
)

// A seed is one mistake that a generator of tools should find before it
// writes anything: it replaces one text of an unseeded manifest.
type seed struct {
	// base is the manifest: one of bases.
	base string
	// old stands in the manifest once; new replaces it. What the finding must
	// mark stands between « and » in new.
	old, new string
	// at is where the finding stands if that is not in new: a text that stands
	// in the seeded manifest once, with the same marks.
	at      string
	rule    string
	message string
}

// A base is a manifest that has no finding, with its documents.
type base struct {
	dir  string
	load func(testing.TB) fstest.MapFS
}

var bases = map[string]base{
	"example": {exampleDir, example},
	"shop":    {".", func(t testing.TB) fstest.MapFS { return seeded(t, "shop.yaml", nil) }},
	"real": {".", func(t testing.TB) fstest.MapFS {
		return seeded(t, "real.yaml", map[string]string{"nws.json": realNWS, "verify.json": "arazzo/jentic-public/twilio-verify.openapi.json"})
	}},
}

// seeded returns a manifest of testdata/seeded with the shop and with shared
// documents, by their name.
func seeded(t testing.TB, manifest string, shared map[string]string) fstest.MapFS {
	t.Helper()
	paths := map[string]string{
		"sculpt.yaml": filepath.Join("testdata", "seeded", manifest),
		"shop.yaml":   filepath.Join(golden.Root(t), "testdata", "cases", "shop.yaml"),
	}
	for name, path := range shared {
		paths[name] = golden.Shared(t, filepath.FromSlash(path))
	}
	fsys := fstest.MapFS{}
	for name, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fsys[name] = &fstest.MapFile{Data: data}
	}
	return fsys
}

// plant returns the manifest with the mistake, and the bytes that the finding
// must mark.
func (s seed) plant(t *testing.T, text string) (planted string, start, end int) {
	t.Helper()
	if n := strings.Count(text, s.old); n != 1 {
		t.Fatalf("the manifest has %q %d times, want once", s.old, n)
	}
	text = strings.Replace(text, s.old, s.new, 1)
	if s.at != "" {
		bare := strings.NewReplacer("«", "", "»", "").Replace(s.at)
		if n := strings.Count(text, bare); n != 1 {
			t.Fatalf("the seeded manifest has %q %d times, want once", bare, n)
		}
		text = strings.Replace(text, bare, s.at, 1)
	}
	before, rest, opened := strings.Cut(text, "«")
	marked, after, closed := strings.Cut(rest, "»")
	if !opened || !closed {
		t.Fatal("nothing is marked")
	}
	return before + marked + after, len(before), len(before) + len(marked)
}

// TestSeededMistakes plants each mistake alone: one finding, at the very
// token, and no file if it is an error.
func TestSeededMistakes(t *testing.T) {
	golden.NotRaced(t)
	if len(seeds) < 100 {
		t.Errorf("%d seeds, want 100", len(seeds))
	}
	rules := map[string]diag.Severity{}
	for _, r := range slices.Concat(expr.Rules, resolve.Rules, plan.Rules, manifest.Rules, spec.Rules, frontend.Rules, export.Rules, gen.Rules) {
		rules[r.ID.String()] = r.Severity
	}
	for _, s := range seeds {
		t.Run(strings.TrimSpace(s.base+" "+s.rule+" "+s.old), func(t *testing.T) {
			b := bases[s.base]
			fsys := b.load(t)
			name := path.Join(b.dir, "sculpt.yaml")
			text, start, end := s.plant(t, string(fsys[name].Data))
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
			files, findings := build(fsys, b.dir)
			if len(findings) != 1 {
				t.Fatalf("%d findings, want 1:\n%s", len(findings), render(t, fsys, findings))
			}
			f := findings[0]
			want := diag.Span{File: name, Start: posOf(text, start), End: posOf(text, end)}
			if f.Severity != rules[s.rule] || f.Rule.String() != s.rule || f.Span != want || !strings.Contains(f.Message, s.message) {
				t.Errorf("got %s at %v, want %s %q at %v\n%s", f.Rule.String(), f.Span, s.rule, s.message, want, render(t, fsys, findings))
			}
			if f.Severity == diag.Error && len(files) > 0 {
				t.Errorf("%d files for a manifest with errors", len(files))
			}
		})
	}
}

// TestUnseededManifests is the other half: no false alarm.
func TestUnseededManifests(t *testing.T) {
	for name, b := range bases {
		t.Run(name, func(t *testing.T) {
			fsys := b.load(t)
			files, findings := build(fsys, b.dir)
			if len(findings) > 0 || len(files) == 0 {
				t.Fatalf("%d files\n%s", len(files), render(t, fsys, findings))
			}
			if name == "example" { // lies in the tree with its code, which is built there
				return
			}
			project, _ := frontend.Load(fsys, b.dir)
			if err := theOracle(t).judge(project.Program, files); err != nil {
				t.Error(err)
			}
		})
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
	project, findings := frontend.Load(fsys, exampleDir)
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
	for _, pattern := range []string{"sculpt.yaml", "openapi/*", "history/*/*.json", "history/*/examples/*.json"} {
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
	project, findings := frontend.Load(fsys, dir)
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
