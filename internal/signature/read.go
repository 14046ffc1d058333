package signature

import "math"

// Parse reads an A2T document (A2T 6.1), with or without currentVersion, and
// fills in what the draft means by omitted members: type string, required
// true, max 65535. Unknown members, duplicates and anything of the wrong kind
// are errors of type [*ReadError].
//
// The members of [Extensions] and [InputExtensions] are passed over: the
// contract has what they say.
//
// Only the members of an A2T document are set; [ReadContract] sets the rest.
// Whether the document is in canonical form is another question: compare its
// bytes with those of [Signature.Canonical].
func Parse(data []byte) (*Signature, error) {
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	r, s := &reader{}, &Signature{}
	r.object(root, "the document", func(m *members) {
		s.ID, s.Name, s.Description = r.text(m, "toolId"), r.text(m, "name"), r.text(m, "description")
		s.Version = r.version(root, m, "version")
		s.Image, s.Tags = r.text(m, "img"), r.texts(m, "tags")
		r.list(m, "input_parameters", func(n *node) { s.Inputs = append(s.Inputs, r.input(n)) })
		r.list(m, "output_parameters", func(n *node) { s.Outputs = append(s.Outputs, r.output(n)) })
		s.Notes.Deprecated = r.deprecation(m)
		r.number(m, "currentVersion")
		m.pass(Extensions)
		r.unique(root, s)
	})
	return s, r.failure()
}

// version is a positive integer (A2T 6.1).
func (r *reader) version(at *node, m *members, name string) int {
	v := r.number(m, name)
	switch {
	case v == nil:
		r.failf(at, "the document has no %q", name)
		return 0
	case *v < 0 || *v > math.MaxInt32:
		r.failf(at, "%q must be a positive integer", name)
	}
	return int(*v)
}

func (r *reader) input(n *node) Input {
	in := Input{}
	r.object(n, "an input", func(m *members) {
		in.ID, in.Name, in.Type = r.text(m, "id"), r.text(m, "name"), Type(r.text(m, "type"))
		in.Description, in.Required = r.text(m, "description"), r.flag(m, "required", true)
		in.Values = r.values(m)
		if in.Type == "" {
			in.Type = String
		}
		r.inputBounds(m, &in)
		m.pass(InputExtensions)
	})
	return in
}

// inputBounds takes the bounds; those that the type does not have say nothing.
func (r *reader) inputBounds(m *members, in *Input) {
	length, low, high := r.number(m, "maxLength"), r.number(m, "min"), r.number(m, "max")
	switch in.Type {
	case String:
		in.MaxLength = DefaultMaxLength
		if length != nil {
			in.MaxLength = int(*length)
		}
	case Int:
		in.Min, in.Max = DefaultMin, DefaultMax
		if low != nil {
			in.Min = *low
		}
		if high != nil {
			in.Max = *high
		}
	}
}

func (r *reader) output(n *node) Output {
	out := Output{}
	r.object(n, "an output", func(m *members) {
		out.ID, out.Name, out.Type = r.text(m, "id"), r.text(m, "name"), Type(r.text(m, "type"))
		out.Description, out.Values = r.text(m, "description"), r.values(m)
		if out.Type == "" {
			out.Type = String
		}
	})
	return out
}

func (r *reader) values(m *members) []Value {
	var out []Value
	r.list(m, "allowed-values", func(n *node) {
		r.object(n, "an allowed value", func(m *members) {
			out = append(out, Value{Name: r.text(m, "name"), Text: r.text(m, "description")})
		})
	})
	return out
}

// unique refuses names and ids that occur twice on one side: nothing could be
// paired by them.
func (r *reader) unique(at *node, s *Signature) {
	names, ids := map[string]bool{}, map[string]bool{}
	once := func(kind, id, name string) {
		if names[kind+name] || ids[kind+id] {
			r.failf(at, "%s %q has a name or an id that another one has", kind, name)
		}
		names[kind+name], ids[kind+id] = true, true
	}
	for _, in := range s.Inputs {
		once("input", in.ID, in.Name)
	}
	for _, out := range s.Outputs {
		once("output", out.ID, out.Name)
	}
}
