package spec_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
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

// TestFrontDamaged holds what is read of documents, whole and damaged, in YAML
// and in JSON: all operations, or what is found instead.
func TestFrontDamaged(t *testing.T) {
	documents := front.Documents(t)
	for _, name := range []string{"swagger.yaml", "modern.yaml", "texts.json"} {
		documents[name] = file(t, name)
	}
	parts := file(t, "parts.yaml")
	var sections []front.Section
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		forms := map[string]string{"json": documents[name]}
		if path.Ext(name) == ".yaml" {
			forms = map[string]string{"yaml": documents[name], "json": asJSON(t, documents[name])}
		}
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			for i, damaged := range append(front.Damage(name, forms[form], 160), forms[form]) {
				sections = append(sections, front.Section{Name: fmt.Sprintf("%s#%d.%s", name, i, form), Text: loaded("d."+form, damaged, parts)})
			}
		}
	}
	front.Hold(t, "testdata/damaged.txt", sections)
}

func file(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "documents", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// overrides are answers that a manifest states.
var overrides = []spec.Override{
	{Statuses: []string{"default"}}, {Statuses: []string{"200", "4XX"}}, {Statuses: []string{"299"}},
	{Schema: `{"type":"object","properties":{"a":{"$ref":"#/components/schemas/Money"}}}`}, {Schema: `{"$ref":"#/definitions/Item"}`}, {Schema: `{"type":`},
}

// loaded reads all operations of a document, as they are and with another
// answer, and cuts them out of it.
func loaded(name, text, parts string) string {
	fsys := fstest.MapFS{"docs/" + name: {Data: []byte(text)}, "docs/parts.yaml": {Data: []byte(parts)}, "docs/modern.yaml": {Data: []byte(text)}}
	all, findings := spec.Index(fsys, "docs/"+name)
	source := spec.Source{API: "a", File: "docs/" + name}
	bare := source
	for i, s := range all {
		bare.Wants = append(bare.Wants, spec.Want{Method: s.Method, Path: s.Path})
		if i%2 == 0 {
			source.Wants = append(source.Wants, spec.Want{Method: s.Method, Path: s.Path, Answer: &overrides[i/2%len(overrides)]})
		}
	}
	source.Wants = append(source.Wants, bare.Wants...)
	set, more := spec.Load(fsys, []spec.Source{source})
	excerpt, last := spec.Excerpt(fsys, bare)
	return front.Findings(fsys, findings) + front.Findings(fsys, more) + front.Dump(set) + string(excerpt) + front.Findings(fsys, last)
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
