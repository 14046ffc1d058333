package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// Limits of hand-written code.
const (
	longestFile     = 700
	longestFunction = 60
	mostParameters  = 5
)

// tables may be longer than other files: they are read entry by entry.
var tables = map[string]bool{}

// eachFile parses the hand-written Go files of the module.
func eachFile(t *testing.T, tests bool, see func(name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	for _, p := range list(t) {
		files := p.GoFiles
		if tests {
			files = append(append(files, p.TestGoFiles...), p.XTestGoFiles...)
		}
		for _, base := range files {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, base), nil, parser.ParseComments)
			if err != nil {
				t.Error(err)
				continue
			}
			if !ast.IsGenerated(f) {
				see(p.name()+"/"+base, fset, f)
			}
		}
	}
}

func TestFileLength(t *testing.T) {
	eachFile(t, true, func(name string, fset *token.FileSet, f *ast.File) {
		if n := fset.File(f.Pos()).LineCount(); n > longestFile && !tables[name] {
			t.Errorf("%s has %d lines, %d are allowed", name, n, longestFile)
		}
	})
}

func TestFunctionLength(t *testing.T) {
	all, long := 0, 0
	eachFile(t, false, func(name string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			all++
			n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1
			if n > 40 {
				long++
			}
			if n > longestFunction {
				t.Errorf("%s: %s has %d lines, %d are allowed", name, fn.Name.Name, n, longestFunction)
			}
			if n := fn.Type.Params.NumFields(); n > mostParameters {
				t.Errorf("%s: %s has %d parameters, %d are allowed", name, fn.Name.Name, n, mostParameters)
			}
		}
	})
	if long*10 > all {
		t.Errorf("%d of %d functions have more than 40 lines, one in ten is allowed", long, all)
	}
}

func TestDocumented(t *testing.T) {
	packages := map[string]bool{}
	eachFile(t, false, func(name string, _ *token.FileSet, f *ast.File) {
		dir := filepath.Dir(name)
		packages[dir] = packages[dir] || f.Doc != nil
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && !isErrorMethod(d) {
					t.Errorf("%s: %s has no comment", name, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					for _, undocumented := range undocumentedNames(d, s) {
						t.Errorf("%s: %s has no comment", name, undocumented)
					}
				}
			}
		}
	})
	for dir, ok := range packages {
		if !ok {
			t.Errorf("package %s has no comment", dir)
		}
	}
}

// exportedReceiver reports whether a function, or the type of a method, can be
// seen from outside.
func exportedReceiver(d *ast.FuncDecl) bool {
	of := receiver(d)
	return of == "" || ast.IsExported(of)
}

// isErrorMethod excuses methods whose meaning the standard library fixes.
func isErrorMethod(d *ast.FuncDecl) bool {
	return d.Recv != nil && (d.Name.Name == "Error" || d.Name.Name == "String")
}

// undocumentedNames lists the exported names of a declaration that neither a
// comment of their own nor one of their group explains.
func undocumentedNames(d *ast.GenDecl, s ast.Spec) []string {
	var names []string
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
			names = append(names, s.Name.Name)
		}
	case *ast.ValueSpec:
		if s.Doc != nil || s.Comment != nil || d.Doc != nil {
			return nil
		}
		for _, n := range s.Names {
			// In a group, one comment may speak of several names.
			if n.IsExported() && !mentioned(d, n.Name) {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

func mentioned(d *ast.GenDecl, name string) bool {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && strings.Contains(v.Doc.Text(), name) {
			return true
		}
	}
	return false
}

// Promises for later are kept somewhere else than in the code.
func TestNoPromises(t *testing.T) {
	eachFile(t, true, func(name string, _ *token.FileSet, f *ast.File) {
		for _, group := range f.Comments {
			text := group.Text()
			for _, word := range []string{"TO" + "DO", "FIX" + "ME", "X" + "XX"} {
				if strings.Contains(text, word) {
					t.Errorf("%s: %q in a comment", name, word)
				}
			}
		}
	})
}

// TestFuzzers: make fuzz runs every fuzz target of the tree, in its own folder.
func TestFuzzers(t *testing.T) {
	var want []string
	eachFile(t, true, func(name string, _ *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") && strings.HasSuffix(name, "_test.go") {
				want = append(want, "./"+path.Dir(name)+" "+fn.Name.Name)
			}
		}
	})
	got := strings.Split(strings.TrimSpace(makes(t, "-s", "fuzzers")), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("make fuzzers lists\n%s\nthe tree has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestFuzzIsNotMinimized: a run of make fuzz spends its time on new inputs.
func TestFuzzIsNotMinimized(t *testing.T) {
	if out := makes(t, "-n", "fuzz"); !strings.Contains(out, "-fuzzminimizetime 1x") {
		t.Errorf("make fuzz runs\n%s\nwithout -fuzzminimizetime 1x", out)
	}
}

// makes runs make in the root of the module, and returns what it prints.
func makes(t *testing.T, args ...string) string {
	t.Helper()
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Skip("the Makefile is tested where make is installed: not everywhere that Go runs")
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = golden.Root(t)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
