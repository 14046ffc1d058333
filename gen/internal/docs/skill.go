package docs

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Program is the command line of a package, for agents and those who design them.
type Program struct {
	// Name is that of the program.
	Name, Title, Description string
	Variables                []Variable
	// Examples are command lines, by command.
	Examples map[string][]string
}

// A Variable is one of the environment that the program reads.
type Variable struct {
	Name, Description string
	Required          bool
}

// A command is a tool as the program has it.
type command struct {
	sheet
	Command  string
	Flags    []flagged
	Examples []string
}

type flagged struct {
	signature.Input
	Flag signature.Flags
}

// mostSummary is how long the description of a skill may be, in code points.
const mostSummary = 1024

// SkillName is the name of a skill, and of the folder that it has to be in.
func (p *Program) SkillName() string {
	return strings.Trim(strings.ReplaceAll(strings.ToLower(p.Name), "_", "-"), "-")
}

// Skill writes the SKILL.md of an Agent Skill: how an agent calls the tools by the
// command line of their package.
func Skill(p *Program, sigs []*signature.Signature) File {
	tools := newest(sigs)
	var commands []command
	summary := []string{cmp.Or(p.Title, p.Name) + ".", p.Description}
	for _, s := range tools {
		one := command{sheet: sheet{s, cmp.Or(s.Title, s.Name)}, Command: signature.CommandOf(s.Name)}
		flags := signature.FlagsOf(s.Inputs)
		for i, in := range s.Inputs {
			one.Flags = append(one.Flags, flagged{in, flags[i]})
		}
		one.Examples = p.Examples[one.Command]
		commands = append(commands, one)
		summary = append(summary, cmp.Or(signature.UseWhen(s.WhenToUse), s.Description))
	}
	return File{p.SkillName() + "/SKILL.md", execute("skill.md.tmpl", struct {
		*Program
		Title, Skill, Summary string
		Tools                 []command
	}{p, cmp.Or(p.Title, p.Name), p.SkillName(), scalar(strings.Join(summary, " ")), commands})}
}

// scalar is a text as one value of YAML on one line, whatever is in it: a string of
// JSON is one. Angle brackets are no markup for who reads it.
func scalar(s string) string {
	s = strings.NewReplacer("<", "(", ">", ")").Replace(strings.Join(strings.Fields(visible(s)), " "))
	if runes := []rune(s); len(runes) > mostSummary {
		s = string(runes[:mostSummary-3]) + "..."
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic("docs: " + err.Error()) // a string is always written
	}
	return string(data)
}

// Procedure writes the skeleton of an operating procedure (A2T, figure 1): each tool
// as a step, with what the designer has to say in brackets.
func Procedure(p *Program, sigs []*signature.Signature) []byte {
	var sheets []sheet
	var goals []string
	for _, s := range inTurn(newest(sigs)) {
		sheets = append(sheets, sheet{s, cmp.Or(s.Title, s.Name)})
		for _, e := range s.Examples {
			if e.Goal != "" && !slices.Contains(goals, e.Goal) {
				goals = append(goals, e.Goal)
			}
		}
	}
	return execute("procedure.md.tmpl", struct {
		*Program
		Title string
		Goals []string
		Tools []sheet
	}{p, cmp.Or(p.Title, p.Name), goals, sheets})
}

// inTurn puts each tool after those that are called before it, which keep the
// order that they have.
func inTurn(sigs []*signature.Signature) []*signature.Signature {
	var out []*signature.Signature
	seen := map[string]bool{}
	var add func(*signature.Signature)
	add = func(s *signature.Signature) {
		if seen[s.Name] {
			return // it is there, or wants what wants it
		}
		seen[s.Name] = true
		for _, before := range sigs {
			if slices.Contains(s.Notes.Tools, before.Name) {
				add(before)
			}
		}
		out = append(out, s)
	}
	for _, s := range sigs {
		add(s)
	}
	return out
}

// call names a tool with its inputs, as procedures do.
func call(s *signature.Signature) string {
	var names []string
	for _, in := range s.Inputs {
		names = append(names, in.Name)
	}
	return "`" + s.Name + "(" + strings.Join(names, ", ") + ")`" // both are of letters, digits and _
}

// line shows a command line as it is typed where a code span can hold it.
func line(s string) string {
	if s != strings.TrimSpace(visible(s)) || strings.ContainsAny(s, "`\n") {
		return code(s)
	}
	return "`" + s + "`"
}
