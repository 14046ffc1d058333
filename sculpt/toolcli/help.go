package toolcli

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
