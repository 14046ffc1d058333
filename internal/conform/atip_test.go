package conform

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An atipRun is how a program ends; a model is what it does for each of its
// arguments.
type atipRun struct {
	Exit   int      `json:"exit"`
	Stdout string   `json:"stdout"`
	Stderr string   `json:"stderr,omitempty"`
	Files  []string `json:"files,omitempty"`
}

type atipModel struct {
	doc doc
	// runs change how the program ends, by its arguments.
	runs map[string]func(*atipRun)
}

func goodATIP() *atipModel {
	option := doc{"name": "output", "flags": []any{"-o", "--output"}, "type": "enum", "enum": []any{"json", "text"}, "description": "The format."}
	effects := doc{
		"filesystem": doc{"read": true, "write": false, "delete": false}, "network": true, "idempotent": true, "destructive": false,
		"interactive": doc{"stdin": "none", "prompts": false, "tty": false}, "cost": doc{"estimate": "low", "billable": false},
	}
	return &atipModel{runs: map[string]func(*atipRun){}, doc: clone(doc{
		"atip": doc{"version": "0.6", "features": []any{"partial-discovery"}}, "name": "weather", "version": "1.0.0", "description": "Tells the weather.",
		"trust": doc{"source": "native", "verified": true}, "x-acme": doc{"owner": "platform"},
		"globalOptions": []any{doc{"name": "verbose", "flags": []any{"-v"}, "type": "boolean", "description": "Says more."}},
		"patterns":      []any{doc{"name": "week", "description": "The whole week.", "steps": []any{doc{"command": "weather look-up {city}"}}}},
		"commands": doc{
			"alerts":  doc{"description": "Alerts.", "commands": doc{"list": doc{"description": "Lists alerts.", "effects": effects}}},
			"look-up": doc{"description": "Looks up.", "options": []any{option}, "arguments": []any{doc{"name": "city", "type": "string", "description": "The city."}}, "effects": effects},
		},
	})}
}

// atipArgs are the arguments that the kit gives.
var atipArgs = []string{"--agent", "--agent --depth=1", "--agent --commands=alerts"}

// render is what the program does for each of its arguments.
func (m *atipModel) render() map[string]*atipRun {
	partial := func(keep func(commands doc), filter doc, included int) doc {
		part := clone(m.doc)
		keep(object(part["commands"]))
		part["partial"], part["filter"], part["totalCommands"], part["includedCommands"] = true, filter, 2, included
		part["omitted"] = doc{"reason": "filtered", "safetyAssumption": "unknown"}
		return part
	}
	docs := []doc{
		m.doc,
		partial(func(c doc) { delete(object(c["alerts"]), "commands") }, doc{"commands": nil, "depth": 1}, 1),
		partial(func(c doc) { delete(c, "look-up") }, doc{"commands": []any{"alerts"}, "depth": nil}, 1),
	}
	runs := map[string]*atipRun{}
	for i, args := range atipArgs {
		runs[args] = &atipRun{Stdout: compact(docs[i])}
		if change := m.runs[args]; change != nil {
			change(runs[args])
		}
	}
	return runs
}

func judgeATIP(m *atipModel) *Report {
	return judge("atip", "weather", atipRows, recordingOf(m))
}

// recordingOf is what a program says.
func recordingOf(m *atipModel) *recording {
	runs := m.render()
	var r recording
	recordATIP(func(args ...string) *exchange {
		x := &exchange{key: strings.Join(args, " ")}
		if is := runs[x.key]; is != nil {
			x.status, x.body, x.talk, x.left = is.Exit, []byte(is.Stdout), is.Stderr, is.Files
			x.doc = parse(x.body)
		}
		return x
	}, "weather", &r)
	return &r
}

// describe changes the description.
func describe(change func(doc)) func(*atipModel) { return func(m *atipModel) { change(m.doc) } }

// lookUp changes the description of one command.
func lookUp(change func(doc)) func(*atipModel) {
	return describe(func(d doc) { change(object(object(d["commands"])["look-up"])) })
}

// ends changes how a run ends.
func ends(args string, change func(*atipRun)) func(*atipModel) {
	return func(m *atipModel) { m.runs[args] = change }
}

// firstOf changes the first element of a list of a document.
func firstOf(list string, change func(doc)) func(doc) {
	return func(d doc) { change(object(array(d[list])[0])) }
}

// drop deletes a member.
func drop(name string) func(doc) { return func(d doc) { delete(d, name) } }

var atipFaults = []fault[atipModel]{
	{clause: "atip-3.1-agent", also: []string{"atip-3.1-json", "atip-3.1-exit-code"}, model: ends("--agent", func(r *atipRun) { *r = atipRun{Exit: 2, Stdout: "Usage: weather"} })},
	{clause: "atip-3.1-agent", model: ends("--agent", func(r *atipRun) { r.Stdout = `["weather"]` })},
	{clause: "atip-3.1-no-effects", model: ends("--agent", func(r *atipRun) { r.Files = []string{".weather/config"} })},
	{clause: "atip-3.1-json", also: []string{"atip-3.1-agent"}, model: ends("--agent", func(r *atipRun) { r.Stdout = "Hello!\n" + r.Stdout })},
	{clause: "atip-3.1-json", model: ends("--agent", func(r *atipRun) { r.Stdout = strings.Replace(r.Stdout, "Tells", "Tells \xff", 1) })},
	{clause: "atip-3.1-exit-code", model: ends("--agent", func(r *atipRun) { r.Exit = 3 })},
	{clause: "atip-3.1-stdout", model: ends("--agent", func(r *atipRun) { r.Stdout, r.Stderr = "", r.Stdout })},
	{clause: "atip-3.1.1-partial", model: ends("--agent --depth=1", func(r *atipRun) { r.Stdout = "{" })},
	{clause: "atip-3.1.1-partial", model: func(m *atipModel) {
		whole := compact(m.doc)
		m.runs["--agent --depth=1"] = func(r *atipRun) { r.Stdout = whole }
	}},
	{clause: "atip-3.1.1-partial", model: func(m *atipModel) {
		whole := compact(m.doc)
		m.runs["--agent --commands=alerts"] = func(r *atipRun) { r.Stdout = whole }
	}},
	{clause: "atip-3.1.1-said", model: ends("--agent --commands=alerts", func(r *atipRun) { r.Stdout = strings.Replace(r.Stdout, `"partial":true`, `"x-partial":true`, 1) })},
	{clause: "atip-3.1.1-said", model: ends("--agent --commands=alerts", func(r *atipRun) { r.Stdout = strings.Replace(r.Stdout, `"unknown"`, `"perhaps"`, 1) })},
	{clause: "atip-3.2-root", model: describe(drop("version"))},
	{clause: "atip-3.2-root", model: describe(drop("atip"))},
	{clause: "atip-3.2-name", model: describe(with("name", "forecast"))},
	{clause: "atip-3.2-description", model: describe(with("description", strings.Repeat("d", 201)))},
	{clause: "atip-3.2.1-version", model: describe(func(d doc) { object(d["atip"])["version"] = 6 })},
	{clause: "atip-3.2.2-trust", model: describe(func(d doc) { object(d["trust"])["source"] = "myself" })},
	{clause: "atip-3.3-commands", model: lookUp(drop("description"))},
	{clause: "atip-3.4-arguments", model: lookUp(firstOf("arguments", drop("description")))},
	{clause: "atip-3.5-options", model: lookUp(firstOf("options", drop("flags")))},
	{clause: "atip-3.5-options", model: describe(firstOf("globalOptions", with("flags", []any{"verbose"})))},
	{clause: "atip-3.6-effects", model: lookUp(func(d doc) { object(d["effects"])["network"] = "yes" })},
	{clause: "atip-3.6-effects", model: lookUp(func(d doc) { object(object(d["effects"])["interactive"])["stdin"] = "sometimes" })},
	{clause: "atip-3.6-effects", model: lookUp(func(d doc) { object(object(d["effects"])["cost"])["estimate"] = "cheap" })},
	{clause: "atip-3.6-effects", model: lookUp(with("effects", "none"))},
	{clause: "atip-3.7-types", model: lookUp(firstOf("arguments", with("type", "text")))},
	{clause: "atip-3.7-types", model: lookUp(firstOf("options", drop("enum")))},
	{clause: "atip-3.9-patterns", model: describe(firstOf("patterns", drop("steps")))},
	{clause: "atip-12.2-prefix", model: describe(with("owner", "platform"))},
	{clause: "atip-12.2-prefix", model: lookUp(with("owner", "platform"))},
}

func TestATIPBites(t *testing.T) {
	bitten := map[string]bool{}
	for _, f := range atipFaults {
		m := goodATIP()
		f.model(m)
		report := judgeATIP(m)
		want := append([]string{f.clause}, f.also...)
		slices.Sort(want)
		got := failing(report)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v fail, want %v\n%s", f.clause, got, want, sawOf(report))
		}
		bitten[f.clause] = true
	}
	checks := 0
	for _, x := range judgeATIP(goodATIP()).Results {
		if x.check == nil {
			continue
		}
		checks++
		if x.Verdict != Pass || !bitten[x.ID] {
			t.Errorf("%s: %s on a good program, bitten %v: %s", x.ID, x.Verdict, bitten[x.ID], x.Saw)
		}
	}
	t.Logf("atip: %d faults, %d clauses with a check", len(atipFaults), checks)
}

// TestProgramIsRun: a program that is run, and one that leaves a file.
func TestProgramIsRun(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "weather")
	script := "#!/bin/sh\ntouch \"$HOME/.weather\"\ncat <<'END'\n" + compact(goodATIP().doc) + "\nEND\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	report, err := Program(t.Context(), program)
	if err != nil {
		t.Skipf("scripts cannot be run here: %v", err)
	}
	want := []string{"atip-3.1-no-effects", "atip-3.1.1-partial"}
	if got := failing(report); !slices.Equal(got, want) {
		t.Errorf("%v fail, want %v\n%s", got, want, sawOf(report))
	}
	if _, err := Program(context.Background(), filepath.Join(dir, "nothing")); err == nil {
		t.Error("a program that is not there was judged")
	}
}
