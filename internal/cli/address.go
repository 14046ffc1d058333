package cli

import (
	"cmp"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

// address fills the variables of an address in.
func address(api *ir.API, template string, lookup func(string) string) string {
	for _, v := range api.Variables {
		var value strings.Builder
		for _, part := range v.Parts {
			if value.WriteString(part.Text); part.Env != "" {
				value.WriteString(lookup(part.Env))
			}
		}
		template = strings.ReplaceAll(template, "{"+v.Name+"}", value.String())
	}
	return template
}

// recordedAt is the address that recordings have.
func recordedAt(p *ir.Program, api *ir.API, template string) string {
	recorded := p.StandIns()
	return address(api, template, func(name string) string { return recorded[name] })
}

// moved returns a URL at the address that recordings have, instead of the one that
// the environment leads to.
func (s *session) moved(p *ir.Program, api *ir.API, url string) string {
	recorded := p.StandIns() // which are the defaults, where there are any
	live := func(name string) string {
		value, _ := s.lookup(name)
		return cmp.Or(value, recorded[name])
	}
	templates := []string{api.BaseURL}
	for _, t := range p.Tools {
		for _, step := range t.Plan.Steps {
			if step.API == api.Name && step.Server != "" {
				templates = append(templates, step.Server)
			}
		}
	}
	for _, template := range templates {
		if rest, ok := strings.CutPrefix(url, address(api, template, live)); ok && strings.HasPrefix(rest, "/") && strings.Contains(template, "{") {
			return recordedAt(p, api, template) + rest
		}
	}
	return url
}
