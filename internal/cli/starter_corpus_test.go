package cli

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var (
	starterSample = flag.Int("starters.sample", 8, "how many operations of each published document init is tried on")
	starterSeed   = flag.Uint64("starters.seed", 15, "which ones")
	starterShow   = flag.Bool("starters.show", false, "log each first manifest that is not good")
)

// A starterRate counts what becomes of operations that have a JSON answer.
type starterRate struct {
	all, lints, doneOnly, searchable, blind, guessed int
}

func (r *starterRate) add(o *starterRate) {
	r.all, r.lints, r.doneOnly = r.all+o.all, r.lints+o.lints, r.doneOnly+o.doneOnly
	r.searchable, r.blind, r.guessed = r.searchable+o.searchable, r.blind+o.blind, r.guessed+o.guessed
}

func (r *starterRate) String() string {
	return fmt.Sprintf("%4d operations: %d lint, %d say done only, %d of %d with something to search by have no input, %d guesses",
		r.all, r.lints, r.doneOnly, r.blind, r.searchable, r.guessed)
}

// Of every published document some operations with a JSON answer, by seed: the first manifest
// of each lints, tells what the answer holds, and asks for what the operation searches by. The
// rates are those of issue 15; "-starters.sample 60" takes as many as it wants.
func TestStarterOverCorpus(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t))
	var total starterRate
	for _, name := range golden.Documents(t, fsys) {
		rate := rateStarters(t, fsys, name)
		t.Logf("%-50s %s", name, rate)
		total.add(rate)
	}
	t.Logf("%-50s %s", "all documents", &total)
	if total.all == 0 || total.lints != total.all {
		t.Errorf("%d of %d first manifests lint", total.lints, total.all)
	}
	if total.doneOnly*50 >= total.all || total.blind*50 >= total.searchable || total.guessed > 0 {
		t.Errorf("%s", &total)
	}
}

func rateStarters(t *testing.T, fsys fs.FS, name string) *starterRate {
	t.Helper()
	rate := &starterRate{}
	summaries, findings := spec.Index(fsys, name)
	if findings.HasErrors() {
		t.Errorf("%s: %v", name, findings)
		return rate
	}
	r := rand.New(rand.NewPCG(*starterSeed, 1))
	r.Shuffle(len(summaries), func(i, j int) { summaries[i], summaries[j] = summaries[j], summaries[i] })
	for _, s := range summaries {
		if rate.all == *starterSample {
			break
		}
		st := &start{dir: ".", document: name, module: "example.com/x", pkg: "tools", api: "api"}
		doc, findings := st.load(fsys, summaries, []spec.Want{{Method: s.Method, Path: s.Path}})
		if findings.HasErrors() || len(doc.Operations) == 0 || !answersJSON(doc.Operations[0]) {
			continue
		}
		rate.judge(t, fsys, st, doc)
	}
	return rate
}

func answersJSON(op *operation.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(r *operation.Response) bool {
		return strings.HasPrefix(r.Status, "2") && slices.ContainsFunc(r.Media, func(m operation.Media) bool { return strings.Contains(m.Type, "json") })
	})
}

// judge makes the first manifest of an operation and counts what it is like. It reads the
// manifest and the document, and nothing that init thought.
func (r *starterRate) judge(t *testing.T, fsys fs.FS, st *start, doc *spec.API) {
	t.Helper()
	r.all++
	op := doc.Operations[0]
	if st.needsServer(op) != nil {
		st.baseURL = "https://api.example"
	}
	text := newStarter(st, doc).manifest().whole
	findings := starterFindings(fsys, text)
	at := strings.TrimSpace(op.Method + " " + op.Path)
	if i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Severity == diag.Error }); i >= 0 {
		t.Logf("%s %s: %s: %s\n%s", st.document, at, findings[i].Rule, findings[i].Message, excerpt(text, findings[i].Span.Start.Line))
		return
	}
	r.lints++
	m, _ := manifest.Parse("sculpt.yaml", []byte(text))
	tool := m.Tools[len(m.Tools)-1]
	poor := ""
	if len(tool.Outputs) == 1 && tool.Outputs[0].Value.Value == "${true}" {
		r.doneOnly++
		poor = "done only"
	}
	if by := searchable(op); by != "" {
		r.searchable++
		if len(tool.Inputs) == 0 {
			r.blind++
			poor = "no input, though it has " + by
		}
	}
	if guess := wrongGuess(text); guess != "" {
		r.guessed++
		poor = guess
	}
	if poor != "" {
		t.Logf("%s %s: %s", st.document, at, poor)
		if *starterShow {
			t.Log(text)
		}
	}
}

func starterFindings(fsys fs.FS, text string) diag.List {
	return generate(&draft{FS: fsys, files: map[string][]byte{frontend.ManifestName: []byte(text)}}, frontend.ManifestName, &place{root: "/", cwd: "/"}).findings
}

// forMachines are names of what no person searches by.
var forMachines = regexp.MustCompile(`(?i)token|cursor|page|limit|offset|authorization|^x-|trace|idempot|fields|expand|include|format|callback|pretty|accept|user.?agent|if.?(none.?)?match|version|after$|before$|count|size|locale|language|lang$|skip|marker|continue|timeout`)

// searchable names something that narrows what an operation finds or does: a parameter of path or
// query, or a member of its body, that holds a plain value.
func searchable(op *operation.Operation) string {
	for _, p := range op.Params {
		if (p.In == operation.Path || p.In == operation.Query) && p.Type.IsScalar() && len(p.Type.Enum) != 1 && narrows(p.Name, p.Type) {
			return p.Name
		}
	}
	if op.Body == nil || op.Method == "GET" || op.Method == "DELETE" {
		return ""
	}
	for _, m := range op.Body.Media {
		if m.Schema == nil || m.Schema.Variant(types.Object) == nil {
			continue
		}
		for _, f := range m.Schema.Variant(types.Object).Fields {
			if !f.ReadOnly && f.Type.IsScalar() && len(f.Type.Enum) != 1 && narrows(f.Name, f.Type) {
				return f.Name
			}
		}
	}
	return ""
}

func narrows(name string, t *types.Type) bool {
	return resolve.Programmatic(name, t) == "" && !forMachines.MatchString(name)
}

var (
	bindingLine = regexp.MustCompile(`^\s+(?:- )?'?([^\s':]+)'?: '\$\{(.*)\}'$`)
	// foundID takes the id of the listed item that has the name which the caller gave.
	foundID    = regexp.MustCompile(`^listed\b.*\.filter\(item, .* == input\.[a-z_]+\)\[0\]\.([A-Za-z_]+)$`)
	readsInput = regexp.MustCompile(`input\.\??([a-z0-9_]+)`)
)

// wrongGuess finds a value that is taken apart, and one that goes where another thing is wanted.
func wrongGuess(text string) string {
	if strings.Contains(text, ".split(") {
		return "a text is split"
	}
	for line := range strings.Lines(text) {
		m := bindingLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || m[1] == "value" {
			continue
		}
		if found := foundID.FindStringSubmatch(m[2]); found != nil {
			if found[1] != m[1] && (found[1] != "id" || !strings.HasSuffix(snake(m[1], 60), "id")) {
				return m[1] + " is given the " + found[1] + " of a list"
			}
			continue
		}
		if in := readsInput.FindStringSubmatch(m[2]); in != nil && !strings.Contains(in[1], snake(m[1][strings.LastIndexByte(m[1], '.')+1:], 60)) {
			return m[1] + " is given the input " + in[1]
		}
	}
	return ""
}

func excerpt(text string, line int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, line-4):min(len(lines), line+3)], "\n")
}
