// Package arch holds the rules of the tree that no compiler checks, as tests:
// who may import whom, what is documented, how long things may be.
package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

const module = "github.com/sculpt-tools/sculpt"

// Modules that have a name in the table.
const (
	yamlParser = "go.yaml.in/yaml/v4"
	uuidMaker  = "github.com/google/uuid"
	openapi    = "github.com/getkin/kin-openapi"
	goWriter   = "github.com/dave/jennifer"
	cliParser  = "github.com/urfave/cli/v2"
	jsonSchema = "github.com/santhosh-tekuri/jsonschema/v5"
	differ     = "github.com/aymanbagabas/go-udiff"
)

// A rule says what a package may import: of this module and of others. "x/*"
// means everything below x.
type rule struct {
	own, foreign []string
}

// runtime are the packages that generated code and the vendors' programs are
// linked with: the standard library, and nothing else, ever.
var runtime = []string{"sculpt/scan", "sculpt/value", "sculpt/tool", "sculpt/upstream", "sculpt/replay", "sculpt/serve", "sculpt/client", "sculpt/client/agent", "sculpt/client/atip", "internal/cause", "internal/oauth", "internal/server", "internal/strictjson"}

// front is what the facade may import.
var front = []string{
	"internal/diag", "internal/types", "internal/operation", "internal/manifest", "internal/spec", "internal/expr", "internal/signature",
	"internal/compat", "internal/history", "internal/ir", "internal/meaning", "internal/resolve",
}

// table is section 2 of the design. A package that is not built yet is passed
// over; one that is not in the table is an error.
var table = map[string]rule{
	"internal/diag":       {},
	"internal/types":      {},
	"gen/internal/naming": {},
	"templates":           {},
	"sculpt/scan":         {},
	"sculpt/value":        {},
	"sculpt/tool":         {own: []string{"sculpt/scan", "sculpt/value"}},
	"sculpt/upstream":     {own: []string{"sculpt/tool", "sculpt/scan", "sculpt/value", "internal/cause", "internal/oauth", "internal/server"}},
	"internal/cause":      {},
	"internal/oauth":      {},
	"internal/strictjson": {},
	"internal/server":     {},
	"internal/pattern":    {},
	"internal/wording":    {own: []string{"internal/pattern"}},
	"internal/conform":    {},
	"internal/subschema":  {own: []string{"internal/strictjson"}},
	"internal/pins": {own: []string{"sculpt/client", "sculpt/client/atip", "sculpt/tool", "internal/diag", "internal/signature", "internal/compat", "internal/subschema", "internal/oauth"},
		foreign: []string{yamlParser}},
	"sculpt/replay":       {own: []string{"sculpt/tool", "sculpt/upstream", "sculpt/scan", "sculpt/value"}},
	"sculpt/serve":        {own: []string{"sculpt/tool", "sculpt/upstream", "sculpt/scan", "sculpt/value", "internal/cause"}},
	"sculpt/client":       {own: []string{"sculpt/tool", "internal/strictjson"}},
	"sculpt/client/atip":  {own: []string{"sculpt/client", "sculpt/tool"}},
	"sculpt/client/agent": {own: []string{"sculpt/client", "sculpt/tool", "sculpt/value"}},
	"sculpt/sculpttest":   {own: []string{"internal/history"}},
	"sculpt/toolcli":      {own: []string{"sculpt/tool", "sculpt/upstream", "sculpt/serve"}, foreign: []string{cliParser}},
	"internal/signature":  {own: []string{"internal/types"}},
	"internal/compat":     {own: []string{"internal/diag", "internal/types", "internal/signature"}},
	"internal/history":    {own: []string{"internal/diag", "internal/types", "internal/signature", "internal/compat"}},
	"internal/operation":  {own: []string{"internal/diag", "internal/types", "internal/server"}},
	"internal/manifest":   {own: []string{"internal/diag", "internal/pattern", "sculpt/value"}, foreign: []string{yamlParser}},
	"internal/spec":       {own: []string{"internal/diag", "internal/types", "internal/operation"}, foreign: []string{openapi, yamlParser}},
	"internal/expr":       {own: []string{"internal/diag", "internal/types"}},
	"internal/ir":         {own: []string{"internal/diag", "internal/types", "internal/operation", "internal/signature", "internal/expr"}},
	"internal/meaning":    {own: []string{"internal/diag", "internal/types", "internal/operation", "internal/expr", "internal/ir"}},
	"internal/resolve": {own: []string{"internal/diag", "internal/types", "internal/operation", "internal/manifest", "internal/wording", "internal/spec",
		"internal/expr", "internal/signature", "internal/ir", "internal/server", "sculpt/value"}, foreign: []string{uuidMaker}},
	"internal/frontend":  {own: front},
	"sculpt":             {own: []string{"internal/diag", "internal/compat", "internal/frontend", "gen"}},
	"gen/internal/lower": {own: []string{"internal/types", "internal/expr", "gen/internal/naming"}},
	"gen/internal/plan": {own: []string{"internal/diag", "internal/types", "internal/operation", "internal/signature", "internal/ir",
		"internal/expr", "internal/history", "gen/internal/lower", "gen/internal/naming"}},
	"gen/internal/golang": {own: []string{"gen/internal/plan", "gen/internal/lower", "internal/types", "gen/internal/naming"}, foreign: []string{goWriter}},
	"gen/internal/export": {own: []string{"internal/diag", "internal/types", "internal/signature"}, foreign: []string{jsonSchema}},
	"gen/internal/typed":  {own: []string{"gen/internal/naming", "sculpt/client", "sculpt/tool", "sculpt/value"}},
	"gen/internal/docs":   {own: []string{"internal/diag", "internal/pattern", "internal/types", "internal/signature", "internal/compat", "templates"}},
	"gen/internal/report": {own: []string{"internal/diag", "internal/types", "internal/operation", "internal/signature", "internal/ir",
		"gen/internal/export", "templates"}},
	"gen": {own: []string{"internal/diag", "internal/ir", "internal/types", "internal/signature", "internal/history", "gen/internal/*"}, foreign: []string{differ}},
	// Beyond the design: a starter manifest needs a namespace.
	"internal/cli": {own: slices.Concat(front, runtime, []string{"internal/frontend", "internal/conform", "internal/pattern", "internal/pins", "sculpt/toolcli", "gen", "templates"}),
		foreign: []string{cliParser, uuidMaker}},
	"cmd/sculpt": {own: []string{"internal/cli"}},
	// Programs of the house: they read and build, and import nothing of ours.
	"internal/mutate":  {},
	"internal/release": {},
	// Tests only: see TestTestOnly.
	"internal/arch":          {},
	"internal/diag/diagtest": {own: []string{"internal/diag"}},
	"internal/golden/guide":  {},
	"internal/golden":        {own: []string{"*"}, foreign: []string{"*"}},
	"internal/golden/front":  {own: []string{"*"}, foreign: []string{"*"}},
	"internal/golden/doors":  {own: []string{"*"}, foreign: []string{"*"}},
	"gen/internal/corpus":    {own: []string{"*"}},
}

// importers are modules that one package alone may import, tests of others
// excepted.
var importers = map[string][]string{
	openapi:  {"internal/spec"},
	goWriter: {"gen/internal/golang"},
	// Files of pins are written again with what people wrote into them, comments
	// included, which needs the nodes of the parser.
	yamlParser: {"internal/manifest", "internal/spec", "internal/pins"},
}

// forbidden modules and packages may not appear in any hand-written package.
var forbidden = []string{
	"gopkg.in/yaml.v3", "gopkg.in/yaml.v2", "github.com/hashicorp/go-retryablehttp", "github.com/getkin/kin-openapi/openapi3filter",
}

// testOnly are packages that only tests import.
var testOnly = []string{"internal/golden", "internal/golden/front", "internal/golden/doors", "internal/golden/guide", "internal/arch", "internal/diag/diagtest", "gen/internal/corpus"}

// A listed package is what "go list -json" says of one.
type listed struct {
	ImportPath, Dir       string
	GoFiles, TestGoFiles  []string
	XTestGoFiles, Imports []string
	TestImports           []string
	XTestImports          []string
}

// name is the import path inside the module, "" for its root.
func (p *listed) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// isExample says of packages that stand for a vendor's own.
func (p *listed) isExample() bool { return strings.HasPrefix(p.name(), "examples/") }

func list(t *testing.T) []*listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = golden.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []*listed
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, &p)
	}
}

// allowed reports whether a name is in a list of names and "x/*" patterns.
func allowed(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		below, ok := strings.CutSuffix(n, "*")
		return n == name || ok && strings.HasPrefix(name, below)
	})
}

// isForeign reports whether an import comes from another module: the first
// element of such paths has a dot.
func isForeign(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".") && !isOwn(imported)
}

func isOwn(imported string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

func TestImports(t *testing.T) {
	for _, p := range list(t) {
		if p.isExample() || len(p.GoFiles) == 0 && p.name() != "internal/arch" {
			continue
		}
		r, known := table[p.name()]
		if !known {
			t.Errorf("%s is not in the table: add it, with what it may import", p.name())
			continue
		}
		for _, imported := range p.Imports {
			switch own := strings.TrimPrefix(imported, module+"/"); {
			case isOwn(imported) && !allowed(r.own, own):
				t.Errorf("%s imports %s, which its row of the table does not allow", p.name(), own)
			case isForeign(imported) && !slices.ContainsFunc(r.foreign, func(m string) bool {
				return m == "*" || imported == m || strings.HasPrefix(imported, m+"/")
			}):
				t.Errorf("%s imports %s, which its row of the table does not allow", p.name(), imported)
			}
		}
	}
}

// The run time is held to its rule a second time, over everything that it
// reaches: it is what vendors ship.
func TestRuntimeIsStandardLibrary(t *testing.T) {
	for _, name := range runtime {
		cmd := exec.Command("go", "list", "-deps", "./"+name)
		cmd.Dir = golden.Root(t)
		out, err := cmd.Output()
		if err != nil {
			continue // not built yet
		}
		for dep := range strings.Lines(string(out)) {
			dep = strings.TrimSpace(dep)
			if isForeign(dep) || isOwn(dep) && !slices.Contains(runtime, strings.TrimPrefix(dep, module+"/")) {
				t.Errorf("%s depends on %s", name, dep)
			}
		}
	}
}

func TestSoleImporters(t *testing.T) {
	for _, p := range list(t) {
		if slices.Contains(testOnly, p.name()) {
			continue
		}
		for _, imported := range p.Imports {
			for sole, by := range importers {
				if (imported == sole || strings.HasPrefix(imported, sole+"/")) && !slices.Contains(by, p.name()) {
					t.Errorf("%s imports %s, which is for %s", p.name(), imported, strings.Join(by, " and "))
				}
			}
			for _, bad := range forbidden {
				if imported == bad || strings.HasPrefix(imported, bad+"/") {
					t.Errorf("%s imports %s, which nothing may", p.name(), imported)
				}
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			for _, bad := range forbidden[:3] {
				if imported == bad || strings.HasPrefix(imported, bad+"/") {
					t.Errorf("the tests of %s import %s, which nothing may", p.name(), imported)
				}
			}
		}
	}
}

// Packages for tests do not get into programs, and the tool does not depend on
// what it generates.
func TestTestOnly(t *testing.T) {
	for _, p := range list(t) {
		for _, imported := range p.Imports {
			if !isOwn(imported) {
				continue
			}
			name := strings.TrimPrefix(imported, module+"/")
			if slices.Contains(testOnly, name) && !slices.Contains(testOnly, p.name()) {
				t.Errorf("%s imports %s outside of its tests", p.name(), name)
			}
			if strings.HasPrefix(name, "examples/") && !p.isExample() {
				t.Errorf("%s imports the generated package %s", p.name(), path.Base(name))
			}
		}
	}
}

// A replace line would be ignored where this module is a dependency, so what
// is tested here would not be what vendors get.
func TestGoMod(t *testing.T) {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = golden.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Module  struct{ Path string }
		Replace []any
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != module {
		t.Errorf("the module is %s", mod.Module.Path)
	}
	if len(mod.Replace) > 0 {
		t.Errorf("go.mod has replace lines: %v", mod.Replace)
	}
	for _, r := range mod.Require {
		if !r.Indirect && slices.Contains(forbidden, r.Path) {
			t.Errorf("go.mod requires %s", r.Path)
		}
	}
}
