package pins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/subschema"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// A Verdict is what a check found.
type Verdict struct {
	Findings diag.List
	// Broken says that a promise is broken or a tool is gone, Silent that a server
	// could not be asked.
	Broken, Silent bool
}

// Check asks the server of every pin what it serves now. Credentials are those of
// the providers with the same name; one that has another address is asked there.
func Check(ctx context.Context, f *File, o *Opener, providers []*Provider) Verdict {
	c := &checker{o: o, servers: map[string]*asked{}}
	for _, p := range f.Pins {
		provider := p.Provider
		for _, known := range providers {
			if known.Name == p.Provider.Name {
				provider = *known
			}
		}
		c.pin = p
		c.judge(ctx, c.server(ctx, &provider))
	}
	v := Verdict{Findings: c.list}
	for _, found := range c.list {
		v.Silent = v.Silent || found.Rule == ruleSilent
		v.Broken = v.Broken || found.Severity == diag.Error && found.Rule != ruleSilent
	}
	return v
}

// A checker holds pins against servers.
type checker struct {
	o       *Opener
	servers map[string]*asked
	list    diag.List
	// pin is the one that is judged.
	pin *Pin
}

// asked is a server with what it lists, which is asked once.
type asked struct {
	*client.Server
	provider *Provider
	tools    []*client.Tool
	listed   bool
	err      error
}

func (c *checker) server(ctx context.Context, p *Provider) *asked {
	key := strings.Join([]string{p.Name, string(p.Protocol), p.URL}, " ")
	if s := c.servers[key]; s != nil {
		return s
	}
	s := &asked{provider: p}
	s.Server, s.err = c.o.Open(ctx, p)
	c.servers[key] = s
	return s
}

// list reads what the server lists.
func (s *asked) list(ctx context.Context) ([]*client.Tool, error) {
	if !s.listed && s.err == nil {
		s.listed = true
		s.tools, s.err = s.Tools(ctx)
	}
	return s.tools, s.err
}

// add reports something about the pin.
func (c *checker) add(rule diag.RuleID, fix, format string, args ...any) {
	severity := diag.Error
	for _, r := range Rules {
		if r.ID == rule {
			severity = r.Severity
		}
	}
	c.list.Add(diag.Finding{
		Rule: rule, Severity: severity, Span: c.pin.Span, Fix: fix, Tool: c.pin.Name, Place: c.pin.Agent, Version: c.pin.version,
		Message: fmt.Sprintf("%s: ", c.pin.Name) + fmt.Sprintf(format, args...),
	})
}

// silent reports a server that could not be asked. One that gave no answer is not
// waited for again.
func (c *checker) silent(ctx context.Context, s *asked, err error) {
	if statusOf(err) == 0 {
		s.err = err
	}
	text, fix := c.o.Explain(ctx, s.provider, err)
	c.add(ruleSilent, fix, "%s at %s could not be asked: %s", s.provider.Name, s.provider.URL, text)
}

func (c *checker) judge(ctx context.Context, s *asked) {
	if s.err != nil {
		c.silent(ctx, s, s.err)
		return
	}
	if was := c.pin.Provider.Protocol; s.Protocol() != was {
		c.add(ruleBroken, "write protocol: "+string(was)+" at the provider if it still speaks that, or pin the tool again", "%s spoke %s and now speaks %s", s.provider.Name, was, s.Protocol())
		return
	}
	if c.pin.Provider.Protocol == client.ProtocolA2T || c.pin.Provider.Protocol == client.ProtocolNACT {
		c.locked(ctx, s)
		return
	}
	c.unlocked(ctx, s)
}

// statusOf is that of the answer, 0 for none.
func statusOf(err error) int {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Status
	}
	return 0
}

// locked judges a version that never changes (A2T 6.1).
func (c *checker) locked(ctx context.Context, s *asked) {
	was := c.pin.Tool
	is, err := s.Version(ctx, was.ID, was.Version)
	switch status := statusOf(err); {
	case err == nil:
	case status == http.StatusGone:
		c.add(ruleEnded, "choose another tool", "it has ended: %s", words(err))
		return
	case status == http.StatusNotFound:
		c.missing(ctx, s)
		return
	case status == http.StatusOK:
		c.add(ruleBroken, "ask the vendor", "v%d cannot be read any more: %s", was.Version, words(err))
		return
	default:
		c.silent(ctx, s, err)
		return
	}
	kept := c.same(was, is)
	c.ending(is)
	newest, err := s.Tool(ctx, was.ID)
	switch {
	case err != nil:
		c.silent(ctx, s, err)
	case kept && newest.Version > was.Version:
		c.upgrade(was, newest)
	}
}

// words is the sentence of the server.
func words(err error) string {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Fault.Message != "" {
		return e.Fault.Message
	}
	return err.Error()
}

// same reports whether a version is served as it was pinned, and says what changed.
func (c *checker) same(was, is *client.Tool) bool {
	before, errA := Canonical(was)
	now, errB := Canonical(is)
	if errA == nil && errB == nil && bytes.Equal(before, now) {
		return true
	}
	const fix = "ask the vendor to restore it; pin the tool again only if you can live with the change"
	changes := changesOf(was, is)
	for _, ch := range changes {
		c.add(ruleBroken, fix, "a released version changed: %s", ch.What)
	}
	if len(changes) == 0 {
		c.add(ruleBroken, fix, "v%d changed, and a released version never does", was.Version)
	}
	return false
}

func changesOf(was, is *client.Tool) []compat.Change {
	return compat.Compare(compat.SideOf(withParameters(signatureOf(was), was)), compat.SideOf(withParameters(signatureOf(is), is)), compat.Options{Policy: compat.ClientSafe})
}

// upgrade says what a newer version has, and what moving to it would break. Calls
// of the pinned version still work, since it is served as it was.
func (c *checker) upgrade(was, newest *client.Tool) {
	text := fmt.Sprintf("v%d exists; your v%d calls still work", newest.Version, was.Version)
	if added := added(was, newest); added != nil {
		text += "; added: " + strings.Join(added, ", ")
	}
	var broken []string
	for _, ch := range changesOf(was, newest) {
		if ch.Level == compat.Error {
			broken = append(broken, ch.What)
		}
	}
	if broken != nil {
		text += "; who moves to it lives through this: " + strings.Join(broken, "; ")
	}
	c.add(ruleUpgrade, "", "%s", text)
}

// added lists the inputs and outputs that only the newer one has.
func added(was, is *client.Tool) []string {
	var names []string
	for i := range is.Inputs {
		if was.Input(is.Inputs[i].Name) == nil {
			names = append(names, is.Inputs[i].Name)
		}
	}
	for i := range is.Outputs {
		name := is.Outputs[i].Name
		if !slices.ContainsFunc(was.Outputs, func(o client.Output) bool { return o.Name == name }) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ending tells what is announced.
func (c *checker) ending(is *client.Tool) {
	end := signature.Deprecation{Since: is.Deprecated, Sunset: is.Sunset, Use: is.Use}
	if end != (signature.Deprecation{}) {
		c.add(ruleEnding, "pin the tool that it names, before that day", "its end is announced: %s", end.Words())
	}
}

// missing says what became of a tool that is not there.
func (c *checker) missing(ctx context.Context, s *asked) {
	was := c.pin.Tool
	tools, err := s.list(ctx)
	if err != nil {
		c.silent(ctx, s, err)
		return
	}
	for _, t := range tools {
		switch {
		case t.ID == was.ID:
			c.add(ruleBroken, "ask the vendor to serve it again", "v%d is not served any more, and every released version stays invocable (A2T 5.4)", was.Version)
			return
		case t.Name == was.Name:
			c.add(ruleMistaken, "look at it as at any stranger", "%s serves another tool of this name: its id is %q, and the pinned one had %q", s.provider.URL, t.ID, was.ID)
			return
		}
	}
	c.add(ruleVanished, "choose another tool", "%s does not serve it any more", s.provider.URL)
}

// unlocked judges a tool of a server that promises no version: the calls that were
// made for it must still work.
func (c *checker) unlocked(ctx context.Context, s *asked) {
	was := c.pin.Tool
	tools, err := s.list(ctx)
	if err != nil {
		c.silent(ctx, s, err)
		return
	}
	is := newestOf(tools, was)
	switch {
	case is == nil:
		c.missing(ctx, s)
		return
	case is.Broken != nil:
		c.add(ruleBroken, "ask the vendor", "its description cannot be read any more: %s", is.Broken)
		return
	case was.Protocol == client.ProtocolMCP && s.provider.URL != c.pin.Provider.URL:
		c.add(ruleMistaken, "look at it as at any stranger", "it was pinned at %s, and %s serves another tool of this name: MCP has no ids", c.pin.Provider.URL, s.provider.URL)
		return
	}
	before, errA := Canonical(was)
	now, errB := Canonical(is)
	if errA == nil && errB == nil && bytes.Equal(before, now) {
		return
	}
	c.changed(was, is)
}

// newestOf finds the version that was pinned, or the newest one of the same id.
func newestOf(tools []*client.Tool, was *client.Tool) *client.Tool {
	var best *client.Tool
	for _, t := range tools {
		switch {
		case t.ID != was.ID:
		case t.Version == was.Version && t.Broken == nil:
			return t
		case best == nil || t.Version > best.Version:
			best = t
		}
	}
	return best
}

// changed says what a tool without locked versions has become.
func (c *checker) changed(was, is *client.Tool) {
	const fix = "ask the vendor to restore it; or look at it, and pin the tool again"
	works := true
	inputsWas, outputsWas := schemas(was)
	inputsIs, outputsIs := schemas(is)
	for _, side := range []struct {
		of          string
		differences []subschema.Difference
	}{{"input", subschema.Inputs(inputsWas, inputsIs)}, {"answer", subschema.Outputs(outputsWas, outputsIs)}} {
		for _, d := range side.differences {
			works = false
			rule, text := ruleBroken, side.of+" "+d.What
			if d.Untold {
				rule, text = ruleUntold, "whether your calls still work cannot be told: "+text
			}
			c.add(rule, fix, "%s", text)
		}
	}
	for _, ch := range compat.Compare(compat.SideOf(signatureOf(was)), compat.SideOf(signatureOf(is)), compat.Options{Policy: compat.ClientSafe}) {
		switch {
		case ch.Level == compat.Error:
			works = false
			c.add(ruleBroken, fix, "%s", ch.Message())
		case ch.Place == "description" && c.pin.Text == "":
			c.add(ruleReworded, "read it, and pin the tool again", "%s", ch.What)
		}
	}
	for _, at := range retold(was, is) {
		c.add(ruleReworded, "read it, and pin the tool again", "the text at %s changed", at)
	}
	if !works {
		return
	}
	text := "it changed; your calls still work"
	if is.Version > was.Version {
		text = fmt.Sprintf("v%d exists; your v%d calls still work", is.Version, was.Version)
	}
	if added := added(was, is); added != nil {
		text += "; added: " + strings.Join(added, ", ")
	}
	c.add(ruleUpgrade, "", "%s", text)
}
