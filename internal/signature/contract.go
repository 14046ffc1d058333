package signature

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Details are facts about a version that its callers rely on, that A2T does
// not serve and that Signature has no member for. The zero value says that
// nothing more is known.
type Details struct {
	// Network says that the tool reaches systems that the caller cannot see.
	Network bool
	// Outputs has more about outputs, by name.
	Outputs map[string]OutputDetails
	// Errors are the codes that the tool may answer with (ATDF failures).
	Errors []string
	// Deprecation is what was announced of the end of the tool. Records keep
	// announcements in a file of their own; those of older releases hold one
	// in the contract.
	Deprecation Deprecation
	// Plan is the digest of the plan that the version was released with:
	// sha256:<hex>. What the plan says stays hidden.
	Plan string
	// Examples is the digest of the example calls that the release keeps, or
	// "".
	Examples string
}

// OutputDetails is what a reader of an output may rely on besides its type.
type OutputDetails struct {
	// Nullable outputs are there, but may be null; Output.Optional says that
	// an output may be missing.
	Nullable bool
	// Min and Max bound numbers; nil is no bound.
	Min, Max *int64
	// Open enums may get values that the caller has not seen: the release says
	// so, and readers must expect it.
	Open bool
	// Fallback is what callers get instead of a value of an enum that their
	// version does not have, "" for an error. It is part of the plan of a
	// release, and not of its contract.
	Fallback string
}

// Contract writes the half of a release that A2T does not serve: defaults,
// lengths and patterns of inputs, presence and schemas of outputs, effects and
// what the caller must bring, in compact JSON with members in fixed order.
// The half that A2T serves is [Signature.Canonical]; both together are locked
// (A2T 6.1, and 7 for checks that the signature does not show).
func (s *Signature) Contract(d *Details) []byte {
	if d == nil {
		d = &Details{}
	}
	o := object{}
	o.text("toolkit", s.Toolkit)
	o.text("tool_name", s.ToolName)
	o.text("title", s.Title)
	if full := s.FullDescription(); full != s.Description {
		o.text("description", s.Description)
	}
	o.text("when_to_use", s.WhenToUse)
	o.text("image", s.Image)
	inputs := object{}
	for i := range s.Inputs {
		if c := inputContract(&s.Inputs[i]); len(c) > 0 {
			inputs.add(s.Inputs[i].Name, c.bytes())
		}
	}
	o.add("inputs", inputs.bytes())
	outputs := object{}
	for i := range s.Outputs {
		out := &s.Outputs[i]
		outputs.add(out.Name, outputContract(out, d.Outputs[out.Name]).bytes())
	}
	o.add("outputs", outputs.bytes())
	o.add("effects", effectsContract(s.Effects, d.Network).bytes())
	o.add("auth", authContract(s.Needs).bytes())
	o.texts("errors", d.Errors)
	if d.Deprecation != (Deprecation{}) {
		o.any("deprecated", d.Deprecation)
	}
	o.text("plan", d.Plan)
	o.text("examples", d.Examples)
	return o.bytes()
}

func inputContract(in *Input) object {
	o := object{}
	if in.Default != nil {
		o.any("default", in.Default)
	}
	if in.Type == String && in.MinLength > 0 {
		o.any("min_length", in.MinLength)
	}
	if in.Type == String {
		o.text("pattern", in.Pattern)
	}
	o.text("mcp_header", in.MCPHeader)
	return o
}

func outputContract(out *Output, d OutputDetails) object {
	o := object{}
	o.any("present", !out.Optional)
	o.flag("nullable", d.Nullable)
	if d.Min != nil {
		o.any("min", *d.Min)
	}
	if d.Max != nil {
		o.any("max", *d.Max)
	}
	o.flag("open", d.Open)
	if out.Type == JSON && out.Schema != nil {
		o.add("schema", schemaJSON(out.Schema.JSONSchema()).bytes())
	}
	return o
}

func effectsContract(e Effects, network bool) object {
	o := object{}
	o.any("read_only", e.ReadOnly)
	o.any("idempotent", e.Idempotent)
	o.any("destructive", e.Destructive)
	o.any("reversible", e.Reversible)
	o.any("billable", e.Billable)
	o.flag("network", network)
	return o
}

func authContract(n Needs) object {
	o := object{}
	o.flag("user_id", n.UserID)
	o.texts("secrets", n.Secrets)
	o.texts("tokens", n.Tokens)
	o.texts("claims", n.Claims)
	return o
}

// ReadContract reads what [Signature.Contract] wrote: it completes s, which
// holds the A2T half of the same release, and returns the rest. Errors are of
// type [*ReadError].
func ReadContract(data []byte, s *Signature) (*Details, error) {
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	r, d := &reader{}, &Details{}
	r.object(root, "the contract", func(m *members) {
		s.Toolkit, s.ToolName, s.Title = r.text(m, "toolkit"), r.text(m, "tool_name"), r.text(m, "title")
		if said := r.text(m, "description"); said != "" {
			s.Description = said
		}
		s.WhenToUse, s.Image = r.text(m, "when_to_use"), r.text(m, "image")
		r.inputContracts(m, s)
		r.outputContracts(m, s, d)
		r.effects(m, s, d)
		r.auth(m, &s.Needs)
		d.Errors = r.texts(m, "errors")
		d.Deprecation = r.deprecation(m)
		d.Plan, d.Examples = r.text(m, "plan"), r.text(m, "examples")
	})
	return d, r.failure()
}

// deprecation reads what is announced of the end of a tool.
func (r *reader) deprecation(m *members) (d Deprecation) {
	if n := m.take("deprecated"); n != nil {
		r.object(n, "deprecated", func(m *members) {
			d = Deprecation{Since: r.text(m, "since"), Sunset: r.text(m, "sunset"), Use: r.text(m, "use")}
		})
	}
	return d
}

func (r *reader) inputContracts(m *members, s *Signature) {
	n := m.take("inputs")
	if n == nil {
		return
	}
	r.object(n, "inputs", func(m *members) {
		for i := range s.Inputs {
			in := &s.Inputs[i]
			c := m.take(in.Name)
			if c == nil {
				continue
			}
			r.object(c, "input "+in.Name, func(m *members) {
				if v := m.take("default"); v != nil {
					in.Default = r.scalar(v, "default")
				}
				if v := r.number(m, "min_length"); v != nil {
					in.MinLength = int(*v)
				}
				in.Pattern, in.MCPHeader = r.text(m, "pattern"), r.text(m, "mcp_header")
			})
		}
	})
}

func (r *reader) outputContracts(m *members, s *Signature, d *Details) {
	n := m.take("outputs")
	if n == nil {
		return
	}
	r.object(n, "outputs", func(m *members) {
		for i := range s.Outputs {
			out := &s.Outputs[i]
			c := m.take(out.Name)
			if c == nil {
				continue
			}
			more := OutputDetails{}
			r.object(c, "output "+out.Name, func(m *members) {
				out.Optional = !r.flag(m, "present", true)
				more.Nullable = r.flag(m, "nullable", false)
				more.Min, more.Max = r.number(m, "min"), r.number(m, "max")
				more.Open = r.flag(m, "open", false)
				if v := m.take("schema"); v != nil {
					out.Schema = typeOf(r.schema(v))
				}
			})
			if more != (OutputDetails{}) {
				if d.Outputs == nil {
					d.Outputs = map[string]OutputDetails{}
				}
				d.Outputs[out.Name] = more
			}
		}
	})
}

func (r *reader) effects(m *members, s *Signature, d *Details) {
	n := m.take("effects")
	if n == nil {
		return
	}
	r.object(n, "effects", func(m *members) {
		s.Effects = Effects{
			ReadOnly: r.flag(m, "read_only", false), Idempotent: r.flag(m, "idempotent", false), Destructive: r.flag(m, "destructive", false),
			Reversible: r.flag(m, "reversible", false), Billable: r.flag(m, "billable", false),
		}
		d.Network = r.flag(m, "network", false)
	})
}

func (r *reader) auth(m *members, needs *Needs) {
	n := m.take("auth")
	if n == nil {
		return
	}
	r.object(n, "auth", func(m *members) {
		*needs = Needs{UserID: r.flag(m, "user_id", false), Secrets: r.texts(m, "secrets"), Tokens: r.texts(m, "tokens"), Claims: r.texts(m, "claims")}
	})
}

// An object is a JSON object that keeps the order of its members.
type object []struct {
	name string
	data []byte
}

func (o *object) add(name string, data []byte) {
	*o = append(*o, struct {
		name string
		data []byte
	}{name, data})
}

func (o *object) any(name string, v any) { o.add(name, encodeJSON(v)) }

// text adds a text that is not empty: "" and absent are one.
func (o *object) text(name, s string) {
	if s != "" {
		o.any(name, s)
	}
}

// texts adds a list that is not empty.
func (o *object) texts(name string, list []string) {
	if len(list) > 0 {
		o.any(name, slices.Clone(list))
	}
}

// flag adds true; false and absent are one.
func (o *object) flag(name string, b bool) {
	if b {
		o.any(name, true)
	}
}

func (o object) bytes() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encodeJSON(m.name))
		b.WriteByte(':')
		b.Write(m.data)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func encodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("signature: " + err.Error()) // plain data always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
