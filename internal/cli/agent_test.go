package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// TestOwnDescription: what sculpt says of itself is valid, complete, and what
// sculpt then understands.
func TestOwnDescription(t *testing.T) {
	var out, talk bytes.Buffer
	if code := Main([]string{"--agent"}, strings.NewReader(""), &out, &talk, noEnv); code != 0 || talk.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, &talk)
	}
	golden.JudgeATIP(t, out.Bytes())
	findings, err := golden.LintATIP(out.Bytes())
	if err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
	var doc toolcli.Document
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, v := range verbs {
		c := doc.Commands[v.name]
		if v.name == "preview" {
			if c != nil {
				t.Error("preview does not end, and is offered to agents")
			}
			continue
		}
		if c == nil || len(c.Options) != len(v.flags()) || len(c.Examples) < 2 {
			t.Errorf("%s: %+v", v.name, c)
			continue
		}
		for _, a := range c.Arguments {
			if a.Description == "" {
				t.Errorf("%s: nothing describes the argument %s", v.name, a.Name)
			}
		}
		for _, example := range c.Examples {
			words, _, _ := strings.Cut(strings.NewReplacer(`"Omaha, `, "Omaha,", `"GET /`, "/").Replace(example), " > ")
			if _, err := sortArguments(strings.Fields(words)[1:]); err != nil {
				t.Errorf("%s: %v", example, err)
			}
		}
	}
	for verb, want := range map[string]string{
		"lint": "reads", "generate": "reads writes deletes", "version": "", "record": "reads writes network starts destroys",
	} {
		e := doc.Commands[verb].Effects
		var got []string
		for _, w := range []struct {
			is   bool
			word string
		}{{e.Filesystem.Read, "reads"}, {e.Filesystem.Write, "writes"}, {e.Filesystem.Delete, "deletes"}, {e.Network, "network"}, {e.Subprocess, "starts"}, {e.Destructive, "destroys"}} {
			if w.is {
				got = append(got, w.word)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", verb, got, want)
		}
	}
	retire := doc.Commands["retire"]
	starter := doc.Commands["init"].Options
	operation := slices.IndexFunc(starter, func(o toolcli.Option) bool { return o.Name == "operation" })
	if !*starter[operation].Required || *doc.Commands["lint"].Options[0].Required || !retire.Arguments[1].Required || retire.Arguments[0].Required {
		t.Errorf("what is required: %+v", retire)
	}
}

// TestAgentRunsSculpt goes the way of an agent: from the description to the
// command line, and to what it gives.
func TestAgentRunsSculpt(t *testing.T) {
	var doc, out, talk bytes.Buffer
	Main([]string{"--agent", "--commands=rules,explain"}, strings.NewReader(""), &doc, &talk, noEnv)
	for function, args := range map[string]map[string]any{
		"sculpt_rules":   {"format": "json"},
		"sculpt_explain": {"rule": "input-removed"},
	} {
		argv, err := golden.ArgvATIP(doc.Bytes(), function, args)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if code := Main(argv[1:], strings.NewReader(""), &out, &talk, noEnv); code != 0 || !strings.Contains(out.String(), "input-removed") {
			t.Errorf("%q: exit code %d, %s", argv, code, &talk)
		}
	}
}
