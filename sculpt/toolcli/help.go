package toolcli

import (
	"maps"
	"slices"
	"strings"
)

// appHelp is the help of the program. Agents that look for their flag find it
// here.
const appHelp = `{{.Name}} - {{.Usage}}

Usage: {{.Name}} COMMAND [FLAGS]

Commands:
{{range .VisibleCommands}}  {{.Name}}{{"\t"}}{{.Usage}}
{{end}}
Flags:
{{range .VisibleFlags}}  {{.}}
{{end}}{{with .Metadata.variables}}
Variables:
{{range .}}  {{.EnvVar}}{{"\t"}}{{.Description}}
{{end}}{{end}}
Answers go to stdout, everything else to stderr. Exit codes: 0 an answer,
1 the call failed, 2 the command line is wrong.
"{{.Name}} COMMAND --help" shows the flags of a command.
`

// commandHelp is the help of one command.
const commandHelp = `{{.Description}}

Usage: {{.HelpName}} [FLAGS]

Flags:
{{range .VisibleFlags}}  {{.}}
{{end}}`

// firstSentence is what is beside a command in the list of commands.
func firstSentence(s string) string {
	if before, _, ok := strings.Cut(s, ". "); ok {
		return before
	}
	return strings.TrimSuffix(s, ".")
}

func sortedNames(commands map[string]*Command) []string {
	return slices.Sorted(maps.Keys(commands))
}

// variables lists all that the program reads, for the help.
func (d *Document) variables() []envVariable {
	var list []envVariable
	add := func(name, about string) {
		if !slices.ContainsFunc(list, func(v envVariable) bool { return v.EnvVar == name }) {
			list = append(list, envVariable{EnvVar: name, Description: printable(about)})
		}
	}
	for _, v := range d.Variables {
		add(v.EnvVar, v.Description)
	}
	if d.Authentication != nil {
		for _, m := range d.Authentication.Methods {
			add(m.EnvVar, m.Description)
		}
	}
	for _, v := range d.Caller {
		add(v.EnvVar, "Who calls: "+strings.TrimSpace(strings.ReplaceAll(v.Kind, "_", " ")+" "+v.ID))
	}
	return list
}
