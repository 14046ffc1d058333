package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v4"
)

// TestSchemaIsFresh: what editors of vendors read is the table of keys.
func TestSchemaIsFresh(t *testing.T) {
	written, err := os.ReadFile("../../docs/sculpt.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(Schema()) {
		t.Error("docs/sculpt.schema.json is of another table: go run ./cmd/sculpt schema > docs/sculpt.schema.json")
	}
}

// TestSchemaAgrees holds the editor schema against what Parse says.
func TestSchemaAgrees(t *testing.T) {
	if !bytes.Equal(Schema(), Schema()) {
		t.Fatal("the schema differs from call to call")
	}
	schema, err := jsonschema.CompileString("sculpt.schema.json", string(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		from, to string
		valid    bool
	}{
		{"", "", true},
		{"version: 1", "version: 0", false},
		{"version: 1", "version: one", false},
		{"version: 1", "verison: 1", false},
		{"version: 1", "version: 1\n    localization: {pt-BR: {description: Acha., when_to_use: Sempre.}}\n    prerequisites: {tools: [find]}", true},
		{"version: 1", "version: 1\n    localization: {german: {description: Findet., when_to_use: Immer.}}", false},
		{"version: 1", "version: 1\n    localization: {de: {description: Findet.}}", false},
		{"version: 1", "version: 1\n    homepage: javascript:alert(1)", false},
		{"version: 1", "version: 1\n    feedback: {progress: It moves.}", false},
		{"version: 1", "version: 1\n    effects: {creates: [pull_request, label on it], deletes: [], cost: free, duration: 10-90m}", true},
		{"version: 1", "version: 1\n    effects: {creates: [' ']}", false},
		{"version: 1", "version: 1\n    effects: {modifies: ['']}", false},
		{"version: 1", "version: 1\n    effects: {deletes: order}", false},
		{"version: 1", "version: 1\n    effects: {cost: much}", false},
		{"version: 1", "version: 1\n    effects: {duration: 1m-2m}", false},
		{"  find:", "  Find:", false},
		{"{description: A name.}", "{}", true}, // from may stand for it
		{"{description: A name.}", "{description: A name., type: integer}", false},
		{"{description: A name.}", "{description: A name., values: {NOW: Now., LATER: {text: Later., send: 5}}}", true},
		{"{description: A name.}", "{description: A name., values: {now: Now.}}", false},
		{"{description: A name.}", "{description: A name., mcp_header: a!#$%&'*+-.^_|~9Z}", true},
		{"{description: A name.}", "{description: A name., mcp_header: ''}", false},
		{"{description: A name.}", "{description: A name., mcp_header: My Name}", false},
		{"{description: A name.}", "{description: A name., mcp_header: Näme}", false},
		{"{description: A name.}", "{description: A name., mcp_header: [Name]}", false},
		{"{description: A name.}", "{description: A name., mcp_header: " + strings.Repeat("n", 65) + "}", false},
		{"{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: 1m30s}", true},
		{"{openapi: geo.yaml}", "{openapi: geo.yaml, timeout: 10}", false},
		{"{openapi: geo.yaml}", "{}", false},
		{"sculpt: 1\n", "", false},
		{"sculpt: 1\n", "sculpt: 1\ninclude: [more.yaml, parts/a.yaml]\n", true},
		{"sculpt: 1\n", "sculpt: 1\ninclude: more.yaml\n", false},
	}
	for _, c := range cases {
		err := schema.Validate(plainValue(t, strings.Replace(base, c.from, c.to, 1)))
		if (err == nil) != c.valid {
			t.Errorf("%s: %v", c.to, err)
		}
	}
	if err := schema.Validate(plainValue(t, weather)); err != nil {
		t.Errorf("weather: %v", err)
	}
	for part, valid := range map[string]bool{
		"constants: {a: 1}": true, "tools: {}\nflows: {}": true, "constants: {a-b: 1}": false, "package: shop": false, "include: [a.yaml]": false, "policy: a2t": false,
	} {
		if err := schema.Validate(plainValue(t, part)); (err == nil) != valid {
			t.Errorf("a part with %s: %v", part, err)
		}
	}
}

// TestLaterKeys uses each key of a tool, of its call and of the manifest that
// does not work yet: [Parse] and the schema refuse it by name.
func TestLaterKeys(t *testing.T) {
	schema, err := jsonschema.CompileString("sculpt.schema.json", string(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Keys {
		name, found := strings.CutPrefix(k.Path, "tools.*.")
		before, place := "version: 1", "version: 1\n    "+name+": 1"
		if !found {
			name, before, place = k.Path, "toolkit:", k.Path+": 1\ntoolkit:"
		}
		if k.Status != Later || strings.Contains(name, ".") {
			continue
		}
		text := strings.Replace(base, before, place, 1)
		want := fmt.Sprintf("%q is not supported yet: %s", name, lowerFirst(k.Text))
		if _, list := Parse("f", []byte(text)); len(list) != 1 || list[0].Rule.String() != "not-supported-yet" || list[0].Message != want {
			t.Errorf("got %v, want %s", list, want)
		}
		if schema.Validate(plainValue(t, text)) == nil {
			t.Errorf("the schema allows %s", k.Path)
		}
	}
}

func plainValue(t *testing.T, src string) any {
	t.Helper()
	var v any
	if err := yaml.Load([]byte(src), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(texts(v))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestKeysAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys {
		if seen[k.Path] || k.Text == "" || k.Type == "" || !strings.HasSuffix(k.Text, ".") {
			t.Errorf("%s is twice or incomplete", k.Path)
		}
		seen[k.Path] = true
	}
	for path := range seen {
		if i := strings.LastIndex(path, "."); i > 0 && !seen[path[:i]] {
			t.Errorf("%s has no parent row", path)
		}
	}
}
