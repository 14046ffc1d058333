package ir

import (
	"slices"
	"strings"
)

// A ServerVariable is one of the addresses of an api that is known only where the
// program runs: other ones are filled in.
type ServerVariable struct {
	Name  string      `json:"name"`
	Parts HeaderParts `json:"value"`
	// Enum are the values that every server of the api allows, empty for any.
	Enum []string `json:"enum,omitempty"`
	// Sample is a value that is allowed.
	Sample string `json:"sample"`
}

// Allow has the api fill a variable in, with a value that enum has; an empty enum
// has any. It is false if no value is left that all servers allow.
func (a *API) Allow(v ServerVariable, enum []string) bool {
	at, found := slices.BinarySearchFunc(a.Variables, v.Name, func(v ServerVariable, name string) int { return strings.Compare(v.Name, name) })
	if !found {
		a.Variables = slices.Insert(a.Variables, at, v)
	}
	known := &a.Variables[at]
	if len(known.Enum) == 0 || len(enum) == 0 {
		known.Enum = slices.Concat(known.Enum, enum)
	} else {
		known.Enum = slices.DeleteFunc(slices.Clone(known.Enum), func(value string) bool { return !slices.Contains(enum, value) })
		if len(known.Enum) == 0 {
			return false
		}
	}
	if len(known.Enum) > 0 && !slices.Contains(known.Enum, known.Sample) {
		known.Sample = known.Enum[0]
	}
	return true
}

// Address writes an address of the api with the environment variables that its
// server variables are made of: https://${env.TENANT}.example.com.
func (a *API) Address(template string) string {
	for _, v := range a.Variables {
		template = strings.ReplaceAll(template, "{"+v.Name+"}", v.Parts.String())
	}
	return template
}

// StandIns are values for the environment variables that addresses are made of:
// recordings are for these, whoever makes them.
func (p *Program) StandIns() map[string]string {
	out := map[string]string{}
	for _, api := range p.APIs {
		for _, v := range api.Variables {
			for _, part := range v.Parts {
				switch e := slices.IndexFunc(p.Env, func(e *Env) bool { return e.Name == part.Env }); {
				case e < 0:
				case p.Env[e].Default != nil:
					out[part.Env] = *p.Env[e].Default
				case len(v.Parts) == 1:
					out[part.Env] = v.Sample
				default:
					out[part.Env] = "x" // fits anywhere but into a port
				}
			}
		}
	}
	return out
}
