package gen

import (
	"slices"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// A Bundle is what an MCP bundle says beside what its program does.
type Bundle = export.Bundle

// A Build is the program of a bundle for one system.
type Build = export.Build

// A Listing is what a registry of MCP servers is told.
type Listing = export.Listing

// MCPB is the manifest of an MCP bundle of a program.
func MCPB(program *ir.Program, b Bundle) File {
	return File(export.MCPB(commandLine(program), settings(program), b, newest(program)))
}

// ServerJSON is what a registry of MCP servers is told of a program.
func ServerJSON(program *ir.Program, l Listing) File {
	return File(export.ServerJSON(commandLine(program), settings(program), l, newest(program)))
}

// settings are the variables that the function ConfigFromEnv of a package reads, and
// those by which its program knows who calls over stdin.
func settings(program *ir.Program) []export.Setting {
	var list []export.Setting
	for _, v := range commandLine(program).Variables {
		s := export.Setting{Name: v.Name, Description: v.Description, Required: v.Required, Secret: v.Method != ""}
		at := slices.IndexFunc(program.Env, func(e *ir.Env) bool { return e.Name == v.Name })
		if value := program.Env[at].Default; value != nil {
			s.Default = *value
		}
		list = append(list, s)
	}
	for _, a := range program.APIs {
		of := a.Name
		if a.Title != "" {
			of = a.Title
		}
		base := export.Setting{Name: ir.BaseURLEnv(a.Name), Description: "The base URL of " + of + ".", Required: a.BaseURL == ""}
		if a.BaseURL != "" {
			base.Description = "The base URL of " + of + ", where it is not " + a.BaseURL + "."
		}
		list = append(list, base)
		if slices.ContainsFunc(a.Credentials, func(c ir.Credential) bool { return c.Grant != nil }) {
			list = append(list, export.Setting{Name: ir.TokenURLEnv(a.Name), Description: "The token endpoint of " + of + ", where it is not that of its document."})
		}
	}
	atip := atipOf(program)
	for _, v := range atip.Caller {
		s := export.Setting{Name: v.EnvVar, Description: v.about(), Secret: v.Kind != "user_id"}
		for _, m := range atip.Authentication.Methods {
			if m.EnvVar == v.EnvVar {
				s.Description = m.Description
			}
		}
		list = append(list, s)
	}
	return list
}
