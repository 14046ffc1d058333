package toolcli

import (
	"fmt"
	"io"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// TestLimitsOfTheProgram: who starts a server sets its limits by flags or
// variables, the flags first, and learns which of them is wrong.
func TestLimitsOfTheProgram(t *testing.T) {
	type variables map[string]string
	for _, c := range []struct {
		args []string
		variables
		want string
	}{
		{nil, nil, "5 0 0 0 0 0 0 0"},
		{[]string{"--concurrent", "7"}, variables{"SCULPT_CONCURRENT": "x"}, "7 0 0 0 0 0 0 0"},
		{[]string{"--per-api", "3"}, variables{"SCULPT_CONCURRENT": "9", "SCULPT_PER_CALLER": ""}, "9 3 0 0 0 0 0 0"},
		{nil, variables{"SCULPT_PER_API": "1", "SCULPT_PER_CALLER": "2"}, "5 1 2 0 0 0 0 0"},
		{[]string{"--concurrent", "0"}, nil, "the flag --concurrent has to be at least 1"},
		{[]string{"--per-caller", "-3"}, variables{"SCULPT_PER_CALLER": "3"}, "the flag --per-caller has to be at least 1"},
		{[]string{"--replay", "6", "--replay-bytes", "8"}, variables{"SCULPT_REPLAY_PER_CALLER": "7", "SCULPT_REPLAY": "1"}, "5 0 0 6 7 8 0 0"},
		{[]string{"--connections", "4"}, variables{"SCULPT_BODIES": "9"}, "5 0 0 0 0 0 4 9"},
		{nil, variables{"SCULPT_REPLAY_BYTES": "256MB"}, `the variable SCULPT_REPLAY_BYTES is "256MB" and has to be a whole number, at least 1`},
		{nil, variables{"SCULPT_PER_API": "many"}, `the variable SCULPT_PER_API is "many" and has to be a whole number, at least 1`},
	} {
		r := &run{Program: &Program{}, Console: Console{Lookup: func(name string) (string, bool) { v, ok := c.variables[name]; return v, ok }}, doc: &Document{Name: "shop"}}
		command := r.servers()[0]
		var got string
		command.Action = func(c *cli.Context) error {
			l := serve.Limits{Concurrent: 5}
			err := r.limits(c, &l)
			if got = fmt.Sprint(l.Concurrent, l.PerAPI, l.PerPrincipal, l.Replay, l.ReplayPerPrincipal, l.ReplayBytes, l.Connections, l.Bodies); err != nil {
				got = err.Error()
			}
			return nil
		}
		app := &cli.App{Commands: []*cli.Command{command}, Writer: io.Discard, ErrWriter: io.Discard}
		if err := app.RunContext(t.Context(), append([]string{"shop", "serve"}, c.args...)); err != nil || got != c.want {
			t.Errorf("%v %v: %v, %s, want %s", c.args, c.variables, err, got, c.want)
		}
	}
}
