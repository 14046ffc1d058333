package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
)

// TestPrecedence: what is written reads back as the tree that it was written of,
// whatever operators are nested, with no parentheses that could be left out.
func TestPrecedence(t *testing.T) {
	operators := []string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}
	var draw func(t *rapid.T, depth int) lower.Value
	draw = func(t *rapid.T, depth int) lower.Value {
		if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			return lower.Local{Name: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")}
		}
		return lower.Binary{Op: rapid.SampledFrom(operators).Draw(t, "op"), L: draw(t, depth-1), R: draw(t, depth-1)}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := draw(t, 4)
		text := fmt.Sprintf("%#v", (&writer{}).value(v))
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := shape(e), tree(v); got != want {
			t.Fatalf("%s reads as %s, want %s", text, got, want)
		}
		for _, p := range parens(e) {
			if b, ok := p.outer.(*ast.BinaryExpr); ok {
				inner := p.ParenExpr.X.(*ast.BinaryExpr)
				chained := b.Op.Precedence() == 3 && inner.Op.Precedence() == 3
				if inner.Op.Precedence() > b.Op.Precedence() || b.X == p.ParenExpr && inner.Op.Precedence() == b.Op.Precedence() && !chained {
					t.Fatalf("%s has parentheses that say nothing", text)
				}
			}
		}
	})
}

// tree writes a value with all its parentheses, shape what was read.
func tree(v lower.Value) string {
	if b, ok := v.(lower.Binary); ok {
		return "(" + tree(b.L) + b.Op + tree(b.R) + ")"
	}
	return v.(lower.Local).Name
}

func shape(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return shape(e.X)
	case *ast.BinaryExpr:
		return "(" + shape(e.X) + e.Op.String() + shape(e.Y) + ")"
	}
	return e.(*ast.Ident).Name
}

type within struct {
	*ast.ParenExpr
	outer ast.Node
}

func parens(e ast.Expr) []within {
	var all []within
	var path []ast.Node
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if p, ok := n.(*ast.ParenExpr); ok {
			outer := within{ParenExpr: p}
			if len(path) > 0 {
				outer.outer = path[len(path)-1]
			}
			all = append(all, outer)
		}
		path = append(path, n)
		return true
	})
	return all
}
