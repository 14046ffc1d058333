package manifest

import (
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

const minInt = math.MinInt64

// scalar checks a value that is neither a list nor a map.
func (c *checker) scalar(s slot, typ KeyType, n *Node) bool {
	if n.Kind != ScalarNode || n.Scalar.Type == NullType {
		at := n.Span
		if n.Kind != ScalarNode || n.Scalar.Value == "" {
			at = s.at(n)
		}
		c.reportf(ruleWrongType, at, quoteFlow(n), "%s wants %s, not %s", s.title(), typeWords[typ], kindName(n))
		return false
	}
	switch typ {
	case Int:
		return c.integer(s, n.Scalar)
	case Bool:
		return c.boolean(s, n.Scalar)
	case Duration:
		return c.duration(s, n.Scalar)
	case Text, Line:
		return c.text(s, typ, n.Scalar)
	}
	return true
}

var typeWords = map[KeyType]string{
	Text: "text", Line: "text", Expression: "an expression", Int: "a whole number", Bool: "true or false",
	Duration: "a duration such as 10s", Literal: "a single value",
}

// quoteFlow is the fix for an expression that YAML took for a map or a list.
func quoteFlow(n *Node) string {
	if n.Kind == ListNode || n.Kind == MapNode {
		return "quote the value if it is text"
	}
	return ""
}

func (c *checker) integer(s slot, v Scalar) bool {
	k := s.level.key
	if v.Type != IntType {
		fix := ""
		if jsonInt().MatchString(v.Value) {
			fix = "write " + v.Value + " without quotes"
		}
		c.reportf(ruleWrongType, v.Span, fix, "%s wants a whole number, not %s", s.title(), kindName(&Node{Kind: ScalarNode, Scalar: v}))
		return false
	}
	i, err := strconv.ParseInt(v.Value, 10, 64)
	switch {
	case err != nil:
		c.reportf(ruleWrongValue, v.Span, "", "%s does not fit into 64 bits", v.Value)
	case k.Most > 0 && (i < k.Least || i > k.Most):
		if k.Least == k.Most {
			c.reportf(ruleWrongValue, v.Span, "write "+strconv.FormatInt(k.Least, 10), "%s can only be %d", s.title(), k.Least)
			return false
		}
		c.reportf(ruleWrongValue, v.Span, "", "%s must be between %d and %d", s.title(), k.Least, k.Most)
	case i < k.Least:
		c.reportf(ruleWrongValue, v.Span, "", "%s must be at least %d", s.title(), k.Least)
	default:
		return true
	}
	return false
}

// spoken are the words that older YAML took for booleans.
var spoken = map[string]string{
	"yes": "true", "y": "true", "on": "true", "true": "true", "1": "true",
	"no": "false", "n": "false", "off": "false", "false": "false", "0": "false",
}

func (c *checker) boolean(s slot, v Scalar) bool {
	if v.Type == BoolType {
		return true
	}
	fix := "write true or false"
	if word := spoken[strings.ToLower(v.Value)]; word != "" {
		fix = "write " + word
	}
	c.reportf(ruleWrongType, v.Span, fix, "%s wants true or false, not %s", s.title(), kindName(&Node{Kind: ScalarNode, Scalar: v}))
	return false
}

func (c *checker) duration(s slot, v Scalar) bool {
	if v.Type == IntType {
		c.reportf(ruleWrongType, v.Span, "write "+v.Value+"s for seconds", "%s wants a duration with its unit, not a number", s.title())
		return false
	}
	d, err := time.ParseDuration(v.Value)
	if err != nil || v.Type != TextType {
		c.reportf(ruleWrongType, v.Span, "write it like 500ms, 10s or 1m30s", "%s wants a duration such as 10s", s.title())
		return false
	}
	if d <= 0 {
		c.reportf(ruleWrongValue, v.Span, "", "%s must be longer than nothing", s.title())
		return false
	}
	return true
}

func (c *checker) text(s slot, typ KeyType, v Scalar) bool {
	k := s.level.key
	if v.Type != TextType {
		c.reportf(ruleWrongType, v.Span, "write "+quote(v.Value), "%s wants text, not %s", s.title(), kindName(&Node{Kind: ScalarNode, Scalar: v}))
		return false
	}
	if k.Required && strings.TrimSpace(v.Value) == "" {
		c.reportf(ruleWrongValue, v.Span, "write "+lowerFirst(k.Text), "%s is empty", s.title())
		return false
	}
	if i := strings.IndexAny(v.Value, "\n\t"); typ == Line && i >= 0 {
		c.reportf(RuleControlCharacter, v.At(i, i+1), "write the value on one line", "%s holds a line break or a tab", s.title())
		return false
	}
	if n := utf8.RuneCountInString(v.Value); k.Longest > 0 && n > k.Longest {
		c.reportf(ruleTooLong, v.At(byteOf(v.Value, k.Longest), len(v.Value)), "", "%s has %d characters, at most %d are allowed", s.title(), n, k.Longest)
		return true
	}
	if len(k.Values) > 0 {
		return c.oneOf(s, v)
	}
	return k.Form == nil || c.form(k.Form, v)
}

// byteOf returns the offset of the nth character.
func byteOf(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// otherWords are what other formats call the values of enumerated keys.
var otherWords = map[string]string{"integer": "int", "bool": "boolean", "text": "string", "str": "string"}

func (c *checker) oneOf(s slot, v Scalar) bool {
	k := s.level.key
	if slices.Contains(k.Values, v.Value) {
		return true
	}
	near := diag.Nearest(v.Value, k.Values)
	if other := otherWords[v.Value]; other != "" {
		near = other
	}
	fix := "write one of " + strings.Join(k.Values, ", ")
	if near != "" {
		fix = "write " + near
	}
	c.reportf(ruleWrongValue, v.Span, fix, "%s cannot be %q, only %s", s.title(), v.Value, strings.Join(k.Values, ", "))
	return false
}

// name checks the name of an entry of a map.
func (c *checker) name(f *Form, key Scalar) bool {
	if f == nil {
		return c.form(&Form{Noun: "a name", Words: "write a name"}, key)
	}
	return c.form(f, key)
}

// form checks a text against a form, and what no pattern can tell.
func (c *checker) form(f *Form, v Scalar) bool {
	var problem string
	switch {
	case v.Value == "":
		problem = "is empty"
	case f == authForm && looksSecret(v.Value):
		// The place of a literal credential is reported as a secret.
		return true
	case f.pattern != nil && !f.pattern().MatchString(v.Value), strings.ContainsAny(v.Value, "\n\t"):
		problem = "is not " + f.Noun
	case f.Longest > 0 && utf8.RuneCountInString(v.Value) > f.Longest:
		problem = "is too long for " + f.Noun
	case f == packageForm && (token.IsKeyword(v.Value) || v.Value == "main" || strings.HasSuffix(v.Value, "_test")):
		problem = "cannot be the name of a package that others import"
	default:
		return true
	}
	fix := f.Words
	if better := respell(f, v.Value); better != "" {
		fix += ": " + better
	}
	c.reportf(ruleBadName, v.Span, fix, "%q %s", v.Value, problem)
	return false
}

// respell writes a name in the letters that a form wants, if that is possible.
func respell(f *Form, name string) string {
	if f.pattern == nil || f == uuidForm || f == errorForm || f == authForm || f == packageForm {
		return ""
	}
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		case b.Len() > 0 && last != '_':
			r = '_'
			b.WriteRune(r)
		}
		last = r
	}
	out := strings.Trim(b.String(), "_")
	switch {
	case f.upper:
		out = strings.ToUpper(out)
	case f == headerForm, f == mirrorForm:
		out = strings.ReplaceAll(out, "_", "-")
	case f != toolkitForm && f != identifierForm:
		out = strings.ToLower(out)
	}
	if out == name || !f.pattern().MatchString(out) || f.Longest > 0 && len(out) > f.Longest {
		return ""
	}
	return out
}
