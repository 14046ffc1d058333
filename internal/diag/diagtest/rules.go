// Package diagtest holds the tables of rules against the source that reports
// them. Every package with rules calls it in its own test:
//
//	func TestRules(t *testing.T) { diagtest.Rules(t, ".") }
//
// The compiler sees to it that an id that is reported was declared, since a
// [diag.RuleID] is not a text. What it cannot see is checked here: ids are
// declared in package variables and in rows of tables only, each is documented
// by one row of its package, and each is reported.
//
// The package imports diag only.
package diagtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Rules fails the test for each fault in the rule ids of the package in a folder.
func Rules(t *testing.T, dir string) {
	t.Helper()
	p := &source{fset: token.NewFileSet(), ids: map[string]*id{}, rows: map[*ast.Ident]bool{}, known: map[ast.Node]bool{}}
	if err := p.parse(dir); err != nil {
		t.Fatal(err)
	}
	for _, fault := range p.faults() {
		t.Error(fault)
	}
	if len(p.ids) == 0 {
		t.Error("the package declares no rule id")
	}
	root := rootOf(t, dir)
	for name, x := range p.ids {
		if x.rows != 1 {
			t.Errorf("%s has %d rows in the tables of its package, want one", name, x.rows)
		}
		if x.uses == 0 && (!ast.IsExported(name) || !usedElsewhere(t, root, p.name+"."+name)) {
			t.Errorf("%s is documented, but nothing reports it", name)
		}
	}
}

// An id is a declared variable, with the rows that document it and the other
// places that name it.
type id struct{ rows, uses int }

// source is a package without its tests.
type source struct {
	fset  *token.FileSet
	name  string
	files []*ast.File
	ids   map[string]*id
	// rows are the names in column ID of a table.
	rows map[*ast.Ident]bool
	// known are the calls of diag.ID that are where they belong, and the names
	// that are declared.
	known map[ast.Node]bool
}

func (p *source) parse(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.name, p.files = f.Name.Name, append(p.files, f)
	}
	return err
}

// faults counts what declares, documents and names each id, and returns what
// is wrong with a single place.
func (p *source) faults() (faults []string) {
	words := map[string]bool{}
	declare := func(call *ast.CallExpr) {
		p.known[call] = true
		text, literal := call.Args[0].(*ast.BasicLit)
		switch {
		case !literal:
			faults = append(faults, p.at(call)+": the id is not a literal")
		case words[text.Value]:
			faults = append(faults, fmt.Sprintf("%s: %s is declared twice", p.at(call), text.Value))
		default:
			words[text.Value] = true
		}
	}
	for _, f := range p.files {
		for _, d := range f.Decls {
			p.variables(d, declare)
		}
	}
	p.each(func(n ast.Node) {
		if row, ok := n.(*ast.CompositeLit); ok {
			p.row(row, declare)
		}
	})
	p.each(func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && isID(call) && !p.known[call] {
			faults = append(faults, p.at(call)+": diag.ID is for package variables and rows of tables that have a check")
		}
		if name, ok := n.(*ast.Ident); ok && p.ids[name.Name] != nil && !p.rows[name] && !p.known[name] {
			p.ids[name.Name].uses++
		}
	})
	return faults
}

func (p *source) each(see func(ast.Node)) {
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			see(n)
			return true
		})
	}
}

// variables finds the ids that a declaration of the package makes.
func (p *source) variables(d ast.Decl, declare func(*ast.CallExpr)) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		for i, x := range v.Values {
			if call, ok := x.(*ast.CallExpr); ok && isID(call) {
				p.known[v.Names[i]], p.ids[v.Names[i].Name] = true, &id{}
				declare(call)
			}
		}
	}
}

// row counts a row of a table. One with a function of its own that finds the
// mistake may declare its id itself: nothing else reports it.
func (p *source) row(row *ast.CompositeLit, declare func(*ast.CallExpr)) {
	columns := map[string]ast.Expr{}
	for _, e := range row.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				columns[key.Name] = pair.Value
			}
		}
	}
	switch x := columns["ID"].(type) {
	case *ast.Ident:
		if p.ids[x.Name] != nil {
			p.rows[x] = true
			p.ids[x.Name].rows++
		}
	case *ast.CallExpr:
		if isID(x) && columns["check"] != nil {
			declare(x)
		}
	}
}

func (p *source) at(n ast.Node) string { return p.fset.Position(n.Pos()).String() }

func isID(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "ID" || len(call.Args) != 1 {
		return false
	}
	from, ok := f.X.(*ast.Ident)
	return ok && from.Name == "diag"
}

// rootOf is the folder of the module.
func rootOf(t *testing.T, dir string) string {
	t.Helper()
	at, err := filepath.Abs(dir)
	for err == nil && at != filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		at = filepath.Dir(at)
	}
	t.Fatal("there is no go.mod above the package", err)
	return ""
}

// usedElsewhere reports whether any other package names the id.
func usedElsewhere(t *testing.T, root, name string) bool {
	t.Helper()
	pattern := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	found := false
	for _, dir := range []string{"internal", "gen", "sculpt"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			data, err := os.ReadFile(file)
			if found = found || pattern.Match(data); found {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
