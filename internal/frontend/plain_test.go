package frontend_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// early is a tool as it was released in records of format 2, and late the same
// with the elements of a for_each as they are now.
const (
	early = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: shop.yaml}}
tools:
  find:
    version: 1
    description: Find things.
    inputs: {thing: {description: The thing., max_length: 40}}
    steps:
      each:
        for_each: input.thing.split(",")
        max: 9
        call: shop.find
        with: {thing: '${item}'}
        errors: {404: {missing: true}}
      last:
        when: each.size() > 0
        call: shop.find
        with: {thing: '${each[0].kind}'}
        errors: {404: {missing: true}}
    outputs:
      kinds: {value: '${each.map(e, e.kind).join(",")}', description: The kinds.}
      first: {value: '${each.size() > 0 ? input.thing.split(",")[0] + each[0].kind : ""}', description: The first one.}
      status: {value: '${each.size() > 0 ? http.last.status : 0}', description: The status.}
`
	joined = `each.transformList(i, e, input.thing.split(",")[i] + e.kind)`
)

// late is the manifest of today for a manifest of then.
func late(text string) string {
	return strings.NewReplacer("e.kind", "e.value.kind", "each[0].kind", "each[0].value.kind").Replace(text)
}

// releasedEarly is a project of which the first version is in a record of format 2.
// What a plan says is read as it was then.
func releasedEarly(t *testing.T, edits ...string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"shop.yaml": {Data: []byte(frozenDocument)}, "sculpt.yaml": {Data: []byte(late(early))}}
	p, findings := frontend.Load(files, ".")
	if findings.HasErrors() {
		t.Fatal(told(findings))
	}
	plan, _ := p.Plan(files, "find")
	then := strings.NewReplacer(append(edits, "each[0].value.kind", "each[0].kind", "e.value.kind", "e.kind")...)
	plan.Manifest = []byte(then.Replace(string(plan.Manifest)))
	record, err := p.History.Next(p.Side(p.Program.Tools[0]), p.Options(), "2026-11-01", history.Evidence{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	files[record.Name] = &fstest.MapFile{Data: bytes.Replace(record.Data, []byte(`"format": 3`), []byte(`"format": 2`), 1)}
	return files
}

// A release before records of format 3 keeps its chain: the elements of its
// for_each are answers, and nothing is found that it was not told then.
func TestEarlyPlans(t *testing.T) {
	text, files := early, releasedEarly(t)
	next := func(text string) fstest.MapFS {
		out := maps.Clone(files)
		out["sculpt.yaml"] = &fstest.MapFile{Data: []byte(text)}
		return out
	}
	if _, findings := frontend.Load(next(late(text)), "."); findings.HasErrors() {
		t.Errorf("the same tool in today's words is said to be another:\n%s", told(findings))
	}
	if _, findings := frontend.Load(next(strings.Replace(late(text), "e.value.kind)", `e.value.kind + "!")`, 1)), "."); !strings.Contains(told(findings), "plan-changed") {
		t.Errorf("another chain is not found:\n%s", told(findings))
	}
	if _, findings := frontend.Load(next(text), "."); !strings.Contains(told(findings), `this object has no field "kind" (write "value.kind")`) {
		t.Errorf("the words of then are read now:\n%s", told(findings))
	}
	p, findings := frontend.Load(next(frozen(text)), ".")
	if findings.HasErrors() {
		t.Fatalf("the chain of then cannot be kept:\n%s", told(findings))
	}
	tool := p.Program.Tools[0]
	if then, now := pairs(tool.Frozen[0].Plan), pairs(tool.Plan); then != 0 || now != 1 {
		t.Errorf("%d steps of the kept chain and %d of today's have {item, value}, want 0 and 1", then, now)
	}
	if p.Program.Tools[0].Frozen[0].Plan.Steps[1].Decl.When == nil {
		t.Error("the answer of the conditional step is not plain under its condition, as it was")
	}
}

// frozen is the second version of a tool, with the chain of the first kept.
func frozen(text string) string {
	return strings.NewReplacer("version: 1\n", "version: 2\n    freeze: [1]\n", "    outputs:\n", "    outputs:\n      asked: {value: '${each.map(e, e.item).join(\",\")}', description: What was asked for.}\n").Replace(late(text))
}

// A chain that joins lists by their numbers is kept, too; today it is refused.
func TestEarlyJoins(t *testing.T) {
	inPlan, err := json.Marshal(joined)
	if err != nil {
		t.Fatal(err)
	}
	files := releasedEarly(t, "each.map(e, e.value.kind)", strings.Trim(string(inPlan), `"`))
	files["sculpt.yaml"] = &fstest.MapFile{Data: []byte(frozen(early))}
	if p, findings := frontend.Load(files, "."); findings.HasErrors() || len(p.Program.Tools[0].Frozen) != 1 {
		t.Errorf("the chain of then cannot be kept:\n%s", told(findings))
	}
	files["sculpt.yaml"] = &fstest.MapFile{Data: []byte(late(strings.Replace(early, "each.map(e, e.kind)", joined, 1)))}
	if _, findings := frontend.Load(files, "."); !strings.Contains(told(findings), "joined-by-index") {
		t.Errorf("the join is not found:\n%s", told(findings))
	}
}

func pairs(p *ir.Plan) int {
	n := 0
	for _, s := range p.Steps {
		if s.Each != nil && s.Each.Pair != nil {
			n++
		}
	}
	return n
}
