package resolve

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// commandLine resolves what is told of the program: the patterns have to be
// command lines that it takes.
func (r *resolver) commandLine(p *ir.Program) *signature.CommandLine {
	m := &r.m.CommandLine
	out := &signature.CommandLine{Setup: m.Setup.Value, Check: m.Check.Value}
	for _, m := range m.Patterns {
		out.Patterns = append(out.Patterns, r.pattern(m, p))
	}
	slices.SortFunc(out.Patterns, func(a, b signature.Pattern) int { return cmp.Compare(a.Name, b.Name) })
	if out.Setup == "" && out.Check == "" && out.Patterns == nil {
		return nil
	}
	return out
}

// placeholder is how a command of a pattern names a variable (ATIP 3.9).
var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

func (r *resolver) pattern(m *manifest.Pattern, p *ir.Program) signature.Pattern {
	out := signature.Pattern{Name: m.Name.Value, Description: strings.TrimSpace(m.Description.Value), Executable: m.Executable.Value == "true"}
	for _, tag := range m.Tags {
		out.Tags = append(out.Tags, tag.Value)
	}
	used := map[string]bool{}
	for _, s := range m.Steps {
		r.command(s.Command, p)
		for _, at := range placeholder.FindAllStringSubmatchIndex(s.Command.Value, -1) {
			name := s.Command.Value[at[2]:at[3]]
			if used[name] = true; !written(m.Variables, name) {
				r.errorf(ruleWrongCommand, s.Command.At(at[0], at[1]), "add "+name+": under variables", "{%s} is not a variable of the pattern%s", name, diag.DidYouMean(name, keysOf(m.Variables)))
			}
		}
		out.Steps = append(out.Steps, signature.PatternStep{Command: s.Command.Value, Description: strings.TrimSpace(s.Description.Value)})
	}
	for _, v := range m.Variables {
		if !used[v.Key.Value] {
			r.errorf(ruleWrongCommand, v.Key.Span, "write {"+v.Key.Value+"} in a command, or remove the variable", "no command of the pattern has {%s}", v.Key.Value)
		}
		out.Variables = append(out.Variables, signature.PatternVariable{Name: v.Key.Value, Description: strings.TrimSpace(v.Value.Scalar.Value)})
	}
	slices.SortFunc(out.Variables, func(a, b signature.PatternVariable) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func keysOf(pairs []manifest.Pair) []string {
	var names []string
	for _, p := range pairs {
		names = append(names, p.Key.Value)
	}
	return names
}

// quotedText may hold what looks like a flag.
var quotedText = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// command holds a command line against the program, if it begins with its name.
func (r *resolver) command(s manifest.Scalar, p *ir.Program) {
	words := strings.Fields(quotedText.ReplaceAllString(s.Value, "x"))
	if len(words) == 0 || words[0] != signature.CommandWord(p.Package) {
		return
	}
	if len(words) == 1 {
		r.errorf(ruleWrongCommand, s.Span, "write the command after it", "the program %s needs a command", words[0])
		return
	}
	var names []string
	for _, t := range p.Tools {
		names = append(names, signature.CommandOf(t.Signature.Name))
	}
	at := slices.Index(names, words[1])
	if at < 0 {
		r.errorf(ruleWrongCommand, s.Span, "write the name of a tool, with - for _", "%s has no command %q%s", words[0], words[1], diag.DidYouMean(words[1], names))
		return
	}
	r.flags(s, words[2:], p.Tools[at].Signature)
}

// flags holds the flags of a command against the inputs of its tool.
func (r *resolver) flags(s manifest.Scalar, words []string, sig *signature.Signature) {
	var known []string
	of := signature.FlagsOf(sig.Inputs)
	for _, f := range of {
		if known = append(known, f.Name); f.Negating != "" {
			known = append(known, f.Negating)
		}
	}
	given := map[string]bool{}
	for _, word := range words {
		flag, isFlag := strings.CutPrefix(word, "--")
		if !isFlag || flag == "" {
			continue
		}
		flag, _, _ = strings.Cut(flag, "=")
		if given[flag] = true; !slices.Contains(known, flag) && !signature.CommonFlag(flag) {
			r.errorf(ruleWrongCommand, s.Span, "use a flag of the command", "%s has no flag --%s%s", sig.Name, flag, diag.DidYouMean(flag, known))
		}
	}
	for i, in := range sig.Inputs {
		// The flag of a boolean that is not there means no.
		if in.Required && in.Type != signature.Boolean && !given[of[i].Name] {
			r.errorf(ruleWrongCommand, s.Span, "add --"+of[i].Name, "the command leaves out --%s, which %s needs", of[i].Name, sig.Name)
		}
	}
}
