package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// words is text as vendors and upstream documents write it, well or not.
func words() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"A text.", "no stop", "<b>&\"'\u2028", "Ünïcode 🌍", "a\nb\tc", "100 %d", "\xff\xfe"}),
		rapid.StringN(1, 40, 200),
	)
}

// hostileText also makes what no protocol accepts.
func hostileText() *rapid.Generator[string] {
	return rapid.OneOf(words(), rapid.SampledFrom([]string{"", strings.Repeat("ä", 1025), strings.Repeat("x", 1999), strings.Repeat("x", 2000), strings.Repeat("x", 2001)}))
}

// drawer draws parts of a signature; a careful one draws legal parts only, any
// other an illegal one now and then.
type drawer struct {
	*rapid.T
	careful bool
}

func (d drawer) reckless() bool {
	return !d.careful && rapid.IntRange(0, 39).Draw(d.T, "reckless") == 0
}

func (d drawer) text(label string) string {
	if !d.reckless() {
		return words().Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(d.T, label)
	}
	return hostileText().Draw(d.T, label)
}

// name draws a legal name, or now and then an illegal one.
func (d drawer) name(label, form string, illegal ...string) string {
	if !d.reckless() {
		return rapid.StringMatching(form).Draw(d.T, label)
	}
	return rapid.SampledFrom(illegal).Draw(d.T, label)
}

func (d drawer) values() []signature.Value {
	least, reckless := 1, d.reckless()
	if reckless {
		least = 0
	}
	var values []signature.Value
	seen := map[string]bool{}
	for range rapid.IntRange(least, 4).Draw(d.T, "values") {
		v := signature.Value{Name: d.name("value", `[A-Z]{1,6}(_[A-Z0-9]{1,4})?`, "", "lower", "A__B", strings.Repeat("A", 256)), Text: d.text("value text")}
		if !reckless && seen[v.Name] {
			continue
		}
		seen[v.Name] = true
		values = append(values, v)
	}
	return values
}

func (d drawer) input(i int) signature.Input {
	in := signature.Input{
		ID:          d.name("id", `[a-z]{1,8}`, "", strings.Repeat("i", 256)) + fmt.Sprint(i),
		Name:        d.name("input", `[a-z][a-z0-9_]{0,20}`, "", "City", "a b", strings.Repeat("n", 65)),
		Description: d.text("description"), Required: rapid.Bool().Draw(d.T, "required"),
	}
	if !d.reckless() {
		in.Name += fmt.Sprint(i)
	}
	kinds := []signature.Type{signature.String, signature.Int, signature.Boolean, signature.Enum}
	if d.reckless() {
		kinds = append(kinds, signature.JSON, "number", "")
	}
	in.Type = rapid.SampledFrom(kinds).Draw(d.T, "type")
	switch in.Type {
	case signature.String:
		in.MinLength, in.MaxLength = rapid.IntRange(0, 3).Draw(d.T, "min length"), rapid.IntRange(3, 50).Draw(d.T, "max length")
		if d.reckless() {
			in.MaxLength = rapid.IntRange(-1, 5).Draw(d.T, "max length")
			in.Pattern = rapid.SampledFrom([]string{"", "^[a-z|<>&]+$", "(", "a{2}"}).Draw(d.T, "pattern")
		}
	case signature.Int:
		in.Min, in.Max = rapid.Int64Range(-1<<31, 10).Draw(d.T, "min"), rapid.Int64Range(5, 1<<40).Draw(d.T, "max")
		if !d.reckless() {
			in.Min = min(in.Min, in.Max)
		}
		if !in.Required && rapid.Bool().Draw(d.T, "has default") {
			in.Default = in.Max
		}
	case signature.Enum:
		if in.Values = d.values(); len(in.Values) > 0 && !in.Required {
			in.Default = in.Values[0].Name
		}
	}
	return in
}

// schema draws a type of a json output, at most a few levels deep.
func (d drawer) schema(depth int) *types.Type {
	scalars := []*types.Type{types.BoolType, types.IntType, types.UintType, types.DoubleType, types.StringType, types.NullType, types.EnumOf("a", "b"), types.DynOf("free")}
	if depth == 0 {
		return rapid.SampledFrom(scalars).Draw(d.T, "scalar")
	}
	inner := func() *types.Type { return d.schema(depth - 1) }
	switch rapid.IntRange(0, 4).Draw(d.T, "shape") {
	case 0:
		l := types.ListOf(inner())
		l.NullableElem = rapid.Bool().Draw(d.T, "nulls")
		return l
	case 1:
		return types.MapOf(types.StringType, inner())
	case 2:
		r := &types.Type{Kind: types.Object, Record: true}
		for i := range rapid.IntRange(0, 3).Draw(d.T, "fields") {
			r.Fields = append(r.Fields, &types.Field{Name: words().Draw(d.T, "field") + fmt.Sprint(i), Type: inner(), Optional: rapid.Bool().Draw(d.T, "optional")})
		}
		return r
	case 3:
		return &types.Type{Kind: types.Union, Variants: []*types.Type{inner(), inner()}}
	}
	return inner()
}

func (d drawer) output(i int) signature.Output {
	out := signature.Output{
		ID: fmt.Sprint("o", i), Name: d.name("output", `[a-z][a-z0-9_]{0,20}`, "", "Out Put") + fmt.Sprint(i), Description: d.text("description"),
		Optional: rapid.Bool().Draw(d.T, "optional"),
		Type:     rapid.SampledFrom([]signature.Type{signature.String, signature.Int, signature.Boolean, signature.Enum, signature.JSON}).Draw(d.T, "type"),
	}
	switch out.Type {
	case signature.Enum:
		out.Values = d.values()
	case signature.JSON:
		out.Schema = d.schema(rapid.IntRange(0, 4).Draw(d.T, "depth"))
	}
	return out
}

func (d drawer) signature() *signature.Signature {
	s := &signature.Signature{
		ID:       d.name("tool id", `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`, "", "UPPER", "6F9D3A52-1C1E-5C0B-9D0E-0F4B1F0B7A11"),
		Name:     d.name("tool", `[a-z]{4,9}(_[a-z0-9]{1,9}){0,3}`, "", "Lookup Weather", "a__b", "a_", strings.Repeat("t", 65), "aux"),
		Toolkit:  d.name("toolkit", `[A-Z][A-Za-z0-9]{0,9}`, "", "My Kit", "a.b"),
		ToolName: d.name("tool name", `[A-Z][A-Za-z0-9]{0,9}`, "", "x-y"),
		Title:    d.text("title"), Description: d.text("description"),
		Version: rapid.IntRange(1, 12).Draw(d.T, "version"),
		Tags:    rapid.SampledFrom([][]string{nil, {"a"}, {"a", "b"}}).Draw(d.T, "tags"),
		Needs: signature.Needs{
			UserID: rapid.Bool().Draw(d.T, "user id"), Claims: []string{"sub"},
			Secrets: rapid.SliceOfN(words(), 0, 2).Draw(d.T, "secrets"), Tokens: rapid.SliceOfN(words(), 0, 2).Draw(d.T, "tokens"),
		},
	}
	if rapid.Bool().Draw(d.T, "says when") {
		s.WhenToUse = d.text("when to use")
	}
	least := 1
	if d.reckless() {
		least = 0
		s.Version = rapid.IntRange(-1, 3).Draw(d.T, "version")
		s.Tags = rapid.SampledFrom([][]string{nil, {"a"}, {""}, {"a", "a"}}).Draw(d.T, "tags")
	}
	for i := range rapid.IntRange(0, 4).Draw(d.T, "inputs") {
		s.Inputs = append(s.Inputs, d.input(i))
	}
	for i := range rapid.IntRange(least, 3).Draw(d.T, "outputs") {
		s.Outputs = append(s.Outputs, d.output(i))
	}
	return s
}

// TestWhatPassesIsValid draws legal and illegal signatures: a document without
// an error finding satisfies the schemas of its protocols.
func TestWhatPassesIsValid(t *testing.T) {
	j := newJudges(t)
	passed, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawer{t, false}.signature()
		files, findings := export.Documents([]*signature.Signature{s})
		if findings.HasErrors() {
			if files != nil {
				t.Fatalf("files in spite of %v", findings)
			}
			refused++
			return
		}
		passed++
		out := map[string][]byte{}
		for _, f := range files {
			out[f.Name] = f.Data
		}
		j.judge(t, out)
	})
	if passed == 0 || refused == 0 {
		t.Errorf("%d passed, %d were refused", passed, refused)
	}
}

// TestLegalPasses draws legal signatures only, so that the test above cannot
// succeed by refusing everything.
func TestLegalPasses(t *testing.T) {
	j := newJudges(t)
	rapid.Check(t, func(t *rapid.T) {
		s := drawer{t, true}.signature()
		files := documents(t, s)
		j.judge(t, files)
		for name, data := range files {
			lines := 1
			if tools := functionTools(parse(t, data)); tools != nil {
				lines += 1 + len(tools)
			}
			if bytes.Count(data, []byte("\n")) != lines || data[len(data)-1] != '\n' {
				t.Fatalf("%s has not %d lines: %s", name, lines, data)
			}
			if bytes.Contains(data, []byte(`"$ref"`)) {
				t.Fatalf("%s refers to something: %s", name, data)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, data); err != nil || compact.String() != strings.ReplaceAll(string(data), "\n", "") {
				t.Fatalf("%s is not compact: %s", name, data)
			}
		}
		checkInputs(t, s, files[fmt.Sprintf("otc/%s.v%d.json", s.Name, s.Version)])
	})
}

// checkInputs lets the schema of the inputs judge values at their bounds.
func checkInputs(t *rapid.T, s *signature.Signature, definition []byte) {
	_, oxp := pure(t, definition)
	raw, err := json.Marshal(oxp["input_schema"])
	if err != nil {
		t.Fatal(err)
	}
	c := compiler()
	if err := c.AddResource("input.json", bytes.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("input.json")
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	legal := map[string]any{}
	for _, in := range s.Inputs {
		legal[in.Name] = atBound(in, 0)
	}
	if err := schema.Validate(legal); err != nil {
		t.Fatalf("%#v: %s", err, raw)
	}
	refused := func(change string, inputs map[string]any) {
		if schema.Validate(inputs) == nil {
			t.Fatalf("%s is accepted: %v by %s", change, inputs, raw)
		}
	}
	for _, in := range s.Inputs {
		beyond := with(legal, in.Name, atBound(in, 1))
		refused(in.Name+" beyond its bound", beyond)
		missing := with(legal, in.Name, nil)
		delete(missing, in.Name)
		if got := schema.Validate(missing) != nil; got != in.Required {
			t.Fatalf("%s left out: refused is %v, required is %v", in.Name, got, in.Required)
		}
	}
	refused("an unknown input", with(legal, "unknown input", true))
}

func with(m map[string]any, name string, v any) map[string]any {
	out := map[string]any{name: v}
	for k, v := range m {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// atBound is the largest legal value of an input, or one beyond.
func atBound(in signature.Input, beyond int) any {
	switch in.Type {
	case signature.String:
		return strings.Repeat("ä", in.MaxLength+beyond)
	case signature.Int:
		return float64(in.Max + int64(beyond))
	case signature.Enum:
		return in.Values[0].Name + strings.Repeat(" ", beyond)
	}
	if beyond > 0 {
		return "true"
	}
	return true
}

// TestOrder renders a set of tools in two orders.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sigs []*signature.Signature
		seen := map[string]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "tools") {
			s := drawer{t, true}.signature()
			if !seen[s.Name] {
				sigs = append(sigs, s)
			}
			seen[s.Name] = true
		}
		one, _ := export.Documents(sigs)
		two, _ := export.Documents(rapid.Permutation(sigs).Draw(t, "order"))
		for i := range one {
			if one[i].Name != two[i].Name || !bytes.Equal(one[i].Data, two[i].Data) {
				t.Fatalf("file %d: %s and %s", i, one[i].Name, two[i].Name)
			}
		}
	})
}
