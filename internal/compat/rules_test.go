package compat_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

var update = flag.Bool("update", false, "rewrite the wanted findings in testdata/rules")

// ruleDay is the day on which the archives are judged and released.
const ruleDay = "2026-11-20"

var policies = []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe}

// An archive of testdata/rules shows one rule:
//
//	v1.json              a release, in the two halves of a record; so v2.json and on
//	hit.json             a manifest that the rule finds; more than one may begin so
//	hit.want             everything that is found in it
//	miss.json miss.want  the nearest thing that the rule must not find
//	history/...          files of the history: beside, or in place of, the records of the releases
//	hit/history/...      what the history is like in that case; an empty file is deleted
//	hit/answers.json     what the examples are answered with
//
// Where the shared history is what generated code and the other branch know, a
// case is judged as its own branch. A line "also: id" of the comment names a
// rule that finds something in the hits by its nature.
type archive struct {
	rule string
	file string
	*txtar.Archive
}

func archives(t *testing.T) []*archive {
	t.Helper()
	files, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no archives", err)
	}
	var all []*archive
	for _, file := range files {
		parsed, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &archive{strings.TrimSuffix(filepath.Base(file), ".txtar"), file, parsed})
	}
	return all
}

// part returns the index of a file, -1 if the archive has none of that name.
func (a *archive) part(name string) int {
	return slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
}

// named returns the manifests and releases whose names begin so.
func (a *archive) named(prefix string) []string {
	var names []string
	for _, f := range a.Files {
		if name, ok := strings.CutSuffix(f.Name, ".json"); ok && strings.HasPrefix(name, prefix) && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}

// also are the other rules that find something in the hits.
func (a *archive) also() []string {
	var ids []string
	for line := range strings.Lines(string(a.Comment)) {
		if id, ok := strings.CutPrefix(line, "also: "); ok {
			ids = append(ids, strings.TrimSpace(id))
		}
	}
	return ids
}

// sides reads a manifest or a release: one tool, or a list of them.
func (a *archive) sides(t *testing.T, name string) []*compat.Side {
	t.Helper()
	type tool struct {
		Signature, Contract json.RawMessage
		Accept              []compat.Accept
	}
	data := bytes.TrimSpace(a.Files[a.part(name+".json")].Data)
	if !bytes.HasPrefix(data, []byte("[")) {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	var tools []tool
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&tools); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out []*compat.Side
	for _, d := range tools {
		s, err := signature.Parse(d.Signature)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Contract == nil {
			d.Contract = json.RawMessage("{}")
		}
		details, err := signature.ReadContract(d.Contract, s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, &compat.Side{Signature: s, Details: *details, Accept: d.Accept, Span: diag.Span{File: "sculpt.yaml"}})
	}
	return out
}

// history returns the files that all cases share.
func (a *archive) history(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range a.named("v") {
		for _, side := range a.sides(t, name) {
			h, findings := history.Read(files, history.Folder)
			record, err := h.Next(side, history.Options{Rules: signature.FirstRules}, ruleDay, history.Evidence{})
			if err != nil || len(findings) > 0 {
				t.Fatal(name, err, findings)
			}
			files[record.Name] = &fstest.MapFile{Data: record.Data}
			h, _ = history.Read(files, history.Folder)
			if announced, changed := h.Announce(side, ruleDay); changed {
				files[announced.Name] = &fstest.MapFile{Data: announced.Data}
			}
		}
	}
	a.overlay(files, "")
	return files
}

// overlay puts the files below a folder of the archive over those of the
// history.
func (a *archive) overlay(files fstest.MapFS, below string) {
	for _, f := range a.Files {
		name, ok := strings.CutPrefix(f.Name, below)
		switch {
		case !ok || !strings.HasPrefix(name, history.Folder+"/"):
		case len(f.Data) == 0:
			delete(files, name)
		default:
			files[name] = &fstest.MapFile{Data: f.Data}
		}
	}
}

// judge returns what is found in a case under a policy.
func (a *archive) judge(t *testing.T, name string, policy compat.Policy) diag.List {
	t.Helper()
	files := a.history(t)
	opts := history.Options{
		Compat: compat.Options{Policy: policy, Today: ruleDay}, Manifest: diag.Span{File: "sculpt.yaml"},
		Base: history.Digests(files, history.Folder), Anchors: map[string]history.Anchor{}, Ref: "main",
	}
	shared, _ := history.Read(files, history.Folder)
	for _, tool := range shared.Tools {
		opts.Anchors[tool.Name] = tool.Head()
	}
	a.overlay(files, name+"/")
	h, findings := history.Read(files, history.Folder)
	tools := a.sides(t, name)
	findings = append(findings, history.Check(h, tools, opts)...)
	if i := a.part(name + "/answers.json"); i >= 0 {
		var answers map[string]json.RawMessage
		if err := json.Unmarshal(a.Files[i].Data, &answers); err != nil {
			t.Fatal(err)
		}
		findings = append(findings, h.Rehearse(tools, func(e *history.Example) ([]byte, error) { return answers[e.Name], nil })...)
	}
	return findings
}

// A found is a finding with its level under each policy.
type found struct {
	finding diag.Finding
	levels  map[compat.Policy]string
}

// findings returns what is found in a case under any policy.
func (a *archive) findings(t *testing.T, name string) []*found {
	t.Helper()
	var all []*found
	for _, policy := range policies {
		for _, f := range a.judge(t, name, policy) {
			i := slices.IndexFunc(all, func(o *found) bool {
				return o.finding.Rule == f.Rule && o.finding.Place == f.Place && o.finding.Message == f.Message
			})
			if i < 0 {
				i = len(all)
				all = append(all, &found{f, map[compat.Policy]string{}})
			}
			all[i].levels[policy] = f.Severity.String()
		}
	}
	return all
}

// want writes findings as archives have them.
func want(all []*found) []byte {
	var b bytes.Buffer
	for _, o := range all {
		f := o.finding
		fmt.Fprintf(&b, "%s %s\n", f.Span, strings.TrimSpace(f.Rule.String()+" "+f.Place))
		for i, policy := range policies {
			level := o.levels[policy]
			if level == "" {
				level = compat.None.String()
			}
			fmt.Fprintf(&b, "%s%s: %s", map[bool]string{true: "    ", false: ", "}[i == 0], policy, level)
		}
		fmt.Fprintf(&b, "\n    %s\n", f.Message)
		if f.Fix != "" {
			fmt.Fprintf(&b, "    fix: %s\n", f.Fix)
		}
	}
	return b.Bytes()
}

// TestRules runs the archives: every rule has one, with a hit and a near miss,
// and everything that is found in them is told.
func TestRules(t *testing.T) {
	shown := map[string]bool{}
	for _, a := range archives(t) {
		shown[a.rule] = true
		t.Run(a.rule, func(t *testing.T) {
			if _, ok := compat.RuleOf(a.rule); !ok {
				t.Fatal("there is no such rule")
			}
			hits, misses := a.named("hit"), a.named("miss")
			if len(hits) == 0 || len(misses) == 0 {
				t.Errorf("hits %v, near misses %v: there must be both", hits, misses)
			}
			unused := map[string]bool{}
			for _, id := range a.also() {
				unused[id] = true
			}
			for _, name := range hits {
				got := a.compare(t, name)
				if !slices.Contains(got, a.rule) {
					t.Errorf("%s does not give the rule, but %v", name, got)
				}
				for _, id := range got {
					delete(unused, id)
					if id != a.rule && !slices.Contains(a.also(), id) {
						t.Errorf("%s also gives %s: one cause, one finding", name, id)
					}
				}
			}
			for _, name := range misses {
				if got := a.compare(t, name); slices.Contains(got, a.rule) {
					t.Errorf("%s is no miss", name)
				}
			}
			if len(unused) > 0 {
				t.Errorf("no hit gives %v", slices.Sorted(maps.Keys(unused)))
			}
			a.write(t)
		})
	}
	for _, r := range compat.Rules {
		if !shown[r.ID.String()] {
			t.Errorf("rule %s has no archive", r.ID)
		}
	}
}

// compare holds a case against what the archive wants, and returns the rules
// that were found.
func (a *archive) compare(t *testing.T, name string) (ids []string) {
	t.Helper()
	all := a.findings(t, name)
	for _, o := range all {
		ids = append(ids, o.finding.Rule.String())
	}
	i, got := a.part(name+".want"), want(all)
	switch {
	case i < 0:
		t.Fatalf("%s.json has no %s.want", name, name)
	case bytes.Equal(got, a.Files[i].Data):
	case *update:
		a.Files[i].Data = got
	default:
		t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, a.Files[i].Data)
	}
	return ids
}

func (a *archive) write(t *testing.T) {
	t.Helper()
	if *update {
		if err := os.WriteFile(a.file, txtar.Format(a.Archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoPolicyIsLaxer: what breaks a caller, so that it is an error for
// client-safe, is an error under every policy, eased or not, and whatever level
// a manifest asks for. It is asked of every row, so no rule can be added that
// lets a break pass under the policy that sounds strictest.
func TestNoPolicyIsLaxer(t *testing.T) {
	for i := range compat.Rules {
		r := &compat.Rules[i]
		for _, eased := range []bool{false, true} {
			safe := compat.Options{Policy: compat.ClientSafe}
			if safe.Level(r, eased) < compat.Error {
				continue
			}
			for _, policy := range policies {
				for level := compat.None; level <= compat.Error; level++ {
					asked := compat.Options{Policy: policy, Levels: map[string]compat.Level{r.ID.String(): level}}
					plain := compat.Options{Policy: policy}
					if plain.Level(r, eased) < compat.Error || asked.Level(r, eased) < compat.Error {
						t.Errorf("%s is %s under %s, and %s where the manifest says %s, but an error under client-safe", r.ID, plain.Level(r, eased), policy, asked.Level(r, eased), level)
					}
				}
			}
		}
	}
}

// TestNoPolicyLetsAFindingPass is the same of what is really found, in every
// case of every archive: rules that package history checks included.
func TestNoPolicyLetsAFindingPass(t *testing.T) {
	broken := 0
	for _, a := range archives(t) {
		for _, name := range slices.Concat(a.named("hit"), a.named("miss")) {
			for _, o := range a.findings(t, name) {
				if o.levels[compat.ClientSafe] != compat.Error.String() {
					continue
				}
				broken++
				for _, policy := range policies {
					if o.levels[policy] != compat.Error.String() {
						t.Errorf("%s of %s: %s is %q under %s, but an error under client-safe", name, a.rule, o.finding.Rule, o.levels[policy], policy)
					}
				}
			}
		}
	}
	if broken < len(compat.Rules)/2 {
		t.Errorf("only %d breaks were seen", broken)
	}
}

var advisedKey = regexp.MustCompile(`\b([a-z_]+): `)

// TestExits: a break names every legal way out, with an accept entry to paste
// that still wants its reason, and no finding or rule advises a key that the
// manifest does not have.
func TestExits(t *testing.T) {
	keys := map[string]bool{"it": true, "again": true, "end": true} // words before a colon
	for _, k := range manifest.Keys {
		keys[path.Base(strings.ReplaceAll(k.Path, ".", "/"))] = true
	}
	advised := func(of, fix string) {
		for _, m := range advisedKey.FindAllStringSubmatch(fix, -1) {
			if !keys[m[1]] {
				t.Errorf("%s advises the key %q: %s", of, m[1], fix)
			}
		}
	}
	for _, r := range compat.Rules {
		advised(r.ID.String(), r.Fix)
	}
	breaks := 0
	for _, a := range archives(t) {
		for _, name := range a.named("hit") {
			for _, policy := range policies {
				for _, f := range a.judge(t, name, policy) {
					advised(name+" of "+a.rule, f.Fix)
					rule, _ := compat.RuleOf(f.Rule.String())
					if f.Severity != diag.Error || rule.Class == compat.History || f.Place == "" {
						continue
					}
					breaks++
					want := []string{"A2T 5.4", "sculpt retire " + f.Tool + " --sunset ", fmt.Sprintf(`accept: [{rule: %s, at: %s, reason: ""}]`, f.Rule, f.Place)}
					if rule.Levels.ClientSafe < compat.Error {
						want = append(want, "the next version under policy: client-safe")
					}
					for _, exit := range want {
						if !strings.Contains(f.Fix, exit) {
							t.Errorf("%s of %s: the fix does not name %q: %s", name, a.rule, exit, f.Fix)
						}
					}
				}
			}
		}
	}
	if breaks < 50 {
		t.Errorf("only %d breaks were seen", breaks)
	}
}

// TestBoundsAreAlike: whatever bound of an input lets more in, and whatever
// bound lets less in, is one class of change with one level under each policy.
func TestBoundsAreAlike(t *testing.T) {
	text := signature.Input{ID: "a", Name: "a", Type: signature.String, MinLength: 2, MaxLength: 9, Pattern: "^[a-z]+$"}
	count := signature.Input{ID: "a", Name: "a", Type: signature.Int, Min: 1, Max: 9}
	side := func(in signature.Input) *compat.Side {
		return compat.SideOf(&signature.Signature{ID: "t", Name: "find", Version: 1, Inputs: []signature.Input{in}})
	}
	seen := map[string]map[string][]string{"wider": {}, "narrower": {}}
	for part, widen := range map[string]func(*signature.Input){
		"max_length": func(in *signature.Input) { *in = text; in.MaxLength = 10 },
		"min_length": func(in *signature.Input) { *in = text; in.MinLength = 1 },
		"pattern":    func(in *signature.Input) { *in = text; in.Pattern = "" },
		"min":        func(in *signature.Input) { *in = count; in.Min = 0 },
		"max":        func(in *signature.Input) { *in = count; in.Max = 10 },
	} {
		var wide signature.Input
		widen(&wide)
		narrow := text
		if wide.Type == signature.Int {
			narrow = count
		}
		for direction, pair := range map[string][2]*compat.Side{"wider": {side(narrow), side(wide)}, "narrower": {side(wide), side(narrow)}} {
			verdict := ""
			for _, policy := range policies {
				changes := compat.Compare(pair[0], pair[1], compat.Options{Policy: policy})
				if len(changes) != 1 {
					t.Fatalf("%s %s: %v", part, direction, rules(changes, false))
				}
				rule, _ := compat.RuleOf(changes[0].Rule)
				verdict += fmt.Sprintf("%s %s %s ", rule.Class, policy, changes[0].Level)
			}
			seen[direction][verdict] = append(seen[direction][verdict], part)
		}
	}
	for direction, verdicts := range seen {
		if len(verdicts) != 1 {
			t.Errorf("%s bounds are judged in %d ways: %v", direction, len(verdicts), verdicts)
		}
	}
}

// TestIdentity: nothing follows from nothing.
func TestIdentity(t *testing.T) {
	for _, a := range archives(t) {
		for _, name := range slices.Concat(a.named("v"), a.named("hit"), a.named("miss")) {
			one, other := a.sides(t, name), a.sides(t, name)
			for i := range one {
				for _, policy := range policies {
					if changes := compat.Compare(one[i], other[i], compat.Options{Policy: policy}); len(changes) > 0 {
						t.Errorf("%s of %s against itself: %v", name, a.rule, changes)
					}
				}
			}
		}
	}
}

// mirrors pairs rules that undo each other, or that say the same of inputs and
// outputs. What has no mirror has a reason.
var mirrors = map[string]string{
	"input-added-optional": "input-removed", "input-added-required": "input-removed", "output-added": "output-removed", "tool-added": "tool-removed",
	"input-renamed": "output-renamed", "input-id-changed": "output-id-changed", "input-order-changed": "output-order-changed",
	"input-became-required": "input-became-optional", "output-became-optional": "output-became-present", "output-became-nullable": "output-became-present",
	"input-type-changed": "output-type-changed", "input-type-widened": "output-type-narrowed", "input-max-tightened": "input-max-loosened",
	"input-min-tightened": "input-min-loosened", "input-length-tightened": "input-length-loosened", "input-pattern-changed": "input-pattern-loosened",
	"input-enum-value-added": "input-enum-value-removed", "output-enum-value-added": "output-enum-value-removed",
	"output-range-widened": "output-range-narrowed", "input-description-changed": "output-description-changed",
	"output-json-shape-changed": "output-json-shape-grown", "tool-tag-added": "tool-tag-removed", "effect-worsened": "effect-improved",
	"auth-tightened": "auth-loosened", "error-added": "error-removed", "tool-name-taken": "tool-id-taken", "tool-renamed": "tool-id-changed",
	"version-skipped": "version-decreased", "version-removed": "history-truncated", "history-tampered": "history-rewritten",
	"accept-unused": "accept-expired", "accept-without-reason": "accept-not-allowed",
}

var waived = map[string]string{
	"input-default-changed":             "outputs have no defaults",
	"input-enum-values-reordered":       "an answer has one value; nobody chooses from the list of an output",
	"tool-description-changed":          "a text has no direction",
	"tool-image-changed":                "an image has no direction",
	"tool-deprecated":                   "taking it back is a new text of the tool and harms nobody",
	"tool-sunset-nearer":                "a later date harms nobody and is no rule",
	"notice-too-short":                  "a later date harms nobody and is no rule",
	"plan-changed":                      "a plan has no direction",
	"behaviour-changed":                 "an answer has no direction",
	"input-header-changed":              "the other direction is its own circumstance: it harms nobody",
	"accept-unrecorded":                 "what is recorded is nothing to report",
	"signature-changed-without-version": "a version without a change is nothing to release",
	"version-not-from-one":              "there is one beginning",
	"history-conflict":                  "two branches that agree have no conflict",
	"history-unreadable":                "what can be read is judged by the other rules",
}

// TestSymmetry: a rule without a mirror needs a reason, and a reason needs a
// rule without a mirror.
func TestSymmetry(t *testing.T) {
	mirrored := map[string]bool{}
	for a, b := range mirrors {
		for _, id := range []string{a, b} {
			if _, ok := compat.RuleOf(id); !ok {
				t.Errorf("mirror %s is no rule", id)
			}
			mirrored[id] = true
		}
	}
	for _, r := range compat.Rules {
		if mirrored[r.ID.String()] == (waived[r.ID.String()] != "") {
			t.Errorf("%s: mirrored %v, waived %q", r.ID, mirrored[r.ID.String()], waived[r.ID.String()])
		}
	}
	for id := range waived {
		if _, ok := compat.RuleOf(id); !ok {
			t.Errorf("waiver for %s, which is no rule", id)
		}
	}
}

// widerBounds are the rules of bounds that let more in.
var widerBounds = []string{"input-max-loosened", "input-min-loosened", "input-length-loosened", "input-pattern-loosened"}

// TestTable checks what must hold for every row.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range compat.Rules {
		if seen[r.ID.String()] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID.String()] = true
		for _, text := range []string{r.Summary, r.Why, r.Fix} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") {
				t.Errorf("%s: %q is no sentence", r.ID, text)
			}
		}
		l := r.Levels
		if r.Class == compat.History && (l.A2T != compat.Error || l.Letter != compat.Error || l.ClientSafe != compat.Error) {
			t.Errorf("%s guards the history and has levels %v", r.ID, l)
		}
		lenient := r.Class == compat.Prompt || slices.Contains(widerBounds, r.ID.String())
		if want := max(l.Letter, l.ClientSafe); l.A2T != want && (!lenient || l.A2T != l.ClientSafe) {
			t.Errorf("%s: a2t is %s, want the stricter level %s", r.ID, l.A2T, want)
		}
		if (r.EasedIf == "") != (r.Eased == compat.Levels{}) {
			t.Errorf("%s: eased levels need a circumstance, and it needs them", r.ID)
		}
	}
	if len(compat.Catalogue()) != len(compat.Rules) {
		t.Error("the catalogue lacks rules")
	}
}
