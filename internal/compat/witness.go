package compat

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// rejected looks for a value that the old input accepts and the new one does
// not, and returns it as JSON, or "". It is a help for readers of a finding
// and decides nothing.
func (c *comparison) rejected(p inputPair) string {
	for _, v := range samples(p.old) {
		if accepts(p.old, v) && !accepts(p.new, v) {
			return literal(v)
		}
	}
	return ""
}

// samples returns values near the bounds of an input.
func samples(in *input) []any {
	switch in.Type {
	case signature.Int, number:
		return []any{in.Min, in.Max}
	case signature.Boolean:
		return []any{true, false}
	case signature.Enum:
		var out []any
		for _, v := range in.Values {
			out = append(out, v.Name)
		}
		return out
	}
	var out []any
	for _, s := range textSamples(in) {
		out = append(out, s)
	}
	return out
}

// plainTexts are texts that patterns of real inputs often tell apart.
var plainTexts = []string{"en", "text", "saint paul", "Omaha", "A", "a", "A1", "42", "2027-06-30", "x@example.com", "-", ""}

func textSamples(in *input) []string {
	out := slices.Clone(plainTexts)
	if re, err := syntax.Parse(in.Pattern, syntax.Perl); err == nil {
		out = append(out, example(re.Simplify(), 1), example(re.Simplify(), 2))
	}
	for _, n := range []int{in.MinLength, in.MaxLength} {
		for _, letter := range []string{"a", "A", "1", " "} {
			if n <= maxSample {
				out = append(out, strings.Repeat(letter, n))
			}
		}
	}
	return out
}

// maxSample bounds the texts that are tried; nobody reads longer ones.
const maxSample = 64

// textOfLength returns a text of that length that the input accepts, as JSON,
// or "".
func textOfLength(in *input, n int) string {
	if n > maxSample {
		return ""
	}
	for _, letter := range []string{"a", "A", "1", " "} {
		if s := strings.Repeat(letter, n); accepts(in, s) {
			return strconv.Quote(s)
		}
	}
	return ""
}

// example writes a text that a simple pattern matches, with repeats done n
// times at least where that is allowed.
func example(re *syntax.Regexp, n int) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture:
		return example(re.Sub[0], n)
	case syntax.OpStar, syntax.OpPlus:
		return strings.Repeat(example(re.Sub[0], n), n)
	case syntax.OpQuest:
		return strings.Repeat(example(re.Sub[0], n), n-1)
	case syntax.OpAlternate:
		return example(re.Sub[0], n)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(example(sub, n))
		}
		return b.String()
	}
	return ""
}

// accepts reports whether an input takes a value: string, int64 or bool.
func accepts(in *input, v any) bool {
	switch v := v.(type) {
	case bool:
		return in.Type == signature.Boolean
	case int64:
		return numeric(in.Type) && in.Min <= v && v <= in.Max
	case string:
		switch in.Type {
		case signature.Enum:
			return hasValue(in.Values, v)
		case signature.String:
			n := utf8.RuneCountInString(v)
			return in.MinLength <= n && n <= in.MaxLength && matches(in.Pattern, v)
		}
	}
	return false
}

// matches applies a pattern without anchors, as JSON Schema does. A pattern
// that Go cannot read matches nothing: then no text is shown as accepted.
func matches(pattern, s string) bool {
	if pattern == "" {
		return true
	}
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(s)
}
