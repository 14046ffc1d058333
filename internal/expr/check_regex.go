package expr

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// patterned checks the functions with a regular expression; nil means that name
// is none of them.
func (c *checker) patterned(n *Node, name string, terms []*Term, member bool) *Term {
	size, result := 2, types.BoolType
	switch {
	case name == "matches":
	case member:
		return nil
	case name == "regex.extract":
		result = types.OptionalOf(types.StringType)
	case name == "regex.extractAll":
		result = types.ListOf(types.StringType)
	case name == "regex.replace":
		size, result = 3, types.StringType
	default:
		return nil
	}
	if len(terms) != size {
		return nil
	}
	x := c.present(terms[0])
	if invalid(x) {
		return x
	}
	for _, t := range append([]*Term{x}, terms[1:]...) {
		if t.Type.Kind != types.String {
			return c.problem(RuleWrongType, place{n.NameAt, n.nameEnd()}, "", "%s wants texts, this is %s", name, t.Type)
		}
	}
	re, p := c.pattern(terms[1], name)
	if p != nil {
		return p
	}
	t := &Term{Op: OpCall, Name: name, Type: result, Args: append([]*Term{x}, terms[1:]...), Start: n.Start, End: n.End}
	switch {
	case name == "regex.replace":
		return c.replacement(t, re)
	case name != "matches" && re.NumSubexp() > 1:
		return c.fail(terms[1], RuleWrongType, "write the other groups as (?:...)", "%s() gives the text of one group, and the pattern has %d", name, re.NumSubexp())
	}
	return t
}

// pattern wants a constant pattern, so that it is compiled once and a broken
// one is found before anything runs.
func (c *checker) pattern(t *Term, name string) (*regexp.Regexp, *Term) {
	text, ok := t.Lit.(string)
	if !ok || t.Op != OpConst {
		return nil, c.fail(t, ruleExpressionNotSupported, "write the pattern as a literal", "the pattern of %s() must be a literal", name)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, c.fail(t, ruleSyntax, "write an RE2 pattern", "the pattern is wrong: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}

// replacement brings the text that regex.replace() puts in from the form of CEL,
// where \1 is the first group and \\ a backslash, to that of Go.
func (c *checker) replacement(t *Term, re *regexp.Regexp) *Term {
	with := t.Args[2]
	text, ok := with.Lit.(string)
	if !ok || with.Op != OpConst {
		return c.fail(with, ruleExpressionNotSupported, "write the replacement as a literal", "the replacement of regex.replace() must be a literal")
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '$':
			out.WriteString("$$")
		case text[i] != '\\':
			out.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '\\':
			i++
			out.WriteByte('\\')
		default:
			i++
			group, err := strconv.Atoi(text[i:min(i+1, len(text))])
			if err != nil || group > re.NumSubexp() {
				return c.fail(with, RuleWrongType, `write \\0 for the whole match and \\1 for the first group, in quotes`, `the pattern has %d groups, and a backslash is \\`, re.NumSubexp())
			}
			out.WriteString("${" + strconv.Itoa(group) + "}")
		}
	}
	literal := *with
	literal.Lit = out.String()
	t.Args[2] = &literal
	return t
}
