package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"time"

	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A job is what a driver is to do; see templates/go/driver.go.tmpl, which reads
// it.
type job struct {
	Mode, Replay, Addr string
	Open               bool
	Tool               string
	Inputs             map[string]any
	Env                map[string]bool
	Servers            map[string]string
	Public, Hidden     []string
	Caller             bool
	Examples           []*history.Example
}

// An event is what a driver tells.
type event struct {
	Event, Text string
	Exchange    *replay.Exchange
	Headers     map[string]string
	Status      int
	Name        string
	Leaks       bool
	Outputs     []output
	Issues      []tool.Issue
	Hint        string
	Answer      json.RawMessage
	Exchanges   []json.RawMessage
}

type output struct {
	Name  string
	Value json.RawMessage
}

// A child is a running driver. It ends when its stdin does, so it never
// outlives this process.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	events *json.Decoder
}

// start runs the driver. What it logs goes to stderr.
func (s *session) start(r *runner, j *job) (*child, error) {
	c := &child{cmd: exec.Command(r.program)} //nolint:noctx // stop ends the driver in its own time: first by closing its input
	c.cmd.Stderr = s.stderr
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.events = json.NewDecoder(stdout)
	if err := json.NewEncoder(c.stdin).Encode(j); err != nil {
		_ = c.stop() // what failed first is told
		return nil, err
	}
	return c, nil
}

// next waits for an event. After the last one ok is false.
func (c *child) next() (e event, ok bool) {
	return e, c.events.Decode(&e) == nil
}

// warn shows what a driver tells of a service that cannot be reached, and of an
// answer that is not among those that are recorded.
func (s *session) warn(e event, recorded []recording) {
	switch e.Event {
	case "unreached":
		s.say("%s", e.Text)
	case "unrecorded":
		s.say("no answer is recorded for %s %s", e.Exchange.Request.Method, e.Exchange.Request.URL)
		for _, line := range near(recorded, e.Exchange) {
			s.say("recorded: %s", line)
		}
		s.say(`record more with "sculpt record TOOL name=value", or ask the real services with --live`)
	}
}

// patience is how long a driver may take to end.
const patience = 8 * time.Second

// errKilled says that a driver had to be killed.
var errKilled = errors.New("the server did not end in time and was killed")

// stop ends the driver and waits for it.
func (c *child) stop() error {
	_ = c.stdin.Close()
	killed := false
	timer := time.AfterFunc(patience, func() { killed = true; _ = c.cmd.Process.Kill() })
	err := c.cmd.Wait()
	if !timer.Stop() && killed {
		return errKilled
	}
	return err
}
