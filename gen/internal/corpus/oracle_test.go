package corpus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

const runTime = "github.com/sculpt-tools/sculpt/sculpt/"

// allowedImports are all packages that generated code may import.
var allowedImports = []string{
	"bytes", "context", "embed", "errors", "io/fs", "maps", "math", "net/url", "os", "regexp", "slices", "strings", "time",
	runTime + "scan", runTime + "serve", runTime + "tool", runTime + "upstream", runTime + "value",
}

// testImports are those that the generated test may import besides.
var testImports = []string{"testing", runTime + "replay", runTime + "sculpttest"}

// The files that change when lines of the manifest move.
const (
	guardFile  = "compat_gen_test.go"
	placesFile = "places_gen.go"
)

var (
	goFileName = regexp.MustCompile(`^((tools|answers|records|promises|places)|tool_[a-z0-9_]+)_gen\.go$|^compat_gen_test\.go$`)
	generated  = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)
)

// An oracle judges generated files by what their program says, whatever the
// texts in it: only the declarations that the plan lists, only the imports
// that generated code needs, nothing that a Go tool takes as an order, and
// Go that compiles.
type oracle struct{ importer packages }

// newOracle reads the compiled packages that generated code imports.
func newOracle(t testing.TB) *oracle {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}"}, slices.Concat(allowedImports, testImports)...)
	cmd := exec.Command("go", args...)
	cmd.Dir = golden.Root(t)
	out, err := cmd.Output()
	if err != nil {
		if e, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("go list: %v\n%s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	o := &oracle{importer: packages{}}
	for _, path := range slices.Concat(allowedImports, testImports) {
		if o.importer[path], err = imp.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

var (
	sharedOracle *oracle
	oracleOnce   sync.Mutex
)

// theOracle is one for all tests: reading the packages takes a second.
func theOracle(t testing.TB) *oracle {
	t.Helper()
	oracleOnce.Lock()
	defer oracleOnce.Unlock()
	if sharedOracle == nil {
		sharedOracle = newOracle(t)
	}
	return sharedOracle
}

// packages is an importer of packages that are read already.
type packages map[string]*gotypes.Package

func (p packages) Import(path string) (*gotypes.Package, error) {
	if pkg := p[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("import of %q", path)
}

// judge returns everything that is wrong with the files of a program.
func (o *oracle) judge(program *ir.Program, files []gen.File) error {
	p, findings := plan.New(program)
	if findings.HasErrors() {
		return fmt.Errorf("files in spite of findings: %v", findings)
	}
	j := &judgement{fset: token.NewFileSet(), required: map[string]bool{}, allowed: map[string]bool{}}
	j.expect(p)
	for _, f := range files {
		switch {
		case strings.HasSuffix(f.Name, ".go"):
			j.file(f, p.Name)
		case strings.HasSuffix(f.Name, ".json") && !json.Valid(f.Data):
			j.errorf("%s is not JSON", f.Name)
		}
	}
	for name := range j.required {
		j.errorf("%s is not declared", name)
	}
	if len(j.errs) == 0 {
		conf := gotypes.Config{Importer: o.importer}
		if _, err := conf.Check(p.Name, j.fset, j.parsed, nil); err != nil {
			j.errorf("it does not compile: %v", err)
		}
	}
	return errors.Join(j.errs...)
}

type judgement struct {
	fset   *token.FileSet
	parsed []*ast.File
	errs   []error
	// required are the declarations that have to be there and were not seen
	// yet, allowed those that may be.
	required, allowed map[string]bool
}

func (j *judgement) errorf(format string, args ...any) {
	j.errs = append(j.errs, fmt.Errorf(format, args...))
}

// expect lists what the plan declares, each once.
func (j *judgement) expect(p *plan.Package) {
	need := func(names ...string) {
		for _, n := range names {
			if n == "" || j.required[n] {
				j.errorf("the plan declares %q twice, or without a name", n)
			}
			j.required[n] = true
		}
	}
	need("_", "Config", "ConfigFromEnv", "Docs", "Tools", "New", "exports", "Tools.Toolset")
	for _, c := range p.Constants {
		need(c.Name)
	}
	for _, r := range p.Patterns {
		need(r.Name)
	}
	for _, s := range p.Answers {
		need(s.Name, s.Scan)
		if len(s.Fields) > 0 && s.Extra == nil {
			need(s.Keys)
		}
	}
	for _, u := range p.Unions {
		need(u.Name, u.Scan)
	}
	for _, w := range p.Wholes {
		need(w.Name)
	}
	for _, r := range p.Records {
		need(r.Name)
		j.allowed[r.Name+".write"], j.allowed[r.Name+".send"] = true, true
	}
	for _, t := range p.Tools {
		j.allowed[t.PlacesVar], j.allowed[t.PartsVar] = true, true
		need(t.Var, "Tools."+t.Method, "Tools."+t.Chain, "Tools."+t.Chain+"Served", t.Input.Name+".args", t.Output.Name+".result")
		for _, face := range []*plan.Face{t.Input, t.Output} {
			need(face.Name)
			for _, e := range face.Enums {
				need(e.Name)
				for _, v := range e.Values {
					need(v.Name)
				}
			}
		}
	}
}

// file reads one Go file.
func (j *judgement) file(f gen.File, pkg string) {
	if !goFileName.MatchString(f.Name) {
		j.errorf("the file name %q may mean something to the go command", f.Name)
	}
	parsed, err := parser.ParseFile(j.fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		j.errorf("%w", err)
		return
	}
	if clean, err := format.Source(f.Data); err != nil || !bytes.Equal(clean, f.Data) {
		j.errorf("%s is not as gofmt writes it (%v)", f.Name, err)
	}
	if parsed.Name.Name != pkg {
		j.errorf("%s belongs to package %s", f.Name, parsed.Name.Name)
	}
	j.comments(f, parsed)
	for _, i := range parsed.Imports {
		if path := strings.Trim(i.Path.Value, `"`); (i.Name != nil) != (path == "embed") || i.Name != nil && i.Name.Name != "_" || !slices.Contains(allowedImports, path) && (f.Name != guardFile || !slices.Contains(testImports, path)) {
			j.errorf("%s imports %v %s", f.Name, i.Name, i.Path.Value)
		}
	}
	for _, d := range parsed.Decls {
		for _, name := range declared(d) {
			if !j.required[name] && !j.allowed[name] && (f.Name != guardFile || name != "TestSculptCompat" && name != "sculptRunExample") {
				j.errorf("%s declares %s, which the plan does not", f.Name, name)
			}
			delete(j.required, name)
			delete(j.allowed, name)
		}
	}
	j.parsed = append(j.parsed, parsed)
}

// comments wants plain sentences: "// " and text.
func (j *judgement) comments(f gen.File, parsed *ast.File) {
	headers := 0
	for _, g := range parsed.Comments {
		for _, c := range g.List {
			text, ok := strings.CutPrefix(c.Text, "//")
			switch {
			case generated.MatchString(c.Text):
				headers++
			case text == "go:embed exports/documents.json" && f.Name == "tools_gen.go":
			case !ok || text != "" && text[0] != ' ' && text[0] != '\t':
				j.errorf("%s: comment %q may be an order", f.Name, c.Text)
			case strings.HasPrefix(text, " +build"), strings.HasPrefix(text, " Deprecated:"):
				j.errorf("%s: comment %q means something to Go tools", f.Name, c.Text)
			}
		}
	}
	if line, _, _ := bytes.Cut(f.Data, []byte("\n")); headers != 1 || !generated.Match(line) {
		j.errorf("%s has %d lines that say it is generated, and starts with %q", f.Name, headers, line)
	}
}

// declared returns the names of a top-level declaration; methods carry their
// receiver's.
func declared(d ast.Decl) []string {
	if f, ok := d.(*ast.FuncDecl); ok {
		name := f.Name.Name
		if f.Recv != nil {
			typ := f.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			name = typ.(*ast.Ident).Name + "." + name
		}
		return []string{name}
	}
	var out []string
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			out = append(out, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				out = append(out, n.Name)
			}
		}
	}
	return out
}
