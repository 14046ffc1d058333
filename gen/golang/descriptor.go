package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/plan"
	"github.com/sculpt-tools/sculpt/sculpt/signature"
)

var paramTypes = map[signature.Type]string{
	signature.String: "String", signature.Int: "Int", signature.Boolean: "Boolean", signature.Enum: "Enum", signature.JSON: "JSON",
}

// descriptor is the table that the run time validates and serves by.
func descriptor(t *plan.Tool) jen.Code {
	s := t.Signature
	entries := []jen.Code{
		entry("ID", jen.Lit(s.ID)), entry("Name", jen.Lit(s.Name)), entry("ToolName", jen.Lit(s.ToolName)),
	}
	if len(s.Tags) > 0 {
		entries = append(entries, entry("Tags", texts(s.Tags)))
	}
	entries = append(entries, entry("Effects", effects(s.Effects)))
	if t.Deadline > 0 {
		entries = append(entries, entry("Deadline", duration(t.Deadline)))
	}
	if needs := needs(s.Needs); needs != nil {
		entries = append(entries, entry("Needs", jen.Qual(servePkg, "Needs").Values(needs...)))
	}
	entries = append(entries, entry("Versions", jen.Index().Qual(servePkg, "Version").Add(jen.Values(version(s)))))
	return jen.Add(doc(t.Var+" is the table of "+s.Name+" for the run time.")).Line().
		Var().Id(t.Var).Op("=").Qual(servePkg, "Tool").Add(fields(entries...)).Line()
}

func texts(list []string) jen.Code {
	var out []jen.Code
	for _, s := range list {
		out = append(out, jen.Lit(s))
	}
	return jen.Index().String().Values(out...)
}

func effects(e signature.Effects) jen.Code {
	var out []jen.Code
	for _, f := range []struct {
		name string
		on   bool
	}{{"ReadOnly", e.ReadOnly}, {"Idempotent", e.Idempotent}, {"Destructive", e.Destructive}, {"Reversible", e.Reversible}, {"Billable", e.Billable}} {
		if f.on {
			out = append(out, entry(f.name, jen.True()))
		}
	}
	return jen.Qual(servePkg, "Effects").Values(out...)
}

func needs(n signature.Needs) []jen.Code {
	var out []jen.Code
	if n.UserID {
		out = append(out, entry("UserID", jen.True()))
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"Secrets", n.Secrets}, {"Tokens", n.Tokens}, {"Claims", n.Claims}} {
		if len(l.list) > 0 {
			out = append(out, entry(l.name, texts(l.list)))
		}
	}
	return out
}

func version(s *signature.Signature) jen.Code {
	entries := []jen.Code{entry("N", jen.Lit(s.Version))}
	var inputs, outputs []jen.Code
	for _, in := range s.Inputs {
		inputs = append(inputs, param(in))
	}
	for _, o := range s.Outputs {
		slot := []jen.Code{entry("ID", jen.Lit(o.ID)), entry("Name", jen.Lit(o.Name)), entry("Type", jen.Qual(servePkg, paramTypes[o.Type]))}
		if o.Optional {
			slot = append(slot, entry("Optional", jen.True()))
		}
		outputs = append(outputs, jen.Values(slot...))
	}
	if inputs != nil {
		entries = append(entries, entry("Inputs", jen.Index().Qual(servePkg, "Param").Add(fields(inputs...))))
	}
	entries = append(entries, entry("Outputs", jen.Index().Qual(servePkg, "OutputSlot").Add(fields(outputs...))))
	return fields(entries...)
}

func param(in signature.Input) jen.Code {
	out := []jen.Code{entry("ID", jen.Lit(in.ID)), entry("Name", jen.Lit(in.Name)), entry("Type", jen.Qual(servePkg, paramTypes[in.Type]))}
	if in.Required {
		out = append(out, entry("Required", jen.True()))
	}
	switch in.Type {
	case signature.String:
		if in.MinLength > 0 {
			out = append(out, entry("MinLength", jen.Lit(in.MinLength)))
		}
		out = append(out, entry("MaxLength", jen.Lit(in.MaxLength)))
		if in.Pattern != "" {
			out = append(out, entry("Pattern", jen.Qual("regexp", "MustCompile").Call(jen.Lit(in.Pattern))))
		}
	case signature.Int:
		out = append(out, entry("Min", lit(in.Min)), entry("Max", lit(in.Max)))
	case signature.Enum:
		var names []string
		for _, v := range in.Values {
			names = append(names, v.Name)
		}
		out = append(out, entry("Values", texts(names)))
	}
	if in.Default != nil {
		out = append(out, entry("Default", defaultValue(in.Default)))
	}
	return jen.Values(out...)
}

// defaultValue has the very type that the table's any must hold.
func defaultValue(v any) jen.Code {
	if i, ok := v.(int64); ok {
		return jen.Int64().Parens(lit(i))
	}
	return lit(v)
}
