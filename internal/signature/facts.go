package signature

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Fact is something that callers of a tool should know and that its
// description may leave unsaid. Formats tell it by a member of theirs or in
// these words; package export has the table of that.
type Fact struct {
	// ID names the fact, such as billable; Title is for tables.
	ID, Title string
	// Danger says that the words arrive whatever else has to be cut.
	Danger bool
	// Flag says a danger in the words that ATIP 0.6 has for formats of
	// functions; "" for other facts.
	Flag string
	// Of says the fact of a tool in a sentence, "" where the tool does not have
	// it.
	Of func(*Signature) string
}

// ToolFacts lists the facts of a tool in the order of their sentences.
var ToolFacts = []Fact{
	{ID: "when_to_use", Title: "when to use it", Of: func(s *Signature) string { return UseWhen(s.WhenToUse) }},
	{ID: "creates", Title: "what it creates", Of: func(s *Signature) string { return listed("Creates: ", s.Notes.Creates) }},
	{ID: "modifies", Title: "what it modifies", Of: func(s *Signature) string { return listed("Modifies: ", s.Notes.Modifies) }},
	{ID: "deletes", Title: "what it deletes", Of: func(s *Signature) string { return listed("Deletes: ", s.Notes.Deletes) }},
	{ID: "tools_before", Title: "tools to call before", Of: func(s *Signature) string { return listed("Call before: ", s.Notes.Tools) }},
	{ID: "conditions", Title: "conditions", Of: func(s *Signature) string { return listed("Conditions: ", s.Notes.Conditions) }},
	{ID: "credentials", Title: "credentials of the caller", Of: func(s *Signature) string { return listed("Needs: ", s.Credentials()) }},
	{ID: "permissions", Title: "permissions of the caller", Of: func(s *Signature) string { return listed("Permission: ", s.Permissions()) }},
	{ID: "cost", Title: "cost", Of: costWords},
	{ID: "duration", Title: "duration", Of: durationWords},
	{ID: "deprecated", Title: "deprecated", Danger: true, Of: func(s *Signature) string { return s.Notes.Deprecated.sinceWords() }},
	{ID: "sunset", Title: "end", Danger: true, Of: func(s *Signature) string { return s.Notes.Deprecated.sunsetWords() }},
	{ID: "replacement", Title: "replacement", Danger: true, Of: func(s *Signature) string { return s.Notes.Deprecated.useWords() }},
	{ID: "destructive", Title: "destructive", Danger: true, Flag: "⚠️ DESTRUCTIVE",
		Of: saysIf(func(e Effects) bool { return e.Destructive }, "This deletes or overwrites data.")},
	{ID: "irreversible", Title: "irreversible", Danger: true, Flag: "⚠️ NOT REVERSIBLE",
		Of: saysIf(func(e Effects) bool { return !e.Reversible && !e.ReadOnly }, "This cannot be undone.")},
	{ID: "repeated", Title: "not idempotent", Danger: true, Flag: "⚠️ NOT IDEMPOTENT",
		Of: saysIf(func(e Effects) bool { return !e.Idempotent }, "Calling twice is not the same as once.")},
	{ID: "billable", Title: "billable", Danger: true, Flag: "💰 BILLABLE",
		Of: saysIf(func(e Effects) bool { return e.Billable }, "This costs money.")},
}

// An InputFact is a [Fact] of an input.
type InputFact struct {
	ID, Title string
	Of        func(*Input) string
}

// InputFacts lists the facts of an input in the order of their sentences.
var InputFacts = []InputFact{
	{"values", "meaning of values", func(in *Input) string { return ValueWords(in.Values) }},
	{"choices", "allowed values", choiceWords},
	{"range", "bounds of numbers", numberWords},
	{"length", "bounds of texts", lengthWords},
	{"omitted", "what leaving it out means", omittedWords},
	{"default", "default", defaultWords},
	{"pattern", "pattern", patternWords},
}

// UseWhen is when_to_use as a sentence that may follow a description. It is
// about the tool: "The user asks about orders." after a description would tell
// a model what its user does. What begins with Use says that already, and a
// clause about a person goes on after "Use it when"; before any other text is a
// colon, which is right whatever it says.
func UseWhen(text string) string {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case text == "":
		return ""
	case strings.EqualFold(word, "use"):
		return text
	case strings.EqualFold(word, "when"):
		return "Use it when " + rest
	}
	for _, person := range []string{"The user ", "A user ", "The caller ", "Somebody ", "Someone ", "You "} {
		if strings.HasPrefix(text, person) {
			return "Use it when " + strings.ToLower(text[:1]) + text[1:]
		}
	}
	return "Use it when: " + text
}

// Credentials lists in words what the caller must bring with a call.
func (s *Signature) Credentials() []string {
	var out []string
	if s.Needs.UserID {
		out = append(out, "the id of the user")
	}
	for _, id := range s.Needs.Tokens {
		out = append(out, "a token of "+id)
	}
	for _, id := range s.Needs.Secrets {
		out = append(out, "the secret "+id)
	}
	return out
}

// Permissions lists in words what must be true of the caller.
func (s *Signature) Permissions() []string {
	var out []string
	for _, id := range s.Needs.Claims {
		out = append(out, "the claim "+id)
	}
	if s.Notes.Restricted {
		out = append(out, "only callers whom the provider admits")
	}
	return out
}

func saysIf(is func(Effects) bool, sentence string) func(*Signature) string {
	return func(s *Signature) string {
		if is(s.Effects) {
			return sentence
		}
		return ""
	}
}

func listed(before string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return fullStop(before + strings.Join(list, ", "))
}

func costWords(s *Signature) string {
	if s.Notes.Cost == "" {
		return ""
	}
	return "Cost: " + s.Notes.Cost + "."
}

func durationWords(s *Signature) string {
	if s.Notes.Typical == "" {
		return ""
	}
	return "Mostly takes " + s.Notes.Typical + "."
}

// ValueWords says what the values of an enum mean, "NAME: text", for formats
// that have no place for it.
func ValueWords(values []Value) string {
	var parts []string
	for _, v := range values {
		if v.Text != "" {
			parts = append(parts, v.Name+": "+v.Text)
		}
	}
	return Sentences(parts...)
}

func choiceWords(in *Input) string {
	var names []string
	for _, v := range in.Values {
		names = append(names, v.Name)
	}
	return listed("One of ", names)
}

// numberWords says the bounds of a number; those that nobody has stated are not
// worth a sentence.
func numberWords(in *Input) string {
	switch {
	case in.Type != Int, in.Min == DefaultMin && in.Max == DefaultMax:
		return ""
	case in.Min == DefaultMin:
		return fmt.Sprintf("At most %d.", in.Max)
	case in.Max == DefaultMax:
		return fmt.Sprintf("At least %d.", in.Min)
	}
	return fmt.Sprintf("Between %d and %d.", in.Min, in.Max)
}

// lengthWords says the bounds of a text in the same way.
func lengthWords(in *Input) string {
	said := in.MaxLength < DefaultMaxLength
	switch {
	case in.Type != String:
		return ""
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

// omittedWords are for inputs that may be left out and for which nothing
// stands in then.
func omittedWords(in *Input) string {
	if in.Required || in.Default != nil {
		return ""
	}
	return "Optional; nothing stands in for it."
}

func defaultWords(in *Input) string {
	if in.Default == nil {
		return ""
	}
	said := fmt.Sprint(in.Default)
	if in.Type == String {
		quoted, err := json.Marshal(in.Default)
		if err != nil {
			panic("signature: " + err.Error()) // defaults are scalars
		}
		said = string(quoted)
	}
	return "Default: " + said + "."
}

func patternWords(in *Input) string {
	if in.Pattern == "" {
		return ""
	}
	return "Matches the regular expression " + in.Pattern
}

// fullStop ends a text that does not end.
func fullStop(text string) string {
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
