package spec_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// TestFront holds what is read of every document of the corpus.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 0, func(p *front.Project) string {
		m, _ := manifest.Parse("sculpt.yaml", p.Manifest())
		set, findings := spec.Load(p.FS, resolve.Sources(m))
		return front.Findings(p.FS, findings) + front.Dump(set)
	}))
}

// TestFrontDamaged holds what is read of documents that are damaged, in YAML
// and in JSON: all operations, or what is found instead.
func TestFrontDamaged(t *testing.T) {
	var sections []front.Section
	documents := front.Documents(t)
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		all := map[string][]string{"yaml": front.Damage(name, documents[name], 250), "json": front.Damage(name, asJSON(t, documents[name]), 200)}
		for _, form := range slices.Sorted(maps.Keys(all)) {
			for i, damaged := range all[form] {
				sections = append(sections, front.Section{Name: fmt.Sprintf("%s#%d.%s", name, i, form), Text: loaded("d."+form, damaged)})
			}
		}
	}
	front.Hold(t, "testdata/damaged.txt", sections)
}

// loaded reads all operations of a document.
func loaded(name, text string) string {
	fsys := fstest.MapFS{name: {Data: []byte(text)}}
	all, findings := spec.Index(fsys, name)
	var wants []spec.Want
	for _, s := range all {
		wants = append(wants, spec.Want{Method: s.Method, Path: s.Path})
	}
	set, more := spec.Load(fsys, []spec.Source{{API: "a", File: name, Wants: wants}})
	return front.Findings(fsys, findings) + front.Findings(fsys, more) + front.Dump(set)
}

func asJSON(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	raw, err := json.MarshalIndent(plain(v), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// plain has texts as keys, which JSON wants.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case map[any]any:
		out := map[string]any{}
		for k := range v {
			out[fmt.Sprint(k)] = plain(v[k])
		}
		return out
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}
