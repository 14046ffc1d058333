package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

const partTool = "tools:\n  more:\n    version: 1\n    description: More.\n    call: geo.search\n    outputs: {n: {value: '${result.n}', description: N.}}\n"

func included(t *testing.T, parts ...string) (*Manifest, diag.List) {
	t.Helper()
	m, list := Parse("p/sculpt.yaml", []byte(base+"include: [a.yaml]\n"))
	if len(list) > 0 {
		t.Fatal(list)
	}
	var all []Part
	for i, text := range parts {
		all = append(all, Part{File: fmt.Sprintf("p/%c.yaml", 'a'+i), Src: []byte(text), At: m.Includes[0].Span})
	}
	return m, m.Include(all)
}

// What a part declares is as if the manifest had said it, but for its places.
func TestInclude(t *testing.T) {
	m, list := included(t, partTool+"constants: {one: 1}\nenv: {KEY: {description: Key.}}\nflows: {f: {results: {x: '${1}'}}}\nignore: [{rule: a, reason: B.}]\n",
		"apis: {other: {openapi: o.yaml}}\nconstants: {two: 2}\n")
	if len(list) > 0 {
		t.Fatal(list)
	}
	if len(m.Tools) != 2 || m.Tools[1].Name.Value != "more" || !m.Tools[1].ShortForm || len(m.Tools[1].Steps) != 1 || m.Tools[1].Span.File != "p/a.yaml" || m.Tools[1].Span.Start.Line != 2 {
		t.Errorf("%+v", m.Tools)
	}
	if len(m.APIs) != 2 || len(m.Constants) != 2 || len(m.Env) != 1 || len(m.Flows) != 1 || len(m.Ignores) != 1 || m.Package.Value == "" || len(m.Includes) != 1 {
		t.Errorf("%+v", m)
	}
	whole, _ := Parse("sculpt.yaml", []byte(strings.Replace(base, "tools:\n", partTool, 1)))
	if a, b := string(m.Excerpt("more")), string(whole.Excerpt("more")); a == "" || a != b {
		t.Errorf("a tool of a part works like\n%s\nand in the manifest like\n%s", a, b)
	}
	for path, where := range map[string]diag.Span{
		"tools":                 {File: "p/a.yaml", Start: diag.Pos{Line: 2, Col: 5}},
		"tools.more.outputs":    {File: "p/a.yaml", Start: diag.Pos{Line: 6, Col: 20}},
		"constants":             {File: "p/b.yaml", Start: diag.Pos{Line: 2, Col: 15}},
		"constants.two":         {File: "p/b.yaml", Start: diag.Pos{Line: 2, Col: 13}},
		"tools.find":            {File: "p/sculpt.yaml", Start: m.Tools[0].Span.Start},
		"apis.other.openapi":    {File: "p/b.yaml", Start: diag.Pos{Line: 1, Col: 16}},
		"ignore":                {File: "p/a.yaml", Start: m.Ignores[0].Span.Start},
		"flows.f.results.x":     {File: "p/a.yaml", Start: m.Flows[0].Results[0].Key.Span.Start},
		"env.KEY.description":   {File: "p/a.yaml", Start: m.Env[0].Description.Span.Start},
		"tools.more":            {File: "p/a.yaml", Start: m.Tools[1].Span.Start},
		"tools.more.outputs.n":  {File: "p/a.yaml", Start: m.Tools[1].Outputs[0].Description.Span.Start},
		"tools.more.call":       {File: "p/a.yaml", Start: m.Tools[1].Steps[0].Call.Span.Start},
		"tools.more.version":    {File: "p/a.yaml", Start: m.Tools[1].Version.Span.Start},
		"constants.one":         {File: "p/a.yaml", Start: m.Constants[0].Key.Span.Start},
		"package":               {File: "p/sculpt.yaml", Start: m.Package.Span.Start},
		"tools.find.outputs":    {File: "p/sculpt.yaml", Start: m.Tools[0].Outputs[0].Value.Span.Start},
		"tools.find.outputs.id": {},
	} {
		if got := m.Covers(path, where); got != !where.IsZero() {
			t.Errorf("%s covers %s: %t", path, where, got)
		}
		elsewhere := where
		elsewhere.File = "p/c.yaml"
		if m.Covers(path, elsewhere) {
			t.Errorf("%s covers a file that is not there", path)
		}
	}
	paths := m.Paths()
	for path, s := range map[string]Scalar{"constants.two": m.Constants[1].Value.Scalar, "tools.more.outputs.n.value": m.Tools[1].Outputs[0].Value, "package": m.Package} {
		if got := paths[diag.Span{File: s.Span.File, Start: s.Span.Start}]; got != path {
			t.Errorf("%s is at %q", path, got)
		}
	}
}

// Whatever a part may have reaches the manifest.
func TestIncludeAddsAll(t *testing.T) {
	want := []string{"env", "apis", "constants", "tools", "flows", "ignore"}
	if !slices.Equal(partTable.names, want) {
		t.Errorf("a part may have %s: does TestInclude know?", partTable.names)
	}
}

// All files together count.
func TestIncludeLimits(t *testing.T) {
	small, large := "# "+strings.Repeat("x", 100)+"\nconstants: {a: 1}\n", "constants: {b: 1} # "
	_, list := included(t, small, large+strings.Repeat("x", MaxSize-len(base)-len(small)-len(large)-18))
	if len(list) > 0 {
		t.Error(list)
	}
	for what, text := range map[string]string{
		"bytes":                      large + strings.Repeat("x", MaxSize-len(base)-len(small)-len(large)-17),
		"commas, brackets and lines": "constants: {b: 1}" + strings.Repeat("\n", maxMarks),
		"keys and values":            "constants: {b: [" + strings.Repeat("x,", maxNodes) + "]}",
	} {
		_, list := included(t, small, text)
		if len(list) != 1 || list[0].Rule != ruleTooLarge || list[0].Span.File != "p/sculpt.yaml" || list[0].Span.Start.Line == 0 || !strings.Contains(list[0].Message, what) {
			t.Errorf("%s: %v", what, list)
		}
	}
	if _, list := included(t); len(list) > 0 {
		t.Error(list)
	}
}

// A secret is found in a part too, and so is a description that is too long with
// the text after it.
func TestIncludeJudges(t *testing.T) {
	long := strings.Replace(partTool, "description: More.", "description: "+strings.Repeat("m", 1000)+"\n    when_to_use: "+strings.Repeat("w", 1000), 1)
	_, list := included(t, long, "constants: {key: sk_live_0123456789abcdef}\n")
	if list = list.Sorted(); len(list) != 2 || list[0].Rule != ruleTooLong || list[0].Span.File != "p/a.yaml" || list[1].Rule != ruleSecretInManifest || list[1].Span.File != "p/b.yaml" {
		t.Error(list)
	}
}

// A sentence goes on after a comma in lower case, unless it begins with a name.
func TestLowerFirst(t *testing.T) {
	for text, want := range map[string]string{"": "", "A": "a", "The tool.": "the tool.", "MCP clients": "MCP clients", "Az": "az", "AZ": "AZ", "AAb": "AAb", "A tool": "a tool", "A[": "a[", "A@": "a@"} {
		if got := lowerFirst(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
