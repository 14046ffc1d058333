package manifest

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// Every key that works is used in the manifests that the page and the editors take
// their examples from, at its own place or at one where it means the same.
func TestReferenceUsesEveryKey(t *testing.T) {
	for _, k := range Keys {
		n := exampleOf(k.Path)
		switch {
		case k.Status == Later && n != nil:
			t.Errorf("%s does not work yet, and has an example", k.Path)
		case k.Status == Built && n == nil:
			t.Errorf("%s has no example: use it in reference/sculpt.yaml", k.Path)
		}
	}
	// Both forms of a key that has two are used.
	for _, k := range Keys {
		if k.Short != "" && exampleOf(k.Path).Kind == yaml.ScalarNode {
			t.Errorf("%s has its short form alone", k.Path)
		}
	}
}

// The page has a row for each key, with what it means and how it is written, and
// nothing that a table would be broken by.
func TestReference(t *testing.T) {
	page := string(Reference())
	golden.Text(t, golden.Root(t)+"/docs/manifest.md", page)
	for _, k := range Keys {
		if k.Status == Built && !strings.HasSuffix(k.Path, "*") && !strings.Contains(page, strings.ReplaceAll(upperFirst(k.Text), "|", `\|`)) {
			t.Errorf("%s is not told", k.Path)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| ") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5 {
			t.Errorf("not a row of four: %s", line)
		}
	}
}

// Long examples are cut, and nested ones written on several lines.
func TestExampleText(t *testing.T) {
	read := func(text string) *yaml.Node {
		t.Helper()
		var doc yaml.Node
		if err := yaml.Load([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Content[0]
	}
	long := strings.Repeat("x", 100)
	for _, c := range []struct{ path, text, want string }{
		{"tools.*.title", "A title", "title: A title\n"},
		{"tools.*", "{a: 1, b: [2, 3]}", "{a: 1, b: [2, 3]}\n"},
		{"tools.*.effects", "{a: 1}", "effects: {a: 1}\n"},
		{"tools.*.effects", "a: 1\nb: 2", "effects:\n  a: 1\n  b: 2\n"},
		{"tools.*.effects", "{a: " + long + ", b: {c: 1}}", "effects:\n  a: " + long + "\n  b: {c: 1}\n"},
	} {
		if got := block(c.path, read(c.text)); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.path, c.text, got, c.want)
		}
	}
	if got := cut(inline(read("a: 1\nb:\n- x\n- y"))); got != "{a: 1, b: [x, y]}" {
		t.Error(got)
	}
	if got := cut(inline(read("a: " + long))); len(got) != maxInline || !strings.HasSuffix(got, "x ...") {
		t.Error(got)
	}
	if got := code("a|`b`"); got != "``a\\|`b```" {
		t.Error(got)
	}
}
