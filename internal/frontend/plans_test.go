package frontend

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/meaning"
)

// caseFiles are the packages of the golden corpus and of the example.
func caseFiles(t *testing.T) map[string]fs.FS {
	t.Helper()
	shop, err := os.ReadFile("../../testdata/cases/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../testdata/cases/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	all := map[string]fs.FS{"nws": os.DirFS("../../examples/nws"), "clinic": os.DirFS("../../examples/clinic"), "rich": os.DirFS("../../gen/internal/corpus/testdata/rich")}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"shop.yaml": {Data: shop}}
		for _, f := range archive.Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = files
	}
	return all
}

// TestPlans: the plan that a release keeps gives the same work again, without
// the manifest and the documents that it came from.
func TestPlans(t *testing.T) {
	compared := 0
	for name, fsys := range caseFiles(t) {
		p, findings := Load(fsys, ".")
		if findings.HasErrors() {
			continue
		}
		for _, tool := range p.Program.Tools {
			plan, findings := p.Plan(fsys, tool.Signature.Name)
			if plan == nil {
				t.Errorf("%s: %s: %v", name, tool.Signature.Name, findings)
				continue
			}
			again, findings := loadPlan("plan", plan, nil)
			if findings.HasErrors() {
				t.Errorf("%s: %s: %v\n%s", name, tool.Signature.Name, findings, plan.Manifest)
				continue
			}
			if was, is := work(tool), work(again.Tools[0]); !reflect.DeepEqual(was, is) {
				t.Errorf("%s: %s:\n%s\nwas:\n%s", name, tool.Signature.Name, strings.Join(is, "\n"), strings.Join(was, "\n"))
			}
			today, loaded := meaning.Tool{Program: p.Program, Tool: tool}, meaning.Tool{Program: again, Tool: again.Tools[0]}
			if changes := meaning.Compare(loaded, today); len(changes) > 0 || meaning.Digest(loaded, loaded) != meaning.Digest(loaded, today) {
				t.Errorf("%s: %s: the plan means another thing: %v", name, tool.Signature.Name, changes)
			}
			if !p.sameWork(tool, plan) {
				t.Errorf("%s: %s: not the same work: %s", name, tool.Signature.Name, plan.Manifest)
			}
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d plans were compared", compared)
	}
}

// work lists what a plan does.
func work(t *ir.Tool) []string {
	var out []string
	for _, s := range t.Plan.Steps {
		result := "nothing"
		if s.Result != nil {
			result = s.Result.String()
		}
		out = append(out, fmt.Sprintf("step %s: %s %s %s effect %s accept %s reads %v of %s body %s", s.ID, s.API, s.Op.Method, s.Op.Path, s.Effect, s.Accept, s.Reads, result, s.BodyMedia))
		for _, b := range s.Bindings {
			value := ""
			if b.Value != nil {
				value = b.Value.Text
			}
			out = append(out, fmt.Sprintf("  %s %s %s %s %q", b.Param.In, b.Param.Name, b.Param.Type, b.Origin, value))
		}
	}
	for _, l := range t.Plan.Lets {
		out = append(out, fmt.Sprintf("let %s: %s %s", l.Name, l.Expr.Term.Type, l.Expr.Text))
	}
	for _, o := range t.Plan.Outputs {
		out = append(out, fmt.Sprintf("output %s: %s %s %v %d %s", o.Name, o.Type, o.Expr.Text, o.Enum, o.MaxItems, o.Fallback))
	}
	return out
}

// TestPlansWithoutNotes: what a manifest says of effects for people, and of
// headers for gateways, is not in the plan, so that correcting it changes no
// release; what callers decide by is.
func TestPlansWithoutNotes(t *testing.T) {
	document, err := os.ReadFile("../../testdata/cases/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	excerpt := func(effects string) string {
		t.Helper()
		text := "sculpt: 1\npackage: tools\ntoolkit: Test\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis: {shop: {openapi: shop.yaml}}\ntools:\n  order:\n" +
			"    version: 1\n    description: Order.\n" + effects + "    call: shop.make_order\n    body: {title: x}\n    outputs: {n: {value: 1, description: N.}}\n"
		files := fstest.MapFS{"shop.yaml": {Data: document}, "sculpt.yaml": {Data: []byte(text)}}
		p, findings := Load(files, ".")
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		plan, findings := p.Plan(files, "order")
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		return string(plan.Manifest)
	}
	none, billable := excerpt(""), excerpt("    effects: {billable: true}\n")
	const notes = "creates: [order], modifies: [stock], deletes: [basket], cost: low, duration: 1-5s"
	if got := excerpt("    effects: {creates: [order], cost: low, duration: 1-5s}\n"); got != none {
		t.Errorf("%s\nwithout notes:\n%s", got, none)
	}
	if got, bare := excerpt("    effects: {"+notes+", destructive: true}\n"), excerpt("    effects: {destructive: true}\n"); got != bare {
		t.Errorf("%s\nwithout notes:\n%s", got, bare)
	}
	inputs := func(header string) string {
		return excerpt("    inputs:\n      a: {description: A., max_length: 9" + header + "}\n      mcp_header: {description: B., max_length: 9}\n")
	}
	if got, bare := inputs(", mcp_header: A"), inputs(""); got != bare || !strings.Contains(bare, `"mcp_header":{`) {
		t.Errorf("%s\nwithout a header:\n%s", got, bare)
	}
	if billable == none {
		t.Errorf("the plan has no effects: %s", billable)
	}
}
