package corpus_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// TestBudgetCountsAsTheRunTimeDoes holds what the generator computes of a tool
// that states nothing against the run time, which it cannot import. What is
// published as the deadline is what the run time will keep.
func TestBudgetCountsAsTheRunTimeDoes(t *testing.T) {
	shop, err := os.ReadFile(filepath.Join(golden.Root(t), "testdata", "cases", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	budget := func(steps string) ir.Plan {
		t.Helper()
		head, _, _ := strings.Cut(branchesManifest, "    steps:\n")
		text := head + "    steps:\n" + steps + "    outputs:\n      total: {value: '${start.total}', description: Total.}\n"
		program, _, findings := buildProgram(fstest.MapFS{"shop.yaml": {Data: shop}, "sculpt.yaml": {Data: []byte(text)}}, ".")
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		tool := program.Tools[0]
		if kept := cmp.Or(tool.Plan.Deadline, serve.DefaultDeadline); tool.Signature.Notes.Deadline != kept {
			t.Errorf("the published deadline is %v, kept is %v", tool.Signature.Notes.Deadline, kept)
		}
		return *tool.Plan
	}
	const start = "      start: {call: shop.find_place, with: {name: '${input.name}'}}\n"
	if got := budget(start).Budget; got != (ir.Budget{Calls: 1, Attempts: upstream.MaxAttempts, Time: upstream.DefaultCallTime}) {
		t.Errorf("one call: %+v", got)
	}
	each := func(most string) time.Duration {
		return budget(start + "      more: {for_each: start.results, max: " + most + ", call: shop.get_item, with: {id: '${item.population}'}}\n").Budget.Time
	}
	if full, over := each("8"), each("9"); upstream.EachAtOnce != 8 || full != 2*upstream.DefaultCallTime || over != 3*upstream.DefaultCallTime {
		t.Errorf("a list of %d takes %v, one more %v", upstream.EachAtOnce, full, over)
	}
	pages := budget(start + "      more: {call: shop.list_items, collect: {items: more, link: true, max: 9}}\n").Budget
	if pages != (ir.Budget{Calls: 21, Attempts: 21 * upstream.MaxAttempts, Time: upstream.DefaultCallTime}) {
		t.Errorf("pages, of which the run time reads 20 in the time of one call: %+v", pages)
	}
	wait := budget(start + "      more: {call: shop.list_items, poll: {until: more.size() > 0, max: 25s}}\n")
	if wait.Budget != (ir.Budget{Calls: 14, Attempts: 14 * upstream.MaxAttempts, Time: 25 * time.Second}) || wait.Deadline != 0 {
		t.Errorf("a call every two seconds: %+v", wait.Budget)
	}
	row := start
	for _, name := range []string{"a", "b", "c"} {
		row += "      " + name + ": {call: shop.make_order, body: {title: x}}\n"
	}
	plan := budget(row)
	if plan.Budget.Time != 4*upstream.DefaultCallTime || plan.Deadline != plan.Budget.Time || plan.Deadline <= serve.DefaultDeadline {
		t.Errorf("four calls in a row: %+v, deadline %v", plan.Budget, plan.Deadline)
	}
	if two := budget(start + "      a: {call: shop.make_order, body: {title: x}}\n"); two.Deadline != 0 {
		t.Errorf("a tool that fits into the default states the deadline %v", two.Deadline)
	}
}
