package plan

import (
	"slices"
	"time"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Descriptor is the table of a tool for the run time. Names of types are
// those of package tool.
type Descriptor struct {
	ID, Name, ToolName string
	Tags               []string
	// Effects are the fields of tool.Effects that are true.
	Effects []string
	// IdempotentIfNamed says that calls are idempotent where they are named.
	IdempotentIfNamed bool
	Deadline          time.Duration
	// Polls says that a step waits.
	Polls bool
	Needs Needs
	// CallerAuth says that an api of the tool gets the caller's own credential.
	CallerAuth bool
	// Deprecated announces the end of the tool.
	Deprecated signature.Deprecation
	Versions   []Version
}

// Needs is what the caller must bring.
type Needs struct {
	UserID                  bool
	Secrets, Tokens, Claims []string
}

// A Version is the table of one version.
type Version struct {
	N        int
	Released bool
	Inputs   []InputRow
	Outputs  []OutputRow
}

// An InputRow is one tool.Param. Bounds that do not belong to the type are
// zero.
type InputRow struct {
	ID, Name, Type       string
	Required             bool
	MinLength, MaxLength int
	Pattern              string
	Min, Max             int64
	Values               []string
	Default              any
	MCPHeader            string
}

// An OutputRow is one tool.OutputSlot.
type OutputRow struct {
	ID, Name, Type string
	Optional       bool
	Values         []string
	Fallback       string
}

var typeNames = map[signature.Type]string{
	signature.String: "TypeString", signature.Int: "TypeInt", signature.Boolean: "TypeBoolean", signature.Enum: "TypeEnum", signature.JSON: "TypeJSON",
}

func describe(t *ir.Tool) Descriptor {
	s := t.Signature
	d := Descriptor{
		ID: s.ID, Name: s.Name, ToolName: s.ToolName, Tags: s.Tags, Deadline: t.Plan.Deadline,
		Polls:      slices.ContainsFunc(t.Plan.Steps, func(s *ir.Step) bool { return s.Poll != nil }),
		Deprecated: s.Notes.Deprecated,
		Needs:      Needs{s.Needs.UserID, s.Needs.Secrets, s.Needs.Tokens, s.Needs.Claims},
		Versions:   versions(t),
	}
	all, named := effectsOf(t)
	d.IdempotentIfNamed = named
	for _, e := range []struct {
		name string
		on   bool
	}{
		{"ReadOnly", all.ReadOnly}, {"Idempotent", all.Idempotent}, {"Destructive", all.Destructive},
		{"Reversible", all.Reversible}, {"Billable", all.Billable},
	} {
		if e.on {
			d.Effects = append(d.Effects, e.name)
		}
	}
	return d
}

// effectsOf is what a call of any version may do, the frozen ones included, and
// whether calls that are named are idempotent.
func effectsOf(t *ir.Tool) (e signature.Effects, named bool) {
	e = t.Signature.Effects
	named = e.Idempotent || t.Plan.IdempotentIfNamed
	for _, f := range t.Frozen {
		e.ReadOnly, e.Idempotent = e.ReadOnly && f.Effects.ReadOnly, e.Idempotent && f.Effects.Idempotent
		e.Reversible = e.Reversible && f.Effects.Reversible
		e.Destructive, e.Billable = e.Destructive || f.Effects.Destructive, e.Billable || f.Effects.Billable
		named = named && (f.Effects.Idempotent || f.Plan.IdempotentIfNamed)
	}
	return e, named && !e.Idempotent
}

// passesAuth reports whether a chain calls an api with the caller's own
// credential.
func (b *planner) passesAuth(t *ir.Tool) bool {
	return slices.ContainsFunc(t.Plan.Steps, func(s *ir.Step) bool {
		return slices.ContainsFunc(b.p.APIs, func(a *API) bool {
			return a.Name == s.API && slices.ContainsFunc(a.Credentials, func(c Credential) bool { return c.Caller && slices.Contains(s.Schemes, c.Scheme) })
		})
	})
}

// versions are the releases, all of which stay invocable (A2T 5.4), and the
// version that is being prepared.
func versions(t *ir.Tool) []Version {
	var out []Version
	for _, s := range t.Released {
		if s.Version == t.Signature.Version {
			s = t.Signature // the same promise, with what is not locked
		}
		v := versionOf(s, t.Fallbacks[s.Version])
		v.Released = true
		out = append(out, v)
	}
	if len(out) == 0 || out[len(out)-1].N < t.Signature.Version {
		out = append(out, versionOf(t.Signature, nil))
	}
	return out
}

// versionOf is the table of one version, with its fallbacks by output.
func versionOf(s *signature.Signature, fallbacks map[string]string) Version {
	v := Version{N: s.Version}
	for i := range s.Inputs {
		v.Inputs = append(v.Inputs, inputRow(&s.Inputs[i]))
	}
	for _, o := range s.Outputs {
		v.Outputs = append(v.Outputs, OutputRow{o.ID, o.Name, typeNames[o.Type], o.Optional, names(o.Values), fallbacks[o.Name]})
	}
	return v
}

func inputRow(in *signature.Input) InputRow {
	r := InputRow{ID: in.ID, Name: in.Name, Type: typeNames[in.Type], Required: in.Required, Default: in.Default, MCPHeader: in.MCPHeader}
	switch in.Type {
	case signature.String:
		r.MinLength, r.MaxLength, r.Pattern = in.MinLength, in.MaxLength, in.Pattern
	case signature.Int:
		r.Min, r.Max = in.Min, in.Max
	case signature.Enum:
		r.Values = names(in.Values)
	}
	return r
}

// names are those of the values of an enum.
func names(values []signature.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Name)
	}
	return out
}
