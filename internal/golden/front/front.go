// Package front lets every package of the front end judge itself by the whole
// corpus: the cases of testdata, the examples of rules, the example and the
// manifests of other tests, as they are and with damage.
//
//	var sections []front.Section
//	for _, p := range front.Projects(t) {
//		m, findings := manifest.Parse("sculpt.yaml", p.Manifest())
//		sections = append(sections, front.Section{Name: p.Name, Text: front.Dump(m) + front.Dump(findings)})
//	}
//	front.Hold(t, "testdata/front.txt", sections)
//
// The tests of a package hold what their package makes of the corpus. So a
// change of behavior is seen where it is made, and not only by the packages
// that generate code from it.
//
// It is imported by tests only.
package front

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// A Project is a package folder in memory: a manifest, its documents, and the
// records of releases if it has some.
type Project struct {
	Name, Dir string
	FS        fstest.MapFS
}

// Manifest is the text of the manifest.
func (p *Project) Manifest() []byte { return p.FS[p.path()].Data }

func (p *Project) path() string { return path.Join(p.Dir, frontend.ManifestName) }

// With returns the project with another manifest.
func (p *Project) With(name, manifest string) *Project {
	other := &Project{Name: name, Dir: p.Dir, FS: maps.Clone(p.FS)}
	other.FS[p.path()] = &fstest.MapFile{Data: []byte(manifest)}
	return other
}

// Projects returns the corpus. Cases over documents that are not in the tree
// are left out, so that it is the same everywhere.
func Projects(t testing.TB) []*Project {
	t.Helper()
	golden.NotRaced(t) // one thing after the other, and a lot of it
	r := reader{t: t, root: golden.Root(t)}
	out := r.cases()
	out = append(out, r.rules()...)
	rich := "gen/internal/corpus/testdata/rich"
	out = append(out,
		&Project{"rich", ".", fstest.MapFS{"sculpt.yaml": r.file(rich + "/sculpt.yaml"), "shop.yaml": r.file(rich + "/shop.yaml")}},
		&Project{"seeded", ".", fstest.MapFS{"sculpt.yaml": r.file("gen/internal/corpus/testdata/seeded/shop.yaml"), "shop.yaml": r.file(shop)}},
		&Project{"more", ".", r.folder("internal/golden/front/testdata/more", "*.yaml")},
		&Project{"weather", ".", r.folder("examples/nws", "sculpt.yaml", "openapi/*", "history/*/*.json", "history/*/examples/*.json")},
	)
	return out
}

// shop is the document of cases that bring none.
const shop = "testdata/cases/shop.yaml"

// A reader reads files of the tree.
type reader struct {
	t    testing.TB
	root string
}

func (r reader) glob(pattern string) []string {
	r.t.Helper()
	names, err := filepath.Glob(filepath.Join(r.root, filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		r.t.Fatalf("no %s (%v)", pattern, err)
	}
	for i := range names {
		rel, err := filepath.Rel(r.root, names[i])
		if err != nil {
			r.t.Fatal(err)
		}
		names[i] = filepath.ToSlash(rel)
	}
	return names
}

func (r reader) file(name string) *fstest.MapFile {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	return &fstest.MapFile{Data: data}
}

func (r reader) folder(dir string, patterns ...string) fstest.MapFS {
	r.t.Helper()
	files := fstest.MapFS{}
	for _, pattern := range patterns {
		for _, name := range r.glob(dir + "/" + pattern) {
			files[strings.TrimPrefix(name, dir+"/")] = r.file(name)
		}
	}
	return files
}

// cases are the archives of testdata.
func (r reader) cases() (out []*Project) {
	r.t.Helper()
	for _, name := range append(r.glob("testdata/cases/*.txtar"), r.glob("testdata/needs/*.txtar")...) {
		p := &Project{strings.TrimSuffix(path.Base(name), ".txtar"), ".", fstest.MapFS{"shop.yaml": r.file(shop)}}
		for _, f := range txtar.Parse(r.file(name).Data).Files {
			p.FS[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		if r.documents(p) {
			out = append(out, p)
		}
	}
	return out
}

// documents adds what documents.txt names, unless it lies outside of the tree.
func (r reader) documents(p *Project) bool {
	list := p.FS["documents.txt"]
	if list == nil {
		return true
	}
	for line := range strings.Lines(string(list.Data)) {
		name, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(from, "examples/") {
			return false
		}
		p.FS[name] = r.file(from)
	}
	return true
}

// rules are the examples of the pages of rules: what fails, and what does not;
// a tool that was released before has its record.
func (r reader) rules() (out []*Project) {
	r.t.Helper()
	header, document := string(r.file("internal/cli/rules/header.yaml").Data), r.file("internal/cli/rules/openapi.yaml")
	for _, name := range r.glob("internal/cli/rules/*.txtar") {
		parts := map[string]string{}
		for _, f := range txtar.Parse(r.file(name).Data).Files {
			if parts[f.Name] = string(f.Data); !strings.HasPrefix(parts[f.Name], "sculpt:") {
				parts[f.Name] = header + parts[f.Name]
			}
		}
		base := &Project{Dir: ".", FS: fstest.MapFS{"openapi.yaml": document}}
		if parts["released.yaml"] != "" {
			maps.Copy(base.FS, Release(r.t, base.With("", parts["released.yaml"])))
		}
		id := strings.TrimSuffix(path.Base(name), ".txtar")
		out = append(out, base.With(id+"/failing", parts["failing.yaml"]), base.With(id+"/fixed", parts["fixed.yaml"]))
	}
	return out
}

// Documents are the OpenAPI documents that were written for tests, by name.
func Documents(t testing.TB) map[string]string {
	t.Helper()
	golden.NotRaced(t) // one thing after the other, and a lot of it
	r, out := reader{t: t, root: golden.Root(t)}, map[string]string{}
	for _, name := range []string{shop, "testdata/openapi/library.yaml", "internal/cli/rules/openapi.yaml", "gen/internal/corpus/testdata/rich/shop.yaml"} {
		out[name] = string(r.file(name).Data)
	}
	return out
}
