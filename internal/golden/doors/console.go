package doors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// RunConsole runs the program over the tools.
func (s *Served) RunConsole(args ...string) (code int, stdout, stderr []byte) {
	var out, talk bytes.Buffer
	p := toolcli.Program{Docs: s.Docs, Handler: func() (http.Handler, error) { return s.Plain, nil }}
	code = p.Run(context.Background(), toolcli.Console{
		Args: append([]string{s.Program}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
		Lookup: func(name string) (string, bool) { v, ok := s.Caller.Env[name]; return v, ok },
	})
	return code, out.Bytes(), talk.Bytes()
}

// askConsole types the question. No flag is called otherwise than its input.
func askConsole(asJSON bool) func(testing.TB, *Served, *Question) Outcome {
	return func(t testing.TB, s *Served, q *Question) Outcome {
		args := []string{strings.ReplaceAll(q.Tool, "_", "-")}
		for _, name := range slices.Sorted(maps.Keys(q.Inputs)) {
			switch flag, v := "--"+strings.ReplaceAll(name, "_", "-"), q.Inputs[name]; v {
			case nil, false:
			case true:
				args = append(args, flag)
			default:
				args = append(args, flag, fmt.Sprint(v))
			}
		}
		if asJSON {
			args = append(args, "--json")
		}
		return s.answered(t, args, asJSON)
	}
}

// answered runs a command line and reads what it gives.
func (s *Served) answered(t testing.TB, args []string, asJSON bool) Outcome {
	code, out, talk := s.RunConsole(args...)
	o := Outcome{Status: code}
	if (code == 0) != (len(talk) == 0) || (code == 0) == (len(out) == 0) {
		t.Fatalf("%q: exit code %d, stdout %q, stderr %q", args, code, out, talk)
	}
	switch {
	case code == 0:
		if err := json.Unmarshal(out, &o.Outputs); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
	case asJSON && talk[0] == '{':
		var p problem
		if err := json.Unmarshal(talk, &p); err != nil {
			t.Fatalf("%q: %v", talk, err)
		}
		o = p.outcome()
		o.Status = code
	default:
		o.Message, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSuffix(string(talk), "\n"), s.Program+": "), "\n")
	}
	return o
}

// exits has the exit code of each kind.
var exits = map[string]int{"": 0, "invalid_input": 2, "no_result": 1, "rejected": 1, "bad_backend": 1, "unavailable": 1, "timeout": 1, "unknown_outcome": 1}

// noFlag is what the program says of an input that there is not: it is not a flag
// then, and nothing else is looked at.
func noFlag(q *Question) string {
	for _, i := range q.Want.Issues {
		if i.Code == "unknown" {
			text := fmt.Sprintf("there is no flag %q", "--"+i.Param)
			if i.Nearest != "" {
				text += fmt.Sprintf(", did you mean %q?", "--"+i.Nearest)
			}
			return text
		}
	}
	return ""
}

// tellConsole: sentences, as in MCP, that name flags instead of inputs.
func tellConsole(t testing.TB, s *Served, q *Question) Outcome {
	code, known := exits[q.Want.Kind]
	if !known {
		t.Fatalf("which exit code has %q?", q.Want.Kind)
	}
	if text := noFlag(q); text != "" {
		return Outcome{Status: code, Message: text}
	}
	flagged := *q
	flagged.Want.Issues = slices.Clone(q.Want.Issues)
	for i := range flagged.Want.Issues {
		flagged.Want.Issues[i].Param = "--" + strings.ReplaceAll(flagged.Want.Issues[i].Param, "_", "-")
	}
	o := tellStdio(t, s, &flagged)
	o.Status = code
	return o
}

// tellAgent: what the description of a command lacks never gets there.
func tellAgent(t testing.TB, s *Served, q *Question) Outcome {
	known := *q
	known.Want.Issues = slices.DeleteFunc(slices.Clone(q.Want.Issues), func(i Issue) bool { return i.Code == "unknown" })
	return tellConsole(t, s, &known)
}

// tellProblem: with --json the error is the document of A2T, which does not
// name the tool that was called.
func tellProblem(t testing.TB, s *Served, q *Question) Outcome {
	o := tellA2T(t, s, q)
	if len(q.Want.Issues) > 0 {
		o.Message = q.Want.sentence()
	}
	if text := noFlag(q); text != "" {
		o = Outcome{Message: text}
	}
	o.Status = exits[q.Want.Kind]
	return o
}

// askAgent goes the whole way of an agent that knows nothing but the name of
// the program: what can it do, which functions are these for the model, which
// command line is the call that the model makes.
func askAgent(t testing.TB, s *Served, q *Question) Outcome {
	description := []string{"--agent"}
	if s.Tool(t, q.Tool).Deprecated != "" { // told to who asks for it by name
		description = append(description, "--commands="+strings.ReplaceAll(q.Tool, "_", "-"))
	}
	code, doc, talk := s.RunConsole(description...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	golden.JudgeATIP(t, doc)
	functions, err := golden.BridgeATIP(doc, false)
	if err != nil {
		t.Fatal(err)
	}
	name := s.Program + "_" + strings.ReplaceAll(q.Tool, "_", "-")
	if !slices.ContainsFunc(functions, func(f golden.Function) bool { return f.Name == name }) {
		t.Fatalf("no function %s", name)
	}
	argv, err := golden.ArgvATIP(doc, name, q.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	if argv[0] != s.Program {
		t.Fatalf("the agent starts %q", argv)
	}
	return s.answered(t, argv[1:], false)
}
