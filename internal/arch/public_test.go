package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// public are the packages that vendors and generated code import, and gen, the
// facade of the back end, which carries no promise (docs/stability.md). Anything
// else is internal.
var public = []string{
	"gen", "sculpt", "sculpt/client", "sculpt/client/agent", "sculpt/client/atip", "sculpt/replay", "sculpt/scan", "sculpt/sculpttest", "sculpt/serve", "sculpt/tool", "sculpt/toolcli", "sculpt/upstream",
	"sculpt/value", "templates",
}

// Every name that others can use is a promise. These bounds are on exported
// functions, types, methods, and each variable and constant; who raises one says
// why beside it.
const (
	// mostNames bounds the packages of the run time with sculpt. It was 480 before
	// the consent of users, which needs a store and a handler that the vendor's
	// program owns, and an error that carries the address, and 488 before generated code had to ask for that
	// consent ahead of a chain and to give the variables of servers, and 490 before the
	// documents of a package were in one file, which a function reads, and 491 before the members
	// of answers were values that may be missing instead of pointers, and 495 before programs
	// put middleware and interceptors around tools (Handler with ServeHTTP, Wrap, Call, CallFunc,
	// WithInterceptor, WithBase), and lists were sorted by times, and 503 before loops in
	// loops counted their turns (Turns, Turns.Take), which one variable of a function does.
	mostNames = 505
	// mostOfCallers bounds what callers import, which nothing of the run time
	// uses: servers, what is between them and models, and programs.
	mostOfCallers = 110
	// mostOfLibrary bounds package sculpt: it is not stable yet, and should not
	// become what it is not for.
	mostOfLibrary = 30
)

func TestPublicPackages(t *testing.T) {
	for _, p := range list(t) {
		name := p.name()
		if name == "" || p.isExample() || strings.HasPrefix(name, "cmd/") || strings.Contains("/"+name+"/", "/internal/") || len(p.GoFiles) == 0 {
			continue
		}
		if !slices.Contains(public, name) {
			t.Errorf("%s is public: move it below internal, or say in public what vendors import it for", name)
		}
	}
}

func TestPublicNames(t *testing.T) {
	total, ofCallers := 0, 0
	for _, pkg := range public {
		if pkg == "gen" || pkg == "templates" {
			continue
		}
		names := exportedNames(t, pkg)
		t.Logf("%-18s %d names", pkg, len(names))
		if strings.HasPrefix(pkg, "sculpt/client") {
			ofCallers += len(names)
			continue
		}
		total += len(names)
		if pkg == "sculpt" && len(names) > mostOfLibrary {
			t.Errorf("package sculpt has %d names, more than %d: %v", len(names), mostOfLibrary, names)
		}
	}
	t.Logf("%d names in all", total)
	if total > mostNames {
		t.Errorf("the public packages have %d names, more than %d", total, mostNames)
	}
	if ofCallers > mostOfCallers {
		t.Errorf("the packages of callers have %d names, more than %d", ofCallers, mostOfCallers)
	}
}

// exportedNames lists the exported names of a package, methods with their types.
func exportedNames(t *testing.T, pkg string) []string {
	t.Helper()
	names := map[string]bool{}
	publicFiles(t, pkg, func(f *ast.File) {
		for _, d := range f.Decls {
			for _, name := range declared(d) {
				names[name] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(names))
}

// declared lists the exported names of a declaration.
func declared(d ast.Decl) []string {
	var out []string
	add := func(name string) {
		if ast.IsExported(name) {
			out = append(out, name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		of := receiver(d)
		switch {
		case of == "":
			add(d.Name.Name)
		case ast.IsExported(of) && ast.IsExported(d.Name.Name):
			out = append(out, of+"."+d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					add(id.Name)
				}
			}
		}
	}
	return out
}

// receiver is the name of the type of a method, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// publicFiles parses the files of a package, without its tests.
func publicFiles(t *testing.T, pkg string, see func(*ast.File)) {
	t.Helper()
	root := golden.Root(t)
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(pkg, err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		see(f)
	}
}

// TestNoInternalTypes: a name of a public package that needs an internal type
// could not be used by anybody. The facade gen is for the command line alone.
func TestNoInternalTypes(t *testing.T) {
	for _, pkg := range public {
		if pkg == "gen" {
			continue
		}
		publicFiles(t, pkg, func(f *ast.File) {
			hidden := map[string]bool{}
			for _, i := range f.Imports {
				path := strings.Trim(i.Path.Value, `"`)
				if strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/gen") && isOwn(path) {
					hidden[path[strings.LastIndexByte(path, '/')+1:]] = true
				}
			}
			for _, d := range f.Decls {
				for _, name := range internalTypes(d, hidden) {
					t.Errorf("%s: %s names an internal type", pkg, name)
				}
			}
		})
	}
}

// internalTypes lists the exported names of a declaration whose types are of a
// hidden package.
func internalTypes(d ast.Decl, hidden map[string]bool) []string {
	var out []string
	check := func(name string, n ast.Node) {
		if n == nil || !ast.IsExported(name) {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok && len(f.Names) > 0 && !slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.IsExported() || !isField(d) }) {
				return false // an unexported field is nobody's business
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && hidden[x.Name] {
					out = append(out, fmt.Sprintf("%s (%s.%s)", name, x.Name, s.Sel.Name))
				}
			}
			return true
		})
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if of := receiver(d); of == "" || ast.IsExported(of) {
			check(d.Name.Name, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				check(spec.Name.Name, spec.Type)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					if spec.Type != nil {
						check(id.Name, spec.Type)
					}
				}
			}
		}
	}
	return out
}

// isField reports whether the fields in a declaration are those of types.
func isField(d ast.Decl) bool {
	_, types := d.(*ast.GenDecl)
	return types
}
