package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A mutant is one change of one file.
type mutant struct {
	pkg  *listed
	file string
	line int
	// sort says what was done to the place.
	sort string
	// src is the file as it is; text replaces src[start:end].
	src        []byte
	start, end int
	text       string
}

// source is the changed file.
func (m *mutant) source() []byte {
	return slices.Concat(m.src[:m.start], []byte(m.text), m.src[m.end:])
}

// sorts are the ways to break a place.
var sorts = []string{"operator", "condition", "return", "statement", "number", "text", "jump", "append"}

// shuffle orders mutants by chance, with all sorts alternating: literals are so
// many that they would leave little room for anything else.
func shuffle(all []mutant, seed uint64) []mutant {
	r := rand.New(rand.NewPCG(seed, 0))
	bySort := map[string][]mutant{}
	for _, i := range r.Perm(len(all)) {
		bySort[all[i].sort] = append(bySort[all[i].sort], all[i])
	}
	out := make([]mutant, 0, len(all))
	for round := 0; len(out) < len(all); round++ {
		for _, s := range sorts {
			if round < len(bySort[s]) {
				out = append(out, bySort[s][round])
			}
		}
	}
	return out
}

// places lists all mutants of a file in the order of their places. Generated
// files have none.
func places(name string, src []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(f) {
		return nil, nil
	}
	w := &walker{name: name, src: src, file: fset.File(f.FileStart)}
	ast.Walk(visitor{w: w}, f)
	slices.SortStableFunc(w.found, func(a, b mutant) int { return a.start - b.start })
	return w.found, nil
}

type walker struct {
	name  string
	src   []byte
	file  *token.File
	found []mutant
}

func (w *walker) text(n ast.Node) string {
	return string(w.src[w.file.Offset(n.Pos()):w.file.Offset(n.End())])
}

func (w *walker) replace(sort string, n ast.Node, text string) {
	w.add(sort, n.Pos(), n.End(), text)
}

func (w *walker) add(sort string, from, to token.Pos, text string) {
	w.found = append(w.found, mutant{file: w.name, line: w.file.Line(from), sort: sort, src: w.src,
		start: w.file.Offset(from), end: w.file.Offset(to), text: text})
}

// A visitor knows the results of the function that it is in.
type visitor struct {
	w       *walker
	results []ast.Expr
}

func (v visitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.Field: // not its tag
		ast.Walk(v, n.Type)
		return nil
	case *ast.FuncDecl:
		return visitor{w: v.w, results: resultTypes(n.Type)}
	case *ast.FuncLit:
		return visitor{w: v.w, results: resultTypes(n.Type)}
	case *ast.BlockStmt:
		v.w.statements(n.List)
	case *ast.CaseClause:
		v.w.statements(n.Body)
	case *ast.CommClause:
		v.w.statements(n.Body)
	case *ast.IfStmt:
		v.w.condition(n.Cond)
	case *ast.ForStmt:
		return v.loop(n)
	case *ast.ReturnStmt:
		v.returned(n)
	case *ast.CallExpr:
		return v.call(n)
	case *ast.BinaryExpr:
		v.w.operator(n)
	case *ast.BasicLit:
		v.w.literal(n)
	}
	return v
}

// loop passes over the statement that moves a loop on: without it a loop has no
// end, which any test notices, after a long time.
func (v visitor) loop(n *ast.ForStmt) ast.Visitor {
	if n.Init != nil {
		ast.Walk(v, n.Init)
	}
	if n.Cond != nil {
		v.w.condition(n.Cond)
		ast.Walk(v, n.Cond)
	}
	ast.Walk(v, n.Body)
	return nil
}

// call drops what is appended. It leaves alone what no test can or should see:
// the capacity of what is made, and the text of a panic.
func (v visitor) call(n *ast.CallExpr) ast.Visitor {
	switch {
	case isCall(n, "panic"):
		return nil
	case isCall(n, "make"):
		for _, arg := range n.Args[:min(2, len(n.Args))] {
			ast.Walk(v, arg)
		}
		return nil
	case isCall(n, "append") && len(n.Args) > 1:
		v.w.replace("append", n, v.w.text(n.Args[0]))
	}
	return v
}

func isCall(n ast.Node, name string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun, ok := call.Fun.(*ast.Ident)
	return ok && fun.Name == name
}

// resultTypes has one type for each result.
func resultTypes(t *ast.FuncType) []ast.Expr {
	if t.Results == nil {
		return nil
	}
	var out []ast.Expr
	for _, f := range t.Results.List {
		for range max(1, len(f.Names)) {
			out = append(out, f.Type)
		}
	}
	return out
}

// returned makes each result in turn the zero value of its type.
func (v visitor) returned(n *ast.ReturnStmt) {
	if len(n.Results) != len(v.results) {
		return // one call that has all results
	}
	for i, r := range n.Results {
		if !isZero(r) {
			v.w.replace("return", r, zero(v.w.text(v.results[i])))
		}
	}
}

func isZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""`
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

func zero(typ string) string {
	switch {
	case typ == "bool":
		return "false"
	case typ == "string":
		return `""`
	case typ == "int":
		return "0"
	case typ == "error", strings.HasPrefix(typ, "*"), strings.HasPrefix(typ, "[]"), strings.HasPrefix(typ, "map["):
		return "nil"
	}
	return "*new(" + typ + ")"
}

// statements removes assignments, calls and jumps.
func (w *walker) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if !isCall(s.X, "panic") {
				w.replace("statement", s, "")
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && !isBlank(s.Lhs) && !isCall(s.Rhs[0], "append") {
				w.replace("statement", s, "")
			}
		case *ast.IncDecStmt:
			w.replace("statement", s, "")
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				w.replace("jump", s, "")
			}
		}
	}
}

func isBlank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// condition negates one; that of a lone == or != is negated as an operator.
func (w *walker) condition(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	w.replace("condition", e, "!("+w.text(e)+")")
}

var swapped = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&",
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
}

func (w *walker) operator(n *ast.BinaryExpr) {
	if other, ok := swapped[n.Op]; ok {
		w.add("operator", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other)
	}
}

// literal makes a number greater by one and a text longer by a character that
// no text of ours ends with.
func (w *walker) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			w.replace("number", n, strconv.FormatInt(i+1, 10))
		}
	case token.STRING:
		end := n.End() - 1
		w.add("text", end, end, "~")
	}
}
