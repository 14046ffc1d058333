package pins

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// named finds what a procedure calls a tool: a name with its inputs in parentheses,
// in a code span or, with an underscore in it, anywhere.
var named = regexp.MustCompile("`([A-Za-z_][A-Za-z0-9_.-]*)\\(([^()`\n]*)\\)`|\\b([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)\\(([^()`\n]*)\\)")

// inputName is what an input begins with; a value may follow: city: "Omaha".
var inputName = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*(?:[:=].*)?$`)

// CheckProcedure finds what an operating procedure names and no pin of the agent
// has, or of any agent for "". Tools are named as the model knows them.
func (f *File) CheckProcedure(name string, text []byte, agent string) diag.List {
	p := &procedure{file: name, inputs: map[string][]string{}}
	for _, pin := range f.Pins {
		if agent != "" && pin.Agent != agent {
			continue
		}
		if !slices.Contains(p.tools, pin.Name) {
			p.tools = append(p.tools, pin.Name)
		}
		for i := range pin.Tool.Inputs {
			p.inputs[pin.Name] = append(p.inputs[pin.Name], pin.Tool.Inputs[i].Name)
		}
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		for _, at := range named.FindAllStringSubmatchIndex(line, -1) {
			if at[2] < 0 { // not a code span
				at = append(at[:2:2], at[6:]...)
			}
			p.reference(line, number, at)
		}
	}
	return p.list
}

// A procedure is held against tools and their inputs.
type procedure struct {
	file   string
	tools  []string
	inputs map[string][]string
	list   diag.List
}

// reference judges one; at has the places of the name and of what is in parentheses.
func (p *procedure) reference(line string, number int, at []int) {
	name := line[at[2]:at[3]]
	if !slices.Contains(p.tools, name) {
		p.unknown(line, number, at[2:4], fmt.Sprintf("no tool %q is pinned%s", name, diag.DidYouMean(name, p.tools)))
		return
	}
	from := at[4]
	for part := range strings.SplitSeq(line[at[4]:at[5]], ",") {
		if m := inputName.FindStringSubmatchIndex(part); m != nil {
			input := part[m[2]:m[3]]
			if !slices.Contains(p.inputs[name], input) {
				p.unknown(line, number, []int{from + m[2], from + m[3]}, fmt.Sprintf("%s has no input %q%s", name, input, diag.DidYouMean(input, p.inputs[name])))
			}
		}
		from += len(part) + 1
	}
}

func (p *procedure) unknown(line string, number int, at []int, message string) {
	column := func(end int) diag.Pos { return diag.Pos{Line: number, Col: utf8.RuneCountInString(line[:end]) + 1} }
	p.list.Add(diag.Finding{
		Rule: ruleUnknown, Severity: diag.Error, Span: diag.Span{File: p.file, Start: column(at[0]), End: column(at[1])},
		Message: message, Fix: "write the name as it is pinned, or pin the tool",
	})
}
