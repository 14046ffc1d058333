package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/server"
)

// A serverVariable is one that servers: of an api sets.
type serverVariable struct {
	ir.ServerVariable
	at manifest.Pair
	// bad says that its value was reported.
	bad bool
}

// serverVariables reads what servers: says.
func (r *resolver) serverVariables(a *manifest.API) []*serverVariable {
	if a.BaseURL.IsSet() && a.Servers.Span != (diag.Span{}) {
		r.errorf(ruleServerVariable, a.BaseURL.Span, "remove base_url:, or servers:", "base_url: replaces the servers of the document, so that servers: has no effect")
		return nil
	}
	var out []*serverVariable
	for _, p := range a.Servers.Variables {
		v, before := &serverVariable{at: p, ServerVariable: ir.ServerVariable{Name: p.Key.Value}}, len(r.findings)
		v.Parts = r.configured(p.Value.Scalar, ruleServerVariable, "write ${env.NAME}", "a server variable")
		v.bad = len(r.findings) > before
		out = append(out, v)
	}
	return out
}

// static is the value that a variable has wherever the program runs; ok is false
// where the environment has a say.
func (v *serverVariable) static() (text string, ok bool) {
	for _, part := range v.Parts {
		if text += part.Text; part.Env != "" {
			return "", false
		}
	}
	return text, true
}

// expected is the value that a variable has where the environment says nothing;
// ok is false where it has to.
func (r *resolver) expected(v *serverVariable) (text string, ok bool) {
	for _, part := range v.Parts {
		if text += part.Text; part.Env != "" {
			e := r.env[part.Env]
			if e == nil || e.Default == nil {
				return "", false
			}
			text += *e.Default
		}
	}
	return text, true
}

// address is what a server is called with: what the manifest knows is filled in,
// what the environment says stays {name}.
func (r *resolver) address(use *apiUse, s *operation.Server) string {
	values := map[string]string{}
	for _, v := range use.variables {
		values[v.Name] = "{" + v.Name + "}"
		if text, ok := v.static(); ok {
			values[v.Name] = text
		}
	}
	return s.Address(values)
}

// serverOf is address for an operation that is called: the values have to be
// right for its server.
func (r *resolver) serverOf(use *apiUse, api *ir.API, s *operation.Server) string {
	names := server.Names(s.URL)
	use.known = append(use.known, names...)
	for _, v := range use.variables {
		if !slices.Contains(names, v.Name) {
			continue
		}
		one := server.Variable{Name: v.Name}
		v.Sample = server.SampleOf(s.URL, v.Name)
		if declared := s.Variable(v.Name); declared != nil {
			one.Enum, one.Value = declared.Enum, declared.Default
			if _, err := server.Fill(s.URL, []server.Variable{one}); err == nil {
				v.Sample = declared.Default
			}
		}
		text, ok := r.expected(v)
		if one.Value = text; ok && !v.bad {
			if _, err := server.Fill(s.URL, []server.Variable{one}); err != nil {
				v.bad = true
				r.errorf(ruleServerVariable, v.at.Value.Span, "write a value that is allowed there", "%s%s", err, diag.DidYouMean(text, one.Enum))
			}
		}
		if _, fixed := v.static(); !fixed && !api.Allow(v.ServerVariable, one.Enum) && !v.bad {
			v.bad = true
			r.errorf(ruleServerVariable, v.at.Value.Span, "name the document as another api for some of the tools", "the servers that are called have no value of %q in common", v.Name)
		}
	}
	return r.address(use, s)
}

// unknownVariables reports what no server of a called operation has.
func (r *resolver) unknownVariables(use *apiUse) {
	slices.Sort(use.known)
	known := slices.Compact(use.known)
	for _, v := range use.variables {
		if slices.Contains(known, v.Name) {
			continue
		}
		list := "none has any"
		if len(known) > 0 {
			list = "they have " + strings.Join(known, ", ")
		}
		r.errorf(ruleUnknownVariable, v.at.Key.Span, "remove it, or correct its name", "no server of an operation that is called has the variable %q, %s%s", v.Name, list, diag.DidYouMean(v.Name, known))
	}
}
