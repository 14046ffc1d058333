package frontend_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// load reads a project that has nothing wrong but what is named.
func load(t *testing.T, files fstest.MapFS, options ...frontend.Option) *frontend.Project {
	t.Helper()
	p, findings := frontend.Load(files, ".", options...)
	if p.History == nil {
		t.Fatal(told(findings))
	}
	return p
}

// unreadable is a project whose first version has a plan that this version of
// sculpt cannot resolve: its expression calls what is no function.
func unreadable(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(first)}, "shop.yaml": {Data: []byte(frozenDocument)}}
	p := load(t, files)
	plan, findings := p.Plan(files, "find")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	plan.Manifest = bytes.Replace(plan.Manifest, []byte("${result.kind}"), []byte("${result.kind.shout()}"), 1)
	record, err := p.History.Next(frontend.Side(p.Program.Tools[0]), history.Options{}, "2026-11-01", history.Evidence{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	files[record.Name] = &fstest.MapFile{Data: record.Data}
	return files
}

const noFunction = `unknown function "shout"`

// A plan that this version of sculpt cannot read any more is told apart from one
// that means another thing, wherever it is read.
func TestPlanUnreadable(t *testing.T) {
	files := unreadable(t)
	p, findings := frontend.Load(files, ".")
	if got, want := planOf(findings), `sculpt.yaml:8:3 plan-changed "find": "find" does its work in another way than in v1: the old plan cannot be read by this version of sculpt: `+noFunction; !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	if r := frontend.Replanned(p.History, "find", 1, 1); r != nil {
		t.Errorf("replanned: %+v", r)
	}
	plan, _ := p.History.Plan("find", 1)
	today, _ := p.Plan(files, "find")
	if frontend.ProbesOf(plan, today) != nil || frontend.ProbesOf(today, plan) != nil || p.ProbesOf(p.Program.Tools[0], today) != nil {
		t.Error("there are probes of a plan that cannot be read")
	}
	p, findings = frontend.Load(with(files, "    version: 1\n", frozenTwo+"[1]\n"), ".")
	want := `sculpt.yaml:10:14 freeze-impossible "find": the plan of v1 of "find" cannot be used any more: ` + noFunction + ` (use the version of sculpt that released it, or take it out of the list)`
	if got := told(findings); got != want || len(p.Program.Tools[0].Frozen) > 0 {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Plans of two releases are compared by their numbers.
func TestReplanned(t *testing.T) {
	files := released(t)
	_, findings := frontend.Load(with(files, louder, loudest), ".")
	accept := "    accept: [{rule: plan-changed, at: " + bound.FindString(told(findings)) + ", reason: Capitals.}]\n"
	grown := begun(t, with(files, louder, loudest, "    version: 1\n", "    version: 2\n"+accept))
	h := load(t, grown).History
	of := func(version int) *history.Plan {
		plan, findings := h.Plan("find", version)
		if plan == nil {
			t.Fatal(told(findings))
		}
		return plan
	}
	changed := `[the value of output "kind" was ${result.kind} and is ${result.kind.upperAscii()}]`
	for _, c := range []struct {
		from, to int
		digest   string
		changes  string
	}{
		{1, 2, of(2).Digest(), changed}, {1, 1, of(1).Digest(), "[]"}, {2, 2, of(2).Digest(), "[]"},
		{2, 1, of(1).Digest(), `[the value of output "kind" was ${result.kind.upperAscii()} and is ${result.kind}]`},
	} {
		r := frontend.Replanned(h, "find", c.from, c.to)
		if r == nil || r.Digest != c.digest || fmt.Sprint(r.Changes) != c.changes || r.Runs != nil {
			t.Errorf("from %d to %d: %+v", c.from, c.to, r)
		}
	}
	for _, n := range [][2]int{{1, 3}, {3, 1}} {
		if r := frontend.Replanned(h, "find", n[0], n[1]); r != nil {
			t.Errorf("%v: %+v", n, r)
		}
	}
	p := load(t, with(files, louder, loudest))
	today, _ := p.Plan(with(files, louder, loudest), "find")
	probes := p.ProbesOf(p.Program.Tools[0], today)
	if probes == nil || len(probes.Parts) != 1 || probes.Parts[0].Part != "outputs.kind" || len(probes.Parts[0].Mutants) != 2 {
		t.Errorf("the probes since the release are %+v", probes)
	}
	fresh := load(t, with(fstest.MapFS{"shop.yaml": {Data: []byte(frozenDocument)}}))
	if fresh.ProbesOf(fresh.Program.Tools[0], today) != nil {
		t.Error("there are probes of a tool that was never released")
	}
}

// Of many changes four are said in full; of the others their names, once.
func TestReplanMany(t *testing.T) {
	const chain = `    call: shop.find
    with: {thing: '${input.thing}'}
`
	of := func(a, b, c, d, e, f string) string {
		return `    timeout: ` + a + `
    steps:
      found:
        call: shop.find
        with: {thing: '` + b + `'}
        cache: ` + c + `
        timeout: ` + d + `
        expect: [{check: 'found.kind == "` + f + `"', code: odd, message: Odd.}]
        errors: {404: {code: gone, message: Gone., retry: ` + e + `}, 410: {code: gone, message: Gone., retry: ` + e + `}}
`
	}
	files := begun(t, with(fstest.MapFS{"shop.yaml": {Data: []byte(frozenDocument)}}, chain, of("20s", "${input.thing}", "60s", "3s", "never", "A"), "result.kind", "found.kind"))
	_, findings := frontend.Load(with(files, chain, of("21s", "a ${input.thing}", "61s", "4s", "changed", "B"), "result.kind", "found.kind.upperAscii()"), ".")
	want := `sculpt.yaml:16:23 plan-changed "find": "find" does its work in another way than in v1: ` +
		`parameter "thing" of step "found" was ${input.thing} and is a ${input.thing}; the check of expect odd of step "found" was found.kind == "A" and is found.kind == "B"; ` +
		`retry of the error for 404 of step "found" was never and is changed; retry of the error for 410 of step "found" was never and is changed; ` +
		`also steps.found.cache; also steps.found.timeout; also timeout; also outputs.kind; callers of v1 get the answers of the chain of today ` +
		`(restore it, or release the change as version: 2` + exits
	if got := planOf(findings); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A finding about what no example covers names the parts and the way out.
func TestUncovered(t *testing.T) {
	p := load(t, released(t))
	got := frontend.Uncovered(p.Program.Tools[0], 3, []string{"outputs.kind", "let.a"})
	want := `sculpt.yaml:8:3 uncovered-change "find": "find" changed since v3 in what no example covers: outputs.kind, let.a ` +
		`(write examples: whose answer depends on it, and record what the backend answers: sculpt record)`
	if told(diag.List{got}) != want || got.Severity != diag.Warning {
		t.Errorf("%s\nwant %s", told(diag.List{got}), want)
	}
}

// What judges a tool takes no released signatures; what generates it does.
func TestNewestOnly(t *testing.T) {
	files := with(released(t), "    version: 1\n", frozenTwo+"[1]\n")
	all, light := load(t, files).Program.Tools[0], load(t, files, frontend.NewestOnly()).Program.Tools[0]
	if len(all.Released) != 1 || len(all.Frozen) != 1 || all.Signature.Notes.Created != "2026-11-01" {
		t.Errorf("a whole program has %d releases, %d chains, %+v", len(all.Released), len(all.Frozen), all.Signature.Notes)
	}
	if len(light.Released) != 0 || len(light.Frozen) != 0 || light.Signature.Notes.Created != "" {
		t.Errorf("a program to judge has %d releases, %d chains, %+v", len(light.Released), len(light.Frozen), light.Signature.Notes)
	}
}

// What the caller and the manifest choose arrives where releases are judged.
func TestOptions(t *testing.T) {
	text := []string{"\nenv:", "\nnotice: 30\nrules: a2t/1\npolicy: client-safe\nlevels: {output-added: warning, tool-description-changed: error}\nenv:", "    version: 1\n", "    version: 1\n    policy: a2t\n"}
	p := load(t, with(released(t), text...))
	copies := frontend.Copies{Ref: "ref", Target: "target", Base: map[string]string{"a": "1"}, Tip: map[string]string{"b": "2"}, Moved: map[string]string{"c": "3"}}
	o := p.Options(frontend.AsOf("2026-11-22"), frontend.Against(copies))
	got := fmt.Sprint(o.Ref, o.Target, o.Base, o.Tip, o.Moved, o.Compat.Today, o.Notice, o.Rules, o.Manifest, o.Compat.Levels, o.Compat.Policy, o.Tools["find"].Policy, o.Tools["find"].Levels)
	want := "reftargetmap[a:1] map[b:2] map[c:3]2026-11-2230a2t/1sculpt.yaml map[output-added:warning tool-description-changed:error] client-safe a2t " +
		"map[output-added:warning tool-description-changed:error]"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if o := load(t, released(t)).Options(); o.Notice != 0 || len(o.Compat.Levels) > 0 || o.Compat.Today != "" {
		t.Errorf("without choices: %+v", o)
	}
}

// What the generated test holds the package against has the words of the manifest
// with their places; those in other files name them as seen from the folder.
func TestPromises(t *testing.T) {
	files := fstest.MapFS{"go.mod": {Data: []byte("module vendor.example\n")}}
	for name, f := range with(released(t), "\nenv:", "\ninclude: [more.yaml]\nlevels: {output-added: warning}\nenv:",
		"    version: 1\n", "    version: 1\n    policy: a2t\n    accept: [{rule: plan-changed, at: plan.0123456789-0123456789, reason: Meant.}]\n") {
		files["tools/shop/"+name] = f
	}
	files["tools/shop/more.yaml"] = &fstest.MapFile{Data: []byte(second)}
	p, findings := frontend.Load(files, "tools/shop")
	if p.History == nil {
		t.Fatal(told(findings))
	}
	promises := p.Promises()
	head := p.History.Tools[0].Head()
	if promises.Manifest != "sculpt.yaml" || fmt.Sprint(promises.Levels) != "map[output-added:warning]" || fmt.Sprint(promises.Heads) != fmt.Sprint(map[string]history.Anchor{"find": head}) {
		t.Errorf("%s %v %v", promises.Manifest, promises.Levels, promises.Heads)
	}
	if got := slices.Sorted(maps.Keys(promises.Inputs)); fmt.Sprint(got) != "[more.yaml sculpt.yaml shop.yaml]" {
		t.Errorf("made from %v", got)
	}
	other, tool := promises.Tools[0], promises.Tools[1]
	if tool.Policy != "a2t" || tool.Accept != `[{"rule":"plan-changed","at":"plan.0123456789-0123456789","since":1,"reason":"Meant."}]` || !strings.Contains(tool.Contract, `"plan":"sha256:`) {
		t.Errorf("%q %q %s", tool.Policy, tool.Accept, tool.Contract)
	}
	const places = "accept.0 13:14-13:82\ndescription 14:18-14:31\ninputs.thing 15:14-15:19\tinputs.thing.description 15:35-15:45\tinputs.thing.max_length 15:59-15:61\n" +
		"name 10:3-10:7\noutputs.kind 19:7-19:11\toutputs.kind.description 19:52-19:61\toutputs.kind.type 19:21-19:37\toutputs.kind.values.A 19:82-19:83\toutputs.kind.values.B 19:109-19:110\n" +
		"plan 10:3-10:7\nversion 11:14-11:15"
	if tool.Places != places {
		t.Errorf("%s\nwant %s", tool.Places, places)
	}
	const elsewhere = "description more.yaml:4:18-4:32\ninputs.thing more.yaml:5:14-5:19\tinputs.thing.description more.yaml:5:35-5:45\tinputs.thing.max_length more.yaml:5:59-5:61\n" +
		"name more.yaml:2:3-2:8\noutputs.kind more.yaml:8:15-8:19\toutputs.kind.description more.yaml:8:60-8:69\toutputs.kind.type more.yaml:8:29-8:45\nversion more.yaml:3:14-3:15"
	if other.Places != elsewhere || strings.Contains(other.Contract, `"plan"`) {
		t.Errorf("%s\n%s\nwant %s", other.Contract, other.Places, elsewhere)
	}
}

const second = `tools:
  again:
    version: 1
    description: Find it again.
    inputs: {thing: {description: The thing., max_length: 40}}
    call: shop.find
    with: {thing: '${input.thing}'}
    outputs: {kind: {value: '${result.kind}', description: The kind.}}
`
