package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

func callFlags() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "dry-run"}, &cli.BoolFlag{Name: "live"}}
}

// runCall calls one tool and prints its outputs.
func runCall(c *command) error {
	j := &job{Mode: "call"}
	live := c.Bool("live")
	if c.Bool("dry-run") {
		if live {
			return unable("leave out one of them", "--dry-run calls nothing, --live calls the real services")
		}
		j.Mode = "dry"
	}
	p, err := c.callee(j)
	if err != nil {
		return err
	}
	defer p.at.close()
	if err := c.upstreams(p, j, live); err != nil {
		return err
	}
	if j.Mode == "call" && j.Replay != "" {
		c.say("answered from %s", p.at.shown(p.Dir+"/replay"))
	}
	see := func(event) error { return nil }
	if j.Mode == "dry" {
		see = c.showRequest
	}
	return c.callTool(p, j, see)
}

// callee loads the package that a call means and fills the tool and its
// inputs in.
func (c *command) callee(j *job) (*project, error) {
	where, tool, given, err := splitCall(c.positional(), c.Command.Name)
	if err != nil {
		return nil, err
	}
	p, err := c.ready(where)
	if err != nil {
		return nil, err
	}
	j.Tool = tool
	if err := p.inputs(j, given); err != nil {
		p.at.close()
		return nil, err
	}
	return p, nil
}

// splitCall takes the arguments of a call apart: [PACKAGE] TOOL name=value...
// in any order. Of two words the one that looks like a path or is one, or else
// the first, is the package.
func splitCall(args []string, verb string) (where, tool string, given []string, err error) {
	var words []string
	for _, arg := range args {
		if name, _, isInput := strings.Cut(arg, "="); isInput && !strings.ContainsAny(name, `/\`) {
			given = append(given, arg)
			continue
		}
		words = append(words, arg)
	}
	hint := `run "sculpt ` + verb + ` --help"`
	switch {
	case len(words) == 0:
		return "", "", nil, unable(hint, "a tool is missing: sculpt %s TOOL name=value...", verb)
	case len(words) > 2:
		return "", "", nil, unable("write inputs as name=value", "%q is not an input", words[2])
	case len(words) == 1 && (isPath(words[0]) || exists(words[0])):
		return "", "", nil, unable(hint, "a tool is missing: sculpt %s %s TOOL name=value...", verb, words[0])
	case len(words) == 1:
		return "", words[0], given, nil
	case !isPath(words[0]) && (isPath(words[1]) || exists(words[1]) && !exists(words[0])):
		return words[1], words[0], given, nil
	}
	return words[0], words[1], given, nil
}

func isPath(word string) bool {
	return word == "." || word == ".." || strings.ContainsAny(word, `/\.`)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// inputs gives the written inputs their types. What a tool accepts is decided
// by its own validation later.
func (p *project) inputs(j *job, given []string) error {
	var names []string
	var sig *signature.Signature
	for _, t := range p.Program.Tools {
		names = append(names, t.Signature.Name)
		if t.Signature.Name == j.Tool {
			sig = t.Signature
		}
	}
	if sig == nil {
		return unable("call one of: "+strings.Join(names, ", "), "there is no tool %q%s", j.Tool, diag.DidYouMean(j.Tool, names))
	}
	j.Inputs = map[string]any{}
	for _, text := range given {
		name, value, _ := strings.Cut(text, "=")
		at := slices.IndexFunc(sig.Inputs, func(in signature.Input) bool { return in.Name == name })
		if at < 0 {
			return unknownInput(sig, name)
		}
		if _, twice := j.Inputs[name]; twice {
			return unable("leave one of them out", "the input %s is given twice", name)
		}
		v, err := typed(&sig.Inputs[at], value)
		if err != nil {
			return err
		}
		j.Inputs[name] = v
	}
	return nil
}

func unknownInput(sig *signature.Signature, name string) error {
	var names []string
	for _, in := range sig.Inputs {
		names = append(names, in.Name)
	}
	hint := "leave it out: the tool has no inputs"
	if len(names) > 0 {
		hint = "use one of: " + strings.Join(names, ", ")
	}
	return unable(hint, "%s has no input %q%s", sig.Name, name, diag.DidYouMean(name, names))
}

// typed reads an input as its type says.
func typed(in *signature.Input, text string) (any, error) {
	switch in.Type {
	case signature.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, unable("write "+in.Name+"=1", "%s wants an integer, not %q", in.Name, text)
		}
		return n, nil
	case signature.Boolean:
		if text != "true" && text != "false" {
			return nil, unable("write "+in.Name+"=true", "%s wants true or false, not %q", in.Name, text)
		}
		return text == "true", nil
	}
	return text, nil
}

// callTool builds the package, calls the tool and prints what came of it. see
// gets what happens on the way.
func (c *command) callTool(p *project, j *job, see func(event) error) error {
	ctx, stop := interrupted()
	defer stop()
	r, err := c.build(ctx, p)
	if err != nil {
		return err
	}
	defer r.remove()
	child, err := c.start(r, j)
	if err != nil {
		return err
	}
	unhook := context.AfterFunc(ctx, func() { _ = child.stdin.Close() })
	defer unhook()
	recorded := p.recorded(j.Replay)
	var seen error
	var last event
	for e, ok := child.next(); ok; e, ok = child.next() {
		c.warn(e, recorded)
		if err := see(e); err != nil && seen == nil {
			seen = err
		}
		last = e
	}
	ended := child.stop()
	if ctx.Err() != nil {
		return errInterrupted
	}
	if seen != nil {
		return seen
	}
	return c.outcome(j, last, ended)
}

// outcome shows how a call ended.
func (c *command) outcome(j *job, last event, ended error) error {
	switch last.Event {
	case "result":
		if j.Mode == "dry" {
			c.say("every request has a recorded answer; nothing was sent")
			return nil
		}
		return c.showOutputs(last.Outputs)
	case "stopped":
		c.say("stopped at the first request without a recorded answer; nothing was sent")
		return nil
	case "refused":
		c.say("%s: %s", j.Tool, refusal(last))
		if last.Hint != "" {
			c.say("hint for the model: %s", last.Hint)
		}
		return errFound
	case "failed":
		return unable("", "%s", last.Text)
	}
	if ended != nil {
		return unable("", "the tool ended without an answer: %s", ended)
	}
	return unable("", "the tool ended without an answer")
}

// refusal is the error of a tool on one line, with what is wrong with each
// input.
func refusal(e event) string {
	if len(e.Issues) == 0 {
		// Sentences of the run time end with a full stop, causes follow them.
		return strings.ReplaceAll(e.Text, ".: ", ": ")
	}
	var wrong []string
	for _, issue := range e.Issues {
		text := issue.Detail
		if !strings.HasPrefix(text, issue.Param+" ") {
			text = issue.Param + ": " + text
		}
		if len(issue.Allowed) > 0 {
			text += " It allows " + strings.Join(issue.Allowed, ", ") + "."
		}
		if issue.Nearest != "" {
			text += " Did you mean " + strconv.Quote(issue.Nearest) + "?"
		}
		wrong = append(wrong, text)
	}
	return strings.Join(wrong, " ")
}

// showOutputs prints the outputs as one JSON object in their order.
func (c *command) showOutputs(outputs []output) error {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, o := range outputs {
		if i > 0 {
			b.WriteByte(',')
		}
		value := o.Value
		if len(value) == 0 {
			value = json.RawMessage("null")
		}
		b.WriteString(plainJSON(o.Name) + ":")
		b.Write(value)
	}
	b.WriteByte('}')
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, b.Bytes(), "", "  "); err != nil {
		return err
	}
	c.print("%s", safeJSON(pretty.String()))
	return nil
}
