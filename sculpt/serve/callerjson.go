package serve

import (
	"errors"
	"strconv"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Callers' JSON is read strictly: exact member names, no member twice, valid
// UTF-8, no lone surrogate, at most 32 levels, numbers of at most 32 digits
// and an exponent of at most 308. encoding/json would match names in any case,
// take the last of two members, and mend what is broken.
const (
	callerDepth  = 32
	numberDigits = 32
	exponentMax  = 308
	// longestKey bounds ids that callers choose and the server keeps or logs.
	longestKey = 255
)

// An invocation is an A2T invocation: {"name", "input_parameters"} (A2T 5.3).
type invocation struct {
	name   string
	named  bool
	inputs tool.Inputs
}

// decodeInvocation reads an A2T or N-ACT invocation. Unknown members of the
// outermost object are passed over, those of a parameter are refused.
func decodeInvocation(body []byte) (invocation, *tool.Error) {
	var inv invocation
	s := callerScanner(body)
	defer s.Release()
	d := decoder{s: s}
	listed := false
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case "name":
			inv.name, inv.named = s.Text(), true
		case "input_parameters":
			listed = true
			inv.inputs = d.parameters()
		}
	}
	s.End()
	if fault := d.fault(); fault != nil {
		return inv, fault
	}
	if !listed {
		return inv, malformed("the member input_parameters is missing")
	}
	return inv, nil
}

// A decoder adds to a scanner the faults that are not the scanner's.
type decoder struct {
	s   *scan.Scanner
	bad *tool.Error
}

func callerScanner(body []byte) *scan.Scanner {
	return scan.NewBytes(body, scan.Limits{Bytes: -1, Depth: callerDepth})
}

// fault returns the first fault of the text, nil for none.
func (d *decoder) fault() *tool.Error {
	if err := d.s.Err(); err != nil {
		var at *scan.Error
		switch errors.As(err, &at); {
		case at == nil:
		case at.Why == scan.Duplicate:
			return malformed("a member is there twice: " + at.Error())
		case at.Why == scan.Syntax:
			return malformed("the body is not JSON: " + at.Error())
		}
		return malformed(err.Error())
	}
	return d.bad
}

func malformed(why string) *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Message: "The request is malformed: " + why + "."}
}

// refuse keeps the first fault of our own.
func (d *decoder) refuse(why string) {
	if d.bad == nil {
		d.bad = malformed(why)
	}
}

// parameters reads [{"name", "value"}, ...].
func (d *decoder) parameters() tool.Inputs {
	var inputs tool.Inputs
	for d.s.OpenList(); d.s.NextElem(); {
		name, named, valued := "", false, false
		for d.s.Open(); d.s.NextAny(); {
			switch d.s.Key() {
			case "name":
				name, named = d.s.Text(), true
			case "value":
				d.value(&inputs)
				valued = true
			default:
				d.refuse("a parameter has a member other than name and value: " + tool.Quote(d.s.Key()))
			}
		}
		if !named || !valued {
			d.refuse("a parameter needs the members name and value")
		}
		inputs.Name(name)
	}
	return inputs
}

// members reads {"parameter": value, ...}.
func (d *decoder) members() tool.Inputs {
	var inputs tool.Inputs
	for d.s.Open(); d.s.NextAny(); {
		name := d.s.Key()
		d.value(&inputs)
		inputs.Name(name)
	}
	return inputs
}

// value reads one input value. Lists and objects are not an input of any tool:
// they are checked and passed over.
func (d *decoder) value(to *tool.Inputs) {
	switch d.s.Kind() {
	case scan.String:
		to.Text(d.s.Text())
	case scan.Bool:
		to.Bool(d.s.Bool())
	case scan.Number:
		literal := d.s.Raw()
		d.number(literal)
		to.Number(literal)
	case scan.Array:
		d.s.Skip()
		to.List()
	case scan.Object:
		d.s.Skip()
		to.Object()
	default:
		d.s.Null()
		to.Null()
	}
}

// number refuses literals that are longer than any number means.
func (d *decoder) number(literal []byte) {
	digits, exponent := 0, 0
	for i, c := range literal {
		switch {
		case c == 'e' || c == 'E':
			exponent = i + 1
		case c >= '0' && c <= '9' && exponent == 0:
			digits++
		}
	}
	if digits > numberDigits {
		d.refuse("a number has more than 32 digits")
	}
	if exponent != 0 {
		if n, err := strconv.Atoi(string(literal[exponent:])); err != nil || n > exponentMax || n < -exponentMax {
			d.refuse("a number has an exponent beyond 308")
		}
	}
}

// An otcCall is the body of POST /tools/call: {"$schema", "request"}.
type otcCall struct {
	schema, callID, traceID, toolID, userID string
	hasTool, hasRequest                     bool
	inputs                                  tool.Inputs
	secrets, tokens                         map[string]string
}

// decodeOTC reads an OTC or OXP CallToolRequest in its envelope. The call
// itself comes back even with a fault, for its $schema. The request is closed
// (additionalProperties: false), the envelope and the context are open.
func decodeOTC(body []byte) (otcCall, *tool.Error) {
	var c otcCall
	s := callerScanner(body)
	defer s.Release()
	d := decoder{s: s}
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case "$schema":
			c.schema = s.Text()
		case "request":
			c.hasRequest = true
			d.request(&c)
		}
	}
	s.End()
	switch fault := d.fault(); {
	case fault != nil:
		return c, fault
	case !c.hasRequest:
		return c, malformed("the member request is missing")
	case !c.hasTool:
		return c, malformed("the member tool_id is missing")
	}
	return c, nil
}

// request reads a CallToolRequest. Optional members may be null: SDKs of
// several languages send that for what is absent.
func (d *decoder) request(c *otcCall) {
	for d.s.Open(); d.s.NextAny(); {
		key := d.s.Key()
		switch {
		case key == "tool_id":
			c.toolID, c.hasTool = d.s.Text(), true
		case key != "call_id" && key != "trace_id" && key != "input" && key != "context":
			d.refuse("the request has an unknown member: " + tool.Quote(key))
		case d.s.Null():
		case key == "call_id":
			c.callID = d.shortText(key)
		case key == "trace_id":
			c.traceID = d.shortText(key)
		case key == "input":
			c.inputs = d.members()
		default:
			d.context(c)
		}
	}
}

func (d *decoder) shortText(key string) string {
	text := d.s.Text()
	if len(text) > longestKey {
		d.refuse(key + " is longer than 255 bytes")
	}
	return text
}

func (d *decoder) context(c *otcCall) {
	for d.s.Open(); d.s.NextAny(); {
		key := d.s.Key()
		switch {
		case key != "user_id" && key != "secrets" && key != "authorization":
		case d.s.Null():
		case key == "user_id":
			c.userID = d.shortText(key)
		case key == "secrets":
			c.secrets = d.pairs(key, "value")
		default:
			c.tokens = d.pairs(key, "token")
		}
	}
}

// pairs reads [{"id", member}, ...]; other members are passed over.
func (d *decoder) pairs(key, member string) map[string]string {
	pairs := map[string]string{}
	for d.s.OpenList(); d.s.NextElem(); {
		var id, value string
		hasID, hasValue := false, false
		for d.s.Open(); d.s.NextAny(); {
			switch d.s.Key() {
			case "id":
				id, hasID = d.s.Text(), true
			case member:
				value, hasValue = d.s.Text(), true
			}
		}
		if !hasID || !hasValue {
			d.refuse("an element of " + key + " needs the members id and " + member)
		}
		if _, twice := pairs[id]; twice {
			d.refuse("two elements of " + key + " have the same id")
		}
		pairs[id] = value
	}
	return pairs
}
