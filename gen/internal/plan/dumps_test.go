package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// TestPlans holds the plans of the whole corpus, as they are and with damaged
// manifests: the statements of every chain, and what is found.
func TestPlans(t *testing.T) {
	front.Hold(t, "testdata/plans.txt", front.Each(t, 3, func(p *front.Project) string {
		project, findings := frontend.Load(p.FS, p.Dir, frontend.AsOf("2026-11-22"))
		if findings.HasErrors() {
			return ""
		}
		made, list := plan.New(project.Program)
		var b strings.Builder
		b.WriteString(front.Findings(p.FS, list))
		if list.HasErrors() {
			return b.String()
		}
		for _, tool := range made.Chains() {
			b.WriteString("== " + tool.Method + "\n" + lower.Dump(tool.Body))
		}
		return b.String()
	}))
}

// The chain that a release keeps is planned beside that of today, after its tool,
// with what it alone needs.
func TestFrozenChains(t *testing.T) {
	const with = `
    call: shop.thing
    with: {id: '${input.id}'}
    outputs:
      name: {value: '${result.name.matches("^a+$") ? result.name : ""}', description: Its name.}
`
	today, was := programOf(t, strings.Replace(with, "^a+$", "^b+$", 1)), programOf(t, with)
	old := was.Tools[0]
	today.Tools[0].Frozen = []*ir.Frozen{{Version: 1, Effects: old.Signature.Effects, Plan: old.Plan, Inputs: old.Signature.Inputs, Outputs: old.Signature.Outputs}}
	p, findings := plan.New(today)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var chains, patterns []string
	for _, c := range p.Chains() {
		chains = append(chains, c.Method)
	}
	for _, pattern := range p.Patterns {
		patterns = append(patterns, pattern.Name+" "+pattern.Text)
	}
	if got := strings.Join(chains, ", "); got != "Look, lookV1Frozen" {
		t.Errorf("the chains are %s", got)
	}
	if got := strings.Join(patterns, ", "); got != "namePattern ^b+$, namePattern2 ^a+$" {
		t.Errorf("the patterns are %s", got)
	}
}

// body is a call with a value in a body that may be anything.
const body = `
    steps:
      a: {call: shop.thing, with: {id: '${input.id}'}}
      b: {call: shop.free, body: {}}
      c: {call: shop.free, body: {x: '${%s}'}}
    outputs:
      next: {value: '${c.next}', description: What comes next.}
`

// Values that no writer has are refused at their place, and others are not.
func TestUnsupportedBodies(t *testing.T) {
	for value, want := range map[string]string{
		"a.id": "", "a.name": "", "b.rows.map(r, r.name)": "", "[1.5]": "", `{"a": a.id}`: "",
		"a.maker": "whole objects of an answer in a body", "b.rows": "whole objects of an answer in a body", "a.parts": "whole objects of an answer in a body",
		"b.counts": "values of type map(string, int) in a body", "a.size": "values of type int | string in a body", "b.any": "values of type dyn in a body", "1u": "values of type uint in a body",
	} {
		_, findings := planOf(t, fmt.Sprintf(body, value))
		got := ""
		for _, f := range findings {
			got += f.Span.String() + " " + f.Rule.String() + " " + f.Message + " (" + f.Fix + ")"
		}
		if want != "" {
			want = "sculpt.yaml:18:41 not-supported-yet " + want + " are not supported yet (bind a plain value)"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

const results = `
    outputs:
      names: {value: '${all.%s}', description: Names., max_items: 9}
`

// TestForms holds the chains of what the corpus has seldom: what a constant decides
// in a flow, and pages that name the next one.
func TestForms(t *testing.T) {
	flow := `
    steps:
      a: {flow: f, with: {run: %s, id: '${input.id}'}}
    outputs:
      name: {value: '${a.name}', description: Its name.}
flows:
  f:
    inputs: {run: {type: boolean}, id: {type: int}}
    steps:
      x: {call: shop.thing, when: input.run, with: {id: '${input.id}'}, expect: [{check: 'x.?name.orValue("a") != ""', code: no_name, message: It has no name.}]}
    results: {name: '${x.?name.orValue("")}'}
`
	pages := func(next, more, read string) string {
		return `
    steps:
      all: {call: shop.pages, collect: {items: all.rows, next: '` + next + `', parameter: page, max: 5` + more + `}}
` + fmt.Sprintf(results, read)
	}
	var all strings.Builder
	for _, text := range []string{
		fmt.Sprintf(flow, "true"), fmt.Sprintf(flow, "false"), fmt.Sprintf(flow, "'${input.id > 3}'"),
		pages("all.next", "", "map(r, r.name)"), pages("all.?after", "", "map(r, r.name)"), pages("all.next", ", partial: true", "map(r, r.name).take(3)"), pages("all.?after", ", until: 'all.next == \"\"'", "take(9).map(r, r.name)"), pages("all.next", "", "take(5).map(r, r.name)"), pages("all.next", "", "take(6).map(r, r.name)"),
	} {
		p, findings := planOf(t, text)
		all.WriteString("###" + text)
		for _, f := range findings {
			all.WriteString(f.Span.String() + " " + f.Rule.String() + " " + f.Message + " (" + f.Fix + ")\n")
		}
		for _, tool := range p.Chains() {
			all.WriteString(lower.Dump(tool.Body))
		}
	}
	golden.Text(t, "testdata/forms.txt", all.String())
}
