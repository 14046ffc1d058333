package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// chapter returns the parts of docs/expressions.md behind a mark, up to the
// next empty line.
func chapter(t *testing.T, mark string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "expressions.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), "<!-- "+mark+" -->\n")[1:]
	if len(parts) == 0 {
		t.Fatalf("docs/expressions.md has no part %q", mark)
	}
	for i, p := range parts {
		if fence := regexp.MustCompile("(?s)^```[a-z]+\n(.*?)```\n").FindStringSubmatch(p); fence != nil {
			parts[i] = fence[1]
		} else {
			parts[i], _, _ = strings.Cut(p, "\n\n")
		}
	}
	return parts
}

// documented returns a manifest over the shop of testdata/cases.
func documented(t *testing.T, manifest string) fstest.MapFS {
	fsys := seeded(t, "shop.yaml", nil)
	fsys["sculpt.yaml"] = &fstest.MapFile{Data: []byte("sculpt: 1\npackage: doc\ntoolkit: Doc\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {shop: {openapi: shop.yaml}}\n" + manifest)}
	return fsys
}

// TestDocumentedFunctions wants every function in the table, and nothing else.
func TestDocumentedFunctions(t *testing.T) {
	cell := regexp.MustCompile("(?m)^\\| (`.*`) \\|")
	name := regexp.MustCompile(`(?:\b(math|lists|strings|base64|regex|optional|cel)\.|\.|^)(\w+)\(`)
	var listed []string
	for _, row := range cell.FindAllStringSubmatch(chapter(t, "functions")[0], -1) {
		for call := range strings.SplitSeq(row[1], "`, `") {
			m := name.FindStringSubmatch(strings.Trim(call, "`"))
			if m == nil {
				t.Fatalf("%s is no call", call)
			}
			if m[1] != "" {
				m[2] = m[1] + "." + m[2]
			}
			listed = append(listed, m[2])
		}
	}
	names := expr.FunctionNames()
	for _, n := range names {
		if !slices.Contains(listed, n) {
			t.Errorf("%s is not documented", n)
		}
	}
	for _, n := range listed {
		if !slices.Contains(names, n) {
			t.Errorf("%s is documented, and there is no such function", n)
		}
	}
}

// documentedLines returns the expressions of parts with what stands behind //.
func documentedLines(t *testing.T, mark string) (out [][2]string) {
	t.Helper()
	for _, part := range chapter(t, mark) {
		for line := range strings.Lines(part) {
			text, says, ok := strings.Cut(line, "//")
			if !ok {
				t.Fatalf("%q says nothing", line)
			}
			out = append(out, [2]string{strings.TrimSpace(text), strings.TrimSpace(says)})
		}
	}
	return out
}

// documentedLet is a tool whose only let is an expression.
func documentedLet(t *testing.T, text string) (*frontend.Project, diag.List) {
	return frontend.Load(documented(t, fmt.Sprintf(`tools:
  doc:
    version: 1
    description: Documented.
    inputs:
      name: {description: Name., max_length: 60}
      note: {description: Note., max_length: 60, optional: true}
    steps:
      places: {call: shop.find_place, with: {name: '${input.name}'}}
      lamp: {call: shop.get_item, with: {id: 1}}
      counts: {call: shop.counts}
      free: {call: shop.free}
    let:
      shown: '${%s}'
    outputs:
      name: {value: '${input.name}', description: Name.}
`, strings.ReplaceAll(text, "'", "''"))), ".")
}

// TestDocumentedTypes checks the examples of expressions.
func TestDocumentedTypes(t *testing.T) {
	for _, line := range documentedLines(t, "typed") {
		project, findings := documentedLet(t, line[0])
		if findings.HasErrors() {
			t.Errorf("%s: %v", line[0], findings)
			continue
		}
		if got := project.Program.Tools[0].Plan.Lets[0].Expr.Term.Type.String(); got != line[1] {
			t.Errorf("%s is %s, not %s", line[0], got, line[1])
		}
	}
}

// TestDocumentedMistakes checks what is said about mistakes.
func TestDocumentedMistakes(t *testing.T) {
	for _, line := range documentedLines(t, "mistakes") {
		_, findings := documentedLet(t, line[0])
		if len(findings) != 1 || findings[0].Message != line[1] {
			t.Errorf("%s: %v", line[0], findings)
		}
	}
}

// TestDocumentedChains wants the manifests to be right, and to compile.
func TestDocumentedChains(t *testing.T) {
	for _, text := range chapter(t, "manifest") {
		fsys := documented(t, text)
		program, files, findings := buildProgram(fsys, ".")
		if len(findings) > 0 {
			t.Errorf("findings:\n%s", render(t, fsys, findings))
			continue
		}
		if err := theOracle(t).judge(program, files); err != nil {
			t.Error(err)
		}
	}
}
