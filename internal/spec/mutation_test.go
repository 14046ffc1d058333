package spec_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// replacements are what a mutation puts in place of any value.
var replacements = strings.Split(`null true false 0 -1 1.5 1e300 "" "string" "object" "/" "#" "{" [] ["string","null"] [{"type":"string"}] {} `+
	`{"$ref":"#/components/schemas/Book"} {"$ref":"#/definitions/X"} {"$ref":"#"} {"$ref":"#/paths"} {"$ref":3} {"":{"$ref":""}} {"x-at":7} `+
	`{"type":"object","allOf":[{"$ref":"#/components/schemas/Person"}]} {"$ref":"#/components/schemas/Book","type":"string"}`, " ")

func replacement(r *rand.Rand) any {
	var v any
	if err := json.Unmarshal([]byte(replacements[r.IntN(len(replacements))]), &v); err != nil {
		panic(err)
	}
	return v
}

// mutate replaces, deletes or renames one value somewhere below v.
func mutate(r *rand.Rand, v any) any {
	if r.IntN(4) == 0 {
		return replacement(r)
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		// Maps have no order; the test must have one.
		key := keys[0]
		for _, k := range keys {
			key = min(key, k)
		}
		for i := r.IntN(len(keys)); i > 0; i-- {
			next := ""
			for _, k := range keys {
				if k > key && (next == "" || k < next) {
					next = k
				}
			}
			key = next
		}
		switch r.IntN(12) {
		case 0:
			delete(v, key)
		case 1:
			v[[]string{"type", "items", "allOf", "x-y", "{a}", "$ref", "enum"}[r.IntN(7)]] = v[key]
		default:
			v[key] = mutate(r, v[key])
		}
		return v
	case []any:
		if len(v) > 0 {
			i := r.IntN(len(v))
			v[i] = mutate(r, v[i])
		}
		return v
	}
	return replacement(r)
}

// mutations is how many documents are tried of each kind; 30,000 were once.
const mutations = uint64(1000)

// TestMutations loads documents with values in wrong places: nothing panics,
// the repaired slice is never refused, and what is missing is explained.
func TestMutations(t *testing.T) {
	golden.NotRaced(t)
	library, err := os.ReadFile("../../testdata/openapi/library.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"library": string(library), "swagger": smallSwagger} {
		t.Run(name, func(t *testing.T) {
			for seed := range mutations {
				r := rand.New(rand.NewPCG(seed, 1))
				var doc any
				if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
					t.Fatal(err)
				}
				doc = jsonLike(doc)
				for range 1 + r.IntN(4) {
					doc = mutate(r, doc)
				}
				data, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				fsys := fstest.MapFS{"a.json": {Data: data}}
				all, findings := spec.Index(fsys, "a.json")
				if findings.HasErrors() {
					continue
				}
				set, findings := spec.Load(fsys, []spec.Source{{API: "lib", File: "a.json", Wants: wantAll(all)}})
				for _, f := range findings {
					if f.Rule.String() == "broken-operation" && strings.Contains(f.Message, "cannot be read:") {
						t.Errorf("seed %d: %s\n%s", seed, f.Message, data)
					}
				}
				if len(set.APIs["lib"].Operations) < len(all) && !findings.HasErrors() {
					t.Errorf("seed %d: %d of %d operations, no error\n%s", seed, len(set.APIs["lib"].Operations), len(all), data)
				}
				shapeOf(set)
				if t.Failed() {
					break
				}
			}
		})
	}
}

// jsonLike makes texts of the keys that YAML reads as numbers.
func jsonLike(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := map[string]any{}
		for k, e := range v {
			data, _ := json.Marshal(k)
			out[strings.Trim(string(data), `"`)] = jsonLike(e)
		}
		return out
	case map[string]any:
		for k, e := range v {
			v[k] = jsonLike(e)
		}
	case []any:
		for i, e := range v {
			v[i] = jsonLike(e)
		}
	}
	return v
}
