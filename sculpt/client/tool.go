package client

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/strictjson"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A Tool is one version of a tool as a server describes it: its signature (A2T
// 5.1), in the same words for every protocol. Texts are those of the server.
type Tool struct {
	Protocol Protocol
	// ID is the UUID of A2T, Toolkit.Tool of OTC, the name over MCP.
	ID, Name, Title, Description string
	// Version is at least 1; 0 where the protocol has none (MCP). Current is the
	// newest one, 0 where it is not told.
	Version, Current int
	Image            string
	Tags             []string
	Inputs           []Input
	Outputs          []Output
	// Effects are what the server says a call may do; nil where it is silent.
	Effects *tool.Effects
	// Needs is what a call must bring of its caller (OTC requirements).
	Needs tool.Needs
	// Deprecated is the day from which the tool should no longer be used, Sunset the
	// first one on which it is not served any more (YYYY-MM-DD), Use the tool to use
	// instead; "" where the server announces nothing.
	Deprecated, Sunset, Use string
	// Document is what was read, in the form of the protocol.
	Document json.RawMessage
	// Broken says why the tool of a list cannot be called, nil for one that can:
	// one bad description does not hide the others.
	Broken error
}

// An Input is an input parameter. Those of other servers that the types of A2T do
// not cover have the type [tool.TypeJSON] and the Schema that the server checks:
// nothing but their presence is checked here.
type Input struct {
	tool.Param
	Description string
	// Texts are those of the values of an enum.
	Texts  map[string]string
	Schema json.RawMessage
}

// An Output is an output parameter. Schema is nil where the server gives none.
type Output struct {
	tool.OutputSlot
	Description string
	Schema      json.RawMessage
}

// Input returns an input by name, nil if there is none.
func (t *Tool) Input(name string) *Input {
	at := slices.IndexFunc(t.Inputs, func(in Input) bool { return in.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Inputs[at]
}

// readOnly reports whether the server says that nothing changes.
func (t *Tool) readOnly() bool { return t.Effects != nil && t.Effects.ReadOnly }

// ReadTool reads the description of a tool that was kept, such as the Document of
// one that a server gave.
func ReadTool(p Protocol, document []byte) (*Tool, error) {
	read := map[Protocol]func([]byte) (*Tool, error){
		ProtocolA2T: readSignature, ProtocolNACT: readSignature, ProtocolOTC: readDefinition, ProtocolOXP: readDefinition, ProtocolMCP: readMCP,
	}[p]
	if read == nil {
		return nil, fmt.Errorf("client: there is no protocol %q", p)
	}
	t, err := read(document)
	if err != nil {
		return nil, fmt.Errorf("client: the description cannot be read: %w", err)
	}
	t.Protocol = p
	return t, nil
}

// ReadArguments reads a JSON object as a model writes it into arguments. A member
// that is written twice is an error: the server and the caller might each take
// another one.
func ReadArguments(text []byte) (map[string]any, error) {
	v, err := strictjson.Read(text, mostNested)
	if twice, ok := errors.AsType[*strictjson.TwiceError](err); ok {
		return nil, &Error{Local: true, Fault: &tool.Error{Kind: tool.KindBadRequest, Code: "duplicate_parameter", Message: fmt.Sprintf("The parameter %q is given twice.", tool.Clip(twice.Name))}}
	}
	args, is := v.(map[string]any)
	if !is {
		return nil, local(tool.KindBadRequest, "The arguments are not a JSON object.", err)
	}
	return args, nil
}

// mostNested is deeper than any argument that somebody meant.
const mostNested = 200

// Validate checks arguments as the server of the tool does, with the same issues
// in the same words (A2T 5.1, 6.1). The error is an [Error] that wraps the
// [tool.Error] of kind InvalidInput.
func (t *Tool) Validate(args map[string]any) error {
	if _, fault := t.bind(args); fault != nil {
		return fault
	}
	return nil
}

// A prepared call has arguments that are valid.
type prepared struct {
	Call
	// members are the arguments as JSON, by name; absent ones are left out.
	members map[string]json.RawMessage
	order   []string
}

func (t *Tool) prepare(c Call) (*prepared, *Error) {
	if t.Broken != nil {
		return nil, local(tool.KindBadBackend, "The server describes the tool "+tool.Quote(t.Name)+" in a way that cannot be read.", t.Broken)
	}
	members, fault := t.bind(c.Arguments)
	if fault != nil {
		return nil, fault
	}
	if c.Key == "" && !t.readOnly() {
		c.Key = newKey()
	}
	p := &prepared{Call: c, members: members}
	for i := range t.Inputs {
		if _, ok := members[t.Inputs[i].Name]; ok {
			p.order = append(p.order, t.Inputs[i].Name)
		}
	}
	return p, nil
}

// newKey returns a UUID of version 4: OTC wants one.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// bind checks arguments and writes them down. Inputs without a type of A2T are
// held to be there and no more.
func (t *Tool) bind(args map[string]any) (map[string]json.RawMessage, *Error) {
	members := make(map[string]json.RawMessage, len(args))
	for name, v := range args {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, local(tool.KindBadRequest, fmt.Sprintf("The parameter %q cannot be written as JSON.", tool.Clip(name)), err)
		}
		members[name] = raw
	}
	var params []tool.Param
	var inputs tool.Inputs
	var issues []tool.Issue
	for i := range t.Inputs {
		in := &t.Inputs[i]
		raw, given := members[in.Name]
		switch {
		case in.Type != tool.TypeJSON:
			if params = append(params, in.Param); given {
				add(&inputs, in.Name, raw)
			}
		case in.Required && present(raw) == nil:
			issues = append(issues, tool.Issue{Param: in.Name, ID: in.ID, Code: "missing", Detail: "This parameter is required."})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if t.Input(name) == nil {
			add(&inputs, name, members[name])
		}
	}
	maps.DeleteFunc(members, func(_ string, raw json.RawMessage) bool { return present(raw) == nil }) // null is absent
	if _, err := inputs.Bind(params); err != nil {
		err.Issues = append(err.Issues, issues...)
		return nil, &Error{Local: true, Fault: err}
	}
	if issues != nil {
		return nil, &Error{Local: true, Fault: &tool.Error{Kind: tool.KindInvalidInput, Issues: issues}}
	}
	return members, nil
}

// add adds an argument as it comes over the wire.
func add(in *tool.Inputs, name string, raw json.RawMessage) {
	switch raw[0] {
	case 'n':
		in.Null()
	case '"':
		var text string
		_ = json.Unmarshal(raw, &text) // it was written as JSON
		in.Text(text)
	case 't', 'f':
		in.Bool(raw[0] == 't')
	case '[':
		in.List()
	case '{':
		in.Object()
	default:
		in.Number(raw)
	}
	in.Name(name)
}

// A Result is what a tool gave.
type Result struct {
	// Outputs are in the order of the answer; nil JSON means null.
	Outputs []tool.Output
	// CallID names the call in the server's log, "" where it tells none.
	CallID string
	// Attempts counts how often the call was sent.
	Attempts int
	// Text is what MCP gives a model to read, and all that a server without
	// structured content gives.
	Text string
}

// JSON returns an output as JSON, nil for null and for none.
func (r *Result) JSON(name string) json.RawMessage {
	for _, o := range r.Outputs {
		if o.Name == name {
			return o.JSON
		}
	}
	return nil
}

// Document returns all outputs as one JSON object.
func (r *Result) Document() json.RawMessage { return tool.Result(r.Outputs).AppendJSON(nil) }
