package pins

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// A Pin is a tool that an agent uses, as it was when it was chosen.
type Pin struct {
	// Agent is who uses it, Name what the model calls it.
	Agent, Name string
	Provider    Provider
	// Text is told to the model instead of the description, "" for that.
	Text string
	// Policy is allowed, confirm or denied.
	Policy string
	// Wait is how long a call may take, 0 where nothing is said.
	Wait time.Duration
	// Tool is what was read.
	Tool *client.Tool
	// Span is the pin in its file.
	Span diag.Span

	id, tool, digest string
	version          int
	document         string
}

// policies are what an agent may do with a tool.
var policies = []string{"allowed", "confirm", "denied"}

// A File is a file of pins. What people wrote into it stays.
type File struct {
	Pins []*Pin

	name string
	root *yaml.Node
}

// beginning is a file without pins.
const beginning = `# Tools of agents, as they were when they were chosen: "sculpt pin" writes this file, "sculpt pin --check" asks
# the servers. Yours to edit, and kept: text: (told to the model instead of the server's), policy: (allowed, confirm
# or denied), wait: (how long a call may take) and comments.
pins: 1
agents: {}
`

// NewFile returns a file without pins.
func NewFile(name string) *File {
	f, _ := ReadFile(name, []byte(beginning))
	return f
}

// ReadFile reads a file of pins. A file with findings is not to be written again.
func ReadFile(name string, text []byte) (*File, diag.List) {
	r := &reader{file: name}
	f := &File{name: name, root: r.load(text)}
	if f.root == nil {
		return f, r.list
	}
	r.members(f.root, "the file", []key{{"pins", true, r.version}, {"agents", true, func(n *yaml.Node) {
		r.each(n, "agents", func(agent, tools *yaml.Node) {
			r.each(tools, fmt.Sprintf("agent %q", agent.Value), func(name, value *yaml.Node) {
				f.Pins = append(f.Pins, r.pin(agent.Value, name, value))
			})
		})
	}}})
	return f, r.list
}

func (r *reader) pin(agent string, name, value *yaml.Node) *Pin {
	p := &Pin{Agent: agent, Name: name.Value, Span: r.span(name), Policy: "confirm"}
	what := fmt.Sprintf("pin %q", p.Name)
	before := len(r.list)
	r.members(value, what, []key{
		{"provider", true, func(n *yaml.Node) {
			r.members(n, "provider", []key{{"name", true, r.text(&p.Provider.Name)}, {"protocol", true, r.protocol(&p.Provider)}, {"url", true, r.url(&p.Provider)}})
		}},
		{"tool", true, func(n *yaml.Node) {
			r.members(n, "tool", []key{{"id", true, r.text(&p.id)}, {"name", true, r.text(&p.tool)}, {"version", false, r.number(&p.version)}})
		}},
		{"text", false, r.text(&p.Text)},
		{"policy", false, func(n *yaml.Node) {
			if p.Policy = n.Value; !slices.Contains(policies, n.Value) {
				r.bad(n, "write one of allowed, confirm, denied", "there is no policy %q%s", n.Value, diag.DidYouMean(n.Value, policies))
			}
		}},
		{"wait", false, func(n *yaml.Node) {
			d, err := time.ParseDuration(n.Value)
			if p.Wait = d; err != nil || d <= 0 {
				r.bad(n, "write a time such as 20s", "%q is not a time to wait", n.Value)
			}
		}},
		{"digest", true, r.text(&p.digest)},
		{"signature", true, r.text(&p.document)},
	})
	if len(r.list) == before {
		if err := p.restore(); err != nil {
			r.bad(name, "pin the tool again", "%s: %s", what, err)
		}
	}
	return p
}

func (r *reader) number(into *int) func(*yaml.Node) {
	return func(n *yaml.Node) {
		v, err := strconv.Atoi(n.Value)
		if *into = v; err != nil || v < 1 {
			r.bad(n, "write a number from 1", "%q is not a version", n.Value)
		}
	}
}

// restore makes the tool of what was kept. A signature that somebody edited is not
// what the server said.
func (p *Pin) restore() error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(p.document)); err != nil {
		return fmt.Errorf("its signature is not JSON: %w", err)
	}
	if digest(compact.Bytes()) != p.digest {
		return errors.New("its signature is not that of its digest: somebody edited it")
	}
	t, err := client.ReadTool(p.Provider.Protocol, compact.Bytes())
	if err != nil {
		return err
	}
	if t.ID != p.id || t.Name != p.tool || t.Version != p.version {
		return fmt.Errorf("its signature is of %q, version %d", t.Name, t.Version)
	}
	p.Tool = t
	return nil
}

// Put pins a tool for an agent, or pins it again. It returns the name of the pin,
// and whether there was one.
func (f *File) Put(agent string, p *Provider, t *client.Tool) (name string, again bool, err error) {
	document, err := Canonical(t)
	if err != nil {
		return "", false, err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, document, "", "  "); err != nil {
		return "", false, err
	}
	tools := member(member(f.root, "agents"), agent)
	at := f.pinned(agent, p, t)
	if name = f.free(agent, p.Name, t.Name); at != nil {
		name = at.Name
	}
	pin := member(tools, name)
	provider := member(pin, "provider")
	setText(provider, "name", p.Name)
	setText(provider, "protocol", string(p.Protocol))
	setText(provider, "url", p.URL)
	identity := member(pin, "tool")
	setText(identity, "id", t.ID)
	setText(identity, "name", t.Name)
	if t.Version > 0 {
		set(identity, "version", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(t.Version)})
	}
	if at == nil {
		setText(pin, "policy", policyOf(t))
		setText(pin, "wait", "30s")
	}
	setText(pin, "digest", digest(document))
	set(pin, "signature", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.LiteralStyle, Value: pretty.String()})
	if at == nil {
		f.Pins = append(f.Pins, &Pin{Agent: agent, Name: name, Provider: *p, Tool: t, id: t.ID})
	}
	return name, at != nil, nil
}

// free is a name that no pin of the agent has.
func (f *File) free(agent, provider, name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(f.Pins, func(o *Pin) bool { return o.Agent == agent && o.Name == name })
	}
	if taken(name) {
		name = provider + "_" + name
	}
	for base, n := name, 2; taken(name); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	return name
}

// pinned finds the pin of a tool.
func (f *File) pinned(agent string, p *Provider, t *client.Tool) *Pin {
	for _, one := range f.Pins {
		if one.Agent == agent && one.Provider.Name == p.Name && one.id == t.ID {
			return one
		}
	}
	return nil
}

// policyOf is what an agent may do without having been told: what changes nothing.
func policyOf(t *client.Tool) string {
	if t.Effects != nil && t.Effects.ReadOnly && !t.Effects.Billable {
		return "allowed"
	}
	return "confirm"
}

// Bytes returns the text of the file.
func (f *File) Bytes() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := errors.Join(e.Encode(f.root), e.Close())
	return b.Bytes(), err
}

// member returns the mapping at a key, and adds it where there is none.
func member(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	n.Style &^= yaml.FlowStyle
	value := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value)
	return value
}

func setText(n *yaml.Node, name, text string) {
	set(n, name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text})
}

// set writes a value at a key; the comments that are there stay.
func set(n *yaml.Node, name string, value *yaml.Node) {
	at := member(n, name)
	value.HeadComment, value.LineComment, value.FootComment = at.HeadComment, at.LineComment, at.FootComment
	*at = *value
}
