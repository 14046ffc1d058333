package corpus_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// A variantDrawer draws small schemas with variants, and bodies that nearly fit.
type variantDrawer struct{ *rand.Rand }

var drawnNames = []string{"a", "b", "c", "kind"}

func (d variantDrawer) scalar() tree {
	switch d.IntN(7) {
	case 0:
		return tree{"type": "string"}
	case 1:
		return tree{"type": "integer"}
	case 2:
		return tree{"type": "boolean"}
	case 3:
		return tree{"type": "string", "enum": []any{"x", "y"}}
	case 4:
		return tree{"const": []any{"x", "y", 1, true}[d.IntN(4)]}
	case 5:
		return tree{"type": []any{"string", "null"}}
	}
	return tree{"type": "array", "items": tree{"type": "string"}}
}

func (d variantDrawer) object(depth int) tree {
	properties, required := tree{}, []any{}
	for _, name := range drawnNames {
		if d.IntN(2) == 0 {
			continue
		}
		properties[name] = d.schema(depth - 1)
		if d.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	out := tree{"type": "object", "properties": properties, "required": required}
	switch d.IntN(4) {
	case 0:
		out["additionalProperties"] = false
	case 1:
		out["additionalProperties"] = d.scalar()
	}
	return out
}

// schema draws a scalar, an object, or a choice, with assertions beside it.
func (d variantDrawer) schema(depth int) tree {
	switch {
	case depth <= 0 || depth < 3 && d.IntN(2) == 0:
		return d.scalar()
	case depth < 3 && d.IntN(2) == 0:
		return d.object(depth)
	}
	var variants []any
	for range 2 + d.IntN(2) {
		variants = append(variants, d.object(depth-1))
	}
	if d.IntN(4) == 0 {
		variants = append(variants, tree{"type": "null"})
	}
	key := []string{"oneOf", "anyOf"}[d.IntN(2)]
	switch d.IntN(3) {
	case 0:
		return tree{"allOf": []any{d.object(depth - 1), tree{key: variants}}}
	case 1:
		out := d.object(depth - 1)
		out[key] = variants
		return out
	}
	return tree{key: variants}
}

func (d variantDrawer) value(depth int) any {
	switch n := d.IntN(9); {
	case n < 3:
		return []any{"x", "y", "z"}[n]
	case n == 3:
		return d.IntN(3)
	case n == 4:
		return true
	case n == 5:
		return []any{"x"}
	case n == 6 && depth < 3:
		return nil
	case depth > 0:
		return d.body(depth - 1)
	}
	return "x"
}

func (d variantDrawer) body(depth int) tree {
	out := tree{}
	for _, name := range drawnNames {
		if d.IntN(2) == 0 {
			out[name] = d.value(depth)
		}
	}
	return out
}

// minimal is a body that a schema accepts if none of its parts are against each other:
// what is required of the first variant, or of another one.
func (d variantDrawer) minimal(schema tree, pick int) any {
	m := &valueMaker{pick: pick}
	return m.value(schema, 0)
}

// Whatever schema with variants there is and whatever is bound: what sculpt has nothing
// against is sent as bound, and a foreign validator accepts it. Of what the validator
// accepts, sculpt refuses nothing but members that the variants which fit do not name.
func TestVariantsAgainstAForeignValidator(t *testing.T) {
	d := variantDrawer{rand.New(rand.NewPCG(15, 16))}
	const rounds, tries = 250, 12
	clean, refused, legal := 0, 0, 0
	for range rounds {
		schema := plainJSON(d.schema(3)).(tree)
		judge, err := jsonschema.CompileString("s.json", jsonText(schema))
		if err != nil {
			t.Fatal(err)
		}
		set := variantSet(t, schema)
		for try := range tries {
			var body any = d.body(2)
			if try < 4 {
				body = d.minimal(schema, try)
			}
			if _, ok := body.(tree); !ok {
				continue
			}
			body = plainJSON(body)
			valid := judge.Validate(body) == nil
			text := variantManifest(jsonText(body))
			p, _, findings := planned(text, set)
			switch errors, warned := refusals(findings); {
			case errors == "" && !warned:
				clean++
				got := sent(t, p)[0].Body
				if jsonText(decoded(t, got)) != jsonText(body) {
					t.Errorf("%s is sent as %s", jsonText(body), got)
				}
				if !valid {
					t.Errorf("schema %s\nbody %s\nlints, and the validator says %v", jsonText(schema), got, judge.Validate(body))
				}
			case errors != "":
				refused++
				if valid && !onlyUnknown(errors) {
					t.Errorf("schema %s\nbody %s\nis valid, and refused: %s", jsonText(schema), jsonText(body), errors)
				}
			}
			if valid {
				legal++
			}
		}
	}
	t.Logf("%d lint, %d are refused, %d are valid", clean, refused, legal)
	if clean < 100 || refused < 100 {
		t.Errorf("%d lint and %d are refused: too few to tell", clean, refused)
	}
}

// onlyUnknown reports whether all that is wrong are members that no variant which fits
// has a name for: a validator lets them pass where a schema is open.
func onlyUnknown(errors string) bool {
	for one := range strings.SplitSeq(strings.TrimSuffix(errors, "; "), "; ") {
		if !strings.HasPrefix(one, "unknown-member: ") {
			return false
		}
	}
	return true
}

func refusals(findings diag.List) (errors string, warned bool) {
	for _, f := range findings {
		if f.Severity == diag.Error {
			errors += f.Rule.String() + ": " + f.Message + "; "
		}
		warned = warned || f.Rule.String() == "ambiguous-variant"
	}
	return errors, warned
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	return v
}

func variantManifest(body string) string {
	return fmt.Sprintf("sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {a: {openapi: a.json}}\n"+
		"tools: {t: {version: 1, description: Sends., inputs: {n: {type: int, description: N., min: 0, max: 9}}, "+
		"steps: {s: {call: a.op, body: %s}}, outputs: {n: {value: '${input.n}', description: N.}}}}\n", strings.ReplaceAll(body, ":", ": "))
}

func variantSet(t *testing.T, schema tree) *spec.Set {
	t.Helper()
	document := jsonText(tree{
		"openapi": "3.1.0", "info": tree{"title": "T", "version": "1"}, "servers": []tree{{"url": "https://a.example"}},
		"paths": tree{"/x": tree{"post": tree{
			"operationId": "op", "requestBody": tree{"content": tree{"application/json": tree{"schema": schema}}}, "responses": tree{"204": tree{"description": "D."}},
		}}},
	})
	m, findings := manifest.Parse("sculpt.yaml", []byte(variantManifest("{}")))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	set, findings := spec.Load(fstest.MapFS{"a.json": {Data: []byte(document)}}, resolve.Sources(m))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return set
}
