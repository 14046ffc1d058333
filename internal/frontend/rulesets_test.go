package frontend_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

const (
	ofRules = "namespace: 3f0c5a52"
	texts   = "inputs: {thing: {description: The thing., max_length: 40}, where: {description: Where., max_length: 40, optional: true}, how: {description: How., max_length: 40, min_length: 0}, short: {description: The short form., max_length: 40, min_length: 3}}"
	given   = "with: {thing: '${input.thing + (has(input.where) ? input.where : \"\") + input.how + input.short}'}"
)

// underRules is the manifest of a tool with four texts, under a rule set.
func underRules(set string, edits ...string) []string {
	if set != "" {
		set = "rules: " + set + "\n"
	}
	return append([]string{ofRules, set + ofRules, "inputs: {thing: {description: The thing., max_length: 40}}", texts, "with: {thing: '${input.thing}'}", given}, edits...)
}

// begun releases the first version of what is in the files.
func begun(t *testing.T, files fstest.MapFS) fstest.MapFS {
	t.Helper()
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(told(findings))
	}
	plan, findings := p.Plan(files, "find")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	record, err := p.History.Next(p.Side(p.Program.Tools[0]), p.Options(), "2026-11-01", history.Evidence{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(files)
	out[record.Name] = &fstest.MapFile{Data: record.Data}
	return out
}

// What a text does not say of its least length follows from the rule set of the
// tool: that of its first release, whatever the manifest says later, and that of
// the manifest for a tool without releases.
func TestRuleSets(t *testing.T) {
	fresh := with(fstest.MapFS{"shop.yaml": {Data: []byte(frozenDocument)}})
	const old, now = "thing 0, where 0, how 0, short 3", "thing 1, where 0, how 0, short 3"
	for _, c := range []struct{ first, then, set, least string }{
		{"none", "", "a2t/2", now}, {"none", "a2t/2", "a2t/2", now}, {"none", "a2t/1", "a2t/1", old},
		{"a2t/1", "a2t/1", "a2t/1", old}, {"a2t/1", "a2t/2", "a2t/1", old}, {"a2t/1", "", "a2t/1", old},
		{"a2t/2", "a2t/1", "a2t/2", now}, {"a2t/2", "", "a2t/2", now}, {"", "a2t/1", "a2t/2", now},
	} {
		t.Run(fmt.Sprintf("%q then %q", c.first, c.then), func(t *testing.T) {
			files := fresh
			if c.first != "none" {
				files = begun(t, with(fresh, underRules(c.first)...))
			}
			files = with(files, underRules(c.then)...)
			if got := least(t, files); got != c.least {
				t.Errorf("%s\nwant %s", got, c.least)
			}
			if c.first == "none" {
				files = begun(t, files)
			}
			// The next version keeps the set, and so does the plan of the first.
			next := begunNext(t, with(files, underRules(c.then, "    version: 1\n", frozenTwo+"[1]\n", "    outputs:\n", "    outputs:\n      again: {value: '${result.kind}', description: Again.}\n")...))
			for _, n := range []string{"v0001", "v0002"} {
				if record := string(next["history/find/"+n+".json"].Data); !strings.Contains(record, `"rules": "`+c.set+`"`) {
					t.Errorf("%s is not under %s:\n%.200s", n, c.set, record)
				}
			}
		})
	}
}

// least are the least lengths of the texts of a tool that has nothing else to say.
func least(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	p, findings := frontend.Load(files, ".")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	var out []string
	for _, in := range p.Program.Tools[0].Signature.Inputs {
		out = append(out, fmt.Sprintf("%s %d", in.Name, in.MinLength))
	}
	return strings.Join(out, ", ")
}

// begunNext releases the second version; the first, which keeps its chain, has
// the texts of today.
func begunNext(t *testing.T, files fstest.MapFS) fstest.MapFS {
	t.Helper()
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(told(findings))
	}
	tool := p.Program.Tools[0]
	for i, in := range tool.Frozen[0].Inputs {
		if in.MinLength != tool.Signature.Inputs[i].MinLength {
			t.Errorf("the kept chain of v1 takes %s from %d characters on, not %d", in.Name, in.MinLength, tool.Signature.Inputs[i].MinLength)
		}
	}
	return begun(t, files)
}
