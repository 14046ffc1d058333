package cli

import (
	"embed"
	"slices"
	"strings"
	"text/template"
)

//go:embed completion/*.tmpl
var completionTexts embed.FS

var completions = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join, "shell": quoteShell}).
	ParseFS(completionTexts, "completion/*.tmpl"))

// shells are those that completions can be had for.
var shells = []string{"bash", "zsh"}

// A completed is a verb, and what a shell offers after it.
type completed struct {
	Name, About string
	// Flags take no value or any, Choices are the values of those that take one
	// of few.
	Flags   []string
	Choices map[string][]string
	// Words are first arguments, Files says that files are arguments.
	Words []string
	Files bool
}

// runCompletion prints what a shell reads to complete command lines.
func runCompletion(c *command) error {
	shell := c.Args().First()
	if !slices.Contains(shells, shell) {
		return unable("write sculpt completion "+strings.Join(shells, " or sculpt completion "), "there are completions for bash and zsh, not for %q", shell)
	}
	return completions.ExecuteTemplate(c.stdout, shell+".tmpl", c.completed())
}

func (s *session) completed() []completed {
	var out []completed
	for _, v := range s.verbs {
		one := completed{Name: v.name, About: strings.ReplaceAll(strings.TrimSuffix(v.describe().Description, "."), ":", `\:`), Choices: map[string][]string{"--color": colorModes}, Files: v.does != nothing}
		flags := flagsInHelp(v.name)
		for _, f := range v.flags() {
			name := "--" + f.Names()[0]
			one.Flags = append(one.Flags, name)
			if values := choicesOf(flags[name].value); values != nil {
				one.Choices[name] = values
			}
		}
		one.Flags = append(one.Flags, "--color", "--help")
		one.Words = firstWords(v.name)
		out = append(out, one)
	}
	return out
}

// choicesOf are the values that a flag takes, as the help writes them.
func choicesOf(value string) []string {
	if value == "FORMAT" {
		return formats
	}
	if values := strings.Split(value, "|"); len(values) > 1 {
		return values
	}
	return nil
}

// firstWords are what the first argument of a verb may be, nil for files.
func firstWords(verb string) []string {
	var out []string
	switch verb {
	case "completion":
		return shells
	case "explain":
		for _, r := range allRules() {
			out = append(out, r.ID.String())
		}
	case "export":
		return exportNames()
	}
	return out
}
