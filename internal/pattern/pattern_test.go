package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPatternsCompile: a pattern that is wrong would be found when it is used
// first, which may be in a vendor's hands.
func TestPatternsCompile(t *testing.T) {
	tree, found := os.DirFS("../.."), 0
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if path.Ext(name) != ".go" || strings.HasPrefix(name, "internal/pattern/") {
			return nil
		}
		for _, expr := range patterns(t, tree, name) {
			found++
			if _, err := regexp.Compile(expr); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil || found < 30 {
		t.Errorf("%d patterns, %v", found, err)
	}
}

// patterns are the constants that a file gives to Of.
func patterns(t *testing.T, tree fs.FS, name string) (exprs []string) {
	t.Helper()
	source, err := fs.ReadFile(tree, name)
	if err != nil || !strings.Contains(string(source), "pattern.Of(") {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		literal, isLiteral := call.Args[0].(*ast.BasicLit)
		if !ok || of.Sel.Name != "Of" || !isLiteral {
			return true
		}
		expr, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		exprs = append(exprs, expr)
		return true
	})
	return exprs
}

// TestOf: what is compiled is what was asked for, every time.
func TestOf(t *testing.T) {
	word := Of(`^[a-z]+$`)
	for text, want := range map[string]bool{"word": true, "two words": false, "": false} {
		if word().MatchString(text) != want {
			t.Errorf("%q", text)
		}
	}
}
