package corpus_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata/cases")

// A corpusCase is a case with what it comes to.
type corpusCase struct {
	*golden.Case

	program  *ir.Program
	files    []gen.File
	findings diag.List
}

func (c *corpusCase) fails() bool { return c.findings.HasErrors() }

// loadCases reads and builds every case of a folder of testdata.
func loadCases(t testing.TB, folder string) []*corpusCase {
	t.Helper()
	var cases []*corpusCase
	for _, one := range golden.Cases(t, folder) {
		c := &corpusCase{Case: one}
		c.program, c.files, c.findings = buildProgram(c.FS, ".")
		c.findings = c.findings.Sorted()
		cases = append(cases, c)
	}
	return cases
}

// compare tests a part of the archive, or rewrites it; an empty text stands
// for a part that is not there.
func (c *corpusCase) compare(t *testing.T, part, got string) {
	t.Helper()
	at := slices.IndexFunc(c.Archive.Files, func(f txtar.File) bool { return f.Name == part })
	want := ""
	if at >= 0 {
		want = string(c.Archive.Files[at].Data)
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s:\n%s\nwant:\n%s", part, got, want)
		return
	}
	switch {
	case got == "":
		c.Archive.Files = slices.Delete(c.Archive.Files, at, at+1)
	case at >= 0:
		c.Archive.Files[at].Data = []byte(got)
	default:
		c.Archive.Files = append(c.Archive.Files, txtar.File{Name: part, Data: []byte(got)})
	}
	if err := os.WriteFile(c.Path, txtar.Format(c.Archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCorpus builds every case and compares findings and goldens.
func TestCorpus(t *testing.T) {
	cases := loadCases(t, "cases")
	failures := 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { c.test(t) })
		if c.fails() {
			failures++
		}
	}
	t.Logf("%d cases, %d of them failures", len(cases), failures)
	if len(cases) < 60 || failures*10 < len(cases)*4 {
		t.Errorf("%d cases with %d failures: want 60, and two in five of them failures", len(cases), failures)
	}
}

func (c *corpusCase) test(t *testing.T) {
	c.compare(t, "want-findings.txt", render(t, c.FS, c.findings))
	if c.fails() {
		if len(c.files) > 0 {
			t.Errorf("%d files in spite of errors", len(c.files))
		}
		return
	}
	if err := theOracle(t).judge(c.program, c.files); err != nil {
		t.Error(err)
	}
	generated := map[string]string{}
	for _, f := range c.files {
		generated[f.Name] = string(f.Data)
	}
	exports, _ := gen.Export(c.program) // what is found is in c.findings
	for _, f := range exports {
		generated["exports/"+f.Name] = string(f.Data)
		switch {
		case f.Name == "atip/atip.json":
			golden.JudgeATIP(t, f.Data)
		case strings.HasPrefix(f.Name, "atdf/") && os.Getenv("SCULPT_SHARED") != "":
			var doc map[string]any
			if err := json.Unmarshal(f.Data, &doc); err != nil {
				t.Fatal(err)
			}
			golden.JudgeATDF(t, doc)
		}
	}
	for _, f := range slices.Clone(c.Archive.Files) {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			c.compare(t, f.Name, generated[name])
		}
	}
	c.steady(t)
}

// steady generates again: the same bytes, on one processor, and whatever the
// order of keys that has no meaning.
func (c *corpusCase) steady(t *testing.T) {
	t.Helper()
	old := runtime.GOMAXPROCS(1)
	_, again, _ := buildProgram(c.FS, ".")
	runtime.GOMAXPROCS(old)
	if !slices.EqualFunc(c.files, again, func(x, y gen.File) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) }) {
		t.Error("a second run gives other bytes")
	}
	shuffled := maps.Clone(c.FS)
	shuffled["sculpt.yaml"] = &fstest.MapFile{Data: shuffle(t, c.FS["sculpt.yaml"].Data)}
	_, other, findings := buildProgram(shuffled, ".")
	if findings.HasErrors() {
		t.Errorf("with keys in another order:\n%s", render(t, shuffled, findings))
	} else if changed := changedFiles(t, c.files, other); len(changed) > 0 {
		t.Errorf("another order of keys gives others: %v", changed)
	}
}

// changedFiles names what differs between two generations for another reason than
// that lines of the manifest moved: positions are in one file, and digests of the
// manifest and of that file in another.
func changedFiles(t *testing.T, before, after []gen.File) []string {
	t.Helper()
	if len(before) != len(after) {
		return []string{fmt.Sprintf("%d files, now %d", len(before), len(after))}
	}
	var changed []string
	for i, f := range before {
		x, y := f.Data, after[i].Data
		switch f.Name {
		case placesFile:
			x, y = nil, nil
		case guardFile:
			x, y = digestOfFile.ReplaceAll(x, nil), digestOfFile.ReplaceAll(y, nil)
		}
		if f.Name != after[i].Name || !bytes.Equal(x, y) {
			t.Log(cmp.Diff(string(x), string(y)))
			changed = append(changed, f.Name)
		}
	}
	return changed
}

var digestOfFile = regexp.MustCompile(`"(sculpt\.yaml|places_gen\.go)": *"[0-9a-f]{64}"`)

// TestQuietDiff adds a line of comment to manifests: all that changes are the
// digests of the generated test, and the one table of positions, in which every
// line is there.
func TestQuietDiff(t *testing.T) {
	some := 0
	for _, c := range loadCases(t, "cases") {
		if c.files == nil {
			continue
		}
		moved := maps.Clone(c.FS)
		moved["sculpt.yaml"] = &fstest.MapFile{Data: append([]byte("# A remark.\n"), c.FS["sculpt.yaml"].Data...)}
		_, after, findings := buildProgram(moved, ".")
		if findings.HasErrors() {
			t.Fatalf("%s: %s", c.Name, render(t, moved, findings))
		}
		if changed := changedFiles(t, c.files, after); len(changed) > 0 {
			t.Errorf("%s: a line that moved changes %v", c.Name, changed)
		}
		for i, f := range c.files {
			if f.Name != placesFile {
				continue
			}
			some++
			moved := entries.Split(string(after[i].Data), -1)
			for at, entry := range entries.Split(string(f.Data), -1) {
				before, after := placed.FindStringSubmatch(entry), placed.FindStringSubmatch(moved[at])
				if (before == nil) != (after == nil) || before != nil && (before[1] != after[1] || atoi(t, before[2])+1 != atoi(t, after[2])) {
					t.Errorf("%s: %s: %q became %q", c.Name, f.Name, before, after)
				}
			}
		}
	}
	if some < 20 {
		t.Errorf("only %d cases have positions", some)
	}
}

// What errors of a tool name is on a line with its place, and a part that callers see on
// that of the input or output that it is a part of.
var (
	entries = regexp.MustCompile(`[\n\t]`)
	placed  = regexp.MustCompile(`^(?:const \w+ = ` + "`" + `)?(sculpt\.yaml:|.+ )(\d+):\d+`)
)

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// unordered are the maps of a manifest whose order means nothing, by depth:
// the manifest itself, the tools, the keys of a tool, and those of its inputs,
// outputs and steps.
var unordered = regexp.MustCompile(`^(|tools|tools\.[^.]+|tools\.[^.]+\.(inputs|outputs|steps)\.[^.]+|tools\.[^.]+\.(steps\.[^.]+\.)?with)$`)

func shuffle(t *testing.T, manifest []byte) []byte {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(manifest, &doc); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		if n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i < len(n.Content); i += 2 {
			walk(n.Content[i+1], strings.TrimPrefix(path+"."+n.Content[i].Value, "."))
		}
		if !unordered.MatchString(path) {
			return
		}
		random.Shuffle(len(n.Content)/2, func(i, j int) {
			for k := range 2 {
				n.Content[2*i+k], n.Content[2*j+k] = n.Content[2*j+k], n.Content[2*i+k]
			}
		})
	}
	walk(doc.Content[0], "")
	out, err := yaml.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCorpusKnowsTheRules wants every rule of the semantic stages in some
// case, and no finding with a rule that is not documented.
func TestCorpusKnowsTheRules(t *testing.T) {
	seen := map[string]string{}
	for _, c := range loadCases(t, "cases") {
		for _, f := range c.findings {
			seen[f.Rule.String()] = c.Name
		}
	}
	documented := map[string]bool{}
	for _, r := range slices.Concat(expr.Rules, resolve.Rules, plan.Rules) {
		documented[r.ID.String()] = true
		if seen[r.ID.String()] == "" {
			t.Errorf("no case shows the rule %s", r.ID)
		}
	}
	for _, r := range slices.Concat(manifest.Rules, spec.Rules, frontend.Rules, export.Rules, gen.Rules) {
		documented[r.ID.String()] = true
	}
	for rule, name := range seen {
		if !documented[rule] {
			t.Errorf("%s: the rule %s is not documented", name, rule)
		}
	}
}

// TestCorpusCompiles puts the files of all cases into one module: go build and
// go vet accept them, and the cases with calls answer as they should.
func TestCorpusCompiles(t *testing.T) { compileAndRun(t, loadCases(t, "cases")) }

// compileAndRun builds the cases that give code in one module, and compares
// what their calls do.
func compileAndRun(t *testing.T, cases []*corpusCase) {
	t.Helper()
	m := golden.NewModule(t)
	var runs []*corpusCase
	for _, c := range cases {
		if c.fails() {
			continue
		}
		for _, f := range c.files {
			m.Write("cases/"+c.Name+"/"+f.Name, string(f.Data))
		}
		if _, err := fs.Stat(c.FS, "calls.txt"); err == nil {
			runs = append(runs, c)
			for name, f := range c.FS {
				if strings.HasPrefix(name, "replay/") || name == "answers.txt" {
					m.Write("run/"+c.Name+"/"+name, string(f.Data))
				}
			}
			m.Write("run/"+c.Name+"/calls.txt", string(c.FS["calls.txt"].Data))
		}
	}
	m.Write("run/main.go", runMain(t, "run.go.txt", runs))
	for _, verb := range []string{"build", "vet"} {
		if _, err := m.Go(verb, "./..."); err != nil {
			t.Fatal(err)
		}
	}
	out, err := m.Go("run", "./run")
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ = strings.Cut("\n"+out, "\n=== ")
	for section := range strings.SplitSeq(out, "\n=== ") {
		name, text, _ := strings.Cut(section, "\n")
		at := slices.IndexFunc(runs, func(c *corpusCase) bool { return c.Name == name })
		t.Run(name, func(t *testing.T) { runs[at].compare(t, "want-calls.txt", strings.TrimRight(text, "\n")+"\n") })
	}
}

// parallel reports whether some steps run at once, so that their requests
// come in no order.
func (c *corpusCase) parallel() bool {
	return slices.ContainsFunc(c.program.Tools, func(t *ir.Tool) bool {
		each := func(s *ir.Step) bool { return s.Each != nil }
		return slices.ContainsFunc(t.Plan.Regions, func(region []*ir.Branch) bool { return len(region) > 1 }) || slices.ContainsFunc(t.Plan.Steps, each)
	})
}

// runMain writes a program that makes the calls of all cases, from a file of
// testdata.
func runMain(t *testing.T, file string, runs []*corpusCase) string {
	t.Helper()
	var imports, cases strings.Builder
	for i, c := range runs {
		p, _ := plan.New(c.program)
		alias := fmt.Sprintf("c%d", i)
		if !token.IsIdentifier(alias) {
			t.Fatal(alias)
		}
		fmt.Fprintf(&imports, "\t%s %q\n", alias, "vendor.example/tools/cases/"+c.Name)
		fmt.Fprintf(&cases, "\trun(%q, %t, func(rt http.RoundTripper) (tool.Toolset, error) {\n\t\tcfg, err := %s.ConfigFromEnv(lookup)\n", c.Name, c.parallel(), alias)
		for _, a := range p.APIs {
			fmt.Fprintf(&cases, "\t\tcfg.%s.Transport = rt\n", a.Field)
		}
		fmt.Fprintf(&cases, "\t\tif err != nil {\n\t\t\treturn tool.Toolset{}, err\n\t\t}\n\t\ttools, err := %s.New(cfg)\n\t\tif err != nil {\n\t\t\treturn tool.Toolset{}, err\n\t\t}\n\t\treturn tools.Toolset(), nil\n\t})\n", alias)
	}
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("\t// imports\n", imports.String(), "\t// cases\n", cases.String()).Replace(string(text))
}

// TestHandshake: the generator and the run time speak of one contract.
func TestHandshake(t *testing.T) {
	want, checked := fmt.Sprintf("[tool.Handshake-%d]", tool.Handshake), 0
	for _, c := range loadCases(t, "cases") {
		for _, f := range c.files {
			if f.Name != "tools_gen.go" {
				continue
			}
			if checked++; !strings.Contains(string(f.Data), want) {
				t.Errorf("tools_gen.go of %s does not hold %s", c.Name, want)
			}
		}
	}
	if checked == 0 {
		t.Error("no case has the file")
	}
}
