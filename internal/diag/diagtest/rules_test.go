package diagtest

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// faultsOf judges one file.
func faultsOf(t *testing.T, text string) (*source, []string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &source{fset: token.NewFileSet(), ids: map[string]*id{}, rows: map[*ast.Ident]bool{}, known: map[ast.Node]bool{}}
	if err := p.parse(dir); err != nil {
		t.Fatal(err)
	}
	return p, p.faults()
}

func TestPlacesOfIDs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`var a = diag.ID("a")`, ""},
		{`func f() { report(diag.ID("a")) }`, "for package variables"},
		{`func f() { a := diag.ID("a"); report(a) }`, "for package variables"},
		{`var a = diag.ID(text)`, "not a literal"},
		{"var a = diag.ID(\"a\")\nvar b = diag.ID(\"a\")", `"a" is declared twice`},
		{`var rules = []Rule{{ID: diag.ID("a"), check: f}}`, ""},
		{`var rules = []Rule{{ID: diag.ID("a")}}`, "that have a check"},
	} {
		_, faults := faultsOf(t, c.text)
		if got := strings.Join(faults, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCountsOfIDs(t *testing.T) {
	p, faults := faultsOf(t, `
var (
	documented = diag.ID("documented")
	forgotten  = diag.ID("forgotten")
	silent     = diag.ID("silent")
)

var Rules = []diag.Rule{{ID: documented}, {ID: silent}}

func f() { report(documented); report(forgotten); list.Add(diag.Finding{Rule: documented}) }
`)
	got := []id{*p.ids["documented"], *p.ids["forgotten"], *p.ids["silent"]}
	if want := []id{{1, 2}, {0, 1}, {1, 0}}; len(faults) > 0 || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, faults)
	}
}
