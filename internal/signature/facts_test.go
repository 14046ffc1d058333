package signature

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// said are the facts of a tool, as id: words.
func said(s *Signature) string {
	var out []string
	for _, f := range ToolFacts {
		if words := f.Of(s); words != "" {
			out = append(out, f.ID+": "+words)
		}
	}
	return strings.Join(out, "\n")
}

// Every fact of a tool in its words, in their order; what a tool does not have is
// not said.
func TestToolFacts(t *testing.T) {
	full := &Signature{WhenToUse: "The user asks.", Needs: Needs{UserID: true, Tokens: []string{"mail", "files"}, Secrets: []string{"key"}, Claims: []string{"role"}}, Effects: Effects{Destructive: true, Billable: true}}
	full.Notes = Notes{
		Creates: []string{"order"}, Modifies: []string{"stock", "price list"}, Deletes: []string{"basket."}, Cost: "low", Typical: "1-5s", Restricted: true,
		Deprecated: Deprecation{Since: "2026-01-01", Sunset: "2026-07-01", Use: "find_all"}, Prerequisites: Prerequisites{Tools: []string{"login"}, Conditions: []string{"The shop is open."}},
	}
	want := `when_to_use: Use it when the user asks.
creates: Creates: order.
modifies: Modifies: stock, price list.
deletes: Deletes: basket.
tools_before: Call before: login.
conditions: Conditions: The shop is open.
credentials: Needs: the id of the user, a token of mail, a token of files, the secret key.
permissions: Permission: the claim role, only callers whom the provider admits.
cost: Cost: low.
duration: Mostly takes 1-5s.
deprecated: Deprecated from 2026-01-01 on.
sunset: Not available from 2026-07-01 on.
replacement: Use find_all instead.
destructive: This deletes or overwrites data.
irreversible: This cannot be undone.
repeated: Calling twice is not the same as once.
billable: This costs money.`
	if got := said(full); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := said(&Signature{Effects: Effects{ReadOnly: true, Idempotent: true}}); got != "" {
		t.Errorf("a tool that reads: %s", got)
	}
	if got := said(&Signature{Effects: Effects{Reversible: true, Idempotent: true}}); got != "" {
		t.Errorf("a change that can be undone: %s", got)
	}
	for d, want := range map[Deprecation]string{
		{}: "", {Use: "b"}: "Deprecated. Use b instead.", {Sunset: "2027-01-01"}: "Deprecated. Not available from 2027-01-01 on.", {Since: "2026-01-01"}: "Deprecated from 2026-01-01 on.",
	} {
		if got := d.Words(); got != want {
			t.Errorf("%+v: %s, want %s", d, got, want)
		}
	}
	var table []string
	for _, f := range ToolFacts {
		table = append(table, fmt.Sprintf("%s|%s|%v|%s", f.ID, f.Title, f.Danger, f.Flag))
	}
	for _, f := range InputFacts {
		table = append(table, f.ID+"|"+f.Title)
	}
	rows := "when_to_use|when to use it|false| creates|what it creates|false| modifies|what it modifies|false| deletes|what it deletes|false| tools_before|tools to call before|false| " +
		"conditions|conditions|false| credentials|credentials of the caller|false| permissions|permissions of the caller|false| cost|cost|false| duration|duration|false| " +
		"deprecated|deprecated|true| sunset|end|true| replacement|replacement|true| destructive|destructive|true|⚠️ DESTRUCTIVE irreversible|irreversible|true|⚠️ NOT REVERSIBLE " +
		"repeated|not idempotent|true|⚠️ NOT IDEMPOTENT billable|billable|true|💰 BILLABLE " +
		"values|meaning of values choices|allowed values range|bounds of numbers length|bounds of texts omitted|what leaving it out means default|default pattern|pattern"
	if got := strings.Join(table, " "); got != rows {
		t.Errorf("%s\nwant %s", got, rows)
	}
}

// Every fact of an input in its words, at the edges of what goes without saying.
func TestInputFacts(t *testing.T) {
	text := func(least, most int) Input {
		return Input{Type: String, MinLength: least, MaxLength: most, Required: true}
	}
	number := func(least, most int64) Input { return Input{Type: Int, Min: least, Max: most, Required: true} }
	wide := func(in Input) Input {
		in.Min, in.Max, in.MaxLength = DefaultMin, DefaultMax, DefaultMaxLength
		return in
	}
	for _, c := range []struct {
		in   Input
		want string
	}{
		{text(0, DefaultMaxLength), ""}, {text(0, DefaultMaxLength-1), fmt.Sprintf("length: At most %d characters.", DefaultMaxLength-1)}, {text(1, DefaultMaxLength), "length: At least 1 character."},
		{text(2, DefaultMaxLength), "length: At least 2 characters."}, {text(1, 1), "length: Exactly 1 character."}, {text(3, 3), "length: Exactly 3 characters."}, {text(1, 9), "length: From 1 to 9 characters."}, {text(0, 1), "length: At most 1 character."},
		{text(0, 0), "length: Exactly 0 characters."},
		{number(DefaultMin, DefaultMax), ""}, {number(DefaultMin, 9), "range: At most 9."}, {number(-1, DefaultMax), "range: At least -1."}, {number(1, 9), "range: Between 1 and 9."},
		{wide(Input{Type: Boolean, Required: true}), ""}, {wide(Input{Type: Boolean}), "omitted: Optional; nothing stands in for it."}, {wide(Input{Type: Boolean, Default: false}), "default: Default: false."},
		{wide(Input{Type: String, Default: `a "b" <c>`}), `default: Default: "a \"b\" \u003cc\u003e".`}, {wide(Input{Type: Int, Default: int64(3)}), "default: Default: 3."}, {wide(Input{Type: Enum, Default: "A"}), "default: Default: A."},
		{wide(Input{Type: String, Required: true, Pattern: "a+"}), "pattern: Matches the regular expression a+"},
		{wide(Input{Type: Enum, Required: true, Values: []Value{{Name: "A", Text: "An a."}, {Name: "B"}, {Name: "C", Text: "A c"}}}), "values: A: An a. C: A c\nchoices: One of A, B, C."},
	} {
		var got []string
		for _, f := range InputFacts {
			if words := f.Of(&c.in); words != "" {
				got = append(got, f.ID+": "+words)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%+v: %s, want %s", c.in, got, c.want)
		}
	}
}

// when_to_use becomes a sentence about the tool, whatever it begins with.
func TestUseWhen(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "", "Use it for orders.": "Use it for orders.", "use it": "use it", "USE": "USE", "When it rains.": "Use it when it rains.", "when it rains": "Use it when it rains",
		"The user asks.": "Use it when the user asks.", "A user asks.": "Use it when a user asks.", "The caller asks.": "Use it when the caller asks.", "Somebody asks.": "Use it when somebody asks.", "Someone asks.": "Use it when someone asks.",
		"You ask.": "Use it when you ask.", "Your order": "Use it when: Your order", "Orders.": "Use it when: Orders.", " Orders. ": "Use it when: Orders.", "Useful for orders": "Use it when: Useful for orders", "the user asks": "Use it when: the user asks",
	} {
		if got := UseWhen(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		parts []string
		want  string
	}{
		{nil, ""}, {[]string{"", " "}, ""}, {[]string{"a", "b"}, "a. b"}, {[]string{"a.", " b "}, "a. b"}, {[]string{"a!", "b?", "c:", "d;", "e,", "f…", "g"}, "a! b? c: d; e, f… g"}, {[]string{"a", "", "b."}, "a. b."},
	} {
		if got := Sentences(c.parts...); got != c.want {
			t.Errorf("%q: %q, want %q", c.parts, got, c.want)
		}
	}
	for _, c := range [][3]string{{"Finds it.", "", "Finds it."}, {"Finds it", "Use it.", "Finds it. Use it."}, {"Finds it. Use it.", "Use it.", "Finds it. Use it."}} {
		if got := (&Signature{Description: c[0], WhenToUse: c[1]}).FullDescription(); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}

// A command or a flag never has the name of one that every program has.
func TestFlags(t *testing.T) {
	for tool, want := range map[string]string{"find_all": "find-all", "help": "tool--help", "h": "tool--h", "serve": "tool--serve", "mcp": "tool--mcp", "helper": "helper"} {
		if got := CommandOf(tool); got != want {
			t.Errorf("%s is called %s, want %s", tool, got, want)
		}
	}
	for flag, common := range map[string]bool{"help": true, "h": true, "agent": true, "json": true, "verbose": true, "serve": false, "name": false} {
		if CommonFlag(flag) != common {
			t.Errorf("%s is of every command: %v", flag, !common)
		}
	}
	inputs := []Input{
		{Name: "first_name", Type: String}, {Name: "json", Type: String}, {Name: "needed", Type: Boolean, Required: true}, {Name: "wanted", Type: Boolean}, {Name: "off", Type: Boolean, Default: false},
		{Name: "on", Type: Boolean, Default: true}, {Name: "help", Type: Boolean}, {Name: "deep_down", Type: Boolean}, {Name: "no_deep_down", Type: String}, {Name: "count", Type: Int},
	}
	want := []Flags{
		{Name: "first-name"}, {Name: "input.json"}, {Name: "needed"}, {Name: "wanted", Negating: "no-wanted"}, {Name: "off"}, {Name: "on", Negating: "no-on"}, {Name: "input.help", Negating: "no-help"},
		{Name: "deep-down", Negating: "no.deep-down"}, {Name: "no-deep-down"}, {Name: "count"},
	}
	if got := FlagsOf(inputs); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
