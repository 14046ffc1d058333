package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// descriptor is the table that the run time validates and serves by.
func descriptor(t *plan.Tool) jen.Code {
	d := t.Descriptor
	entries := []jen.Code{
		entry("ID", jen.Lit(d.ID)), entry("Name", jen.Lit(d.Name)), entry("ToolName", jen.Lit(d.ToolName)),
	}
	if len(d.Tags) > 0 {
		entries = append(entries, entry("Tags", texts(d.Tags)))
	}
	var effects []jen.Code
	for _, e := range d.Effects {
		effects = append(effects, entry(e, jen.True()))
	}
	entries = append(entries, entry("Effects", jen.Qual(toolPkg, "Effects").Values(effects...)))
	if d.IdempotentIfNamed {
		entries = append(entries, entry("IdempotentIfNamed", jen.True()))
	}
	if d.Polls {
		entries = append(entries, entry("Polls", jen.True()))
	}
	if d.Deadline > 0 {
		entries = append(entries, entry("Deadline", duration(d.Deadline)))
	}
	if n := needs(d.Needs); n != nil {
		entries = append(entries, entry("Needs", jen.Qual(toolPkg, "Needs").Values(n...)))
	}
	if d.CallerAuth {
		entries = append(entries, entry("CallerAuth", jen.True()))
	}
	for _, day := range []struct{ field, text string }{{"Deprecated", d.Deprecated.Since}, {"Sunset", d.Deprecated.Sunset}, {"Use", d.Deprecated.Use}} {
		if day.text != "" {
			entries = append(entries, entry(day.field, jen.Lit(day.text)))
		}
	}
	var versions []jen.Code
	for _, v := range d.Versions {
		versions = append(versions, version(v))
	}
	if t.PlaceTable() != "" {
		entries = append(entries, entry("Places", id(t.PlacesVar)))
	}
	entries = append(entries, entry("Versions", jen.Index().Qual(toolPkg, "Version").Values(versions...)))
	return jen.Add(doc(t.Var+" is the table of "+d.Name+" for the run time.")).Line().
		Var().Id(t.Var).Op("=").Qual(toolPkg, "Tool").Add(fields(entries...)).Line()
}

func texts(list []string) jen.Code { return jen.Index().String().Values(literals(list)...) }

func literals(list []string) []jen.Code {
	var out []jen.Code
	for _, s := range list {
		out = append(out, jen.Lit(s))
	}
	return out
}

func needs(n plan.Needs) []jen.Code {
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

func version(v plan.Version) jen.Code {
	entries := []jen.Code{entry("N", jen.Lit(v.N))}
	if v.Released {
		entries = append(entries, entry("Released", jen.True()))
	}
	var inputs, outputs []jen.Code
	for _, in := range v.Inputs {
		inputs = append(inputs, param(in))
	}
	for _, o := range v.Outputs {
		outputs = append(outputs, outputSlot(o))
	}
	if inputs != nil {
		entries = append(entries, entry("Inputs", jen.Index().Qual(toolPkg, "Param").Add(fields(inputs...))))
	}
	entries = append(entries, entry("Outputs", jen.Index().Qual(toolPkg, "OutputSlot").Add(fields(outputs...))))
	return fields(entries...)
}

func outputSlot(o plan.OutputRow) jen.Code {
	out := []jen.Code{entry("ID", jen.Lit(o.ID)), entry("Name", jen.Lit(o.Name)), entry("Type", jen.Qual(toolPkg, o.Type))}
	if o.Optional {
		out = append(out, entry("Optional", jen.True()))
	}
	if o.Values != nil {
		out = append(out, entry("Values", texts(o.Values)))
	}
	if o.Fallback != "" {
		out = append(out, entry("Fallback", jen.Lit(o.Fallback)))
	}
	return jen.Values(out...)
}

func param(in plan.InputRow) jen.Code {
	out := []jen.Code{entry("ID", jen.Lit(in.ID)), entry("Name", jen.Lit(in.Name)), entry("Type", jen.Qual(toolPkg, in.Type))}
	add := func(name string, on bool, v jen.Code) {
		if on {
			out = append(out, entry(name, v))
		}
	}
	add("Required", in.Required, jen.True())
	add("MinLength", in.MinLength > 0, jen.Lit(in.MinLength))
	add("MaxLength", in.MaxLength > 0, jen.Lit(in.MaxLength))
	add("Pattern", in.Pattern != "", jen.Qual("regexp", "MustCompile").Call(jen.Lit(in.Pattern)))
	add("Min", in.Min != 0, lit(in.Min))
	add("Max", in.Max != 0, lit(in.Max))
	add("Values", in.Values != nil, texts(in.Values))
	if in.Default != nil {
		out = append(out, entry("Default", defaultValue(in.Default)))
	}
	add("MCPHeader", in.MCPHeader != "", jen.Lit(in.MCPHeader))
	return jen.Values(out...)
}

// defaultValue has the very type that the table's any must hold.
func defaultValue(v any) jen.Code {
	if i, ok := v.(int64); ok {
		return jen.Int64().Parens(lit(i))
	}
	return lit(v)
}
