package history

import (
	"encoding/json"
	"fmt"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Coverage says which promises of a release its examples pin: what they send,
// what their answers hold, and the errors that they end with. An example
// speaks for the version that it was kept for and for no other.
type Coverage struct {
	Version int
	// Promises are in the order of the signature.
	Promises []Promise
}

// A Promise is a part of a release that an example can pin, in the words of the
// manifest: "inputs.size", "inputs.size.values.SMALL", "outputs.total",
// "outputs.kind.values.TOWN", "errors.no_such_place".
type Promise struct {
	Part   string
	Pinned bool
}

// Pinned counts the promises that an example pins.
func (c *Coverage) Pinned() int { return len(c.Promises) - len(c.Missing()) }

// Missing names the promises that no example pins.
func (c *Coverage) Missing() []string {
	missing := []string{}
	for _, p := range c.Promises {
		if !p.Pinned {
			missing = append(missing, p.Part)
		}
	}
	return missing
}

// Coverage measures all releases of a tool, the oldest first. Examples that are
// not what was released count for nothing: [Check] reports them.
func (h *History) Coverage(t *Tool) ([]Coverage, diag.List) {
	if !t.sound || t.Newest == nil {
		return nil, nil
	}
	examples := map[int][]*Example{}
	for _, e := range h.keptExamples(t) {
		examples[e.Version] = append(examples[e.Version], e)
	}
	var out []Coverage
	for i := range t.Releases {
		record, findings := h.Record(t.Name, t.Releases[i].Version)
		if record == nil {
			return nil, findings
		}
		out = append(out, record.coverage(examples[record.Version]))
	}
	return out, nil
}

// coverage holds a release against its examples.
func (r *Record) coverage(examples []*Example) Coverage {
	pins := map[string]bool{}
	for _, e := range examples {
		e.pin(r.Signature, pins)
	}
	c := Coverage{Version: r.Version}
	promise := func(part string, values []signature.Value) {
		if len(values) == 0 {
			c.Promises = append(c.Promises, Promise{part, pins[part]})
		}
		for _, v := range values {
			name := part + ".values." + v.Name
			c.Promises = append(c.Promises, Promise{name, pins[name]})
		}
	}
	for i := range r.Signature.Inputs {
		promise("inputs."+r.Signature.Inputs[i].Name, r.Signature.Inputs[i].Values)
	}
	for i := range r.Signature.Outputs {
		promise("outputs."+r.Signature.Outputs[i].Name, r.Signature.Outputs[i].Values)
	}
	for _, code := range r.Details.Errors {
		promise("errors."+code, nil)
	}
	return c
}

// pin notes what an example pins of its version. An input that is left out is
// its default, which the chain gets like any other value.
func (e *Example) pin(s *signature.Signature, pins map[string]bool) {
	var inputs map[string]any
	var answer struct {
		Outputs map[string]any
		Error   *struct{ Code string }
	}
	if json.Unmarshal(e.Inputs, &inputs) != nil || json.Unmarshal(e.Answer, &answer) != nil {
		return // it pins nothing that can be read
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if value, sent := inputs[in.Name]; sent {
			pins["inputs."+in.Name] = true
			pins[fmt.Sprintf("inputs.%s.values.%v", in.Name, value)] = true
		} else if in.Default != nil {
			pins[fmt.Sprintf("inputs.%s.values.%v", in.Name, in.Default)] = true
		}
	}
	for name, value := range answer.Outputs {
		if value != nil {
			pins["outputs."+name] = true
			pins[fmt.Sprintf("outputs.%s.values.%v", name, value)] = true
		}
	}
	if answer.Error != nil {
		pins["errors."+answer.Error.Code] = true
	}
}

// Unpinned names what the newest release of a tool promises without an example.
func (h *History) Unpinned(tool string) []string {
	t := h.Tool(tool)
	if t == nil {
		return nil
	}
	all, _ := h.Coverage(t) // records that cannot be read are findings of Read
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1].Missing()
}
