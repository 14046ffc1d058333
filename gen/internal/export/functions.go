package export

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// shortText is how short a text has to be for its limit to be worth a word
// where no keyword can say it: a model keeps to 64 characters of a name
// without being told, and not to the five of a postal code.
const shortText = 64

// flagged is the description of a tool for formats that have no place for its
// effects: what is dangerous stands after it, in the words of ATIP 0.6 (its
// rules of translation). If both together are longer than most characters, the
// description is cut and the flags stay; most 0 is not a limit.
func flagged(s *signature.Signature, most int) string {
	text, flags := s.FullDescription(), flagsOf(s.Effects)
	if flags != "" {
		flags = " " + flags
	}
	if words := s.Notes.Deprecated.Words(); words != "" {
		flags = " " + words + flags
	}
	if most == 0 {
		return text + flags
	}
	return clipped(text, most-utf8.RuneCountInString(flags)) + flags
}

// clipped is a text of at most so many characters; what is cut off ends at a
// word.
func clipped(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}

// flagsOf lists what a caller should know before it calls. There is no flag
// for reading: every sculpted tool uses the network, and READ-ONLY says that a
// tool does not.
func flagsOf(e signature.Effects) string {
	var flags []string
	for _, f := range []struct {
		flag string
		is   bool
	}{
		{"⚠️ DESTRUCTIVE", e.Destructive},
		{"⚠️ NOT REVERSIBLE", !e.Reversible && !e.ReadOnly},
		{"⚠️ NOT IDEMPOTENT", !e.Idempotent},
		{"💰 BILLABLE", e.Billable},
	} {
		if f.is {
			flags = append(flags, f.flag)
		}
	}
	if flags == nil {
		return ""
	}
	return "[" + strings.Join(flags, " | ") + "]"
}

// numberWords says the bounds of a number; those of the rule set a2t/1 that
// nobody has stated are not worth a sentence.
func numberWords(in signature.Input) string {
	switch {
	case in.Min == signature.DefaultMin && in.Max == signature.DefaultMax:
		return ""
	case in.Min == signature.DefaultMin:
		return fmt.Sprintf("At most %d.", in.Max)
	case in.Max == signature.DefaultMax:
		return fmt.Sprintf("At least %d.", in.Min)
	}
	return fmt.Sprintf("Between %d and %d.", in.Min, in.Max)
}

// lengthWords says the bounds of a text, the upper one if it is below limit.
func lengthWords(in signature.Input, limit int) string {
	said := in.MaxLength < limit
	switch {
	case said && in.MinLength == in.MaxLength:
		return fmt.Sprintf("Exactly %s.", characters(in.MaxLength))
	case said && in.MinLength > 0:
		return fmt.Sprintf("From %d to %s.", in.MinLength, characters(in.MaxLength))
	case said:
		return fmt.Sprintf("At most %s.", characters(in.MaxLength))
	case in.MinLength > 0:
		return fmt.Sprintf("At least %s.", characters(in.MinLength))
	}
	return ""
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return fmt.Sprintf("%d characters", n)
}

func patternWords(in signature.Input) string {
	if in.Pattern == "" {
		return ""
	}
	return "Matches the regular expression " + in.Pattern
}

func defaultWords(in signature.Input) string {
	if in.Default == nil {
		return ""
	}
	return fmt.Sprintf("Default: %v.", in.Default)
}

// inWords is the description of an input with all that a format has no keyword
// for.
func inWords(in signature.Input, more ...string) string {
	return signature.Sentences(append([]string{withValues(in.Description, in.Values)}, more...)...)
}

// requiredNames lists the inputs that a caller has to fill in.
func requiredNames(inputs []signature.Input) array {
	var names array
	for _, in := range inputs {
		if in.Required {
			names = append(names, in.Name)
		}
	}
	return names
}
