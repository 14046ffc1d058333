package resolve

import (
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

// places maps the parts of a tool, in the words of the compatibility rules, to
// where they are written.
func places(m *manifest.Tool) map[string]diag.Span {
	out := map[string]diag.Span{}
	add := func(place string, s manifest.Scalar) {
		if s.IsSet() {
			out[place] = s.Span
		}
	}
	add("name", m.Name)
	add("id", m.ID)
	add("version", m.Version)
	add("title", m.Title)
	add("description", m.Description)
	add("when_to_use", m.WhenToUse)
	add("image", m.Image)
	add("deprecated", m.Deprecated.Since)
	add("deprecated.sunset", m.Deprecated.Sunset)
	for _, in := range m.Inputs {
		place := "inputs." + in.Name.Value
		add(place, in.Name)
		for part, s := range map[string]manifest.Scalar{
			"id": in.ID, "type": in.Type, "description": in.Description, "required": in.Optional, "default": in.Default,
			"min": in.Min, "max": in.Max, "min_length": in.MinLength, "max_length": in.MaxLength, "pattern": in.Pattern, "mcp_header": in.MCPHeader,
		} {
			add(place+"."+part, s)
		}
		for _, v := range in.Values {
			add(place+".values."+v.Name.Value, v.Name)
		}
	}
	for _, o := range m.Outputs {
		place := "outputs." + o.Name.Value
		add(place, o.Name)
		for part, s := range map[string]manifest.Scalar{"id": o.ID, "type": o.Value, "description": o.Description, "present": o.Optional} {
			add(place+"."+part, s)
		}
		for _, v := range o.Values {
			add(place+".values."+v.Name.Value, v.Name)
		}
	}
	return out
}
