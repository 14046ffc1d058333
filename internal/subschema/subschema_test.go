package subschema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/sculpt-tools/sculpt/internal/subschema"
)

func verdict(list []subschema.Difference) string {
	result := "works"
	for _, d := range list {
		if !d.Untold {
			return "breaks"
		}
		result = "untold"
	}
	return result
}

// TestCorpus holds the verdicts against the table, and the table against a foreign
// validator: what works has no value that the other side refuses, and what breaks
// has one.
func TestCorpus(t *testing.T) {
	counts := map[string]int{}
	for _, c := range corpus {
		t.Run(c.name, func(t *testing.T) {
			for _, side := range []struct {
				of, want     string
				narrow, wide string
				judge        func(old, new json.RawMessage) []subschema.Difference
			}{{"inputs", c.inputs, c.old, c.new, subschema.Inputs}, {"outputs", c.outputs, c.new, c.old, subschema.Outputs}} {
				list := side.judge(json.RawMessage(c.old), json.RawMessage(c.new))
				want := strings.Replace(side.want, "unheard", "breaks", 1)
				if got := verdict(list); got != want {
					t.Errorf("%s: %s, want %s: %+v", side.of, got, want, list)
				}
				counts[side.want]++
				refused := counterexample(t, side.narrow, side.wide, side.of == "outputs", 6000)
				if side.want == "works" && refused != nil || side.want == "unheard" && refused != nil || side.want == "breaks" && refused == nil {
					t.Errorf("%s: %s is said, and the validator refuses %s", side.of, side.want, refused)
				}
			}
		})
	}
	t.Logf("%d pairs: %v", len(corpus), counts)
	if len(corpus) < 40 || counts["works"] < 30 || counts["breaks"] < 30 || counts["untold"] < 8 {
		t.Errorf("too few: %d pairs, %v", len(corpus), counts)
	}
}

// counterexample looks for a value of narrow that wide refuses, nil if none is
// found.
func counterexample(t *testing.T, narrow, wide string, answers bool, tries int) json.RawMessage {
	t.Helper()
	if strings.Contains(narrow+wide, "https:") || strings.Contains(narrow+wide, `"exclusiveMinimum":true`) || narrow == "" && answers {
		return refusedByHand(narrow, wide)
	}
	if !answers && narrow == "" {
		narrow = `{"type":"object"}`
	}
	a, b := decoded(t, narrow), decoded(t, wide)
	sent := compiled(t, closed(a, true))
	if answers {
		b = opened(b)
	}
	taken := compiled(t, b)
	g := &values{r: rand.New(rand.NewPCG(7, 11))}
	valid := 0
	for range tries {
		v := g.value(a, a, 0)
		if sent.Validate(v) != nil {
			continue
		}
		valid++
		if taken.Validate(v) != nil {
			text, _ := json.Marshal(v)
			return text
		}
	}
	if tries > 1000 && valid < 20 {
		t.Errorf("only %d values of %s", valid, narrow)
	}
	return nil
}

// refusedByHand answers for what the validator does not read: a foreign reference
// is not decided, a boolean exclusive bound equals the other form, and no schema
// promises nothing.
func refusedByHand(narrow, wide string) json.RawMessage {
	if narrow == "" && wide != "" {
		return json.RawMessage(`{"a":1}`)
	}
	return nil
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return true
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func compiled(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	s, err := jsonschema.CompileString("schema.json", string(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// closed is what is sent: the members that a schema names.
func closed(s any, root bool) any {
	return changed(s, func(m map[string]any) {
		_, stated := m["additionalProperties"]
		_, names := m["properties"]
		if !stated && names && m["if"] == nil {
			m["additionalProperties"] = false
		}
	}, root)
}

// opened is what a reader understands: more members do no harm.
func opened(s any) any {
	return changed(s, func(m map[string]any) {
		if m["additionalProperties"] == false {
			delete(m, "additionalProperties")
		}
	}, false)
}

func changed(s any, change func(map[string]any), root bool) any {
	switch s := s.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, v := range s {
			out[key] = changed(v, change, false)
		}
		if root && out["type"] == "object" && out["properties"] == nil {
			out["properties"] = map[string]any{}
		}
		change(out)
		return out
	case []any:
		out := []any{}
		for _, v := range s {
			out = append(out, changed(v, change, false))
		}
		return out
	}
	return s
}

// values makes random values near the bounds of schemas.
type values struct {
	r *rand.Rand
}

var atoms = []any{nil, true, false, 0.0, 1.0, 2.0, -1.0, 0.5, 3.0, 6.0, 8.0, 12.0, 100.0, "", "a", "x", "y", "z", "abcdefgh", "abcdefghi", "A1"}

func (g *values) pick(list []any) any { return list[g.r.IntN(len(list))] }

func (g *values) value(s, root any, depth int) any {
	m, ok := s.(map[string]any)
	if !ok || depth > 6 || g.r.IntN(20) == 0 {
		return g.pick(atoms)
	}
	if ref, ok := m["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		return g.value(root.(map[string]any)["$defs"].(map[string]any)[name], root, depth+1)
	}
	if list, ok := m["enum"].([]any); ok {
		return g.pick(list)
	}
	if v, ok := m["const"]; ok {
		return v
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := m[key].([]any); ok {
			return g.value(g.pick(list), root, depth)
		}
	}
	kind := m["type"]
	if list, ok := kind.([]any); ok {
		kind = g.pick(list)
	}
	switch kind {
	case "integer", "number":
		return g.number(m)
	case "string":
		return g.text(m)
	case "array":
		return g.array(m, root, depth)
	case "object":
		return g.object(m, root, depth)
	case "boolean":
		return g.r.IntN(2) == 0
	case "null":
		return nil
	}
	return g.pick(atoms)
}

func (g *values) number(m map[string]any) any {
	n := g.pick([]any{0.0, 1.0, 2.0, 3.0, -4.0, 0.5, 6.0, 12.0, 100.0}).(float64)
	if at, ok := m[g.pick([]any{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}).(string)].(float64); ok {
		n = at + g.pick([]any{-1.0, -0.5, 0.0, 0.5, 1.0}).(float64)
	}
	if step, ok := m["multipleOf"].(float64); ok {
		n = step * float64(g.r.IntN(9)-4)
	}
	return n
}

func (g *values) text(m map[string]any) any {
	n := g.r.IntN(4)
	if at, ok := m[g.pick([]any{"minLength", "maxLength"}).(string)].(float64); ok {
		n = int(at)
	}
	if m["format"] == "date" {
		return "2020-01-02"
	}
	if pattern, _ := m["pattern"].(string); strings.HasPrefix(pattern, "^x") {
		return "xabcdefgq"
	}
	return strings.Repeat(g.pick([]any{"a", "1", "é"}).(string), n)
}

func (g *values) array(m map[string]any, root any, depth int) any {
	n := g.r.IntN(4)
	if at, ok := m["maxItems"].(float64); ok && g.r.IntN(2) == 0 {
		n = int(at)
	}
	list := []any{}
	for range n {
		v := g.value(m["items"], root, depth+1)
		if prefix, ok := m["prefixItems"].([]any); ok && len(list) < len(prefix) {
			v = g.value(prefix[len(list)], root, depth+1)
		}
		list = append(list, v)
	}
	return list
}

func (g *values) object(m map[string]any, root any, depth int) any {
	out := map[string]any{}
	properties, _ := m["properties"].(map[string]any)
	required, _ := m["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || g.r.IntN(3) > 0 {
			out[name] = g.value(properties[name], root, depth+1)
		}
	}
	if m["additionalProperties"] == nil && len(properties) > 0 {
		return out
	}
	for range g.r.IntN(3) {
		out[g.pick([]any{"a", "b", "c", "aa", "bb"}).(string)] = g.value(m["additionalProperties"], root, depth+1)
	}
	return out
}

// A random schema changed in a random place: whatever is said to work has no
// counterexample, and a schema works with itself.
func TestRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	said := map[string]int{}
	for i := range 800 {
		a := randomSchema(r, 0)
		b := mutated(r, a)
		if i%5 == 0 {
			b = randomSchema(r, 0)
		}
		old, new := text(t, a), text(t, b)
		if list := subschema.Inputs(json.RawMessage(old), json.RawMessage(old)); list != nil {
			t.Fatalf("%s does not work with itself: %v", old, list)
		}
		for _, answers := range []bool{false, true} {
			narrow, wide, list := old, new, subschema.Inputs(json.RawMessage(old), json.RawMessage(new))
			if answers {
				narrow, wide, list = new, old, subschema.Outputs(json.RawMessage(old), json.RawMessage(new))
			}
			said[fmt.Sprint(verdict(list), answers)]++
			if verdict(list) != "works" {
				continue
			}
			if v := counterexample(t, narrow, wide, answers, 300); v != nil {
				t.Fatalf("answers %v: %s -> %s is said to work, and %s is refused", answers, old, new, v)
			}
		}
	}
	t.Log(said)
	if said["workstrue"] < 80 || said["worksfalse"] < 80 || said["breakstrue"] < 100 || said["breaksfalse"] < 100 {
		t.Errorf("one-sided: %v", said)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// randomSchema makes one of an object, with what the table of keywords has.
func randomSchema(r *rand.Rand, depth int) map[string]any {
	if depth > 0 && (depth > 2 || r.IntN(2) == 0) {
		return scalarSchema(r)
	}
	if depth > 0 && r.IntN(3) == 0 {
		return map[string]any{"type": "array", "items": randomSchema(r, depth+1)}
	}
	properties := map[string]any{}
	required := []any{}
	for _, name := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		properties[name] = randomSchema(r, depth+1)
		if r.IntN(3) == 0 {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "required": required}
	switch r.IntN(5) {
	case 0:
		s["additionalProperties"] = false
	case 1:
		s["additionalProperties"] = scalarSchema(r)
	}
	return s
}

func scalarSchema(r *rand.Rand) map[string]any {
	s := map[string]any{"type": []any{"integer", "number", "string", "boolean"}[r.IntN(4)]}
	switch s["type"] {
	case "integer", "number":
		if r.IntN(2) == 0 {
			s[[]string{"minimum", "exclusiveMinimum"}[r.IntN(2)]] = float64(r.IntN(3))
		}
		if r.IntN(2) == 0 {
			s[[]string{"maximum", "exclusiveMaximum"}[r.IntN(2)]] = float64(3 + r.IntN(3))
		}
		if r.IntN(4) == 0 {
			s["multipleOf"] = float64(1 + r.IntN(3))
		}
	case "string":
		if r.IntN(2) == 0 {
			s["maxLength"] = float64(1 + r.IntN(3))
		}
		if r.IntN(3) == 0 {
			s["enum"] = []any{"x", "y", "z"}[:1+r.IntN(3)]
		}
	}
	if r.IntN(4) == 0 && s["enum"] == nil {
		return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
	}
	return s
}

// mutated is a copy with one part made anew.
func mutated(r *rand.Rand, s map[string]any) map[string]any {
	out := changed(s, func(map[string]any) {}, false).(map[string]any)
	properties, _ := out["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	switch {
	case len(names) > 0 && r.IntN(3) > 0:
		name := names[r.IntN(len(names))]
		properties[name] = mutated(r, properties[name].(map[string]any))
	case out["items"] != nil:
		out["items"] = mutated(r, out["items"].(map[string]any))
	case len(names) > 0:
		out["required"] = []any{names[r.IntN(len(names))]}
	default:
		return scalarSchema(r)
	}
	return out
}

// What strangers write ends, whatever it is.
func TestHostileSchemas(t *testing.T) {
	nested := strings.Repeat(`{"items":`, 5000) + "1" + strings.Repeat("}", 5000)
	wide := `{"anyOf":[` + strings.Repeat(`{"anyOf":[{"type":"string","maxLength":1},{"type":"string","minLength":3}]},`, 400) + `{"type":"null"}]}`
	loop := `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`
	deep := `{"type":["object","null"],"properties":{"x":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`
	for _, old := range []string{nested, wide, loop, deep, `{"minimum":1e999999999}`, `{"a":1,"a":2}`, `{} {}`, `{"type":5}`, `{"pattern":"("}`, `[]`} {
		for _, new := range []string{`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`, strings.ReplaceAll(wide, `"minLength":3`, `"minLength":4`), strings.Replace(deep, `"null"`, `"integer"`, 1)} {
			if verdict(subschema.Inputs(json.RawMessage(old), json.RawMessage(new))) == "works" && old != new {
				t.Errorf("%.60s -> %.60s works", old, new)
			}
			subschema.Outputs(json.RawMessage(old), json.RawMessage(new))
		}
	}
}

// A keyword that is not written as JSON Schema has it decides nothing.
func TestMalformedSchemas(t *testing.T) {
	const plain = `{"type":"object","properties":{"a":{"type":"string"}}}`
	for _, bad := range []string{
		`{"type":5}`, `{"type":["string",5]}`, `{"type":"string","required":true}`, `{"type":"string","pattern":5}`, `{"type":"string","enum":"x"}`, `{"type":"string","maxLength":"x"}`,
		`{"type":"object","properties":[]}`, `{"anyOf":{}}`, `5`, `"string"`, `{"type":"string","uniqueItems":"yes"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"#nowhere"}`,
	} {
		wrong := json.RawMessage(strings.Replace(plain, `{"type":"string"}`, bad, 1))
		if got := verdict(subschema.Inputs(json.RawMessage(plain), wrong)); got == "works" {
			t.Errorf("arguments for %s work", bad)
		}
		if got := verdict(subschema.Outputs(wrong, json.RawMessage(plain))); got == "works" {
			t.Errorf("answers for %s work", bad)
		}
	}
}
