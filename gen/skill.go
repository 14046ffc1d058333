package gen

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/docs"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// Skill is the Agent Skill of a program's command line, for a folder of skills.
func Skill(program *ir.Program) File { return File(docs.Skill(programOf(program), newest(program))) }

// Procedure is the skeleton of an operating procedure over the program's tools, for
// the designer of an agent.
func Procedure(program *ir.Program) []byte {
	return docs.Procedure(programOf(program), newest(program))
}

// programOf is the command line of a program for pages. Its examples, and what it
// reads of its caller, are those of the ATIP document.
func programOf(program *ir.Program) *docs.Program {
	line, atip := commandLine(program), atipOf(program)
	p := &docs.Program{Name: line.Name, Title: line.Title, Description: line.Description, Examples: map[string][]string{}}
	for name, c := range atip.Commands {
		p.Examples[name] = c.Examples
	}
	add := func(name, about string, required bool) {
		if name != "" && !slices.ContainsFunc(p.Variables, func(v docs.Variable) bool { return v.Name == name }) {
			p.Variables = append(p.Variables, docs.Variable{Name: name, Description: about, Required: required})
		}
	}
	for _, v := range line.Variables {
		add(v.Name, v.Description, v.Required)
	}
	for _, m := range atip.Authentication.Methods {
		add(m.EnvVar, m.Description, false)
	}
	for _, v := range atip.Caller {
		add(v.EnvVar, v.about(), false)
	}
	return p
}

// An atipDocument is what others read of the ATIP document of a program.
type atipDocument struct {
	Commands       map[string]struct{ Examples []string }
	Authentication struct {
		Methods []struct{ EnvVar, Description string }
	}
	Caller []callerVariable `json:"x-caller"`
}

// A callerVariable is where a program reads who calls.
type callerVariable struct{ Kind, ID, EnvVar string }

func (v *callerVariable) about() string {
	return "Who calls: " + strings.TrimSpace(strings.ReplaceAll(v.Kind, "_", " ")+" "+v.ID) + "."
}

func atipOf(program *ir.Program) (doc atipDocument) {
	if err := json.Unmarshal(export.ATIP(commandLine(program), signatures(program)).Data, &doc); err != nil {
		panic("gen: " + err.Error()) // it was written just now
	}
	return doc
}
